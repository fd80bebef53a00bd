//! Random C programs, for all who test with them. The same seed gives the same program everywhere.
//!
//! `heap` and `arithmetic` write programs without inputs, whose one execution is known to be clean or
//! to have one planted fault. `linked` writes programs over lists and trees whose shape inputs decide.
//! `arrays` writes programs over arrays of any length, `tables` over arrays of pointers. `traps` writes small programs about what verifiers get wrong, often on a rare input only.

// What programs are made of.
pub mod program;
pub mod random;
pub mod text;

// The generators.
pub mod arithmetic;
pub mod arrays;
pub mod heap;
pub mod linked;
pub mod tables;
pub mod traps;

// Changes of programs that there are.
pub mod broken;
pub mod mutate;

// All of them by name.
mod family;

pub use crate::family::Family;
