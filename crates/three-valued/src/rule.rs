//! Rules: what holds in every concrete heap, so that an abstract structure can be sharpened by it.

use crate::vocabulary::{BinaryId, NullaryId, UnaryId};

/// A variable of a rule: at most three of them, numbered from 0. They range over all nodes.
pub(crate) const MOST_VARIABLES: usize = 3;

/// A rule. It must be true of every concrete structure of the class, whatever the program does:
/// nothing that a program could break may be assumed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Where the body certainly holds, so does the head.
    Implication {
        body: Vec<Literal>,
        head: Literal,
    },
    /// The link leads from each block to exactly one node.
    Function(BinaryId),
    /// The predicate holds of exactly one node.
    Unique(UnaryId),
    /// The predicate is what its definition says.
    UnaryDefinition(UnaryId),
    BinaryDefinition(BinaryId),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    pub atom: Atom,
    pub is_positive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    Nullary(NullaryId),
    Unary(UnaryId, u8),
    Binary(BinaryId, u8, u8),
    Equal(u8, u8),
    /// The node is a block.
    Block(u8),
    Null(u8),
    Wild(u8),
}

impl Atom {
    #[must_use]
    pub fn holds(self) -> Literal {
        Literal { atom: self, is_positive: true }
    }

    #[must_use]
    pub fn fails(self) -> Literal {
        Literal { atom: self, is_positive: false }
    }

    /// The variables that it speaks of, as bits.
    pub(crate) fn variables(self) -> u8 {
        match self {
            Atom::Nullary(_) => 0,
            Atom::Unary(_, of) | Atom::Block(of) | Atom::Null(of) | Atom::Wild(of) => 1 << of,
            Atom::Binary(_, from, to) | Atom::Equal(from, to) => 1 << from | 1 << to,
        }
    }
}
