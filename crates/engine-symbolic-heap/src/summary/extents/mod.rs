//! Extents of arrays: made of what is known of elements, compared, and joined where states meet.
//!
//! The laws of extents come from a small grammar: a constant, a line over the index, bounds by constants and by numbers that
//! variables hold, the same as an element of another array, no more than the next element. A join keeps those that
//! hold on both sides. An extent that one side does not have is empty there, if it can be.

pub(crate) mod adopt;
mod cells;
mod elements;
pub(crate) mod fold;
pub(crate) mod join;
pub(crate) mod laws;
pub(crate) mod live;
pub(crate) mod matching;
mod pairs;
mod texts;
