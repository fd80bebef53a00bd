//! Contracting edges that do nothing: what led to their source leads to their target.

use heapwright_base::{DenseId, IdVec};

use crate::program::{Body, Edge, EdgeId, LocationId};

/// The body without those edges of which `is_idle` holds, and without the locations that only
/// they left. An edge stays where nothing could take its place: in a cycle of idle edges one
/// remains, as an empty loop must.
pub(super) fn contract(body: &Body, is_idle: impl Fn(EdgeId, &Edge) -> bool) -> Body {
    let mut next: IdVec<LocationId, Option<LocationId>> = IdVec::filled(None, body.location_count);
    let outgoing = body.outgoing();
    let mut is_removed = IdVec::filled(false, body.edges.len());
    for (id, edge) in body.edges.enumerated() {
        let is_alone = outgoing[edge.source].len() == 1;
        // Only a return may lead to the exit.
        let may_go = is_alone && edge.target != body.exit && is_idle(id, edge);
        if may_go && follow(&next, edge.target) != edge.source {
            next[edge.source] = Some(edge.target);
            is_removed[id] = true;
        }
    }
    let kept = body.edges.enumerated().filter(|(id, _)| !is_removed[*id]);
    let edges = kept.map(|(_, edge)| Edge { target: follow(&next, edge.target), ..edge.clone() });
    let entry = follow(&next, body.entry);
    let body = Body { entry, edges: edges.collect(), ..body.clone() };
    without_locations(&body, |location| next[location].is_none())
}

/// Where a location's chain of contracted edges ends; there are no cycles in `next`.
fn follow(next: &IdVec<LocationId, Option<LocationId>>, start: LocationId) -> LocationId {
    let mut location = start;
    while let Some(target) = next[location] {
        location = target;
    }
    location
}

/// Keeps the locations of which `is_kept` holds, in their order; no edge may touch another one.
pub(super) fn without_locations(body: &Body, is_kept: impl Fn(LocationId) -> bool) -> Body {
    let mut renumbered = IdVec::filled(body.exit, body.location_count);
    let mut count = 0;
    for location in (0..body.location_count).map(LocationId::from_index) {
        if is_kept(location) {
            renumbered[location] = LocationId::from_index(count);
            count += 1;
        }
    }
    let edges = body.edges.iter().map(|edge| Edge {
        source: renumbered[edge.source],
        target: renumbered[edge.target],
        ..edge.clone()
    });
    Body {
        entry: renumbered[body.entry],
        exit: renumbered[body.exit],
        location_count: count,
        edges: edges.collect(),
    }
}
