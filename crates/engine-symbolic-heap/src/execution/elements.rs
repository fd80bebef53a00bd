//! Accesses to arrays of which rows and slots tell: which element is meant, and how one comes to be a slot.
//!
//! An access to a slot is one to its cells. One to an element of a row takes this element out first. Where it is open which it
//! is, states are told apart: there are no more of them than rows and slots.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::execution::contents::{Spot, contents_after_write, put_contents};
use crate::execution::smash::{Span, holds_numbers, smashed};
use crate::heap::block::{Block, BlockId, End, Field};
use crate::heap::names::Names;
use crate::heap::row::{Row, Slot};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove, step_behind};
use crate::summary::row::cells::put_slot;
use crate::summary::row::unfold::unfold_row;

/// What of an array's rows and slots an access touches.
pub(crate) enum Touched {
    Nothing,
    /// Bytes of a slot, from an offset on.
    Slot(BlockId, u64),
    /// It is open, or an element comes out: the access is tried again in these states.
    Again(Vec<State>),
    /// It cannot be told, or it is a part of an element.
    Unclear,
}

/// What of an array's rows and slots an access touches that is in bounds: so many bytes at an offset.
pub(crate) fn touched(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    spot: Spot,
    elements: &[BlockId],
) -> Touched {
    for &id in elements {
        if let Some(slot) = state.block(id).slot()
            && let Some(within) = offset_in(&mut reasoner.names, state.block(id), slot, spot)
        {
            return Touched::Slot(id, within);
        }
    }
    for &id in elements {
        let block = Arc::clone(state.block(id));
        let found = match (block.slot(), block.row()) {
            (Some(slot), _) => touched_slot(reasoner, state, (id, &block, slot), spot),
            (None, Some(row)) => touched_row(reasoner, state, (id, row), spot),
            (None, None) => unreachable!("elements are rows or slots"),
        };
        match found {
            Touched::Nothing => {}
            Touched::Slot(..) | Touched::Again(_) | Touched::Unclear => return found,
        }
    }
    Touched::Nothing
}

/// Whether so many bytes as `size` says, from an offset on, certainly touch no row or slot.
pub(crate) fn is_clear_of_elements(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (offset, size): (TermId, TermId),
    elements: &[BlockId],
) -> bool {
    let end = reasoner.names.terms.add(offset, size);
    elements.iter().all(|&id| {
        let (from, to) = bounds(&mut reasoner.names, state.block(id));
        let is_apart = are_apart(&mut reasoner.names, (offset, end), (from, to));
        prove(reasoner, state, is_apart)
    })
}

/// Where a row or slot begins and ends.
pub(crate) fn bounds(names: &mut Names<'_>, block: &Block) -> (TermId, TermId) {
    match (block.slot(), block.row()) {
        (Some(Slot { at, .. }), _) => (at, names.terms.add(at, block.size)),
        (None, Some(row)) => (row.from, row.to),
        (None, None) => unreachable!("elements are rows or slots"),
    }
}

/// Whether two stretches, neither of which ends before it begins, share no byte.
fn are_apart(names: &mut Names<'_>, one: (TermId, TermId), other: (TermId, TermId)) -> TermId {
    let before = names.terms.unsigned_less_equal(one.1, other.0);
    let behind = names.terms.unsigned_less_equal(other.1, one.0);
    names.terms.or(before, behind)
}

/// Where in a slot the bytes are, if the terms tell.
fn offset_in(names: &mut Names<'_>, block: &Block, slot: Slot, spot: Spot) -> Option<u64> {
    let distance = names.terms.subtract(spot.at, slot.at);
    let within = u64::try_from(names.constant(distance)?).ok()?;
    let size = names.constant(block.size)? as u64;
    (within.checked_add(spot.size)? <= size).then_some(within)
}

fn touched_slot(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, block, slot): (BlockId, &Block, Slot),
    spot: Spot,
) -> Touched {
    let names = &mut reasoner.names;
    let end = step_behind(names, spot.at, spot.size);
    let its = bounds(names, block);
    let is_apart = are_apart(names, (spot.at, end), its);
    if prove(reasoner, state, is_apart) {
        return Touched::Nothing;
    }
    let width = reasoner.names.constant(block.size).map_or(0, |size| size as u64);
    let distance = reasoner.names.terms.subtract(spot.at, slot.at);
    if spot.size > width || !is_multiple(&reasoner.names, distance, width) {
        return Touched::Unclear;
    }
    let is_it = reasoner.names.terms.equal(spot.at, slot.at);
    match reasoner.split_by(state.clone(), is_it) {
        (Some(_), None) => Touched::Slot(id, 0),
        (it, other) => Touched::Again(it.into_iter().chain(other).collect()),
    }
}

fn touched_row(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, row): (BlockId, &Row),
    spot: Spot,
) -> Touched {
    let end = step_behind(&mut reasoner.names, spot.at, spot.size);
    let is_apart = are_apart(&mut reasoner.names, (spot.at, end), (row.from, row.to));
    if prove(reasoner, state, is_apart) {
        return Touched::Nothing;
    }
    let distance = reasoner.names.terms.subtract(spot.at, row.from);
    if spot.size > row.stride || !is_multiple(&reasoner.names, distance, row.stride) {
        return Touched::Unclear;
    }
    let names = &mut reasoner.names;
    let begins = names.terms.unsigned_less_equal(row.from, spot.at);
    let ends = names.terms.unsigned_less(spot.at, row.to);
    let within = names.terms.and(begins, ends);
    match reasoner.split_by(state.clone(), within) {
        (Some(state), None) => {
            reasoner.services.statistics.unfoldings += 1;
            Touched::Again(unfold_row(&mut reasoner.names, &state, id, spot.at))
        }
        (within, without) => Touched::Again(within.into_iter().chain(without).collect()),
    }
}

/// Writes a pointer to one of many places of an array: it becomes a slot. The place touches no other element.
pub(crate) fn store_pointer(
    reasoner: &mut Reasoner<'_>,
    (state, array, span): (State, BlockId, Span),
    spot: Spot,
    value: TermId,
) -> Option<State> {
    let names = &reasoner.names;
    let is_element = spot.size == names.model().pointer_size()
        && u64::from(names.terms.width(value)) == 8 * spot.size
        && is_multiple(names, spot.at, spot.size)
        && !names.holds_address(spot.at)
        && holds_numbers(names, state.block(array), span);
    if !reasoner.arrays.have_rows() || !is_element {
        return None;
    }
    let left = contents_after_write(reasoner, &state, spot, None);
    let mut state = smashed(&reasoner.names, (state, array, span), true)?;
    put_contents(&mut state, left);
    put_slot(&mut reasoner.names, &mut state, (array, spot.at), (spot.size, value));
    Some(state)
}

/// Elements that a copy of so many bytes moves, if each is wholly within these or certainly outside. They are not in two arrays at a time: of
/// bytes that were copied, their old place tells nothing any more.
pub(crate) fn moving_elements(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (array, offset): (BlockId, TermId),
    size: TermId,
) -> Option<Vec<BlockId>> {
    let mut moving = Vec::new();
    let end = reasoner.names.terms.add(offset, size);
    for id in state.elements_of(&reasoner.names, array) {
        let (from, to) = bounds(&mut reasoner.names, state.block(id));
        let is_apart = are_apart(&mut reasoner.names, (offset, end), (from, to));
        if prove(reasoner, state, is_apart) {
            continue;
        }
        let names = &mut reasoner.names;
        let begins = names.terms.unsigned_less_equal(offset, from);
        let ends = names.terms.unsigned_less_equal(to, end);
        let is_within = names.terms.and(begins, ends);
        if !prove(reasoner, state, is_within) {
            return None;
        }
        moving.push(id);
    }
    Some(moving)
}

/// Moves elements to another array, so many bytes further on.
pub(crate) fn move_elements(
    names: &mut Names<'_>,
    state: &mut State,
    elements: &[BlockId],
    (array, distance): (BlockId, TermId),
) {
    let array = names.pointer_to(array);
    for &id in elements {
        let block = state.block_mut(id);
        block.set_field(Field::End(End::Array), array);
        for end in [End::From, End::To] {
            if let Some(place) = block.end(end) {
                block.set_field(Field::End(end), names.terms.add(place, distance));
            }
        }
    }
}
