//! Elements of two blocks that are the same, and neighbours in one that are in order.

use std::sync::Arc;

use heapwright_logic::{TermId, Terms};

use crate::heap::block::BlockId;
use crate::heap::contents::{Beside, Element, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{prove, step_behind};
use crate::summary::extents::cells::{extent_at, is_within_run, runs};
use crate::summary::extents::elements::lengthen;

/// Elements of two blocks that are compared.
const MOST_PAIRS: usize = 12;

/// The same for elements of two blocks, or neighbours in one.
pub(super) fn fold_pairs(reasoner: &mut Reasoner<'_>, state: &mut State, arrays: &[BlockId]) {
    fold_runs_of_pairs(reasoner, state, arrays);
    fold_runs_in_order(reasoner, state, arrays);
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
                    true => constant == behind_by(&reasoner.names, one.size),
                    false => id < other_id,
                };
            if !is_pair || asked >= MOST_PAIRS {
                continue;
            }
            asked += 1;
            let (pair, is_one) = ((one.value, other.value), id == other_id);
            let Some(law) = law_of_pair(reasoner, state, pair, is_one) else { continue };
            let beside = Some(Beside { block: other_id, distance });
            let mut extents = state.block(id).contents.extents.clone();
            let (at, size) = (one.at, one.size);
            let values = [one.value, other.value];
            if !lengthen(reasoner, state, &mut extents, (at, size), (beside, &values)) {
                let to = step_behind(&mut reasoner.names, at, size);
                extents.push(Extent { from: at, to, stride: size, size, beside, law });
            }
            state.block_mut(id).contents.extents = extents;
        }
    }
}

/// The distance of the element before one.
fn behind_by(names: &Names<'_>, size: u64) -> u128 {
    u128::from(size).wrapping_neg() & heapwright_program::mask(names.pointer_bits())
}

/// A comparison of two numbers, as a formula.
type Comparison = fn(&mut Terms, (TermId, TermId)) -> TermId;

/// What holds of an element and the one beside it: of two in one array, that the one before is no more; of others, that they are
/// the same.
fn law_of_pair(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (value, other): (TermId, TermId),
    is_in_order: bool,
) -> Option<Vec<TermId>> {
    let size = u64::from(reasoner.names.terms.width(value) / 8);
    let words = (reasoner.names.here(size), reasoner.names.there(size));
    let ways: &[Comparison] = match is_in_order {
        true => &[
            |terms, (here, there)| terms.signed_less_equal(there, here),
            |terms, (here, there)| terms.unsigned_less_equal(there, here),
        ],
        false => &[|terms, (here, there)| terms.equal(here, there)],
    };
    ways.iter().find_map(|way| {
        let holds = way(&mut reasoner.names.terms, (value, other));
        prove(reasoner, state, holds).then(|| vec![way(&mut reasoner.names.terms, words)])
    })
}

/// Cells that lie side by side in order: each is no less than the one before it. There is none before the first.
fn fold_runs_in_order(reasoner: &mut Reasoner<'_>, state: &mut State, arrays: &[BlockId]) {
    let mut asked = 0;
    for &id in arrays {
        let block = Arc::clone(state.block(id));
        for (start, size, values) in runs(&block) {
            let count = values
                .windows(2)
                .take_while(|pair| is_in_order(reasoner, state, (pair[0], pair[1]), &mut asked))
                .count();
            if count == 0 {
                continue;
            }
            let names = &mut reasoner.names;
            let (here, there) = (names.here(size), names.there(size));
            let law = vec![names.terms.signed_less_equal(there, here)];
            let distance = behind_by(names, size);
            let distance = names.terms.bit_vector(distance, names.pointer_bits());
            let beside = Some(Beside { block: id, distance });
            let (from, count) = match start {
                0 => (0, count + 1),
                _ => (start + size, count),
            };
            let extent = extent_at(names, (from, size), count, beside, law);
            let known = &mut state.block_mut(id).contents.extents;
            known.retain(|known| !is_within_run(names, known, &extent));
            known.push(extent);
        }
    }
}

/// Whether of two cells the first is no more, by their form or, a few times, by what follows.
fn is_in_order(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (one, other): (TermId, TermId),
    asked: &mut usize,
) -> bool {
    let is_in_order = reasoner.names.terms.signed_less_equal(one, other);
    is_known(reasoner, state, is_in_order, asked)
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
    is_known(reasoner, state, is_same, asked)
}

fn is_known(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    formula: TermId,
    asked: &mut usize,
) -> bool {
    if let Some(truth) = reasoner.names.truth(formula) {
        return truth;
    }
    *asked += 1;
    *asked <= MOST_PAIRS && prove(reasoner, state, formula)
}
