//! Drawings of automata and of the call graph: Graphviz text, or SVG by our own layout.
//!
//! Our own because labels of edges need room: `layout-rs` writes them along the arrows, over
//! whatever lies there, and its colours are fixed.

mod dot;
mod layout;
mod svg;

use crate::analysis::CallGraph;
pub use crate::draw::dot::{call_graph_dot, function_dot};
pub use crate::draw::svg::{call_graph_svg, function_svg};
use crate::program::{FunctionId, Program};

/// What `main` leads to, or all functions where there is no `main`.
fn shown_functions(program: &Program, calls: &CallGraph) -> Vec<FunctionId> {
    match program.function_named("main") {
        Some(main) => calls.reachable_from(main),
        None => program.functions.ids().collect(),
    }
}
