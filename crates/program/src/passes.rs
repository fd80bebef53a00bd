//! Passes: from a well-formed program to a well-formed program that means the same.

mod contract;
mod end_overflow;
mod merge_skips;
mod remove_dead_inputs;
mod remove_unreachable;

pub use crate::passes::end_overflow::{end_overflow, overflows};
pub use crate::passes::merge_skips::merge_skips;
pub use crate::passes::remove_dead_inputs::{dead_inputs, remove_dead_inputs};
pub use crate::passes::remove_unreachable::remove_unreachable;
use crate::program::{Body, FunctionId, Program};

/// Rewrites every body; `rewrite` sees the program as it was.
fn map_bodies(
    mut program: Program,
    rewrite: impl Fn(&Program, FunctionId, &Body) -> Body,
) -> Program {
    for id in program.functions.ids() {
        if let Some(body) = &program.functions[id].body {
            let body = rewrite(&program, id, body);
            program.functions[id].body = Some(body);
        }
    }
    program
}
