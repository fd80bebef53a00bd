//! Sorted lists: a segment may say that a number in its nodes never falls, or never grows, from each
//! node to the next; strictly, if no two neighbours have the same.
//!
//! Such a segment tells what its first node has at that place, and what its last has.
//! So what is known of a node beside the segment is an order between two numbers of the state, which
//! is joined and compared like any other. Of nodes in between the order alone is known, and what
//! their prototypes say. Every node has some bytes at that place, written or not, so these numbers exist.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, End, Prototype};
use crate::heap::language::{Places, PrototypeSet};
use crate::heap::names::Names;
use crate::heap::order::{Order, Sorted};
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::precision::{Counts, Precision};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining, Taken};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;
use crate::summary::sorted::{
    assume_order, cell_of_order, is_in_order, level_orders_of_nodes, orders_of_nodes, put_number,
};

#[derive(Debug)]
pub(crate) struct Sortedness;

impl ChainFact for Sortedness {
    fn ends(&self) -> &'static [End] {
        &[End::First, End::Last]
    }

    fn can_be_said_of(&self, names: &Names<'_>, known: &Segment, new: &Block) -> bool {
        // Strictness is given up where it has to be.
        known.order.is_none_or(|known| {
            known.ways().into_iter().any(|order| sorted_by(names, new, order).is_some())
        })
    }

    fn end_of_node(&self, names: &mut Names<'_>, known: &Segment, node: &Block) -> Option<TermId> {
        Some(cell_of_order(names, node, known.order?.order)?.value)
    }

    fn concatenate(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        (pair, _): (&Pair, &Places),
        segment: &mut Segment,
    ) {
        segment.order = sorted_pair(domain.reasoner, domain.precision, state, pair);
    }

    fn given(
        &self,
        segment: &Segment,
        taken: Taken,
        prototype: &Prototype,
    ) -> Option<(TermId, TermId)> {
        let (order, value) = number(segment, taken)?;
        let cell = prototype.blocks.values().next()?.cells.get(&order.offset)?;
        let is_own = cell.size == order.size && prototype.numbers.contains(&cell.value);
        is_own.then_some((cell.value, value))
    }

    fn tell_node(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        (segment, taken): (&Segment, Taken),
        node: &mut Block,
    ) {
        if let Some((order, value)) = number(segment, taken) {
            put_number(names, state, node, order.place(), value);
        }
    }

    fn tell_only(&self, names: &mut Names<'_>, state: &mut State, segment: &Segment) {
        sort_only(names, state, segment.order);
    }

    fn uncons(&self, names: &mut Names<'_>, state: &mut State, taken: Taken, rest: &mut Segment) {
        rest.order = sort_rest(names, state, rest.order, taken);
    }

    fn entails(
        &self,
        _: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        _: &[PrototypeSet],
    ) -> bool {
        // A single node was compared where its number is.
        new.is_none_or(|new| {
            known.order.is_none_or(|known| new.order.is_some_and(|new| new.is_by(known.order)))
        })
    }

    fn join(
        &self,
        _: &mut Domain<'_, '_>,
        _: &Match,
        sides: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        // Its ends may be general already, so the known segment tells in which ways it is sorted.
        if let (Some(sorted), Some(known)) = (segment.order, sides.known.order) {
            let common = known.ways().into_iter().find(|&way| match sides.new.segment() {
                Some(new) => new.order.is_some_and(|new| new.is_by(way)),
                None => true,
            });
            segment.order = common.map(|order| Sorted { order, ..sorted });
        }
        Some(())
    }
}

/// The number at an end.
fn number(segment: &Segment, taken: Taken) -> Option<(Order, TermId)> {
    let Sorted { order, first, last } = segment.order?;
    Some(match taken {
        Taken::First => (order, first),
        Taken::Last => (order, last),
    })
}

/// How the nodes of two neighbours are sorted, if they are.
fn sorted_pair(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &State,
    pair: &Pair,
) -> Option<Sorted> {
    if !precision.sorting.is_seen() {
        return None;
    }
    let a = Arc::clone(state.block(pair.first.block));
    let b = Arc::clone(state.block(pair.second.block));
    let orders = match a.segment().or(b.segment()) {
        Some(segment) => segment.order?.ways(),
        None => {
            let mut orders = orders_of_nodes(&reasoner.names, state, (&a, &b));
            orders.extend(level_orders_of_nodes(&reasoner.names, &a, &b));
            orders
        }
    };
    orders.into_iter().find_map(|order| {
        let (one, other) =
            (sorted_by(&reasoner.names, &a, order)?, sorted_by(&reasoner.names, &b, order)?);
        is_in_order(reasoner, state, order, (one.last, other.first)).then_some(Sorted {
            order,
            first: one.first,
            last: other.last,
        })
    })
}

/// Whether a pair that is not sorted begins with a node to which a variable points, beside the link that leads to it, and
/// whose number is known to compare with others: a program that sorts goes on from there. This makes more shapes, so it is
/// asked only where flags tell states apart as well, as they do in programs that sort until nothing is left to do.
pub(crate) fn forgets_comparison(domain: &mut Domain<'_, '_>, state: &State, pair: &Pair) -> bool {
    let is_told_apart =
        domain.precision.sorting.is_seen() && domain.precision.counts == Counts::Apart;
    if !is_told_apart || !pair.is_cursor {
        return false;
    }
    let names = &mut domain.reasoner.names;
    let first = pair.first.block;
    let is_on_the_way = names.referrers(state).get(&first).is_some_and(|holders| holders.len() > 1);
    let numbers: Vec<TermId> = state
        .block(first)
        .cells
        .values()
        .map(|cell| cell.value)
        .filter(|&value| names.terms.as_variable(value).is_some() && !names.holds_address(value))
        .collect();
    let is_compared = state.condition.iter().any(|&conjunct| {
        let free = names.terms.free_variables(&[conjunct]);
        free.len() > 1 && free.iter().any(|name| numbers.contains(name))
    });
    is_on_the_way
        && is_compared
        && sorted_pair(domain.reasoner, domain.precision, state, pair).is_none()
}

/// What a single node or a segment has at its ends, if it is sorted in this way.
fn sorted_by(names: &Names<'_>, block: &Block, order: Order) -> Option<Sorted> {
    if let Some(segment) = block.segment() {
        let sorted = segment.order.filter(|sorted| sorted.is_by(order));
        return sorted.map(|sorted| Sorted { order, ..sorted });
    }
    let value = cell_of_order(names, block, order).filter(|_| block.is_single())?.value;
    Some(Sorted { order, first: value, last: value })
}

/// The only node of a segment has the numbers of both ends.
fn sort_only(names: &mut Names<'_>, state: &mut State, sorted: Option<Sorted>) {
    let Some(Sorted { first, last, .. }) = sorted else { return };
    if names.terms.as_variable(last).is_some() && first != last {
        names.replace(state, &BTreeMap::from([(last, first)]));
    } else {
        let is_same = names.terms.equal(first, last);
        assume(names, state, is_same, None);
    }
}

/// What is left of a segment has another number at the end where a node was taken.
fn sort_rest(
    names: &mut Names<'_>,
    state: &mut State,
    sorted: Option<Sorted>,
    taken: Taken,
) -> Option<Sorted> {
    let sorted = sorted?;
    if sorted.is_level() {
        return Some(sorted);
    }
    let between = names.fresh("sorted", names.terms.width(sorted.first));
    // What is left may be one node, which is both its ends.
    let (order, loosened) = (sorted.order, sorted.order.loosened());
    let (below, above) = match taken {
        Taken::First => (order, loosened),
        Taken::Last => (loosened, order),
    };
    assume_order(names, state, below, (sorted.first, between));
    assume_order(names, state, above, (between, sorted.last));
    Some(match taken {
        Taken::First => Sorted { first: between, ..sorted },
        Taken::Last => Sorted { last: between, ..sorted },
    })
}
