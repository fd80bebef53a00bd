//! Where a text ends: at the first zero, as far as it is known that there is none before it.
//!
//! A block remembers one zero, which may be any. Once a walk has found one, and no element that it has passed is zero, it is this one that all
//! walks along the text will find, and by whose place it is told how much is copied. The other is forgotten.

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, Zero};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::summary::extents::laws::{holds_throughout, said_to_be};
use crate::summary::zeros::number_and_step;

/// The widest characters.
const WIDEST: u64 = 4;

/// Lets a block remember the first zero, if that is known.
pub(super) fn settle_first_zero(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let Some(last) = state.block(id).zero else { return };
    let zeros = zeros_among_elements(&mut reasoner.names, state, id);
    let first = zeros.into_iter().find(|zero| {
        zero.size == last.size
            && is_first(reasoner, state, (id, *zero))
            && !is_one_place(reasoner, state, (last, *zero))
    });
    if first.is_some() {
        state.block_mut(id).zero = first;
    }
}

/// Whether two zeros are one: the name of its place that variables may hold is not given up then.
fn is_one_place(reasoner: &mut Reasoner<'_>, state: &State, (last, zero): (Zero, Zero)) -> bool {
    let is_one = reasoner.names.terms.equal(last.at, zero.at);
    prove(reasoner, state, is_one)
}

/// Elements, and the first cell, that are zero.
fn zeros_among_elements(names: &mut Names<'_>, state: &State, id: BlockId) -> Vec<Zero> {
    let block = state.block(id);
    let start = names.terms.bit_vector(0, names.pointer_bits());
    let first = block.cells.get(&0).map(|cell| (start, cell.size, cell.value));
    let elements = block.contents.elements.iter().map(|one| (one.at, one.size, one.value));
    let all: Vec<(TermId, u64, TermId)> = first.into_iter().chain(elements).collect();
    let mut zeros = Vec::new();
    for (at, size, value) in all {
        let told = names.constant(value).map(|_| value).or_else(|| said_to_be(names, state, value));
        let zero = Zero { size, at };
        let is_zero = told.is_some_and(|told| names.constant(told) == Some(0));
        if is_zero && size <= WIDEST && has_name(names, zero) {
            zeros.push(zero);
        }
    }
    zeros
}

/// Whether the place of a zero is known by a number with a name, or a constant.
fn has_name(names: &mut Names<'_>, zero: Zero) -> bool {
    let (number, _) = number_and_step(names, zero);
    let is_address = names.blocks_of_addresses.contains_key(&number);
    !is_address && (names.terms.as_variable(number).is_some() || names.constant(number).is_some())
}

/// Whether no element before a zero is one.
fn is_first(reasoner: &mut Reasoner<'_>, state: &State, (id, zero): (BlockId, Zero)) -> bool {
    let Zero { size, at } = zero;
    if reasoner.names.constant(at) == Some(0) {
        return true;
    }
    let names = &mut reasoner.names;
    let (here, nothing) = (names.here(size), names.terms.bit_vector(0, 8 * size as u32));
    let differs = names.terms.not_equal(here, nothing);
    state.block(id).contents.extents.iter().any(|extent| {
        reasoner.names.constant(extent.from) == Some(0)
            && (extent.size, extent.stride) == (size, size)
            && holds_throughout(reasoner, state, extent, differs)
            && {
                let reaches = reasoner.names.terms.unsigned_less_equal(at, extent.to);
                prove(reasoner, state, reaches)
            }
    })
}
