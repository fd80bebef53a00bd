//! Alarms: why a step is not known to be right, and what one can do about it.

use heapwright_engine::Reason;
use heapwright_program::Place;
use heapwright_property::Part;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    pub(crate) doubt: Doubt,
    pub(crate) place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A part of the specification may be violated.
    Violation(Part),
    /// Something that storage graphs do not carry.
    NotCarried(&'static str),
    Recursion(String),
    NoBody(String),
    /// C that the program does not model.
    Unsupported(String),
    /// More blocks are told apart than graphs have nodes for.
    TooManyNodes,
}

impl Alarm {
    pub(crate) fn reason(&self) -> Reason {
        let part = match self.doubt {
            Doubt::Violation(part) => Some(part),
            Doubt::NotCarried(_)
            | Doubt::Recursion(_)
            | Doubt::NoBody(_)
            | Doubt::Unsupported(_)
            | Doubt::TooManyNodes => None,
        };
        Reason::at(self.doubt.words(), self.place).about(part)
    }
}

impl Doubt {
    /// What a reader is told.
    fn words(&self) -> String {
        match self {
            Doubt::Violation(Part::ValidDeref) => {
                "storage graphs do not rule out that this access \
                is invalid; symbolic-heap follows what they forget"
                    .to_owned()
            }
            Doubt::Violation(part) => format!(
                "storage graphs do not show {part} here; symbolic-heap follows what they forget"
            ),
            Doubt::NotCarried(what) => format!("not carried by storage graphs: {what}"),
            Doubt::Recursion(name) => format!(
                "storage graphs follow no recursion, and `{name}` is called while it is under way"
            ),
            Doubt::NoBody(name) => format!("`{name}` is called and has no body"),
            Doubt::Unsupported(construct) => format!("not modelled: {construct}"),
            Doubt::TooManyNodes => {
                "more blocks are told apart than storage graphs have nodes for".to_owned()
            }
        }
    }
}
