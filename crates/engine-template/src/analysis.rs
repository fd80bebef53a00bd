//! What must be known about a program before its formula is built.
//!
//! Reading order: `inline` makes one automaton of the program (`copy` renames what it copies,
//! `region` keeps the calls of summarised functions), `points_to` says where its pointers may
//! point (with `distance` for what is constant), `layout` which parts of its objects it accesses, `effects` what a loop changes.

mod accesses;
mod copy;
pub(crate) mod distance;
pub mod effects;
pub mod inline;
pub mod inlined;
pub mod layout;
pub mod points_to;
pub mod region;
pub mod targets;
