//! Numbers: what two states say of one number.

pub(crate) mod join;
pub(crate) mod relations;
