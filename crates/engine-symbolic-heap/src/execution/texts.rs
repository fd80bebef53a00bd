//! Texts: of a block of numbers it is remembered where a zero is, though nothing else is known of it.
//!
//! A zero that is written at an offset which nobody tells becomes the block's [`Zero`]. Whatever is written
//! later takes it away, unless it goes to other bytes. What is read is zero where the zero is, so that
//! a walk along a text that does not stop has not come to its end yet.

use heapwright_logic::{Sort, TermId};
use heapwright_program::Access;

use crate::heap::block::{BlockId, Zero};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::range::{assume_range, range};
use crate::summary::zeros::{number_and_step, numbers_of_zeros, times, zero_of};

/// The widest characters.
const WIDEST: u64 = 4;

/// What was read at an offset, apart from each other: at the place of a zero, and elsewhere. What follows
/// from not having been there is then said of places alone, and outlives what was read.
pub(crate) fn read_cases(
    reasoner: &mut Reasoner<'_>,
    state: State,
    (block, offset): (BlockId, TermId),
    value: TermId,
) -> Vec<(State, TermId)> {
    let Sort::BitVector(width) = reasoner.names.terms.sort(value) else {
        return vec![(state, value)];
    };
    let size = u64::from(width / 8);
    let is_plain = reasoner.arrays.are_remembered()
        && reasoner.names.constant(value).is_none()
        && size <= WIDEST
        && !reasoner.names.holds_address(offset);
    let zero = is_plain.then(|| zero_of(&mut reasoner.names, state.block(block), size)).flatten();
    let Some(zero) = zero else { return vec![(state, value)] };
    let nothing = reasoner.names.terms.bit_vector(0, width);
    let is_there = reasoner.names.terms.equal(offset, zero.at);
    let is_zero = reasoner.names.terms.equal(value, nothing);
    let here = reasoner.names.terms.and(is_there, is_zero);
    let elsewhere = reasoner.names.terms.not(is_there);
    let mut cases = Vec::new();
    for (condition, value) in [(here, nothing), (elsewhere, value)] {
        let mut case = state.clone();
        match reasoner.possible(&case, condition) {
            Possible::No => continue,
            Possible::Yes(model) => {
                assume(&mut reasoner.names, &mut case, condition, Some(model));
            }
            Possible::Perhaps => assume(&mut reasoner.names, &mut case, condition, None),
        }
        cases.push((case, value));
    }
    cases
}

/// Where a zero is in a block once a value is written to it.
pub(crate) fn zero_after_write(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (block, offset): (BlockId, TermId),
    access: &Access,
    value: TermId,
) -> Option<Zero> {
    if !reasoner.arrays.are_remembered() || reasoner.names.holds_address(offset) {
        return None;
    }
    let size = match access.bits {
        Some(bits) => bits.bytes(),
        None => u64::from(reasoner.names.terms.width(value) / 8),
    };
    let before = state.block(block).zero;
    // At a constant offset, a cell tells as much.
    let is_told = reasoner.names.constant(offset).is_some() && before.is_none();
    let is_character = access.bits.is_none() && size <= WIDEST;
    if is_character && !is_told && is_zero(reasoner, state, value) {
        return Some(Zero { size, at: offset });
    }
    before.filter(|zero| is_apart(reasoner, state, *zero, (offset, size)))
}

fn is_zero(reasoner: &mut Reasoner<'_>, state: &State, value: TermId) -> bool {
    if let Some(constant) = reasoner.names.constant(value) {
        return constant == 0;
    }
    let nothing = reasoner.names.terms.bit_vector(0, reasoner.names.terms.width(value));
    let differs = reasoner.names.terms.not_equal(value, nothing);
    !reasoner.names.holds_address(value)
        && matches!(reasoner.possible(state, differs), Possible::No)
}

/// Whether a zero is not among so many bytes from an offset on. Both are in the block.
fn is_apart(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    zero: Zero,
    (offset, size): (TermId, u64),
) -> bool {
    let names = &mut reasoner.names;
    let bits = names.pointer_bits();
    let mut is_before = |first: TermId, size: u64, second: TermId| {
        let size = names.terms.bit_vector(u128::from(size), bits);
        let end = names.terms.add(first, size);
        names.terms.unsigned_less_equal(end, second)
    };
    let (one, other) = (is_before(zero.at, zero.size, offset), is_before(offset, size, zero.at));
    let is_apart = names.terms.or(one, other);
    let overlaps = names.terms.not(is_apart);
    matches!(reasoner.possible(state, overlaps), Possible::No)
}

/// Lets a block remember a zero, by a name that outlives the numbers that its place was computed from.
pub(crate) fn put_zero(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    block: BlockId,
    zero: Option<Zero>,
) {
    let Some(zero) = zero else { return };
    let names = &mut reasoner.names;
    let (number, step) = number_and_step(names, zero);
    let mut numbers = range(names, state, zero.at);
    numbers.low = numbers.low.div_euclid(i128::from(step));
    numbers.high = numbers.high.div_euclid(i128::from(step));
    // It is within the block.
    if let Some(inside) = numbers_of_zeros(names, state, block, (zero.size, step)) {
        numbers.low = numbers.low.max(inside.low);
        numbers.high = numbers.high.min(inside.high);
    }
    let has_name = names.terms.as_variable(number).is_some() || names.constant(number).is_some();
    // A number outside of these may lead there too, once so many times it has wrapped.
    let is_plain = step == 1 || numbers.contains(range(names, state, number));
    let name = if has_name && is_plain {
        number
    } else {
        let name = names.fresh("zero", names.pointer_bits());
        let place = times(names, name, step);
        let is_there = names.terms.equal(place, zero.at);
        assume(names, state, is_there, None);
        name
    };
    if names.constant(name).is_none() && numbers.low <= numbers.high {
        assume_range(names, state, name, numbers);
    }
    let at = times(names, name, step);
    state.block_mut(block).zero = Some(Zero { at, ..zero });
}
