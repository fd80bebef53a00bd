//! Exploration: all paths, or invariants at abstraction points, and from an alarm to an execution.

pub(crate) mod abstraction_points;
pub(crate) mod invariants;
pub(crate) mod paths;
pub(crate) mod replay;
