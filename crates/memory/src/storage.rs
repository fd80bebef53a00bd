//! Storage: the bytes of all blocks in one vector, with their shadows beside them.
//!
//! A block's piece starts at a multiple of 16, so that its pointer slots are the slots of the
//! shadow. Pieces are reused as soon as their block is dead; the block itself is not.

use heapwright_program::DataModel;

use crate::fault::MemoryLimit;
use crate::pages::DENSE_BYTES;
use crate::size_class::FreeLists;

#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) bytes: Vec<u8>,
    /// One bit a byte, for blocks too large to keep them inline.
    initialised: Vec<u8>,
    /// The block of the pointer stored in each slot; 0 for none.
    pub(crate) provenance: Vec<u32>,
    /// The binary logarithm of a pointer's size.
    pub(crate) slot_shift: u32,
    free: FreeLists<usize>,
    pub(crate) limit: u64,
}

/// A bit window of 32 reads this many bytes of `initialised` beyond the last one.
const SLACK: usize = 4;

impl Storage {
    pub(crate) fn new(model: DataModel, limit: u64) -> Storage {
        Storage {
            bytes: Vec::new(),
            initialised: vec![0; SLACK],
            provenance: Vec::new(),
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
