//! Elements of several nodes: a list may repeat two nodes at a time.
//!
//! Where two neighbours cannot be nodes of one segment, because they carry different payload constants or share
//! a block, the first of them may form an element with its follower: it owns the follower, and the
//! link to the next element is in the follower. Only singly linked lists are folded in this way.

use std::collections::{BTreeMap, BTreeSet};

use crate::heap::block::{Block, BlockId, Field, Prototype};
use crate::heap::incoming::{Referrer, Referrers, is_held_by_variable};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::precision::Precision;
use crate::summary::fold::{Candidate, Refused};
use crate::summary::list::fold::{Pair, Side};
use crate::summary::list::links::Links;
use crate::summary::matched::Match;
use crate::summary::matching::{may_match, referrers_beside};
use crate::summary::payload::{have_other_constants, is_payload_constant, policy};
use crate::summary::refusal::Refusal;

impl Side {
    /// Whether it is an element of several nodes.
    fn is_compound(&self) -> bool {
        self.at != self.block
    }

    fn key(&self) -> [BlockId; 2] {
        [self.block, self.at]
    }
}

impl Pair {
    /// Whether one of both is an element of several nodes.
    pub(crate) fn has_compound(&self) -> bool {
        self.first.is_compound() || self.second.is_compound()
    }

    /// Two elements, by first block and by the block with the link.
    pub(crate) fn key_of_elements(&self) -> [BlockId; 4] {
        let ([a, b], [c, d]) = (self.first.key(), self.second.key());
        [a, b, c, d]
    }
}

/// The path from the node to the link of an element of two nodes: the offset in the node, and
/// that in the block that it leads to.
pub(crate) fn path_to_link(names: &mut Names<'_>, prototype: &Prototype) -> Option<(u64, u64)> {
    let next = names.closed_neighbours(prototype.height).next;
    if prototype.offsets_of(next).next().is_some() {
        return None;
    }
    let node = prototype.node();
    for (id, block) in prototype.blocks.iter().skip(1) {
        if !block.is_single() {
            continue;
        }
        let cells = block.cells.iter();
        let Some((&last, _)) = cells.clone().find(|(_, cell)| cell.value == next) else {
            continue;
        };
        let mut leads = |value| names.pointer(value).is_some_and(|(target, _)| target == *id);
        let first = node.cells.iter().find(|(_, cell)| leads(cell.value));
        if let Some((&first, _)) = first {
            return Some((first, last));
        }
    }
    None
}

/// A pair of which at least one is an element of several nodes.
pub(crate) fn find_elements(
    names: &mut Names<'_>,
    precision: &Precision,
    state: &State,
    refused: &Refused,
) -> Option<Pair> {
    if !policy(precision).has_elements() {
        return None;
    }
    let referrers = names.referrers(state);
    let firsts: Vec<BlockId> =
        state.blocks.keys().copied().filter(|&id| state.is_node(id)).collect();
    let all: BTreeMap<BlockId, Vec<Side>> =
        firsts.iter().map(|&id| (id, sides(names, precision, state, &referrers, id))).collect();
    if !all.values().flatten().any(Side::is_compound) {
        return None;
    }
    let mut best: Option<((bool, bool, usize), Pair)> = None;
    for first in firsts {
        for a in &all[&first] {
            let Some((second, head)) = names.pointer(a.link(state)) else { continue };
            let Some(head) = names.constant(head) else { continue };
            if second == first || !state.blocks.contains_key(&second) {
                continue;
            }
            let has_link_there = |b: &&Side| match (a.links, b.links) {
                (Some(one), Some(other)) => one.next == other.next,
                (None, _) | (_, None) => true,
            };
            for b in all.get(&second).into_iter().flatten().filter(has_link_there) {
                let both = (a.clone(), b.clone());
                let Ok(pair) = pair_elements(names, state, &referrers, both, head as u64) else {
                    continue;
                };
                // From the start of a chain on; what is taken together with what follows comes
                // first, then what owns least.
                let is_inside = is_behind_single_node(state, &referrers, first);
                let rank = (is_inside, pair.first.is_compound(), pair.size());
                let is_better = best.as_ref().is_none_or(|(best, _)| rank < *best);
                if is_better && !refused.contains(&pair.key()) {
                    best = Some((rank, pair));
                }
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// Whether a node comes behind a single node of the same size.
fn is_behind_single_node(state: &State, referrers: &Referrers, node: BlockId) -> bool {
    let size = state.block(node).size;
    referrers.get(&node).into_iter().flatten().any(|holder| {
        let Referrer::Block(id, _) = holder else { return false };
        let other = state.block(*id);
        *id != node && other.is_single() && other.size == size
    })
}

/// How a block can be an element: as a segment, as a node, as a node with its follower.
fn sides(
    names: &mut Names<'_>,
    precision: &Precision,
    state: &State,
    referrers: &Referrers,
    block: BlockId,
) -> Vec<Side> {
    if !state.is_node(block) {
        return Vec::new();
    }
    if state.block(block).segment().is_some_and(|segment| segment.last.is_none()) {
        return vec![Side { block, at: block, links: None, owned: BTreeSet::new() }];
    }
    if !state.block(block).is_single() {
        return Vec::new();
    }
    let pointer_size = names.model().pointer_size();
    let node = state.block(block);
    let offsets = node.cells.iter().filter(|(_, cell)| cell.size == pointer_size);
    let offsets: Vec<u64> = offsets.map(|(&at, _)| at).collect();
    let mut sides = Vec::new();
    for next in offsets {
        let value = node.cells[&next].value;
        let target = names.pointer(value);
        let head = target.and_then(|(_, head)| names.constant(head)).unwrap_or(0) as u64;
        let links = Links { next, previous: None, head };
        let owned = names.payload(state, referrers, block, &|offset| offset == next);
        sides.push(Side { block, at: block, links: Some(links), owned });
        let Some((follower, _)) = target else { continue };
        let fits = follower != block
            && state.blocks.get(&follower).is_some_and(|other| {
                other.is_single()
                    && other.size == node.size
                    && other.cells.get(&next).is_some_and(|cell| cell.size == pointer_size)
            })
            && state.is_node(follower);
        if fits && !is_end_of_element(names, precision, state, referrers, block) {
            let is_link = |id: BlockId, offset: u64| id == follower && offset == next;
            let owned = names.payload_beside(state, referrers, block, &is_link);
            if !owned.contains(&follower) {
                continue;
            }
            let belong_together = have_other_constants(names, state, (block, follower))
                || share_a_block(
                    names,
                    precision,
                    state,
                    referrers,
                    (block, follower),
                    Field::Cell(next),
                );
            if belong_together {
                sides.push(Side { block, at: follower, links: Some(links), owned });
            }
        }
    }
    sides
}

/// Two elements as one segment, if they can be; `pair_up` does this for single nodes.
fn pair_elements(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    (first, second): (Side, Side),
    head: u64,
) -> Result<Pair, Refusal> {
    if !first.is_compound() && !second.is_compound() {
        return Err(Refusal::PartOfElement(first.block));
    }
    let (a, b) = (state.block(first.block), state.block(second.block));
    let agrees = |block: &Block| block.segment().is_none_or(|segment| segment.head == head);
    if a.size != b.size || a.rest != b.rest {
        return Err(Refusal::OtherForm(first.block, second.block));
    }
    if !agrees(a) || !agrees(b) {
        return Err(Refusal::NoLinks(first.block, second.block));
    }
    let strangers = [first.block, second.block, first.at, second.at];
    let owns = |side: &Side, other: &Side| {
        side.owned.contains(&other.block) || side.owned.contains(&other.at)
    };
    if owns(&first, &second)
        || owns(&second, &first)
        || first.owned.contains(&strangers[0])
        || second.owned.contains(&strangers[1])
        || !first.owned.is_disjoint(&second.owned)
    {
        return Err(Refusal::OwnsNeighbour(first.block, second.block));
    }
    let value = first.link(state);
    let is_link = |id: BlockId, field: Field| {
        let is_inside = id == first.block || first.owned.contains(&id);
        is_inside && state.block(id).field(field) == Some(value)
    };
    // Nothing else may hold the second.
    let mut held = referrers.get(&second.block).into_iter().flatten();
    let is_free = held.all(|holder| match *holder {
        Referrer::Root | Referrer::Block(_, None) => false,
        Referrer::Block(id, Some(field)) if id == second.block => {
            let is_own_link = second.at == id && second.next() == field;
            b.is_single() && !is_own_link
        }
        Referrer::Block(id, Some(field)) => second.owned.contains(&id) || is_link(id, field),
    });
    // The end must not be something that the fold removes.
    let end = names.pointer(second.link(state));
    let is_removed =
        |id: BlockId| id == second.block || first.owned.contains(&id) || second.owned.contains(&id);
    if !is_free || end.is_some_and(|(id, _)| is_removed(id)) {
        return Err(Refusal::HeldFromOutside(second.block));
    }
    let is_cursor = is_held_by_variable(state, referrers, first.block);
    Ok(Pair { first, second, head, back: head, is_doubly_linked: false, is_cursor })
}

/// Whether a node comes behind another with other payload constants, and so is one element with it, counted
/// from where the single nodes begin.
pub(crate) fn is_end_of_element(
    names: &Names<'_>,
    precision: &Precision,
    state: &State,
    referrers: &Referrers,
    node: BlockId,
) -> bool {
    if !policy(precision).has_elements() || !state.block(node).is_single() {
        return false;
    }
    let mut nodes = vec![node];
    // Ends because a chain that comes back to itself has no beginning.
    while let Some(before) = marked_predecessor(names, state, referrers, nodes[nodes.len() - 1]) {
        if nodes.contains(&before) {
            return false;
        }
        nodes.push(before);
    }
    nodes.len().is_multiple_of(2)
}

/// The single node of the same size before a node, if it has other payload constants.
fn marked_predecessor(
    names: &Names<'_>,
    state: &State,
    referrers: &Referrers,
    node: BlockId,
) -> Option<BlockId> {
    // What a variable points to begins something.
    if is_held_by_variable(state, referrers, node) {
        return None;
    }
    let before = referrers.get(&node).into_iter().flatten();
    let mut before = before.filter_map(|holder| match holder {
        Referrer::Block(id, Some(_)) => Some(*id),
        Referrer::Root | Referrer::Block(_, None) => None,
    });
    before.find(|&id| {
        id != node && state.is_node(id) && have_other_constants(names, state, (id, node))
    })
}

/// Whether two neighbours own more together than each for itself: then they are one element.
pub(crate) fn share_a_block(
    names: &mut Names<'_>,
    precision: &Precision,
    state: &State,
    referrers: &Referrers,
    (first, second): (BlockId, BlockId),
    next: Field,
) -> bool {
    let is_single = |id: BlockId| state.block(id).is_single();
    if !policy(precision).has_elements() || !is_single(first) || !is_single(second) {
        return false;
    }
    let Field::Cell(next) = next else { return false };
    let is_link = |id: BlockId, offset: u64| id == second && offset == next;
    let together = names.payload_beside(state, referrers, first, &is_link);
    let mut alone =
        |id: BlockId| 1 + names.payload(state, referrers, id, &|offset| offset == next).len();
    together.contains(&second) && 1 + together.len() > alone(first) + alone(second)
}

/// How a single new node of a compound prototype holds the next element: the block and the offset.
pub(crate) fn compound_links(
    names: &mut Names<'_>,
    state: &State,
    found: &Match,
    segment: &Segment,
    node: BlockId,
) -> Option<(BlockId, Links)> {
    for prototype in &segment.prototypes {
        let Some((onward, next)) = path_to_link(names, prototype) else { continue };
        let root = prototype.node();
        let block = state.block(node);
        let has_marks = root.cells.iter().all(|(offset, cell)| {
            let other = block.cells.get(offset);
            !is_payload_constant(names, cell.value)
                || other.is_some_and(|other| other.value == cell.value)
        });
        let Some(to_follower) = block.cells.get(&onward).map(|cell| cell.value) else { continue };
        let Some((follower, _)) = names.pointer(to_follower) else { continue };
        let Some(other) = state.blocks.get(&follower) else { continue };
        if !has_marks || !other.is_single() || follower == node {
            continue;
        }
        let Some(link) = other.cells.get(&next).map(|cell| cell.value) else { continue };
        if !may_match(names, found, (segment.ends.next, link)) {
            continue;
        }
        let referrers = referrers_beside(names, state, found, node);
        let is_link = |id: BlockId, offset: u64| id == follower && offset == next;
        if names.payload_beside(state, &referrers, node, &is_link).contains(&follower) {
            return Some((follower, Links { next, previous: None, head: segment.head }));
        }
    }
    None
}
