//! Instances: the blocks and elements of which a formula looks at the free arrays of a loop.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::TermId;

use crate::analysis::effects::{Slot, SlotId};
use crate::ssa::build::Builder;
use crate::ssa::formula::{AbstractObjectId, Instance};
use crate::ssa::loops::{RawLoop, object_of};
use crate::ssa::memory::Key;
use crate::ssa::pointer::NUMBER_BITS;

impl Builder<'_> {
    /// The blocks and elements of which the formula looks at the loop's free arrays.
    pub(super) fn instances(&mut self, raw: &RawLoop) -> Vec<Instance> {
        // Slots of one object with keys of one form have instances in common.
        let mut groups: BTreeMap<(AbstractObjectId, bool), Vec<(usize, SlotId)>> = BTreeMap::new();
        let mut position = 0;
        for &slot in raw.before.keys() {
            if self.describe(slot).is_none() {
                continue;
            }
            let description = self.preparation.slots.list[slot];
            if let Some(object) = object_of(description) {
                let has_elements = self.preparation.layouts[object].has_elements();
                let is_element = has_elements && matches!(description, Slot::Cell(..));
                groups.entry((object, is_element)).or_default().push((position, slot));
            }
            position += 1;
        }
        let mut selected = raw.heads[0].clone();
        for (&slot, &before) in &raw.before {
            selected.values[slot] = Some(before);
        }
        let mut instances = Vec::new();
        for ((object, is_element), members) in groups {
            let mut keys: BTreeSet<TermId> = BTreeSet::new();
            for (_, slot) in &members {
                keys.extend(self.reads.get(&raw.before[slot]).into_iter().flatten());
            }
            let witness = self.witness_key(members[0].1).expect("objects have witnesses");
            for key in keys {
                let key = self.key_parts(object, is_element, key);
                if (key.number, key.offset) == (witness.number, witness.offset)
                    || (!is_element && key.number == witness.number)
                {
                    continue;
                }
                let guard = self.guard_at(members[0].1, &selected, Some(key));
                if guard == TermId::FALSE {
                    continue;
                }
                let before = members
                    .iter()
                    .map(|&(position, slot)| {
                        (position, self.at_key(slot, raw.before[&slot], Some(key)))
                    })
                    .collect();
                let block = self.pointers.address(&mut self.terms, object, key.number);
                instances.push(Instance { object, block, guard, before });
            }
        }
        instances
    }

    /// The block number and the offset of a key.
    pub(crate) fn key_parts(
        &mut self,
        object: AbstractObjectId,
        is_element: bool,
        key: TermId,
    ) -> Key {
        let layout = &self.preparation.layouts[object];
        let offset_bits = self.pointers.offset_bits;
        match (layout.is_many, is_element) {
            (true, true) => Key {
                number: self.terms.extract(key, offset_bits + NUMBER_BITS - 1, offset_bits),
                offset: self.terms.extract(key, offset_bits - 1, 0),
            },
            (false, true) => Key { number: self.terms.bit_vector(0, NUMBER_BITS), offset: key },
            (_, false) => Key { number: key, offset: self.size_term(0) },
        }
    }
}
