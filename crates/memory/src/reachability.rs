//! What can still be reached: lost heap blocks, and dead blocks that may be forgotten.
//!
//! A block is reached through any word, at any offset, that is an address within it or one past its
//! end: a program that keeps its pointers in integers or in packed structs must not be told of a leak.
//! What else was computed from an address, such as a hash, a tag that leads out of the block or a
//! pointer far beyond its end, reaches nothing.

use heapwright_base::DenseId;

use crate::block::{BlockId, BlockKind, BlockRecord, HAS_POINTERS, Life};
use crate::memory::Memory;
use crate::transfer::read_word;
use crate::value::Value;

impl Memory {
    /// The live heap blocks that are reached neither from `roots` nor from a live static or stack
    /// block. The values of integer variables belong to `roots` too, with `high` 0.
    #[must_use]
    pub fn unreachable_blocks(&self, roots: impl IntoIterator<Item = Value>) -> Vec<BlockId> {
        self.unreachable_without(roots, &|_, _, _| false)
    }

    /// The same, where some words lead nowhere: asked with the serial of a block, an offset and a size.
    #[must_use]
    pub fn unreachable_without(
        &self,
        roots: impl IntoIterator<Item = Value>,
        is_left_out: &dyn Fn(u64, u64, u64) -> bool,
    ) -> Vec<BlockId> {
        if self.live_heap_blocks() == 0 {
            return Vec::new();
        }
        let mut search = Search::new(self, is_left_out);
        for (id, record) in self.blocks() {
            let is_root = match record.kind {
                BlockKind::Static | BlockKind::Stack => record.life == Life::Alive,
                BlockKind::Heap | BlockKind::String | BlockKind::Function => false,
            };
            if is_root {
                search.scan(id);
            }
        }
        for root in roots {
            search.reach_address(root.low);
        }
        search.finish();
        self.live_heap().map(|(id, _)| id).filter(|id| !search.reached[id.index()]).collect()
    }

    /// How many blocks died since the last call of [`Memory::forget_unreferenced`].
    #[must_use]
    pub fn dead_blocks(&self) -> usize {
        self.died
    }

    /// Forgets the dead blocks that no pointer in `roots` or in memory was made from: their numbers
    /// and addresses may be given to new blocks. Keeps the memory of a long run small.
    pub fn forget_unreferenced(&mut self, roots: impl IntoIterator<Item = Value>) {
        let mut referenced = vec![false; self.blocks.len()];
        for root in roots {
            if let Some(flag) = referenced.get_mut(root.high as usize) {
                *flag = true;
            }
        }
        for block in self.blocks.iter().filter(|block| block.flags & HAS_POINTERS != 0) {
            let shift = self.storage.slot_shift;
            let slots = block.start >> shift..(block.start + block.limit as usize) >> shift;
            for &slot in &self.storage.provenance[slots] {
                if let Some(flag) = referenced.get_mut(slot as usize) {
                    *flag = true;
                }
            }
        }
        for (index, is_referenced) in referenced.into_iter().enumerate().skip(1) {
            let id = BlockId::from_index(index);
            let record = &mut self.records[id];
            if record.life != Life::Alive && !is_referenced && !record.is_forgotten {
                record.is_forgotten = true;
                if !record.is_superseded {
                    self.forgotten.give(record.extent, id);
                }
            }
        }
        self.died = 0;
    }
}

/// The mark phase.
struct Search<'m> {
    memory: &'m Memory,
    reached: Vec<bool>,
    waiting: Vec<BlockId>,
    /// Addresses outside of this range are in no live heap block, nor at the end of one.
    heap: std::ops::RangeInclusive<u64>,
    is_left_out: &'m dyn Fn(u64, u64, u64) -> bool,
}

impl<'m> Search<'m> {
    fn new(memory: &'m Memory, is_left_out: &'m dyn Fn(u64, u64, u64) -> bool) -> Search<'m> {
        let first = memory.live_heap().map(|(_, record)| record.base).min().unwrap_or(0);
        let ends = memory.live_heap().map(|(_, record)| record.base + record.size);
        let last = ends.max().unwrap_or(0);
        let reached = vec![false; memory.blocks.len()];
        Search { memory, reached, waiting: Vec::new(), heap: first..=last, is_left_out }
    }

    /// Ends because each block waits at most once.
    fn finish(&mut self) {
        while let Some(id) = self.waiting.pop() {
            self.scan(id);
        }
    }

    #[inline]
    fn reach_address(&mut self, address: u64) {
        if !self.heap.contains(&address) {
            return;
        }
        // Blocks may lie side by side: the end of one is then the start of the next.
        let found = [self.memory.lookup(address), self.memory.lookup(address - 1)];
        for id in found.into_iter().flatten() {
            self.mark(id);
        }
    }

    fn mark(&mut self, id: BlockId) {
        let is_live_heap = self.memory.records.get(id).is_some_and(BlockRecord::is_live_heap);
        if is_live_heap && !self.reached[id.index()] {
            self.reached[id.index()] = true;
            self.waiting.push(id);
        }
    }

    fn scan(&mut self, id: BlockId) {
        let memory = self.memory;
        let record = &memory.records[id];
        if memory.is_large(id) {
            if (self.is_left_out)(record.serial, 0, record.size) {
                return;
            }
            memory.pages_of(id).into_iter().for_each(|page| self.scan(page));
            return;
        }
        let size = memory.model.pointer_size();
        for (offset, word) in (0..).zip(memory.bytes(id).windows(size as usize)) {
            let address = read_word(word);
            if self.heap.contains(&address) && !(self.is_left_out)(record.serial, offset, size) {
                self.reach_address(address);
            }
        }
    }
}
