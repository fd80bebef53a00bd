//! What one step of a path can lead to.

use heapwright_engine::{Reason, Task};
use heapwright_memory::FaultKind;
use heapwright_program::Place;

use crate::heap::state::State;

/// How a path goes on, or how it ends.
#[derive(Debug)]
pub(crate) enum Outcome {
    Continues(State),
    /// A segment was unfolded: the same edge is to be taken again.
    Again(State),
    /// A call was made that is not followed here: its frame is the last one. With summaries only.
    Calls(State),
    /// A call returned whose callers are cut off.
    Returns(State),
    /// The program commits a fault here; the state has the inputs that lead to it.
    Fault {
        state: State,
        kind: FaultKind,
        place: Place,
    },
    /// The program ends here.
    Ends {
        state: State,
        place: Place,
    },
    /// The execution does not count.
    Blocked,
    /// What the program does here is not known.
    Unknown(Reason),
}

/// Whether all executions of a state that is at fault end there, and are somebody else's to judge. What
/// is not at fault goes on in a state of its own, or is unknown.
pub(crate) fn is_excused(task: &Task, kind: FaultKind) -> bool {
    let is_exact = match kind {
        FaultKind::NullDereference
        | FaultKind::DanglingDereference
        | FaultKind::OutOfBounds
        | FaultKind::ReadOnlyWrite
        | FaultKind::Overlap
        | FaultKind::InvalidSize
        | FaultKind::InvalidUsage
        | FaultKind::InvalidFree
        | FaultKind::DoubleFree
        | FaultKind::ErrorReached
        | FaultKind::AssertionFailed
        | FaultKind::DivisionByZero
        | FaultKind::DivisionOverflow
        | FaultKind::SignedOverflow
        | FaultKind::StackExhausted => true,
        // A number may happen to be the address of a block, and an offset may be zero. A leak ends
        // nothing.
        FaultKind::WildDereference | FaultKind::InvalidCallee | FaultKind::Leak => false,
    };
    is_exact && task.excuses(kind)
}
