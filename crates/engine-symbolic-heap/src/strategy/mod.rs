//! Strategy: which precision is tried, in which order, and what a failed attempt teaches.

pub(crate) mod precision;
pub(crate) mod schedule;
