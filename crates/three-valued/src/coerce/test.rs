//! Tests: at which nodes a literal certainly holds, or certainly fails, while the variables before have nodes. What
//! is looked up is a word of a row, found by its place.

use heapwright_base::DenseId;

use crate::kleene::Kleene;
use crate::rule::{Atom, Literal, MOST_VARIABLES};
use crate::structure::{NULL, Node, Row, Structure, WILD};

/// A literal as seen from its last variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    place: Place,
    is_positive: bool,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Nullary(usize),
    /// A unary predicate of the variable.
    Unary(usize),
    /// A binary one, from a variable before to this one.
    Row(usize, u8),
    /// From this variable to one before.
    Column(usize, u8),
    /// From this one to itself.
    Diagonal(usize),
    /// Whether this is the same individual as one before.
    Same(u8),
    Always,
    Block,
    Null,
    Wild,
}

impl Test {
    /// # Panics
    /// When the literal does not speak of `variable`, or of a later one.
    pub(super) fn new(literal: Literal, variable: u8) -> Test {
        let before = |of: u8| {
            assert!(of < variable, "a variable that has no node yet");
            of
        };
        let place = match literal.atom {
            Atom::Nullary(predicate) => Place::Nullary(predicate.index()),
            Atom::Unary(predicate, _) => Place::Unary(predicate.index()),
            Atom::Binary(predicate, from, to) if from == to => Place::Diagonal(predicate.index()),
            Atom::Binary(predicate, from, to) if to == variable => {
                Place::Row(predicate.index(), before(from))
            }
            Atom::Binary(predicate, _, to) => Place::Column(predicate.index(), before(to)),
            Atom::Equal(left, right) if left == right => Place::Always,
            Atom::Equal(left, right) => Place::Same(before(left.min(right))),
            Atom::Block(_) => Place::Block,
            Atom::Null(_) => Place::Null,
            Atom::Wild(_) => Place::Wild,
        };
        Test { place, is_positive: literal.is_positive }
    }

    /// Where the literal certainly holds.
    pub(super) fn holds(self, structure: &Structure, at: [Node; MOST_VARIABLES]) -> u64 {
        let row = self.row(structure, at);
        if self.is_positive { row.must() } else { row.never() }
    }

    /// Where it certainly fails.
    pub(super) fn fails(self, structure: &Structure, at: [Node; MOST_VARIABLES]) -> u64 {
        let row = self.row(structure, at);
        if self.is_positive { row.never() } else { row.must() }
    }

    /// Where it may hold or fail.
    pub(super) fn open(self, structure: &Structure, at: [Node; MOST_VARIABLES]) -> u64 {
        self.row(structure, at).half()
    }

    #[inline]
    fn row(self, structure: &Structure, at: [Node; MOST_VARIABLES]) -> Row {
        let universe = structure.universe();
        let only = |nodes: u64| Row { one: nodes, zero: universe & !nodes };
        match self.place {
            Place::Unary(predicate) => structure.unary_at(predicate),
            Place::Row(predicate, from) => structure.table_at(predicate)[at[usize::from(from)]],
            Place::Column(predicate, to) => {
                let to = at[usize::from(to)];
                let mut column = Row::default();
                for (from, row) in structure.table_at(predicate).iter().enumerate() {
                    column.one |= (row.one >> to & 1) << from;
                    column.zero |= (row.zero >> to & 1) << from;
                }
                column
            }
            Place::Diagonal(predicate) => {
                let mut diagonal = Row::default();
                for (node, row) in structure.table_at(predicate).iter().enumerate() {
                    diagonal.one |= row.one & 1 << node;
                    diagonal.zero |= row.zero & 1 << node;
                }
                diagonal
            }
            Place::Same(other) => {
                let bit = 1 << at[usize::from(other)];
                Row { one: bit, zero: universe & !bit | structure.summaries() & bit }
            }
            Place::Block => only(structure.blocks()),
            Place::Null => only(1 << NULL),
            Place::Wild => only(1 << WILD),
            Place::Always => Row::splat(Kleene::True, universe),
            Place::Nullary(predicate) => Row::splat(structure.nullary_at(predicate), universe),
        }
    }
}
