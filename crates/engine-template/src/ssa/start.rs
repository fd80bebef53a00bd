//! The state before the first edge: static objects with their initial values.

use std::collections::BTreeSet;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{ObjectId, ObjectKind, VariableKind};

use crate::analysis::effects::Slot;
use crate::analysis::layout::Cell;
use crate::analysis::points_to::{ObjectSource, source_of};
use crate::ssa::build::Builder;
use crate::ssa::formula::{AbstractObjectId, ValueKind};
use crate::ssa::pointer::NUMBER_BITS;
use crate::ssa::state::State;

/// Elements beyond this are not written one by one at the start.
const MAXIMUM_ELEMENTS: u64 = 1024;

impl Builder<'_> {
    /// The state before the first edge.
    pub(crate) fn start(&mut self) -> State {
        let preparation = self.preparation;
        let empty = heapwright_base::IdVec::filled(None, preparation.slots.list.len());
        let mut state = State { guard: TermId::TRUE, known: BTreeSet::new(), values: empty };
        for object in preparation.layouts.ids() {
            let zero = self.terms.bit_vector(0, NUMBER_BITS);
            self.set(&mut state, Slot::Count(object), zero);
            let alive = self.never(object);
            self.set(&mut state, Slot::Ended(object), alive);
        }
        for object in preparation.layouts.ids() {
            self.start_object(&mut state, object);
        }
        let program = preparation.program();
        for (id, variable) in program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                let value = self.evaluate(&state, initial);
                self.set(&mut state, Slot::Variable(id), value);
            }
        }
        for &parameter in &program.functions[preparation.inlined.main].parameters {
            let variable = &program.variables[parameter];
            let value = self.anything(&variable.name, variable.scalar);
            self.set(&mut state, Slot::Variable(parameter), value);
        }
        state
    }

    /// The slot that says that no block has ended.
    pub(crate) fn never(&mut self, object: AbstractObjectId) -> TermId {
        let zero = self.terms.bit_vector(0, 1);
        match self.block_sort(object, 1) {
            Sort::Array { index, .. } => self.terms.constant_array(zero, index),
            Sort::Boolean | Sort::BitVector(_) => zero,
        }
    }

    fn start_object(&mut self, state: &mut State, object: AbstractObjectId) {
        let preparation = self.preparation;
        let layout = &preparation.layouts[object];
        let program = preparation.program();
        if layout.is_many {
            for (position, cell) in layout.cells().iter().enumerate() {
                let name = format!("{}.{}#0", layout.name, cell.name);
                let term = self.garbage_cell(&name, object, position);
                self.set(state, Slot::Cell(object, position), term);
            }
            if preparation.points_to.sizes[object].is_none() {
                let sort = self.block_sort(object, self.pointers.offset_bits);
                let term = self.fresh(&format!("{}.size#0", layout.name), sort);
                self.bases.insert(term, crate::ssa::memory::BaseArray { pointers: None });
                self.set(state, Slot::Size(object), term);
            }
            return;
        }
        let ObjectSource::Declared(id) = preparation.points_to.objects.sources[object] else {
            return;
        };
        for position in 0..layout.cells().len() {
            let value = match &program.objects[id].kind {
                ObjectKind::Static { .. } | ObjectKind::String { .. } => {
                    self.initial_cell(id, object, position)
                }
                ObjectKind::External => Some(self.garbage_cell(&layout.name, object, position)),
                ObjectKind::Local => None,
            };
            if let Some(value) = value {
                self.set(state, Slot::Cell(object, position), value);
            }
        }
    }

    fn initial_cell(
        &mut self,
        id: ObjectId,
        object: AbstractObjectId,
        position: usize,
    ) -> Option<TermId> {
        let preparation = self.preparation;
        let layout = &preparation.layouts[object];
        let cell = &layout.cells()[position];
        if !layout.has_elements() {
            return Some(self.initial_value(id, cell, cell.start));
        }
        let count = 8 * preparation.points_to.sizes[object]? / cell.extent;
        if count > MAXIMUM_ELEMENTS {
            let name = format!("{}.[]#0", layout.name);
            return Some(self.garbage_cell(&name, object, position));
        }
        let width = self.width_of_kind(cell.kind);
        let zero = self.terms.bit_vector(0, width);
        let mut array = self.terms.constant_array(zero, self.pointers.offset_bits);
        for index in 0..count {
            let start = index * cell.extent;
            let value = self.initial_value(id, cell, start);
            let at = self.size_term(start / 8);
            array = self.terms.store(array, at, value);
        }
        Some(array)
    }

    /// The value in the initial bytes, `start` bits on.
    fn initial_value(&mut self, id: ObjectId, cell: &Cell, start: u64) -> TermId {
        let program = self.preparation.program();
        let (bytes, addresses) = match &program.objects[id].kind {
            ObjectKind::Static { bytes, addresses } => (bytes, addresses.as_slice()),
            ObjectKind::String { bytes } => (bytes, [].as_slice()),
            ObjectKind::External | ObjectKind::Local => unreachable!("has no initial bytes"),
        };
        let found = addresses.iter().find(|address| 8 * address.offset == start);
        if let (ValueKind::Pointer, Some(address)) = (cell.kind, found) {
            let target = self.preparation.points_to.objects.id(source_of(address.target));
            let tag = self.terms.bit_vector(0, NUMBER_BITS);
            let base = self.pointers.address(&mut self.terms, target, tag);
            let block = self.pointers.block(&mut self.terms, base);
            let offset = self.terms.bit_vector(address.addend as u128, self.pointers.offset_bits);
            return self.terms.concat(block, offset);
        }
        let is_address = addresses.iter().any(|address| {
            let begin = 8 * address.offset;
            let end = begin + 8 * program.model.pointer_size();
            begin < start + cell.extent && start < end
        });
        let width = self.width_of_kind(cell.kind);
        if is_address {
            return self.anything_of_kind("initial", cell.kind);
        }
        let bit = |position: u64| {
            let byte = bytes.get((position / 8) as usize).copied().unwrap_or(0);
            u128::from(byte >> (position % 8) & 1)
        };
        let value = (0..cell.extent.min(128)).fold(0, |value, at| value | bit(start + at) << at);
        self.terms.bit_vector(value, width)
    }
}
