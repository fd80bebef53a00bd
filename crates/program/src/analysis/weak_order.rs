//! A weak topological order: in which order to iterate, and where to widen.
//!
//! Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993. Every cycle passes
//! the head of a component. We take strong components in topological order, choose in each one the
//! location that comes first in reverse postorder as its head, take the head out and repeat inside;
//! the recursion is as deep as the loops nest, not as long as the function.

use heapwright_base::DenseId;

use crate::analysis::graph::Graph;
use crate::program::{Body, LocationId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeakOrder {
    Location(LocationId),
    /// A cycle: its head, then the rest, to be repeated until stable.
    Component {
        head: LocationId,
        inside: Vec<WeakOrder>,
    },
}

/// The weak topological order of what the entry leads to.
#[must_use]
pub fn weak_order(body: &Body) -> Vec<WeakOrder> {
    let graph = Graph::of_body(body);
    let order = graph.reverse_postorder(body.entry.index());
    let mut position = vec![usize::MAX; graph.len()];
    for (index, &node) in order.iter().enumerate() {
        position[node] = index;
    }
    arrange(&graph, &position, &order)
}

fn arrange(graph: &Graph, position: &[usize], members: &[usize]) -> Vec<WeakOrder> {
    let mut is_inside = vec![false; graph.len()];
    for &member in members {
        is_inside[member] = true;
    }
    let mut components = graph.strong_components_within(&is_inside);
    components.reverse();
    let arranged = components.into_iter().filter_map(|mut component| {
        component.sort_by_key(|node| position[*node]);
        let (&head, rest) = component.split_first()?;
        let location = LocationId::from_index(head);
        let is_cycle = !rest.is_empty() || graph.has_edge(head, head);
        Some(if is_cycle {
            WeakOrder::Component { head: location, inside: arrange(graph, position, rest) }
        } else {
            WeakOrder::Location(location)
        })
    });
    arranged.collect()
}

/// `L0 (L1 L2 (L3)) L4`
#[must_use]
pub fn display_weak_order(order: &[WeakOrder]) -> String {
    let parts: Vec<String> = order
        .iter()
        .map(|part| match part {
            WeakOrder::Location(location) => location.to_string(),
            WeakOrder::Component { head, inside } if inside.is_empty() => format!("({head})"),
            WeakOrder::Component { head, inside } => {
                format!("({head} {})", display_weak_order(inside))
            }
        })
        .collect();
    parts.join(" ")
}
