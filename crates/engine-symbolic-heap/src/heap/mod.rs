//! The state: call stack, blocks with cells, path condition. It knows no edges of the program.

pub(crate) mod at_link;
pub(crate) mod block;
pub(crate) mod cells;
pub(crate) mod contents;
pub(crate) mod downward;
pub(crate) mod incoming;
pub(crate) mod instance;
pub(crate) mod language;
pub(crate) mod measures;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod pointer;
pub(crate) mod prototype;
pub(crate) mod range;
pub(crate) mod role;
pub(crate) mod row;
pub(crate) mod segment;
pub(crate) mod spelling;
pub(crate) mod state;
mod substitute;
pub(crate) mod text;
pub(crate) mod trail;
pub(crate) mod tree;
pub(crate) mod well_formed;
