//! Memory made to order: blocks at addresses that someone chose, and blocks whose bytes have no
//! values, as a state that was written down wants them.

use heapwright_base::DenseId;

use crate::block::{ALL, BlockId, HAS_POINTERS, INLINE_BYTES};
use crate::fault::MemoryLimit;
use crate::memory::{Allocation, Memory};
use crate::size_class;

impl Memory {
    /// Makes a block at an address, which has to lie behind all blocks that were made before.
    pub fn allocate_at(
        &mut self,
        allocation: Allocation,
        base: u64,
    ) -> Result<BlockId, MemoryLimit> {
        let extent = size_class::round_up(allocation.size).ok_or(MemoryLimit::Bytes)?;
        self.addresses.go_to(base)?;
        let start = self.storage.take(extent)?;
        let id = self.new_block(extent, 1)?;
        self.bring_to_life(id, allocation, extent, start);
        Ok(id)
    }

    /// Takes the value of every byte of a live block away.
    pub fn clear(&mut self, id: BlockId) {
        let block = &mut self.blocks[id.index()];
        let (start, limit) = (block.start, block.limit);
        block.flags &= !HAS_POINTERS;
        block.initialised = if limit < INLINE_BYTES { ALL << limit } else { 0 };
        self.storage.bytes[start..start + limit as usize].fill(0);
        if limit > INLINE_BYTES {
            self.storage.set_range_initialised(start, limit as usize, false);
        }
    }
}
