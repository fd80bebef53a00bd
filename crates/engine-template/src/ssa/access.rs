//! Dereferences: which cells an access may touch, and when it is valid.
//!
//! A read is a choice among the cells of the objects that the pointer may point to, a write changes
//! the one that it points to (FMCAD'18, III-B). That the pointer points to one of them, inside its
//! bounds and within its life, is an obligation.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{
    Access, BinaryOperator, Expression, ExpressionId, ObjectKind, Place, ScalarType, VariableId,
    display_expression,
};
use heapwright_property::Part;

use crate::analysis::distance::constant_distance;
use crate::analysis::effects::Slot;
use crate::analysis::layout::{Shape, constant_size};
use crate::analysis::points_to::ObjectSource;
use crate::ssa::build::Builder;
use crate::ssa::formula::{AbstractObjectId, ValueKind};
use crate::ssa::memory::Key;
use crate::ssa::state::State;

/// An object that a pointer may point to.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) object: AbstractObjectId,
    /// The pointer points to it.
    pub(crate) condition: TermId,
    pub(crate) key: Key,
    /// The offsets, where they are known.
    pub(crate) offsets: Option<Vec<i64>>,
}

/// What an access needs of its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    /// The write that gives a constant its value.
    Initialise,
}

impl Use {
    pub(crate) fn of_write(initialises: bool) -> Use {
        if initialises { Use::Initialise } else { Use::Write }
    }
}

impl Builder<'_> {
    pub(crate) fn load(
        &mut self,
        state: &mut State,
        target: VariableId,
        access: &Access,
        place: Place,
    ) {
        let bytes = bytes_of(access, self.preparation.program().model);
        let size = self.size_term(bytes);
        let hits = self.dereference(state, access.address, size, Use::Read, place);
        let ty = self.preparation.program().variables[target].scalar;
        let mut value = None;
        for hit in hits.iter().rev() {
            let read = self.read_hit(state, hit, access, ty);
            value = Some(match value {
                Some(other) => self.terms.if_then_else(hit.condition, read, other),
                None => read,
            });
        }
        let value = value.unwrap_or_else(|| self.anything("nothing", ty));
        self.assign(state, target, value, place);
    }

    pub(crate) fn store(
        &mut self,
        state: &mut State,
        access: &Access,
        value: ExpressionId,
        place: Place,
    ) {
        let value = self.evaluate(state, value);
        let usage = Use::of_write(access.initialises);
        let bytes = bytes_of(access, self.preparation.program().model);
        let size = self.size_term(bytes);
        let hits = self.dereference(state, access.address, size, usage, place);
        let is_only = hits.len() == 1;
        for hit in hits {
            let condition = if is_only { TermId::TRUE } else { hit.condition };
            for (position, at) in self.cells_of(&hit, access) {
                let condition = self.terms.and(condition, at);
                let kind = self.preparation.layouts[hit.object].cells()[position].kind;
                let value = self.as_cell(value, kind);
                self.write(state, &hit, position, condition, value);
            }
        }
    }

    /// Changes a cell where a condition holds.
    pub(crate) fn write(
        &mut self,
        state: &mut State,
        hit: &Hit,
        position: usize,
        condition: TermId,
        value: TermId,
    ) {
        let slot = Slot::Cell(hit.object, position);
        let old = self.cell(state, hit.object, position);
        let new = self.write_cell(hit.object, old, hit.key, value);
        let new = self.terms.if_then_else(condition, new, old);
        self.set(state, slot, new);
    }

    /// The value of a cell's slot; anything if it has none yet.
    pub(crate) fn cell(
        &mut self,
        state: &mut State,
        object: AbstractObjectId,
        position: usize,
    ) -> TermId {
        if let Some(known) = self.value(state, Slot::Cell(object, position)) {
            return known;
        }
        let layout = &self.preparation.layouts[object];
        let name = format!("{}.{}#garbage", layout.name, layout.cells()[position].name);
        let term = self.garbage_cell(&name, object, position);
        self.set(state, Slot::Cell(object, position), term);
        term
    }

    /// Memory that nobody wrote: pointers in it are numbers.
    pub(crate) fn garbage_cell(
        &mut self,
        name: &str,
        object: AbstractObjectId,
        position: usize,
    ) -> TermId {
        let kind = self.preparation.layouts[object].cells()[position].kind;
        let sort = self.cell_sort(object, kind);
        match sort {
            Sort::Array { .. } => {
                let term = self.fresh(name, sort);
                let pointers = (kind == ValueKind::Pointer).then(Default::default);
                self.bases.insert(term, crate::ssa::memory::BaseArray { pointers });
                term
            }
            Sort::Boolean | Sort::BitVector(_) => self.anything_of_kind(name, kind),
        }
    }

    fn read_hit(
        &mut self,
        state: &mut State,
        hit: &Hit,
        access: &Access,
        ty: ScalarType,
    ) -> TermId {
        let mut value = None;
        let cells = self.cells_of(hit, access);
        for (position, at) in cells.into_iter().rev() {
            let cell = self.cell(state, hit.object, position);
            let read = self.read_cell(hit.object, cell, hit.key);
            let read = self.out_of_cell(read, access, ty);
            value = Some(match value {
                Some(other) => self.terms.if_then_else(at, read, other),
                None => read,
            });
        }
        let is_covered = match &hit.offsets {
            Some(offsets) => {
                let layout = &self.preparation.layouts[hit.object];
                let program = self.preparation.program();
                offsets.iter().all(|&offset| layout.cell_at(offset, access, program).is_some())
            }
            None => self.preparation.layouts[hit.object].has_elements(),
        };
        match value {
            Some(value) if is_covered => value,
            // Some of the places are opaque: anything may be there.
            Some(_) | None => self.anything("opaque", ty),
        }
    }

    /// The cells that an access to an object may touch, each with when it does.
    fn cells_of(&mut self, hit: &Hit, access: &Access) -> Vec<(usize, TermId)> {
        let layout = &self.preparation.layouts[hit.object];
        let program = self.preparation.program();
        let Some(offsets) = &hit.offsets else {
            // Only elements can be reached at any offset.
            return if layout.has_elements() { vec![(0, TermId::TRUE)] } else { Vec::new() };
        };
        if layout.has_elements() {
            return vec![(0, TermId::TRUE)];
        }
        let mut cells = Vec::new();
        for &offset in offsets {
            let Some(position) = layout.cell_at(offset, access, program) else { continue };
            let at = if offsets.len() == 1 {
                TermId::TRUE
            } else {
                let known = self.offset_term(offset);
                self.terms.equal(hit.key.offset, known)
            };
            cells.push((position, at));
        }
        cells
    }

    /// A value as a cell holds it.
    fn as_cell(&mut self, value: TermId, kind: ValueKind) -> TermId {
        let width = self.width_of_kind(kind);
        self.resized(value, width, false)
    }

    /// A cell's bits as a value of an access's type, for a variable of type `ty`.
    fn out_of_cell(&mut self, bits: TermId, access: &Access, ty: ScalarType) -> TermId {
        let value = match access.ty {
            ScalarType::Bool => {
                let width = self.terms.width(bits);
                let zero = self.terms.bit_vector(0, width);
                let is_set = self.terms.not_equal(bits, zero);
                self.bit(is_set)
            }
            ScalarType::Integer { signed, width } => self.resized(bits, u32::from(width), signed),
            ScalarType::Float(_) => {
                let width = self.width(access.ty);
                self.resized(bits, width, false)
            }
            ScalarType::Pointer => bits,
        };
        let width = self.width(ty);
        debug_assert_eq!(self.terms.width(value), width, "a load has its target's type");
        value
    }

    pub(crate) fn size_term(&mut self, bytes: u64) -> TermId {
        self.terms.bit_vector(u128::from(bytes), self.pointers.offset_bits)
    }

    pub(crate) fn offset_term(&mut self, offset: i64) -> TermId {
        self.terms.bit_vector(offset as u128, self.pointers.offset_bits)
    }

    /// The objects that `size` bytes at an address may lie in, after asking that they do.
    pub(crate) fn dereference(
        &mut self,
        state: &mut State,
        address: ExpressionId,
        size: TermId,
        usage: Use,
        place: Place,
    ) -> Vec<Hit> {
        let hits = self.hits(state, address);
        let mut valid = Vec::new();
        let mut living = Vec::new();
        for hit in &hits {
            let is_inside = self.is_inside(state, hit, size, usage);
            let is_alive = self.is_alive(state, hit);
            let inside = self.terms.and(hit.condition, is_inside);
            valid.push(inside);
            let not_here = self.terms.not(hit.condition);
            living.push(self.terms.or(not_here, is_alive));
        }
        let program = self.preparation.program();
        let name = display_expression(program, address).to_string();
        let is_valid = self.terms.any(&valid);
        let text = format!("`{name}` points to no object that is large enough");
        self.require(state, is_valid, Some(Part::ValidDeref), text, place);
        let is_alive = self.terms.all(&living);
        if self.settings.check_lives || self.task.specification.asks(Part::ValidDeref) {
            let text = format!("what `{name}` points to has ended its life");
            self.require(state, is_alive, Some(Part::ValidDeref), text, place);
        }
        hits
    }

    /// Asks that two ranges of a block share no byte, or all.
    pub(crate) fn disjoint(
        &mut self,
        state: &mut State,
        left: ExpressionId,
        right: ExpressionId,
        size: ExpressionId,
        place: Place,
    ) {
        let (from, to) = (self.hits(state, left), self.hits(state, right));
        let pairs: Vec<(&Hit, &Hit)> = from
            .iter()
            .flat_map(|hit| to.iter().map(move |other| (hit, other)))
            .filter(|(hit, other)| hit.object == other.object && hit.key != other.key)
            .collect();
        if pairs.is_empty() {
            return;
        }
        let size = self.byte_count(state, size, place);
        for (hit, other) in pairs {
            let (a, b) = (hit.key.offset, other.key.offset);
            let (forth, back) = (self.terms.subtract(b, a), self.terms.subtract(a, b));
            let is_short = [forth, back].map(|way| self.terms.unsigned_less(way, size));
            let is_near = self.terms.or(is_short[0], is_short[1]);
            let differs = self.terms.not_equal(a, b);
            let same_block = self.terms.equal(hit.key.number, other.key.number);
            let overlap = [hit.condition, other.condition, same_block, differs, is_near];
            let overlaps = self.terms.all(&overlap);
            let are_apart = self.terms.not(overlaps);
            let text = "what is copied may overlap its target";
            self.require(state, are_apart, Some(Part::ValidDeref), text, place);
        }
    }

    /// The objects that an address may point into.
    pub(crate) fn hits(&mut self, state: &State, address: ExpressionId) -> Vec<Hit> {
        let program = self.preparation.program();
        let targets = self.preparation.points_to.of_expression(program, address);
        // A constant distance does not change the block, and a number stays a number.
        let (base, distance) = self.split_constant(address);
        let pointer = self.evaluate(state, base);
        let number = self.pointers.number(&mut self.terms, pointer);
        let start = self.pointers.offset(&mut self.terms, pointer);
        let distance = self.terms.bit_vector(distance as u128, self.pointers.offset_bits);
        let offset = self.terms.add(start, distance);
        let mut hits = Vec::new();
        for (object, offsets) in targets.by_object() {
            let source = self.preparation.points_to.objects.sources[object];
            if matches!(source, ObjectSource::Code(_)) {
                continue;
            }
            let condition = self.pointers.is_object(&mut self.terms, pointer, object);
            if condition != TermId::FALSE {
                hits.push(Hit { object, condition, key: Key { number, offset }, offsets });
            }
        }
        hits
    }

    /// An address without the constants that it adds, and their sum.
    fn split_constant(&self, address: ExpressionId) -> (ExpressionId, i128) {
        let program = self.preparation.program();
        if let Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } =
            program.expressions.get(address)
            && let Some(distance) = constant_distance(program, right)
            && i32::try_from(distance).is_ok()
        {
            let (base, before) = self.split_constant(left);
            return (base, before + distance);
        }
        (address, 0)
    }

    /// Whether the bytes lie in the block, may be used so, and are whole elements.
    fn is_inside(&mut self, state: &State, hit: &Hit, size: TermId, usage: Use) -> TermId {
        let source = self.preparation.points_to.objects.sources[hit.object];
        if let ObjectSource::Declared(object) = source
            && usage == Use::Write
        {
            let object = &self.preparation.program().objects[object];
            if object.is_constant || matches!(object.kind, ObjectKind::String { .. }) {
                return TermId::FALSE;
            }
        }
        let offset = match hit.offsets.as_deref() {
            Some(&[only]) => self.offset_term(only),
            Some(_) | None => hit.key.offset,
        };
        let whole = self.block_size(state, hit.object, hit.key.number);
        let does_fit = self.terms.unsigned_less_equal(size, whole);
        let last = self.terms.subtract(whole, size);
        let is_before = self.terms.unsigned_less_equal(offset, last);
        let inside = self.terms.and(does_fit, is_before);
        let is_whole = self.is_aligned(hit.object, offset);
        self.terms.and(inside, is_whole)
    }

    /// Whether an offset is that of an element.
    pub(crate) fn is_aligned(&mut self, object: AbstractObjectId, offset: TermId) -> TermId {
        let layout = &self.preparation.layouts[object];
        let bits = match &layout.shape {
            Shape::Elements(cell) => (cell.extent / 8).trailing_zeros(),
            Shape::Split(_) | Shape::Opaque => 0,
        };
        if bits == 0 {
            return TermId::TRUE;
        }
        let low = self.terms.extract(offset, bits - 1, 0);
        let zero = self.terms.bit_vector(0, bits);
        self.terms.equal(low, zero)
    }

    /// The size of a block in bytes, as wide as an offset.
    pub(crate) fn block_size(
        &mut self,
        state: &State,
        object: AbstractObjectId,
        number: TermId,
    ) -> TermId {
        if let Some(size) = self.preparation.points_to.sizes[object] {
            return self.size_term(size);
        }
        match self.value(state, Slot::Size(object)) {
            Some(size) => self.read_block(object, size, number),
            None => self.size_term(0),
        }
    }

    /// Whether the block is in its life.
    pub(crate) fn is_alive(&mut self, state: &State, hit: &Hit) -> TermId {
        if !self.preparation.layouts[hit.object].has_life {
            return TermId::TRUE;
        }
        let ended = self.ended(state, hit.object);
        let bit = self.read_block(hit.object, ended, hit.key.number);
        let has_ended = self.is_set(bit);
        self.terms.not(has_ended)
    }

    /// The size of a copy, where it is constant.
    pub(crate) fn constant_bytes(&self, size: ExpressionId) -> Option<u64> {
        constant_size(self.preparation.program(), size)
    }
}

/// Bytes that an access touches.
fn bytes_of(access: &Access, model: heapwright_program::DataModel) -> u64 {
    access.bits.map_or(access.ty.size(model), heapwright_program::BitRange::bytes)
}
