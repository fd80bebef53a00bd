//! Elements of two blocks that are the same, and neighbours in one that are in order.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::BlockId;
use crate::heap::contents::{Beside, Element, Extent};
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
