//! The state at a location: when it is reached, and the value of every slot.

use std::collections::BTreeSet;

use heapwright_base::IdVec;
use heapwright_logic::{TermId, Terms};

use crate::analysis::effects::SlotId;

/// What holds at one point of the unwound program.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The point is reached.
    pub(crate) guard: TermId,
    /// Conditions that were asked for on every way here.
    pub(crate) known: BTreeSet<TermId>,
    /// `None` for a slot without a value: nobody may ask for it, or gets anything.
    pub(crate) values: IdVec<SlotId, Option<TermId>>,
}

/// States that meet: the value of a slot is that of the state whose guard holds.
pub(crate) fn merge(terms: &mut Terms, states: Vec<State>) -> Option<State> {
    let mut states = states.into_iter().filter(|state| state.guard != TermId::FALSE);
    let mut result = states.next()?;
    for state in states {
        for slot in state.values.ids() {
            let merged = match (result.values[slot], state.values[slot]) {
                (Some(old), Some(new)) if old == new => continue,
                (Some(old), Some(new)) => Some(terms.if_then_else(state.guard, new, old)),
                (one, other) => one.or(other),
            };
            result.values[slot] = merged;
        }
        result.guard = terms.or(result.guard, state.guard);
        result.known.retain(|condition| state.known.contains(condition));
    }
    Some(result)
}
