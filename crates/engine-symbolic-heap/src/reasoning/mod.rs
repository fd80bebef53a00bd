//! What follows from a path condition: satisfiability, ranges of numbers, what is certainly referred to.

pub(crate) mod path_condition;
pub(crate) mod range;
pub(crate) mod reference;
