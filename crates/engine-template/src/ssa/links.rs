//! What a formula has besides, so that rows can speak of links between blocks: a second witness of
//! each object of many blocks, and, at every loop's head, free links and lives even if the loop leaves
//! them alone.
//!
//! A loop that only walks along a list changes no link, but a row such as "what `p` points to lives" is
//! about what it changes and what it does not. So the loop is taken to change all links and lives that
//! some loop changes; rows then say of them what is still so.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::TermId;
use heapwright_program::LocationId;
use heapwright_program::analysis::LoopId;

use crate::analysis::effects::{Slot, SlotId};
use crate::analysis::layout::ObjectLayout;
use crate::ssa::build::{Builder, Witness};
use crate::ssa::formula::{AbstractObjectId, ValueKind};
use crate::ssa::loops::object_of;
use crate::ssa::memory::Key;
use crate::ssa::preparation::Preparation;
use crate::ssa::state::State;

impl Preparation {
    /// Whether there are links between blocks of which rows with two witnesses can speak.
    pub(crate) fn has_links(&self) -> bool {
        let is_linked = |layout: &ObjectLayout| {
            let has_links = layout.cells().iter().any(|cell| cell.kind == ValueKind::Pointer);
            layout.is_many && !layout.has_elements() && has_links
        };
        self.inlined.regions.is_empty() && self.layouts.iter().any(is_linked)
    }
}

impl Builder<'_> {
    /// What is free at a loop's head.
    pub(super) fn changed(&self, id: LoopId, entry: &State) -> BTreeSet<SlotId> {
        let mut changed = self.preparation.changed[id].clone();
        if self.has_links() {
            let others = self.preparation.changed.iter().flatten().copied();
            let is_there = |slot: &SlotId| entry.values[*slot].is_some();
            changed.extend(others.filter(is_there).filter(|&slot| self.is_link_or_life(slot)));
        }
        changed
    }

    /// A summarised function has one witness of each object.
    fn has_links(&self) -> bool {
        self.settings.links && self.preparation.inlined.regions.is_empty()
    }

    fn is_link_or_life(&self, slot: SlotId) -> bool {
        match self.preparation.slots.list[slot] {
            Slot::Ended(object) => self.preparation.layouts[object].has_life,
            Slot::Cell(object, position) => {
                let layout = &self.preparation.layouts[object];
                !layout.has_elements() && layout.cells()[position].kind == ValueKind::Pointer
            }
            Slot::Variable(_) | Slot::Count(_) | Slot::Current(_) | Slot::Size(_) => false,
        }
    }

    /// Pointer variables that the loop leaves alone and that somebody reads later, and pointers in
    /// objects of one block.
    pub(super) fn kept_pointers(
        &self,
        head: LocationId,
        entry: &State,
        changed: &BTreeMap<SlotId, TermId>,
    ) -> Vec<SlotId> {
        if !self.has_links() {
            return Vec::new();
        }
        let preparation = self.preparation;
        let is_kept = |id: SlotId, slot: Slot| match slot {
            Slot::Variable(variable) => {
                let is_pointer = preparation.program().variables[variable].scalar.is_pointer();
                let is_known = entry.values[id].is_some_and(|it| !self.terms.is_constant(it));
                is_pointer
                    && is_known
                    && !changed.contains_key(&id)
                    && preparation.is_live(head, variable)
            }
            Slot::Cell(object, position) => {
                let layout = &preparation.layouts[object];
                let is_pointer =
                    !layout.has_elements() && layout.cells()[position].kind == ValueKind::Pointer;
                is_pointer
                    && !layout.is_many
                    && entry.values[id].is_some()
                    && !changed.contains_key(&id)
            }
            Slot::Ended(_) | Slot::Count(_) | Slot::Current(_) | Slot::Size(_) => false,
        };
        let slots = preparation.slots.list.enumerated();
        slots.filter(|&(id, &slot)| is_kept(id, slot)).map(|(id, _)| id).collect()
    }

    /// The number of an object's second witness, if it has one.
    pub(super) fn second_number(&mut self, object: AbstractObjectId) -> Option<TermId> {
        let layout = &self.preparation.layouts[object];
        let is_told_apart = self.has_links() && layout.is_many && !layout.has_elements();
        is_told_apart.then(|| self.witness(Witness::Second(object)))
    }

    /// The place that a row about a slot of the second witness speaks of.
    pub(super) fn second_key(&mut self, slot: SlotId) -> Option<Key> {
        let object = object_of(self.preparation.slots.list[slot])?;
        let number = self.second_number(object)?;
        Some(Key { number, offset: self.size_term(0) })
    }
}
