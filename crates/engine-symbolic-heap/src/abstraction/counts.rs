//! Counts that are told apart: what a variable must be by the path condition is said as a constant.
//!
//! A program that goes down a tree by an index into the links of a node has looked at one link; which one is known
//! by what the access was split into, not by the index itself. States are told apart by constants only.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};

use crate::abstraction::entail::LARGEST_COUNT;
use crate::heap::names::Names;
use crate::heap::state::{Outside, State};
use crate::precision::{Arguments, Counts, Precision};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::reasoning::range::range;

/// Says of a result which value it has, if there is only one: `x - 9` where `x` is 100.
pub(crate) fn settle_result(reasoner: &mut Reasoner<'_>, precision: &Precision, state: &mut State) {
    match precision.arguments {
        Arguments::Forgotten => return,
        Arguments::Held => {}
    }
    let Some(outside) = state.outside.clone() else { return };
    let Some(result) = outside.result else { return };
    let is_number = matches!(reasoner.names.terms.sort(result), Sort::BitVector(_));
    let is_open = reasoner.names.constant(result).is_none();
    if !is_number || !is_open || reasoner.names.holds_address(result) {
        return;
    }
    if let Some(constant) = only_value(reasoner, state, result) {
        let held = outside.held.clone();
        let outside = Outside { function: outside.function, held, result: Some(constant) };
        state.outside = Some(Arc::new(outside));
    }
}

/// Says of variables with few values which one they have, if there is only one.
pub(crate) fn settle_counts(reasoner: &mut Reasoner<'_>, precision: &Precision, state: &mut State) {
    if precision.counts != Counts::Apart {
        return;
    }
    for frame in 0..state.frames.len() {
        for slot in 0..state.frames[frame].registers.len() {
            let Some(value) = state.frames[frame].registers[slot] else { continue };
            if !may_be_count(&mut reasoner.names, state, value) {
                continue;
            }
            if let Some(constant) = only_value(reasoner, state, value) {
                let registers = Arc::make_mut(&mut state.frames[frame].registers);
                registers[slot] = Some(constant);
            }
        }
    }
}

/// Whether a number has few values, by what is said of it.
fn may_be_count(names: &mut Names<'_>, state: &State, value: TermId) -> bool {
    let is_number = matches!(names.terms.sort(value), Sort::BitVector(_));
    if !is_number || names.constant(value).is_some() || names.holds_address(value) {
        return false;
    }
    let range = range(names, state, value);
    0 <= range.low && range.high <= LARGEST_COUNT as i128
}

/// The only value that a term can have.
fn only_value(reasoner: &mut Reasoner<'_>, state: &State, value: TermId) -> Option<TermId> {
    let Possible::Yes(model) = reasoner.possible(state, TermId::TRUE) else { return None };
    let bits = model.evaluate(&reasoner.names.terms, value).as_bit_vector().bits();
    let width = reasoner.names.terms.width(value);
    let constant = reasoner.names.terms.bit_vector(bits, width);
    let differs = reasoner.names.terms.not_equal(value, constant);
    matches!(reasoner.possible(state, differs), Possible::No).then_some(constant)
}
