//! Laws: what may be said of elements, and whether an extent says it.

use heapwright_logic::{Sort, Term, TermId};
use rustc_hash::FxHashSet;

use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::places::prove;
use crate::reasoning::range::range;

/// Numbers of variables that elements are compared with.
const MOST_NUMBERS: usize = 6;

/// The steepest line over the index.
const STEEPEST: i128 = 16;

/// Whether a conjunct holds of all elements of an extent, by its law and the path condition.
pub(crate) fn holds_throughout(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    conjunct: TermId,
) -> bool {
    if extent.law.contains(&conjunct) {
        return true;
    }
    let names = &mut reasoner.names;
    let mut one = state.clone();
    let place = names.place();
    let mut facts = vec![names.is_within(extent, place)];
    if extent.stride > 1 {
        let distance = names.terms.subtract(place, extent.from);
        let bits = names.pointer_bits();
        let low = names.terms.bit_vector(u128::from(extent.stride - 1), bits);
        let nothing = names.terms.bit_vector(0, bits);
        let rest = names.terms.bit_and(distance, low);
        facts.push(names.terms.equal(rest, nothing));
    }
    facts.extend(&extent.law);
    for fact in facts {
        if names.truth(fact) == Some(false) {
            return true;
        }
        assume(names, &mut one, fact, None);
    }
    prove(reasoner, &one, conjunct)
}

/// Whether ranges tell that an extent has no element.
pub(crate) fn is_surely_empty(names: &mut Names<'_>, state: &State, extent: &Extent) -> bool {
    let (from, to) = (range(names, state, extent.from), range(names, state, extent.to));
    // Places have no sign, though ranges do.
    from.low >= 0 && to.low >= 0 && to.high <= from.low
}

/// Conjuncts that may hold of an extent and of others: those of its law, and bounds where it is a constant.
pub(crate) fn candidates_of(names: &mut Names<'_>, extent: &Extent) -> Vec<TermId> {
    let (here, there) = (names.here(extent.size), names.there(extent.size));
    let mut candidates = extent.law.clone();
    for &conjunct in &extent.law {
        let Term::Equal(a, b) = names.terms.node(conjunct) else { continue };
        let other = if a == here { b } else { a };
        if let Some(constant) = names.constant(other).filter(|_| a == here || b == here) {
            let value = heapwright_program::sign_extend(constant, 8 * extent.size as u32);
            candidates.extend(bounds(names, here, Range { low: value, high: value }));
        } else if (a == here || b == here)
            && other != there
            && names.terms.as_variable(other).is_some()
        {
            // A number that a variable holds; an element beside it that is the same stays so.
            candidates.push(names.terms.signed_less_equal(other, here));
            candidates.push(names.terms.signed_less_equal(here, other));
        }
    }
    candidates
}

/// Leaves out of a law what follows from a constant in it.
pub(crate) fn shorten(names: &mut Names<'_>, extent: &mut Extent) {
    let here = names.here(extent.size);
    let is_constant = |names: &Names<'_>, conjunct: TermId| match names.terms.node(conjunct) {
        Term::Equal(a, b) if a == here => names.constant(b).is_some(),
        Term::Equal(a, b) if b == here => names.constant(a).is_some(),
        _ => false,
    };
    if !extent.law.iter().any(|&conjunct| is_constant(names, conjunct)) {
        return;
    }
    let all = std::mem::take(&mut extent.law);
    extent.law = all
        .into_iter()
        .filter(|&one| is_constant(names, one) || !names.outer_names_of_law(one).is_empty())
        .collect();
}

/// What can be said of one element at a place.
pub(crate) fn laws_of_element(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (place, value): (TermId, TermId),
    stride: u64,
) -> Vec<TermId> {
    let size = u64::from(reasoner.names.terms.width(value) / 8);
    let here = reasoner.names.here(size);
    if reasoner.names.constant(value).is_some() {
        return vec![reasoner.names.terms.equal(here, value)];
    }
    if let Some(constant) = said_to_be(&reasoner.names, state, value) {
        return vec![reasoner.names.terms.equal(here, constant)];
    }
    let mut law = Vec::new();
    law.extend(line_through(reasoner, state, (place, value), stride));
    if law.is_empty() {
        law.extend(beside_the_index(reasoner, state, (place, value), stride));
    }
    let range = range(&mut reasoner.names, state, value);
    law.extend(bounds(&mut reasoner.names, here, range));
    for number in numbers_beside(&reasoner.names, state, here) {
        if number == value {
            law.push(reasoner.names.terms.equal(here, number));
            continue;
        }
        let names = &mut reasoner.names;
        let above = names.terms.signed_less_equal(number, value);
        let below = names.terms.signed_less_equal(value, number);
        if prove(reasoner, state, above) {
            law.push(reasoner.names.terms.signed_less_equal(number, here));
        }
        if prove(reasoner, state, below) {
            law.push(reasoner.names.terms.signed_less_equal(here, number));
        }
    }
    law.extend(differences(&mut reasoner.names, state, (value, here)));
    law.sort_unstable();
    law.dedup();
    law
}

/// That an element is not what the path condition says it is not: a constant, or what a variable holds.
fn differences(
    names: &mut Names<'_>,
    state: &State,
    (value, here): (TermId, TermId),
) -> Vec<TermId> {
    let held = numbers_beside(names, state, here);
    let is_said =
        |names: &Names<'_>, other: TermId| names.constant(other).is_some() || held.contains(&other);
    let mut law = Vec::new();
    for &conjunct in &state.condition {
        let Term::Not(inner) = names.terms.node(conjunct) else { continue };
        let Term::Equal(a, b) = names.terms.node(inner) else { continue };
        for (one, other) in [(a, b), (b, a)] {
            if one == value && is_said(names, other) && law.len() < MOST_DIFFERENCES {
                law.push(names.terms.not_equal(here, other));
            }
        }
    }
    law
}

/// Numbers that an element is said not to be.
const MOST_DIFFERENCES: usize = 3;

/// The constant that the path condition says a number is.
pub(super) fn said_to_be(names: &Names<'_>, state: &State, value: TermId) -> Option<TermId> {
    state.condition.iter().find_map(|&conjunct| match names.terms.node(conjunct) {
        Term::Equal(a, b) if a == value => names.constant(b).map(|_| b),
        Term::Equal(a, b) if b == value => names.constant(a).map(|_| a),
        _ => None,
    })
}

/// That an element is in a range, as far as that says anything.
pub(crate) fn bounds(names: &mut Names<'_>, here: TermId, range: Range) -> Vec<TermId> {
    let bits = names.terms.width(here);
    let full = Range::full(bits);
    let mut law = Vec::new();
    if range.low > full.low {
        let low = names.terms.bit_vector(range.low.cast_unsigned(), bits);
        law.push(names.terms.signed_less_equal(low, here));
    }
    if range.high < full.high {
        let high = names.terms.bit_vector(range.high.cast_unsigned(), bits);
        law.push(names.terms.signed_less_equal(here, high));
    }
    law
}

/// Numbers that variables hold and that are as wide as an element.
pub(crate) fn numbers_beside(names: &Names<'_>, state: &State, here: TermId) -> Vec<TermId> {
    let mut numbers = state.held_by_members(names);
    numbers.retain(|&number| {
        names.terms.sort(number) == names.terms.sort(here)
            && names.terms.as_variable(number).is_some()
            && !names.blocks_of_addresses.contains_key(&number)
    });
    let mut seen = FxHashSet::default();
    numbers.retain(|&number| seen.insert(number));
    numbers.truncate(MOST_NUMBERS);
    numbers
}

/// The index of a place, as wide as an element: places count from the start of the block.
fn index(names: &mut Names<'_>, place: TermId, stride: u64, bits: u32) -> TermId {
    let width = names.terms.width(place);
    let shift = names.terms.bit_vector(u128::from(stride.trailing_zeros()), width);
    let index = names.terms.logical_shift_right(place, shift);
    match bits <= width {
        true => names.terms.extract(index, bits - 1, 0),
        false => names.terms.zero_extend(index, bits),
    }
}

/// That an element is so many times its index, and some more.
pub(crate) fn line(
    names: &mut Names<'_>,
    (place, value): (TermId, TermId),
    stride: u64,
    (slope, start): (i128, i128),
) -> TermId {
    let bits = names.terms.width(value);
    let index = index(names, place, stride, bits);
    let slope = names.terms.bit_vector(slope.cast_unsigned(), bits);
    let start = names.terms.bit_vector(start.cast_unsigned(), bits);
    let rise = names.terms.multiply(index, slope);
    let on_line = names.terms.add(rise, start);
    names.terms.equal(value, on_line)
}

/// The line through two elements, by index.
pub(crate) fn line_of(one: (i128, i128), other: (i128, i128)) -> Option<(i128, i128)> {
    let (run, rise) = (other.0 - one.0, other.1 - one.1);
    let slope = (run != 0 && rise % run == 0).then(|| rise / run)?;
    (slope.abs() <= STEEPEST).then_some((slope, one.1 - slope * one.0))
}

/// That an element is at least or at most its index.
fn beside_the_index(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (place, value): (TermId, TermId),
    stride: u64,
) -> Vec<TermId> {
    let mut law = Vec::new();
    if reasoner.names.constant(place).is_some() {
        return law;
    }
    let bits = reasoner.names.terms.width(value);
    for is_below in [true, false] {
        let names = &mut reasoner.names;
        let order = |names: &mut Names<'_>, (place, value): (TermId, TermId)| {
            let index = index(names, place, stride, bits);
            match is_below {
                true => names.terms.signed_less_equal(index, value),
                false => names.terms.signed_less_equal(value, index),
            }
        };
        let holds = order(names, (place, value));
        if prove(reasoner, state, holds) {
            let names = &mut reasoner.names;
            let element = (names.place(), names.here(u64::from(bits / 8)));
            law.push(order(names, element));
        }
    }
    law
}

/// The line that an element is on wherever its place is, by two executions.
fn line_through(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (place, value): (TermId, TermId),
    stride: u64,
) -> Option<TermId> {
    let Sort::BitVector(bits) = reasoner.names.terms.sort(value) else { return None };
    let points = two_points(reasoner, state, (place, value))?;
    let [one, other] = points.map(|(place, value)| {
        (place as i128 / i128::from(stride), heapwright_program::sign_extend(value, bits))
    });
    let line_of = line_of(one, other)?;
    let is_on_it = line(&mut reasoner.names, (place, value), stride, line_of);
    let size = u64::from(bits / 8);
    prove(reasoner, state, is_on_it).then(|| {
        let names = &mut reasoner.names;
        let element = (names.place(), names.here(size));
        line(names, element, stride, line_of)
    })
}

/// An element in two executions, with different places.
fn two_points(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (place, value): (TermId, TermId),
) -> Option<[(u128, u128); 2]> {
    let model = match &state.model {
        Some(model) => std::sync::Arc::clone(model),
        None => reasoner.possible(state, TermId::TRUE).model()?,
    };
    let bits = |names: &Names<'_>, model: &heapwright_logic::Model, term| {
        model.evaluate(&names.terms, term).as_bit_vector().bits()
    };
    let first = [place, value].map(|term| bits(&reasoner.names, &model, term));
    let width = reasoner.names.terms.width(place);
    let constant = reasoner.names.terms.bit_vector(first[0], width);
    let differs = reasoner.names.terms.not_equal(place, constant);
    let Possible::Yes(model) = reasoner.possible(state, differs) else { return None };
    let second = [place, value].map(|term| bits(&reasoner.names, &model, term));
    Some([(first[0], first[1]), (second[0], second[1])])
}
