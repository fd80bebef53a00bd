//! Loads, stores and allocations.

use std::rc::Rc;

use heapwright_program::{Access, ExpressionId, ObjectId, ObjectKind, Storage, VariableId};
use heapwright_property::Part;
use heapwright_three_valued::class::{Fresh, Written};
use heapwright_three_valued::{BinaryId, NULL, Node, Row, Structure, WILD};

use crate::alarm::AlarmKind;
use crate::costs::Phase;
use crate::numbers::Touch;
use crate::precision::Field;
use crate::state::{Next, Pointer, Slot, State};
use crate::transfer::value::Value;
use crate::transfer::{Stepped, Transfer};

/// Where an access goes.
enum Target {
    Object(ObjectId, u64),
    Block(Node, Field),
}

const INVALID: AlarmKind = AlarmKind::Violation(Part::ValidDeref);

impl Transfer<'_, '_> {
    pub(super) fn load(&mut self, mut state: State, into: VariableId, access: &Access) -> Stepped {
        let target = self.target(&state, access)?;
        if !access.ty.is_pointer() {
            let value = match target {
                Target::Object(..) => Value::ANY,
                Target::Block(node, field) => self.load_number(&mut state, (node, field), access),
            };
            self.set(&mut state, into, value);
            return Ok(Next::One(state));
        }
        match target {
            Target::Object(object, offset) => {
                let pointer = self.cell(&state, object, offset)?;
                self.set(&mut state, into, Value::Pointer(pointer));
                Ok(Next::One(state))
            }
            Target::Block(node, field) => {
                let (_, link) = self.link(field)?;
                if let Some(target) = definite(&state.heap, link, node) {
                    self.set(&mut state, into, Value::Pointer(pointer_to(target)));
                    return Ok(Next::One(state));
                }
                let mut found = Vec::new();
                for (heap, target) in self.targets(&state.heap, link, node) {
                    let mut next = state.with_heap(heap);
                    self.set(&mut next, into, Value::Pointer(pointer_to(target)));
                    found.push(next);
                }
                Ok(Next::Several(found))
            }
        }
    }

    pub(super) fn store(
        &mut self,
        mut state: State,
        access: &Access,
        value: ExpressionId,
    ) -> Stepped {
        let target = self.target(&state, access)?;
        let (stored, value) = (value, self.value(&state, value));
        let width = access.ty.size(self.model.program().model);
        match target {
            Target::Object(object, offset) => {
                let kind = &self.model.program().objects[object];
                let is_literal = matches!(kind.kind, ObjectKind::String { .. });
                if is_literal || kind.is_constant && !access.initialises {
                    return Err(INVALID);
                }
                if access.ty.is_pointer() {
                    self.aligned(offset)?;
                    state.pointers.insert(Slot::Cell(object, offset), value.pointer());
                } else {
                    self.overwrite(&mut state, object, (offset, width));
                }
                Ok(Next::One(state))
            }
            Target::Block(node, field) if !access.ty.is_pointer() => {
                let pointer_size = self.model.program().model.pointer_size();
                let overlaps = |link: Field| {
                    link.size == field.size
                        && link.offset < field.offset + width
                        && field.offset < link.offset + pointer_size
                };
                match self.model.links().any(|(link, _)| overlaps(link)) {
                    true => Err(AlarmKind::unsupported("a number in the place of a link")),
                    false => Ok(self.store_number(state, (node, field), (access, stored))),
                }
            }
            Target::Block(_, field) if self.model.touch(field, access.ty) != Touch::Apart => {
                Err(AlarmKind::unsupported("a link in the place of a number"))
            }
            Target::Block(node, field) => self.store_link(state, (node, field), value.pointer()),
        }
    }

    fn store_link(
        &mut self,
        state: State,
        (node, field): (Node, Field),
        value: Pointer,
    ) -> Stepped {
        let (role, link) = self.link(field)?;
        let target = match value {
            Pointer::Null => NULL,
            Pointer::Wild | Pointer::Object { .. } | Pointer::Function(_) => WILD,
            Pointer::Block { node, offset: 0 } => node,
            Pointer::Block { .. } => {
                return Err(AlarmKind::unsupported("a link into the middle of a block"));
            }
            Pointer::Unknown => return Err(AlarmKind::UnknownStored),
        };
        Ok(self.linked(state, (node, role, link), target))
    }

    /// The states after a link of a single block was set.
    pub(super) fn linked(
        &mut self,
        state: State,
        (node, role, link): (Node, usize, BinaryId),
        target: Node,
    ) -> Next {
        let model = self.model;
        let held = state.heap.binary(link, node);
        if held.one & state.heap.blocks() == 0 {
            // Whatever it held led to no block: nothing depends on which.
            let mut heap = Structure::clone(&state.heap);
            let universe = heap.universe();
            heap.set_binary_row(link, node, Row { one: 1, zero: universe & !1 });
            model.store(&mut heap, node, role, target);
            let is_possible = model.sharpen_since(&mut heap, &state.heap);
            let heap = Rc::new(heap);
            return is_possible.then_some(State { heap, ..state }).into();
        }
        let mut found = Vec::new();
        let targets = self.targets(&state.heap, link, node);
        for before in targets.into_iter().flat_map(|it| self.told_apart(it, role)) {
            let mut heap = before.clone();
            model.store(&mut heap, node, role, target);
            if model.sharpen_since(&mut heap, &before) {
                found.push(state.with_heap(heap));
            }
        }
        Next::Several(found)
    }

    /// Before a link is cut: the heaps in which it is definite what the block that it led to reaches, if the
    /// precision says so.
    fn told_apart(&mut self, (heap, old): (Structure, Node), role: usize) -> Vec<Structure> {
        let instance = &self.model.instance;
        let mut heaps = vec![heap];
        if old == NULL || old == WILD {
            return heaps;
        }
        for &closure in self.model.closures.iter().filter(|it| instance.depends_on(**it, role)) {
            let mut apart = Vec::new();
            for heap in heaps {
                let focus = || instance.focus_row(&heap, closure, old);
                let (made, found) = self.model.clock.time(Phase::Focus, focus);
                self.structures += made as u64;
                apart.extend(found);
            }
            heaps = apart;
        }
        heaps
    }

    /// The heaps in which a link leads to a definite node, with it.
    pub(super) fn targets(
        &mut self,
        heap: &Structure,
        link: BinaryId,
        node: Node,
    ) -> Vec<(Structure, Node)> {
        if let Some(target) = definite(heap, link, node) {
            return vec![(heap.clone(), target)];
        }
        let (made, focused) = self.model.focus(heap, link, node);
        self.structures += made as u64;
        let with_target = |heap: Structure| {
            let target = heap.binary(link, node).one.trailing_zeros() as Node;
            (heap, target)
        };
        focused.into_iter().map(with_target).collect()
    }

    pub(super) fn link(&self, field: Field) -> Result<(usize, BinaryId), AlarmKind> {
        self.aligned(field.offset)?;
        self.model.link(field).ok_or(AlarmKind::NewField(field))
    }

    /// Pointers at other places would overlap in part.
    fn aligned(&self, offset: u64) -> Result<(), AlarmKind> {
        match offset % self.model.program().model.pointer_size() {
            0 => Ok(()),
            _ => Err(AlarmKind::unsupported("a pointer at an address that is not aligned")),
        }
    }

    /// The place that an access goes to, all of it within its block.
    fn target(&mut self, state: &State, access: &Access) -> Result<Target, AlarmKind> {
        let pointer = self.value(state, access.address).pointer();
        let width = access.ty.size(self.model.program().model);
        let within = |offset: i64, size: u64| {
            let offset = u64::try_from(offset).map_err(|_| INVALID)?;
            let is_within = offset.checked_add(width).is_some_and(|end| end <= size);
            if is_within { Ok(offset) } else { Err(INVALID) }
        };
        match pointer {
            Pointer::Block { node, offset } => {
                let size = self.model.size_of(&state.heap, node);
                let offset = within(offset, size)?;
                Ok(Target::Block(node, Field { size, offset }))
            }
            Pointer::Object { object, offset } => {
                let item = &self.model.program().objects[object];
                let is_alive = item.kind != ObjectKind::Local || state.objects.contains(&object);
                match item.size {
                    Some(size) if is_alive => Ok(Target::Object(object, within(offset, size)?)),
                    _ => Err(AlarmKind::unsupported("an object of dynamic size")),
                }
            }
            Pointer::Null | Pointer::Wild | Pointer::Unknown | Pointer::Function(_) => Err(INVALID),
        }
    }

    /// The pointer in a cell of an object.
    fn cell(&mut self, state: &State, object: ObjectId, offset: u64) -> Result<Pointer, AlarmKind> {
        self.aligned(offset)?;
        let slot = Slot::Cell(object, offset);
        let held = state.pointers.get(&slot).copied();
        let held = held.unwrap_or_else(|| self.first_held(object, offset));
        if held == Pointer::Unknown && !self.consulted.contains(&slot) {
            self.consulted.push(slot);
        }
        Ok(held)
    }

    /// What a cell holds before the program writes it.
    fn first_held(&self, object: ObjectId, offset: u64) -> Pointer {
        let program = self.model.program();
        let ObjectKind::Static { bytes, addresses } = &program.objects[object].kind else {
            return Pointer::Unknown;
        };
        let width = program.model.pointer_size();
        let overlaps = |start: u64| start < offset + width && offset < start + width;
        let has_address = addresses.iter().any(|address| overlaps(address.offset));
        let mut held = bytes.iter().skip(offset as usize).take(width as usize);
        match !has_address && held.all(|byte| *byte == 0) {
            true => Pointer::Null,
            false => Pointer::Unknown,
        }
    }

    /// A number is written over the cells that these bytes touch.
    fn overwrite(&self, state: &mut State, object: ObjectId, (offset, width): (u64, u64)) {
        let pointer_size = self.model.program().model.pointer_size();
        let first = offset / pointer_size;
        let last = (offset + width - 1) / pointer_size;
        for cell in first..=last {
            state.pointers.insert(Slot::Cell(object, cell * pointer_size), Pointer::Unknown);
        }
    }

    pub(super) fn allocate(
        &mut self,
        state: State,
        into: VariableId,
        (storage, size, zeroed): (Storage, ExpressionId, bool),
    ) -> Stepped {
        let size = match (storage, self.value(&state, size).number()) {
            (Storage::Alloca, _) => return Err(AlarmKind::unsupported("memory of `alloca`")),
            (Storage::Permanent, _) => {
                return Err(AlarmKind::unsupported("memory of the environment"));
            }
            (Storage::Heap, None | Some(0)) => {
                return Err(AlarmKind::unsupported("a block whose size is not known"));
            }
            (Storage::Heap, Some(size)) => size as u64,
        };
        let mark = self.model.mark(size).ok_or(AlarmKind::NewSize(size))?;
        let fresh = if zeroed { Fresh::Null } else { Fresh::Unknown };
        let allocate = || self.model.instance.allocate(&state.heap, fresh);
        let (mut heap, node) = self.model.clock.time(Phase::Update, allocate);
        heap.set_unary(mark, node, heapwright_three_valued::Kleene::True);
        if zeroed && self.model.order().is_some_and(|(order, _)| order.field.size == size) {
            let zero = self.model.constant(&heap, 0).map_or(Written::Any, Written::Of);
            self.model.instance.write(&mut heap, node, zero);
        }
        let null = Row { one: 1, zero: heap.universe() & !1 };
        for (field, link) in self.model.links() {
            if field.size != size {
                heap.set_binary_row(link, node, null);
            }
        }
        self.structures += 1;
        let mut found = Vec::new();
        // All that is said of a block which leads to none and to which none leads is definite, but for its number.
        if self.model.order().is_none() || self.model.sharpen(&mut heap) {
            let mut next = state.with_heap(heap);
            self.set(&mut next, into, Value::Pointer(Pointer::Block { node, offset: 0 }));
            found.push(next);
        }
        if self.model.atlas.task.malloc_may_fail {
            let mut failed = state;
            self.set(&mut failed, into, Value::Pointer(Pointer::Null));
            found.push(failed);
        }
        Ok(Next::Several(found))
    }
}

/// The single node that a link of a single block certainly leads to.
fn definite(heap: &Structure, link: BinaryId, node: Node) -> Option<Node> {
    let row = heap.binary(link, node);
    let is_definite = row.half() == 0 && row.one & heap.summaries() == 0;
    is_definite.then_some(row.one.trailing_zeros() as Node)
}

fn pointer_to(target: Node) -> Pointer {
    match target {
        NULL => Pointer::Null,
        WILD => Pointer::Wild,
        node => Pointer::Block { node, offset: 0 },
    }
}
