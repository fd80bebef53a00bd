//! Overflow: whether the exact result of an operation differs from its result in the width.
//! All but multiplication need no wider arithmetic.

use crate::arena::Terms;
use crate::term::{Predicate, Term, TermId};
use crate::value::BitVectorValue;

impl Terms {
    pub fn unsigned_add_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.unsigned_less(sum, a)
    }

    pub fn unsigned_subtract_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.unsigned_less(a, b)
    }

    /// Only if the operands have one sign and the sum has the other.
    pub fn signed_add_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        let [a, b, sum] = [a, b, sum].map(|term| self.is_negative(term));
        let (is_same_sign, is_changed) = (self.equal(a, b), self.xor(a, sum));
        self.and(is_same_sign, is_changed)
    }

    /// Only if the operands have different signs and the difference has that of `b`.
    pub fn signed_subtract_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.subtract(a, b);
        let [a, b, difference] = [a, b, difference].map(|term| self.is_negative(term));
        let (is_other_sign, is_changed) = (self.xor(a, b), self.xor(a, difference));
        self.and(is_other_sign, is_changed)
    }

    pub fn unsigned_multiply_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.multiply_overflows(Predicate::UnsignedMultiplyOverflows, a, b)
    }

    pub fn signed_multiply_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.multiply_overflows(Predicate::SignedMultiplyOverflows, a, b)
    }

    fn multiply_overflows(&mut self, predicate: Predicate, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Term::Relation(predicate, a, b)) {
            return result;
        }
        let (a, b) = self.ordered(a, b);
        let Some(factor) = self.as_constant(b) else {
            return self.make(Term::Relation(predicate, a, b));
        };
        // One bit: one is minus one as a signed number, and minus one squared does not fit.
        if factor.is_zero() || (factor.is_one() && factor.width() > 1) {
            return TermId::FALSE;
        }
        self.make(Term::Relation(predicate, a, b))
    }

    /// The minimum divided by minus one. Division by zero is another fault.
    pub fn signed_divide_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_one = self.constant(BitVectorValue::ones(self.width(b)));
        let (is_minimum, is_minus_one) = (self.negate_overflows(a), self.equal(b, minus_one));
        self.and(is_minimum, is_minus_one)
    }

    /// The minimum has no negative.
    pub fn negate_overflows(&mut self, a: TermId) -> TermId {
        let minimum = self.constant(BitVectorValue::signed_minimum(self.width(a)));
        self.equal(a, minimum)
    }

    /// Below zero when read as signed.
    pub fn is_negative(&mut self, a: TermId) -> TermId {
        let zero = self.bit_vector(0, self.width(a));
        self.signed_less(a, zero)
    }
}
