//! The engine `three-valued`: shape analysis by three-valued logic, refined until it proves or fails.
//!
//! States are explored from loop head to loop head; the heap is a three-valued structure whose class,
//! families and tracked pointers are found by refinement. Method: Beyer, Henzinger, Théoduloz, Zufferey,
//! "Shape refinement through explicit heap analysis", FASE 2010, on Sagiv, Reps, Wilhelm, TOPLAS 2002.
//!
//! Reading order: `table`, `state`, `precision`, `model` (a program at a precision), `numbers`, `transfer` (one edge),
//! `leaks`, `analysis` (from cut point to cut point), `explore`; then `simulate`, `sample`, `refine` and
//! `diary` (what a spurious path shows to be missing), `engine` (the
//! loop); `certificate`, `proof`, `evidence`;
//! and `costs`, `rates`.

mod alarm;
mod analysis;
mod certificate;
mod classes;
mod costs;
mod diary;
mod engine;
mod evidence;
mod explore;
mod leaks;
mod model;
mod numbers;
mod precision;
mod proof;
mod rates;
mod refine;
mod sample;
mod simulate;
mod state;
mod table;
mod transfer;

use heapwright_program::{EdgeId, FunctionId, Place, Program};

pub use crate::classes::Classes;
pub use crate::costs::{Costs, Phase};
pub use crate::diary::{Diary, Entry};
pub use crate::engine::{
    Choice, ClassInUse, Effort, Outcome, Refined, ThreeValuedEngine, refine_shapes,
};
pub use crate::rates::{Rates, rates};

/// Where an edge is in the source.
fn place_of(program: &Program, (function, edge): (FunctionId, EdgeId)) -> Place {
    let body = program.functions[function].body.as_ref().expect("an edge is in a body");
    body.edges[edge].place
}
