//! Strategy: which precision is tried, in which order, and what a failed attempt teaches.

pub(crate) mod copies;
pub(crate) mod keys;
pub(crate) mod order;
pub(crate) mod schedule;
pub(crate) mod search;
pub(crate) mod ways;
