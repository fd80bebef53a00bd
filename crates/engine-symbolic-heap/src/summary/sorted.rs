//! Numbers by which nodes are sorted: what lists and trees have in common.

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::block::{Block, Cell, DefaultBytes};
use crate::heap::names::Names;
use crate::heap::order::{Direction, Order, Place, Signedness, Strictness};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::orders::{is_before, is_compared_unsigned};
use crate::reasoning::path_condition::assume;

/// Whether a number may come right before another.
pub(crate) fn is_in_order(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    order: Order,
    pair: (TermId, TermId),
) -> bool {
    let kind = (order.signedness, order.strictness);
    is_before(reasoner, state, kind, in_direction(order, pair))
}

/// Says that a number comes before another.
pub(crate) fn assume_order(
    names: &mut Names<'_>,
    state: &mut State,
    order: Order,
    pair: (TermId, TermId),
) {
    let pair = in_direction(order, pair);
    let holds = order.signedness.order(&mut names.terms, order.strictness, pair);
    assume(names, state, holds, None);
}

/// The lower of two numbers in a row, and the higher one.
fn in_direction(order: Order, (one, next): (TermId, TermId)) -> (TermId, TermId) {
    match order.direction {
        Direction::Up => (one, next),
        Direction::Down => (next, one),
    }
}

/// By what two single nodes may be sorted: where they have different numbers. Without a sign, if one of them is compared so.
pub(crate) fn orders_of_nodes(
    names: &Names<'_>,
    state: &State,
    (a, b): (&Block, &Block),
) -> Vec<Order> {
    let differs = |offset: u64, cell: &Cell| {
        b.cells.get(&offset).is_some_and(|other| {
            other.size == cell.size
                && other.value != cell.value
                && !names.holds_address(cell.value)
                && !names.holds_address(other.value)
        })
    };
    let places = a.cells.iter().filter(|(offset, cell)| differs(**offset, cell));
    places
        .flat_map(|(&offset, cell)| {
            let size = cell.size;
            let numbers = [cell.value, b.cells[&offset].value];
            let signedness = match is_compared_unsigned(names, state, &numbers) {
                true => Signedness::Unsigned,
                false => Signedness::Signed,
            };
            let order = move |strictness, direction| Order {
                offset,
                size,
                signedness,
                direction,
                strictness,
            };
            [Strictness::Strict, Strictness::Loose].into_iter().flat_map(move |strictness| {
                [Direction::Up, Direction::Down].map(|direction| order(strictness, direction))
            })
        })
        .collect()
}

/// By what two single nodes may be sorted that have one number there, which no constant is: a program may have made the one as
/// low as the other.
pub(crate) fn level_orders_of_nodes(names: &Names<'_>, a: &Block, b: &Block) -> Vec<Order> {
    let is_level = |offset: &u64, cell: &Cell| {
        names.constant(cell.value).is_none()
            && !names.holds_address(cell.value)
            && b.cells.get(offset) == Some(cell)
    };
    let places = a.cells.iter().filter(|(offset, cell)| is_level(offset, cell));
    let order = |(&offset, cell): (&u64, &Cell)| Order {
        offset,
        size: cell.size,
        signedness: Signedness::Signed,
        direction: Direction::Up,
        strictness: Strictness::Loose,
    };
    places.map(order).collect()
}

/// The number of a single node by which it may be sorted.
pub(crate) fn cell_of_order<'b>(
    names: &Names<'_>,
    node: &'b Block,
    order: Order,
) -> Option<&'b Cell> {
    cell_at(names, node, order.place())
}

fn cell_at<'b>(names: &Names<'_>, node: &'b Block, place: Place) -> Option<&'b Cell> {
    let cell = node.cells.get(&place.offset)?;
    (cell.size == place.size && !names.holds_address(cell.value)).then_some(cell)
}

/// The number of a single node. Every node has some bytes at that place, written or not.
pub(crate) fn number_of_node(names: &mut Names<'_>, node: &Block, place: Place) -> Option<TermId> {
    let Place { offset, size } = place;
    if node.has_cells_in(offset, size) {
        return Some(cell_at(names, node, place)?.value);
    }
    let default = names.default_value(node, offset, size);
    Some(default.unwrap_or_else(|| names.fresh("bytes", 8 * size as u32)))
}

/// Lets two names of one number be one, wherever they stand; the first is kept.
pub(crate) fn unify(names: &mut Names<'_>, state: &mut State, (one, other): (TermId, TermId)) {
    if one == other {
    } else if names.terms.as_variable(other).is_some() {
        names.replace(state, &BTreeMap::from([(other, one)]));
    } else {
        let is_same = names.terms.equal(one, other);
        assume(names, state, is_same, None);
    }
}

/// Says which number a node has. If its prototype has these bytes in other pieces, nothing is said.
pub(crate) fn put_number(
    names: &mut Names<'_>,
    state: &mut State,
    node: &mut Block,
    place: Place,
    value: TermId,
) {
    let Place { offset, size } = place;
    match node.cells.get(&offset).copied() {
        Some(cell) if cell.size == size && !names.holds_address(cell.value) => {
            let is_same = names.terms.equal(cell.value, value);
            assume(names, state, is_same, None);
        }
        Some(_) => return,
        None => {
            if node.has_cells_in(offset, size) || node.rest != DefaultBytes::Uninitialised {
                return;
            }
        }
    }
    node.cells.insert(offset, Cell { size, value });
}
