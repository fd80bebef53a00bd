//! Boolean rules: negation and conjunction, with all other connectives made of them.
//! The rules look one level down, as and-inverter graphs do: absorption, contradiction,
//! substitution.

use crate::arena::Terms;
use crate::term::{Term, TermId};

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Term::Boolean(value) => self.boolean(!value),
            Term::Not(inner) => inner,
            _ => self.make(Term::Not(a)),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (TermId::FALSE, _) | (_, TermId::FALSE) => return TermId::FALSE,
            (TermId::TRUE, other) | (other, TermId::TRUE) => return other,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) || self.are_exclusive(a, b) {
            return TermId::FALSE;
        }
        if let Some(result) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return result;
        }
        if let Some(result) = self.resolve(a, b) {
            return result;
        }
        self.make(Term::And(a.min(b), a.max(b)))
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let is_same = self.equal(a, b);
        self.not(is_same)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let is_broken = self.and(a, not_b);
        self.not(is_broken)
    }

    /// The conjunction of all; true if there are none.
    pub fn all(&mut self, conjuncts: &[TermId]) -> TermId {
        conjuncts.iter().fold(TermId::TRUE, |result, &conjunct| self.and(result, conjunct))
    }

    /// The disjunction of all; false if there are none.
    pub fn any(&mut self, disjuncts: &[TermId]) -> TermId {
        disjuncts.iter().fold(TermId::FALSE, |result, &disjunct| self.or(result, disjunct))
    }

    /// No two of `terms` are equal.
    pub fn distinct(&mut self, terms: &[TermId]) -> TermId {
        let mut result = TermId::TRUE;
        for (position, &a) in terms.iter().enumerate() {
            for &b in &terms[position + 1..] {
                let is_different = self.not_equal(a, b);
                result = self.and(result, is_different);
            }
        }
        result
    }

    pub(crate) fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.node(a) == Term::Not(b) || self.node(b) == Term::Not(a)
    }

    /// `a` and `b` cannot both hold: they fix one term to two constants, or contradict in a part.
    fn are_exclusive(&self, a: TermId, b: TermId) -> bool {
        match (self.node(a), self.node(b)) {
            (Term::Equal(x, c), Term::Equal(y, d)) => {
                x == y && c != d && self.is_constant(c) && self.is_constant(d)
            }
            (Term::And(x, y), Term::And(z, w)) => {
                [x, y].into_iter().any(|p| self.are_opposite(p, z) || self.are_opposite(p, w))
            }
            _ => false,
        }
    }

    /// `a && b` where `a` is a conjunction that mentions `b`, or the negation of one.
    fn absorb(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            Term::And(x, y) if x == b || y == b => Some(a),
            Term::And(x, y) if self.are_opposite(x, b) || self.are_opposite(y, b) => {
                Some(TermId::FALSE)
            }
            Term::Not(inner) => self.absorb_negation(inner, b),
            _ => None,
        }
    }

    /// `!inner && b`.
    fn absorb_negation(&mut self, inner: TermId, b: TermId) -> Option<TermId> {
        match self.node(inner) {
            Term::And(x, y) if self.are_opposite(x, b) || self.are_opposite(y, b) => Some(b),
            Term::And(x, y) if x == b || y == b => {
                let other = if x == b { y } else { x };
                let not_other = self.not(other);
                Some(self.and(b, not_other))
            }
            // `x != 3 && x == 5` is `x == 5`.
            Term::Equal(..) if self.are_exclusive(inner, b) => Some(b),
            _ => None,
        }
    }

    /// `!(x && y) && !(x && !y)` is `!x`.
    fn resolve(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (Term::Not(left), Term::Not(right)) = (self.node(a), self.node(b)) else { return None };
        let (Term::And(x, y), Term::And(z, w)) = (self.node(left), self.node(right)) else {
            return None;
        };
        let pairs = [(x, y, z, w), (x, y, w, z), (y, x, z, w), (y, x, w, z)];
        let (common, ..) =
            pairs.into_iter().find(|&(x, y, z, w)| x == z && self.are_opposite(y, w))?;
        Some(self.not(common))
    }
}
