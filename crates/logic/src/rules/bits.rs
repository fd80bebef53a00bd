//! Rules for bitwise operations and shifts.
//! Masks of low bits become slices, because slices compose: `(x & 255) & 15` and casts agree.

use crate::arena::Terms;
use crate::term::{Operator, Term, TermId};
use crate::value::BitVectorValue;

impl Terms {
    /// Every bit flipped: C's `~`.
    pub fn complement(&mut self, a: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Complement(a)) {
            return result;
        }
        match self.node(a) {
            Term::Complement(inner) => inner,
            _ => self.make(Term::Complement(a)),
        }
    }

    pub fn bit_and(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::And, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_constant(b) {
            return self.mask(a, b, constant);
        }
        if self.are_complements(a, b) {
            return self.bit_vector(0, self.width(a));
        }
        self.idempotent(Operator::And, Operator::Or, a, b)
    }

    pub fn bit_or(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::Or, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_constant(b) {
            if constant.is_zero() {
                return a;
            }
            if constant.is_ones() {
                return b;
            }
        }
        if self.are_complements(a, b) {
            return self.constant(BitVectorValue::ones(self.width(a)));
        }
        self.idempotent(Operator::Or, Operator::And, a, b)
    }

    pub fn bit_xor(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Binary(Operator::Xor, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.bit_vector(0, self.width(a));
        }
        match self.as_constant(b) {
            Some(constant) if constant.is_zero() => return a,
            Some(constant) if constant.is_ones() => return self.complement(a),
            Some(_) | None => {}
        }
        if let Term::Complement(inner) = self.node(a) {
            let result = self.bit_xor(inner, b);
            return self.complement(result);
        }
        if let Term::Complement(inner) = self.node(b) {
            let result = self.bit_xor(a, inner);
            return self.complement(result);
        }
        self.reassociate(Operator::Xor, a, b)
    }

    /// `a & constant`.
    fn mask(&mut self, a: TermId, b: TermId, constant: BitVectorValue) -> TermId {
        if constant.is_zero() {
            return b;
        }
        if constant.is_ones() {
            return a;
        }
        if let Some(length) = constant.low_mask_length() {
            let low = self.extract(a, length - 1, 0);
            return self.zero_extend(low, constant.width());
        }
        self.reassociate(Operator::And, a, b)
    }

    /// Rules that `&` and `|` share: `x & x`, `x & (x | y)`, `x & (x & y)`.
    fn idempotent(&mut self, operator: Operator, dual: Operator, a: TermId, b: TermId) -> TermId {
        if a == b {
            return a;
        }
        for (outer, inner) in [(a, b), (b, a)] {
            if self.operands(dual, inner).is_some_and(|(x, y)| x == outer || y == outer) {
                return outer;
            }
            if self.operands(operator, inner).is_some_and(|(x, y)| x == outer || y == outer) {
                return inner;
            }
        }
        self.reassociate(operator, a, b)
    }

    /// `(x op c) op d` is `x op (c op d)`; otherwise the node as it stands.
    fn reassociate(&mut self, operator: Operator, a: TermId, b: TermId) -> TermId {
        if self.is_constant(b)
            && let Some((x, constant)) = self.operands(operator, a)
            && self.is_constant(constant)
        {
            let constant = self.binary(operator, constant, b);
            return self.binary(operator, x, constant);
        }
        self.make_binary(operator, a, b)
    }

    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.node(a) == Term::Complement(b) || self.node(b) == Term::Complement(a)
    }
}

/// Shifts, by SMT-LIB: by the width or more, everything is shifted out.
impl Terms {
    pub fn shift_left(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.shift_rules(Operator::ShiftLeft, a, b) {
            return result;
        }
        // Addresses: `(i + 1) << 2` is `(i << 2) + 4`.
        if self.is_constant(b)
            && let Some((x, offset)) = self.operands(Operator::Add, a)
            && self.is_constant(offset)
        {
            let (shifted, offset) = (self.shift_left(x, b), self.shift_left(offset, b));
            return self.add(shifted, offset);
        }
        self.make_binary(Operator::ShiftLeft, a, b)
    }

    pub fn logical_shift_right(&mut self, a: TermId, b: TermId) -> TermId {
        let operator = Operator::LogicalShiftRight;
        self.shift_rules(operator, a, b).unwrap_or_else(|| self.make_binary(operator, a, b))
    }

    pub fn arithmetic_shift_right(&mut self, a: TermId, b: TermId) -> TermId {
        let operator = Operator::ArithmeticShiftRight;
        self.shift_rules(operator, a, b).unwrap_or_else(|| self.make_binary(operator, a, b))
    }

    /// What the three shifts have in common.
    fn shift_rules(&mut self, operator: Operator, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(result) = self.fold(Term::Binary(operator, a, b)) {
            return Some(result);
        }
        let width = self.width(a);
        if self.as_constant(a).is_some_and(BitVectorValue::is_zero) {
            return Some(a);
        }
        let places = self.as_constant(b)?;
        if places.is_zero() {
            return Some(a);
        }
        if places.bits() >= width.into() {
            return Some(self.shift_everything_out(operator, a, width));
        }
        let (x, inner) = self.operands(operator, a)?;
        let inner = self.as_constant(inner)?;
        let total = inner.bits() + places.bits();
        if total >= width.into() {
            return Some(self.shift_everything_out(operator, x, width));
        }
        let total = self.bit_vector(total, width);
        Some(self.binary(operator, x, total))
    }

    fn shift_everything_out(&mut self, operator: Operator, a: TermId, width: u32) -> TermId {
        if operator == Operator::ArithmeticShiftRight {
            let sign = self.extract(a, width - 1, width - 1);
            return self.sign_extend(sign, width);
        }
        self.bit_vector(0, width)
    }
}
