//! Loads, stores, allocations and frees, each with what makes it invalid.

use heapwright_program::{
    Access, ExpressionId, ObjectId, ObjectKind, ScalarType, Storage, VariableId,
};
use heapwright_property::Part;

use crate::heap::{NULL, Node, WILD};
use crate::number::{Number, give, keep};
use crate::sharpen::{sharpen, sharpen_since};
use crate::state::{Pointer, Slot, State};
use crate::step::{Objection, Stepped, Stepper};
use crate::truth::Truth;
use crate::update::{First, allocate, define_all_of, point, store, targets};
use crate::value::{Value, Values};

const INVALID: Objection = Objection::Violation(Part::ValidDeref);

/// What an access touches.
enum Place {
    Object(ObjectId, u64),
    Block { node: Node, size: u64, offset: u64 },
}

/// What an access has to do with the number field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overlap {
    None,
    Whole,
    /// Some of its bytes, or all of them as another type.
    Part,
}

impl Stepper<'_> {
    fn pointer_size(&self) -> u64 {
        self.question.program.model.pointer_size()
    }

    fn place(&self, state: &State, access: &Access) -> Result<Place, Objection> {
        let width = access.ty.size(self.question.program.model);
        let within = |offset: i64, size: u64| match u64::try_from(offset) {
            Ok(offset) if offset.checked_add(width).is_some_and(|end| end <= size) => Ok(offset),
            Ok(_) | Err(_) => Err(INVALID),
        };
        match self.value(state, access.address).pointer() {
            Pointer::Block { node, offset } => {
                let size = self.claims.size_of(&state.heap, node).ok_or(Objection::NotSpokenOf)?;
                Ok(Place::Block { node, size, offset: within(offset, size)? })
            }
            Pointer::Object { object, offset } => {
                let item = &self.question.program.objects[object];
                let is_there = item.kind != ObjectKind::Local || state.objects.contains(&object);
                match item.size.filter(|_| is_there) {
                    Some(size) => Ok(Place::Object(object, within(offset, size)?)),
                    None => Err(Objection::NotCarried("an object of dynamic size")),
                }
            }
            Pointer::Null | Pointer::Wild | Pointer::Unknown | Pointer::Function(_) => Err(INVALID),
        }
    }

    fn aligned(&self, offset: u64) -> Result<(), Objection> {
        match offset.is_multiple_of(self.pointer_size()) {
            true => Ok(()),
            false => Err(Objection::NotCarried("a pointer that is not aligned")),
        }
    }

    fn link(&self, size: u64, offset: u64) -> Result<usize, Objection> {
        self.aligned(offset)?;
        let link = self.claims.links.iter().position(|link| *link == (size, offset));
        link.ok_or(Objection::NotSpokenOf)
    }

    pub(crate) fn load(&self, mut state: State, into: VariableId, access: &Access) -> Stepped {
        let place = self.place(&state, access)?;
        if !access.ty.is_pointer() {
            let value = match place {
                Place::Object(..) => Value::Open,
                Place::Block { node, size, offset } => {
                    self.number_in(&mut state, node, (size, offset, access.ty))
                }
            };
            self.set(&mut state, into, value);
            return Ok(vec![state]);
        }
        match place {
            Place::Object(object, offset) => {
                self.aligned(offset)?;
                let held = state.pointers.get(&Slot::Cell(object, offset)).copied();
                let held = held.unwrap_or_else(|| self.first_held(object, offset));
                self.set(&mut state, into, Value::Pointer(held));
                Ok(vec![state])
            }
            Place::Block { node, size, offset } => {
                let link = self.link(size, offset)?;
                let found = targets(&state.heap, &self.claims.meaning, link, node);
                let states = found.into_iter().map(|(heap, target)| {
                    let mut next = State { heap, ..state.clone() };
                    let pointer = match target {
                        NULL => Pointer::Null,
                        WILD => Pointer::Wild,
                        node => Pointer::Block { node, offset: 0 },
                    };
                    self.set(&mut next, into, Value::Pointer(pointer));
                    next
                });
                Ok(states.collect())
            }
        }
    }

    /// What a cell of an object holds before it is written.
    fn first_held(&self, object: ObjectId, offset: u64) -> Pointer {
        let ObjectKind::Static { bytes, addresses } = &self.question.program.objects[object].kind
        else {
            return Pointer::Unknown;
        };
        let width = self.pointer_size();
        let touches = |start: u64| start < offset + width && offset < start + width;
        let is_zero =
            (offset..offset + width).all(|at| bytes.get(at as usize).is_none_or(|byte| *byte == 0));
        match is_zero && !addresses.iter().any(|address| touches(address.offset)) {
            true => Pointer::Null,
            false => Pointer::Unknown,
        }
    }

    pub(crate) fn store(&self, mut state: State, access: &Access, value: ExpressionId) -> Stepped {
        let place = self.place(&state, access)?;
        let (stored, value) = (value, self.value(&state, value));
        let width = access.ty.size(self.question.program.model);
        match place {
            Place::Object(object, offset) => {
                let item = &self.question.program.objects[object];
                let is_literal = matches!(item.kind, ObjectKind::String { .. });
                if is_literal || item.is_constant && !access.initialises {
                    return Err(INVALID);
                }
                if access.ty.is_pointer() {
                    self.aligned(offset)?;
                    state.pointers.insert(Slot::Cell(object, offset), value.pointer());
                    return Ok(vec![state]);
                }
                let size = self.pointer_size();
                let cells = offset / size..=(offset + width - 1) / size;
                for cell in cells {
                    state.pointers.insert(Slot::Cell(object, cell * size), Pointer::Unknown);
                }
                Ok(vec![state])
            }
            Place::Block { node, size, offset } if !access.ty.is_pointer() => {
                let touches = |link: &(u64, u64)| {
                    let end = link.1 + self.pointer_size();
                    link.0 == size && link.1 < offset + width && offset < end
                };
                match self.claims.links.iter().any(touches) {
                    true => Err(Objection::NotCarried("a number in the place of a link")),
                    false => {
                        let at = (size, offset, access.ty);
                        Ok(self.store_number(state, node, at, stored))
                    }
                }
            }
            Place::Block { size, offset, .. }
                if self.overlap((size, offset, access.ty)) != Overlap::None =>
            {
                Err(Objection::NotCarried("a link in the place of a number"))
            }
            Place::Block { node, size, offset } => {
                let link = self.link(size, offset)?;
                let target = match value.pointer() {
                    Pointer::Null => NULL,
                    Pointer::Wild | Pointer::Object { .. } | Pointer::Function(_) => WILD,
                    Pointer::Block { node, offset: 0 } => node,
                    Pointer::Block { .. } => {
                        return Err(Objection::NotCarried("a link into the middle of a block"));
                    }
                    Pointer::Unknown => return Err(Objection::UnknownStored),
                };
                Ok(self.linked(state, (node, link), target))
            }
        }
    }

    fn overlap(&self, (size, offset, ty): (u64, u64, ScalarType)) -> Overlap {
        let model = self.question.program.model;
        let Some(known) = self.claims.order else { return Overlap::None };
        let is_clear = known.size != size
            || offset + ty.size(model) <= known.offset
            || known.offset + known.ty.size(model) <= offset;
        if is_clear {
            Overlap::None
        } else if (known.offset, known.ty) == (offset, ty) {
            Overlap::Whole
        } else {
            Overlap::Part
        }
    }

    /// A number that is read from a block. What nobody has written may be a number from then on.
    fn number_in(&self, state: &mut State, node: Node, at: (u64, u64, ScalarType)) -> Value {
        let overlap = self.overlap(at);
        let Some(order) = self.claims.meaning.order.filter(|_| overlap != Overlap::None) else {
            return Value::Open;
        };
        let is_there = state.heap.binary[order][node][node] == Truth::Yes;
        if !is_there {
            self.write(state, node, Number::Open);
        }
        if is_there && overlap == Overlap::Whole { Value::Datum(node) } else { Value::Open }
    }

    fn store_number(
        &self,
        mut state: State,
        node: Node,
        at: (u64, u64, ScalarType),
        stored: ExpressionId,
    ) -> Vec<State> {
        let number = match self.overlap(at) {
            Overlap::None => return vec![state],
            Overlap::Part => Number::Open,
            Overlap::Whole => {
                let program = self.question.program;
                let values = Values { program, claims: self.claims, state: &state };
                values.node(stored).map_or(Number::Some, Number::Like)
            }
        };
        if number == Number::Like(node) {
            return vec![state];
        }
        match self.write(&mut state, node, number) {
            true => vec![state],
            false => Vec::new(),
        }
    }

    /// Whether there is a heap in which the block has this number now.
    fn write(&self, state: &mut State, node: Node, number: Number) -> bool {
        if keep(self.claims, state, node).is_err() {
            return false;
        }
        let before = state.heap.clone();
        give(&mut state.heap, &self.claims.meaning, node, number);
        sharpen_since(&mut state.heap, &self.claims.meaning, &before).is_ok()
    }

    fn linked(&self, state: State, at: (Node, usize), target: Node) -> Vec<State> {
        let heaps = store(&state.heap, &self.claims.meaning, at, (target, self.claims.behind));
        heaps.into_iter().map(|heap| State { heap, ..state.clone() }).collect()
    }

    pub(crate) fn allocate(
        &self,
        state: &State,
        into: VariableId,
        (storage, size, zeroed): (Storage, ExpressionId, bool),
    ) -> Stepped {
        let size = match (storage, self.value(state, size).number()) {
            (Storage::Heap, Some(size)) if size != 0 => size as u64,
            (Storage::Heap, Some(_) | None) => {
                return Err(Objection::NotCarried("a block whose size is not known"));
            }
            (Storage::Alloca | Storage::Permanent, _) => {
                return Err(Objection::NotCarried("memory that is not of the heap"));
            }
        };
        let mark = self.claims.sizes.iter().find(|(known, _)| *known == size);
        let (_, mark) = mark.ok_or(Objection::NotSpokenOf)?;
        let links = self.claims.links.iter().enumerate();
        let own: Vec<usize> = links.filter(|(_, link)| link.0 == size).map(|it| it.0).collect();
        let first = if zeroed { First::Null } else { First::Anything };
        let mut found = Vec::new();
        if let Ok((heap, node)) = allocate(&state.heap, &self.claims.meaning, *mark, (&own, first))
        {
            let mut next = State { heap, ..state.clone() };
            let has_number = self.claims.order.is_some_and(|order| order.size == size);
            if zeroed && has_number {
                let zero = self.claims.constant(&next.heap, 0).map_or(Number::Some, Number::Like);
                self.write(&mut next, node, zero);
            }
            self.set(&mut next, into, Value::Pointer(Pointer::Block { node, offset: 0 }));
            found.push(next);
        }
        if self.question.malloc_may_fail {
            let mut failed = state.clone();
            self.set(&mut failed, into, Value::Pointer(Pointer::Null));
            found.push(failed);
        }
        Ok(found)
    }

    pub(crate) fn free(&self, state: State, address: ExpressionId) -> Stepped {
        match self.value(&state, address).pointer() {
            Pointer::Null => Ok(vec![state]),
            Pointer::Block { node, offset: 0 } => Ok(self.release(state, node)),
            Pointer::Block { .. }
            | Pointer::Wild
            | Pointer::Unknown
            | Pointer::Object { .. }
            | Pointer::Function(_) => Err(Objection::Violation(Part::ValidFree)),
        }
    }

    /// Cuts the links of the block, then those to it, then takes it away.
    fn release(&self, mut state: State, gone: Node) -> Vec<State> {
        let meaning = &self.claims.meaning;
        if keep(self.claims, &mut state, gone).is_err() {
            return Vec::new();
        }
        let mut pending = vec![state];
        for link in 0..meaning.links {
            pending =
                pending.into_iter().flat_map(|it| self.linked(it, (gone, link), WILD)).collect();
        }
        for link in 0..meaning.links {
            let mut cut = Vec::new();
            while let Some(mut state) = pending.pop() {
                let heap = &state.heap;
                let leads = |from: &Node| heap.binary[link][*from][gone] != Truth::No;
                let single = heap.blocks().find(|from| leads(from) && !heap.is_many[*from]);
                match single {
                    Some(from) => pending.extend(self.unlink(state, (from, link), gone)),
                    None => {
                        self.unlink_many(&mut state, link, gone);
                        cut.push(state);
                    }
                }
            }
            pending = cut;
        }
        let mut found = Vec::new();
        for mut state in pending {
            for pointer in 0..meaning.pointers {
                if state.heap.unary[pointer][gone] == Truth::Yes {
                    point(&mut state.heap, meaning, pointer, NULL);
                }
            }
            state.remove(gone);
            if let Ok(()) = sharpen(&mut state.heap, meaning) {
                found.push(state);
            }
        }
        found
    }

    /// A link of a single block that may lead to the block that goes.
    fn unlink(&self, state: State, (from, link): (Node, usize), gone: Node) -> Vec<State> {
        let meaning = &self.claims.meaning;
        let mut found = Vec::new();
        if state.heap.binary[link][from][gone] == Truth::Maybe {
            let mut other = state.clone();
            other.heap.binary[link][from][gone] = Truth::No;
            if let Ok(()) = sharpen(&mut other.heap, meaning) {
                found.push(other);
            }
        }
        let mut leading = state;
        leading.heap.lead(link, from, gone);
        if let Ok(()) = sharpen(&mut leading.heap, meaning) {
            found.extend(self.linked(leading, (from, link), WILD));
        }
        found
    }

    /// Links of the blocks of many that may lead to the block that goes: they may be wild now.
    fn unlink_many(&self, state: &mut State, link: usize, gone: Node) {
        let mut has_changed = false;
        for from in state.heap.blocks() {
            let row = &mut state.heap.binary[link][from];
            let value = std::mem::replace(&mut row[gone], Truth::No);
            if value != Truth::No {
                let is_certain = value == Truth::Yes || row[WILD] == Truth::Yes;
                row[WILD] = if is_certain { Truth::Yes } else { Truth::Maybe };
                has_changed = true;
            }
        }
        if has_changed {
            define_all_of(&mut state.heap, &self.claims.meaning, link);
        }
    }
}
