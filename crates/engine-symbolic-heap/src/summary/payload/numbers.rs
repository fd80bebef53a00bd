//! Constants are numbers in a range.

use crate::summary::payload::PayloadAbstraction;

pub(crate) struct Numbers;

impl PayloadAbstraction for Numbers {
    fn tells_constants(&self) -> bool {
        false
    }
}
