//! Rules for division and remainder. Division by zero keeps its SMT-LIB meaning, so `0 / x`
//! stays. Signed division by powers of two is left to the solver, which has a cheap circuit for it
//! and does not need the term to become unreadable.

use crate::arena::Terms;
use crate::term::{Operator, Term, TermId};

impl Terms {
    pub fn unsigned_divide(&mut self, a: TermId, b: TermId) -> TermId {
        let node = Term::Binary(Operator::UnsignedDivide, a, b);
        if let Some(result) = self.fold(node) {
            return result;
        }
        let Some(divisor) = self.as_constant(b) else { return self.make(node) };
        if divisor.is_zero() {
            return self.constant(divisor.complement());
        }
        match divisor.exponent() {
            Some(exponent) => {
                let places = self.bit_vector(exponent.into(), divisor.width());
                self.logical_shift_right(a, places)
            }
            None => self.make(node),
        }
    }

    pub fn unsigned_remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let node = Term::Binary(Operator::UnsignedRemainder, a, b);
        if let Some(result) = self.fold(node) {
            return result;
        }
        if a == b {
            return self.bit_vector(0, self.width(a));
        }
        let Some(divisor) = self.as_constant(b) else { return self.make(node) };
        match divisor.exponent() {
            None if divisor.is_zero() => a,
            None => self.make(node),
            Some(0) => self.bit_vector(0, divisor.width()),
            Some(exponent) => {
                let low = self.extract(a, exponent - 1, 0);
                self.zero_extend(low, divisor.width())
            }
        }
    }

    pub fn signed_divide(&mut self, a: TermId, b: TermId) -> TermId {
        let node = Term::Binary(Operator::SignedDivide, a, b);
        if let Some(result) = self.fold(node) {
            return result;
        }
        match self.as_constant(b) {
            // One bit: one is also minus one, and negation changes nothing.
            Some(divisor) if divisor.is_one() => a,
            Some(divisor) if divisor.is_ones() => self.negate(a),
            Some(_) | None => self.make(node),
        }
    }

    pub fn signed_remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let node = Term::Binary(Operator::SignedRemainder, a, b);
        if let Some(result) = self.fold(node) {
            return result;
        }
        if a == b {
            return self.bit_vector(0, self.width(a));
        }
        match self.as_constant(b) {
            Some(divisor) if divisor.is_zero() => a,
            Some(divisor) if divisor.is_one() || divisor.is_ones() => {
                self.bit_vector(0, divisor.width())
            }
            Some(_) | None => self.make(node),
        }
    }
}
