//! Links: where single nodes hold their neighbours.
//!
//! The links of a segment are told by its prototypes. Those of a single node are looked for where its
//! neighbour has them; if there are several places, where it goes on to what is not its own.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Field, Origin, Prototype};
use crate::heap::incoming::Referrers;
use crate::heap::names::Names;
use crate::heap::prototype::Neighbours;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::matched::Match;
use crate::summary::matching::{may_match, referrers_beside};

/// Where a single node holds its neighbours, and where these links point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) next: u64,
    pub(crate) previous: Option<u64>,
    pub(crate) head: u64,
}

impl Links {
    pub(crate) fn has(self, offset: u64) -> bool {
        offset == self.next || Some(offset) == self.previous
    }

    pub(crate) fn is_at(self, field: Field) -> bool {
        match field {
            Field::Cell(offset) => self.has(offset),
            Field::End(_) => false,
        }
    }
}

/// Nodes that are looked at to see whether one like the first comes again.
const LONGEST_LOOK: usize = 24;

/// Whether nodes that were made where the first was come again behind the second.
pub(crate) fn origin_comes_again(
    names: &mut Names<'_>,
    state: &State,
    (first, second): (BlockId, BlockId),
    next: Field,
) -> bool {
    let origins = state.block(first).origins();
    comes_again(names, state, (first, second), next, &|names, block| {
        let others = block.origins();
        let is_alike = |one: &Origin| others.iter().any(|other| names.are_made_alike(*one, *other));
        origins.iter().any(is_alike)
    })
}

/// Whether a node like the first comes again behind the second, along the same links.
pub(crate) fn comes_again(
    names: &mut Names<'_>,
    state: &State,
    (first, second): (BlockId, BlockId),
    next: Field,
    is_like_first: &dyn Fn(&Names<'_>, &Block) -> bool,
) -> bool {
    // Single nodes have their links where the nodes of the first have theirs.
    let next = match next {
        Field::Cell(_) => Some(next),
        Field::End(_) => {
            let offsets =
                offsets_in_prototypes(names, state.block(first).prototypes(), |its| its.next);
            offsets.first().copied().map(Field::Cell)
        }
    };
    let Some(next) = next else { return false };
    let mut node = second;
    for _ in 0..LONGEST_LOOK {
        let block = state.block(node);
        let field = if block.is_single() { next } else { Field::End(End::Next) };
        let Some(value) = block.field(field) else { return false };
        let Some((onward, _)) = names.pointer(value) else { return false };
        if onward == first || onward == second || !state.blocks.contains_key(&onward) {
            return false;
        }
        if state.is_node(onward) && is_like_first(names, state.block(onward)) {
            return true;
        }
        node = onward;
    }
    false
}

/// Where two neighbours hold theirs, as far as they are single nodes.
pub(crate) struct PairLinks {
    pub(crate) first: Option<Links>,
    pub(crate) second: Option<Links>,
    /// Where in a node the links back point to.
    pub(crate) back: u64,
}

/// Where the neighbours hold theirs, as far as they are single nodes.
pub(crate) fn links_of_pair(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    (first, second): (BlockId, BlockId),
    (next, head): (Field, u64),
) -> Option<PairLinks> {
    let (a, b) = (state.block(first), state.block(second));
    let last = last_node(a, first);
    let is_single = |block: &Block| block.is_single();
    let nexts = match next {
        Field::Cell(next) => vec![next],
        Field::End(_) => offsets_in_prototypes(names, a.prototypes(), |its| its.next),
    };
    let (previous, back) = if is_single(b) {
        // A doubly linked neighbour points back to the last node before it.
        let found = link_back(names, b, last, head, &nexts);
        (found.map(|(previous, _)| previous), found.map_or(head, |(_, back)| back))
    } else {
        let previous =
            offsets_in_prototypes(names, b.prototypes(), |its| its.previous).first().copied();
        let back = b.segment().map_or(head, |segment| segment.back);
        // So does the first node of a doubly linked segment.
        if previous.is_some() && b.end(End::Previous) != Some(names.link(last, back)) {
            return None;
        }
        (previous, back)
    };
    let again = |_: &mut Names<'_>| referrers.clone();
    let links_of_second = if is_single(b) {
        let next = choose_link(names, state, &again, second, &nexts, previous.as_slice())?;
        // A doubly linked chain is one from either end: it is read along its lower link. One whose links back point
        // to links is one from its other end only if the links point to links back.
        let is_both = |previous: u64| back == head || head == previous;
        if previous.is_some_and(|previous| previous < next && is_both(previous)) {
            return None;
        }
        Some(Links { next, previous, head })
    } else {
        None
    };
    let links = match next {
        Field::Cell(next) => {
            let previous = match previous {
                Some(offset) => Some(choose_link(names, state, &again, first, &[offset], &nexts)?),
                None => None,
            };
            Some(Links { next, previous, head })
        }
        Field::End(_) => None,
    };
    Some(PairLinks { first: links, second: links_of_second, back })
}

/// At which offsets nodes of some prototypes hold a neighbour.
pub(crate) fn offsets_in_prototypes(
    names: &mut Names<'_>,
    prototypes: &[Arc<Prototype>],
    neighbour: fn(Neighbours) -> TermId,
) -> Vec<u64> {
    let mut offsets = Vec::new();
    for prototype in prototypes {
        let stand_in = neighbour(names.closed_neighbours(prototype.height));
        for offset in prototype.offsets_of(stand_in) {
            if !offsets.contains(&offset) {
                offsets.push(offset);
            }
        }
    }
    offsets
}

/// At which of the `usual` offsets a single node holds a neighbour; not at one of the `others`.
pub(crate) fn choose_link(
    names: &mut Names<'_>,
    state: &State,
    referrers: &dyn Fn(&mut Names<'_>) -> Referrers,
    node: BlockId,
    usual: &[u64],
    others: &[u64],
) -> Option<u64> {
    let block = state.block(node);
    let pointer_size = names.model().pointer_size();
    let mut usual: Vec<u64> = usual.to_vec();
    usual.retain(|offset| {
        !others.contains(offset)
            && block.cells.get(offset).is_some_and(|cell| {
                // A number that the program counts is no neighbour.
                let is_count = names.constant(cell.value).is_some_and(|value| value != 0);
                cell.size == pointer_size && !is_count
            })
    });
    let first = *usual.first()?;
    let value = |offset: &u64| block.cells[offset].value;
    if usual.iter().all(|offset| value(offset) == value(&first)) {
        return Some(first);
    }
    // A neighbour of a node around is not the node's own.
    if let Some(offset) = usual.iter().find(|offset| names.links.contains(&value(offset))) {
        return Some(*offset);
    }
    // What is held from elsewhere as well is not the node's own either: there the chain goes on.
    let referrers = referrers(names);
    let own = names.payload(state, &referrers, node, &|offset| others.contains(&offset));
    for offset in &usual {
        let target = names.pointer(value(offset)).map(|(target, _)| target);
        let is_outside = |target: BlockId| {
            target != node && state.blocks.contains_key(&target) && !own.contains(&target)
        };
        if target.is_some_and(is_outside) {
            return Some(*offset);
        }
    }
    usual.into_iter().rev().max_by_key(|&next| {
        let is_link = |offset: u64| offset == next || others.contains(&offset);
        names.payload(state, &referrers, node, &is_link).len()
    })
}

/// How many links back the follower of a single doubly linked block has to it.
pub(crate) fn back_links(
    names: &mut Names<'_>,
    state: &State,
    block: BlockId,
    links: Links,
) -> usize {
    let (Some(previous), Some(onward)) =
        (links.previous, state.block(block).cells.get(&links.next))
    else {
        return 0;
    };
    let Some((follower, at)) = names.pointer(onward.value) else { return 0 };
    let Some(follower) = state.blocks.get(&follower) else { return 0 };
    // The link back is where the follower's own node has it, relative to where links point.
    let Some(at) = names.constant(at) else { return 0 };
    let back = if follower.is_summary() {
        Field::End(End::Previous)
    } else {
        Field::Cell((at as u64).wrapping_add(previous).wrapping_sub(links.head))
    };
    let Some(value) = follower.field(back) else { return 0 };
    let Some((target, _)) = names.pointer(value) else { return 0 };
    usize::from(target == block)
}

/// Where a single node holds the node before it, and where in that this link points to: where all links do, or to the
/// link that leads here.
fn link_back(
    names: &mut Names<'_>,
    block: &Block,
    last: BlockId,
    head: u64,
    nexts: &[u64],
) -> Option<(u64, u64)> {
    let pointer_size = names.model().pointer_size();
    let mut back_to = |wanted: &dyn Fn(u64) -> bool| {
        block.cells.iter().find_map(|(&offset, cell)| {
            if nexts.contains(&offset) || cell.size != pointer_size {
                return None;
            }
            let (target, at) = names.pointer(cell.value)?;
            let at = u64::try_from(names.constant(at)?).ok()?;
            (target == last && wanted(at)).then_some((offset, at))
        })
    };
    back_to(&|at| at == head).or_else(|| back_to(&|at| nexts.contains(&at)))
}

/// Where a single node holds its neighbours, if it is one of a segment.
pub(crate) fn links_like(
    names: &mut Names<'_>,
    state: &State,
    found: &Match,
    segment: &Segment,
    node: BlockId,
) -> Option<Links> {
    let mut next = offsets_in_prototypes(names, &segment.prototypes, |its| its.next);
    let mut previous = offsets_in_prototypes(names, &segment.prototypes, |its| its.previous);
    // Only what may be the end of the known segment is one.
    let ends = segment.ends;
    for (known, offsets) in [(Some(ends.next), &mut next), (ends.previous, &mut previous)] {
        if offsets.len() > 1 {
            let Some(known) = known else { continue };
            let block = state.block(node);
            offsets.retain(|offset| {
                let new = block.cells.get(offset).map(|cell| cell.value);
                new.is_some_and(|new| may_match(names, found, (known, new)))
            });
        }
    }
    let referrers = |names: &mut Names<'_>| referrers_beside(names, state, found, node);
    let previous = match segment.last {
        Some(_) => Some(choose_link(names, state, &referrers, node, &previous, &next)?),
        None => None,
    };
    let next = choose_link(names, state, &referrers, node, &next, previous.as_slice())?;
    Some(Links { next, previous, head: segment.head })
}

/// The block that stands for the last node of what starts with `first`.
pub(crate) fn last_node(block: &Block, first: BlockId) -> BlockId {
    block.segment().and_then(|segment| segment.last).unwrap_or(first)
}
