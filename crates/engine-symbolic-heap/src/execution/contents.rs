//! Elements at places that are numbers: what a read tells, and what is left of it behind a write.
//!
//! What was read or written at a place is remembered until something may have been written there. What an extent says
//! holds of whatever is read within it. A write within an extent leaves it whole if what is written obeys
//! its law, and otherwise cuts it in two.

use heapwright_logic::{Sort, Term, TermId};

use crate::execution::access::in_bounds;
use crate::execution::obedience::obeys;
use crate::execution::smash::{any_bytes, is_all_zero};
use crate::heap::block::{BlockId, Life};
use crate::heap::contents::{Beside, Contents, Element, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::reasoning::places::{is_multiple, prove, step_behind};

/// Elements of a block that are remembered.
const MOST_ELEMENTS: usize = 8;

/// Extents of a block.
pub(crate) const MOST_EXTENTS: usize = 12;

/// Elements of other blocks that laws lead to, one from another.
const LONGEST_CHAIN: usize = 10;

/// So many bytes at a place of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) block: BlockId,
    pub(crate) at: TermId,
    pub(crate) size: u64,
}

/// What is remembered of a place.
pub(crate) fn recall(reasoner: &Reasoner<'_>, state: &State, spot: Spot) -> Option<TermId> {
    let elements = &state.block(spot.block).contents.elements;
    let element = elements.iter().find(|one| one.at == spot.at && one.size == spot.size);
    element.filter(|_| reasoner.arrays.are_remembered()).map(|element| element.value)
}

/// Remembers what was read at a place, and what extents say of it.
pub(crate) fn note_read(reasoner: &mut Reasoner<'_>, state: &mut State, spot: Spot, value: TermId) {
    note_chain(reasoner, state, spot, value, LONGEST_CHAIN);
}

/// The same for an element and those that laws lead to from it.
fn note_chain(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    spot: Spot,
    value: TermId,
    steps: usize,
) {
    let is_number = reasoner.names.terms.sort(value) == Sort::BitVector(8 * spot.size as u32)
        && !reasoner.names.holds_address(value)
        && !reasoner.names.holds_address(spot.at);
    if !reasoner.arrays.are_remembered() || !is_number {
        return;
    }
    remember(reasoner, state, spot, value);
    for extent in state.block(spot.block).contents.extents.clone() {
        if !is_of(&mut reasoner.names, &extent, spot) {
            continue;
        }
        let there = match extent.beside {
            Some(beside) => match read_beside(reasoner, state, beside, spot, steps) {
                Some(there) => Some(there),
                None => continue,
            },
            None => None,
        };
        note_law(reasoner, state, &extent, (spot.at, value), there);
    }
}

fn remember(reasoner: &mut Reasoner<'_>, state: &mut State, spot: Spot, value: TermId) {
    // At a constant offset, a cell tells as much.
    if reasoner.names.constant(spot.at).is_some() || recall(reasoner, state, spot).is_some() {
        return;
    }
    let elements = &mut state.block_mut(spot.block).contents.elements;
    if elements.len() >= MOST_ELEMENTS {
        elements.remove(0);
    }
    elements.push(Element { at: spot.at, size: spot.size, value });
}

/// Says of an element what an extent says, if it is within it.
fn note_law(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    extent: &Extent,
    (place, value): (TermId, TermId),
    there: Option<TermId>,
) {
    let within = reasoner.names.is_within(extent, place);
    let law = reasoner.names.law_of_element(extent, (place, value), there);
    let facts = match prove(reasoner, state, within) {
        true => conjuncts(&reasoner.names, law),
        false => vec![reasoner.names.terms.implies(within, law)],
    };
    for fact in facts {
        if reasoner.names.truth(fact).is_none() && !state.condition.contains(&fact) {
            let model = state.model.clone();
            let model = model.filter(|model| model.satisfies(&reasoner.names.terms, fact));
            assume(&mut reasoner.names, state, fact, model);
        }
    }
}

/// The parts of a conjunction, each of which is said for itself.
fn conjuncts(names: &Names<'_>, formula: TermId) -> Vec<TermId> {
    match names.terms.node(formula) {
        Term::And(a, b) => [a, b].into_iter().flat_map(|part| conjuncts(names, part)).collect(),
        _ => vec![formula],
    }
}

/// Whether an extent speaks of elements like the one at a spot.
fn is_of(names: &mut Names<'_>, extent: &Extent, spot: Spot) -> bool {
    let distance = names.terms.subtract(spot.at, extent.from);
    extent.size == spot.size && is_multiple(names, distance, extent.stride)
}

/// The element beside the one at a spot, if it is in its block.
pub(crate) fn read_beside(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    beside: Beside,
    spot: Spot,
    steps: usize,
) -> Option<TermId> {
    let at = reasoner.names.terms.add(spot.at, beside.distance);
    let spot = Spot { block: beside.block, at, ..spot };
    let other = state.blocks.get(&spot.block)?;
    // What is in slots and rows is not what the array tells.
    if other.life != Life::Alive
        || !other.is_single()
        || !state.elements_of(&reasoner.names, spot.block).is_empty()
    {
        return None;
    }
    let size = reasoner.names.terms.bit_vector(spot.size.into(), reasoner.names.pointer_bits());
    let is_inside = in_bounds(&mut reasoner.names, at, state.block(spot.block).size, size);
    if !prove(reasoner, state, is_inside) {
        return None;
    }
    if let Some(known) = recall(reasoner, state, spot) {
        return Some(known);
    }
    if let Some(offset) = reasoner.names.constant(at) {
        let value = reasoner.names.read(state, spot.block, offset as u64, spot.size);
        if reasoner.names.holds_address(value) {
            return None;
        }
        if steps > 0 {
            note_chain(reasoner, state, spot, value, steps - 1);
        }
        return Some(value);
    }
    let cells = &state.block(spot.block).cells;
    if cells.values().any(|cell| reasoner.names.holds_address(cell.value)) {
        return None;
    }
    let value = any_bytes(&mut reasoner.names, spot.size);
    match steps {
        0 => remember(reasoner, state, spot, value),
        _ => note_chain(reasoner, state, spot, value, steps - 1),
    }
    Some(value)
}

/// What is known of elements behind a write, in the blocks that it matters to.
pub(crate) type Left = Vec<(BlockId, Contents)>;

/// What is left behind a write to a spot; `value` is what was written, if it is a number of that size.
pub(crate) fn contents_after_write(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    spot: Spot,
    value: Option<TermId>,
) -> Left {
    if !reasoner.arrays.are_remembered() || reasoner.names.holds_address(spot.at) {
        return Vec::new();
    }
    let mut left = Vec::new();
    for id in state.beside(spot.block).into_iter().filter(|&id| id != spot.block) {
        let mut contents = state.block(id).contents.clone();
        contents.extents =
            extents_after_write(reasoner, state, (id, &contents.extents), spot, value);
        left.push((id, contents));
    }
    let mut contents = Contents::default();
    let before = &state.block(spot.block).contents;
    for element in &before.elements {
        if is_apart(reasoner, state, *element, spot) {
            contents.elements.push(*element);
        }
    }
    let zeros = zeros_as_extent(reasoner, state, spot);
    let extents: Vec<Extent> = before.extents.iter().cloned().chain(zeros).collect();
    contents.extents = extents_after_write(reasoner, state, (spot.block, &extents), spot, value);
    let is_told = reasoner.names.constant(spot.at).is_some();
    if let Some(value) = value.filter(|&value| !is_told && !reasoner.names.holds_address(value)) {
        if contents.elements.len() >= MOST_ELEMENTS {
            contents.elements.remove(0);
        }
        contents.elements.push(Element { at: spot.at, size: spot.size, value });
    }
    left.push((spot.block, contents));
    left
}

/// Puts back what is left behind a write.
pub(crate) fn put_contents(state: &mut State, left: Left) {
    for (id, contents) in left {
        if state.block(id).contents != contents {
            state.block_mut(id).contents = contents;
        }
    }
}

/// Bytes that are zero because nothing was written yet are about to be forgotten.
fn zeros_as_extent(reasoner: &mut Reasoner<'_>, state: &State, spot: Spot) -> Option<Extent> {
    let block = state.block(spot.block);
    let names = &mut reasoner.names;
    let is_new = reasoner.arrays.have_laws()
        && is_all_zero(names, block)
        && names.constant(spot.at).is_none()
        && spot.size.is_power_of_two();
    is_new.then(|| {
        let from = names.terms.bit_vector(0, names.pointer_bits());
        let nothing = names.terms.bit_vector(0, 8 * spot.size as u32);
        let here = names.here(spot.size);
        let law = vec![names.terms.equal(here, nothing)];
        let (stride, size) = (spot.size, spot.size);
        Extent { from, to: block.size, stride, size, beside: None, law }
    })
}

/// Whether an element does not share a byte with a spot of its block.
fn is_apart(reasoner: &mut Reasoner<'_>, state: &State, element: Element, spot: Spot) -> bool {
    let names = &mut reasoner.names;
    let ends = step_behind(names, element.at, element.size);
    let (one, end) =
        (names.terms.unsigned_less_equal(ends, spot.at), step_behind(names, spot.at, spot.size));
    let other = names.terms.unsigned_less_equal(end, element.at);
    let is_apart = names.terms.or(one, other);
    prove(reasoner, state, is_apart)
}

/// The extents of a block behind a write to a spot of it, or of a block beside it.
fn extents_after_write(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (id, extents): (BlockId, &[Extent]),
    spot: Spot,
    value: Option<TermId>,
) -> Vec<Extent> {
    let mut left: Vec<Extent> = extents.to_vec();
    if id == spot.block {
        left = left
            .iter()
            .flat_map(|one| cut(reasoner, state, one, (id, spot.at), (spot, value)))
            .collect();
    }
    let (beside, others): (Vec<Extent>, Vec<Extent>) =
        left.into_iter().partition(|extent| extent.is_beside(spot.block));
    left = others;
    for extent in beside {
        let distance = extent.beside.expect("it is beside a block").distance;
        let place = reasoner.names.terms.subtract(spot.at, distance);
        left.extend(cut(reasoner, state, &extent, (id, place), (spot, value)));
    }
    left.truncate(MOST_EXTENTS);
    left
}

/// What is left of an extent whose law speaks, for an element at a place of its block, of the bytes that are written to a
/// spot.
fn cut(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    (id, place): (BlockId, TermId),
    (spot, value): (Spot, Option<TermId>),
) -> Vec<Extent> {
    let at = Spot { block: id, at: place, ..spot };
    if !is_of(&mut reasoner.names, extent, at) {
        return if is_between(&mut reasoner.names, extent, at)
            || is_clear(reasoner, state, extent, at)
        {
            vec![extent.clone()]
        } else {
            Vec::new()
        };
    }
    if obeys(reasoner, state, extent, at, (spot, value)) {
        return vec![extent.clone()];
    }
    let behind = step_behind(&mut reasoner.names, place, extent.stride);
    let names = &mut reasoner.names;
    let is_before = names.terms.unsigned_less(place, extent.from);
    let is_behind = names.terms.unsigned_less_equal(extent.to, place);
    let is_elsewhere = names.terms.or(is_before, is_behind);
    if prove(reasoner, state, is_elsewhere) {
        return vec![extent.clone()];
    }
    let mut parts = Vec::new();
    // Each part must be one of the extent, wherever the place is.
    let names = &mut reasoner.names;
    let ends_within = names.terms.unsigned_less_equal(place, extent.to);
    let begins = names.terms.unsigned_less_equal(extent.from, place);
    let goes_on = names.terms.unsigned_less(place, behind);
    let begins_within = names.terms.and(begins, goes_on);
    if extent.from != place && prove(reasoner, state, ends_within) {
        parts.push(Extent { to: place, ..extent.clone() });
    }
    if extent.to != behind && prove(reasoner, state, begins_within) {
        parts.push(Extent { from: behind, ..extent.clone() });
    }
    parts
}

/// Whether a spot lies between the elements of an extent, wherever it is: a member of a record is no other member.
fn is_between(names: &mut Names<'_>, extent: &Extent, spot: Spot) -> bool {
    let distance = names.terms.subtract(spot.at, extent.from);
    let (_, offset) = names.terms.split_offset(distance);
    let told = names.terms.constant(offset);
    let moving = names.terms.subtract(distance, told);
    // The stride is a power of two, so wrapping does not change what is left of a distance.
    let within = u64::try_from(offset.bits() % u128::from(extent.stride));
    is_multiple(names, moving, extent.stride)
        && within.is_ok_and(|within| {
            extent.size <= within && within.saturating_add(spot.size) <= extent.stride
        })
}

/// Whether no place of an extent, with all bytes of an element, is among those of a spot.
fn is_clear(reasoner: &mut Reasoner<'_>, state: &State, extent: &Extent, spot: Spot) -> bool {
    let names = &mut reasoner.names;
    let (end, last) =
        (step_behind(names, spot.at, spot.size), step_behind(names, extent.to, extent.size));
    let grows = names.terms.unsigned_less(spot.at, end);
    let before = names.terms.unsigned_less_equal(end, extent.from);
    let ends = names.terms.unsigned_less_equal(extent.to, last);
    let behind = names.terms.unsigned_less_equal(last, spot.at);
    let behind = names.terms.and(ends, behind);
    let either = names.terms.or(before, behind);
    // A place beside another block may lie before its start: its bytes would go on at the start of the extent.
    let is_clear = names.terms.and(grows, either);
    prove(reasoner, state, is_clear)
}
