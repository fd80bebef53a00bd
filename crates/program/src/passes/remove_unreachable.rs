//! Drops what the entry does not lead to, and numbers the rest anew in its old order. The exit
//! stays, reachable or not.

use crate::analysis::Order;
use crate::passes::contract::without_locations;
use crate::passes::map_bodies;
use crate::program::{Body, Program};

#[must_use]
pub fn remove_unreachable(program: Program) -> Program {
    map_bodies(program, |_, _, body| {
        let order = Order::of(body);
        let edges = body.edges.iter().filter(|edge| order.is_reachable(edge.source));
        let body_left = Body { edges: edges.cloned().collect(), ..body.clone() };
        without_locations(&body_left, |location| {
            location == body.exit || order.is_reachable(location)
        })
    })
}
