//! Shrinking a program by lines while it stays interesting.
//! Three ways to leave lines out: a run of lines, a whole block in braces, and only the two lines
//! that open and close a block.

/// Removes lines from `source` as long as `is_interesting` says so, with at most `attempts` asks.
pub fn reduce(
    source: &str,
    attempts: usize,
    is_interesting: &mut dyn FnMut(&str) -> bool,
) -> String {
    let lines = source.lines().map(str::to_owned).collect();
    let mut reducer = Reducer { lines, attempts, is_interesting };
    let mut size = reducer.lines.len() / 2;
    // Ends because the size halves down to one, and then every round removes a line or is the last.
    loop {
        let before = reducer.lines.len();
        reducer.remove_blocks();
        reducer.remove_runs(size.max(1));
        let has_shrunk = reducer.lines.len() < before;
        if reducer.attempts == 0 || (size <= 1 && !has_shrunk) {
            return text_of(&reducer.lines);
        }
        size /= 2;
    }
}

struct Reducer<'i> {
    lines: Vec<String>,
    attempts: usize,
    is_interesting: &'i mut dyn FnMut(&str) -> bool,
}

impl Reducer<'_> {
    fn remove_runs(&mut self, size: usize) {
        // From the end, because later lines depend on earlier ones.
        let mut end = self.lines.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            self.try_without(|position| (start..end).contains(&position));
            end = start;
        }
    }

    fn remove_blocks(&mut self) {
        let mut start = 0;
        while start < self.lines.len() {
            if let Some(end) = closing_line(&self.lines, start) {
                let is_removed = self.try_without(|position| (start..=end).contains(&position))
                    || self.try_without(|position| position == start || position == end);
                if is_removed {
                    continue;
                }
            }
            start += 1;
        }
    }

    /// Leaves out the lines chosen by `is_left_out` if the rest is interesting.
    fn try_without(&mut self, is_left_out: impl Fn(usize) -> bool) -> bool {
        if self.attempts == 0 {
            return false;
        }
        self.attempts -= 1;
        let kept = self.lines.iter().enumerate().filter(|(position, _)| !is_left_out(*position));
        let candidate: Vec<String> = kept.map(|(_, line)| line.clone()).collect();
        let is_better = (self.is_interesting)(&text_of(&candidate));
        if is_better {
            self.lines = candidate;
        }
        is_better
    }
}

/// The line that closes the block opened at the end of line `start`.
fn closing_line(lines: &[String], start: usize) -> Option<usize> {
    if !lines[start].trim_end().ends_with('{') {
        return None;
    }
    let mut depth = 0i64;
    for (position, line) in lines.iter().enumerate().skip(start) {
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
        }
        if depth <= 0 {
            return Some(position);
        }
    }
    None
}

fn text_of(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_is_interesting() {
        let source: String = (0..40).map(|number| format!("line {number}\n")).collect();
        let mut is_interesting =
            |text: &str| text.contains("line 7\n") && text.contains("line 31\n");
        assert_eq!(reduce(&source, 1000, &mut is_interesting), "line 7\nline 31\n");
    }

    #[test]
    fn opens_blocks_without_losing_their_content() {
        let source = "if (a) {\nwanted\n}\nend\n";
        let is_balanced = |text: &str| text.matches('{').count() == text.matches('}').count();
        let mut is_interesting = |text: &str| is_balanced(text) && text.contains("wanted");
        assert_eq!(reduce(source, 100, &mut is_interesting), "wanted\n");
    }

    #[test]
    fn stops_when_the_attempts_are_used_up() {
        let mut asked = 0;
        let mut is_interesting = |_: &str| {
            asked += 1;
            true
        };
        reduce("a\nb\nc\nd\n", 2, &mut is_interesting);
        assert!(asked <= 2);
    }
}
