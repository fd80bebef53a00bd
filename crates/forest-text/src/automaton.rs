//! Tree automata over blocks of the heap: a state stands for a set of trees, a rule for one block at its top.
//!
//! A rule says what the cells of its block hold: a number, another block that is known here, or a tree of some
//! state. States have parameters, so that blocks further down know others: the parent, the root, the node at
//! which a segment ends. A *hole* is a parameter of its own sort: the tree certainly has a link to that block,
//! and where this link is, the block is told what it knows of its surroundings (its *ups*). What other authors
//! put into boxes, links back and to shared places, goes through parameters, ups and names of kids here.
//!
//! Method: Habermehl, Holík, Rogalewicz, Šimáček, Vojnar, *Forest automata*, CAV 2011; Holík and others, CAV 2013.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{IdVec, define_id};
use heapwright_program::{FunctionId, ObjectId};

define_id!(
    /// A state of a tree automaton.
    StateId,
    "q"
);

/// What a word holds; pointers lead to what `B` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value<B> {
    /// Anything at all.
    Any,
    /// The bits, zero-extended; null is 0.
    Bits(u128),
    /// So many bytes behind the start of an object that is no block of the heap.
    Object(ObjectId, i64),
    Function(FunctionId),
    /// So many bytes behind the start of a block of the heap.
    To(B, i64),
}

impl<B: Copy> Value<B> {
    pub const NULL: Value<B> = Value::Bits(0);

    #[must_use]
    pub fn base(self) -> Option<B> {
        match self {
            Value::To(base, _) => Some(base),
            Value::Any | Value::Bits(_) | Value::Object(..) | Value::Function(_) => None,
        }
    }

    /// The value so many bytes further on.
    #[must_use]
    pub fn moved(self, by: i64) -> Value<B> {
        match self {
            Value::To(base, at) => at.checked_add(by).map_or(Value::Any, |at| Value::To(base, at)),
            Value::Object(object, at) => {
                at.checked_add(by).map_or(Value::Any, |at| Value::Object(object, at))
            }
            Value::Any | Value::Bits(_) | Value::Function(_) if by == 0 => self,
            Value::Any | Value::Bits(_) | Value::Function(_) => Value::Any,
        }
    }

    /// The same value with other names, which may be any values.
    #[must_use]
    pub fn renamed<C: Copy>(self, name: impl FnOnce(B) -> Value<C>) -> Value<C> {
        match self {
            Value::Any => Value::Any,
            Value::Bits(bits) => Value::Bits(bits),
            Value::Object(object, at) => Value::Object(object, at),
            Value::Function(function) => Value::Function(function),
            Value::To(base, at) => name(base).moved(at),
        }
    }
}

/// A block that a rule can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// The block of the rule.
    Own,
    /// What the state was given.
    Parameter(usize),
    /// The block that the tree or the hole at this offset leads to.
    Kid(u64),
}

/// What a state is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameter {
    /// A value, to be used as often as one likes.
    Plain,
    /// A block to which a link of the tree leads: one in every tree is named by the hole. The block is told so many
    /// things there. It is a cut point, or what another link of a block above leads to; that one is told nothing.
    Hole { ups: usize },
}

/// What a cell of a rule holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    Value(Value<Known>),
    /// A pointer to the top of a tree.
    Tree {
        state: StateId,
        arguments: Vec<Value<Known>>,
        by: i64,
    },
    /// The link to a hole.
    Hole {
        parameter: usize,
        ups: Vec<Value<Known>>,
        by: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell<T> {
    pub width: u64,
    pub holds: T,
}

/// What the cells of a block hold, by offset. Bytes that are not listed hold anything.
pub type Rule = BTreeMap<u64, Cell<Term>>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Bytes of the block at the top.
    pub size: u64,
    /// What sort of block it is: a mark of the engine, which says nothing of what the state stands for.
    pub sort: u32,
    pub parameters: Vec<Parameter>,
    pub rules: BTreeSet<Rule>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Automaton {
    pub states: IdVec<StateId, State>,
}

impl Automaton {
    /// Whether all that rules name is there: states, parameters of the right sort, kids; and each hole is handed
    /// on or filled exactly once in every rule.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.states
            .iter()
            .all(|state| state.rules.iter().all(|rule| self.is_sound_rule(state, rule)))
    }

    fn is_sound_rule(&self, state: &State, rule: &Rule) -> bool {
        let is_kid = |offset: &u64| {
            rule.get(offset).is_some_and(|cell| !matches!(cell.holds, Term::Value(_)))
        };
        let is_plain = |value: &Value<Known>| match value.base() {
            None | Some(Known::Own) => true,
            Some(Known::Parameter(index)) => state.parameters.get(index) == Some(&Parameter::Plain),
            Some(Known::Kid(offset)) => is_kid(&offset),
        };
        let mut holes: Vec<usize> = Vec::new();
        let mut is_sound = true;
        for (offset, cell) in rule {
            is_sound &= offset.checked_add(cell.width).is_some_and(|end| end <= state.size);
            is_sound &= match &cell.holds {
                Term::Value(value) => is_plain(value),
                Term::Hole { parameter, ups, .. } => {
                    holes.push(*parameter);
                    let declared = Parameter::Hole { ups: ups.len() };
                    state.parameters.get(*parameter) == Some(&declared) && ups.iter().all(is_plain)
                }
                Term::Tree { state: below, arguments, .. } => {
                    let Some(below) = self.states.get(*below) else { return false };
                    let is_fit = |(parameter, value): (&Parameter, &Value<Known>)| match parameter {
                        Parameter::Plain => is_plain(value),
                        Parameter::Hole { .. } => match value {
                            Value::To(Known::Parameter(index), 0) => {
                                holes.push(*index);
                                state.parameters.get(*index) == Some(parameter)
                            }
                            Value::To(Known::Kid(other), 0) => {
                                is_kid(other)
                                    && other != offset
                                    && *parameter == Parameter::Hole { ups: 0 }
                            }
                            Value::Any | Value::Bits(_) | Value::Object(..) => false,
                            Value::Function(_) | Value::To(..) => false,
                        },
                    };
                    below.parameters.len() == arguments.len()
                        && below.parameters.iter().zip(arguments).all(is_fit)
                }
            };
        }
        let has_gaps =
            rule.iter().zip(rule.iter().skip(1)).all(|(one, next)| one.0 + one.1.width <= *next.0);
        holes.sort_unstable();
        let is_hole = |index: &usize| state.parameters[*index] != Parameter::Plain;
        let declared: Vec<usize> = (0..state.parameters.len()).filter(is_hole).collect();
        is_sound && has_gaps && holes == declared
    }
}
