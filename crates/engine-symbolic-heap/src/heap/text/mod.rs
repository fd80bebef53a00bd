//! States as text, which is what certificates are made of: printed, parsed, and built again.

pub(crate) mod build;
mod build_block;
mod extents;
mod instance;
mod measures;
pub(crate) mod parse;
pub(crate) mod print;
mod row;
mod spelling;
mod tree;
