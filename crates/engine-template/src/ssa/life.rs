//! Lives: static objects at the start, allocation, scopes, the end of blocks.
//!
//! Blocks of one object are numbered as they come. A number is never used twice within one formula,
//! so a new block is none that a pointer knows of.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{EdgeId, ExpressionId, ObjectId, ObjectKind, Place, VariableId};
use heapwright_property::Part;

use crate::analysis::effects::Slot;
use crate::analysis::points_to::ObjectSource;
use crate::ssa::build::{Builder, Witness};
use crate::ssa::formula::{AbstractObjectId, Input, InputKind, ValueKind};
use crate::ssa::memory::Key;
use crate::ssa::pointer::{NUMBER_BITS, PointerTarget};
use crate::ssa::state::State;

impl Builder<'_> {
    /// `x = malloc(size)`
    pub(crate) fn allocate(
        &mut self,
        state: &mut State,
        edge: EdgeId,
        target: VariableId,
        (size, zeroed): (ExpressionId, bool),
        place: Place,
    ) {
        let object = self.preparation.points_to.objects.id(ObjectSource::Site(edge));
        let size_value = self.evaluate(state, size);
        let number = self.next_block(state, object, size_value);
        if zeroed {
            self.zero_block(state, object, number);
        }
        let address = self.pointers.address(&mut self.terms, object, number);
        let value = if self.task.malloc_may_fail {
            let fails = self.fresh("malloc#fails", Sort::BitVector(1));
            let kind = InputKind::AllocationFails;
            self.inputs.push(Input { guard: state.guard, value: fails, kind });
            let is_null = self.is_set(fails);
            let null = self.pointers.null(&mut self.terms);
            self.terms.if_then_else(is_null, null, address)
        } else {
            address
        };
        self.assign(state, target, value, place);
    }

    /// A new block, its cells garbage; its number.
    pub(crate) fn next_block(
        &mut self,
        state: &mut State,
        object: AbstractObjectId,
        size: TermId,
    ) -> TermId {
        let layout = &self.preparation.layouts[object];
        let zero = self.terms.bit_vector(0, NUMBER_BITS);
        let count = self.value(state, Slot::Count(object)).unwrap_or(zero);
        let number = if layout.is_many { count } else { zero };
        let one = self.terms.bit_vector(1, NUMBER_BITS);
        let more = if layout.is_many { self.terms.add(count, one) } else { one };
        self.set(state, Slot::Count(object), more);
        self.set_ended(state, object, number, false);
        for (position, cell) in layout.cells().iter().enumerate() {
            let name = format!("{}.{}#new", layout.name, cell.name);
            self.renew_cell(state, object, position, number, &name);
        }
        if self.preparation.points_to.sizes[object].is_none() {
            let bits = self.pointers.offset_bits;
            let size = self.resized(size, bits, false);
            let old = self.value(state, Slot::Size(object));
            let new = match old {
                Some(old) => self.write_block(object, old, number, size),
                None => size,
            };
            self.set(state, Slot::Size(object), new);
        }
        number
    }

    /// Garbage in one cell of a new block. At a new number a free array holds anything already; but a
    /// pointer must not happen to point to a block to come.
    fn renew_cell(
        &mut self,
        state: &mut State,
        object: AbstractObjectId,
        position: usize,
        number: TermId,
        name: &str,
    ) {
        let layout = &self.preparation.layouts[object];
        let kind = layout.cells()[position].kind;
        let slot = Slot::Cell(object, position);
        if !layout.is_many {
            let garbage = self.garbage_cell(name, object, position);
            self.set(state, slot, garbage);
        } else if kind == ValueKind::Pointer && !layout.has_elements() {
            let garbage = self.anything_of_kind(name, kind);
            let old = self.cell(state, object, position);
            let offset = self.size_term(0);
            let new = self.write_cell(object, old, Key { number, offset }, garbage);
            self.set(state, slot, new);
        }
    }

    fn zero_block(&mut self, state: &mut State, object: AbstractObjectId, number: TermId) {
        let layout = &self.preparation.layouts[object];
        for (position, cell) in layout.cells().iter().enumerate() {
            let width = self.width_of_kind(cell.kind);
            let zero = self.terms.bit_vector(0, width);
            let slot = Slot::Cell(object, position);
            let old = self.cell(state, object, position);
            let offset = self.size_term(0);
            let new = match (layout.has_elements(), layout.is_many) {
                (true, false) => self.terms.constant_array(zero, self.pointers.offset_bits),
                // All elements of one block cannot be set at once; they stay anything.
                (true, true) => old,
                (false, _) => self.write_cell(object, old, Key { number, offset }, zero),
            };
            self.set(state, slot, new);
        }
    }

    /// A local object comes to life.
    pub(crate) fn enter(
        &mut self,
        state: &mut State,
        object: ObjectId,
        size: Option<ExpressionId>,
    ) {
        let id = self.preparation.points_to.objects.id(ObjectSource::Declared(object));
        let size = match size {
            Some(size) => self.evaluate(state, size),
            None => self.size_term(0),
        };
        let number = self.next_block(state, id, size);
        if self.preparation.layouts[id].is_many {
            self.set(state, Slot::Current(id), number);
        }
    }

    pub(crate) fn leave(&mut self, state: &mut State, object: ObjectId) {
        let id = self.preparation.points_to.objects.id(ObjectSource::Declared(object));
        let zero = self.terms.bit_vector(0, NUMBER_BITS);
        let is_many = self.preparation.layouts[id].is_many;
        let current = if is_many { self.value(state, Slot::Current(id)) } else { None };
        self.set_ended(state, id, current.unwrap_or(zero), true);
    }

    pub(crate) fn ended(&mut self, state: &State, object: AbstractObjectId) -> TermId {
        match self.value(state, Slot::Ended(object)) {
            Some(ended) => ended,
            None => self.never(object),
        }
    }

    fn set_ended(
        &mut self,
        state: &mut State,
        object: AbstractObjectId,
        number: TermId,
        has_ended: bool,
    ) {
        if !self.preparation.layouts[object].has_life {
            return;
        }
        let old = self.ended(state, object);
        let bit = self.terms.bit_vector(u128::from(has_ended), 1);
        let new = self.write_block(object, old, number, bit);
        self.set(state, Slot::Ended(object), new);
    }

    /// `free(address)`
    pub(crate) fn free(&mut self, state: &mut State, address: ExpressionId, place: Place) {
        let pointer = self.evaluate(state, address);
        let is_null = self.pointers.is_target(&mut self.terms, pointer, PointerTarget::Null);
        let mut valid = vec![is_null];
        let mut living = vec![TermId::TRUE];
        let start = self.size_term(0);
        let hits: Vec<_> = self
            .hits(state, address)
            .into_iter()
            .filter(|hit| {
                let source = self.preparation.points_to.objects.sources[hit.object];
                self.is_heap(source)
            })
            .collect();
        for hit in &hits {
            let is_start = self.terms.equal(hit.key.offset, start);
            valid.push(self.terms.and(hit.condition, is_start));
            let is_alive = self.is_alive(state, hit);
            let not_here = self.terms.not(hit.condition);
            living.push(self.terms.or(not_here, is_alive));
        }
        let is_valid = self.terms.any(&valid);
        let text = "what is freed is not the start of a block of the heap";
        self.require(state, is_valid, Some(Part::ValidFree), text, place);
        if self.settings.check_lives || self.task.specification.asks(Part::ValidFree) {
            let is_alive = self.terms.all(&living);
            let text = "what is freed may have been freed before";
            self.require(state, is_alive, Some(Part::ValidFree), text, place);
        }
        for hit in hits {
            let old = self.ended(state, hit.object);
            let one = self.terms.bit_vector(1, 1);
            let new = self.write_block(hit.object, old, hit.key.number, one);
            let new = self.terms.if_then_else(hit.condition, new, old);
            self.set(state, Slot::Ended(hit.object), new);
        }
    }

    pub(crate) fn is_heap(&self, source: ObjectSource) -> bool {
        use heapwright_program::{Operation, Storage};
        match source {
            ObjectSource::Site(edge) => matches!(
                self.preparation.inlined.body().edges[edge].operation,
                Operation::Allocate { storage: Storage::Heap, .. }
            ),
            ObjectSource::Declared(_) | ObjectSource::Code(_) => false,
        }
    }

    /// The program ends: every block of the heap should be gone, or at least be known to someone.
    pub(crate) fn end(&mut self, mut state: State, place: Place) {
        let parts = [Part::ValidMemcleanup, Part::ValidMemtrack];
        let asked = parts.map(|part| self.task.specification.asks(part));
        if asked == [false, false] {
            return;
        }
        let preparation = self.preparation;
        for (object, &source) in preparation.points_to.objects.sources.enumerated() {
            if !self.is_heap(source) {
                continue;
            }
            let number = self.witness_number(object);
            let is_allocated = self.is_allocated(&state, object, number);
            let ended = self.ended(&state, object);
            let bit = self.read_block(object, ended, number);
            let has_ended = self.is_set(bit);
            let holds = self.terms.implies(is_allocated, has_ended);
            let name = &preparation.layouts[object].name;
            if asked[0] {
                let text = format!("a block of {name} is not freed");
                self.require(&mut state, holds, Some(Part::ValidMemcleanup), text, place);
            }
            if asked[1] {
                let is_known = self.is_known_at_end(&mut state, object, number);
                let holds = self.terms.or(holds, is_known);
                let text = format!("a block of {name} is lost");
                self.require(&mut state, holds, Some(Part::ValidMemtrack), text, place);
            }
        }
    }

    /// Whether a global variable, or a static object of one block, points into a block, or to its end.
    fn is_known_at_end(
        &mut self,
        state: &mut State,
        object: AbstractObjectId,
        number: TermId,
    ) -> TermId {
        let preparation = self.preparation;
        let program = preparation.program();
        let mut pointers = Vec::new();
        for (id, variable) in program.variables.enumerated() {
            if variable.function.is_none() && variable.scalar.is_pointer() {
                pointers.push(self.variable(state, id));
            }
        }
        for (holder, layout) in preparation.layouts.enumerated() {
            let ObjectSource::Declared(id) = preparation.points_to.objects.sources[holder] else {
                continue;
            };
            let is_static = matches!(program.objects[id].kind, ObjectKind::Static { .. });
            if !is_static || layout.has_elements() {
                continue;
            }
            for (position, cell) in layout.cells().iter().enumerate() {
                if cell.kind == ValueKind::Pointer {
                    pointers.push(self.cell(state, holder, position));
                }
            }
        }
        let block = self.pointers.address(&mut self.terms, object, number);
        let block = self.pointers.block(&mut self.terms, block);
        let size = self.block_size(state, object, number);
        let mut known = Vec::new();
        for pointer in pointers {
            let other = self.pointers.block(&mut self.terms, pointer);
            let is_block = self.terms.equal(other, block);
            let offset = self.pointers.offset(&mut self.terms, pointer);
            let is_inside = self.terms.unsigned_less_equal(offset, size);
            known.push(self.terms.and(is_block, is_inside));
        }
        self.terms.any(&known)
    }

    /// The number of the block that rows speak about.
    pub(crate) fn witness_number(&mut self, object: AbstractObjectId) -> TermId {
        let layout = &self.preparation.layouts[object];
        if layout.is_many {
            self.witness(Witness::Block(object))
        } else {
            self.terms.bit_vector(0, NUMBER_BITS)
        }
    }

    pub(crate) fn is_allocated(
        &mut self,
        state: &State,
        object: AbstractObjectId,
        number: TermId,
    ) -> TermId {
        match self.value(state, Slot::Count(object)) {
            Some(count) => self.terms.unsigned_less(number, count),
            None => TermId::FALSE,
        }
    }
}
