//! Numbers: ranges that the path condition gives, and what two states say of one number.

pub(crate) mod join;
pub(crate) mod range;
