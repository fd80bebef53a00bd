//! The vocabulary: which predicates the structures of one class have.

use heapwright_base::{DenseId, IdVec, define_id};

use crate::formula::Formula;

define_id!(
    /// A predicate of the whole structure.
    NullaryId,
    "p"
);
define_id!(
    /// A predicate of a node.
    UnaryId,
    "p"
);
define_id!(
    /// A predicate of a pair of nodes.
    BinaryId,
    "p"
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nullary {
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unary {
    pub name: String,
    /// Whether nodes that differ in it stay apart when structures are blurred.
    pub is_abstraction: bool,
    /// For an instrumentation predicate: what it means, with the node as variable 0.
    pub definition: Option<Formula>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    pub name: String,
    /// For an instrumentation predicate: what it means, with the nodes as variables 0 and 1.
    pub definition: Option<Formula>,
}

/// The predicates of a class of structures. The first of the unary ones is always `summary`: 1/2 at
/// a node that may stand for several blocks, 0 at one that stands for exactly one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    nullary: IdVec<NullaryId, Nullary>,
    unary: IdVec<UnaryId, Unary>,
    binary: IdVec<BinaryId, Binary>,
    /// The unary predicates that keep nodes apart.
    abstraction: Vec<UnaryId>,
}

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        Vocabulary::new()
    }
}

impl Vocabulary {
    #[must_use]
    pub fn new() -> Vocabulary {
        let mut unary = IdVec::new();
        let summary = Unary { name: "summary".to_owned(), is_abstraction: false, definition: None };
        unary.push(summary);
        Vocabulary { nullary: IdVec::new(), unary, binary: IdVec::new(), abstraction: Vec::new() }
    }

    /// # Panics
    /// When there are 64 already.
    pub fn add_nullary(&mut self, nullary: Nullary) -> NullaryId {
        assert!(self.nullary.len() < 64, "too many predicates without arguments");
        self.check_new(&nullary.name);
        self.nullary.push(nullary)
    }

    pub fn add_unary(&mut self, unary: Unary) -> UnaryId {
        self.check_new(&unary.name);
        let is_abstraction = unary.is_abstraction;
        let id = self.unary.push(unary);
        self.abstraction.extend(is_abstraction.then_some(id));
        id
    }

    pub fn add_binary(&mut self, binary: Binary) -> BinaryId {
        self.check_new(&binary.name);
        self.binary.push(binary)
    }

    /// Two predicates of one name would be one in every text.
    fn check_new(&self, name: &str) {
        let is_known = self.nullary_named(name).is_some()
            || self.unary_named(name).is_some()
            || self.binary_named(name).is_some();
        assert!(!is_known, "there is a predicate called {name} already");
    }

    /// The predicate `summary`.
    #[must_use]
    pub fn summary(&self) -> UnaryId {
        UnaryId::from_index(0)
    }

    #[must_use]
    pub fn nullary(&self) -> &IdVec<NullaryId, Nullary> {
        &self.nullary
    }

    #[must_use]
    pub fn unary(&self) -> &IdVec<UnaryId, Unary> {
        &self.unary
    }

    #[must_use]
    pub fn binary(&self) -> &IdVec<BinaryId, Binary> {
        &self.binary
    }

    #[must_use]
    pub fn nullary_named(&self, name: &str) -> Option<NullaryId> {
        self.nullary.enumerated().find_map(|(id, it)| (it.name == name).then_some(id))
    }

    #[must_use]
    pub fn unary_named(&self, name: &str) -> Option<UnaryId> {
        self.unary.enumerated().find_map(|(id, it)| (it.name == name).then_some(id))
    }

    #[must_use]
    pub fn binary_named(&self, name: &str) -> Option<BinaryId> {
        self.binary.enumerated().find_map(|(id, it)| (it.name == name).then_some(id))
    }

    /// The unary predicates that keep nodes apart, in order.
    pub fn abstraction(&self) -> impl Iterator<Item = UnaryId> + '_ {
        self.abstraction.iter().copied()
    }
}
