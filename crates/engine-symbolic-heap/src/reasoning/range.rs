//! Ranges of numbers, read off the path condition without asking the solver.

use heapwright_logic::{Operator, Predicate, Term, TermId};
use heapwright_program::sign_extend;

use crate::context::Context;
use crate::heap::range::Range;
use crate::heap::state::State;

/// How deep a term is looked into: shared parts would be looked into again and again.
const DEPTH: u32 = 5;

impl Context<'_> {
    /// Signed bounds of a term on a path. Never too narrow.
    pub(crate) fn range(&mut self, state: &State, term: TermId) -> Range {
        self.range_to(state, term, DEPTH)
    }

    fn range_to(&mut self, state: &State, term: TermId, depth: u32) -> Range {
        let bits = self.names.terms.width(term);
        if let Some(constant) = self.names.constant(term) {
            let number = sign_extend(constant, bits);
            return Range { low: number, high: number };
        }
        let full = Range::full(bits);
        let (base, offset) = self.names.terms.split_offset(term);
        let moved = offset.to_signed();
        let Some(base) = base else { return full };
        let inner = if base == term {
            self.direct(state, term, depth)
        } else {
            self.range_to(state, base, depth)
        };
        let range =
            Range { low: inner.low.saturating_add(moved), high: inner.high.saturating_add(moved) };
        // A sum that may wrap can be anything.
        let own = self.direct(state, term, depth);
        let range = if full.contains(range) { range } else { full };
        Range { low: range.low.max(own.low), high: range.high.min(own.high) }
    }

    /// Bounds from conjuncts that compare the term with a constant, and from its form.
    fn direct(&mut self, state: &State, term: TermId, depth: u32) -> Range {
        let bits = self.names.terms.width(term);
        let mut range = self.form(state, term, bits, depth);
        for &conjunct in &state.condition {
            let (node, holds) = match self.names.terms.node(conjunct) {
                Term::Not(inner) => (self.names.terms.node(inner), false),
                node => (node, true),
            };
            match node {
                Term::Relation(Predicate::SignedLess, a, b) if a == term => {
                    if let Some(bound) = self.names.constant(b) {
                        let bound = sign_extend(bound, bits);
                        if holds {
                            range.high = range.high.min(bound - 1);
                        } else {
                            range.low = range.low.max(bound);
                        }
                    }
                }
                Term::Relation(Predicate::SignedLess, a, b) if b == term => {
                    if let Some(bound) = self.names.constant(a) {
                        let bound = sign_extend(bound, bits);
                        if holds {
                            range.low = range.low.max(bound + 1);
                        } else {
                            range.high = range.high.min(bound);
                        }
                    }
                }
                Term::Relation(Predicate::UnsignedLess, a, b) if a == term && holds => {
                    // Below a bound that is not negative, a number is neither.
                    if let Some(bound) = self.names.constant(b)
                        && sign_extend(bound, bits) >= 0
                    {
                        range.low = range.low.max(0);
                        range.high = range.high.min(sign_extend(bound, bits) - 1);
                    }
                }
                Term::Equal(a, b) if holds => {
                    let other = match (a == term, b == term) {
                        (true, _) => self.names.constant(b),
                        (_, true) => self.names.constant(a),
                        (false, false) => None,
                    };
                    if let Some(value) = other {
                        let value = sign_extend(value, bits);
                        return Range { low: value, high: value };
                    }
                }
                _ => {}
            }
        }
        if range.low > range.high { Range::full(bits) } else { range }
    }

    fn form(&mut self, state: &State, term: TermId, bits: u32, depth: u32) -> Range {
        // Products and sums of the widest numbers would not fit into our own.
        if depth == 0 || bits > 64 {
            return Range::full(bits);
        }
        let depth = depth - 1;
        match self.names.terms.node(term) {
            Term::ZeroExtend { term: inner, .. } => {
                let inner_bits = self.names.terms.width(inner);
                let high = i128::MAX >> (127 - inner_bits.min(127));
                let mut range = Range { low: 0, high };
                let signed = self.range_to(state, inner, depth);
                if signed.low >= 0 {
                    range = signed;
                }
                if Range::full(bits).contains(range) { range } else { Range::full(bits) }
            }
            Term::SignExtend { term: inner, .. } => self.range_to(state, inner, depth),
            Term::IfThenElse(_, a, b) => {
                let (a, b) = (self.range_to(state, a, depth), self.range_to(state, b, depth));
                a.hull(b)
            }
            Term::Binary(Operator::SignedDivide, a, b) => match self.names.constant(b) {
                Some(divisor) if sign_extend(divisor, bits) > 0 => {
                    let (range, divisor) =
                        (self.range_to(state, a, depth), sign_extend(divisor, bits));
                    Range { low: range.low / divisor, high: range.high / divisor }
                }
                _ => Range::full(bits),
            },
            Term::Binary(Operator::SignedRemainder, a, b) => match self.names.constant(b) {
                Some(divisor) if sign_extend(divisor, bits) > 0 => {
                    let (range, most) =
                        (self.range_to(state, a, depth), sign_extend(divisor, bits) - 1);
                    let low = if range.low >= 0 { 0 } else { -most };
                    Range { low, high: if range.high <= 0 { 0 } else { most } }
                }
                _ => Range::full(bits),
            },
            Term::Binary(Operator::Multiply, a, b) => {
                let (a, b) = (self.range_to(state, a, depth), self.range_to(state, b, depth));
                let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
                let range = Range {
                    low: ends.into_iter().min().expect("four ends"),
                    high: ends.into_iter().max().expect("four ends"),
                };
                // A product that may wrap can be anything.
                if Range::full(bits).contains(range) { range } else { Range::full(bits) }
            }
            Term::Binary(Operator::Add | Operator::Subtract, a, b) => {
                let is_difference =
                    matches!(self.names.terms.node(term), Term::Binary(Operator::Subtract, ..));
                let (a, b) = (self.range_to(state, a, depth), self.range_to(state, b, depth));
                let range = if is_difference {
                    Range { low: a.low - b.high, high: a.high - b.low }
                } else {
                    Range { low: a.low + b.low, high: a.high + b.high }
                };
                if Range::full(bits).contains(range) { range } else { Range::full(bits) }
            }
            _ => Range::full(bits),
        }
    }
}
