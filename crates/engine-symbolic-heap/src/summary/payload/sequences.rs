//! Nodes with different constants are different prototypes of one segment, which knows which may follow
//! which.

use crate::summary::payload::PayloadAbstraction;

pub(crate) struct Sequences;

impl PayloadAbstraction for Sequences {
    fn keeps_order(&self) -> bool {
        true
    }
}
