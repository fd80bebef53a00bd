//! Natural loops and how they nest, and the cycles that are no natural loops.
//!
//! A back edge leads to a location that dominates its source: the head of a loop, whose body is
//! what reaches the back edge without passing the head. A cycle without a dominating head comes
//! from a jump into a loop; such a region is reported and is no loop.

use heapwright_base::{DenseId, IdVec, define_id};

use crate::analysis::dominators::Dominators;
use crate::analysis::graph::Graph;
use crate::program::{Body, EdgeId, LocationId};

define_id!(
    /// A loop of one automaton.
    LoopId,
    "loop"
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub head: LocationId,
    /// The smallest loop around this one.
    pub parent: Option<LoopId>,
    /// With the head and the bodies of inner loops, ascending.
    pub locations: Vec<LocationId>,
    pub back_edges: Vec<EdgeId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loops {
    /// Outer loops before inner ones, else by head.
    pub loops: IdVec<LoopId, Loop>,
    /// The strong components with a cycle that passes no head of a loop.
    pub irreducible_regions: Vec<Vec<LocationId>>,
    innermost: IdVec<LocationId, Option<LoopId>>,
}

impl Loops {
    #[must_use]
    pub fn of(body: &Body) -> Loops {
        let graph = Graph::of_body(body);
        let mut loops = natural_loops(body, &graph);
        loops.sort_by_key(|it| (std::cmp::Reverse(it.locations.len()), it.head));
        let mut table: IdVec<LoopId, Loop> = IdVec::new();
        let mut innermost = IdVec::filled(None, body.location_count);
        for mut item in loops {
            // Larger loops come first, so what is known at the head is the smallest around it.
            item.parent = innermost[item.head];
            let locations = item.locations.clone();
            let id = table.push(item);
            for location in locations {
                innermost[location] = Some(id);
            }
        }
        let irreducible_regions = irreducible_regions(&graph, body, &table);
        Loops { loops: table, irreducible_regions, innermost }
    }

    /// The smallest loop around a location.
    #[must_use]
    pub fn innermost(&self, location: LocationId) -> Option<LoopId> {
        self.innermost[location]
    }

    #[must_use]
    pub fn is_head(&self, location: LocationId) -> bool {
        self.innermost[location].is_some_and(|id| self.loops[id].head == location)
    }

    /// How many loops are around a location.
    #[must_use]
    pub fn depth(&self, location: LocationId) -> usize {
        std::iter::successors(self.innermost[location], |id| self.loops[*id].parent).count()
    }
}

/// One loop a head.
fn natural_loops(body: &Body, graph: &Graph) -> Vec<Loop> {
    let dominators = Dominators::of(body);
    let mut loops: Vec<Loop> = Vec::new();
    for (id, edge) in body.edges.enumerated() {
        if !dominators.dominates(edge.target, edge.source) {
            continue;
        }
        match loops.iter_mut().find(|it| it.head == edge.target) {
            Some(known) => known.back_edges.push(id),
            None => loops.push(Loop {
                head: edge.target,
                parent: None,
                locations: Vec::new(),
                back_edges: vec![id],
            }),
        }
    }
    for item in &mut loops {
        let sources = item.back_edges.iter().map(|id| body.edges[*id].source.index());
        item.locations = reaching_without(graph, item.head.index(), sources.collect());
        // Locations that cannot be reached may lead into a loop; they are no part of it.
        item.locations.retain(|location| dominators.dominates(item.head, *location));
    }
    loops
}

/// What leads to `sources` without passing `head`, and the head.
fn reaching_without(graph: &Graph, head: usize, sources: Vec<usize>) -> Vec<LocationId> {
    let mut is_inside = vec![false; graph.len()];
    is_inside[head] = true;
    let mut pending = sources;
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut is_inside[node], true) {
            pending.extend(&graph.predecessors[node]);
        }
    }
    let inside = is_inside.iter().enumerate().filter(|(_, is_inside)| **is_inside);
    inside.map(|(node, _)| LocationId::from_index(node)).collect()
}

/// Cycles that remain when every head is taken out.
fn irreducible_regions(
    graph: &Graph,
    body: &Body,
    loops: &IdVec<LoopId, Loop>,
) -> Vec<Vec<LocationId>> {
    let mut is_inside = vec![false; graph.len()];
    for node in graph.reverse_postorder(body.entry.index()) {
        is_inside[node] = true;
    }
    for item in loops {
        is_inside[item.head.index()] = false;
    }
    let mut regions: Vec<Vec<LocationId>> = graph
        .strong_components_within(&is_inside)
        .into_iter()
        .filter(|component| component.len() > 1)
        .map(|component| component.into_iter().map(LocationId::from_index).collect())
        .collect();
    regions.sort();
    regions
}
