//! When a graph describes another: its blocks can be sent to nodes so that all that is said of these holds.
//!
//! Nodes are sent where listed words lead, from the roots on; what only an unlisted word leads to is not
//! spoken of. This says what certificates mean: the check asks it of graphs that a step leads to, and the
//! oracle of the memory of a running machine, whose graph has a node for each block.

use std::collections::BTreeSet;

use heapwright_base::IdVec;

use crate::graph::{Graph, NodeId, Target, Targets};
use crate::state::State;

/// Ways to send nodes to nodes that are tried.
const MOST_TRIES: u32 = 20_000;

/// Whether the claimed state describes the other. `None`: not found out with so many tries.
pub fn describes(claimed: &State, other: &State) -> Option<bool> {
    let are_numbers_equal =
        claimed.numbers.iter().all(|(id, bits)| other.numbers.get(id) == Some(bits));
    let is_fit = claimed.spot == other.spot
        && are_numbers_equal
        && claimed.objects.is_subset(&other.objects);
    if !is_fit {
        return Some(false);
    }
    let (large, small) = (&claimed.graph, &other.graph);
    let images = IdVec::filled(None, small.nodes.len());
    let mut search = Search { large, small, images, tries: MOST_TRIES };
    let mut open = Vec::new();
    for (root, allowed) in &large.roots {
        if !search.allows(allowed, small.roots.get(root), &mut open) {
            return Some(false);
        }
    }
    let is_found = search.place(open);
    (is_found || search.tries > 0).then_some(is_found)
}

/// A node that is to be sent somewhere, and where it may go.
type Open = (NodeId, Vec<NodeId>);

struct Search<'g> {
    large: &'g Graph,
    small: &'g Graph,
    images: IdVec<NodeId, Option<NodeId>>,
    tries: u32,
}

impl Search<'_> {
    /// Whether a word may hold what it does; what that asks of nodes is added.
    fn allows(&self, allowed: &Targets, held: Option<&Targets>, open: &mut Vec<Open>) -> bool {
        let Some(held) = held else { return false };
        held.iter().all(|target| match (target.node(), target.place()) {
            (Some(node), Some((_, offset))) => {
                let is_there = |it: &&Target| it.place().is_some_and(|place| place.1 == offset);
                let candidates = allowed.iter().filter(is_there).filter_map(|it| it.node());
                open.push((node, candidates.collect()));
                true
            }
            (Some(_) | None, _) => allowed.contains(target),
        })
    }

    /// Sends all open nodes somewhere.
    fn place(&mut self, mut open: Vec<Open>) -> bool {
        while let Some(index) = open.iter().position(|(node, _)| self.images[*node].is_some()) {
            let (node, candidates) = open.swap_remove(index);
            if !candidates.iter().any(|candidate| self.images[node] == Some(*candidate)) {
                return false;
            }
        }
        let narrowest = (0..open.len()).min_by_key(|index| open[*index].1.len());
        let Some(narrowest) = narrowest else { return self.bits_hold() };
        let (node, candidates) = open.swap_remove(narrowest);
        for candidate in candidates {
            self.tries = self.tries.saturating_sub(1);
            if self.tries == 0 {
                return false;
            }
            if !self.takes(candidate, node) {
                continue;
            }
            self.images[node] = Some(candidate);
            let mut further = open.clone();
            let words = &self.small.nodes[node].words;
            let is_allowed = self.large.nodes[candidate]
                .words
                .iter()
                .all(|(offset, allowed)| self.allows(allowed, words.get(offset), &mut further));
            if is_allowed && self.place(further) {
                return true;
            }
            self.images[node] = None;
        }
        false
    }

    /// Whether a node of the claimed graph may stand for one of the other, beside what it stands for.
    fn takes(&self, claimed: NodeId, other: NodeId) -> bool {
        let (claimed_node, other) = (&self.large.nodes[claimed], &self.small.nodes[other]);
        let is_taken = || self.images.iter().any(|image| *image == Some(claimed));
        claimed_node.size <= other.size && (claimed_node.is_many || !other.is_many && !is_taken())
    }

    /// Whether links are shared and form cycles only where that is claimed.
    fn bits_hold(&self) -> bool {
        let sent = || {
            let images = self.images.enumerated();
            images.filter_map(|(node, image)| image.map(|image| (node, image)))
        };
        // Of the links, those are spoken of that the claimed graph lists.
        let mut links = Graph { nodes: self.small.nodes.clone(), ..Graph::default() };
        for (node, image) in self.images.enumerated() {
            let is_listed = |offset: &u64| {
                image.is_some_and(|image| self.large.nodes[image].words.contains_key(offset))
            };
            links.nodes[node].words.retain(|offset, _| is_listed(offset));
        }
        let offsets: BTreeSet<u64> =
            links.nodes.iter().flat_map(|node| node.words.keys().copied()).collect();
        offsets.into_iter().all(|offset| {
            let is_claimed = |bits: &BTreeSet<u64>| bits.contains(&offset);
            let is_sharing_claimed = sent().all(|(node, image)| {
                is_claimed(&self.large.nodes[image].shared) || !links.may_share(node, offset)
            });
            is_sharing_claimed
                && self.large.nodes.enumerated().all(|(claimed, node)| {
                    let among: Vec<NodeId> =
                        sent().filter(|it| it.1 == claimed).map(|it| it.0).collect();
                    is_claimed(&node.cyclic) || !node.is_many || !links.may_cycle(&among, offset)
                })
        })
    }
}

#[cfg(test)]
mod tests;
