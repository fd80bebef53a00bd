//! Operations that change which blocks there are, and accesses off the fast path.

use heapwright_base::DenseId;
use heapwright_memory::{
    Allocation, BlockId, BlockKind, Contents, FaultKind, MemoryFault, Origin, Value,
};
use heapwright_program::ObjectId;

use crate::executable::OtherAccess;
use crate::inputs::ChoiceKind;
use crate::instruction::Register;
use crate::kind::Kind;
use crate::machine::{Ended, Machine};

/// Dead blocks to wait for before looking which of them may be forgotten.
pub(crate) const FORGET_AFTER: usize = 1 << 16;

impl Machine<'_> {
    /// A register of the current frame.
    pub(crate) fn register(&mut self, register: Register) -> &mut Value {
        &mut self.registers[self.base + register as usize]
    }

    /// The serial of the next block. Now and then makes room for it first: at allocations and not
    /// between stretches of a run, so that addresses depend on nothing but the program's course.
    fn number(&mut self) -> u64 {
        if self.memory.dead_blocks() >= self.forget_at {
            self.forget_dead_blocks();
        }
        self.next_serial += 1;
        self.next_serial - 1
    }

    fn forget_dead_blocks(&mut self) {
        let used = self.base + self.window;
        let registers = self.registers[..used].iter();
        let roots = registers.chain(&self.globals).chain(&self.pool).copied();
        self.memory.forget_unreferenced(roots);
        self.forget_at = FORGET_AFTER.max(used).max(self.memory.storage_bytes() as usize / 16);
    }

    /// Makes a block; if there is no room, then after forgetting dead ones.
    fn allocate(&mut self, allocation: Allocation) -> Result<BlockId, Ended> {
        let replaced = self.replaced.take();
        if self.draws.chooses()
            && let Some(base) = self.chosen_address(&allocation, replaced)
        {
            return self.memory.reoccupy(allocation, base).map_err(Self::limit);
        }
        if let Ok(block) = self.memory.allocate(allocation) {
            return Ok(block);
        }
        self.forget_dead_blocks();
        self.memory.allocate(allocation).map_err(Self::limit)
    }

    /// The address of an earlier block, if it is chosen for the new one.
    fn chosen_address(&mut self, wanted: &Allocation, replaced: Option<u64>) -> Option<u64> {
        let Allocation { serial, size, alignment, .. } = *wanted;
        let in_place = replaced.filter(|&base| self.memory.has_room(base, size));
        let free = self.memory.free_addresses(size, alignment);
        let addresses: Vec<u64> = in_place.into_iter().chain(free).collect();
        self.draws.place = self.place();
        let options = addresses.len() as u32 + 1;
        let chosen = self.draws.choose(ChoiceKind::Address { serial }, options);
        (chosen as usize).checked_sub(1).map(|index| addresses[index])
    }

    pub(crate) fn allocate_heap(&mut self, size: u64, zeroed: bool) -> Result<Value, Ended> {
        let serial = self.number();
        let place = self.place();
        if self.settings.malloc_may_fail {
            self.draws.place = place;
            if self.draws.allocation_fails(serial) {
                self.replaced = None;
                return Ok(Value::ZERO);
            }
        }
        let block = self.allocate(Allocation {
            kind: BlockKind::Heap,
            origin: Origin::Anonymous,
            serial,
            size,
            alignment: 16,
            contents: if zeroed { Contents::Zero } else { Contents::Uninitialised },
            place,
        })?;
        Ok(self.memory.pointer_to(block))
    }

    pub(crate) fn allocate_stack(
        &mut self,
        origin: Origin,
        size: u64,
        zeroed: bool,
    ) -> Result<BlockId, Ended> {
        let in_use = self.memory.live_stack_bytes();
        if size > self.settings.limits.stack.saturating_sub(in_use) {
            return Err(self.plain_fault(FaultKind::StackExhausted));
        }
        let (alignment, place) = match origin {
            Origin::Object(object) => {
                let object = &self.executable.program.objects[object];
                (object.alignment, object.place)
            }
            Origin::Function(_) | Origin::Anonymous => (16, self.place()),
        };
        let allocation = Allocation {
            kind: BlockKind::Stack,
            origin,
            serial: self.number(),
            size,
            alignment: alignment.max(1),
            contents: if zeroed { Contents::Zero } else { Contents::Uninitialised },
            place,
        };
        let block = self.allocate(allocation)?;
        let is_constant = |object: ObjectId| self.executable.program.objects[object].is_constant;
        if matches!(origin, Origin::Object(object) if is_constant(object)) {
            self.memory.set_read_only(block, true);
        }
        Ok(block)
    }

    /// Memory that lives until the function returns, or for good: then no frame knows it.
    pub(crate) fn allocate_alloca(
        &mut self,
        size: u64,
        zeroed: bool,
        is_permanent: bool,
    ) -> Result<Value, Ended> {
        let block = self.allocate_stack(Origin::Anonymous, size, zeroed)?;
        if !is_permanent {
            self.allocas.push(block);
        }
        Ok(self.memory.pointer_to(block))
    }

    /// A local object comes to life; an earlier life in this frame ends.
    pub(crate) fn enter(
        &mut self,
        register: Register,
        object: u32,
        size: Option<u64>,
    ) -> Result<(), Ended> {
        let object = ObjectId::from_index(object as usize);
        if let Some(block) = self.register(register).block() {
            let place = self.place();
            self.leave_if_alive(block, place);
        }
        let size = size.or(self.executable.program.objects[object].size).unwrap_or(0);
        let block = self.allocate_stack(Origin::Object(object), size, false)?;
        *self.register(register) = self.memory.pointer_to(block);
        Ok(())
    }

    pub(crate) fn leave(&mut self, register: Register) {
        if let Some(block) = self.register(register).block() {
            let place = self.place();
            self.leave_if_alive(block, place);
        }
    }

    pub(crate) fn protect(&mut self, register: Register, is_protected: bool) {
        if let Some(block) = self.register(register).block() {
            self.memory.set_read_only(block, is_protected);
        }
    }

    pub(crate) fn input(&mut self, target: Register, input: u32) {
        self.draws.place = self.place();
        let site = &self.executable.inputs[input as usize];
        let choice = site.name.as_ref().and_then(|name| self.named_choices.next(name));
        if let Some(kind) = choice {
            // What follows from it is seen sooner or later.
            self.sees_choices = true;
            let chosen = self.draws.choose(kind, 2);
            *self.register(target) = Value::from_low(u64::from(chosen));
            return;
        }
        let bits = match &site.name {
            Some(name) => self.draws.nondeterministic(name, site.ty),
            None => self.draws.variable(Some(site.variable), site.ty),
        };
        *self.register(target) = Kind::of(site.ty).value(bits);
    }

    /// A load of `N` bytes that is not of the plain kind.
    #[cold]
    pub(crate) fn load_slowly<const N: usize>(&mut self, pointer: Value) -> Result<u64, Ended> {
        self.draws.place = self.place();
        let loaded = self.memory.load_word::<N>(pointer, &mut self.draws);
        loaded.map_err(|fault| self.memory_fault(&fault))
    }

    #[cold]
    pub(crate) fn load_pointer_slowly(&mut self, pointer: Value) -> Result<Value, Ended> {
        self.draws.place = self.place();
        let loaded = self.memory.load_pointer(pointer, &mut self.draws);
        loaded.map_err(|fault| self.memory_fault(&fault))
    }

    pub(crate) fn load_other(
        &mut self,
        pointer: Value,
        access: OtherAccess,
    ) -> Result<Value, Ended> {
        self.draws.place = self.place();
        let loaded = match access.bits {
            None => self.memory.load_bytes(pointer, access.size, &mut self.draws),
            Some(bits) => self.memory.load_bits(pointer, bits, &mut self.draws).map(|number| {
                // The sign of a bit-field is its own highest bit.
                let width = u32::from(bits.width);
                match access.kind.is_signed() {
                    true => heapwright_program::sign_extend(number, width) as u128,
                    false => number,
                }
            }),
        };
        match loaded {
            Ok(number) => Ok(access.kind.value(number)),
            Err(fault) => Err(self.memory_fault(&fault)),
        }
    }

    pub(crate) fn store_other(
        &mut self,
        pointer: Value,
        value: Value,
        access: OtherAccess,
    ) -> Result<(), Ended> {
        let number = access.kind.bits(value);
        let stored = match access.bits {
            None => self.memory.store_bytes(pointer, access.size, number),
            Some(bits) => {
                self.draws.place = self.place();
                self.memory.store_bits(pointer, bits, number, &mut self.draws)
            }
        };
        self.accessed(stored)
    }

    /// A pointer moved by some bytes.
    pub(crate) fn offset(&self, pointer: Value, bytes: u64) -> Value {
        let mask = crate::arithmetic::pointer_mask(self.executable.program.model);
        Value { low: pointer.low.wrapping_add(bytes) & mask, high: pointer.high }
    }

    /// Turns the memory's fault into the run's end.
    pub(crate) fn accessed<T>(&self, result: Result<T, Box<MemoryFault>>) -> Result<T, Ended> {
        result.map_err(|fault| self.memory_fault(&fault))
    }
}
