//! Operators on states: normal form, matching, entailment, join.

pub(crate) mod abstraction_points;
pub(crate) mod counts;
pub(crate) mod entail;
pub(crate) mod gap;
pub(crate) mod garbage;
pub(crate) mod join;
pub(crate) mod leak;
pub(crate) mod lend;
pub(crate) mod normalise;
pub(crate) mod numbers;
pub(crate) mod project;
pub(crate) mod quick_reject;

use std::sync::Arc;

use crate::abstraction::entail::is_prototype_covered;
use crate::abstraction::join::add_prototype;
use crate::heap::block::Prototype;
use crate::heap::language::Added;
use crate::summary::domain::{Domain, PrototypeOrder};
use crate::summary::matched::{Manner, Match, Sides};

/// The order of prototypes that comes of that of states.
#[derive(Debug)]
pub(crate) struct StateOrder;

impl PrototypeOrder for StateOrder {
    fn is_covered(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        known: &[Arc<Prototype>],
        new: &Prototype,
        depth: u32,
    ) -> bool {
        is_prototype_covered(domain, sides, found, known, new, depth)
    }

    fn add(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &Match,
        known: &mut Vec<Arc<Prototype>>,
        new: &Prototype,
        manner: Manner,
    ) -> Option<Added> {
        add_prototype(domain, sides, found, known, new, manner)
    }
}
