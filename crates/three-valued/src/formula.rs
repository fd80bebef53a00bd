//! Formulas of first-order logic with equality and transitive closure.

use crate::kleene::Kleene;
use crate::vocabulary::{BinaryId, NullaryId, UnaryId};

/// A variable of a formula, by its number.
pub type Variable = u8;

/// A formula. Quantifiers range over blocks, not over null and wild; free variables may be any node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    Constant(Kleene),
    Nullary(NullaryId),
    Unary(UnaryId, Variable),
    Binary(BinaryId, Variable, Variable),
    Equal(Variable, Variable),
    /// The node is null.
    Null(Variable),
    /// The node is wild.
    Wild(Variable),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Exists(Variable, Box<Formula>),
    ForAll(Variable, Box<Formula>),
    /// A path of one or more steps leads from one node to another; `step` speaks of a step from
    /// variable `left` to variable `right`.
    Closure {
        left: Variable,
        right: Variable,
        step: Box<Formula>,
        from: Variable,
        to: Variable,
    },
}

impl Formula {
    #[must_use]
    pub fn implies(self, conclusion: Formula) -> Formula {
        Formula::Or(vec![!self, conclusion])
    }

    #[must_use]
    pub fn exists(variable: Variable, body: Formula) -> Formula {
        Formula::Exists(variable, Box::new(body))
    }

    #[must_use]
    pub fn for_all(variable: Variable, body: Formula) -> Formula {
        Formula::ForAll(variable, Box::new(body))
    }

    /// A path of any number of steps, none included.
    #[must_use]
    pub fn reaches(
        left: Variable,
        right: Variable,
        step: Formula,
        from: Variable,
        to: Variable,
    ) -> Formula {
        let step = Box::new(step);
        Formula::Or(vec![
            Formula::Equal(from, to),
            Formula::Closure { left, right, step, from, to },
        ])
    }

    /// The same with quantifiers as far inside as they go and plain parts first, so that a part without the
    /// bound variable is evaluated once, and one that is 0 ends a conjunction. Kleene's values are a
    /// distributive lattice, so the value stays the same, 1/2 included.
    #[must_use]
    pub fn miniscoped(self) -> Formula {
        match self {
            Formula::Not(body) => !body.miniscoped(),
            Formula::And(parts) => Formula::And(plain_first(parts)),
            Formula::Or(parts) => Formula::Or(plain_first(parts)),
            Formula::Exists(bound, body) => match body.miniscoped() {
                Formula::And(parts) => {
                    let (inner, mut outer) = apart(bound, parts);
                    outer.push(Formula::exists(bound, Formula::And(inner)));
                    Formula::And(outer)
                }
                body => Formula::exists(bound, body),
            },
            Formula::ForAll(bound, body) => match body.miniscoped() {
                Formula::Or(parts) => {
                    let (inner, mut outer) = apart(bound, parts);
                    outer.push(Formula::for_all(bound, Formula::Or(inner)));
                    Formula::Or(outer)
                }
                body => Formula::for_all(bound, body),
            },
            Formula::Closure { left, right, step, from, to } => {
                Formula::Closure { left, right, step: Box::new(step.miniscoped()), from, to }
            }
            plain @ (Formula::Constant(_)
            | Formula::Nullary(_)
            | Formula::Unary(..)
            | Formula::Binary(..)
            | Formula::Equal(..)
            | Formula::Null(_)
            | Formula::Wild(_)) => plain,
        }
    }

    /// Whether it speaks of paths of any number of steps.
    #[must_use]
    pub fn has_closure(&self) -> bool {
        let mut has_closure = false;
        self.visit(&mut |part| has_closure |= matches!(part, Formula::Closure { .. }));
        has_closure
    }

    fn is_plain(&self) -> bool {
        let mut is_plain = true;
        self.visit(&mut |part| {
            is_plain &= !matches!(
                part,
                Formula::Exists(..) | Formula::ForAll(..) | Formula::Closure { .. }
            );
        });
        is_plain
    }

    /// Every part of the formula, itself first.
    pub(crate) fn visit(&self, look: &mut dyn FnMut(&Formula)) {
        look(self);
        match self {
            Formula::Constant(_)
            | Formula::Nullary(_)
            | Formula::Unary(..)
            | Formula::Binary(..)
            | Formula::Equal(..)
            | Formula::Null(_)
            | Formula::Wild(_) => {}
            Formula::Not(body) | Formula::Exists(_, body) | Formula::ForAll(_, body) => {
                body.visit(look);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.visit(look));
            }
            Formula::Closure { step, .. } => step.visit(look),
        }
    }

    /// The variables that no quantifier binds, as a set of bits.
    #[must_use]
    pub fn free(&self) -> u64 {
        match self {
            Formula::Constant(_) | Formula::Nullary(_) => 0,
            Formula::Unary(_, a) | Formula::Null(a) | Formula::Wild(a) => 1 << a,
            Formula::Binary(_, a, b) | Formula::Equal(a, b) => 1 << a | 1 << b,
            Formula::Not(body) => body.free(),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().fold(0, |free, part| free | part.free())
            }
            Formula::Exists(bound, body) | Formula::ForAll(bound, body) => {
                body.free() & !(1 << bound)
            }
            Formula::Closure { left, right, step, from, to } => {
                step.free() & !(1 << left | 1 << right) | 1 << from | 1 << to
            }
        }
    }
}

/// Parts in a form that is quick to evaluate, those without quantifiers first.
fn plain_first(parts: Vec<Formula>) -> Vec<Formula> {
    let mut parts: Vec<Formula> = parts.into_iter().map(Formula::miniscoped).collect();
    parts.sort_by_key(|part| !part.is_plain());
    parts
}

/// The parts that speak of a variable, and the others.
fn apart(variable: Variable, parts: Vec<Formula>) -> (Vec<Formula>, Vec<Formula>) {
    parts.into_iter().partition(|part| part.free() >> variable & 1 == 1)
}

impl std::ops::Not for Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        match self {
            Formula::Not(body) => *body,
            other => Formula::Not(Box::new(other)),
        }
    }
}
