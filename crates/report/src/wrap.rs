//! Text in lines that fit.

/// The text in lines of at most so many characters, cut between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// The text behind what stands before it; further lines begin where the text began. Ends with a newline.
pub(crate) fn hanging(before: &str, text: &str, width: usize) -> String {
    let indent = before.chars().count();
    let mut told = String::new();
    for (index, part) in wrapped(text, width.saturating_sub(indent)).iter().enumerate() {
        let line = match index {
            0 => format!("{before}{part}"),
            _ => format!("{}{part}", " ".repeat(indent)),
        };
        told.push_str(line.trim_end());
        told.push('\n');
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_begin_where_the_text_began() {
        assert_eq!(hanging("  • ", "one two three", 12), "  • one two\n    three\n");
        assert_eq!(hanging("  ", "averylongword", 4), "  averylongword\n");
        assert_eq!(hanging("  x  ", "", 80), "  x\n");
    }
}
