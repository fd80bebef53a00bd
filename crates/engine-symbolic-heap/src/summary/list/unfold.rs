//! Unfolding: a node comes out of a segment, at the end that is used.
//!
//! A segment of at least two nodes gives a node and a segment of one less. One of at least one node
//! gives two cases: the node is the only one, or there are more. One that may be empty gives two as well: it is
//! empty, and its name is null, or it has a node.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Prototype};
use crate::heap::language::Choice;
use crate::heap::names::Names;
use crate::heap::prototype::Neighbours;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::reasoning::path_condition::assume;
use crate::summary::list::facts::{FACTS, Taken, TakenOut};

/// Takes out the node that `block` stands for: the first or the last of its segment.
pub(crate) fn unfold_segment(names: &mut Names<'_>, state: State, block: BlockId) -> Vec<State> {
    let from_the_end = state.block(block).is_peer();
    let first = state.block(block).peer_of().unwrap_or(block);
    let segment = state.block(first).segment().expect("a segment").clone();
    if segment.may_be_empty() {
        return vec![
            no_list(names, state.clone(), first, &segment),
            some_node(names, state, first),
        ];
    }
    let mut states = Vec::new();
    for Choice { prototype, may_be_only, rest } in segment.choices(from_the_end) {
        if may_be_only && FACTS.iter().all(|fact| fact.may_be_single(&segment)) {
            states.extend(only_node(names, state.clone(), first, &segment, &prototype));
        }
        let may_be_longer = FACTS.iter().all(|fact| fact.may_be_longer(&segment));
        let Some((prototypes, sequence)) = rest.filter(|_| may_be_longer) else { continue };
        let rest = Segment { prototypes, sequence, ..segment.clone() };
        states.extend(if from_the_end {
            take_last(names, state.clone(), first, &rest, &prototype)
        } else {
            take_first(names, state.clone(), first, &rest, &prototype)
        });
    }
    states
}

/// The segment is empty.
fn no_list(names: &mut Names<'_>, mut state: State, first: BlockId, segment: &Segment) -> State {
    for fact in FACTS {
        fact.tell_none(names, &mut state, segment);
    }
    no_node(names, state, first)
}

/// What a block stands for has no node: its name is null.
pub(crate) fn no_node(names: &mut Names<'_>, mut state: State, first: BlockId) -> State {
    state.blocks.remove(&first);
    let null = names.terms.bit_vector(0, names.pointer_bits());
    let name = names.address(first);
    names.replace(&mut state, &BTreeMap::from([(name, null)]));
    state
}

/// The segment is not empty.
fn some_node(names: &mut Names<'_>, mut state: State, first: BlockId) -> State {
    let mut segment = state.block(first).segment().expect("a segment").clone();
    segment.minimum = 1;
    for fact in FACTS {
        fact.tell_some(names, &mut state, &segment);
    }
    state.block_mut(first).role = segment.into();
    state
}

/// The segment is one node.
fn only_node(
    names: &mut Names<'_>,
    mut state: State,
    first: BlockId,
    segment: &Segment,
    prototype: &Prototype,
) -> Vec<State> {
    let from = (segment, Taken::First);
    let node = node_from(names, &mut state, (first, prototype), segment.neighbours(), from);
    state.blocks.insert(first, Arc::new(node));
    for fact in FACTS {
        fact.tell_only(names, &mut state, segment);
    }
    if let Some(last) = segment.last {
        state.blocks.remove(&last);
        let (old, new) = (names.address(last), names.address(first));
        names.replace(&mut state, &BTreeMap::from([(old, new)]));
    }
    let taken = Taken::First;
    tell_state(names, state, &TakenOut { segment, taken, node: first, rest: None })
}

/// The first node keeps the block's number; the rest, the `segment`, gets a new one.
fn take_first(
    names: &mut Names<'_>,
    mut state: State,
    first: BlockId,
    segment: &Segment,
    prototype: &Prototype,
) -> Vec<State> {
    let mut chain = state.block(first).as_ref().clone();
    let rest = state.new_block_id();
    let next = names.link(rest, segment.head);
    let neighbours = Neighbours { next, ..segment.neighbours() };
    let from = (segment, Taken::First);
    let node = node_from(names, &mut state, (first, prototype), neighbours, from);
    let mut others = others(names, &mut state, segment, Taken::First);
    if let Some(last) = segment.last {
        others.ends.previous = Some(names.link(first, segment.back));
        state.block_mut(last).make_peer_of(rest);
    }
    chain.role = others.into();
    state.blocks.insert(first, Arc::new(node));
    state.blocks.insert(rest, Arc::new(chain));
    let (taken, rest) = (Taken::First, Some(rest));
    tell_state(names, state, &TakenOut { segment, taken, node: first, rest })
}

/// The last node gets the number that stood for it; the rest gets a new last one.
fn take_last(
    names: &mut Names<'_>,
    mut state: State,
    first: BlockId,
    segment: &Segment,
    prototype: &Prototype,
) -> Vec<State> {
    let last = segment.last.expect("only doubly linked ones have a last node");
    let mut stand_in = state.block(last).as_ref().clone();
    let new_last = state.new_block_id();
    let mut chain = state.block(first).as_ref().clone();
    let previous = names.link(new_last, segment.back);
    let neighbours = Neighbours { previous, ..segment.neighbours() };
    let from = (segment, Taken::Last);
    let node = node_from(names, &mut state, (last, prototype), neighbours, from);
    let mut others = others(names, &mut state, segment, Taken::Last);
    stand_in.make_peer_of(first);
    others.ends.next = names.link(last, segment.head);
    others.last = Some(new_last);
    chain.role = others.into();
    state.blocks.insert(first, Arc::new(chain));
    state.blocks.insert(last, Arc::new(node));
    state.blocks.insert(new_last, Arc::new(stand_in));
    let (taken, rest) = (Taken::Last, Some(first));
    tell_state(names, state, &TakenOut { segment, taken, node: last, rest })
}

/// The cases that facts tell apart once a node was taken out.
fn tell_state(names: &mut Names<'_>, state: State, out: &TakenOut<'_>) -> Vec<State> {
    FACTS.iter().fold(vec![state], |states, fact| {
        states.into_iter().flat_map(|state| fact.tell_state(names, state, out)).collect()
    })
}

/// A node that comes out of a segment, with what facts say of it.
fn node_from(
    names: &mut Names<'_>,
    state: &mut State,
    (id, prototype): (BlockId, &Prototype),
    neighbours: Neighbours,
    from: (&Segment, Taken),
) -> Block {
    let given = FACTS.iter().find_map(|fact| fact.given(from.0, from.1, prototype));
    let mut node = node_with(names, state, id, prototype, neighbours, given);
    for fact in FACTS {
        fact.tell_node(names, state, from, &mut node);
    }
    node
}

/// The segment without a node at one end.
fn others(names: &mut Names<'_>, state: &mut State, segment: &Segment, taken: Taken) -> Segment {
    let mut others = segment.clone();
    for fact in FACTS {
        fact.uncons(names, state, taken, &mut others);
    }
    others
}

/// One node of a prototype: what it owns comes into the state with it. One of its own numbers may be given.
pub(crate) fn node_with(
    names: &mut Names<'_>,
    state: &mut State,
    id: BlockId,
    prototype: &Prototype,
    neighbours: Neighbours,
    given: Option<(TermId, TermId)>,
) -> Block {
    let fragment = names.open_with(state, prototype, id, neighbours, given);
    for conjunct in fragment.condition {
        assume(names, state, conjunct, None);
    }
    let mut blocks = fragment.blocks.into_iter();
    let (_, node) = blocks.next().expect("a prototype has a node");
    state.blocks.extend(blocks);
    let mut node = Arc::unwrap_or_clone(node);
    node.serial = state.block(id).serial;
    node
}
