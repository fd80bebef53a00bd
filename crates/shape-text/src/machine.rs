//! Machines: whether the state of a running program is one that a certificate claims.
//!
//! The blocks become a heap without open values, in which every predicate has the value of its definition, so
//! that no change and no rule is trusted here.

use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId, Origin, Value};
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};

use crate::certificate::{Claims, Numeral, SIZE_OF_NUMBERS};
use crate::heap::{Heap, NULL, Node, WILD};
use crate::inside::embeds;
use crate::state::{Pointer, Slot, Spot, State};
use crate::truth::Truth;
use crate::update::define;

/// A place that a certificate claims something of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedPlace {
    pub function: FunctionId,
    pub location: LocationId,
    /// The calls under way, outermost first.
    pub calls: Vec<(FunctionId, EdgeId)>,
}

/// Whether a state is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    In,
    Out,
    /// Not found out in reasonable time.
    Unclear,
}

/// Blocks that are looked at.
const MOST_BLOCKS: usize = 40;

impl Claims {
    /// The places that something is claimed of, in order.
    #[must_use]
    pub fn places(&self) -> Vec<ClaimedPlace> {
        let place = |spot: &Spot| ClaimedPlace {
            function: spot.function,
            location: spot.location,
            calls: spot.calls.clone(),
        };
        self.states.keys().map(place).collect()
    }

    /// The states of the place with this index.
    pub(crate) fn states_of(&self, place: usize) -> &[State] {
        self.states.values().nth(place).map_or(&[], Vec::as_slice)
    }

    /// Whether the machine, which is at the place with this index, is in a claimed state.
    #[must_use]
    pub fn contains(&self, place: usize, machine: &Machine<'_>) -> Fit {
        let view = View::of(self, machine);
        if view.blocks.len() > MOST_BLOCKS {
            return Fit::Unclear;
        }
        let mut fit = Fit::Out;
        for state in self.states_of(place) {
            match view.is_described(state) {
                Some(true) => return Fit::In,
                Some(false) => {}
                None => fit = Fit::Unclear,
            }
        }
        fit
    }
}

struct View<'v, 'e> {
    claims: &'v Claims,
    machine: &'v Machine<'e>,
    /// The blocks of the heap that are alive; the first is node 2.
    blocks: Vec<BlockId>,
    functions: Vec<FunctionId>,
}

impl<'v, 'e> View<'v, 'e> {
    fn of(claims: &'v Claims, machine: &'v Machine<'e>) -> View<'v, 'e> {
        let blocks = machine.memory().live_heap().map(|(id, _)| id).collect();
        let functions = machine.frames().into_iter().map(|frame| frame.function).collect();
        View { claims, machine, blocks, functions }
    }

    /// `None`: not found out.
    fn is_described(&self, state: &State) -> Option<bool> {
        for (variable, bits) in &state.numbers {
            let frame = self.frame_of(self.machine.program().variables[*variable].function);
            let is_other = |frame| self.machine.variable(frame, *variable).wide() != *bits;
            if frame.is_some_and(is_other) {
                return Some(false);
            }
        }
        let mut heads = vec![NULL; self.claims.tracked.len()];
        for (slot, pointer) in &state.pointers {
            // What is not there cannot be looked at.
            let Some(value) = self.held(*slot) else { continue };
            if !self.fits(value, *pointer) {
                return Some(false);
            }
            let tracked = self.claims.tracked.iter().position(|tracked| tracked == slot);
            let node = value.block().and_then(|block| self.node(block));
            if let (Some(tracked), Some(node), Pointer::Block { .. }) = (tracked, node, pointer) {
                heads[tracked] = node;
            }
        }
        match self.heap(&heads, &self.numbers(state)) {
            Some(heap) => embeds(&heap, &state.heap),
            None => Some(false),
        }
    }

    /// The tracked numbers that a state speaks of, with their predicates.
    fn numbers(&self, state: &State) -> Vec<(usize, i128)> {
        let Some(field) = self.claims.order else { return Vec::new() };
        let number = |(numeral, predicate): &(Numeral, usize)| {
            let bits = match numeral {
                Numeral::Constant(bits) => *bits,
                Numeral::Variable(variable) => {
                    state.data.get(variable)?;
                    let owner = self.machine.program().variables[*variable].function;
                    self.machine.variable(self.frame_of(owner)?, *variable).wide()
                }
            };
            Some((*predicate, field.value(bits)))
        };
        self.claims.numerals.iter().filter_map(number).collect()
    }

    /// The number in a block, if it is of the size that has one and something was written there.
    fn number_in(&self, block: BlockId) -> Option<i128> {
        let field = self.claims.order?;
        let memory = self.machine.memory();
        let address = Value::pointer(memory.block(block).base + field.offset, block);
        if memory.block(block).size != field.size {
            return None;
        }
        let bits = match field.ty.size(self.machine.program().model) {
            1 => memory.plain_load::<1>(address),
            2 => memory.plain_load::<2>(address),
            4 => memory.plain_load::<4>(address),
            8 => memory.plain_load::<8>(address),
            _ => None,
        };
        bits.map(|bits| field.value(u128::from(bits)))
    }

    /// `None` when there is a block or a link of which the certificate does not speak.
    fn heap(&self, heads: &[Node], numbers: &[(usize, i128)]) -> Option<Heap> {
        let meaning = &self.claims.meaning;
        let count = self.blocks.len() + numbers.len();
        let mut heap = Heap::new(meaning.unary.len(), meaning.binary.len(), count);
        self.add_numbers(&mut heap, numbers);
        for (pointer, &head) in heads.iter().enumerate() {
            heap.unary[pointer][head] = Truth::Yes;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let size = self.machine.memory().block(*block).size;
            let (_, mark) = self.claims.sizes.iter().find(|(known, _)| *known == size)?;
            heap.unary[*mark][index + 2] = Truth::Yes;
            for (link, (of, offset)) in self.claims.links.iter().enumerate() {
                heap.lead(link, index + 2, NULL);
                if *of == size {
                    self.link(&mut heap, (index, link), *offset)?;
                }
            }
        }
        for defined in &meaning.defined {
            define(&mut heap, defined);
        }
        Some(heap)
    }

    /// The nodes of numbers come behind those of blocks.
    fn add_numbers(&self, heap: &mut Heap, numbers: &[(usize, i128)]) {
        let mark = self.claims.sizes.iter().find(|(size, _)| *size == SIZE_OF_NUMBERS);
        let (Some((_, mark)), Some(order)) = (mark, self.claims.meaning.order) else { return };
        for predicate in &self.claims.meaning.numerals {
            let place = numbers.iter().position(|(known, _)| known == predicate);
            let node = place.map_or(NULL, |place| self.blocks.len() + place + 2);
            heap.unary[*predicate][node] = Truth::Yes;
            if let Some(place) = place {
                let node = self.blocks.len() + place + 2;
                heap.unary[*mark][node] = Truth::Yes;
                for link in 0..self.claims.links.len() {
                    heap.lead(link, node, NULL);
                }
            }
        }
        let held = self.blocks.iter().map(|block| self.number_in(*block));
        let held: Vec<Option<i128>> = held.chain(numbers.iter().map(|it| Some(it.1))).collect();
        for (from, one) in held.iter().enumerate() {
            for (to, other) in held.iter().enumerate() {
                let is_at_most = one.zip(*other).is_some_and(|(one, other)| one <= other);
                heap.binary[order][from + 2][to + 2] = Truth::from(is_at_most);
            }
        }
    }

    fn link(&self, heap: &mut Heap, (block, link): (usize, usize), offset: u64) -> Option<()> {
        let memory = self.machine.memory();
        let source = self.blocks[block];
        let address = Value::pointer(memory.block(source).base + offset, source);
        let node = block + 2;
        let Some(word) = memory.plain_load_pointer(address) else {
            // Not initialised: whatever is drawn when it is read.
            heap.binary[link][node][NULL] = Truth::Maybe;
            heap.binary[link][node][WILD] = Truth::Maybe;
            return Some(());
        };
        let target = word.block().and_then(|id| Some((id, self.node(id)?)));
        match target {
            _ if word.low == 0 => {}
            None => heap.lead(link, node, WILD),
            Some((id, target)) if memory.block(id).base == word.low => {
                heap.lead(link, node, target);
            }
            Some(_) => return None,
        }
        Some(())
    }

    fn node(&self, block: BlockId) -> Option<Node> {
        self.blocks.iter().position(|known| *known == block).map(|index| index + 2)
    }

    /// The frame of a function that is under way; the first one for what belongs to none.
    fn frame_of(&self, function: Option<FunctionId>) -> Option<usize> {
        match function {
            None => Some(0),
            Some(function) => self.functions.iter().position(|known| *known == function),
        }
    }

    fn block_of(&self, object: ObjectId) -> Option<BlockId> {
        let owner = self.machine.program().objects[object].function;
        self.machine.object(self.frame_of(owner)?, object)
    }

    fn held(&self, slot: Slot) -> Option<Value> {
        match slot {
            Slot::Variable(variable) => self.variable(variable),
            Slot::Cell(object, offset) => {
                let block = self.block_of(object)?;
                let memory = self.machine.memory();
                memory.plain_load_pointer(Value::pointer(memory.block(block).base + offset, block))
            }
        }
    }

    fn variable(&self, variable: VariableId) -> Option<Value> {
        let item = &self.machine.program().variables[variable];
        let frame = self.frame_of(item.function)?;
        item.scalar.is_pointer().then(|| self.machine.variable(frame, variable))
    }

    fn fits(&self, value: Value, pointer: Pointer) -> bool {
        let memory = self.machine.memory();
        let is_at = |block: BlockId, offset: i64| {
            value.low.wrapping_sub(memory.block(block).base) as i64 == offset
        };
        let heap_block = value.block().filter(|block| self.node(*block).is_some());
        match pointer {
            Pointer::Unknown => true,
            Pointer::Null => value.low == 0,
            Pointer::Wild => value.low != 0,
            Pointer::Block { offset, .. } => heap_block.is_some_and(|block| is_at(block, offset)),
            Pointer::Object { object, offset } => self
                .block_of(object)
                .is_some_and(|block| value.block() == Some(block) && is_at(block, offset)),
            Pointer::Function(function) => value.block().is_some_and(|block| {
                memory.block(block).origin == Origin::Function(function) && is_at(block, 0)
            }),
        }
    }
}
