//! Rules: what holds in every concrete heap, so that an abstract structure can be sharpened by it.

use crate::structure::{NULL, Node, Row, Structure, WILD};
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

impl Literal {
    /// The values for every node as `variable`, the others standing for nodes of `at`.
    pub(crate) fn row(
        self,
        structure: &Structure,
        at: [Node; MOST_VARIABLES],
        variable: u8,
    ) -> Row {
        let universe = structure.universe();
        let only = |nodes: u64| Row { one: nodes, zero: universe & !nodes };
        let spread = |row: Row, of: u8| match of == variable {
            true => row,
            false => Row::splat(row.at(at[usize::from(of)]), universe),
        };
        let row = match self.atom {
            Atom::Nullary(predicate) => Row::splat(structure.nullary(predicate), universe),
            Atom::Unary(predicate, of) => spread(structure.unary(predicate), of),
            Atom::Block(of) => spread(only(structure.blocks()), of),
            Atom::Null(of) => spread(only(1 << NULL), of),
            Atom::Wild(of) => spread(only(1 << WILD), of),
            Atom::Binary(predicate, from, to) if from == variable && to == variable => {
                structure.diagonal(predicate)
            }
            Atom::Binary(predicate, from, to) if from == variable => {
                structure.column(predicate, at[usize::from(to)])
            }
            Atom::Binary(predicate, from, to) => {
                spread(structure.binary(predicate, at[usize::from(from)]), to)
            }
            Atom::Equal(left, right) if left == right => only(universe),
            Atom::Equal(left, right) => {
                let (fixed, free) = if left == variable { (right, left) } else { (left, right) };
                let bit = 1 << at[usize::from(fixed)];
                let same = Row { one: bit, zero: universe & !bit | structure.summaries() & bit };
                spread(same, free)
            }
        };
        if self.is_positive { row } else { !row }
    }
}
