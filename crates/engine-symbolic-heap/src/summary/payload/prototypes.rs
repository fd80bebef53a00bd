//! Nodes with different constants are different prototypes of one segment.

use crate::summary::payload::PayloadAbstraction;

pub(crate) struct Prototypes;

impl PayloadAbstraction for Prototypes {
    fn looks_at_last_nodes(&self) -> bool {
        true
    }

    fn keeps_last_nodes_apart(&self) -> bool {
        true
    }
}
