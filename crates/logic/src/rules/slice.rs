//! Rules for concatenation, extraction and extension.
//! Bytes taken from a word and put together again are the word: memory is made of bytes.

use crate::arena::Terms;
use crate::term::{Operator, Term, TermId};
use crate::value::BitVectorValue;

impl Terms {
    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Concat(high, low)) {
            return result;
        }
        let width = self.width(high) + self.width(low);
        if self.as_constant(high).is_some_and(BitVectorValue::is_zero) {
            return self.zero_extend(low, width);
        }
        self.concat_pieces(high, low).unwrap_or_else(|| self.make(Term::Concat(high, low)))
    }

    fn concat_pieces(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.width(high) + self.width(low);
        if let Some(joined) = self.join_neighbours(high, low) {
            return Some(joined);
        }
        match (self.node(high), self.node(low)) {
            (Term::ZeroExtend { term, .. }, _) => {
                let joined = self.concat(term, low);
                Some(self.zero_extend(joined, width))
            }
            (Term::SignExtend { term, .. }, _) => {
                let joined = self.concat(term, low);
                Some(self.sign_extend(joined, width))
            }
            (Term::Concat(first, second), _) => {
                let is_constant = self.is_constant(second) && self.is_constant(low);
                let joined = if is_constant {
                    self.concat(second, low)
                } else {
                    self.join_neighbours(second, low)?
                };
                Some(self.concat(first, joined))
            }
            (_, Term::Concat(first, second)) => {
                let is_constant = self.is_constant(high) && self.is_constant(first);
                let joined = if is_constant {
                    self.concat(high, first)
                } else {
                    self.join_neighbours(high, first)?
                };
                Some(self.concat(joined, second))
            }
            _ => None,
        }
    }

    /// Two neighbouring slices of one term.
    fn join_neighbours(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let Term::Extract { term, high: top, low: middle } = self.node(high) else { return None };
        match self.node(low) {
            Term::Extract { term: other, high: below, low: bottom }
                if other == term && below + 1 == middle =>
            {
                Some(self.extract(term, top, bottom))
            }
            _ => None,
        }
    }

    /// Bits `low` to `high` of `term`, both included.
    pub fn extract(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        let node = Term::Extract { term, high, low };
        let width = self.width(term);
        assert!(low <= high && high < width, "bits {high}..{low} of {}", self.display(term));
        if let Some(result) = self.fold(node) {
            return result;
        }
        if low == 0 && high + 1 == width {
            return term;
        }
        let result = match self.node(term) {
            Term::Extract { term: inner, low: offset, .. } => {
                Some(self.extract(inner, high + offset, low + offset))
            }
            Term::Concat(first, second) => Some(self.extract_concat(first, second, high, low)),
            Term::ZeroExtend { term: inner, .. } => Some(self.extract_zero(inner, high, low)),
            Term::SignExtend { term: inner, .. } => Some(self.extract_sign(inner, high, low)),
            Term::Complement(inner) => {
                let part = self.extract(inner, high, low);
                Some(self.complement(part))
            }
            Term::Binary(operator, a, b) => self.extract_operation(operator, a, b, (high, low)),
            _ => None,
        };
        result.unwrap_or_else(|| self.make(node))
    }

    fn extract_concat(&mut self, first: TermId, second: TermId, high: u32, low: u32) -> TermId {
        let boundary = self.width(second);
        if high < boundary {
            return self.extract(second, high, low);
        }
        if low >= boundary {
            return self.extract(first, high - boundary, low - boundary);
        }
        let upper = self.extract(first, high - boundary, 0);
        let lower = self.extract(second, boundary - 1, low);
        self.concat(upper, lower)
    }

    fn extract_zero(&mut self, inner: TermId, high: u32, low: u32) -> TermId {
        let boundary = self.width(inner);
        if low >= boundary {
            return self.bit_vector(0, high - low + 1);
        }
        let part = self.extract(inner, high.min(boundary - 1), low);
        self.zero_extend(part, high - low + 1)
    }

    fn extract_sign(&mut self, inner: TermId, high: u32, low: u32) -> TermId {
        let last = self.width(inner) - 1;
        let part = self.extract(inner, high.min(last), low.min(last));
        self.sign_extend(part, high - low + 1)
    }

    /// A slice of an operation, computed on slices where that costs nothing.
    fn extract_operation(
        &mut self,
        operator: Operator,
        a: TermId,
        b: TermId,
        (high, low): (u32, u32),
    ) -> Option<TermId> {
        let is_bitwise = matches!(operator, Operator::And | Operator::Or | Operator::Xor);
        // The low bits of these depend on the low bits of the operands only.
        let is_modular =
            matches!(operator, Operator::Add | Operator::Subtract | Operator::Multiply) && low == 0;
        if (is_bitwise || is_modular) && self.is_cheap_to_slice(a) && self.is_cheap_to_slice(b) {
            let (a, b) = (self.extract(a, high, low), self.extract(b, high, low));
            return Some(self.binary(operator, a, b));
        }
        let places = u32::try_from(self.as_constant(b)?.bits()).ok()?;
        let is_right =
            matches!(operator, Operator::LogicalShiftRight | Operator::ArithmeticShiftRight);
        if is_right && high.checked_add(places)? < self.width(a) {
            return Some(self.extract(a, high + places, low + places));
        }
        (operator == Operator::ShiftLeft && low >= places)
            .then(|| self.extract(a, high - places, low - places))
    }

    /// Slicing it leads to something smaller.
    fn is_cheap_to_slice(&self, term: TermId) -> bool {
        matches!(
            self.node(term),
            Term::BitVector(_)
                | Term::ZeroExtend { .. }
                | Term::SignExtend { .. }
                | Term::Concat(..)
                | Term::Extract { .. }
        )
    }

    /// `term` with zeros above, `width` bits in all.
    pub fn zero_extend(&mut self, term: TermId, width: u32) -> TermId {
        if width == self.width(term) {
            return term;
        }
        let node = Term::ZeroExtend { term, width };
        if let Some(result) = self.fold(node) {
            return result;
        }
        match self.node(term) {
            Term::ZeroExtend { term: inner, .. } => self.zero_extend(inner, width),
            _ => self.make(node),
        }
    }

    /// `term` with copies of its sign bit above, `width` bits in all.
    pub fn sign_extend(&mut self, term: TermId, width: u32) -> TermId {
        if width == self.width(term) {
            return term;
        }
        let node = Term::SignExtend { term, width };
        if let Some(result) = self.fold(node) {
            return result;
        }
        match self.node(term) {
            Term::SignExtend { term: inner, .. } => self.sign_extend(inner, width),
            // Its sign bit is zero.
            Term::ZeroExtend { term: inner, .. } => self.zero_extend(inner, width),
            _ => self.make(node),
        }
    }
}
