//! Operators on states: normal form, matching, entailment, join.

pub(crate) mod abstraction_points;
pub(crate) mod entail;
pub(crate) mod garbage;
pub(crate) mod join;
pub(crate) mod matching;
pub(crate) mod normalise;
pub(crate) mod numbers;
pub(crate) mod project;
pub(crate) mod quick_reject;
