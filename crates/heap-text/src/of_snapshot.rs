//! A state that was written down. Blocks without a wanted address get one here.

use std::collections::BTreeMap;

use heapwright_base::DenseId;
use heapwright_interpreter::{BlockIdentity, FramePoint, Snapshot, ValueState};
use heapwright_program::{
    AddressTarget, FunctionId, LocationId, ObjectId, ObjectKind, Program, VariableId, mask,
};

use crate::concrete::{Block, Concrete, ConcreteBlock, Held, Identity, Life};

/// A look at a state that was written down.
#[derive(Debug)]
pub struct OfSnapshot<'s> {
    program: &'s Program,
    snapshot: &'s Snapshot,
    /// Those of the snapshot first, then what it does not list of the program.
    blocks: Vec<ConcreteBlock>,
    bytes: Vec<Vec<Option<u8>>>,
    /// Pointers that were stored whole: the block that each was made from.
    pointers: Vec<BTreeMap<u64, Block>>,
}

/// Where addresses begin, and how far blocks are apart.
const FIRST_ADDRESS: u64 = 0x1000_0000;
const GAP: u64 = 64;

impl<'s> OfSnapshot<'s> {
    #[must_use]
    pub fn new(program: &'s Program, snapshot: &'s Snapshot) -> OfSnapshot<'s> {
        let mut state = OfSnapshot {
            program,
            snapshot,
            blocks: Vec::new(),
            bytes: Vec::new(),
            pointers: Vec::new(),
        };
        state.place_blocks();
        for (block, item) in snapshot.blocks.iter().enumerate() {
            for cell in &item.cells {
                state.write(block, (cell.offset, cell.width), &cell.value);
            }
        }
        state.fill_unlisted();
        state
    }

    fn place_blocks(&mut self) {
        let mut next = FIRST_ADDRESS;
        let mut place = |identity, life, size: u64, base: Option<u64>| {
            let own = next;
            next = (next + size + GAP).next_multiple_of(16);
            ConcreteBlock { identity, life, base: base.unwrap_or(own), size }
        };
        for item in &self.snapshot.blocks {
            let identity = match item.identity {
                BlockIdentity::Heap => Identity::Heap,
                BlockIdentity::Static(object) => Identity::Object(object),
                BlockIdentity::Given(_) => Identity::Foreign,
                BlockIdentity::Local { .. } | BlockIdentity::Alloca { .. } => Identity::Stack,
            };
            self.blocks.push(place(identity, item.life, item.size, item.base));
        }
        for (id, object) in self.program.objects.enumerated() {
            let identity = Identity::Object(id);
            let is_listed = self.blocks.iter().any(|block| block.identity == identity);
            if object.kind != ObjectKind::Local && !is_listed {
                let size = object.size.unwrap_or(0);
                self.blocks.push(place(identity, Life::Alive, size, None));
            }
        }
        for id in self.program.functions.ids() {
            self.blocks.push(place(Identity::Function(id), Life::Alive, 1, None));
        }
        for block in &self.blocks {
            self.bytes.push(vec![None; block.size as usize]);
            self.pointers.push(BTreeMap::new());
        }
    }

    /// Static objects that the snapshot does not list are as at program start.
    fn fill_unlisted(&mut self) {
        for block in self.snapshot.blocks.len()..self.blocks.len() {
            let Identity::Object(object) = self.blocks[block].identity else { continue };
            let (bytes, addresses) = match &self.program.objects[object].kind {
                ObjectKind::Static { bytes, addresses } => (bytes, addresses.as_slice()),
                ObjectKind::String { bytes } => (bytes, &[][..]),
                ObjectKind::External | ObjectKind::Local => continue,
            };
            for (index, byte) in self.bytes[block].iter_mut().enumerate() {
                *byte = Some(bytes.get(index).copied().unwrap_or(0));
            }
            for address in addresses {
                let target = match address.target {
                    AddressTarget::Object(object) => Identity::Object(object),
                    AddressTarget::Function(function) => Identity::Function(function),
                };
                let target = self.blocks.iter().position(|block| block.identity == target);
                if let Some(target) = target {
                    let held = self.pointer(target, address.addend);
                    self.write_held(block, (address.offset, self.pointer_size()), held);
                }
            }
        }
    }

    fn pointer_size(&self) -> u64 {
        self.program.model.pointer_size()
    }

    fn pointer(&self, block: Block, offset: i64) -> Held {
        let address = self.blocks[block].base.wrapping_add_signed(offset);
        let bits = u128::from(address) & mask(8 * self.pointer_size() as u32);
        Held { bits, block: Some(block) }
    }

    fn held(&self, value: &ValueState) -> Held {
        match value {
            ValueState::Bits(bits) => Held { bits: *bits, block: None },
            ValueState::Pointer { block, offset } => self.pointer(*block, *offset),
            ValueState::Function(function) => {
                let identity = Identity::Function(*function);
                let block = self.blocks.iter().position(|block| block.identity == identity);
                self.pointer(block.expect("every function has a block"), 0)
            }
        }
    }

    fn write(&mut self, block: Block, place: (u64, u64), value: &ValueState) {
        let held = self.held(value);
        self.write_held(block, place, held);
    }

    fn write_held(&mut self, block: Block, (offset, size): (u64, u64), held: Held) {
        for index in 0..size {
            self.bytes[block][(offset + index) as usize] = Some((held.bits >> (8 * index)) as u8);
        }
        if let Some(from) = held.block {
            self.pointers[block].insert(offset, from);
        }
    }
}

impl Concrete for OfSnapshot<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn stack(&self) -> Vec<(FunctionId, LocationId)> {
        let place = |frame: &heapwright_interpreter::FrameState| {
            let location = match frame.point {
                FramePoint::At(location) => location,
                FramePoint::Calling(edge) => {
                    let body = self.program.functions[frame.function].body.as_ref();
                    body.map_or(LocationId::from_index(0), |body| body.edges[edge].target)
                }
            };
            (frame.function, location)
        };
        self.snapshot.frames.iter().map(place).collect()
    }

    fn variable(&self, frame: usize, variable: VariableId) -> Option<Held> {
        let variables = match self.program.variables[variable].function {
            None => &self.snapshot.globals,
            Some(_) => &self.snapshot.frames[frame].variables,
        };
        let found = variables.iter().find(|(known, _)| *known == variable);
        found.map(|(_, value)| self.held(value))
    }

    fn object(&self, frame: usize, object: ObjectId) -> Option<Block> {
        let wanted = BlockIdentity::Local { frame, object };
        self.snapshot
            .blocks
            .iter()
            .position(|block| block.identity == wanted && block.life == Life::Alive)
    }

    fn blocks(&self) -> &[ConcreteBlock] {
        &self.blocks
    }

    fn byte(&self, block: Block, offset: u64) -> Option<u8> {
        self.bytes[block].get(offset as usize).copied().flatten()
    }

    fn word(&self, block: Block, offset: u64) -> Option<Held> {
        let mut bits = 0u128;
        for index in (0..self.pointer_size()).rev() {
            bits = bits << 8 | u128::from(self.byte(block, offset + index)?);
        }
        Some(Held { bits, block: self.pointers[block].get(&offset).copied() })
    }
}
