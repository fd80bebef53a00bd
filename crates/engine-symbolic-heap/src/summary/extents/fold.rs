//! Folding: elements become extents, and lengthen those that they lie beside.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, Life};
use crate::heap::contents::{Beside, Contents, Element, Extent};
use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::precision::Arrays;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove, step_behind};
use crate::reasoning::range::range;
use crate::summary::extents::laws::{
    bounds, holds_throughout, laws_of_element, line, line_of, numbers_beside, shorten,
};
use crate::summary::zeros::times;

/// Smaller blocks are no arrays.
const SMALLEST: u128 = 16;

/// Cells that are looked at.
const MOST_CELLS: usize = 64;

/// Numbers of variables that a place is compared with.
const MOST_NUMBERS: usize = 6;

/// Elements of two blocks that are compared.
const MOST_PAIRS: usize = 12;

/// Makes extents of what is known of elements. Elements are not known any more then.
pub(crate) fn fold_extents(reasoner: &mut Reasoner<'_>, state: &mut State) {
    prune_extents(state);
    if reasoner.arrays == Arrays::Laws {
        let arrays: Vec<BlockId> = state
            .blocks
            .iter()
            .filter(|(_, block)| is_array(&reasoner.names, block))
            .map(|(&id, _)| id)
            .collect();
        for &id in &arrays {
            fold_cells(reasoner, state, id);
            fold_elements(reasoner, state, id);
        }
        fold_pairs(reasoner, state, &arrays);
        for &id in &arrays {
            say_bounds_by_live_names(reasoner, state, id);
            say_by_live_names(reasoner, state, id);
            unite(&mut reasoner.names, state, id);
        }
    }
    let forgetful: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| !block.contents.elements.is_empty())
        .map(|(&id, _)| id)
        .collect();
    for id in forgetful {
        state.block_mut(id).contents.elements.clear();
    }
}

/// Says in one extent what several say of the same elements.
fn unite(names: &mut Names<'_>, state: &mut State, id: BlockId) {
    let mut united: Vec<Extent> = Vec::new();
    for extent in &state.block(id).contents.extents {
        let is_same = |known: &&mut Extent| {
            (known.from, known.to) == (extent.from, extent.to)
                && known.is_like(extent)
                && known.beside == extent.beside
        };
        match united.iter_mut().find(is_same) {
            Some(known) => {
                known.law.extend(&extent.law);
                known.law.sort_unstable();
                known.law.dedup();
            }
            None => united.push(extent.clone()),
        }
    }
    for extent in &mut united {
        shorten(names, extent);
    }
    if united != state.block(id).contents.extents {
        state.block_mut(id).contents.extents = united;
    }
}

/// Drops extents beside blocks that have no elements any more.
pub(crate) fn prune_extents(state: &mut State) {
    let has_elements = |state: &State, id: BlockId| {
        let block = state.blocks.get(&id);
        block.is_some_and(|block| block.life == Life::Alive && block.is_single())
    };
    let is_gone = |state: &State, extent: &Extent| {
        extent.beside.is_some_and(|beside| !has_elements(state, beside.block))
    };
    let stale = |(id, block): (&BlockId, &Arc<Block>)| {
        block.contents.extents.iter().any(|one| is_gone(state, one)).then_some(*id)
    };
    let ids: Vec<BlockId> = state.blocks.iter().filter_map(stale).collect();
    for id in ids {
        let mut contents = state.block(id).contents.clone();
        contents.extents.retain(|extent| !is_gone(state, extent));
        state.block_mut(id).contents = contents;
    }
}

/// Drops what laws say of names that the state does not hold.
pub(crate) fn forget_dead_laws(names: &mut Names<'_>, state: &mut State, live: &FxHashSet<TermId>) {
    let ids: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| !block.contents.extents.is_empty())
        .map(|(&id, _)| id)
        .collect();
    for id in ids {
        let mut contents = state.block(id).contents.clone();
        for extent in &mut contents.extents {
            extent.law.retain(|&conjunct| {
                names.outer_names_of_law(conjunct).iter().all(|name| live.contains(name))
            });
        }
        contents.extents.retain(|extent| !extent.law.is_empty());
        if contents != state.block(id).contents {
            state.block_mut(id).contents = contents;
        }
    }
}

fn is_array(names: &Names<'_>, block: &Block) -> bool {
    let is_large = names.constant(block.size).is_none_or(|size| size >= SMALLEST);
    block.life == Life::Alive
        && block.is_single()
        && is_large
        && (!block.contents.is_empty() || !block.cells.is_empty())
        && block.cells.len() <= MOST_CELLS
        && block.cells.values().all(|cell| !names.holds_address(cell.value))
}

/// Cells of one size that lie side by side.
fn runs(block: &Block) -> Vec<(u64, u64, Vec<TermId>)> {
    let mut runs: Vec<(u64, u64, Vec<TermId>)> = Vec::new();
    for (&offset, cell) in &block.cells {
        match runs.last_mut() {
            Some((start, size, values))
                if *size == cell.size && *start + *size * values.len() as u64 == offset =>
            {
                values.push(cell.value);
            }
            _ => runs.push((offset, cell.size, vec![cell.value])),
        }
    }
    runs.retain(|(start, size, _)| size.is_power_of_two() && start % size == 0);
    runs
}

/// Says by extents what cells say; these stay.
fn fold_cells(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let block = Arc::clone(state.block(id));
    let mut extents = block.contents.extents.clone();
    for (start, size, values) in runs(&block) {
        let law = law_of_run(reasoner, state, (start, size), &values);
        let extent = extent_at(&mut reasoner.names, (start, size), values.len(), None, law);
        extents.retain(|known| !is_within_run(&reasoner.names, known, &extent));
        if !extent.law.is_empty() {
            extents.push(extent);
        }
    }
    if extents != block.contents.extents {
        state.block_mut(id).contents.extents = extents;
    }
}

/// Whether an extent of constants is one that cells have made before.
fn is_within_run(names: &Names<'_>, known: &Extent, run: &Extent) -> bool {
    let places = [known.from, known.to, run.from, run.to].map(|place| names.constant(place));
    let [Some(from), Some(to), Some(start), Some(end)] = places else { return false };
    known.is_like(run)
        && known.beside.map(|one| one.block) == run.beside.map(|one| one.block)
        && start <= from
        && to <= end
}

fn extent_at(
    names: &mut Names<'_>,
    (start, size): (u64, u64),
    count: usize,
    beside: Option<Beside>,
    law: Vec<TermId>,
) -> Extent {
    let bits = names.pointer_bits();
    let from = names.terms.bit_vector(u128::from(start), bits);
    let to = names.terms.bit_vector(u128::from(start + size * count as u64), bits);
    Extent { from, to, stride: size, size, beside, law }
}

/// What all cells of a run have in common.
fn law_of_run(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (start, size): (u64, u64),
    values: &[TermId],
) -> Vec<TermId> {
    let names = &mut reasoner.names;
    let (here, place) = (names.here(size), names.place());
    let bits = 8 * size as u32;
    if values.iter().all(|&value| value == values[0]) {
        let first = (names.terms.bit_vector(u128::from(start), names.pointer_bits()), values[0]);
        return match names.constant(values[0]) {
            Some(_) => vec![names.terms.equal(here, values[0])],
            None => laws_of_element(reasoner, state, first, size),
        };
    }
    let mut law = Vec::new();
    let constants: Option<Vec<i128>> = values
        .iter()
        .map(|&value| Some(heapwright_program::sign_extend(names.constant(value)?, bits)))
        .collect();
    if let Some(constants) = constants {
        let first = i128::from(start / size);
        let line_of = line_of((first, constants[0]), (first + 1, constants[1]));
        let is_on = |(slope, rise): (i128, i128)| {
            let places = (first..).zip(&constants);
            places.into_iter().all(|(index, &value)| slope * index + rise == value)
        };
        if let Some(line_of) = line_of.filter(|&line| is_on(line)) {
            law.push(line(names, (place, here), size, line_of));
        }
    }
    let ranges = values.iter().map(|&value| range(names, state, value));
    let hull = ranges.reduce(Range::hull).expect("a run has cells");
    law.extend(bounds(names, here, hull));
    law
}

/// Lets elements lengthen extents, or begin new ones.
fn fold_elements(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let Contents { elements, mut extents } = state.block(id).contents.clone();
    for element in elements.iter().filter(|element| element.size.is_power_of_two()) {
        let Element { at, size, value } = *element;
        if lengthen(reasoner, state, &mut extents, (at, size), (None, &[value])) {
            continue;
        }
        let law = laws_of_element(reasoner, state, (at, value), size);
        if !law.is_empty() {
            let to = step_behind(&mut reasoner.names, at, size);
            extents.push(Extent { from: at, to, stride: size, size, beside: None, law });
        }
    }
    state.block_mut(id).contents.extents = extents;
}

/// Lengthens an extent by an element that obeys its law, or finds that it is within one. `values`: the element, and the
/// one beside it.
fn lengthen(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extents: &mut [Extent],
    (at, size): (TermId, u64),
    (beside, values): (Option<Beside>, &[TermId]),
) -> bool {
    let alike = |extent: &&mut Extent| extent.size == size && extent.beside == beside;
    let mut is_done = false;
    for extent in extents.iter_mut().filter(alike) {
        let law = reasoner.names.law_of_element(extent, (at, values[0]), values.get(1).copied());
        let behind = step_behind(&mut reasoner.names, at, extent.stride);
        let is_end = reasoner.names.terms.equal(extent.to, at);
        let is_start = reasoner.names.terms.equal(extent.from, behind);
        let distance = reasoner.names.terms.subtract(at, extent.from);
        if prove(reasoner, state, is_end) {
            // Bounds need not be places of elements.
            if is_multiple(&reasoner.names, distance, extent.stride) && prove(reasoner, state, law)
            {
                extent.to = behind;
                is_done = true;
            }
        } else if prove(reasoner, state, is_start) {
            if prove(reasoner, state, law) {
                extent.from = at;
                is_done = true;
            }
        } else {
            let within = reasoner.names.is_within(extent, at);
            is_done |= prove(reasoner, state, within);
        }
    }
    is_done
}

/// The same for elements of two blocks, or neighbours in one.
fn fold_pairs(reasoner: &mut Reasoner<'_>, state: &mut State, arrays: &[BlockId]) {
    fold_runs_of_pairs(reasoner, state, arrays);
    let all: Vec<(BlockId, Element)> = arrays
        .iter()
        .flat_map(|&id| state.block(id).contents.elements.iter().map(move |&one| (id, one)))
        .collect();
    let mut asked = 0;
    for &(id, one) in &all {
        for &(other_id, other) in &all {
            let distance = reasoner.names.terms.subtract(other.at, one.at);
            let Some(constant) = reasoner.names.constant(distance) else { continue };
            let is_pair = one.size == other.size
                && one.size.is_power_of_two()
                && match id == other_id {
                    true => constant == u128::from(one.size),
                    false => id < other_id,
                };
            if !is_pair || asked >= MOST_PAIRS {
                continue;
            }
            asked += 1;
            let names = &mut reasoner.names;
            let (here, there) = (names.here(one.size), names.there(one.size));
            let (law, holds) = match id == other_id {
                true => (
                    names.terms.signed_less_equal(here, there),
                    names.terms.signed_less_equal(one.value, other.value),
                ),
                false => {
                    (names.terms.equal(here, there), names.terms.equal(one.value, other.value))
                }
            };
            if !prove(reasoner, state, holds) {
                continue;
            }
            let beside = Some(Beside { block: other_id, distance });
            let mut extents = state.block(id).contents.extents.clone();
            let (at, size) = (one.at, one.size);
            let values = [one.value, other.value];
            if !lengthen(reasoner, state, &mut extents, (at, size), (beside, &values)) {
                let to = step_behind(&mut reasoner.names, at, size);
                extents.push(Extent { from: at, to, stride: size, size, beside, law: vec![law] });
            }
            state.block_mut(id).contents.extents = extents;
        }
    }
}

/// Cells at the same offsets of two blocks that are the same.
fn fold_runs_of_pairs(reasoner: &mut Reasoner<'_>, state: &mut State, arrays: &[BlockId]) {
    let mut asked = 0;
    for (index, &id) in arrays.iter().enumerate() {
        for &other in &arrays[index + 1..] {
            let (a, b) = (Arc::clone(state.block(id)), Arc::clone(state.block(other)));
            let mut extents = Vec::new();
            for (start, size, values) in runs(&a) {
                let others = values.iter().enumerate().map_while(|(index, _)| {
                    let cell = b.cells.get(&(start + size * index as u64))?;
                    (cell.size == size).then_some(cell.value)
                });
                let pairs: Vec<(TermId, TermId)> = values.iter().copied().zip(others).collect();
                let count = pairs
                    .into_iter()
                    .take_while(|&pair| is_same_number(reasoner, state, pair, &mut asked))
                    .count();
                if count == 0 {
                    continue;
                }
                let names = &mut reasoner.names;
                let (here, there) = (names.here(size), names.there(size));
                let law = vec![names.terms.equal(here, there)];
                let distance = names.terms.bit_vector(0, names.pointer_bits());
                let beside = Some(Beside { block: other, distance });
                extents.push(extent_at(names, (start, size), count, beside, law));
            }
            if extents.is_empty() {
                continue;
            }
            let known = &mut state.block_mut(id).contents.extents;
            for extent in extents {
                known.retain(|known| !is_within_run(&reasoner.names, known, &extent));
                known.push(extent);
            }
        }
    }
}

/// Whether two cells hold one number, by its form or, a few times, by what follows.
fn is_same_number(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (one, other): (TermId, TermId),
    asked: &mut usize,
) -> bool {
    let is_same = reasoner.names.terms.equal(one, other);
    if let Some(truth) = reasoner.names.truth(is_same) {
        return truth;
    }
    *asked += 1;
    *asked <= MOST_PAIRS && prove(reasoner, state, is_same)
}

/// Says bounds by numbers that variables still hold.
fn say_bounds_by_live_names(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
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
fn same_place(
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
fn say_by_live_names(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
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
