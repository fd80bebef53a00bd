//! Differential testing of Heapwright's reference interpreter against gcc.
//! Generators (in a crate of their own) write well-defined C programs, or programs with exactly one planted fault; each is
//! compiled and run, interpreted, and the two observations are compared. A mismatch is saved and
//! shrunk.

// Running programs of the crate `generators`, and csmith's.
pub mod csmith;
pub mod gcc;
pub mod interpreter;
pub mod observation;
pub mod process;
pub mod sanitizer;

// Asking engines about programs.
pub mod ask;
pub mod draw;
pub mod engines;
pub mod native;
pub mod subject;

// Reading broken text.
pub mod fuzz;

// Comparing, shrinking, counting.
pub mod campaign;
pub mod case;
pub mod compare;
pub mod options;
pub mod reduce;
