//! Alarms: why a step is not known to be right, and what one can do about it.

use heapwright_engine::{Reason, Way};
use heapwright_program::Place;
use heapwright_property::Part;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    pub(crate) doubt: Doubt,
    pub(crate) place: Option<Place>,
}

/// An alarm of the exploration, and the edges that lead there from the last loop head.
#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) alarm: Alarm,
    pub(crate) way: Way,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A part of the specification may be violated.
    Violation(Part),
    /// Something that forests do not carry.
    NotCarried(String),
}

impl Doubt {
    pub(crate) fn not_carried(what: impl Into<String>) -> Doubt {
        Doubt::NotCarried(what.into())
    }
}

impl Alarm {
    /// What a reader is told.
    pub(crate) fn reason(&self) -> Reason {
        let hint = "symbolic-heap knows more numbers, and looks for a failing run";
        let (part, words) = match &self.doubt {
            Doubt::Violation(Part::ValidDeref) => {
                let words = "forest automata do not rule out that this access is invalid";
                (Some(Part::ValidDeref), format!("{words}; {hint}"))
            }
            Doubt::Violation(part) => {
                (Some(*part), format!("forest automata do not show {part} here; {hint}"))
            }
            Doubt::NotCarried(what) => (None, format!("not carried by forest automata: {what}")),
        };
        match self.place {
            Some(place) => Reason::at(words, place).about(part),
            None => Reason::new(words).about(part),
        }
    }
}
