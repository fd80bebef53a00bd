//! Small states: concrete heaps of a few blocks that a claimed structure stands for, to run from.

use std::collections::BTreeMap;

use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, ValueState,
};
use heapwright_memory::Life;
use heapwright_program::{FunctionId, ObjectId, ObjectKind, Program};

use crate::certificate::Claims;
use crate::heap::{Heap, NULL, Node, WILD};
use crate::number::Numbers;
use crate::state::{Pointer, Slot, State};
use crate::truth::Truth;
use crate::update::define;

/// Heaps that are tried for all structures of a place together, and for one at least.
const MOST_TRIED: usize = 2_000;
const LEAST_TRIED: usize = 10;
/// Heaps that are kept of one structure.
const MOST_KEPT: usize = 24;
/// An address at which nothing lies.
const NOWHERE: u128 = 0x40;

impl Claims {
    /// The small states of the place with this index: those with so many blocks more than the fewest.
    #[must_use]
    pub fn small_states(&self, place: usize, more: usize, program: &Program) -> Vec<Snapshot> {
        let mut wanted: Vec<(&State, Vec<Node>)> = Vec::new();
        for state in self.states_of(place) {
            wanted.extend(populations(&state.heap, more).into_iter().map(|nodes| (state, nodes)));
        }
        let tries = (MOST_TRIED / wanted.len().max(1)).max(LEAST_TRIED);
        let mut found = Vec::new();
        for (state, nodes) in wanted {
            let heaps = Filling::new(self, &state.heap, nodes).some(tries);
            found.extend(heaps.iter().filter_map(|heap| write(self, state, heap, program)));
        }
        found
    }
}

/// A heap without open values, and the node that each block comes from.
struct Concrete {
    nodes: Vec<Node>,
    heap: Heap,
    /// The number of each block, if the certificate has an order.
    numbers: Vec<Option<i128>>,
}

impl Concrete {
    /// Where a block is in the memory of the program; nodes of numbers are not there.
    fn place(&self, claims: &Claims, node: Node) -> usize {
        (2..node).filter(|&before| !claims.is_number(&self.heap, before)).count()
    }
}

/// Which nodes blocks come from: each once, and of those that may be many so many more.
fn populations(heap: &Heap, more: usize) -> Vec<Vec<Node>> {
    let many: Vec<Node> = heap.blocks().filter(|&node| heap.is_many[node]).collect();
    let mut found: Vec<Vec<Node>> = vec![heap.blocks().collect()];
    for _ in 0..more {
        let mut larger = Vec::new();
        for nodes in &found {
            // In order, so that each is met once.
            let last = nodes.get(heap.len() - 2..).and_then(|extra| extra.last());
            for &node in many.iter().filter(|&&node| last.is_none_or(|last| node >= *last)) {
                larger.push([nodes.as_slice(), &[node]].concat());
            }
        }
        found = larger;
    }
    found
}

/// Fills in where links lead, one after the other.
struct Filling<'f> {
    claims: &'f Claims,
    known: &'f Heap,
    nodes: Vec<Node>,
    /// For each block and link, the places where it may lead.
    choices: Vec<Vec<Node>>,
}

impl<'f> Filling<'f> {
    fn new(claims: &'f Claims, known: &'f Heap, blocks: Vec<Node>) -> Filling<'f> {
        let nodes: Vec<Node> = [NULL, WILD].into_iter().chain(blocks).collect();
        let mut choices = Vec::new();
        for &from in &nodes[2..] {
            for link in 0..claims.links.len() {
                let row = &known.binary[link][from];
                choices.push((0..nodes.len()).filter(|&to| row[nodes[to]] != Truth::No).collect());
            }
        }
        Filling { claims, known, nodes, choices }
    }

    /// The first that fit, spread over all that there are.
    fn some(&self, tries: usize) -> Vec<Concrete> {
        let count = self.choices.iter().fold(1usize, |count, it| count.saturating_mul(it.len()));
        let stride = (count / tries).max(1) | 1;
        let numbers = (0..count).step_by(stride).take(tries);
        numbers.filter_map(|number| self.heap(number)).take(MOST_KEPT).collect()
    }

    /// The heap with this number, if the structure allows it.
    fn heap(&self, mut number: usize) -> Option<Concrete> {
        let meaning = &self.claims.meaning;
        let blocks = self.nodes.len() - 2;
        let mut heap = Heap::new(meaning.unary.len(), meaning.binary.len(), blocks);
        let numbers = Numbers { claims: self.claims, known: self.known, nodes: &self.nodes[2..] };
        let numbers = numbers.some(number)?;
        if let Some(order) = meaning.order {
            for (from, one) in numbers.iter().enumerate() {
                for (to, other) in numbers.iter().enumerate() {
                    let is_at_most = one.zip(*other).is_some_and(|(one, other)| one <= other);
                    heap.binary[order][from + 2][to + 2] = Truth::from(is_at_most);
                }
            }
        }
        let links = self.claims.links.len();
        for (index, choices) in self.choices.iter().enumerate() {
            let target = choices[number % choices.len()];
            number /= choices.len();
            heap.lead(index % links, index / links + 2, target);
        }
        let plain = meaning.pointers + self.claims.sizes.len() + meaning.numerals.len();
        for predicate in 0..plain {
            for (node, &from) in self.nodes.iter().enumerate() {
                let value = self.known.unary[predicate][from];
                // Which of several, or whether at all, is not told apart here.
                if value == Truth::Maybe {
                    return None;
                }
                heap.unary[predicate][node] = value;
            }
        }
        for defined in &meaning.defined {
            define(&mut heap, defined);
        }
        self.is_allowed(&heap).then(|| Concrete { nodes: self.nodes.clone(), heap, numbers })
    }

    fn is_allowed(&self, heap: &Heap) -> bool {
        let nodes = || self.nodes.iter().enumerate();
        let unary = heap.unary.rows().zip(self.known.unary.rows());
        let binary = heap.binary.iter().zip(&self.known.binary);
        unary
            .into_iter()
            .all(|(new, known)| nodes().all(|(node, &from)| known[from].allows(new[node])))
            && binary.into_iter().all(|(new, known)| {
                nodes().all(|(one, &from)| {
                    nodes().all(|(other, &to)| known[from][to].allows(new[one][other]))
                })
            })
    }
}

/// The state as data for the interpreter; `None` where an object cannot be written down.
fn write(claims: &Claims, state: &State, heap: &Concrete, program: &Program) -> Option<Snapshot> {
    let mut snapshot = Snapshot::default();
    for &(function, edge) in &state.spot.calls {
        let point = FramePoint::Calling(edge);
        snapshot.frames.push(FrameState { function, point, variables: Vec::new() });
    }
    let point = FramePoint::At(state.spot.location);
    let innermost = state.spot.function;
    snapshot.frames.push(FrameState { function: innermost, point, variables: Vec::new() });
    for node in heap.heap.blocks().filter(|&node| !claims.is_number(&heap.heap, node)) {
        snapshot.blocks.push(block(claims, heap, node, program)?);
    }
    let mut writer = Writer { claims, state, heap, program, snapshot, objects: BTreeMap::new() };
    for object in state.objects.iter().copied() {
        writer.object(object)?;
    }
    for (slot, pointer) in &state.pointers {
        let Some(value) = writer.pointer(*pointer)? else { continue };
        writer.put(*slot, value)?;
    }
    for (variable, bits) in &state.numbers {
        writer.put(Slot::Variable(*variable), ValueState::Bits(*bits))?;
    }
    let unknown = state.data.iter().filter(|(variable, _)| !state.numbers.contains_key(variable));
    for (variable, node) in unknown {
        let place = heap.nodes.iter().position(|from| from == node)?;
        let bits = claims.order?.bits(heap.numbers[place - 2]?);
        writer.put(Slot::Variable(*variable), ValueState::Bits(bits))?;
    }
    for block in &mut writer.snapshot.blocks {
        block.cells.sort_by_key(|cell| cell.offset);
    }
    Some(writer.snapshot)
}

fn block(claims: &Claims, whole: &Concrete, node: Node, program: &Program) -> Option<BlockState> {
    let heap = &whole.heap;
    let size = claims.size_of(heap, node)?;
    let width = program.model.pointer_size();
    let mut cells = Vec::new();
    if let (Some(field), Some(number)) = (claims.order, whole.numbers[node - 2]) {
        let (offset, width) = (field.offset, field.ty.size(program.model));
        cells.push(CellState { offset, width, value: ValueState::Bits(field.bits(number)) });
    }
    for (link, (of, offset)) in claims.links.iter().enumerate() {
        let target = Heap::chances(&heap.binary[link][node])[0];
        let value = match target {
            NULL => ValueState::Bits(0),
            WILD => ValueState::Bits(NOWHERE),
            block => ValueState::Pointer { block: whole.place(claims, block), offset: 0 },
        };
        if *of == size {
            cells.push(CellState { offset: *offset, width, value });
        }
    }
    Some(BlockState { identity: BlockIdentity::Heap, life: Life::Alive, size, cells, base: None })
}

struct Writer<'w> {
    claims: &'w Claims,
    state: &'w State,
    heap: &'w Concrete,
    program: &'w Program,
    snapshot: Snapshot,
    /// Where objects are among the blocks.
    objects: BTreeMap<ObjectId, usize>,
}

impl Writer<'_> {
    fn frame_of(&self, function: FunctionId) -> Option<usize> {
        self.snapshot.frames.iter().position(|frame| frame.function == function)
    }

    /// The block of an object; a static one with what it held at the start.
    fn object(&mut self, object: ObjectId) -> Option<usize> {
        if let Some(known) = self.objects.get(&object) {
            return Some(*known);
        }
        let item = &self.program.objects[object];
        let (identity, cells) = match &item.kind {
            ObjectKind::Static { bytes, addresses } if addresses.is_empty() => {
                let cell = |(offset, byte): (usize, &u8)| CellState {
                    offset: offset as u64,
                    width: 1,
                    value: ValueState::Bits(u128::from(*byte)),
                };
                (BlockIdentity::Static(object), bytes.iter().enumerate().map(cell).collect())
            }
            ObjectKind::Local => {
                let frame = self.frame_of(item.function?)?;
                (BlockIdentity::Local { frame, object }, Vec::new())
            }
            ObjectKind::Static { .. } | ObjectKind::String { .. } | ObjectKind::External => {
                return None;
            }
        };
        let size = item.size?;
        self.snapshot.blocks.push(BlockState {
            identity,
            life: Life::Alive,
            size,
            cells,
            base: None,
        });
        let index = self.snapshot.blocks.len() - 1;
        self.objects.insert(object, index);
        Some(index)
    }

    /// The value of a pointer; nothing for one that may be anything.
    fn pointer(&mut self, pointer: Pointer) -> Option<Option<ValueState>> {
        Some(match pointer {
            Pointer::Unknown => None,
            Pointer::Null => Some(ValueState::Bits(0)),
            Pointer::Wild => Some(ValueState::Bits(NOWHERE)),
            Pointer::Block { node, offset } => {
                let node = self.heap.nodes.iter().position(|from| *from == node)?;
                let block = self.heap.place(self.claims, node);
                Some(ValueState::Pointer { block, offset })
            }
            Pointer::Object { object, offset } => {
                let is_alive = self.program.objects[object].kind != ObjectKind::Local
                    || self.state.objects.contains(&object);
                let block = if is_alive { self.object(object)? } else { return None };
                Some(ValueState::Pointer { block, offset })
            }
            Pointer::Function(function) => Some(ValueState::Function(function)),
        })
    }

    fn put(&mut self, slot: Slot, value: ValueState) -> Option<()> {
        match slot {
            Slot::Variable(variable) => match self.program.variables[variable].function {
                None => self.snapshot.globals.push((variable, value)),
                Some(function) => {
                    let frame = self.frame_of(function)?;
                    self.snapshot.frames[frame].variables.push((variable, value));
                }
            },
            Slot::Cell(object, offset) => {
                let block = self.object(object)?;
                let width = self.program.model.pointer_size();
                let cells = &mut self.snapshot.blocks[block].cells;
                cells.retain(|cell| {
                    cell.offset + cell.width <= offset || offset + width <= cell.offset
                });
                cells.push(CellState { offset, width, value });
            }
        }
        Some(())
    }
}
