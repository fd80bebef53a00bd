//! What extents say by numbers that nobody holds any more is said by others, as far as it can be.

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::heap::block::BlockId;
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::reasoning::range::range;
use crate::summary::extents::laws::{holds_throughout, numbers_beside};
use crate::summary::zeros::times;

/// Places before the end of an extent that are looked at.
const MOST_PLACES: usize = 2;

/// Numbers of variables that a place is compared with.
const MOST_NUMBERS: usize = 6;

/// Says bounds by numbers that variables still hold.
pub(super) fn say_bounds_by_live_names(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    id: BlockId,
) {
    let held = state.held_by_members(&reasoner.names);
    let held = reasoner.names.terms.free_variables(&held);
    let mut extents = state.block(id).contents.extents.clone();
    // What has become smaller may do so again, or what is behind it may be gone on with: both are kept.
    let shorter: Vec<Extent> = extents
        .iter()
        .filter_map(|extent| {
            let to = place_before(reasoner, state, (id, extent))?;
            Some(Extent { to, ..extent.clone() })
        })
        .filter(|extent| extent.from != extent.to && !extents.contains(extent))
        .collect();
    extents.extend(shorter);
    for extent in &mut extents {
        let stride = extent.stride;
        for bound in [&mut extent.from, &mut extent.to] {
            let names = reasoner.names.terms.free_variables(&[*bound]);
            if !names.iter().all(|name| held.contains(name)) {
                let place = same_place(reasoner, state, *bound, stride)
                    .or_else(|| place_of_cursor(reasoner, state, (id, *bound)));
                *bound = place.unwrap_or(*bound);
            }
        }
    }
    if extents != state.block(id).contents.extents {
        state.block_mut(id).contents.extents = extents;
    }
}

/// The place of a number that is still held, where an extent ends behind it at a number of which nothing else is left: a stack has become
/// smaller.
fn place_before(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, extent): (BlockId, &Extent),
) -> Option<TermId> {
    let names = &mut reasoner.names;
    let bits = names.pointer_bits();
    let told_by = names.terms.free_variables(&[extent.to]);
    let mut places = Vec::new();
    for number in state.held_by_members(names) {
        let is_beside = matches!(names.terms.sort(number), Sort::BitVector(width) if width <= bits)
            && !names.holds_address(number)
            && names.terms.free_variables(&[number]).iter().any(|name| told_by.contains(name));
        if is_beside {
            let number = names.terms.sign_extend(number, bits);
            places.push(times(names, number, extent.stride));
        }
    }
    let mut cursors = cursors_in(names, state, id);
    cursors.retain(|&place| {
        names.terms.free_variables(&[place]).iter().any(|name| told_by.contains(name))
    });
    places.extend(cursors);
    if told_by.is_empty() || places.contains(&extent.to) {
        return None;
    }
    places.truncate(MOST_PLACES);
    let is_end = |reasoner: &mut Reasoner<'_>, place: TermId| {
        let is_end = reasoner.names.terms.equal(place, extent.to);
        prove(reasoner, state, is_end)
    };
    if places.iter().any(|&place| is_end(reasoner, place)) {
        return None;
    }
    places.into_iter().find(|&place| {
        let terms = &mut reasoner.names.terms;
        let begins = terms.unsigned_less_equal(extent.from, place);
        let ends = terms.unsigned_less_equal(place, extent.to);
        let is_within = terms.and(begins, ends);
        prove(reasoner, state, is_within)
    })
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
    for number in state.held_by_members(&reasoner.names) {
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

/// A place as that of a pointer that a variable holds: the end of an array may be all that still tells how long it is.
fn place_of_cursor(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, place): (BlockId, TermId),
) -> Option<TermId> {
    let cursors = cursors_in(&mut reasoner.names, state, id);
    cursors.into_iter().take(MOST_PLACES).find(|&cursor| {
        let is_same = reasoner.names.terms.equal(place, cursor);
        prove(reasoner, state, is_same)
    })
}

/// Where pointers into a block lead that variables hold, as far as that is not told.
fn cursors_in(names: &mut Names<'_>, state: &State, id: BlockId) -> Vec<TermId> {
    let held = state.held_by_members(names);
    let mut places = Vec::new();
    for value in held {
        let Some((_, place)) = names.pointer(value).filter(|(block, _)| *block == id) else {
            continue;
        };
        if names.constant(place).is_none() && !names.holds_address(place) {
            places.push(place);
        }
    }
    places
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
