//! Cells: what an object holds, in every version of the state.
//!
//! The cell of an object with one block is a term. That of a summary, or of a row of elements, is an
//! array from block numbers, offsets, or both, to values: a write is exact, and a read of a free
//! array (one at a loop's head) is noted, since a row may be assumed of what is read.

use std::collections::BTreeMap;

use heapwright_logic::{Sort, Term, TermId};

use crate::analysis::effects::Slot;
use crate::analysis::targets::{Offset, Targets};
use crate::ssa::build::Builder;
use crate::ssa::formula::{AbstractObjectId, ValueKind};
use crate::ssa::pointer::{NUMBER_BITS, PointerTarget};
use crate::ssa::state::State;

/// What a free array is.
#[derive(Clone, Debug)]
pub(crate) struct BaseArray {
    /// The targets of its elements, and how many blocks there are, where they are pointers.
    pub(crate) pointers: Option<(Targets, BTreeMap<AbstractObjectId, TermId>)>,
}

/// The name of a cell's place: block number and offset, as far as they are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) number: TermId,
    pub(crate) offset: TermId,
}

impl Builder<'_> {
    /// The address of a declared object's current block, or of a function.
    pub(crate) fn object_address(&mut self, state: &State, object: AbstractObjectId) -> TermId {
        let is_many = self.preparation.layouts[object].is_many;
        let number = if is_many { self.value(state, Slot::Current(object)) } else { None };
        let number = number.unwrap_or_else(|| self.terms.bit_vector(0, NUMBER_BITS));
        self.pointers.address(&mut self.terms, object, number)
    }

    /// The width of the keys of an object's cells; 0 where they are plain terms.
    fn key_width(&self, object: AbstractObjectId) -> u32 {
        let layout = &self.preparation.layouts[object];
        let number = if layout.is_many { NUMBER_BITS } else { 0 };
        let offset = if layout.has_elements() { self.pointers.offset_bits } else { 0 };
        number + offset
    }

    pub(crate) fn key(&mut self, object: AbstractObjectId, key: Key) -> Option<TermId> {
        let layout = &self.preparation.layouts[object];
        match (layout.is_many, layout.has_elements()) {
            (false, false) => None,
            (true, false) => Some(key.number),
            (false, true) => Some(key.offset),
            (true, true) => Some(self.terms.concat(key.number, key.offset)),
        }
    }

    /// The sort of a cell's slot.
    pub(crate) fn cell_sort(&self, object: AbstractObjectId, kind: ValueKind) -> Sort {
        let element = self.width_of_kind(kind);
        match self.key_width(object) {
            0 => Sort::BitVector(element),
            index => Sort::Array { index, element },
        }
    }

    /// The sort of a slot for whole blocks: their end, their size.
    pub(crate) fn block_sort(&self, object: AbstractObjectId, width: u32) -> Sort {
        if self.preparation.layouts[object].is_many {
            Sort::Array { index: NUMBER_BITS, element: width }
        } else {
            Sort::BitVector(width)
        }
    }

    /// A free value for a cell's slot: all that it may hold at some time.
    pub(crate) fn free_cell(
        &mut self,
        state: &State,
        name: &str,
        object: AbstractObjectId,
        position: usize,
    ) -> TermId {
        let layout = &self.preparation.layouts[object];
        let cell = &layout.cells()[position];
        let kind = cell.kind;
        let sort = self.cell_sort(object, kind);
        let offset: Offset = (!layout.has_elements()).then_some((cell.start / 8) as i64);
        let term = self.fresh(name, sort);
        let pointers = (kind == ValueKind::Pointer).then(|| {
            let targets = self.preparation.points_to.of_part(object, offset);
            let counts = self.counts(state, &targets);
            (targets, counts)
        });
        match sort {
            Sort::Array { .. } => {
                self.bases.insert(term, BaseArray { pointers });
            }
            Sort::Boolean | Sort::BitVector(_) => {
                if let Some((targets, counts)) = pointers {
                    self.well_formed(term, &targets, &counts);
                }
            }
        }
        term
    }

    /// How many blocks of its targets a pointer can know of.
    pub(crate) fn counts(
        &mut self,
        state: &State,
        targets: &Targets,
    ) -> BTreeMap<AbstractObjectId, TermId> {
        let objects = targets.by_object().into_keys();
        objects
            .filter(|&object| self.preparation.layouts[object].is_many)
            .map(|object| {
                let count = self.value(state, Slot::Count(object));
                (object, count.unwrap_or_else(|| self.terms.bit_vector(0, NUMBER_BITS)))
            })
            .collect()
    }

    /// What every pointer that is not forged obeys: it points to one of its targets, and to a block
    /// that was there before.
    pub(crate) fn well_formed(
        &mut self,
        pointer: TermId,
        targets: &Targets,
        counts: &BTreeMap<AbstractObjectId, TermId>,
    ) {
        let mut cases =
            vec![self.pointers.is_target(&mut self.terms, pointer, PointerTarget::Null)];
        cases.push(self.pointers.is_target(&mut self.terms, pointer, PointerTarget::Number));
        for (object, offsets) in targets.by_object() {
            let is_object = self.pointers.is_object(&mut self.terms, pointer, object);
            let number = self.pointers.number(&mut self.terms, pointer);
            let is_old = match counts.get(&object) {
                Some(&count) => self.terms.unsigned_less(number, count),
                None => {
                    let zero = self.terms.bit_vector(0, NUMBER_BITS);
                    self.terms.equal(number, zero)
                }
            };
            let offset = self.pointers.offset(&mut self.terms, pointer);
            let is_there = match offsets {
                Some(offsets) => {
                    let all: Vec<TermId> = offsets
                        .iter()
                        .map(|&known| {
                            let known = self.offset_term(known);
                            self.terms.equal(offset, known)
                        })
                        .collect();
                    self.terms.any(&all)
                }
                None => TermId::TRUE,
            };
            let case = self.terms.all(&[is_object, is_old, is_there]);
            cases.push(case);
        }
        let holds = self.terms.any(&cases);
        self.constrain(pointer, holds);
    }

    /// The value of a cell's slot at a place.
    pub(crate) fn read_cell(&mut self, object: AbstractObjectId, cell: TermId, key: Key) -> TermId {
        match self.key(object, key) {
            Some(key) => self.read_array(cell, key),
            None => cell,
        }
    }

    /// The slot after a write at a place.
    pub(crate) fn write_cell(
        &mut self,
        object: AbstractObjectId,
        cell: TermId,
        key: Key,
        value: TermId,
    ) -> TermId {
        match self.key(object, key) {
            Some(key) => self.terms.store(cell, key, value),
            None => value,
        }
    }

    /// The value of a slot for whole blocks.
    pub(crate) fn read_block(
        &mut self,
        object: AbstractObjectId,
        slot: TermId,
        number: TermId,
    ) -> TermId {
        if self.preparation.layouts[object].is_many { self.read_array(slot, number) } else { slot }
    }

    pub(crate) fn write_block(
        &mut self,
        object: AbstractObjectId,
        slot: TermId,
        number: TermId,
        value: TermId,
    ) -> TermId {
        if self.preparation.layouts[object].is_many {
            self.terms.store(slot, number, value)
        } else {
            value
        }
    }

    /// A read, looked through all writes and choices down to free arrays.
    pub(crate) fn read_array(&mut self, array: TermId, key: TermId) -> TermId {
        if let Some(&known) = self.read_memo.get(&(array, key)) {
            return known;
        }
        let value = match self.terms.node(array) {
            Term::Store(base, at, element) => {
                let is_here = self.terms.equal(at, key);
                if is_here == TermId::TRUE {
                    element
                } else {
                    let below = self.read_array(base, key);
                    self.terms.if_then_else(is_here, element, below)
                }
            }
            Term::IfThenElse(condition, then, otherwise) => {
                let then = self.read_array(then, key);
                let otherwise = self.read_array(otherwise, key);
                self.terms.if_then_else(condition, then, otherwise)
            }
            _ => self.read_free(array, key),
        };
        self.read_memo.insert((array, key), value);
        value
    }

    fn read_free(&mut self, array: TermId, key: TermId) -> TermId {
        let value = self.terms.select(array, key);
        if let Some(base) = self.bases.get(&array).cloned() {
            self.reads.entry(array).or_default().insert(key);
            if let Some((targets, counts)) = base.pointers {
                self.well_formed(value, &targets, &counts);
            }
        }
        value
    }
}
