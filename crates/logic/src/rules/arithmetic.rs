//! Rules for sums, differences and products.
//! Sums are kept as `x + c` with the constant outermost, so that the offsets of two addresses
//! from one base can be compared at sight.

use crate::arena::Terms;
use crate::term::{Operator, Term, TermId};
use crate::value::BitVectorValue;

impl Terms {
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::Add, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_constant(b) {
            return self.add_constant(a, b, constant);
        }
        if a == b {
            let one = self.bit_vector(1, self.width(a));
            return self.shift_left(a, one);
        }
        if let Some(result) = self.add_sum(a, b).or_else(|| self.add_sum(b, a)) {
            return result;
        }
        self.make_binary(Operator::Add, a, b)
    }

    fn add_constant(&mut self, a: TermId, b: TermId, constant: BitVectorValue) -> TermId {
        if constant.is_zero() {
            return a;
        }
        match self.node(a) {
            Term::Binary(Operator::Add, x, offset) if self.is_constant(offset) => {
                let offset = self.add(offset, b);
                self.add(x, offset)
            }
            Term::Binary(Operator::Subtract, minuend, x) if self.is_constant(minuend) => {
                let minuend = self.add(minuend, b);
                self.subtract(minuend, x)
            }
            // `~x` is `-1 - x`.
            Term::Complement(x) => {
                let minuend =
                    self.constant(constant.subtract(BitVectorValue::one(constant.width())));
                self.subtract(minuend, x)
            }
            _ => self.make_binary(Operator::Add, a, b),
        }
    }

    /// `a + b`, neither constant, where `a` is a sum or difference with something to move or cancel.
    fn add_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            Term::Binary(Operator::Add, x, offset) if self.is_constant(offset) => {
                let sum = self.add(x, b);
                Some(self.add(sum, offset))
            }
            Term::Binary(Operator::Subtract, x, y) if y == b => Some(x),
            Term::Binary(Operator::Subtract, minuend, y) if self.is_constant(minuend) => {
                let difference = self.subtract(b, y);
                Some(self.add(difference, minuend))
            }
            // `x + ~x` is minus one, as every bit is set in one of them.
            Term::Complement(x) if x == b => {
                Some(self.constant(BitVectorValue::ones(self.width(a))))
            }
            _ => None,
        }
    }

    pub fn subtract(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::Subtract, a, b)) {
            return result;
        }
        if a == b {
            return self.bit_vector(0, self.width(a));
        }
        if let Some(constant) = self.as_constant(b) {
            let negated = self.constant(constant.negate());
            return self.add(a, negated);
        }
        if let Some(result) = self.subtract_from(a, b).or_else(|| self.subtract_by(a, b)) {
            return result;
        }
        self.make_binary(Operator::Subtract, a, b)
    }

    pub fn negate(&mut self, a: TermId) -> TermId {
        let zero = self.bit_vector(0, self.width(a));
        self.subtract(zero, a)
    }

    /// `a - b`, `b` not constant, where `a` is a sum or difference.
    fn subtract_from(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            Term::Binary(Operator::Add, x, y) if y == b => Some(x),
            Term::Binary(Operator::Add, x, y) if x == b => Some(y),
            Term::Binary(Operator::Add, x, offset) if self.is_constant(offset) => {
                let difference = self.subtract(x, b);
                Some(self.add(difference, offset))
            }
            Term::Binary(Operator::Subtract, x, y) if x == b => Some(self.negate(y)),
            _ => None,
        }
    }

    /// `a - b`, `b` not constant, where `b` is a sum or difference.
    fn subtract_by(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(b) {
            Term::Binary(Operator::Add, x, y) if x == a => Some(self.negate(y)),
            Term::Binary(Operator::Add, x, y) if y == a => Some(self.negate(x)),
            Term::Binary(Operator::Add, x, offset) if self.is_constant(offset) => {
                let difference = self.subtract(a, x);
                Some(self.subtract(difference, offset))
            }
            Term::Binary(Operator::Subtract, x, y) if x == a => Some(y),
            Term::Binary(Operator::Subtract, minuend, y) if self.is_constant(minuend) => {
                let sum = self.add(a, y);
                Some(self.subtract(sum, minuend))
            }
            // `0 - (x - y)` is `y - x`.
            Term::Binary(Operator::Subtract, x, y) => {
                self.as_constant(a).filter(|a| a.is_zero()).map(|_| self.subtract(y, x))
            }
            _ => None,
        }
    }

    pub fn multiply(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::Multiply, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        match self.as_constant(b) {
            Some(constant) => self.multiply_constant(a, b, constant),
            None => self.make_binary(Operator::Multiply, a, b),
        }
    }

    fn multiply_constant(&mut self, a: TermId, b: TermId, constant: BitVectorValue) -> TermId {
        if constant.is_zero() {
            return b;
        }
        // One bit: minus one is one, and the rule for one must win.
        if constant.is_one() {
            return a;
        }
        if constant.is_ones() {
            return self.negate(a);
        }
        if let Some(exponent) = constant.exponent() {
            let places = self.bit_vector(exponent.into(), constant.width());
            return self.shift_left(a, places);
        }
        match self.node(a) {
            Term::Binary(Operator::Multiply, x, factor) if self.is_constant(factor) => {
                let factor = self.multiply(factor, b);
                self.multiply(x, factor)
            }
            Term::Binary(Operator::ShiftLeft, x, places) if self.is_constant(places) => {
                let factor = self.shift_left(b, places);
                self.multiply(x, factor)
            }
            Term::Binary(Operator::Add, x, offset) if self.is_constant(offset) => {
                let (product, offset) = (self.multiply(x, b), self.multiply(offset, b));
                self.add(product, offset)
            }
            _ => self.make_binary(Operator::Multiply, a, b),
        }
    }

    /// `term` as a base and a constant offset from it; a constant has no base.
    pub fn split_offset(&self, term: TermId) -> (Option<TermId>, BitVectorValue) {
        if let Some(constant) = self.as_constant(term) {
            return (None, constant);
        }
        if let Some((base, offset)) = self.operands(Operator::Add, term)
            && let Some(constant) = self.as_constant(offset)
        {
            return (Some(base), constant);
        }
        (Some(term), BitVectorValue::zero(self.width(term)))
    }

    /// Two bit-vectors that differ under every model, as seen without a solver.
    pub fn are_surely_different(&self, a: TermId, b: TermId) -> bool {
        let ((left, left_offset), (right, right_offset)) =
            (self.split_offset(a), self.split_offset(b));
        left == right && left_offset != right_offset
    }
}
