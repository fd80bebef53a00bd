//! Removes arbitrary values that nobody reads: `x = any uninitialised` where `x` is not live.
//!
//! C declares variables before it gives them values; after this pass the arbitrary values that are
//! left are those that an execution may really read. Inputs by call stay, for a trace names them.
//!
//! The variable keeps its old value until it is written again. So where a pointer variable is declared
//! in a loop, the block that it pointed to in the last round is lost a little later than in C.

use crate::analysis::Liveness;
use crate::operation::{InputSource, Operation};
use crate::passes::contract::contract;
use crate::passes::map_bodies;
use crate::program::{Edge, EdgeId, FunctionId, Program};

#[must_use]
pub fn remove_dead_inputs(program: Program) -> Program {
    map_bodies(program, |program, function, body| {
        let liveness = Liveness::of(program, function);
        contract(body, |_, edge| is_dead_input(&liveness, edge))
    })
}

/// The edges of a function that [`remove_dead_inputs`] takes out.
#[must_use]
pub fn dead_inputs(program: &Program, function: FunctionId) -> Vec<EdgeId> {
    let liveness = Liveness::of(program, function);
    let edges = program.functions[function].body.iter().flat_map(|body| body.edges.enumerated());
    edges.filter(|(_, edge)| is_dead_input(&liveness, edge)).map(|(id, _)| id).collect()
}

fn is_dead_input(liveness: &Liveness, edge: &Edge) -> bool {
    match &edge.operation {
        Operation::Input { target, source: InputSource::Uninitialised } => {
            !liveness.is_live(edge.target, *target)
        }
        _ => false,
    }
}
