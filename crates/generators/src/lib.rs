//! Random C programs, for all who test with them. The same seed gives the same program everywhere.
//!
//! `heap` and `arithmetic` write programs without inputs, whose one execution is known to be clean or
//! to have one planted fault. `linked` writes programs over lists and trees whose shape inputs decide.

// What programs are made of.
pub mod program;
pub mod random;
pub mod text;

// The generators.
pub mod arithmetic;
pub mod heap;
pub mod linked;

// All of them by name.
mod family;

pub use crate::family::Family;
