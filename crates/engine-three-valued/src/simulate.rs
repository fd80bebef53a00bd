//! A path alone: whether the structures of a precision rule it out, blurred where the exploration blurs.

use std::collections::BTreeSet;

use crate::analysis::{arrive, depart, meeting};
use crate::explore::Path;
use crate::model::Model;
use crate::state::{Slot, State};
use crate::transfer::{AskedNumbers, Transfer, initial};

/// What comes of a path, and what it has to do with pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Simulated {
    /// No structure raises an alarm on the path: none gets to its end, or what happens there is right.
    pub(crate) is_ruled_out: bool,
    /// Unknown pointers whose value was asked for.
    pub(crate) unknown: Vec<Slot>,
    /// Numbers that were.
    pub(crate) numbers: AskedNumbers,
    /// Pointers that were there at cut points.
    pub(crate) held: BTreeSet<Slot>,
}

/// States that a path may have at a time.
const MOST_STATES: usize = 4_000;

pub(crate) fn simulate(model: &Model<'_>, path: &Path) -> Simulated {
    let mut transfer = Transfer::new(model);
    let mut held = BTreeSet::new();
    let is_ruled_out = follow(&mut transfer, path, &mut held);
    Simulated { is_ruled_out, unknown: transfer.consulted, numbers: transfer.asked, held }
}

/// Whether no structure raises an alarm on the path.
fn follow(transfer: &mut Transfer<'_, '_>, path: &Path, held: &mut BTreeSet<Slot>) -> bool {
    let model = transfer.model;
    let Ok(first) = initial(model) else { return false };
    let mut states = vec![first];
    for &(function, edge) in path {
        let mut next = Vec::new();
        for mut state in states {
            if model.atlas.is_cut(state.function, state.location) && !depart(model, &mut state) {
                continue;
            }
            debug_assert_eq!(state.function, function, "a path is an execution");
            let Ok(found) = transfer.step(state, edge) else { return false };
            for mut state in found {
                if model.atlas.is_cut(state.function, state.location) {
                    if arrive(model, &mut state).is_err() {
                        return false;
                    }
                    held.extend(state.pointers.keys().copied());
                }
                next.push(state);
            }
        }
        deduplicate(model, &mut next);
        if next.is_empty() {
            return true;
        }
        if next.len() > MOST_STATES {
            return false;
        }
        states = next;
    }
    true
}

/// Of equal states at a cut point, one is enough.
fn deduplicate(model: &Model<'_>, states: &mut Vec<State>) {
    let is_at_cut = |state: &State| model.atlas.is_cut(state.function, state.location);
    if states.len() < 2 || !states.iter().all(is_at_cut) {
        return;
    }
    states.sort_by_cached_key(|state| meeting(model, state));
    states.dedup();
}
