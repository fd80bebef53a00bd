//! The state: call stack, blocks with cells, path condition. It knows no edges of the program.

pub(crate) mod cells;
pub(crate) mod incoming;
pub(crate) mod state;
pub(crate) mod text;
pub(crate) mod trail;
pub(crate) mod well_formed;
