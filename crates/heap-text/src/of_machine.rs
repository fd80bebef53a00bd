//! The state of a running machine.

use std::collections::BTreeMap;

use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId, BlockKind, Memory, Origin, Value};
use heapwright_program::{FunctionId, LocationId, ObjectId, Program, ScalarType, VariableId};

use crate::concrete::{Block, Concrete, ConcreteBlock, Held, Identity};

/// A look at a machine between two edges.
#[derive(Debug)]
pub struct OfMachine<'m, 'e> {
    machine: &'m Machine<'e>,
    blocks: Vec<ConcreteBlock>,
    ids: Vec<BlockId>,
    indices: BTreeMap<BlockId, Block>,
}

impl<'m, 'e> OfMachine<'m, 'e> {
    #[must_use]
    pub fn new(machine: &'m Machine<'e>) -> OfMachine<'m, 'e> {
        let mut of_machine =
            OfMachine { machine, blocks: Vec::new(), ids: Vec::new(), indices: BTreeMap::new() };
        for (id, record) in machine.memory().blocks() {
            let identity = match (record.kind, record.origin) {
                (BlockKind::Heap, _) => Identity::Heap,
                (BlockKind::Stack, _) => Identity::Stack,
                (_, Origin::Object(object)) => Identity::Object(object),
                (_, Origin::Function(function)) => Identity::Function(function),
                (BlockKind::Static | BlockKind::String | BlockKind::Function, _) => {
                    Identity::Foreign
                }
            };
            of_machine.indices.insert(id, of_machine.blocks.len());
            of_machine.ids.push(id);
            let (life, base, size) = (record.life, record.base, record.size);
            of_machine.blocks.push(ConcreteBlock { identity, life, base, size });
        }
        of_machine
    }

    fn memory(&self) -> &'m Memory {
        self.machine.memory()
    }

    /// A pointer to a byte of a block.
    fn at(&self, block: Block, offset: u64) -> Value {
        Value::pointer(self.blocks[block].base.wrapping_add(offset), self.ids[block])
    }

    fn held(&self, value: Value) -> Held {
        let block = value.block().and_then(|id| self.indices.get(&id).copied());
        Held { bits: u128::from(value.low), block }
    }
}

impl Concrete for OfMachine<'_, '_> {
    fn program(&self) -> &Program {
        self.machine.program()
    }

    fn stack(&self) -> Vec<(FunctionId, LocationId)> {
        let frames = self.machine.frames();
        let innermost = frames.len().saturating_sub(1);
        let places = frames.iter().enumerate().map(|(index, frame)| {
            let body = self.program().functions[frame.function].body.as_ref();
            let mut edges = body.into_iter().flat_map(|body| body.edges.iter());
            let call = edges.find(|edge| index < innermost && edge.source == frame.location);
            (frame.function, call.map_or(frame.location, |edge| edge.target))
        });
        places.collect()
    }

    fn variable(&self, frame: usize, variable: VariableId) -> Option<Held> {
        let value = self.machine.variable(frame, variable);
        Some(match self.program().variables[variable].scalar {
            ScalarType::Pointer => self.held(value),
            ScalarType::Bool | ScalarType::Integer { .. } | ScalarType::Float(_) => {
                Held { bits: value.wide(), block: None }
            }
        })
    }

    fn object(&self, frame: usize, object: ObjectId) -> Option<Block> {
        self.machine.object(frame, object).and_then(|id| self.indices.get(&id).copied())
    }

    fn blocks(&self) -> &[ConcreteBlock] {
        &self.blocks
    }

    fn byte(&self, block: Block, offset: u64) -> Option<u8> {
        let memory = self.memory();
        if let Some(byte) = memory.plain_load::<1>(self.at(block, offset)) {
            return Some(byte as u8);
        }
        // Part of a pointer that was stored whole.
        let size = self.program().model.pointer_size();
        let start = offset / size * size;
        let whole = memory.plain_load_pointer(self.at(block, start))?;
        Some((whole.low >> (8 * (offset - start))) as u8)
    }

    fn word(&self, block: Block, offset: u64) -> Option<Held> {
        let value = self.memory().plain_load_pointer(self.at(block, offset))?;
        Some(self.held(value))
    }
}
