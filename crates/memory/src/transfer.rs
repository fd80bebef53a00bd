//! Whole ranges: copy, fill, and looking at a block from outside.

use heapwright_base::DenseId;

use crate::block::{ALL, BlockId, HAS_POINTERS, INLINE_BYTES, low_bits};
use crate::fault::{Access, MemoryFault};
use crate::memory::Memory;
use crate::value::Value;

/// One end of a copy: a block and an offset that were checked.
#[derive(Clone, Copy)]
struct End {
    index: usize,
    offset: u64,
}

impl Memory {
    /// `memmove`: bytes move with their provenance, and uninitialised bytes stay uninitialised.
    pub fn copy(
        &mut self,
        target: Value,
        source: Value,
        size: u64,
    ) -> Result<(), Box<MemoryFault>> {
        if size == 0 {
            return Ok(());
        }
        let (from, start) = self.located(source, size, Access::Read { size })?;
        let (to, end) = self.located(target, size, Access::Write { size })?;
        if self.is_large(from) || self.is_large(to) {
            let pieces = common_pieces(start, end, size);
            let is_backwards = from == to && start < end;
            return self.copy_pieces(target, source, pieces, is_backwards);
        }
        let (index, offset) = self.resolve(source, size, Access::Read { size })?;
        let source = End { index, offset };
        let (index, offset) = self.resolve(target, size, Access::Write { size })?;
        self.copy_within(End { index, offset }, source, size);
        Ok(())
    }

    /// `memset`.
    pub fn fill(&mut self, target: Value, byte: u8, size: u64) -> Result<(), Box<MemoryFault>> {
        if size == 0 {
            return Ok(());
        }
        let (id, offset) = self.located(target, size, Access::Write { size })?;
        if self.is_large(id) {
            for (at, length) in Memory::pieces(offset, size) {
                let low = target.low.wrapping_add(at - offset);
                self.fill_piece(Value { low, high: target.high }, byte, length)?;
            }
            return Ok(());
        }
        self.fill_piece(target, byte, size)
    }

    fn fill_piece(&mut self, target: Value, byte: u8, size: u64) -> Result<(), Box<MemoryFault>> {
        let position = self.writable(target, size)?;
        self.storage.bytes[position..position + size as usize].fill(byte);
        Ok(())
    }

    /// A copy from or to a large block, piece by piece; from the last one on if they overlap so.
    fn copy_pieces(
        &mut self,
        target: Value,
        source: Value,
        mut pieces: Vec<(u64, u64)>,
        is_backwards: bool,
    ) -> Result<(), Box<MemoryFault>> {
        if is_backwards {
            pieces.reverse();
        }
        let moved = |pointer: Value, by: u64| Value {
            low: pointer.low.wrapping_add(by),
            high: pointer.high,
        };
        for (at, size) in pieces {
            let (index, offset) = self.resolve(moved(source, at), size, Access::Read { size })?;
            let source = End { index, offset };
            let (index, offset) = self.resolve(moved(target, at), size, Access::Write { size })?;
            self.copy_within(End { index, offset }, source, size);
        }
        Ok(())
    }

    fn copy_within(&mut self, target: End, source: End, size: u64) {
        let (from, to) = (self.position(source), self.position(target));
        self.storage.bytes.copy_within(from..from + size as usize, to);
        self.copy_initialised(target, source, size);
        self.copy_provenance(target, source, size);
    }

    fn position(&self, end: End) -> usize {
        self.blocks[end.index].start + end.offset as usize
    }

    fn copy_initialised(&mut self, target: End, source: End, size: u64) {
        if self.blocks[source.index].initialised == ALL {
            self.mark_initialised(target.index, target.offset, size);
            return;
        }
        let known: Vec<bool> = (source.offset..source.offset + size)
            .map(|at| self.has_initialised(&self.blocks[source.index], at, 1))
            .collect();
        if known.iter().all(|&known| known) {
            self.mark_initialised(target.index, target.offset, size);
            return;
        }
        self.spread_initialised(target.index);
        for (at, known) in (target.offset..).zip(known) {
            self.set_initialised(target.index, at, known);
        }
    }

    /// Writes "all initialised" out bit by bit, since some bits are about to be cleared.
    fn spread_initialised(&mut self, index: usize) {
        let block = &mut self.blocks[index];
        if block.initialised == ALL && block.limit > INLINE_BYTES {
            block.initialised = 0;
            let (start, limit) = (block.start, block.limit as usize);
            self.storage.set_range_initialised(start, limit, true);
        }
    }

    fn set_initialised(&mut self, index: usize, offset: u64, is_initialised: bool) {
        let block = &mut self.blocks[index];
        if block.limit > INLINE_BYTES {
            let position = block.start + offset as usize;
            self.storage.set_initialised(position, is_initialised);
        } else if is_initialised {
            block.initialised |= 1 << offset;
        } else {
            block.initialised &= !(1 << offset);
        }
    }

    fn copy_provenance(&mut self, target: End, source: End, size: u64) {
        let shift = self.storage.slot_shift;
        let within_slot = low_bits(u64::from(shift));
        let is_congruent = (target.offset ^ source.offset) & within_slot == 0;
        self.note_parts(source.index, source.offset, size);
        if !is_congruent && self.holds_pointer(&self.blocks[source.index], source.offset, size) {
            self.address_reads += 1;
        }
        if self.blocks[source.index].flags & HAS_POINTERS == 0 || !is_congruent {
            self.clear_provenance(target.index, target.offset, size);
            return;
        }
        self.prepare_provenance(target.index);
        let lead = target.offset.wrapping_neg() & within_slot;
        let slots = size.saturating_sub(lead) >> shift;
        let first = |end: End| (self.position(end) + lead as usize) >> shift;
        let (to, from) = (first(target), first(source));
        if slots > 0 {
            self.storage.copy_slots(from, to, slots as usize);
        }
        // Slots that the copy overwrites in part no longer hold a whole pointer.
        self.clear_provenance(target.index, target.offset, lead.min(size));
        let tail = lead + (slots << shift);
        if tail < size {
            self.clear_provenance(target.index, target.offset + tail, size - tail);
        }
    }

    fn prepare_provenance(&mut self, index: usize) {
        let shift = self.storage.slot_shift;
        let block = &mut self.blocks[index];
        if block.flags & HAS_POINTERS == 0 {
            block.flags |= HAS_POINTERS;
            let slots = block.start >> shift..(block.start + block.limit as usize) >> shift;
            self.storage.provenance[slots].fill(0);
        }
    }

    /// The bytes of a live block; uninitialised ones read as they are, mostly 0. None of a block that
    /// is kept in pages.
    #[must_use]
    pub fn bytes(&self, id: BlockId) -> &[u8] {
        let block = &self.blocks[id.index()];
        &self.storage.bytes[block.start..block.start + block.limit as usize]
    }

    /// Whether the byte at `offset` of a live block has a value.
    #[must_use]
    pub fn is_initialised(&self, id: BlockId, offset: u64) -> bool {
        let block = &self.blocks[id.index()];
        offset < block.limit && self.has_initialised(block, offset, 1)
    }

    /// The pointer stored at an aligned `offset`, if a whole one with its block was stored there.
    #[must_use]
    pub fn stored_pointer(&self, id: BlockId, offset: u64) -> Option<Value> {
        let block = &self.blocks[id.index()];
        let size = self.model.pointer_size();
        if offset.saturating_add(size) > block.limit {
            return None;
        }
        let high = self.provenance_in(block, offset);
        let position = block.start + offset as usize;
        let low = read_word(&self.storage.bytes[position..position + size as usize]);
        (high != 0).then_some(Value { low, high })
    }
}

/// Pieces of two ranges of one size that lie in one page each on both sides.
fn common_pieces(first: u64, second: u64, size: u64) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    // Ends because each piece has a byte.
    while at < size {
        let rest = Memory::page_rest(first + at).min(Memory::page_rest(second + at));
        let length = rest.min(size - at);
        pieces.push((at, length));
        at += length;
    }
    pieces
}

/// A little-endian number of at most eight bytes.
pub(crate) fn read_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
