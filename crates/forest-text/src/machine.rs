//! The memory of a running machine as a forest whose blocks are all open.

use std::collections::BTreeMap;

use heapwright_base::DenseId;
use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId as MemoryBlock, Life, Origin, Value as Word};
use heapwright_program::{FunctionId, ObjectId, ObjectKind, ScalarType};

use crate::automaton::{Cell, Value};
use crate::forest::{Base, BlockId, Body, Cells, Forest};

/// Bytes of a block that are looked at.
const MOST_BYTES: u64 = 4096;

/// The machine's state, as far as the claim asks for variables and objects.
#[must_use]
pub fn state_of(machine: &Machine<'_>, claim: &Forest) -> Forest {
    let functions = machine.frames().into_iter().map(|frame| frame.function).collect();
    let blocks = machine.memory().live_heap().enumerate();
    let names = blocks.map(|(index, (block, _))| (block, BlockId::from_index(index))).collect();
    let view = View { machine, functions, names };
    let body = |(block, name): (&MemoryBlock, &BlockId)| {
        let size = machine.memory().block(*block).size;
        (*name, Body::Open { size, sort: 0, cells: view.cells(*block) })
    };
    let variables = claim.variables.keys().filter_map(|variable| {
        let item = &machine.program().variables[*variable];
        let word = machine.variable(view.frame_of(item.function)?, *variable);
        let value = match item.scalar {
            ScalarType::Pointer => view.value(word),
            ScalarType::Bool | ScalarType::Integer { .. } => Value::Bits(word.wide()),
            ScalarType::Float(_) => Value::Any,
        };
        Some((*variable, value))
    });
    let objects = claim.objects.keys();
    let objects = objects.filter_map(|object| Some((*object, view.cells(view.block_of(*object)?))));
    Forest {
        spot: claim.spot.clone(),
        blocks: view.names.iter().map(body).collect(),
        variables: variables.collect(),
        objects: objects.collect(),
        may_lose: false,
    }
}

struct View<'v, 'e> {
    machine: &'v Machine<'e>,
    functions: Vec<FunctionId>,
    names: BTreeMap<MemoryBlock, BlockId>,
}

impl View<'_, '_> {
    /// Words that are initialised, and single bytes elsewhere.
    fn cells(&self, block: MemoryBlock) -> Cells {
        let memory = self.machine.memory();
        let record = memory.block(block);
        let width = self.machine.program().model.pointer_size();
        let mut cells = Cells::new();
        let mut offset = 0;
        let end = record.size.min(MOST_BYTES);
        while offset < end {
            let address = Word::pointer(record.base + offset, block);
            let is_word = offset.is_multiple_of(width) && offset + width <= end;
            let word = is_word.then(|| memory.plain_load_pointer(address)).flatten();
            let (width, holds) = match word {
                Some(word) => (width, self.value(word)),
                None => {
                    let byte = memory.plain_load::<1>(address);
                    (1, byte.map_or(Value::Any, |byte| Value::Bits(u128::from(byte))))
                }
            };
            if holds != Value::Any {
                cells.insert(offset, Cell { width, holds });
            }
            offset += width;
        }
        cells
    }

    fn value(&self, word: Word) -> Value<Base> {
        let Some(block) = word.block().filter(|_| word.low != 0) else {
            return Value::Bits(u128::from(word.low));
        };
        let record = self.machine.memory().block(block);
        let offset = word.low.wrapping_sub(record.base) as i64;
        match record.origin {
            _ if record.life != Life::Alive => Value::Any,
            Origin::Function(function) => Value::Function(function),
            Origin::Object(object) => Value::Object(object, offset),
            Origin::Anonymous => {
                let name = self.names.get(&block);
                name.map_or(Value::Any, |name| Value::To(Base::Block(*name), offset))
            }
        }
    }

    /// The frame of a function that is under way; the first one for what belongs to none.
    fn frame_of(&self, function: Option<FunctionId>) -> Option<usize> {
        match function {
            None => Some(0),
            Some(function) => self.functions.iter().position(|known| *known == function),
        }
    }

    fn block_of(&self, object: ObjectId) -> Option<MemoryBlock> {
        let item = &self.machine.program().objects[object];
        let owner = item.function.filter(|_| item.kind == ObjectKind::Local);
        self.machine.object(self.frame_of(owner)?, object)
    }
}
