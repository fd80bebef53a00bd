//! Storage: the bytes of all blocks in one vector, with their shadows beside them.
//!
//! A block's piece starts at a multiple of 16, so that its pointer slots are the slots of the
//! shadow. Pieces are reused as soon as their block is dead; the block itself is not.

use std::collections::BTreeMap;
use std::ops::Range;

use heapwright_program::DataModel;

use crate::block::low_bits;
use crate::fault::MemoryLimit;
use crate::pages::DENSE_BYTES;
use crate::size_class::FreeLists;

#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) bytes: Vec<u8>,
    /// One bit a byte, for blocks too large to keep them inline.
    initialised: Vec<u8>,
    /// The block of the pointer stored in each slot; 0 for none, [`TORN`] for a part of one.
    pub(crate) provenance: Vec<u32>,
    /// Which bytes of a torn slot are still those of a pointer, one bit each.
    torn: BTreeMap<usize, u8>,
    /// The binary logarithm of a pointer's size.
    pub(crate) slot_shift: u32,
    free: FreeLists<usize>,
    pub(crate) limit: u64,
}

/// In place of a block: some bytes of the slot were written over, and the others are not to be read as
/// a number without being noticed.
pub(crate) const TORN: u32 = u32::MAX;

/// A bit window of 32 reads this many bytes of `initialised` beyond the last one.
const SLACK: usize = 4;

impl Storage {
    pub(crate) fn new(model: DataModel, limit: u64) -> Storage {
        Storage {
            bytes: Vec::new(),
            initialised: vec![0; SLACK],
            provenance: Vec::new(),
            torn: BTreeMap::new(),
            slot_shift: model.pointer_size().trailing_zeros(),
            free: FreeLists::new(),
            limit,
        }
    }

    /// A piece of `rounded` bytes, all zero; none for what is kept in pages.
    #[inline]
    pub(crate) fn take(&mut self, rounded: u64) -> Result<usize, MemoryLimit> {
        if rounded == 0 || rounded > DENSE_BYTES {
            return Ok(0);
        }
        let Some(start) = self.free.take(rounded) else {
            return self.grow(rounded);
        };
        self.bytes[start..start + rounded as usize].fill(0);
        Ok(start)
    }

    #[cold]
    fn grow(&mut self, rounded: u64) -> Result<usize, MemoryLimit> {
        let start = self.bytes.len();
        if rounded > self.limit || start as u64 > self.limit - rounded {
            return Err(MemoryLimit::Bytes);
        }
        let end = start + rounded as usize;
        self.bytes.resize(end, 0);
        self.initialised.resize(end / 8 + SLACK, 0);
        self.provenance.resize(end >> self.slot_shift, 0);
        Ok(start)
    }

    /// Takes bytes away from the pointers that they are part of.
    pub(crate) fn tear(&mut self, position: usize, size: usize) {
        let (width, end) = (1 << self.slot_shift, position + size);
        let (first, last) = (position.div_ceil(width), end / width);
        if first < last {
            self.provenance[first..last].fill(0);
        }
        for cut in [position, end].into_iter().filter(|cut| cut % width != 0) {
            self.tear_slot(cut / width, position..end);
        }
    }

    /// Takes the bytes of a range away from the pointer in a slot.
    #[cold]
    fn tear_slot(&mut self, slot: usize, range: Range<usize>) {
        let whole = low_bits(1 << self.slot_shift) as u8;
        let before = match self.provenance[slot] {
            0 => return,
            TORN => self.torn.get(&slot).copied().unwrap_or(whole),
            _ => whole,
        };
        let start = slot << self.slot_shift;
        let is_taken = |byte: &usize| range.contains(&(start + byte));
        let taken =
            (0..1 << self.slot_shift).filter(is_taken).fold(0, |bits, byte| bits | 1 << byte);
        let rest = before & !taken;
        if rest == 0 {
            self.provenance[slot] = 0;
            self.torn.remove(&slot);
        } else {
            self.provenance[slot] = TORN;
            self.torn.insert(slot, rest);
        }
    }

    /// Copies what is known of whole slots; they may overlap.
    pub(crate) fn copy_slots(&mut self, from: usize, to: usize, count: usize) {
        self.provenance.copy_within(from..from + count, to);
        if self.has_torn_pointers() {
            // What is left of them is not followed: any byte may be.
            let whole = low_bits(1 << self.slot_shift) as u8;
            for slot in (to..to + count).filter(|&slot| self.provenance[slot] == TORN) {
                self.torn.insert(slot, whole);
            }
        }
    }

    /// Whether some pointer was written over in part, and may still be there.
    #[inline]
    pub(crate) fn has_torn_pointers(&self) -> bool {
        !self.torn.is_empty()
    }

    #[inline]
    pub(crate) fn give(&mut self, rounded: u64, start: usize) {
        if rounded != 0 && rounded <= DENSE_BYTES {
            self.free.give(rounded, start);
        }
    }

    /// The bits of up to 16 bytes from `position`, lowest first.
    #[inline]
    pub(crate) fn initialised_bits(&self, position: usize) -> u32 {
        let window: [u8; 4] = self.initialised[position / 8..position / 8 + 4].try_into().unwrap();
        u32::from_le_bytes(window) >> (position % 8)
    }

    pub(crate) fn set_initialised(&mut self, position: usize, is_initialised: bool) {
        let bit = 1 << (position % 8);
        if is_initialised {
            self.initialised[position / 8] |= bit;
        } else {
            self.initialised[position / 8] &= !bit;
        }
    }

    /// Sets the bits of a range: whole bytes of bits at once where possible.
    pub(crate) fn set_range_initialised(&mut self, start: usize, length: usize, to: bool) {
        let end = start + length;
        let inner = start.next_multiple_of(8)..end / 8 * 8;
        if inner.start >= inner.end {
            (start..end).for_each(|position| self.set_initialised(position, to));
            return;
        }
        (start..inner.start).for_each(|position| self.set_initialised(position, to));
        self.initialised[inner.start / 8..inner.end / 8].fill(if to { 0xff } else { 0 });
        (inner.end..end).for_each(|position| self.set_initialised(position, to));
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }
}
