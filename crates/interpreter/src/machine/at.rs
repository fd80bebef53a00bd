//! Starting in the middle: a machine in a state that someone wrote down.
//!
//! The memory is first filled as at program start, then what the state says is put over it.

use heapwright_memory::{
    Allocation, BlockId, BlockKind, Contents, Life, MemoryLimit, Origin, Value,
};
use heapwright_program::{EdgeId, FunctionId, ObjectId, ObjectKind, VariableId, VariableKind};

use crate::compile::{FINISH, MAIN_SITE, RETURNED};
use crate::executable::{Executable, nowhere};
use crate::instruction::Instruction;
use crate::kind::Kind;
use crate::machine::{Machine, NO_SITE, start};
use crate::report::Outcome;
use crate::settings::{Environment, Settings};
use crate::snapshot::{
    BlockIdentity, BlockState, FramePoint, FrameState, Snapshot, SnapshotError, ValueState,
};

type Made<T> = Result<T, SnapshotError>;

impl<'e> Machine<'e> {
    /// A machine in the given state. It needs an executable with every location.
    ///
    /// If the outermost call is not one of `main`, the run ends when it returns.
    pub fn at(
        executable: &'e Executable<'e>,
        settings: &'e Settings,
        environment: Environment<'e>,
        snapshot: &Snapshot,
    ) -> Made<Machine<'e>> {
        let mut machine = start::start(executable, settings, environment);
        if let Some(Outcome::Limit(limit)) = machine.ended.take() {
            return Err(SnapshotError::new(format!("no memory to start with: {limit:?}")));
        }
        for (number, frame) in snapshot.frames.iter().enumerate() {
            machine.push_call(snapshot, number, frame)?;
        }
        let blocks = machine.make_blocks(snapshot)?;
        for (block, state) in blocks.iter().zip(&snapshot.blocks) {
            machine.fill_block(*block, state, &blocks)?;
        }
        for &(variable, ref value) in &snapshot.globals {
            machine.set_global(variable, value, &blocks)?;
        }
        for (number, frame) in snapshot.frames.iter().enumerate() {
            for &(variable, ref value) in &frame.variables {
                machine.set_local(number, variable, value, &blocks)?;
            }
        }
        machine.end_lives(snapshot, &blocks);
        machine.next_serial = snapshot.blocks.len() as u64;
        Ok(machine)
    }

    /// Adds a call whose variables have no values yet, and goes to where it is.
    fn push_call(&mut self, snapshot: &Snapshot, number: usize, frame: &FrameState) -> Made<()> {
        let body = &self.executable.program.functions.get(frame.function);
        if body.is_none_or(|function| function.body.is_none()) {
            return Err(SnapshotError::new("a call of a function without a body"));
        }
        let (site, return_pc) = match number.checked_sub(1).map(|caller| &snapshot.frames[caller]) {
            None if Some(frame.function) == self.executable.main => (MAIN_SITE, FINISH),
            None => (NO_SITE, RETURNED),
            Some(caller) => self.call_by(caller, frame.function)?,
        };
        if self.push_frame(site, frame.function, return_pc).is_err() {
            return Err(SnapshotError::new("more calls than the interpreter has room for"));
        }
        let registers = self.base..self.base + self.window;
        self.registers[registers].fill(Value::ZERO);
        let is_innermost = number + 1 == snapshot.frames.len();
        match (frame.point, is_innermost) {
            (FramePoint::At(location), true) => {
                let map = self.executable.map.as_ref();
                let place = map.and_then(|map| map.place(frame.function, location));
                let missing = || format!("nothing leads to {location} of {}", frame.function);
                self.pc = place.ok_or_else(|| SnapshotError::new(missing()))?;
                Ok(())
            }
            (FramePoint::Calling(_), false) => Ok(()),
            (FramePoint::Calling(_), true) => Err(SnapshotError::new("the innermost call calls")),
            (FramePoint::At(_), false) => Err(SnapshotError::new("an outer call does not call")),
        }
    }

    /// The site of a caller's call, and where it goes on.
    fn call_by(&self, caller: &FrameState, callee: FunctionId) -> Made<(u32, u32)> {
        let FramePoint::Calling(edge) = caller.point else {
            return Err(SnapshotError::new("an outer call does not call"));
        };
        let map = self.executable.map.as_ref();
        let pc =
            map.and_then(|map| map.call(caller.function, edge)).ok_or_else(|| no_call(edge))?;
        match self.executable.code[pc] {
            Instruction::Call { site }
                if self.executable.call_sites[site as usize].function == Some(callee) =>
            {
                Ok((site, pc as u32 + 1))
            }
            Instruction::CallIndirect { site, .. } => Ok((site, pc as u32 + 1)),
            _ => Err(no_call(edge)),
        }
    }

    /// Makes or finds the blocks. Those with addresses come first, in the order of these.
    fn make_blocks(&mut self, snapshot: &Snapshot) -> Made<Vec<BlockId>> {
        let mut order: Vec<usize> = (0..snapshot.blocks.len()).collect();
        order.sort_by_key(|&index| snapshot.blocks[index].base.unwrap_or(u64::MAX));
        let mut blocks = vec![None; snapshot.blocks.len()];
        for index in order {
            blocks[index] = Some(self.make_block(index, snapshot)?);
        }
        // Of a call's alloca'd memory, the end of its life goes by position.
        let mut allocas: Vec<(usize, BlockId)> = Vec::new();
        for (state, block) in snapshot.blocks.iter().zip(&blocks) {
            if let (BlockIdentity::Alloca { frame }, Life::Alive) = (state.identity, state.life) {
                allocas.push((frame, block.expect("every block is made")));
            }
        }
        allocas.sort();
        for (number, frame) in self.frames.iter_mut().enumerate() {
            frame.allocas = allocas.partition_point(|&(owner, _)| owner < number) as u32;
        }
        self.allocas = allocas.into_iter().map(|(_, block)| block).collect();
        Ok(blocks.into_iter().flatten().collect())
    }

    fn make_block(&mut self, index: usize, snapshot: &Snapshot) -> Made<BlockId> {
        let state = &snapshot.blocks[index];
        let found = match state.identity {
            BlockIdentity::Static(object) => start::static_block(&self.memory, object),
            BlockIdentity::Given(serial) => start::block_called(&self.memory, serial),
            BlockIdentity::Heap => return self.new_block(index, state, Origin::Anonymous),
            BlockIdentity::Alloca { .. } => return self.new_block(index, state, Origin::Anonymous),
            BlockIdentity::Local { frame, object } => {
                let block = self.new_block(index, state, Origin::Object(object))?;
                let is_constant = self.executable.program.objects[object].is_constant;
                self.memory.set_read_only(block, is_constant);
                if state.life == Life::Alive {
                    self.set_object(frame, object, block)?;
                }
                return Ok(block);
            }
        };
        let block = found.ok_or_else(|| SnapshotError::new("a static block that is not there"))?;
        let record = self.memory.block(block);
        let moved = state.base.is_some_and(|base| base != record.base);
        if record.size != state.size || state.life != Life::Alive || moved {
            return Err(SnapshotError::new("a static block of another size, life or address"));
        }
        Ok(block)
    }

    fn new_block(&mut self, index: usize, state: &BlockState, origin: Origin) -> Made<BlockId> {
        let kind = match state.identity {
            BlockIdentity::Heap => BlockKind::Heap,
            BlockIdentity::Local { .. } | BlockIdentity::Alloca { .. } => BlockKind::Stack,
            BlockIdentity::Static(_) | BlockIdentity::Given(_) => BlockKind::Static,
        };
        let (alignment, place) = match origin {
            Origin::Object(object) => {
                let object = &self.executable.program.objects[object];
                (object.alignment.max(1), object.place)
            }
            Origin::Function(_) | Origin::Anonymous => (16, nowhere()),
        };
        let contents = Contents::Uninitialised;
        let (serial, size) = (index as u64, state.size);
        let wanted = Allocation { kind, origin, serial, size, alignment, contents, place };
        match state.base {
            Some(base) => self.memory.allocate_at(wanted, base),
            None => self.memory.allocate(wanted),
        }
        .map_err(|limit| {
            SnapshotError::new(match limit {
                MemoryLimit::Bytes => "more memory than the interpreter gives",
                MemoryLimit::AddressSpace => "an address that is taken",
            })
        })
    }

    fn set_object(&mut self, frame: usize, object: ObjectId, block: BlockId) -> Made<()> {
        let item = &self.executable.program.objects[object];
        let owner = self.frames.get(frame).filter(|owner| item.function == Some(owner.function));
        let Some(owner) = owner.filter(|_| item.kind == ObjectKind::Local) else {
            return Err(SnapshotError::new(format!("`{}` is no object of its call", item.name)));
        };
        let register = owner.base + self.executable.object_registers[object];
        self.registers[register as usize] = self.memory.pointer_to(block);
        Ok(())
    }

    fn fill_block(&mut self, block: BlockId, state: &BlockState, blocks: &[BlockId]) -> Made<()> {
        self.memory.clear(block);
        let pointer_size = self.executable.program.model.pointer_size();
        for cell in &state.cells {
            let ends_inside =
                cell.offset.checked_add(cell.width).is_some_and(|end| end <= state.size);
            if !ends_inside || cell.width > 16 {
                return Err(SnapshotError::new("a cell that is not within its block"));
            }
            match &cell.value {
                ValueState::Bits(bits) => {
                    let bytes = &bits.to_le_bytes()[..cell.width as usize];
                    self.memory.set_initial(block, cell.offset, bytes);
                }
                value if cell.width == pointer_size => {
                    let pointer = self.value(Kind::Pointer, value, blocks)?;
                    self.memory.set_initial_pointer(block, cell.offset, pointer);
                }
                _ => return Err(SnapshotError::new("a pointer in a cell of another width")),
            }
        }
        Ok(())
    }

    /// The register of a value.
    fn value(&self, kind: Kind, value: &ValueState, blocks: &[BlockId]) -> Made<Value> {
        let mask = crate::arithmetic::pointer_mask(self.executable.program.model);
        let pointer = match *value {
            // A register has no room for the width of an address, which depends on the data model.
            ValueState::Bits(bits) if kind == Kind::Pointer => Value::from_low(bits as u64 & mask),
            ValueState::Bits(bits) => return Ok(kind.value(bits)),
            ValueState::Pointer { block, offset } => {
                let block = blocks.get(block);
                let block = *block.ok_or_else(|| SnapshotError::new("a pointer to no block"))?;
                self.offset(self.memory.pointer_to(block), offset as u64)
            }
            ValueState::Function(function) => {
                let block = start::function_block_of(&self.memory, function);
                self.memory.pointer_to(block.ok_or_else(|| SnapshotError::new("no such function"))?)
            }
        };
        // A number that is an address has no provenance.
        Ok(if kind == Kind::Pointer { pointer } else { kind.value(u128::from(pointer.low)) })
    }

    fn set_global(&mut self, id: VariableId, value: &ValueState, blocks: &[BlockId]) -> Made<()> {
        let variable = &self.executable.program.variables[id];
        if !matches!(variable.kind, VariableKind::Global { .. }) {
            return Err(SnapshotError::new(format!("`{}` is not global", variable.name)));
        }
        let value = self.value(Kind::of(variable.scalar), value, blocks)?;
        self.globals[self.executable.registers[id] as usize] = value;
        Ok(())
    }

    fn set_local(
        &mut self,
        number: usize,
        id: VariableId,
        value: &ValueState,
        blocks: &[BlockId],
    ) -> Made<()> {
        let variable = &self.executable.program.variables[id];
        let frame = self.frames[number];
        if variable.function != Some(frame.function) {
            return Err(SnapshotError::new(format!("`{}` is of another call", variable.name)));
        }
        let value = self.value(Kind::of(variable.scalar), value, blocks)?;
        let register = frame.base + self.executable.registers[id];
        self.registers[register as usize] = value;
        Ok(())
    }

    /// Frees what the state says is freed: last, so that every pointer could be made.
    fn end_lives(&mut self, snapshot: &Snapshot, blocks: &[BlockId]) {
        for (&block, state) in blocks.iter().zip(&snapshot.blocks) {
            match (self.memory.block(block).kind, state.life) {
                (_, Life::Alive) => {}
                (BlockKind::Heap, Life::Freed | Life::OutOfScope) => {
                    let pointer = self.memory.pointer_to(block);
                    self.memory.free(pointer, nowhere()).expect("it is a live heap block");
                }
                (BlockKind::Stack, Life::Freed | Life::OutOfScope) => {
                    self.memory.leave_scope(block, nowhere());
                }
                (BlockKind::Static | BlockKind::String | BlockKind::Function, _) => {
                    panic!("{block} is static and not alive")
                }
            }
        }
    }
}

fn no_call(edge: EdgeId) -> SnapshotError {
    SnapshotError::new(format!("{edge} does not call what runs in it"))
}
