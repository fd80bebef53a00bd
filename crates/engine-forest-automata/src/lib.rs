//! The engine `forest-automata`: heaps as tuples of trees that are cut where variables lead.
//!
//! A state is a forest (crate `forest-text`): open blocks, whose cells are listed, and closed ones, each the top of
//! a tree of some automaton. A step opens the blocks that it touches; at loop heads everything is closed again,
//! and states of automata whose blocks look alike become one, so that there are finitely many. Links that make no
//! tree (back to the parent, to the root, to the end of a segment) go through parameters of states.
//!
//! Reading order: `value`, `step` (one edge), `rework` and `holder` (what a hole is told), `leak`, `fold` (blocks
//! become trees), `specialise` and `abstraction` (states become one), `memo`, `turns`, `analysis` (all paths), `engine`, `proof`.

mod abstraction;
mod alarm;
mod analysis;
mod engine;
mod fold;
mod holder;
mod leak;
mod memo;
mod proof;
mod rework;
mod specialise;
mod start;
mod step;
mod turns;
mod value;

pub use crate::engine::ForestEngine;
