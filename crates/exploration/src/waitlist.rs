//! The states that wait, in the order of the search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::NodeId;

/// Which of the waiting states goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The newest.
    #[default]
    DepthFirst,
    /// The oldest.
    BreadthFirst,
    /// The one with the lowest priority number; of equals the oldest.
    LowestFirst,
}

/// Nodes by rank. A rank is given once, so that the order does not depend on anything but the order
/// of arrival.
#[derive(Debug)]
pub(crate) struct Waitlist {
    order: Order,
    /// Priority, then age or youth.
    ranked: BinaryHeap<Reverse<(u64, u64, NodeId)>>,
    arrivals: u64,
}

impl Waitlist {
    pub(crate) fn new(order: Order) -> Waitlist {
        Waitlist { order, ranked: BinaryHeap::new(), arrivals: 0 }
    }

    pub(crate) fn push(&mut self, node: NodeId, priority: u64) {
        self.arrivals += 1;
        let (priority, rank) = match self.order {
            Order::DepthFirst => (0, u64::MAX - self.arrivals),
            Order::BreadthFirst => (0, self.arrivals),
            Order::LowestFirst => (priority, self.arrivals),
        };
        self.ranked.push(Reverse((priority, rank, node)));
    }

    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        self.ranked.pop().map(|Reverse((_, _, node))| node)
    }
}
