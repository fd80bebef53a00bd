//! Rules for the orders: bounds at the ends of the range, and extensions taken away, because C
//! promotes every `char` before it compares it. `a <= b` is `!(b < a)`.

use crate::arena::Terms;
use crate::term::{Predicate, Term, TermId};
use crate::value::BitVectorValue;

impl Terms {
    pub fn unsigned_less(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let ends = (BitVectorValue::zero(width), BitVectorValue::ones(width));
        if let Some(result) = self.less_rules(Predicate::UnsignedLess, a, b, ends) {
            return result;
        }
        match (self.node(a), self.node(b)) {
            (Term::ZeroExtend { .. }, Term::ZeroExtend { .. } | Term::BitVector(_))
            | (Term::BitVector(_), Term::ZeroExtend { .. }) => self.unsigned_less_narrow(a, b),
            (Term::SignExtend { term: x, .. }, Term::SignExtend { term: y, .. })
                if self.width(x) == self.width(y) =>
            {
                self.unsigned_less(x, y)
            }
            _ => self.make(Term::Relation(Predicate::UnsignedLess, a, b)),
        }
    }

    pub fn signed_less(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let ends = (BitVectorValue::signed_minimum(width), BitVectorValue::signed_maximum(width));
        if let Some(result) = self.less_rules(Predicate::SignedLess, a, b, ends) {
            return result;
        }
        let is_zero_extended = |terms: &Self, term| {
            let is_natural = terms.as_constant(term).is_some_and(|value| !value.is_negative());
            is_natural || matches!(terms.node(term), Term::ZeroExtend { .. })
        };
        if is_zero_extended(self, a) && is_zero_extended(self, b) {
            return self.unsigned_less(a, b);
        }
        match (self.node(a), self.node(b)) {
            // The remaining constants are negative.
            (Term::ZeroExtend { .. }, Term::BitVector(_)) => TermId::FALSE,
            (Term::BitVector(_), Term::ZeroExtend { .. }) => TermId::TRUE,
            (Term::SignExtend { .. }, Term::SignExtend { .. } | Term::BitVector(_))
            | (Term::BitVector(_), Term::SignExtend { .. }) => self.signed_less_narrow(a, b),
            _ => self.make(Term::Relation(Predicate::SignedLess, a, b)),
        }
    }

    pub fn unsigned_less_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let is_greater = self.unsigned_less(b, a);
        self.not(is_greater)
    }

    pub fn signed_less_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let is_greater = self.signed_less(b, a);
        self.not(is_greater)
    }

    /// Rules of any total order between its two ends.
    fn less_rules(
        &mut self,
        predicate: Predicate,
        a: TermId,
        b: TermId,
        (minimum, maximum): (BitVectorValue, BitVectorValue),
    ) -> Option<TermId> {
        if let Some(result) = self.fold(Term::Relation(predicate, a, b)) {
            return Some(result);
        }
        if a == b {
            return Some(TermId::FALSE);
        }
        let one = BitVectorValue::one(minimum.width());
        if let Some(bound) = self.as_constant(b) {
            if bound == minimum {
                return Some(TermId::FALSE);
            }
            if bound == minimum.add(one) {
                let minimum = self.constant(minimum);
                return Some(self.equal(a, minimum));
            }
            return (bound == maximum).then(|| self.not_equal(a, b));
        }
        let bound = self.as_constant(a)?;
        if bound == maximum {
            return Some(TermId::FALSE);
        }
        if bound == maximum.subtract(one) {
            let maximum = self.constant(maximum);
            return Some(self.equal(b, maximum));
        }
        (bound == minimum).then(|| self.not_equal(a, b))
    }

    /// The order of two numbers, both zero-extended or constant, at the least width that has them.
    fn unsigned_less_narrow(&mut self, a: TermId, b: TermId) -> TermId {
        let narrow = |terms: &Self, term| match terms.node(term) {
            Term::ZeroExtend { term: inner, .. } => terms.width(inner),
            _ => 1,
        };
        let width = narrow(self, a).max(narrow(self, b));
        let reach = BitVectorValue::ones(width).zero_extend(self.width(a));
        if self.as_constant(b).is_some_and(|bound| bound > reach) {
            return TermId::TRUE;
        }
        if self.as_constant(a).is_some_and(|bound| bound > reach) {
            return TermId::FALSE;
        }
        let (x, y) = (self.extract(a, width - 1, 0), self.extract(b, width - 1, 0));
        self.unsigned_less(x, y)
    }

    /// The order of two numbers, both sign-extended or constant, at the least width that has them.
    fn signed_less_narrow(&mut self, a: TermId, b: TermId) -> TermId {
        let narrow = |terms: &Self, term| match terms.node(term) {
            Term::SignExtend { term: inner, .. } => terms.width(inner),
            _ => 1,
        };
        let width = narrow(self, a).max(narrow(self, b));
        let reaches =
            |value: BitVectorValue| value.extract(width - 1, 0).sign_extend(value.width()) == value;
        if let Some(bound) = self.as_constant(b).filter(|&bound| !reaches(bound)) {
            return self.boolean(!bound.is_negative());
        }
        if let Some(bound) = self.as_constant(a).filter(|&bound| !reaches(bound)) {
            return self.boolean(bound.is_negative());
        }
        let (x, y) = (self.extract(a, width - 1, 0), self.extract(b, width - 1, 0));
        self.signed_less(x, y)
    }
}
