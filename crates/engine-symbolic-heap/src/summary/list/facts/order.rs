//! Sorted lists: a segment may say that a number in its nodes never falls, or never grows, from each
//! node to the next.
//!
//! Such a segment tells what its first node has at that place, and what its last has.
//! So what is known of a node beside the segment is an order between two numbers of the state, which
//! is joined and compared like any other. Of nodes in between the order alone is known, and what
//! their kinds say. Every node has some bytes at that place, written or not, so these numbers exist.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Cell, End, Prototype, Rest};
use crate::heap::names::Names;
use crate::heap::prototype::Neighbours;
use crate::heap::segment::{Direction, Order, Sorted};
use crate::heap::state::State;
use crate::precision::{Precision, Sorting};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::reasoning::range::is_at_most;
use crate::summary::list::fold::Pair;
use crate::summary::list::unfold::node_with;

/// How the nodes of two neighbours are sorted, if they are.
pub(crate) fn sorted_pair(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &State,
    pair: &Pair,
) -> Option<Sorted> {
    if precision.sorting == Sorting::Unseen {
        return None;
    }
    let a = Arc::clone(state.block(pair.first.block));
    let b = Arc::clone(state.block(pair.second.block));
    let orders = match a.segment().or(b.segment()) {
        Some(segment) => vec![segment.order?.order],
        None => orders_of_nodes(&reasoner.names, &a, &b),
    };
    orders.into_iter().find_map(|order| {
        let (one, other) =
            (sorted_by(&reasoner.names, &a, order)?, sorted_by(&reasoner.names, &b, order)?);
        let (low, high) = match order.direction {
            Direction::Up => (one.last, other.first),
            Direction::Down => (other.first, one.last),
        };
        let is_in_order = is_at_most(reasoner, state, low, high);
        is_in_order.then_some(Sorted { order, first: one.first, last: other.last })
    })
}

/// By what two single nodes may be sorted: where they have different numbers.
fn orders_of_nodes(names: &Names<'_>, a: &Block, b: &Block) -> Vec<Order> {
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
            let order = |direction| Order { offset, size: cell.size, direction };
            [Direction::Up, Direction::Down].map(order)
        })
        .collect()
}

/// What a single node or a segment has at its ends, if it is sorted in this way.
fn sorted_by(names: &Names<'_>, block: &Block, order: Order) -> Option<Sorted> {
    if let Some(segment) = block.segment() {
        return segment.order.filter(|sorted| sorted.order == order);
    }
    let value = cell_of_order(names, block, order).filter(|_| block.is_single())?.value;
    Some(Sorted { order, first: value, last: value })
}

/// The number of a single node by which it may be sorted.
fn cell_of_order<'b>(names: &Names<'_>, node: &'b Block, order: Order) -> Option<&'b Cell> {
    let cell = node.cells.get(&order.offset)?;
    (cell.size == order.size && !names.holds_address(cell.value)).then_some(cell)
}

/// The number of a single node where a known segment has its order.
pub(crate) fn sorted_cell<'b>(
    names: &Names<'_>,
    known: &Block,
    node: &'b Block,
) -> Option<&'b Cell> {
    cell_of_order(names, node, order(known)?)
}

/// Whether what a known segment says of its order can be said of the new side's segment or node.
pub(crate) fn is_sorted_alike(names: &Names<'_>, known: &Block, new: &Block) -> bool {
    order(known).is_none_or(|order| sorted_by(names, new, order).is_some())
}

/// A node of a kind that comes out of a segment, with its number if the segment is sorted.
pub(crate) fn sorted_node(
    names: &mut Names<'_>,
    state: &mut State,
    id: BlockId,
    kind: &Prototype,
    neighbours: Neighbours,
    number: Option<(Order, TermId)>,
) -> Block {
    let given = number.and_then(|(order, value)| {
        let node = kind.blocks.values().next()?;
        let cell = node.cells.get(&order.offset)?;
        let is_own = cell.size == order.size && kind.numbers.contains(&cell.value);
        is_own.then_some((cell.value, value))
    });
    let mut node = node_with(names, state, id, kind, neighbours, given);
    if let Some((order, value)) = number {
        put_number(names, state, &mut node, order, value);
    }
    node
}

/// The only node of a segment has the numbers of both ends.
pub(crate) fn sort_only(names: &mut Names<'_>, state: &mut State, sorted: Option<Sorted>) {
    let Some(Sorted { first, last, .. }) = sorted else { return };
    if names.terms.as_variable(last).is_some() && first != last {
        names.replace(state, &BTreeMap::from([(last, first)]));
    } else {
        let is_same = names.terms.equal(first, last);
        assume(names, state, is_same, None);
    }
}

/// What is left of a segment has another number at the end where a node was taken.
pub(crate) fn sort_rest(
    names: &mut Names<'_>,
    state: &mut State,
    sorted: Option<Sorted>,
    end: End,
) -> Option<Sorted> {
    let sorted = sorted?;
    let between = names.fresh("sorted", names.terms.width(sorted.first));
    assume_order(names, state, sorted.order, (sorted.first, between));
    assume_order(names, state, sorted.order, (between, sorted.last));
    Some(match end {
        End::First | End::Previous => Sorted { first: between, ..sorted },
        End::Last | End::Next => Sorted { last: between, ..sorted },
    })
}

/// Says which number a node has. If its kind has these bytes in other pieces, nothing is said.
fn put_number(
    names: &mut Names<'_>,
    state: &mut State,
    node: &mut Block,
    order: Order,
    value: TermId,
) {
    let Order { offset, size, .. } = order;
    match node.cells.get(&offset).copied() {
        Some(cell) if cell.size == size && !names.holds_address(cell.value) => {
            let is_same = names.terms.equal(cell.value, value);
            assume(names, state, is_same, None);
        }
        Some(_) => return,
        None => {
            let before = node.cells.range(..offset).next_back();
            let is_touched = before.is_some_and(|(&start, cell)| start + cell.size > offset)
                || node.cells.range(offset..offset + size).next().is_some();
            if is_touched || node.rest != Rest::Uninitialised {
                return;
            }
        }
    }
    node.cells.insert(offset, Cell { size, value });
}

fn assume_order(
    names: &mut Names<'_>,
    state: &mut State,
    order: Order,
    (one, next): (TermId, TermId),
) {
    let holds = match order.direction {
        Direction::Up => names.terms.signed_less_equal(one, next),
        Direction::Down => names.terms.signed_less_equal(next, one),
    };
    assume(names, state, holds, None);
}

fn order(block: &Block) -> Option<Order> {
    block.segment()?.order.map(|sorted| sorted.order)
}
