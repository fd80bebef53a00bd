//! Exploration: all paths, or invariants at abstraction points, and from an alarm to an execution.

pub(crate) mod invariant_search;
pub(crate) mod invariants;
pub(crate) mod passage;
pub(crate) mod path_log;
pub(crate) mod paths;
pub(crate) mod replay;
pub(crate) mod search;
