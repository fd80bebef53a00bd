//! The order in which a forward analysis should visit locations, and which ones can be reached.

use heapwright_base::{DenseId, IdVec};

use crate::analysis::graph::Graph;
use crate::program::{Body, LocationId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The locations reachable from the entry, each before its successors but for cycles.
    pub locations: Vec<LocationId>,
    position: IdVec<LocationId, Option<u32>>,
}

impl Order {
    /// The reverse postorder of an automaton.
    #[must_use]
    pub fn of(body: &Body) -> Order {
        let order = Graph::of_body(body).reverse_postorder(body.entry.index());
        let locations: Vec<_> = order.into_iter().map(LocationId::from_index).collect();
        let mut position = IdVec::filled(None, body.location_count);
        for (index, &location) in (0..).zip(&locations) {
            position[location] = Some(index);
        }
        Order { locations, position }
    }

    /// Where a location stands; `None` if the entry does not lead to it.
    #[must_use]
    pub fn position(&self, location: LocationId) -> Option<u32> {
        self.position[location]
    }

    #[must_use]
    pub fn is_reachable(&self, location: LocationId) -> bool {
        self.position[location].is_some()
    }
}
