//! Slots and rows before a state is folded: what is empty goes, and what is a number again goes back into its array.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use imbl::OrdSet;
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, Cell, Field, Life};
use crate::heap::contents::Element;
use crate::heap::names::Names;
use crate::heap::prototype::Fragment;
use crate::heap::role::Role;
use crate::heap::row::{Row, Slot, array_of};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::reasoning::places::{prove, step_behind};
use crate::summary::extents::live::same_place;
use crate::summary::mismatch::Side;
use crate::summary::row::cells::slots_of_arrays;
use crate::summary::zeros::times;

/// Drops rows that have no element.
pub(crate) fn forget_empty_rows(reasoner: &mut Reasoner<'_>, state: &mut State) {
    if !reasoner.arrays.have_rows() {
        return;
    }
    for id in rows(state) {
        let row = state.block(id).row().expect("a row");
        let is_empty = reasoner.names.terms.equal(row.from, row.to);
        if prove(reasoner, state, is_empty) {
            state.blocks.remove(&id);
        }
    }
}

/// Says of rows what is so of every row: their bounds are in order, and in their arrays.
pub(crate) fn note_bounds(names: &mut Names<'_>, state: &mut State) {
    for id in rows(state) {
        let row = state.block(id).row().expect("a row").clone();
        let array = array_of(names, state.block(id)).and_then(|array| state.blocks.get(&array));
        let Some(size) = array.map(|array| array.size) else { continue };
        let facts = [
            names.terms.unsigned_less_equal(row.from, row.to),
            names.terms.unsigned_less_equal(row.to, size),
        ];
        for fact in facts {
            if names.truth(fact).is_none() && !state.condition.contains(&fact) {
                assume(names, state, fact, None);
            }
        }
    }
}

fn rows(state: &State) -> Vec<BlockId> {
    state.blocks.iter().filter(|(_, block)| block.row().is_some()).map(|(&id, _)| id).collect()
}

/// Gives back to their arrays what slots hold that lead nowhere. A null pointer behind a row lengthens it: arrays are mostly filled
/// upwards, and emptied so as well. One before a row does if nobody knows its place any more.
pub(crate) fn release_slots(reasoner: &mut Reasoner<'_>, state: &mut State) {
    if !reasoner.arrays.have_rows() {
        return;
    }
    slots_of_arrays(&mut reasoner.names, state);
    let held = state.held_by_members(&reasoner.names);
    let held: FxHashSet<TermId> = reasoner.names.terms.free_variables(&held).into_iter().collect();
    let slots: Vec<(BlockId, Slot)> =
        state.blocks.iter().filter_map(|(&id, block)| Some((id, block.slot()?))).collect();
    say_bounds_by_live_names(reasoner, state, &held);
    for (id, slot) in slots {
        let block = Arc::clone(state.block(id));
        if block.cells.values().any(|cell| leads_anywhere(&reasoner.names, state, cell.value)) {
            continue;
        }
        let Some(value) = whole_value(&reasoner.names, &block) else {
            // Pieces of what was an element once, and of which nothing is left.
            state.blocks.remove(&id);
            continue;
        };
        let is_null = reasoner.names.constant(value) == Some(0);
        let is_known =
            reasoner.names.terms.free_variables(&[slot.at]).iter().all(|name| held.contains(name));
        let [before, behind] = are_beside_rows(reasoner, state, (id, slot));
        if is_null && (before || (!is_known && behind)) {
            let row = row_of_slot(&mut reasoner.names, state, id, &[]);
            state.blocks.insert(id, Arc::new(row));
            continue;
        }
        let size = reasoner.names.constant(state.block(id).size).expect("slots have one") as u64;
        state.blocks.remove(&id);
        let array = reasoner.names.blocks_of_addresses[&slot.array];
        if !reasoner.names.holds_address(value)
            && state.blocks.get(&array).is_some_and(|array| array.life == Life::Alive)
        {
            match reasoner.names.constant(slot.at) {
                Some(offset) => {
                    state.block_mut(array).cells.insert(offset as u64, Cell { size, value });
                }
                None => {
                    let element = Element { at: slot.at, size, value };
                    state.block_mut(array).contents.elements.push(element);
                }
            }
        }
    }
}

/// Says where rows begin and end by numbers that variables still hold.
fn say_bounds_by_live_names(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    held: &FxHashSet<TermId>,
) {
    for id in rows(state) {
        let stride = state.block(id).row().expect("a row").stride;
        for side in Side::BOTH {
            let end = side.end();
            let place = state.block(id).end(end).expect("a row has bounds");
            let is_told = is_told(&reasoner.names, state, held, (id, side));
            if !is_told && let Some(told) = same_place(reasoner, state, place, stride) {
                state.block_mut(id).set_field(Field::End(end), told);
            }
        }
    }
}

/// What a slot holds, if it was written as one.
pub(super) fn whole_value(names: &Names<'_>, slot: &Block) -> Option<TermId> {
    let cell = slot.cells.get(&0)?;
    (names.constant(slot.size) == Some(u128::from(cell.size))).then_some(cell.value)
}

/// Whether a value is a pointer to a block that is alive.
fn leads_anywhere(names: &Names<'_>, state: &State, value: TermId) -> bool {
    let is_alive = |id: &BlockId| state.blocks.get(id).is_some_and(|one| one.life == Life::Alive);
    names.may_refer_to(&[value]).iter().any(is_alive)
}

/// Whether a row ends where a slot is, and whether one begins behind it.
fn are_beside_rows(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, slot): (BlockId, Slot),
) -> [bool; 2] {
    let size = reasoner.names.constant(state.block(id).size).expect("slots have one") as u64;
    let behind = step_behind(&mut reasoner.names, slot.at, size);
    let rows: Vec<Row> = state
        .blocks
        .values()
        .filter_map(|block| block.row().filter(|row| row.array == slot.array).cloned())
        .collect();
    let mut is_at = |place: TermId, bound: fn(&Row) -> TermId| {
        rows.iter().any(|row| {
            let is_one = reasoner.names.terms.equal(bound(row), place);
            prove(reasoner, state, is_one)
        })
    };
    [is_at(slot.at, |row| row.to), is_at(behind, |row| row.from)]
}

/// A slot, with the blocks that it owns, as a row of one element.
pub(super) fn row_of_slot(
    names: &mut Names<'_>,
    state: &State,
    id: BlockId,
    owned: &[BlockId],
) -> Block {
    let block = state.block(id);
    let slot = block.slot().expect("a slot");
    let stride = names.constant(block.size).expect("slots have one") as u64;
    let mut origins = OrdSet::unit(block.origin);
    let mut blocks =
        vec![(id, Arc::new(Block { role: Role::default(), ..block.as_ref().clone() }))];
    for &own in owned {
        blocks.push((own, Arc::clone(state.block(own))));
        origins = origins.union(state.block(own).origins());
    }
    let outer = names.names_outside(state, &|other| other == id || owned.contains(&other));
    let condition = state.condition.iter().copied().collect();
    let fragment = Fragment { blocks, condition, links: Vec::new() };
    let prototype = names.close(&fragment, &outer.into_iter().collect());
    let to = step_behind(names, slot.at, stride);
    let prototypes = vec![Arc::new(prototype)];
    let row = Row { array: slot.array, from: slot.at, to, stride, prototypes, origins };
    Block { cells: imbl::OrdMap::new(), role: row.into(), ..block.as_ref().clone() }
}

/// Whether a row begins or ends where variables, or the bounds of the array, tell.
pub(super) fn is_told(
    names: &Names<'_>,
    state: &State,
    held: &FxHashSet<TermId>,
    (id, side): (BlockId, Side),
) -> bool {
    let block = state.block(id);
    let place = block.end(side.end()).expect("a row has bounds");
    let size = array_of(names, block).and_then(|array| state.blocks.get(&array)).map(|a| a.size);
    Some(place) == size
        || names.terms.free_variables(&[place]).iter().all(|name| held.contains(name))
}

/// Numbers of variables that a place is compared with.
const MOST_NUMBERS: usize = 6;

/// Whether a variable holds an index, or a place, at which a program is at work in a row: behind its start, or before its end.
pub(super) fn is_at_work(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, side): (BlockId, Side),
) -> bool {
    let row = state.block(id).row().expect("a row").clone();
    let array = reasoner.names.blocks_of_addresses[&row.array];
    let Some(size) = state.blocks.get(&array).map(|array| array.size) else { return false };
    let bits = reasoner.names.pointer_bits();
    let mut tried = 0;
    for value in state.held_by_members(&reasoner.names) {
        let names = &mut reasoner.names;
        let Sort::BitVector(width) = names.terms.sort(value) else { continue };
        let place = match names.pointer(value) {
            Some((array, offset)) if names.address(array) == row.array => offset,
            Some(_) => continue,
            None if width <= bits && !names.holds_address(value) => {
                let [signed, unsigned] =
                    [names.terms.sign_extend(value, bits), names.terms.zero_extend(value, bits)]
                        .map(|index| times(names, index, row.stride));
                // Sizes are told by lengths without a sign.
                if unsigned == size { size } else { signed }
            }
            None => continue,
        };
        // The end of the array is where all work ends.
        if place == size {
            continue;
        }
        if tried >= MOST_NUMBERS {
            return false;
        }
        tried += 1;
        let terms = &mut names.terms;
        let (is_behind, is_before) = match side {
            Side::From => {
                (terms.unsigned_less(row.from, place), terms.unsigned_less_equal(place, row.to))
            }
            Side::To => {
                (terms.unsigned_less_equal(row.from, place), terms.unsigned_less(place, row.to))
            }
        };
        if prove(reasoner, state, is_behind) && prove(reasoner, state, is_before) {
            return true;
        }
    }
    false
}
