//! Dominators: what every way from the entry passes, and what every way to the exit passes.
//!
//! Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001.

use heapwright_base::DenseId;

use crate::analysis::graph::Graph;
use crate::program::{Body, LocationId};

/// A tree of locations; those that the root does not lead to are not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    root: LocationId,
    /// The parent in the tree; the root is its own.
    parent: Vec<Option<usize>>,
    depth: Vec<u32>,
}

impl Dominators {
    /// What every way from the entry to a location passes.
    #[must_use]
    pub fn of(body: &Body) -> Dominators {
        Dominators::from_root(&Graph::of_body(body), body.entry.index())
    }

    /// What every way from a location to the exit passes.
    #[must_use]
    pub fn post(body: &Body) -> Dominators {
        Dominators::from_root(&Graph::of_body(body).reversed(), body.exit.index())
    }

    fn from_root(graph: &Graph, root: usize) -> Dominators {
        let order = graph.reverse_postorder(root);
        let mut position = vec![usize::MAX; graph.len()];
        for (index, &node) in order.iter().enumerate() {
            position[node] = index;
        }
        let mut parent = vec![None; graph.len()];
        parent[root] = Some(root);
        let mut has_changed = true;
        // Ends because parents only move towards the root.
        while has_changed {
            has_changed = false;
            for &node in &order[1..] {
                let known = graph.predecessors[node].iter().filter(|&&it| parent[it].is_some());
                let common = known.copied().reduce(|a, b| meet(&parent, &position, a, b));
                has_changed |= parent[node] != common;
                parent[node] = common;
            }
        }
        let mut depth = vec![0; graph.len()];
        for &node in &order[1..] {
            depth[node] = parent[node].map_or(0, |parent| depth[parent] + 1);
        }
        Dominators { root: LocationId::from_index(root), parent, depth }
    }

    /// The nearest other location that dominates this one.
    #[must_use]
    pub fn immediate(&self, location: LocationId) -> Option<LocationId> {
        if location == self.root {
            return None;
        }
        self.parent[location.index()].map(LocationId::from_index)
    }

    /// Whether `upper` is on every way to `lower`; every location dominates itself.
    #[must_use]
    pub fn dominates(&self, upper: LocationId, lower: LocationId) -> bool {
        let (upper, mut node) = (upper.index(), lower.index());
        if self.parent[upper].is_none() || self.parent[node].is_none() {
            return false;
        }
        while self.depth[node] > self.depth[upper] {
            let Some(parent) = self.parent[node] else { return false };
            node = parent;
        }
        node == upper
    }
}

/// The nearest common dominator of two nodes that have one.
fn meet(parent: &[Option<usize>], position: &[usize], first: usize, second: usize) -> usize {
    let (mut first, mut second) = (first, second);
    while first != second {
        if position[first] < position[second] {
            std::mem::swap(&mut first, &mut second);
        }
        // The later one is not the root, so that it has a parent.
        first = parent[first].unwrap_or(second);
    }
    first
}
