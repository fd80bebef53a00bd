//! What is known of bytes goes with them when they are copied: cells, elements, extents, and where a text ends.
//!
//! Only what certainly lies among the bytes that are copied goes along; of all else, the target tells nothing.

use std::collections::BTreeMap;

use heapwright_logic::TermId;
use heapwright_program::mask;

use crate::execution::contents::MOST_EXTENTS;
use crate::heap::block::{BlockId, Cell, Zero};
use crate::heap::contents::{Beside, Contents, Element, Extent};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove, step_behind};

/// Cells of which it is asked whether they are copied; one that holds an address always is.
const MOST_CELLS: usize = 16;

/// Cells that hold addresses in a block that can be copied.
const MOST_ADDRESSES: usize = 64;

/// Bytes that are copied: `size` of them, from a place of a block to a place of another, or of the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) source: BlockId,
    pub(crate) from: TermId,
    pub(crate) target: BlockId,
    pub(crate) to: TermId,
    pub(crate) size: TermId,
}

/// What the target is going to tell of these bytes.
pub(crate) struct Carried {
    cells: Vec<(u64, Cell)>,
    contents: Contents,
    zero: Option<Zero>,
}

/// What goes with the bytes of a stretch, which are in bounds. Nothing if an address may be among them which cannot be followed.
pub(crate) fn carried(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
) -> Option<Carried> {
    let cells = carried_cells(reasoner, state, stretch)?;
    let (contents, zero) = match reasoner.arrays.are_remembered() {
        true => carried_contents(reasoner, state, stretch),
        false => (Contents::default(), None),
    };
    Some(Carried { cells, contents, zero })
}

/// What is remembered of the bytes of a stretch at places that are numbers.
pub(crate) fn carried_contents(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
) -> (Contents, Option<Zero>) {
    let mut contents = Contents::default();
    let source = std::sync::Arc::clone(state.block(stretch.source));
    for element in &source.contents.elements {
        if is_copied(reasoner, state, stretch, (element.at, element.size)) {
            let at = moved(reasoner, stretch, element.at);
            contents.elements.push(Element { at, ..*element });
        }
    }
    for extent in &source.contents.extents {
        contents.extents.extend(carried_extent(reasoner, state, stretch, extent));
    }
    let zero = source.zero.filter(|zero| is_copied(reasoner, state, stretch, (zero.at, zero.size)));
    let zero = zero.map(|zero| Zero { at: moved(reasoner, stretch, zero.at), ..zero });
    (contents, zero)
}

/// Puts what has been carried along into the target, of whose bytes in the stretch nothing is told any more.
pub(crate) fn put_carried(state: &mut State, target: BlockId, carried: Carried) {
    let Carried { cells, contents, zero } = carried;
    let block = state.block_mut(target);
    block.cells.extend(cells);
    put_carried_contents(state, target, (contents, zero));
}

/// The same for what is remembered at places that are numbers.
pub(crate) fn put_carried_contents(
    state: &mut State,
    target: BlockId,
    (contents, zero): (Contents, Option<Zero>),
) {
    if contents.is_empty() && zero.is_none() {
        return;
    }
    let block = state.block_mut(target);
    block.zero = block.zero.or(zero);
    block.contents.elements.extend(contents.elements);
    block.contents.extents.extend(contents.extents);
    block.contents.extents.truncate(MOST_EXTENTS);
}

/// The cells that are copied, by offsets in the target.
fn carried_cells(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
) -> Option<Vec<(u64, Cell)>> {
    let source = std::sync::Arc::clone(state.block(stretch.source));
    let distance = reasoner.names.terms.subtract(stretch.to, stretch.from);
    let distance = reasoner.names.constant(distance).map(|distance| distance as u64);
    let (mut cells, mut numbers, mut addresses) = (Vec::new(), 0, 0);
    for (&offset, cell) in &source.cells {
        let is_address = reasoner.names.holds_address(cell.value);
        match is_address {
            true => addresses += 1,
            false => numbers += 1,
        }
        if !is_address && numbers > MOST_CELLS {
            continue;
        }
        let bits = reasoner.names.pointer_bits();
        let at = reasoner.names.terms.bit_vector(u128::from(offset), bits);
        let goes = addresses <= MOST_ADDRESSES
            && distance.is_some()
            && is_copied(reasoner, state, stretch, (at, cell.size));
        if goes && let Some(distance) = distance {
            cells.push((offset.wrapping_add(distance), *cell));
        } else if is_address && !is_left(reasoner, state, stretch, (at, cell.size)) {
            return None;
        }
    }
    Some(cells)
}

/// The place that a place comes to.
fn moved(reasoner: &mut Reasoner<'_>, stretch: Stretch, at: TermId) -> TermId {
    let distance = reasoner.names.terms.subtract(stretch.to, stretch.from);
    reasoner.names.terms.add(at, distance)
}

/// Whether so many bytes at a place of the source, which are in it, are all among those that are copied.
fn is_copied(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
    (at, size): (TermId, u64),
) -> bool {
    let names = &mut reasoner.names;
    let (end, last) = (step_behind(names, at, size), names.terms.add(stretch.from, stretch.size));
    let begins = names.terms.unsigned_less_equal(stretch.from, at);
    let goes_on = names.terms.unsigned_less_equal(at, end);
    let ends = names.terms.unsigned_less_equal(end, last);
    let is_within = names.terms.all(&[begins, goes_on, ends]);
    prove(reasoner, state, is_within)
}

/// Whether none of so many bytes at a place is among those that are copied.
pub(crate) fn is_left(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
    (at, size): (TermId, u64),
) -> bool {
    let names = &mut reasoner.names;
    let (end, last) = (step_behind(names, at, size), names.terms.add(stretch.from, stretch.size));
    let before = names.terms.unsigned_less_equal(end, stretch.from);
    let behind = names.terms.unsigned_less_equal(last, at);
    let is_left = names.terms.or(before, behind);
    prove(reasoner, state, is_left)
}

/// An extent as far as its elements are copied.
fn carried_extent(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
    extent: &Extent,
) -> Option<Extent> {
    let extent = &begun_within(reasoner, state, stretch, extent)?;
    let beside = match extent.beside {
        Some(beside) => Some(carried_beside(reasoner, stretch, beside)?),
        None => None,
    };
    let end = reasoner.names.terms.add(stretch.from, stretch.size);
    let is_inner = extent.beside.is_some_and(|beside| beside.block == stretch.source);
    // What lies beside the last element is copied as well.
    let last = match extent.beside.filter(|_| is_inner) {
        Some(beside) => {
            let names = &reasoner.names;
            let distance = names.constant(beside.distance)?;
            let is_forth = distance > 0 && distance <= u128::from(extent.stride);
            // What lies before an element is copied before it, and there is none before the first.
            let is_back = names.constant(stretch.from) == Some(0)
                && names.constant(stretch.to) == Some(0)
                && distance > mask(names.pointer_bits()) - u128::from(extent.stride);
            match (is_forth, is_back) {
                (true, _) => reasoner.names.terms.subtract(end, beside.distance),
                (false, true) => end,
                (false, false) => return None,
            }
        }
        None => end,
    };
    // Neither bound may wrap on its way.
    let names = &mut reasoner.names;
    let mut facts = vec![names.terms.unsigned_less_equal(last, end)];
    let is_in = |names: &mut crate::heap::names::Names<'_>, at| {
        let begins = names.terms.unsigned_less_equal(stretch.from, at);
        let ends = names.terms.unsigned_less_equal(at, last);
        [begins, ends]
    };
    facts.extend(is_in(names, extent.from));
    let starts = names.terms.all(&facts);
    if !prove(reasoner, state, starts) {
        return None;
    }
    let names = &mut reasoner.names;
    let ends = is_in(names, extent.to);
    let ends = names.terms.all(&ends);
    let goes_on = names.terms.unsigned_less_equal(last, extent.to);
    let to = if prove(reasoner, state, ends) {
        extent.to
    } else if prove(reasoner, state, goes_on) {
        last
    } else {
        return None;
    };
    // The last element must not be cut in two.
    let length = reasoner.names.terms.subtract(to, extent.from);
    let room = reasoner.names.terms.subtract(last, extent.from);
    let is_whole =
        [length, room].into_iter().any(|one| is_multiple(&reasoner.names, one, extent.stride));
    if !is_whole {
        return None;
    }
    let law = moved_law(reasoner, stretch, &extent.law);
    let (from, to) = (moved(reasoner, stretch, extent.from), moved(reasoner, stretch, to));
    Some(Extent { from, to, beside, law, ..extent.clone() })
}

/// An extent from the first element on that may be copied.
fn begun_within(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    stretch: Stretch,
    extent: &Extent,
) -> Option<Extent> {
    let names = &mut reasoner.names;
    let is_within = names.terms.unsigned_less_equal(stretch.from, extent.from);
    if prove(reasoner, state, is_within) {
        return Some(extent.clone());
    }
    let names = &mut reasoner.names;
    let distance = names.terms.subtract(stretch.from, extent.from);
    let begins = names.terms.unsigned_less_equal(extent.from, stretch.from);
    let ends = names.terms.unsigned_less_equal(stretch.from, extent.to);
    let goes_on = names.terms.and(begins, ends);
    // What lies beside the first of them need not be copied.
    let is_plain = extent.beside.is_none() && is_multiple(names, distance, extent.stride);
    let from = stretch.from;
    (is_plain && prove(reasoner, state, goes_on)).then(|| Extent { from, ..extent.clone() })
}

/// The element beside one that is copied: it is copied with it, or stays where it is.
fn carried_beside(reasoner: &mut Reasoner<'_>, stretch: Stretch, beside: Beside) -> Option<Beside> {
    if beside.block == stretch.source {
        return Some(Beside { block: stretch.target, ..beside });
    }
    // It may be written over.
    if beside.block == stretch.target {
        return None;
    }
    let distance = reasoner.names.terms.subtract(stretch.to, stretch.from);
    let distance = reasoner.names.terms.subtract(beside.distance, distance);
    // States are compared by distances that are told.
    reasoner.names.constant(distance)?;
    Some(Beside { distance, ..beside })
}

/// A law by the places that elements have come to.
fn moved_law(reasoner: &mut Reasoner<'_>, stretch: Stretch, law: &[TermId]) -> Vec<TermId> {
    let names = &mut reasoner.names;
    let place = names.place();
    let distance = names.terms.subtract(stretch.to, stretch.from);
    let before = names.terms.subtract(place, distance);
    let places = BTreeMap::from([(place, before)]);
    law.iter().map(|&conjunct| names.terms.substitute(conjunct, &places)).collect()
}
