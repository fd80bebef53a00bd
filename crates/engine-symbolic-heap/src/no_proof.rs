//! Why a search or a check of invariants ended without a proof.
//!
//! What is done about it depends on the variant; the words for people are made here, at the end.

use std::sync::Arc;

use heapwright_engine::{Reason, Task};
use heapwright_memory::FaultKind;
use heapwright_program::{FunctionId, Place};
use heapwright_property::Part;

use crate::heap::trail::Alarm;

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoProof {
    TimeIsOver,
    /// Some state that arrives is in none of the invariants.
    NotInductive,
    /// Callers hold ever more of what a recursion of this function reaches. Another attempt that cuts
    /// its calls shallowly may do.
    HeldTooMuch(FunctionId),
    /// A fault that could not be excluded.
    PossibleFault {
        kind: FaultKind,
        place: Option<Place>,
        /// How it comes about, where that was recorded.
        alarm: Option<Arc<Alarm>>,
    },
    /// Something about the program, or a limit of the engine.
    Unknown(Reason),
}

impl NoProof {
    /// A limit of the engine.
    pub(crate) fn because(text: &str) -> NoProof {
        NoProof::Unknown(Reason::new(text))
    }

    /// What is said to people.
    pub(crate) fn reason(&self) -> Reason {
        match self {
            NoProof::TimeIsOver => Reason::new("the time limit was reached"),
            NoProof::NotInductive => Reason::new("invariants that are not closed"),
            NoProof::HeldTooMuch(_) => {
                Reason::new("callers that hold ever more of what a recursion reaches")
            }
            NoProof::PossibleFault { kind, place, .. } => {
                Reason { place: *place, ..Reason::new(format!("a possible {kind}")) }
            }
            NoProof::Unknown(reason) => reason.clone(),
        }
    }

    /// The part of the question that is not shown, where it is one.
    pub(crate) fn part(&self, task: &Task) -> Option<Part> {
        match self {
            NoProof::PossibleFault { kind, .. } => task.part_of(*kind),
            NoProof::Unknown(reason) => reason.part,
            NoProof::TimeIsOver | NoProof::NotInductive | NoProof::HeldTooMuch(_) => None,
        }
    }

    /// How the fault comes about that could not be excluded.
    pub(crate) fn alarm(&self) -> Option<&Arc<Alarm>> {
        match self {
            NoProof::PossibleFault { alarm, .. } => alarm.as_ref(),
            NoProof::TimeIsOver
            | NoProof::NotInductive
            | NoProof::HeldTooMuch(_)
            | NoProof::Unknown(_) => None,
        }
    }
}

impl From<Reason> for NoProof {
    fn from(reason: Reason) -> NoProof {
        NoProof::Unknown(reason)
    }
}
