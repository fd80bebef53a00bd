//! What extents say by numbers that nobody holds any more is said by others, as far as it can be.

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::reasoning::range::range;
use crate::summary::extents::laws::{holds_throughout, numbers_beside};
use crate::summary::zeros::times;

/// Numbers of variables that a place is compared with.
const MOST_NUMBERS: usize = 6;

/// Says bounds by numbers that variables still hold.
pub(super) fn say_bounds_by_live_names(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    id: BlockId,
) {
    let held = reasoner.names.terms.free_variables(&state.held_by_variables());
    let mut extents = state.block(id).contents.extents.clone();
    for extent in &mut extents {
        let stride = extent.stride;
        for bound in [&mut extent.from, &mut extent.to] {
            let names = reasoner.names.terms.free_variables(&[*bound]);
            if !names.iter().all(|name| held.contains(name)) {
                *bound = same_place(reasoner, state, *bound, stride).unwrap_or(*bound);
            }
        }
    }
    if extents != state.block(id).contents.extents {
        state.block_mut(id).contents.extents = extents;
    }
}

/// A place as a constant, or as so many times a number that a variable holds.
pub(crate) fn same_place(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    place: TermId,
    stride: u64,
) -> Option<TermId> {
    let bits = reasoner.names.pointer_bits();
    let range = range(&mut reasoner.names, state, place);
    if range.low == range.high {
        return Some(reasoner.names.terms.bit_vector(range.low.cast_unsigned(), bits));
    }
    let mut tried = 0;
    for number in state.held_by_variables() {
        let names = &mut reasoner.names;
        let is_number = names.terms.as_variable(number).is_some()
            && matches!(names.terms.sort(number), Sort::BitVector(width) if width <= bits)
            && !names.holds_address(number);
        if !is_number || tried >= MOST_NUMBERS {
            continue;
        }
        tried += 1;
        let number = names.terms.sign_extend(number, bits);
        let other = times(names, number, stride);
        let is_same = names.terms.equal(place, other);
        if prove(reasoner, state, is_same) {
            return Some(other);
        }
    }
    None
}

/// Says by numbers that variables still hold what laws say by others.
pub(super) fn say_by_live_names(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let live: FxHashSet<TermId> =
        reasoner.names.names_outside(state, &|_| false).into_iter().collect();
    let mut extents = state.block(id).contents.extents.clone();
    for extent in &mut extents {
        let size = extent.size;
        let is_dead = |names: &mut Names<'_>, conjunct: TermId| {
            names.outer_names_of_law(conjunct).iter().any(|name| !live.contains(name))
        };
        if !extent.law.clone().into_iter().any(|one| is_dead(&mut reasoner.names, one)) {
            continue;
        }
        let here = reasoner.names.here(size);
        for number in numbers_beside(&reasoner.names, state, here) {
            let names = &mut reasoner.names;
            let above = names.terms.signed_less_equal(number, here);
            let below = names.terms.signed_less_equal(here, number);
            for conjunct in [above, below] {
                if holds_throughout(reasoner, state, extent, conjunct) {
                    extent.law.push(conjunct);
                }
            }
        }
        extent.law.sort_unstable();
        extent.law.dedup();
    }
    if extents != state.block(id).contents.extents {
        state.block_mut(id).contents.extents = extents;
    }
}
