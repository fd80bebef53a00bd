//! The verdict line: the last line that a tool prints, `TRUE`, `FALSE(part)` or `UNKNOWN(reason)`.

use std::fmt;

/// What a run came to, before it is compared with what is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The tool says that the property holds.
    True,
    /// The tool says that the property, or this part of it, is violated.
    False { part: Option<String> },
    /// The tool gave up and may have said why.
    Unknown { reason: String },
    /// The tool was stopped at a time limit.
    Timeout { limit: TimeLimit },
    /// The tool was stopped at the memory limit.
    OutOfMemory,
    /// The tool died, or ended without a verdict line.
    Crash { reason: String },
}

/// Which clock ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Processor time.
    Cpu,
    /// Time on the wall clock.
    Wall,
}

impl Answer {
    /// Details for the `reason` column; empty when the answer says it all.
    pub fn reason(&self) -> &str {
        match self {
            Answer::True | Answer::False { .. } | Answer::OutOfMemory => "",
            Answer::Unknown { reason } | Answer::Crash { reason } => reason,
            Answer::Timeout { limit: TimeLimit::Cpu } => "cpu time",
            Answer::Timeout { limit: TimeLimit::Wall } => "wall time",
        }
    }
}

/// The short form for the `verdict` column.
impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True => write!(formatter, "TRUE"),
            Answer::False { part: None } => write!(formatter, "FALSE"),
            Answer::False { part: Some(part) } => write!(formatter, "FALSE({part})"),
            Answer::Unknown { .. } => write!(formatter, "UNKNOWN"),
            Answer::Timeout { .. } => write!(formatter, "TIMEOUT"),
            Answer::OutOfMemory => write!(formatter, "OUT-OF-MEMORY"),
            Answer::Crash { .. } => write!(formatter, "CRASH"),
        }
    }
}

/// The verdict in a tool's standard output: its last line that is not blank.
/// Other tools print much before it; a verdict that is followed by anything does not count.
pub(crate) fn verdict_of_output(output: &str) -> Option<Answer> {
    let line = last_line(output)?;
    parse_line(line.strip_prefix("RESULT:").unwrap_or(line).trim())
}

/// The last line that is not blank.
pub(crate) fn last_line(output: &str) -> Option<&str> {
    output.lines().map(str::trim).rfind(|line| !line.is_empty())
}

fn parse_line(line: &str) -> Option<Answer> {
    let (word, detail) = match line.split_once('(') {
        None => (line, None),
        Some((word, rest)) => (word, Some(rest.strip_suffix(')')?.trim().to_owned())),
    };
    match (word.trim().to_ascii_uppercase().as_str(), detail) {
        ("TRUE", None) => Some(Answer::True),
        ("FALSE", part) => Some(Answer::False { part: part.filter(|part| !part.is_empty()) }),
        ("UNKNOWN", reason) => Some(Answer::Unknown { reason: reason.unwrap_or_default() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, expected: Option<Answer>) {
        assert_eq!(verdict_of_output(output), expected, "{output}");
    }

    fn violated(part: &str) -> Option<Answer> {
        Some(Answer::False { part: Some(part.to_owned()) })
    }

    fn unknown(reason: &str) -> Option<Answer> {
        Some(Answer::Unknown { reason: reason.to_owned() })
    }

    #[test]
    fn reads_our_lines() {
        check("TRUE\n", Some(Answer::True));
        check("FALSE(valid-deref)\n", violated("valid-deref"));
        check("UNKNOWN(loop bound: line 3 (inner))\n", unknown("loop bound: line 3 (inner)"));
    }

    #[test]
    fn reads_lines_of_other_tools() {
        check("checking…\n\nRESULT: false(unreach-call)\n\n", violated("unreach-call"));
        check("FALSE", Some(Answer::False { part: None }));
        check("unknown", unknown(""));
    }

    #[test]
    fn rubbish_is_no_verdict() {
        for output in ["", "\n", "TRUE FALSE", "FALSE(valid-deref", "TRUE(x)", "TRUE\nbye\n"] {
            check(output, None);
        }
    }
}
