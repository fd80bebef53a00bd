//! What follows from a path condition: satisfiability, ranges of numbers, what is certainly referred to.

pub(crate) mod asked;
pub(crate) mod guess;
pub(crate) mod orders;
pub(crate) mod path_condition;
pub(crate) mod places;
pub(crate) mod range;
pub(crate) mod reference;
pub(crate) mod telling;

use crate::heap::names::Names;
use crate::precision::Arrays;
use crate::reasoning::asked::Asked;
use crate::services::Services;

/// The terms, and those who answer questions about them.
pub(crate) struct Reasoner<'t> {
    pub(crate) names: Names<'t>,
    pub(crate) services: Services<'t>,
    /// What the solver has said.
    pub(crate) asked: Asked,
    /// How far accesses are told apart.
    pub(crate) arrays: Arrays,
}
