//! Numbers: what two states say of one number.

pub(crate) mod affine;
pub(crate) mod join;
pub(crate) mod laws;
mod pairs;
pub(crate) mod relations;
pub(crate) mod rests;
pub(crate) mod room;
pub(crate) mod steps;
mod unsigned;
