//! The verdict on one line, as benchmark runners read it.

use crate::check::{Answer, CheckReport, ReasonReport};

/// `TRUE`, `FALSE(valid-deref)` or `UNKNOWN(why)`.
#[must_use]
pub fn verdict_line(report: &CheckReport) -> String {
    match &report.answer {
        Answer::Holds { .. } => "TRUE".to_owned(),
        Answer::Violated(violation) => format!("FALSE({})", violation.part.name()),
        Answer::Unknown { reasons } => match reasons.first() {
            Some(first) => {
                // A limit says nothing about the program; what stood in the way does.
                let obstacle = reasons.iter().find(|reason| reason.place.is_some());
                let obstacle = obstacle.filter(|_| first.place.is_none());
                let obstacle = obstacle.map(|it| format!("; {}", reason_text(it)));
                let text = format!("{}{}", reason_text(first), obstacle.unwrap_or_default());
                format!("UNKNOWN({})", one_line(&text))
            }
            None => "UNKNOWN(no engine gave a reason)".to_owned(),
        },
        Answer::InputError { message } => {
            let first = message.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            format!("UNKNOWN(input error: {})", one_line(first))
        }
    }
}

/// The reason with its place.
pub(crate) fn reason_text(reason: &ReasonReport) -> String {
    match &reason.place {
        Some(place) => format!("{} at {place}", reason.text),
        None => reason.text.clone(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn line(answer: Answer) -> String {
        verdict_line(&CheckReport::blank(Vec::new(), answer))
    }

    #[test]
    fn a_reason_takes_one_line_and_keeps_its_place() {
        let place = Position { file: "a.c".to_owned(), line: 3, column: 1 };
        let mut reason = ReasonReport::general("not modelled:\n  asm (x)");
        reason.place = Some(place);
        let reasons = vec![reason];
        assert_eq!(line(Answer::Unknown { reasons }), "UNKNOWN(not modelled: asm (x) at a.c:3)");
    }

    #[test]
    fn an_input_error_shows_its_first_line() {
        let message = "a.c:1:2: error: what?\n 1 | x\n".to_owned();
        let expected = "UNKNOWN(input error: a.c:1:2: error: what?)";
        assert_eq!(line(Answer::InputError { message }), expected);
    }
}
