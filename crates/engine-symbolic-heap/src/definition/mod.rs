//! Inductive predicates that a user defines: what a block and all that hangs on it may be, case by case.
//!
//! A predicate speaks of the address `this` and has parameters. It is *empty* if `this` is null or what a
//! parameter is, or it has a node: one heap block, whose fields hold null, `this`, parameters, numbers,
//! or links to further instances, each with its arguments. Parameters may be numbers (a length, a bound, a colour), a
//! case may name numbers of its own, and laws say how they go with each other. All blocks of an instance are different,
//! and what no field names may be anything. The meaning is the least one: instances are finite.
//!
//! - `file` reads what users write, `resolve` finds the fields in a program's records, `numbers` what laws mean;
//! - `law` is what is said of numbers;
//! - `check` says what is wrong with definitions, before anything is done with them;
//! - `variance` tells which parameters may be larger or smaller than they are;
//! - `members` enumerates the small heaps of a predicate, for the checks and for tests;
//! - `line` is the form in which definitions travel in certificates.

pub(crate) mod check;
pub(crate) mod file;
pub(crate) mod law;
pub(crate) mod line;
pub(crate) mod members;
pub(crate) mod numbers;
pub(crate) mod resolve;
pub(crate) mod variance;

use crate::definition::law::Law;

/// Parameters that a predicate has at most.
pub const MOST_PARAMETERS: usize = 6;

/// All predicates of a file, which may use each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    pub(crate) predicates: Vec<Definition>,
}

/// One predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// Its parameters, beside `this`.
    pub(crate) parameters: Vec<Kind>,
    /// Bytes of its node.
    pub(crate) size: u64,
    /// When it is empty.
    pub(crate) empties: Vec<EmptyCase>,
    /// What its node may be.
    pub(crate) nodes: Vec<Node>,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pointer,
    Number { bytes: u64 },
}

/// A case without a node, and what its parameters are then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EmptyCase {
    pub(crate) this: Empty,
    pub(crate) laws: Vec<Law>,
}

/// What `this` is where there is no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    Null,
    Parameter(usize),
}

/// A node, and what hangs on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// In order of their offsets; they do not overlap.
    pub(crate) fields: Vec<FieldOfNode>,
    pub(crate) links: Vec<Link>,
    /// Bytes of each number that the case names: there are some for which its laws hold.
    pub(crate) variables: Vec<u64>,
    pub(crate) laws: Vec<Law>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldOfNode {
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) value: Value,
}

/// What is at the end of a link: an instance of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<Value>,
}

/// What a field holds, or a parameter gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    /// The address of the node.
    This,
    Parameter(usize),
    /// Where this link leads.
    Link(usize),
    /// A number that the case names.
    Variable(usize),
    /// Only in fields and laws.
    Number(u128),
}

impl Definitions {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The index of a predicate.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.predicates.iter().position(|predicate| predicate.name == name)
    }

    /// Whether some case says something of numbers.
    pub(crate) fn have_laws(&self) -> bool {
        self.predicates.iter().any(|item| {
            item.nodes.iter().any(|node| !node.laws.is_empty())
                || item.empties.iter().any(|empty| !empty.laws.is_empty())
        })
    }

    /// Whether nodes of some predicate have so many bytes.
    pub(crate) fn have_nodes_of(&self, size: u64) -> bool {
        self.predicates.iter().any(|predicate| predicate.size == size)
    }
}

impl Definition {
    /// What every instance with a node says of the parameters alone.
    pub(crate) fn laws_of_any_node(&self) -> impl Iterator<Item = &Law> {
        let is_of_parameters = |law: &&Law| {
            law.values().all(|value| matches!(value, Value::Parameter(_) | Value::Number(_)))
        };
        let is_in_all = |law: &&Law| self.nodes.iter().all(|node| node.laws.contains(law));
        let first = self.nodes.first().into_iter().flat_map(|node| &node.laws);
        first.filter(is_of_parameters).filter(is_in_all)
    }

    /// Whether some parameter is a number.
    pub(crate) fn has_numbers(&self) -> bool {
        self.parameters.iter().any(|kind| *kind != Kind::Pointer)
    }
}

impl Node {
    /// The values of all fields, and what links pass on.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let fields = self.fields.iter().map(|field| field.value);
        fields.chain(self.links.iter().flat_map(|link| link.arguments.iter().copied()))
    }
}
