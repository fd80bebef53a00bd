//! What one step of a path can lead to.

use heapwright_engine::Reason;
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
