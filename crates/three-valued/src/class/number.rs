//! Numbers in blocks: one field of a class may be a number, of which structures know how blocks compare by it.
//!
//! `order(u, v)` says that both blocks have been given a number and that of `u` is at most that of `v`; so
//! `order(v, v)` says that `v` has one. A number that is in no block, such as that of a variable, is that of a block
//! which nothing leads to.

use crate::class::instance::SOURCE;
use crate::class::{Event, Fresh, Instance};
use crate::evaluate::Assignment;
use crate::kleene::Kleene;
use crate::structure::{Node, Row, Structure, nodes_of};

/// What a number field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing that was ever written.
    Nothing,
    /// Some number.
    Any,
    /// Some number, or nothing.
    Open,
    /// The number of a single block that has one.
    Of(Node),
}

impl Instance {
    /// Gives a single block another number.
    ///
    /// # Panics
    /// When the class has no number field, or a block is a summary.
    pub fn write(&self, structure: &mut Structure, node: Node, written: Written) {
        let order = self.order.expect("a class with a number field");
        assert!(!structure.is_summary(node), "a number of a summary");
        let (blocks, universe) = (structure.blocks(), structure.universe());
        let none = Row { one: 0, zero: universe };
        let open = Row { one: blocks, zero: universe };
        let mut row = match written {
            Written::Nothing => none,
            Written::Any | Written::Open => open,
            Written::Of(other) => {
                assert!(!structure.is_summary(other), "a number of a summary");
                structure.binary(order, other)
            }
        };
        let mut column = match written {
            Written::Nothing => none,
            Written::Any | Written::Open => open,
            Written::Of(other) => structure.column(order, other),
        };
        let own = match written {
            Written::Nothing => Kleene::False,
            Written::Any => Kleene::True,
            Written::Open => Kleene::Half,
            Written::Of(other) => structure.binary(order, other).at(other),
        };
        set(&mut row, node, own);
        set(&mut column, node, own);
        structure.set_binary_row(order, node, row);
        for from in nodes_of(blocks) {
            structure.set_binary(order, from, node, column.at(from));
        }
        let at = Assignment::default().with(SOURCE, node);
        self.change(structure, Event::Write, self.number_role(), at);
    }

    /// With a block for a number that is in none; gives it too.
    #[must_use]
    pub fn with_number(&self, structure: &Structure, written: Written) -> (Structure, Node) {
        let (mut structure, node) = self.allocate(structure, Fresh::Null);
        self.write(&mut structure, node, written);
        (structure, node)
    }
}

fn set(row: &mut Row, node: Node, value: Kleene) {
    let bit = 1u64 << node;
    row.one = if value.may_be_one() { row.one | bit } else { row.one & !bit };
    row.zero = if value.may_be_zero() { row.zero | bit } else { row.zero & !bit };
}
