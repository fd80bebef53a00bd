//! Pairs: a state of the claim over a state of the other, and what values of the one are for the other.

use std::collections::BTreeMap;

use crate::automaton::{Known, Rule, StateId, Term, Value};
use crate::describes::{Binding, Course, further};
use crate::forest::{Base, BlockId};

/// What a parameter of the claim's state is, where it stands over a state of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Image {
    /// Something that the other's rule can name.
    Known(Value<Known>),
    /// Something outside.
    Outside(Binding),
}

/// A state of the claim over one of the other, with what their parameters are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) over: StateId,
    pub(crate) claimed: StateId,
    pub(crate) images: Vec<Image>,
    /// What the other's parameters are in its forest, where they come down unchanged.
    pub(crate) tops: Vec<Option<Value<Base>>>,
    /// The block that both stand for, at the top.
    pub(crate) own: Option<BlockId>,
}

impl Pair {
    /// What a value of the claim's rule is.
    pub(crate) fn image(&self, value: Value<Known>) -> Image {
        match value {
            Value::To(Known::Parameter(index), by) => match self.images[index] {
                Image::Known(value) => Image::Known(value.moved(by)),
                Image::Outside(binding) => Image::Outside(further(binding, by)),
            },
            Value::To(Known::Own | Known::Kid(_), _) => Image::Known(value),
            Value::Any => Image::Outside(Binding::Any),
            Value::Bits(_) | Value::Object(..) | Value::Function(_) => {
                Image::Outside(Binding::Is(value.renamed(|_| Value::Any)))
            }
        }
    }

    /// What a value of the other's rule is in its forest.
    pub(crate) fn top(&self, rule: &Rule, value: Value<Known>) -> Binding {
        match value {
            Value::To(Known::Parameter(index), by) => match self.tops[index] {
                Some(value) => Binding::Is(value.moved(by)),
                None => Binding::Unknown,
            },
            Value::To(Known::Own, by) => match self.own {
                Some(own) => Binding::Is(Value::To(Base::Block(own), by)),
                None => Binding::Unknown,
            },
            Value::To(Known::Kid(offset), by) => match self.in_hole(rule, offset) {
                Some(block) => Binding::Is(Value::To(Base::Block(block), by)),
                None => Binding::Unknown,
            },
            Value::Any => Binding::Unknown,
            Value::Bits(_) | Value::Object(..) | Value::Function(_) => {
                Binding::Is(value.renamed(|_| Value::Any))
            }
        }
    }

    /// The block of the forest that a cell of the other's rule leads to, if it is in a hole.
    fn in_hole(&self, rule: &Rule, offset: u64) -> Option<BlockId> {
        match rule.get(&offset).map(|cell| &cell.holds) {
            Some(Term::Hole { parameter, .. }) => self.block_of(*parameter),
            Some(Term::Value(_) | Term::Tree { .. }) | None => None,
        }
    }

    pub(crate) fn is_same(
        &self,
        claimed: Value<Known>,
        (rule, held): (&Rule, Value<Known>),
        course: &mut Course,
    ) -> bool {
        match self.image(claimed) {
            Image::Known(value) => value == held && held != Value::Any,
            Image::Outside(Binding::Any) => true,
            Image::Outside(Binding::Unknown) => false,
            Image::Outside(binding @ (Binding::Is(_) | Binding::Name(..))) => {
                match self.top(rule, held) {
                    Binding::Is(value) => course.unify(binding, value),
                    Binding::Name(..) | Binding::Any | Binding::Unknown => false,
                }
            }
        }
    }

    /// What a value of the claim's rule is for the block in a hole of the other's.
    pub(crate) fn outside(
        &self,
        value: Value<Known>,
        rule: &Rule,
        (block, ups): (BlockId, &[Value<Known>]),
        names: &BTreeMap<Base, Value<Base>>,
    ) -> Binding {
        let value = match self.image(value) {
            Image::Outside(binding) => return binding,
            Image::Known(value) => value,
        };
        let Value::To(known, at) = value else { return Binding::Unknown };
        let told = ups.iter().enumerate().find_map(|(index, up)| match up {
            Value::To(other, by) if *other == known => {
                let up = Base::Up(block, index);
                let named = names.get(&up).copied().unwrap_or(Value::To(up, 0));
                Some(Binding::Is(named.moved(at.checked_sub(*by)?)))
            }
            Value::Any
            | Value::Bits(_)
            | Value::Object(..)
            | Value::Function(_)
            | Value::To(..) => None,
        });
        told.unwrap_or_else(|| self.top(rule, value))
    }

    /// The block in a hole of the other's state.
    pub(crate) fn block_of(&self, parameter: usize) -> Option<BlockId> {
        match self.tops[parameter]?.base()? {
            Base::Block(block) => Some(block),
            Base::Up(..) => None,
        }
    }
}
