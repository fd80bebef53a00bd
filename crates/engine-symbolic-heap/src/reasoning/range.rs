//! Ranges of numbers, read off the path condition without asking the solver.

use heapwright_logic::{Operator, Predicate, Term, TermId};
use heapwright_program::sign_extend;

use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};

/// How deep a term is looked into: shared parts would be looked into again and again.
const DEPTH: u32 = 5;

/// Signed bounds of a term on a path. Never too narrow.
pub(crate) fn range(names: &mut Names<'_>, state: &State, term: TermId) -> Range {
    range_to(names, state, term, DEPTH)
}

fn range_to(names: &mut Names<'_>, state: &State, term: TermId, depth: u32) -> Range {
    let bits = names.terms.width(term);
    if let Some(constant) = names.constant(term) {
        let number = sign_extend(constant, bits);
        return Range { low: number, high: number };
    }
    let full = Range::full(bits);
    let (base, offset) = names.terms.split_offset(term);
    let moved = offset.to_signed();
    let Some(base) = base else { return full };
    let inner = if base == term {
        direct(names, state, term, depth)
    } else {
        range_to(names, state, base, depth)
    };
    let range =
        Range { low: inner.low.saturating_add(moved), high: inner.high.saturating_add(moved) };
    // A sum that may wrap can be anything.
    let own = direct(names, state, term, depth);
    let range = if full.contains(range) { range } else { full };
    Range { low: range.low.max(own.low), high: range.high.min(own.high) }
}

/// Bounds from conjuncts that compare the term with a constant, and from its form.
fn direct(names: &mut Names<'_>, state: &State, term: TermId, depth: u32) -> Range {
    let bits = names.terms.width(term);
    let mut range = form(names, state, term, bits, depth);
    for &conjunct in &state.condition {
        let (node, holds) = match names.terms.node(conjunct) {
            Term::Not(inner) => (names.terms.node(inner), false),
            node => (node, true),
        };
        // What is compared may be wider or narrower than the term, and the same number.
        match node {
            Term::Relation(Predicate::SignedLess, a, b) if is_same_number(names, a, term) => {
                if let Some(bound) = number(names, b) {
                    if holds {
                        range.high = range.high.min(bound - 1);
                    } else {
                        range.low = range.low.max(bound);
                    }
                }
            }
            Term::Relation(Predicate::SignedLess, a, b) if is_same_number(names, b, term) => {
                if let Some(bound) = number(names, a) {
                    if holds {
                        range.low = range.low.max(bound + 1);
                    } else {
                        range.high = range.high.min(bound);
                    }
                }
            }
            Term::Relation(Predicate::UnsignedLess, a, b)
                if holds && is_same_number(names, a, term) =>
            {
                // Below a bound that is not negative, a number is neither.
                if let Some(bound) = number(names, b).filter(|&bound| bound >= 0) {
                    range.low = range.low.max(0);
                    range.high = range.high.min(bound - 1);
                }
            }
            Term::Relation(Predicate::UnsignedLess, a, b)
                if !holds && is_same_number(names, b, term) =>
            {
                if let Some(bound) = number(names, a).filter(|&bound| bound >= 0) {
                    range.low = range.low.max(0);
                    range.high = range.high.min(bound);
                }
            }
            Term::Equal(a, b) if holds => {
                let other = match (is_same_number(names, a, term), is_same_number(names, b, term)) {
                    (true, _) => number(names, b),
                    (_, true) => number(names, a),
                    (false, false) => None,
                };
                let value = other.map(|value| Range { low: value, high: value });
                // What is equal to a number that it is too narrow for is on no path.
                if let Some(value) = value.filter(|&value| Range::full(bits).contains(value)) {
                    return value;
                }
            }
            _ => {}
        }
    }
    if range.low > range.high { Range::full(bits) } else { range }
}

/// A constant, read with its sign.
fn number(names: &Names<'_>, term: TermId) -> Option<i128> {
    names.constant(term).map(|constant| sign_extend(constant, names.terms.width(term)))
}

/// The products of two numbers; one that may wrap can be anything.
fn product(a: Range, b: Range, bits: u32) -> Range {
    let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    let range = Range {
        low: ends.into_iter().min().expect("four ends"),
        high: ends.into_iter().max().expect("four ends"),
    };
    if Range::full(bits).contains(range) { range } else { Range::full(bits) }
}

/// Whether two terms are one number, read with its sign, in perhaps different widths.
fn is_same_number(names: &Names<'_>, one: TermId, other: TermId) -> bool {
    if one == other {
        return true;
    }
    let inner = |term: TermId| match names.terms.node(term) {
        Term::SignExtend { term, .. } => term,
        _ => term,
    };
    match (names.terms.node(one), names.terms.node(other)) {
        (Term::ZeroExtend { term: one, .. }, Term::ZeroExtend { term: other, .. }) => one == other,
        (Term::SignExtend { .. }, _) | (_, Term::SignExtend { .. }) => inner(one) == inner(other),
        (_, _) => false,
    }
}

fn form(names: &mut Names<'_>, state: &State, term: TermId, bits: u32, depth: u32) -> Range {
    // Products and sums of the widest numbers would not fit into our own.
    if depth == 0 || bits > 64 {
        return Range::full(bits);
    }
    let depth = depth - 1;
    match names.terms.node(term) {
        Term::ZeroExtend { term: inner, .. } => {
            let inner_bits = names.terms.width(inner);
            let high = i128::MAX >> (127 - inner_bits.min(127));
            let mut range = Range { low: 0, high };
            let signed = range_to(names, state, inner, depth);
            if signed.low >= 0 {
                range = signed;
            }
            if Range::full(bits).contains(range) { range } else { Range::full(bits) }
        }
        Term::SignExtend { term: inner, .. } => range_to(names, state, inner, depth),
        Term::IfThenElse(_, a, b) => {
            let (a, b) = (range_to(names, state, a, depth), range_to(names, state, b, depth));
            a.hull(b)
        }
        Term::Binary(Operator::SignedDivide, a, b) => match names.constant(b) {
            Some(divisor) if sign_extend(divisor, bits) > 0 => {
                let (range, divisor) =
                    (range_to(names, state, a, depth), sign_extend(divisor, bits));
                Range { low: range.low / divisor, high: range.high / divisor }
            }
            _ => Range::full(bits),
        },
        Term::Binary(Operator::SignedRemainder, a, b) => match names.constant(b) {
            Some(divisor) if sign_extend(divisor, bits) > 0 => {
                remainder(range_to(names, state, a, depth), sign_extend(divisor, bits))
            }
            _ => Range::full(bits),
        },
        Term::Binary(operator, a, b) if is_of_unsigned(operator) => {
            let (a, b) = (range_to(names, state, a, depth), range_to(names, state, b, depth));
            unsigned(operator, (a, b), bits)
        }
        Term::Binary(Operator::Multiply, a, b) => {
            let (a, b) = (range_to(names, state, a, depth), range_to(names, state, b, depth));
            product(a, b, bits)
        }
        Term::Binary(Operator::ShiftLeft, a, b) => match names.constant(b) {
            Some(places) if places < u128::from(bits) => {
                let factor = 1i128 << places;
                let a = range_to(names, state, a, depth);
                product(a, Range { low: factor, high: factor }, bits)
            }
            _ => Range::full(bits),
        },
        Term::Binary(operator @ (Operator::Add | Operator::Subtract), a, b) => {
            let (a, b) = (range_to(names, state, a, depth), range_to(names, state, b, depth));
            let b = if operator == Operator::Subtract { b.negated() } else { b };
            let range = Range { low: a.low + b.low, high: a.high + b.high };
            if Range::full(bits).contains(range) { range } else { Range::full(bits) }
        }
        _ => Range::full(bits),
    }
}

/// Signed remainders: they have the sign of the dividend.
fn remainder(dividend: Range, divisor: i128) -> Range {
    let most = divisor - 1;
    let low = if dividend.low >= 0 { 0 } else { -most };
    Range { low, high: if dividend.high <= 0 { 0 } else { most } }
}

/// Operations on numbers without a sign whose results may be known to be small.
fn is_of_unsigned(operator: Operator) -> bool {
    match operator {
        Operator::UnsignedDivide
        | Operator::UnsignedRemainder
        | Operator::And
        | Operator::LogicalShiftRight => true,
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::SignedDivide
        | Operator::SignedRemainder
        | Operator::Or
        | Operator::Xor
        | Operator::ShiftLeft
        | Operator::ArithmeticShiftRight => false,
    }
}

/// The range of such an operation, by those of its operands. What may be negative is large without its sign.
fn unsigned(operator: Operator, (a, b): (Range, Range), bits: u32) -> Range {
    let full = Range::full(bits);
    let largest = |range: Range| if range.low >= 0 { range.high } else { (1 << bits) - 1 };
    let high = match operator {
        // Below the divisor, and no more than the dividend.
        Operator::UnsignedRemainder if b.low > 0 => largest(a).min(b.high - 1),
        Operator::UnsignedDivide if b.low > 0 => largest(a) / b.low,
        Operator::And => largest(a).min(largest(b)),
        Operator::LogicalShiftRight if b.low >= 0 && b.low < i128::from(bits) => {
            largest(a) >> b.low
        }
        _ => return full,
    };
    let range = Range { low: 0, high };
    if full.contains(range) { range } else { full }
}

/// Whether one number is less than another on a path, signed.
pub(crate) fn is_less(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    low: TermId,
    high: TermId,
) -> bool {
    let contrary = reasoner.names.terms.signed_less_equal(high, low);
    low != high && matches!(reasoner.possible(state, contrary), Possible::No)
}

/// Whether one number is at most another on a path, signed.
pub(crate) fn is_at_most(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    low: TermId,
    high: TermId,
) -> bool {
    if low == high {
        return true;
    }
    let (a, b) = (range(&mut reasoner.names, state, low), range(&mut reasoner.names, state, high));
    if a.high <= b.low {
        return true;
    }
    let contrary = reasoner.names.terms.signed_less(high, low);
    matches!(reasoner.possible(state, contrary), Possible::No)
}

pub(crate) fn assume_range(names: &mut Names<'_>, state: &mut State, value: TermId, range: Range) {
    let bits = names.terms.width(value);
    let full = Range::full(bits);
    if range.low > full.low {
        let low = names.terms.bit_vector(range.low as u128, bits);
        let holds = names.terms.signed_less_equal(low, value);
        assume(names, state, holds, None);
    }
    if range.high < full.high {
        let high = names.terms.bit_vector(range.high as u128, bits);
        let holds = names.terms.signed_less_equal(value, high);
        assume(names, state, holds, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 3;

    fn ranges() -> Vec<Range> {
        let full = Range::full(BITS);
        let lows = full.low..=full.high;
        lows.flat_map(|low| (low..=full.high).map(move |high| Range { low, high })).collect()
    }

    /// What an operation gives, read with its sign.
    fn result(operator: Operator, a: i128, b: i128) -> i128 {
        let [a, b] = [a, b].map(|number| number as u128 & 7);
        let result = match operator {
            Operator::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
            Operator::UnsignedDivide => a.checked_div(b).unwrap_or(7),
            Operator::And => a & b,
            Operator::LogicalShiftRight => a >> b,
            _ => unreachable!("no such operation here"),
        };
        sign_extend(result, BITS)
    }

    #[test]
    fn operations_without_a_sign_stay_in_their_ranges() {
        let operators: Vec<Operator> =
            Operator::ALL.into_iter().filter(|&operator| is_of_unsigned(operator)).collect();
        assert_eq!(operators.len(), 4);
        for operator in operators {
            for a in ranges() {
                for b in ranges() {
                    let range = unsigned(operator, (a, b), BITS);
                    for (x, y) in
                        (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| (x, y)))
                    {
                        let result = result(operator, x, y);
                        let is_in = range.low <= result && result <= range.high;
                        assert!(is_in, "{operator:?} of {x} and {y} is {result}, not in {range:?}");
                    }
                }
            }
        }
    }
}
