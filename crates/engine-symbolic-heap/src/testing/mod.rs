//! Tests of the operations on states: golden files, laws on random heaps, containment of runs.

pub(crate) mod containment;
pub(crate) mod golden;
pub(crate) mod laws;
pub(crate) mod meaning;
pub(crate) mod program;
mod telling;
mod users;
