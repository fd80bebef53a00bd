//! Loads and stores. The fast path is a handful of comparisons in one cache line of the block; all
//! that is unusual (no provenance, uninitialised bytes, faults) goes through `resolve`.

use heapwright_base::DenseId;

use crate::address::AddressSpace;
use crate::block::{
    ALL, Block, BlockId, BlockKind, HAS_POINTERS, INLINE_BYTES, Life, READ_ONLY, low_bits,
};
use crate::fault::{Access, FaultKind, MemoryFault};
use crate::memory::Memory;
use crate::storage::TORN;
use crate::value::Value;

/// Where the values of uninitialised bytes come from.
pub trait UninitialisedBytes {
    /// The byte at `offset` of the block called `serial`. Asked once a byte: the answer stays.
    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8;
}

/// What an access gets: a value, or the fault.
type Accessed<T> = Result<T, Box<MemoryFault>>;

impl Memory {
    /// Reads `N` bytes (1, 2, 4 or 8) as an unsigned number.
    #[inline]
    pub fn load_word<const N: usize>(
        &mut self,
        pointer: Value,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Accessed<u64> {
        match self.plain_load::<N>(pointer) {
            Some(word) => Ok(word),
            None => self.load_word_slowly::<N>(pointer, unknown),
        }
    }

    /// [`Memory::load_word`] in the usual case: through a pointer with its block to initialised
    /// bytes within bounds. `None` says only that it is some other case.
    #[inline]
    #[must_use]
    pub fn plain_load<const N: usize>(&self, pointer: Value) -> Option<u64> {
        let block = &self.blocks[pointer.high as usize];
        let offset = pointer.low.wrapping_sub(block.base);
        // A number read off a pointer's bytes is for the slow path, which counts it.
        let shows_address =
            block.flags & HAS_POINTERS != 0 && self.holds_pointer(block, offset, N as u64);
        if shows_address { None } else { self.plain_word::<N>(block, offset) }
    }

    #[inline]
    fn plain_word<const N: usize>(&self, block: &Block, offset: u64) -> Option<u64> {
        let is_plain = offset.saturating_add(N as u64) <= block.limit
            && (block.initialised == ALL || self.has_initialised(block, offset, N as u64));
        is_plain.then(|| self.word::<N>(block.start + offset as usize))
    }

    /// Whether a range that may be out of bounds overlaps a pointer that was stored whole.
    #[inline]
    pub(crate) fn holds_pointer(&self, block: &Block, offset: u64, size: u64) -> bool {
        let end = offset.saturating_add(size);
        if block.flags & HAS_POINTERS == 0 || end > block.limit || size == 0 {
            return false;
        }
        let shift = self.storage.slot_shift;
        let first = (block.start + offset as usize) >> shift;
        let last = (block.start + end as usize - 1) >> shift;
        self.storage.provenance[first..=last].iter().any(|&slot| slot != 0)
    }

    /// How often bytes of a pointer were read as a number, or were copied without the others, so far:
    /// what follows may depend on where blocks lie.
    #[must_use]
    pub fn address_reads(&self) -> u64 {
        self.address_reads
    }

    /// Whether a live block holds some bytes of a pointer without the others: what is reached may depend
    /// on where blocks lie.
    #[must_use]
    pub fn has_torn_pointers(&self) -> bool {
        let holds_one = |block: &Block| {
            let shift = self.storage.slot_shift;
            let slots = block.start >> shift..(block.start + block.limit as usize) >> shift;
            block.flags & HAS_POINTERS != 0 && self.storage.provenance[slots].contains(&TORN)
        };
        self.storage.has_torn_pointers() && self.blocks.iter().any(holds_one)
    }

    #[cold]
    fn load_word_slowly<const N: usize>(
        &mut self,
        pointer: Value,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Accessed<u64> {
        let position = self.readable(pointer, N as u64, unknown)?;
        Ok(self.word::<N>(position))
    }

    /// Writes `N` bytes (1, 2, 4 or 8).
    #[inline]
    pub fn store_word<const N: usize>(&mut self, pointer: Value, bits: u64) -> Accessed<()> {
        let block = &mut self.blocks[pointer.high as usize];
        let offset = pointer.low.wrapping_sub(block.base);
        if offset.saturating_add(N as u64) > block.limit || block.flags & READ_ONLY != 0 {
            return self.store_word_slowly::<N>(pointer, bits);
        }
        let position = block.start + offset as usize;
        if block.flags & HAS_POINTERS != 0 {
            let shift = self.storage.slot_shift;
            let (first, last) = (position >> shift, (position + N - 1) >> shift);
            let is_whole = N == 1 << shift && first == last;
            let provenance = &mut self.storage.provenance;
            if !is_whole && provenance[first] | provenance[last] != 0 {
                self.storage.tear(position, N);
            } else {
                provenance[first] = 0;
                provenance[last] = 0;
            }
        }
        if block.initialised != ALL {
            if block.limit <= INLINE_BYTES {
                block.initialised |= low_bits(N as u64) << offset;
            } else {
                self.storage.set_range_initialised(position, N, true);
            }
        }
        self.set_word::<N>(position, bits);
        Ok(())
    }

    #[cold]
    fn store_word_slowly<const N: usize>(&mut self, pointer: Value, bits: u64) -> Accessed<()> {
        let position = self.writable(pointer, N as u64)?;
        self.set_word::<N>(position, bits);
        Ok(())
    }

    /// Reads a pointer, with its block if a whole pointer was stored there.
    pub fn load_pointer(
        &mut self,
        pointer: Value,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Accessed<Value> {
        if let Some(loaded) = self.plain_load_pointer(pointer) {
            return Ok(loaded);
        }
        let low = if self.storage.slot_shift == 3 {
            self.load_word_slowly::<8>(pointer, unknown)?
        } else {
            self.load_word_slowly::<4>(pointer, unknown)?
        };
        Ok(Value { low, high: self.provenance_at(pointer) })
    }

    /// [`Memory::load_pointer`] in the usual case, as [`Memory::plain_load`].
    #[inline]
    #[must_use]
    pub fn plain_load_pointer(&self, pointer: Value) -> Option<Value> {
        let block = &self.blocks[pointer.high as usize];
        let offset = pointer.low.wrapping_sub(block.base);
        let low = if self.storage.slot_shift == 3 {
            self.plain_word::<8>(block, offset)?
        } else {
            self.plain_word::<4>(block, offset)?
        };
        match self.slot_in(block, offset) {
            // What is left of a pointer is a number, and the slow path counts that it is read.
            TORN => None,
            slot => Some(Value { low, high: u64::from(slot) }),
        }
    }

    #[cold]
    fn provenance_at(&self, pointer: Value) -> u64 {
        pointer.block().or_else(|| self.lookup(pointer.low)).map_or(0, |id| {
            let block = &self.blocks[self.page_at(id, pointer.low).index()];
            self.provenance_in(block, pointer.low.wrapping_sub(block.base))
        })
    }

    pub(crate) fn provenance_in(&self, block: &Block, offset: u64) -> u64 {
        match self.slot_in(block, offset) {
            TORN => 0,
            slot => u64::from(slot),
        }
    }

    #[inline]
    fn slot_in(&self, block: &Block, offset: u64) -> u32 {
        let is_aligned = offset & ((1 << self.storage.slot_shift) - 1) == 0;
        if block.flags & HAS_POINTERS == 0 || !is_aligned {
            return 0;
        }
        let slot = (block.start + offset as usize) >> self.storage.slot_shift;
        self.storage.provenance[slot]
    }

    /// Writes a pointer. Its block is kept if the address is aligned.
    #[inline]
    pub fn store_pointer(&mut self, pointer: Value, stored: Value) -> Accessed<()> {
        if self.storage.slot_shift == 3 {
            self.store_word::<8>(pointer, stored.low)?;
        } else {
            self.store_word::<4>(pointer, stored.low)?;
        }
        if stored.high != 0 {
            self.keep_provenance(pointer, stored.high);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn keep_provenance(&mut self, pointer: Value, stored: u64) {
        let index = match pointer.high {
            0 => self.lookup(pointer.low).map_or(0, DenseId::index),
            high => high as usize,
        };
        let index = match self.blocks[index].limit {
            0 => self.page_at(BlockId::from_index(index), pointer.low).index(),
            _ => index,
        };
        let block = &mut self.blocks[index];
        let offset = pointer.low.wrapping_sub(block.base) as usize;
        let shift = self.storage.slot_shift;
        if offset & ((1 << shift) - 1) != 0 {
            return;
        }
        if block.flags & HAS_POINTERS == 0 {
            block.flags |= HAS_POINTERS;
            let slots = block.start >> shift..(block.start + block.limit as usize) >> shift;
            self.storage.provenance[slots].fill(0);
        }
        self.storage.provenance[(block.start + offset) >> shift] = stored as u32;
    }

    /// Reads up to 16 bytes as an unsigned number.
    pub fn load_bytes(
        &mut self,
        pointer: Value,
        size: u64,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Accessed<u128> {
        let position = self.readable(pointer, size, unknown)?;
        let mut bytes = [0; 16];
        bytes[..size as usize]
            .copy_from_slice(&self.storage.bytes[position..position + size as usize]);
        Ok(u128::from_le_bytes(bytes))
    }

    /// Writes the lowest `size` (at most 16) bytes of a number.
    pub fn store_bytes(&mut self, pointer: Value, size: u64, bits: u128) -> Accessed<()> {
        let position = self.writable(pointer, size)?;
        self.storage.bytes[position..position + size as usize]
            .copy_from_slice(&bits.to_le_bytes()[..size as usize]);
        Ok(())
    }

    /// Checks a read of `size` bytes, gives its uninitialised bytes their values, and says where
    /// in the storage they are.
    pub(crate) fn readable(
        &mut self,
        pointer: Value,
        size: u64,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Accessed<usize> {
        let (index, offset) = self.resolve(pointer, size, Access::Read { size })?;
        if self.holds_pointer(&self.blocks[index], offset, size) {
            self.address_reads += 1;
        }
        self.settle(index, offset, size, unknown);
        Ok(self.blocks[index].start + offset as usize)
    }

    /// Gives every uninitialised byte of a range its value.
    pub(crate) fn settle(
        &mut self,
        index: usize,
        offset: u64,
        size: u64,
        unknown: &mut dyn UninitialisedBytes,
    ) {
        if self.blocks[index].initialised == ALL {
            return;
        }
        let serial = self.records[BlockId::from_index(index)].serial;
        let start = self.pages.start_of(BlockId::from_index(index));
        for at in offset..offset + size {
            if !self.has_initialised(&self.blocks[index], at, 1) {
                let position = self.blocks[index].start + at as usize;
                self.storage.bytes[position] = unknown.uninitialised_byte(serial, start + at);
                self.uninitialised_reads += 1;
                self.mark_initialised(index, at, 1);
            }
        }
    }

    /// Checks a write of `size` bytes, marks them as initialised and without provenance, and says
    /// where in the storage they are.
    pub(crate) fn writable(&mut self, pointer: Value, size: u64) -> Accessed<usize> {
        let (index, offset) = self.resolve(pointer, size, Access::Write { size })?;
        self.mark_initialised(index, offset, size);
        self.clear_provenance(index, offset, size);
        Ok(self.blocks[index].start + offset as usize)
    }

    /// The block or page, and the offset, that an access may use, or the fault it is.
    pub(crate) fn resolve(
        &mut self,
        pointer: Value,
        size: u64,
        access: Access,
    ) -> Accessed<(usize, u64)> {
        let (id, offset) = self.located(pointer, size, access)?;
        if self.is_large(id) {
            self.page(id, offset, size, access)
        } else {
            Ok((id.index(), offset))
        }
    }

    /// The block and offset that an access of `size` bytes may use, or the fault it is.
    pub(crate) fn located(
        &self,
        pointer: Value,
        size: u64,
        access: Access,
    ) -> Accessed<(BlockId, u64)> {
        let found = pointer.block().or_else(|| self.lookup(pointer.low));
        let fault = |kind| Err(self.fault(kind, access, pointer.low, found));
        let Some(id) = found else {
            let near_null = AddressSpace::is_near_null(pointer.low, self.model);
            return fault(match near_null {
                true => FaultKind::NullDereference,
                false => FaultKind::WildDereference,
            });
        };
        let record = &self.records[id];
        if record.life != Life::Alive {
            return fault(FaultKind::DanglingDereference);
        }
        if record.kind == BlockKind::Function {
            return fault(FaultKind::WildDereference);
        }
        let block = &self.blocks[id.index()];
        let offset = pointer.low.wrapping_sub(block.base);
        if offset.saturating_add(size) > record.size {
            return fault(FaultKind::OutOfBounds);
        }
        let is_write = matches!(access, Access::Write { .. });
        if is_write && block.flags & READ_ONLY != 0 {
            return fault(FaultKind::ReadOnlyWrite);
        }
        Ok((id, offset))
    }

    #[inline]
    pub(crate) fn has_initialised(&self, block: &Block, offset: u64, size: u64) -> bool {
        let bits = if block.limit <= INLINE_BYTES {
            block.initialised >> offset
        } else if block.initialised == ALL {
            return true;
        } else {
            u64::from(self.storage.initialised_bits(block.start + offset as usize))
        };
        let wanted = low_bits(size);
        bits & wanted == wanted
    }

    pub(crate) fn mark_initialised(&mut self, index: usize, offset: u64, size: u64) {
        let block = &mut self.blocks[index];
        if block.initialised == ALL || size == 0 {
            return;
        }
        if size == block.limit {
            block.initialised = ALL;
        } else if block.limit <= INLINE_BYTES {
            block.initialised |= low_bits(size) << offset;
        } else {
            let position = block.start + offset as usize;
            self.storage.set_range_initialised(position, size as usize, true);
        }
    }

    pub(crate) fn clear_provenance(&mut self, index: usize, offset: u64, size: u64) {
        let block = &self.blocks[index];
        if block.flags & HAS_POINTERS == 0 || size == 0 {
            return;
        }
        self.storage.tear(block.start + offset as usize, size as usize);
    }

    /// Notes that a range takes some bytes of a pointer and leaves others.
    pub(crate) fn note_parts(&mut self, index: usize, offset: u64, size: u64) {
        let block = &self.blocks[index];
        let within_slot = low_bits(u64::from(self.storage.slot_shift));
        let ends = [(block.start as u64 + offset), (block.start as u64 + offset + size)];
        let is_cut = |end: u64| {
            let slot = (end >> self.storage.slot_shift) as usize;
            end & within_slot != 0 && self.storage.provenance[slot] != 0
        };
        if block.flags & HAS_POINTERS != 0 && size > 0 && ends.into_iter().any(is_cut) {
            self.address_reads += 1;
        }
    }

    #[inline]
    fn word<const N: usize>(&self, position: usize) -> u64 {
        let mut word = [0; 8];
        word[..N].copy_from_slice(&self.storage.bytes[position..position + N]);
        u64::from_le_bytes(word)
    }

    #[inline]
    fn set_word<const N: usize>(&mut self, position: usize, bits: u64) {
        self.storage.bytes[position..position + N].copy_from_slice(&bits.to_le_bytes()[..N]);
    }
}
