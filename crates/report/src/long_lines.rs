//! Long lines cut around what is said about them, so that a listing stays within the terminal.
//!
//! Whoever draws a snippet cuts all its lines at the same columns, which does not help where one label is at
//! the beginning of its line and another far to the right of its own. So each line is cut by itself before.

use std::ops::Range;

/// What stands for the part that was cut off.
const CUT: &str = "…";
/// Columns beside the text: numbers, the bar, and room for a few words of a label.
const BESIDE: usize = 12;
/// Columns that are kept before the first label of a line.
const BEFORE: usize = 24;

/// The text with its labelled lines cut to the width, and where the ranges are in it.
pub(crate) fn cut_lines(
    text: &str,
    ranges: &[Range<usize>],
    width: usize,
) -> (String, Vec<Range<usize>>) {
    let most = width.saturating_sub(BESIDE).max(2 * BEFORE);
    let mut shown = String::with_capacity(text.len());
    let mut moved: Vec<Range<usize>> = ranges.to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let inside = |range: &Range<usize>| range.start >= start && range.end <= end;
        let first = ranges.iter().filter(|range| inside(range)).map(|range| range.start).min();
        let last = ranges.iter().filter(|range| inside(range)).map(|range| range.end).max();
        let window = match (first, last) {
            (Some(first), Some(last)) => window(line, first - start..last - start, most),
            _ => 0..line.len(),
        };
        let at = shown.len() + if window.start > 0 { CUT.len() } else { 0 };
        shown.push_str(if window.start > 0 { CUT } else { "" });
        shown.push_str(&line[window.clone()]);
        if window.end < line.len() {
            shown.push_str(CUT);
            shown.push_str(if line.ends_with('\n') { "\n" } else { "" });
        }
        for (range, moved) in ranges.iter().zip(&mut moved).filter(|(range, _)| inside(range)) {
            let place =
                |byte: usize| at + (byte - start).clamp(window.start, window.end) - window.start;
            *moved = place(range.start)..place(range.end);
        }
        start = end;
    }
    (shown, moved)
}

/// The part of a line that is kept: all of it if it is short, else what is labelled and something before.
fn window(line: &str, labelled: Range<usize>, most: usize) -> Range<usize> {
    let columns = line.trim_end_matches('\n').chars().count();
    if columns <= most {
        return 0..line.len();
    }
    let column = line[..labelled.start].chars().count();
    let from = if column + BEFORE < most { 0 } else { column - BEFORE };
    let to = (from + most).max(line[..labelled.end].chars().count());
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let is_end = to >= columns;
    byte(from)..if is_end { line.len() } else { byte(to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line as it is shown, and the labelled words in it.
    fn cut(text: &str, words: &[&str], width: usize) -> (String, Vec<String>) {
        let place = |word: &&str| text.find(word).map(|at| at..at + word.len());
        let ranges: Vec<Range<usize>> = words.iter().filter_map(place).collect();
        let (shown, moved) = cut_lines(text, &ranges, width);
        let words = moved.into_iter().map(|range| shown[range].to_owned()).collect();
        (shown, words)
    }

    #[test]
    fn short_lines_stay() {
        let text = "int x;\n  free(x);\n";
        assert_eq!(cut(text, &["free(x)"], 100), (text.to_owned(), vec!["free(x)".to_owned()]));
    }

    #[test]
    fn each_line_is_cut_around_its_own_label() {
        let filling = "é = 1; ".repeat(60);
        let text = format!("alloc(); {filling}\n{filling}use(p); {filling}\nreturn;\n");
        let (shown, words) = cut(&text, &["alloc()", "use(p)"], 80);
        assert_eq!(words, ["alloc()", "use(p)"]);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with("alloc();") && lines[0].ends_with('…'), "{}", lines[0]);
        assert!(lines[1].starts_with('…') && lines[1].ends_with('…'), "{}", lines[1]);
        assert!(lines.iter().all(|line| line.chars().count() <= 70), "{lines:?}");
        assert_eq!(lines[2], "return;");
    }

    #[test]
    fn labels_that_are_far_apart_are_both_kept() {
        let text = format!("first(); {} second();", "x = 1; ".repeat(40));
        let (_, words) = cut(&text, &["first()", "second()"], 80);
        assert_eq!(words, ["first()", "second()"]);
    }
}
