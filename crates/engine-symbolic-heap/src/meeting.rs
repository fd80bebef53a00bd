//! Where states meet: the places at which a new state is compared with those that are known.
//!
//! States meet at loop heads, with equal call stacks. A recursion has no loop head, and its stacks
//! would differ in every round: its calls are cut off, and meet at entries and exits
//! ([`crate::procedure`]). Within such a call, stacks begin with the called function.

use heapwright_program::{FunctionId, LocationId};

use crate::context::Context;
use crate::state::State;

/// The functions and locations of a call stack, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MeetingPlace(Vec<(FunctionId, LocationId)>);

impl MeetingPlace {
    #[cfg(test)]
    pub(crate) fn of(stack: Vec<(FunctionId, LocationId)>) -> MeetingPlace {
        MeetingPlace(stack)
    }
}

impl Context<'_> {
    /// Where a state that has just taken an edge meets others, if it does. A state that has yet to
    /// take its edge again does not arrive anywhere and must not be asked about.
    pub(crate) fn meeting_place(&self, state: &State) -> Option<MeetingPlace> {
        let frame = state.frame();
        self.is_loop_head(frame.function, frame.location).then(|| {
            MeetingPlace(
                state.frames.iter().map(|frame| (frame.function, frame.location)).collect(),
            )
        })
    }
}
