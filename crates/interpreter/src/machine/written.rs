//! A machine written down as plain data: the way back from [`Machine::at`].

use heapwright_memory::{BlockId, BlockKind, BlockRecord, Life, Origin, Value};
use heapwright_program::{FunctionId, VariableId, VariableKind};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::machine::{Frame, Machine, NO_SITE};
use crate::snapshot::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, SnapshotError,
    ValueState,
};

/// Numbers of the blocks in the snapshot.
type Numbers = FxHashMap<BlockId, usize>;

impl Machine<'_> {
    /// The state, with the address of every block. What a snapshot has no words for is an error:
    /// a run that is within an edge, has exit handlers or open files, has taken characters, or
    /// has a block that is kept in pages.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        self.demand_plain()?;
        let listed = || self.memory.blocks().filter(|(_, record)| is_listed(record));
        let numbers: Numbers = listed().map(|(id, _)| id).zip(0..).collect();
        let frames = self.frames.iter().enumerate();
        Ok(Snapshot {
            blocks: listed().map(|(id, record)| self.block_state(id, record, &numbers)).collect(),
            globals: self.global_states(&numbers),
            frames: frames.map(|(number, _)| self.frame_state(number, &numbers)).collect(),
        })
    }

    fn demand_plain(&self) -> Result<(), SnapshotError> {
        let is_bare = self.handlers.is_empty()
            && self.exit_status.is_none()
            && self.unread.is_none()
            && self.files.is_empty();
        let calls_itself = self.frames.iter().skip(1).any(|frame| frame.site == NO_SITE);
        if self.ended.is_some() || self.location().is_none() || calls_itself {
            Err(SnapshotError::new("the run is not at a location"))
        } else if self.memory.has_pages() {
            Err(SnapshotError::new("the run has a block that is too large to be written down"))
        } else if !is_bare {
            Err(SnapshotError::new("the run has handlers or files"))
        } else {
            Ok(())
        }
    }

    fn block_state(&self, id: BlockId, record: &BlockRecord, numbers: &Numbers) -> BlockState {
        let cells = match record.life {
            Life::Alive => self.cells(id, record.size, numbers),
            Life::Freed | Life::OutOfScope => Vec::new(),
        };
        let identity = self.identity(id, record);
        let (life, size, base) = (record.life, record.size, Some(record.base));
        BlockState { identity, life, size, cells, base }
    }

    fn identity(&self, id: BlockId, record: &BlockRecord) -> BlockIdentity {
        let is_alive = record.life == Life::Alive;
        match (record.kind, record.origin) {
            (BlockKind::Heap, _) => BlockIdentity::Heap,
            (BlockKind::Stack, Origin::Object(object)) if !is_alive => {
                BlockIdentity::Local { frame: 0, object }
            }
            (BlockKind::Stack, _) if !is_alive => BlockIdentity::Alloca { frame: 0 },
            (BlockKind::Stack, Origin::Object(object)) => {
                let register = self.executable.object_registers[object];
                let owner = self.executable.program.objects[object].function;
                let is_owner = |frame: &Frame| {
                    let holds = || self.registers[(frame.base + register) as usize].block();
                    Some(frame.function) == owner && holds() == Some(id)
                };
                let frame = self.frames.iter().position(is_owner).unwrap_or(0);
                BlockIdentity::Local { frame, object }
            }
            (BlockKind::Stack, Origin::Anonymous | Origin::Function(_)) => {
                let position = self.allocas.iter().position(|&block| block == id).unwrap_or(0);
                let later = |frame: &Frame| frame.allocas as usize > position;
                let next = self.frames.iter().position(later).unwrap_or(self.frames.len());
                BlockIdentity::Alloca { frame: next.saturating_sub(1) }
            }
            (BlockKind::Static | BlockKind::String, Origin::Object(object)) => {
                BlockIdentity::Static(object)
            }
            (BlockKind::Static | BlockKind::String | BlockKind::Function, _) => {
                BlockIdentity::Given(record.serial)
            }
        }
    }

    /// The initialised bytes: whole pointers, and between them at most sixteen bytes a cell.
    fn cells(&self, id: BlockId, size: u64, numbers: &Numbers) -> Vec<CellState> {
        let pointer_size = self.executable.program.model.pointer_size();
        let mut cells: Vec<CellState> = Vec::new();
        let mut offset = 0;
        while offset < size {
            if let Some(pointer) = self.memory.stored_pointer(id, offset) {
                let value = self.value_state(Kind::Pointer, pointer, numbers);
                cells.push(CellState { offset, width: pointer_size, value });
                offset += pointer_size;
                continue;
            }
            if self.memory.is_initialised(id, offset) {
                push_byte(&mut cells, offset, self.memory.bytes(id)[offset as usize]);
            }
            offset += 1;
        }
        cells
    }

    fn value_state(&self, kind: Kind, value: Value, numbers: &Numbers) -> ValueState {
        // The upper half of a wide number is no block.
        let block = (kind == Kind::Pointer).then(|| value.block()).flatten();
        let Some(block) = block else {
            return ValueState::Bits(kind.bits(value));
        };
        let record = self.memory.block(block);
        match (record.origin, numbers.get(&block)) {
            (Origin::Function(function), _) if value.low == record.base => {
                ValueState::Function(function)
            }
            (_, Some(&block)) => {
                let offset = self.signed(value.low.wrapping_sub(record.base));
                ValueState::Pointer { block, offset }
            }
            (_, None) => ValueState::Bits(u128::from(value.low)),
        }
    }

    /// A difference of addresses, which are as wide as the data model says.
    fn signed(&self, difference: u64) -> i64 {
        let width = 8 * self.executable.program.model.pointer_size() as u32;
        heapwright_program::sign_extend(u128::from(difference), width) as i64
    }

    fn global_states(&self, numbers: &Numbers) -> Vec<(VariableId, ValueState)> {
        let globals = self.executable.globals.iter().zip(&self.globals);
        let state = |(global, value): (&crate::executable::Global, &Value)| {
            (global.variable, self.value_state(global.kind, *value, numbers))
        };
        globals.map(state).collect()
    }

    fn frame_state(&self, number: usize, numbers: &Numbers) -> FrameState {
        let frame = &self.frames[number];
        let point = match self.frames.get(number + 1) {
            Some(callee) => {
                FramePoint::Calling(self.executable.origins[self.caller_pc(callee)].edge)
            }
            None => {
                let (_, location) = self.location().expect("the run is at a location");
                FramePoint::At(location)
            }
        };
        let variables = self.local_variables(frame.function);
        let state = |(id, kind): (VariableId, Kind)| {
            let register = frame.base + self.executable.registers[id];
            (id, self.value_state(kind, self.registers[register as usize], numbers))
        };
        let variables = variables.map(state).collect();
        FrameState { function: frame.function, point, variables }
    }

    fn local_variables(&self, function: FunctionId) -> impl Iterator<Item = (VariableId, Kind)> {
        let variables = self.executable.program.variables.enumerated();
        variables.filter_map(move |(id, variable)| {
            let is_global = matches!(variable.kind, VariableKind::Global { .. });
            let is_its = variable.function == Some(function) && !is_global;
            is_its.then(|| (id, Kind::of(variable.scalar)))
        })
    }
}

/// Whether a snapshot says something of a block: functions and literals are always the same.
fn is_listed(record: &BlockRecord) -> bool {
    match record.kind {
        BlockKind::Static | BlockKind::Stack | BlockKind::Heap | BlockKind::String => true,
        BlockKind::Function => false,
    }
}

/// Appends a byte to the last cell, or as a new one.
fn push_byte(cells: &mut Vec<CellState>, offset: u64, byte: u8) {
    if let Some(CellState { offset: start, width, value: ValueState::Bits(bits) }) =
        cells.last_mut()
        && *start + *width == offset
        && *width < 16
        && !offset.is_multiple_of(16)
    {
        *bits |= u128::from(byte) << (8 * *width);
        *width += 1;
        return;
    }
    cells.push(CellState { offset, width: 1, value: ValueState::Bits(u128::from(byte)) });
}
