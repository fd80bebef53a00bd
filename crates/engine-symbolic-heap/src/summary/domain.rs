//! The abstract domain: what operators on states and summaries work with.

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::language::Added;
use crate::learnt::Learnt;
use crate::precision::Precision;
use crate::reasoning::Reasoner;
use crate::summary::matched::{Manner, Match, Sides};

/// The abstract states at one precision.
pub(crate) struct Domain<'a, 't> {
    pub(crate) reasoner: &'a mut Reasoner<'t>,
    pub(crate) precision: &'a Precision,
    pub(crate) learnt: &'a mut Learnt,
    pub(crate) prototypes: &'a dyn PrototypeOrder,
}

impl Domain<'_, '_> {
    /// See [`PrototypeOrder::is_covered`].
    pub(crate) fn is_covered(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        known: &[Arc<Prototype>],
        new: &Prototype,
        depth: u32,
    ) -> bool {
        self.prototypes.is_covered(self, sides, found, known, new, depth)
    }

    /// See [`PrototypeOrder::add`].
    pub(crate) fn add_prototype(
        &mut self,
        sides: Sides<'_>,
        found: &Match,
        known: &mut Vec<Arc<Prototype>>,
        new: &Prototype,
        manner: Manner,
    ) -> Option<Added> {
        self.prototypes.add(self, sides, found, known, new, manner)
    }
}

/// The order of prototypes, and their join. A node owns blocks, summaries among them, so prototypes
/// are compared and joined as states are; summaries know of these operators only this.
pub(crate) trait PrototypeOrder {
    /// Whether a prototype is covered by one of those that are known.
    fn is_covered(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        known: &[Arc<Prototype>],
        new: &Prototype,
        depth: u32,
    ) -> bool;

    /// Adds a prototype to others, or joins it with one of them. Nothing if they must stay apart.
    fn add(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &Match,
        known: &mut Vec<Arc<Prototype>>,
        new: &Prototype,
        manner: Manner,
    ) -> Option<Added>;
}
