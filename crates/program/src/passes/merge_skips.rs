//! Removes `skip` edges by merging their ends. An empty loop keeps one.

use crate::operation::Operation;
use crate::passes::contract::contract;
use crate::passes::map_bodies;
use crate::program::Program;

#[must_use]
pub fn merge_skips(program: Program) -> Program {
    map_bodies(program, |_, _, body| {
        contract(body, |_, edge| matches!(edge.operation, Operation::Skip))
    })
}
