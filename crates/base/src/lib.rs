//! What every other crate stands on: dense typed ids and the vectors they index.
//!
//! A thing of the program, the memory or the logic is named by a four-byte id of its own type, so
//! that two kinds of thing cannot be mixed up and every table is a plain vector.

mod dense;

pub use crate::dense::{DenseId, IdVec};
