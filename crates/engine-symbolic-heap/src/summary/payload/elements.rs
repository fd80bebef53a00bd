//! Nodes with different constants are not in one segment, unless two neighbours always come together and
//! are one element of it ([`crate::summary::list::composite`]).

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::names::Names;
use crate::summary::list::composite::path_to_link;
use crate::summary::payload::{PayloadAbstraction, is_payload_constant};

pub(crate) struct Elements;

impl PayloadAbstraction for Elements {
    /// An element and a single node are never joined anyway.
    fn rivals(
        &self,
        names: &mut Names<'_>,
        known: &[Arc<Prototype>],
        new: &Prototype,
    ) -> Vec<Arc<Prototype>> {
        known.iter().filter(|known| !go_together(names, known, new)).cloned().collect()
    }

    fn are_parts(&self, names: &mut Names<'_>, known: &[Arc<Prototype>], new: &Prototype) -> bool {
        known.iter().any(|known| is_part(names, known, new))
    }

    fn has_elements(&self) -> bool {
        true
    }
}

/// Whether one of two prototypes is an element of several nodes and the other a single node.
fn go_together(names: &mut Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    let [one, other] = [one, other].map(|prototype| path_to_link(names, prototype).is_some());
    one != other
}

/// Whether one of two prototypes is an element of several nodes, and the other looks like its first
/// node without what always follows it.
fn is_part(names: &mut Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    go_together(names, one, other)
        && one.node().cells.iter().any(|(offset, cell)| {
            let there = other.node().cells.get(offset);
            is_payload_constant(names, cell.value)
                && there.is_some_and(|there| there.value == cell.value)
        })
}
