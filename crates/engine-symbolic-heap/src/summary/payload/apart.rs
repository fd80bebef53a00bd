//! Nodes with different constants are not in one segment: their order is kept.

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::names::Names;
use crate::summary::payload::PayloadAbstraction;

pub(crate) struct Apart;

impl PayloadAbstraction for Apart {
    fn rivals(
        &self,
        _: &mut Names<'_>,
        known: &[Arc<Prototype>],
        _: &Prototype,
    ) -> Vec<Arc<Prototype>> {
        known.to_vec()
    }

    // Not here, but prototypes would be told apart by it.
    fn looks_at_last_nodes(&self) -> bool {
        true
    }
}
