//! Comparing an answer with what is expected, and the points of SV-COMP for it.
//! As in BenchExec, a FALSE that names the wrong part of a violated property scores nothing, while
//! any FALSE about a property that holds is wrong.

use crate::plan::Run;
use crate::verdict::Answer;
use heapwright_property::Specification;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judged {
    /// TRUE, and the property holds.
    CorrectTrue,
    /// FALSE, and the named part of the property is violated.
    CorrectFalse,
    /// TRUE, but the property is violated: unsound.
    WrongTrue,
    /// FALSE, but the property holds: a false alarm.
    WrongFalse,
    /// FALSE, and the property is violated, but in another part.
    WrongSubproperty,
    /// UNKNOWN.
    Unknown,
    /// Stopped at a time limit.
    Timeout,
    /// Stopped at the memory limit.
    OutOfMemory,
    /// Died, or ended without a verdict.
    Crash,
}

/// Judges the answer of one run.
pub fn judge(run: &Run, answer: &Answer) -> Judged {
    match answer {
        Answer::True if run.expected => Judged::CorrectTrue,
        Answer::True => Judged::WrongTrue,
        Answer::False { .. } if run.expected => Judged::WrongFalse,
        Answer::False { part } if names_the_violation(run, part.as_deref()) => Judged::CorrectFalse,
        Answer::False { .. } => Judged::WrongSubproperty,
        Answer::Unknown { .. } => Judged::Unknown,
        Answer::Timeout { .. } => Judged::Timeout,
        Answer::OutOfMemory => Judged::OutOfMemory,
        Answer::Crash { .. } => Judged::Crash,
    }
}

fn names_the_violation(run: &Run, part: Option<&str>) -> bool {
    match (&run.expected_subproperty, run.property) {
        (Some(expected), _) => part == Some(expected),
        // Some tasks (Juliet) do not say which part is violated: any part will do.
        (None, property) => part.is_none_or(|part| {
            let parts = Specification::of_property(property).parts;
            part == property.name() || parts.iter().any(|known| known.name() == part)
        }),
    }
}

impl Judged {
    /// The name in result files.
    pub fn name(self) -> &'static str {
        match self {
            Judged::CorrectTrue => "correct-true",
            Judged::CorrectFalse => "correct-false",
            Judged::WrongTrue => "wrong-true",
            Judged::WrongFalse => "wrong-false",
            Judged::WrongSubproperty => "wrong-subproperty",
            Judged::Unknown => "unknown",
            Judged::Timeout => "timeout",
            Judged::OutOfMemory => "out-of-memory",
            Judged::Crash => "crash",
        }
    }

    /// Points of SV-COMP.
    pub fn score(self) -> i64 {
        match self {
            Judged::CorrectTrue => 2,
            Judged::CorrectFalse => 1,
            Judged::WrongTrue => -32,
            Judged::WrongFalse => -16,
            Judged::WrongSubproperty
            | Judged::Unknown
            | Judged::Timeout
            | Judged::OutOfMemory
            | Judged::Crash => 0,
        }
    }

    /// The tool said TRUE or FALSE and was right.
    pub fn is_correct(self) -> bool {
        matches!(self, Judged::CorrectTrue | Judged::CorrectFalse)
    }

    /// The tool said TRUE or FALSE and was wrong: what must never happen.
    pub fn is_wrong(self) -> bool {
        matches!(self, Judged::WrongTrue | Judged::WrongFalse)
    }

    /// The tool said TRUE or FALSE.
    pub fn is_answered(self) -> bool {
        self.is_correct() || self.is_wrong() || self == Judged::WrongSubproperty
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The most points that a run can bring.
pub fn maximum_score(expected: bool) -> i64 {
    if expected { Judged::CorrectTrue.score() } else { Judged::CorrectFalse.score() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::DataModel;
    use heapwright_property::Property;

    fn run(property: Property, expected: bool, part: Option<&str>) -> Run {
        Run {
            folder: "lists".to_owned(),
            task: "a".to_owned(),
            property,
            expected,
            expected_subproperty: part.map(str::to_owned),
            property_file: "p.prp".into(),
            data_model: DataModel::Ilp32,
            files: vec!["a.c".into()],
        }
    }

    fn violated(part: &str) -> Answer {
        Answer::False { part: (!part.is_empty()).then(|| part.to_owned()) }
    }

    #[test]
    fn a_property_that_holds_takes_only_true() {
        let run = run(Property::ValidMemsafety, true, None);
        assert_eq!(judge(&run, &Answer::True), Judged::CorrectTrue);
        assert_eq!(judge(&run, &violated("valid-deref")), Judged::WrongFalse);
        assert_eq!(judge(&run, &violated("")), Judged::WrongFalse);
    }

    #[test]
    fn a_violated_part_has_to_be_named() {
        let run = run(Property::ValidMemsafety, false, Some("valid-free"));
        assert_eq!(judge(&run, &Answer::True), Judged::WrongTrue);
        assert_eq!(judge(&run, &violated("valid-free")), Judged::CorrectFalse);
        assert_eq!(judge(&run, &violated("valid-deref")), Judged::WrongSubproperty);
        assert_eq!(judge(&run, &violated("")), Judged::WrongSubproperty);
    }

    #[test]
    fn any_part_will_do_when_the_task_names_none() {
        let run = run(Property::ValidMemsafety, false, None);
        assert_eq!(judge(&run, &violated("valid-memtrack")), Judged::CorrectFalse);
        assert_eq!(judge(&run, &violated("no-overflow")), Judged::WrongSubproperty);
    }

    #[test]
    fn properties_without_parts_take_their_own_name() {
        let run = run(Property::UnreachCall, false, None);
        assert_eq!(judge(&run, &violated("unreach-call")), Judged::CorrectFalse);
        assert_eq!(judge(&run, &violated("")), Judged::CorrectFalse);
        assert_eq!(judge(&run, &violated("valid-deref")), Judged::WrongSubproperty);
    }

    #[test]
    fn scores_are_those_of_sv_comp() {
        let scores =
            [Judged::CorrectTrue, Judged::CorrectFalse, Judged::WrongTrue, Judged::WrongFalse]
                .map(Judged::score);
        assert_eq!(scores, [2, 1, -32, -16]);
        assert_eq!((maximum_score(true), maximum_score(false)), (2, 1));
    }

    #[test]
    fn names_and_files_agree() {
        for judged in [Judged::WrongSubproperty, Judged::OutOfMemory, Judged::CorrectTrue] {
            assert_eq!(serde_json::to_value(judged).unwrap(), judged.name());
        }
    }
}
