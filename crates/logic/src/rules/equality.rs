//! Rules for equality: solve for the unknown where the other side is a constant, cancel what
//! both sides share.

use crate::arena::Terms;
use crate::term::{Operator, Sort, Term, TermId};
use crate::value::BitVectorValue;

/// How many nested choices an equation with a constant is pushed through.
const LONGEST_CHOICE: usize = 8;

impl Terms {
    /// Of two booleans or of two bit-vectors of one width.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TermId::TRUE;
        }
        match self.sort(a) {
            Sort::Boolean => self.equal_booleans(a, b),
            Sort::BitVector(_) | Sort::Array { .. } => self.equal_bit_vectors(a, b),
        }
    }

    pub fn not_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let is_equal = self.equal(a, b);
        self.not(is_equal)
    }

    fn equal_booleans(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.node(a), self.node(b)) {
            (Term::Boolean(true), _) => b,
            (_, Term::Boolean(true)) => a,
            (Term::Boolean(false), _) => self.not(b),
            (_, Term::Boolean(false)) => self.not(a),
            (Term::Not(inner), _) => {
                let is_equal = self.equal(inner, b);
                self.not(is_equal)
            }
            (_, Term::Not(inner)) => {
                let is_equal = self.equal(a, inner);
                self.not(is_equal)
            }
            _ => self.make(Term::Equal(a.min(b), a.max(b))),
        }
    }

    fn equal_bit_vectors(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Equal(a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        let result = match self.as_constant(b) {
            Some(constant) => self.solve_equation(a, b, constant),
            None if self.are_surely_different(a, b) => Some(TermId::FALSE),
            None => self.cancel(a, b),
        };
        result.unwrap_or_else(|| self.make(Term::Equal(a, b)))
    }

    /// `a == constant`, rewritten to say something about a part of `a`.
    fn solve_equation(&mut self, a: TermId, b: TermId, constant: BitVectorValue) -> Option<TermId> {
        match self.node(a) {
            Term::Complement(x) => {
                let solution = self.constant(constant.complement());
                Some(self.equal(x, solution))
            }
            Term::IfThenElse(condition, x, y) => self.equal_choice(condition, x, y, b),
            Term::Concat(high, low) => {
                let boundary = self.width(low);
                let upper = self.constant(constant.extract(constant.width() - 1, boundary));
                let lower = self.constant(constant.extract(boundary - 1, 0));
                let (upper, lower) = (self.equal(high, upper), self.equal(low, lower));
                Some(self.and(upper, lower))
            }
            Term::ZeroExtend { term, .. } => {
                let low = constant.extract(self.width(term) - 1, 0);
                let fits = low.zero_extend(constant.width()) == constant;
                Some(self.equal_if_fits(term, low, fits))
            }
            Term::SignExtend { term, .. } => {
                let low = constant.extract(self.width(term) - 1, 0);
                let fits = low.sign_extend(constant.width()) == constant;
                Some(self.equal_if_fits(term, low, fits))
            }
            Term::Binary(operator, x, y) => self.solve_operation((operator, x, y), b, constant),
            _ => None,
        }
    }

    fn equal_if_fits(&mut self, term: TermId, value: BitVectorValue, fits: bool) -> TermId {
        if !fits {
            return TermId::FALSE;
        }
        let value = self.constant(value);
        self.equal(term, value)
    }

    fn solve_operation(
        &mut self,
        (operator, x, y): (Operator, TermId, TermId),
        b: TermId,
        constant: BitVectorValue,
    ) -> Option<TermId> {
        match (operator, self.as_constant(y)) {
            (Operator::Add, Some(offset)) => {
                let solution = self.constant(constant.subtract(offset));
                Some(self.equal(x, solution))
            }
            (Operator::Xor, Some(mask)) => {
                let solution = self.constant(constant.xor(mask));
                Some(self.equal(x, solution))
            }
            (Operator::Multiply, Some(factor)) if factor.bit(0) => {
                let solution = self.constant(constant.multiply(factor.inverse_of_odd()));
                Some(self.equal(x, solution))
            }
            (Operator::Subtract, _) if self.is_constant(x) => {
                let solution = self.subtract(x, b);
                Some(self.equal(y, solution))
            }
            (Operator::Subtract | Operator::Xor, _) if constant.is_zero() => Some(self.equal(x, y)),
            (Operator::Or, _) if constant.is_zero() => {
                let (x, y) = (self.equal(x, b), self.equal(y, b));
                Some(self.and(x, y))
            }
            (Operator::And, _) if constant.is_ones() => {
                let (x, y) = (self.equal(x, b), self.equal(y, b));
                Some(self.and(x, y))
            }
            _ => None,
        }
    }

    /// `(condition ? x : y) == constant`, where one arm is a constant.
    fn equal_choice(
        &mut self,
        condition: TermId,
        x: TermId,
        y: TermId,
        constant: TermId,
    ) -> Option<TermId> {
        if !self.is_constant(x) && !self.is_constant(y) {
            return None;
        }
        if self.is_long_choice(x) || self.is_long_choice(y) {
            return None;
        }
        let (then, otherwise) = (self.equal(x, constant), self.equal(y, constant));
        Some(self.if_then_else(condition, then, otherwise))
    }

    /// So many choices in one that pushing an equation inward would cost more than it saves.
    fn is_long_choice(&self, term: TermId) -> bool {
        let mut current = term;
        for _ in 0..LONGEST_CHOICE {
            match self.node(current) {
                Term::IfThenElse(_, then, otherwise) => {
                    current = if self.is_constant(then) { otherwise } else { then };
                }
                _ => return false,
            }
        }
        true
    }

    /// `a == b`, neither constant, without what both sides share.
    fn cancel(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.node(a), self.node(b)) {
            (Term::Complement(x), Term::Complement(y)) => Some(self.equal(x, y)),
            (Term::ZeroExtend { term: x, .. }, Term::ZeroExtend { term: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.zero_extend(x, width), self.zero_extend(y, width));
                // Of different widths, they come back here as a wider and a narrower one.
                self.narrowed(a, b, x, y)
            }
            (Term::SignExtend { term: x, .. }, Term::SignExtend { term: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.sign_extend(x, width), self.sign_extend(y, width));
                self.narrowed(a, b, x, y)
            }
            (Term::Concat(high, low), Term::Concat(other_high, other_low))
                if self.width(low) == self.width(other_low) =>
            {
                let (upper, lower) = (self.equal(high, other_high), self.equal(low, other_low));
                Some(self.and(upper, lower))
            }
            _ => self.cancel_sum(a, b).or_else(|| self.cancel_sum(b, a)),
        }
    }

    fn narrowed(&mut self, a: TermId, b: TermId, x: TermId, y: TermId) -> Option<TermId> {
        ((x, y) != (a, b)).then(|| self.equal(x, y))
    }

    /// `a == b` where `a` is a sum.
    fn cancel_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.operands(Operator::Add, a)?;
        if x == b || y == b {
            let rest = if x == b { y } else { x };
            let zero = self.bit_vector(0, self.width(a));
            return Some(self.equal(rest, zero));
        }
        let (z, w) = self.operands(Operator::Add, b)?;
        let (rest, other) = match () {
            () if x == z => (y, w),
            () if x == w => (y, z),
            () if y == z => (x, w),
            () if y == w => (x, z),
            () if self.is_constant(y) && self.is_constant(w) => (x, {
                let offset = self.subtract(w, y);
                self.add(z, offset)
            }),
            () => return None,
        };
        Some(self.equal(rest, other))
    }
}
