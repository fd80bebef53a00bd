//! Rules for if-then-else, over arms of any sort.

use crate::arena::Terms;
use crate::term::{Sort, Term, TermId};

impl Terms {
    pub fn if_then_else(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match self.node(condition) {
            Term::Boolean(true) => return then,
            Term::Boolean(false) => return otherwise,
            Term::Not(inner) => return self.if_then_else(inner, otherwise, then),
            // `x == y ? x : y` is `y`.
            Term::Equal(x, y) if (x, y) == (then, otherwise) || (y, x) == (then, otherwise) => {
                return otherwise;
            }
            _ => {}
        }
        if then == otherwise {
            return then;
        }
        if self.sort(then) == Sort::Boolean
            && let Some(result) = self.boolean_choice(condition, then, otherwise)
        {
            return result;
        }
        self.nested_choice(condition, then, otherwise)
            .unwrap_or_else(|| self.make(Term::IfThenElse(condition, then, otherwise)))
    }

    /// A boolean choice that is a connective.
    fn boolean_choice(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a == TermId::TRUE || a == condition {
            return Some(self.or(condition, b));
        }
        if b == TermId::FALSE || b == condition {
            return Some(self.and(condition, a));
        }
        let not_condition = self.not(condition);
        if a == TermId::FALSE || a == not_condition {
            return Some(self.and(not_condition, b));
        }
        if b == TermId::TRUE || b == not_condition {
            return Some(self.or(not_condition, a));
        }
        self.are_opposite(a, b).then(|| self.equal(condition, a))
    }

    /// A choice whose arm is again a choice, with the same condition or a common arm.
    fn nested_choice(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Term::IfThenElse(inner, then, otherwise) = self.node(a) {
            if inner == condition {
                return Some(self.if_then_else(condition, then, b));
            }
            if otherwise == b {
                let both = self.and(condition, inner);
                return Some(self.if_then_else(both, then, b));
            }
            if then == b {
                let not_inner = self.not(inner);
                let both = self.and(condition, not_inner);
                return Some(self.if_then_else(both, otherwise, b));
            }
        }
        if let Term::IfThenElse(inner, then, otherwise) = self.node(b) {
            if inner == condition {
                return Some(self.if_then_else(condition, a, otherwise));
            }
            if then == a {
                let either = self.or(condition, inner);
                return Some(self.if_then_else(either, a, otherwise));
            }
            if otherwise == a {
                let not_inner = self.not(inner);
                let either = self.or(condition, not_inner);
                return Some(self.if_then_else(either, a, then));
            }
        }
        None
    }
}
