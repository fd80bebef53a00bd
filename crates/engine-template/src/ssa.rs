//! The program as one formula: its data, its construction and its text.
//!
//! Reading order: `formula` and `pointer` are the data; `build` walks the automaton, with `state`,
//! `value` (expressions), `address` (pointers as numbers), `memory` (cells), `access` (dereferences),
//! `step` (operations), `life` (allocation and the end of blocks), `loops` (what is put on a cut loop), `links` (two blocks at once)
//! and `call` (functions that are summarised, whose data are in `function`).

mod access;
mod address;
mod build;
mod call;
pub mod formula;
pub mod function;
mod instances;
mod life;
mod links;
mod loops;
mod memory;
pub mod pointer;
mod preparation;
mod slice;
mod start;
mod state;
mod step;
pub mod text;
mod value;
mod window;

pub use crate::ssa::build::BuildSettings;
pub(crate) use crate::ssa::loops::base_variable;
pub use crate::ssa::preparation::Preparation;
