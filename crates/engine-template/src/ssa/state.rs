//! The state at a location: when it is reached, and the value of every slot.

use std::collections::BTreeSet;

use heapwright_base::IdVec;
use heapwright_logic::{Sort, TermId};
use heapwright_program::LocationId;

use crate::analysis::effects::{Slot, SlotId};
use crate::ssa::build::Builder;
use crate::ssa::pointer::NUMBER_BITS;

/// What holds at one point of the unwound program.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The point is reached.
    pub(crate) guard: TermId,
    /// Conditions that were asked for on every way here.
    pub(crate) known: BTreeSet<TermId>,
    /// `None` for a slot without a value: who asks for it gets anything.
    pub(crate) values: IdVec<SlotId, Option<TermId>>,
}

impl Builder<'_> {
    /// States that meet: the value of a slot is that of the state whose guard holds. `at` is where they
    /// meet, if the program goes on there.
    pub(crate) fn merge(&mut self, at: Option<LocationId>, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter().filter(|state| state.guard != TermId::FALSE);
        let mut result = states.next()?;
        for state in states {
            for slot in state.values.ids() {
                if result.values[slot] != state.values[slot] {
                    let values = (result.values[slot], state.values[slot]);
                    result.values[slot] = self.merge_slot(at, slot, values, state.guard);
                }
            }
            result.guard = self.terms.or(result.guard, state.guard);
            result.known.retain(|condition| state.known.contains(condition));
        }
        Some(result)
    }

    /// The newer value where the guard holds. One that is missing is anything, never the other one: a
    /// jump may have left out what gives the slot its value.
    fn merge_slot(
        &mut self,
        at: Option<LocationId>,
        slot: SlotId,
        (old, new): (Option<TermId>, Option<TermId>),
        guard: TermId,
    ) -> Option<TermId> {
        let like = old.or(new)?;
        if (old.is_none() || new.is_none()) && !self.may_be_asked_for(at, slot) {
            return None;
        }
        let old = old.unwrap_or_else(|| self.missing(slot, like));
        let new = new.unwrap_or_else(|| self.missing(slot, like));
        debug_assert_eq!(self.terms.sort(old), self.terms.sort(new), "two sorts of {slot:?}");
        Some(self.terms.if_then_else(guard, new, old))
    }

    /// The sort of all values of a slot.
    pub(crate) fn sort_of(&self, slot: Slot) -> Sort {
        match slot {
            Slot::Variable(variable) => {
                let ty = self.preparation.program().variables[variable].scalar;
                Sort::BitVector(self.width(ty))
            }
            Slot::Cell(object, position) => {
                self.cell_sort(object, self.preparation.layouts[object].cells()[position].kind)
            }
            Slot::Ended(object) => self.block_sort(object, 1),
            Slot::Size(object) => self.block_sort(object, self.pointers.offset_bits),
            Slot::Count(_) | Slot::Current(_) => Sort::BitVector(NUMBER_BITS),
        }
    }

    fn may_be_asked_for(&self, at: Option<LocationId>, slot: SlotId) -> bool {
        match (self.preparation.slots.list[slot], at) {
            (Slot::Variable(variable), Some(at)) => self.preparation.is_live(at, variable),
            (Slot::Variable(_), None) => false,
            (
                Slot::Cell(..) | Slot::Ended(_) | Slot::Count(_) | Slot::Current(_) | Slot::Size(_),
                _,
            ) => true,
        }
    }

    /// What a slot without a value holds: before an object comes there are no blocks of it, and none has
    /// ended; all else is anything.
    fn missing(&mut self, slot: SlotId, like: TermId) -> TermId {
        match self.preparation.slots.list[slot] {
            Slot::Count(_) => self.terms.bit_vector(0, NUMBER_BITS),
            Slot::Ended(object) => self.never(object),
            Slot::Variable(_) | Slot::Cell(..) | Slot::Current(_) | Slot::Size(_) => {
                self.undefined(slot, like)
            }
        }
    }
}
