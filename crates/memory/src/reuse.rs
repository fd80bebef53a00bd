//! Addresses that are given twice: a new block may lie where a dead one lay.
//!
//! Pointers stay apart all the same: each knows the block that it was made from, and only the
//! numbers are equal. Which addresses are taken again is for others to choose.

use heapwright_base::DenseId;

use crate::address::AddressSpace;
use crate::block::{BlockId, BlockKind, Life};
use crate::fault::MemoryLimit;
use crate::memory::{Allocation, Memory};
use crate::size_class;
use crate::value::Value;

/// Deaths that are remembered: allocators prefer what was freed last.
const REMEMBERED: usize = 16;

/// The blocks by address, and those that died last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupants {
    /// Ascending by base; where several blocks had one base, the newest.
    newest: Vec<BlockId>,
    deaths: [Option<BlockId>; REMEMBERED],
    death_count: usize,
}

impl Occupants {
    #[inline]
    pub(crate) fn note_death(&mut self, id: BlockId) {
        self.deaths[self.death_count % REMEMBERED] = Some(id);
        self.death_count += 1;
    }

    /// The blocks that died last, the latest first.
    fn latest_deaths(&self) -> impl Iterator<Item = BlockId> {
        (1..=REMEMBERED.min(self.death_count))
            .filter_map(|back| self.deaths[(self.death_count - back) % REMEMBERED])
    }
}

impl Memory {
    /// Makes a block at an address where another one is or was; nobody checks that it may be there.
    pub fn reoccupy(&mut self, allocation: Allocation, base: u64) -> Result<BlockId, MemoryLimit> {
        let extent = size_class::round_up(allocation.size).ok_or(MemoryLimit::Bytes)?;
        let start = self.storage.take(extent)?;
        self.check_table()?;
        let id = self.add_block(base);
        self.bring_to_life(id, allocation, extent, start);
        Ok(id)
    }

    /// Addresses of dead blocks where a new one of `size` bytes fits, the latest death first.
    #[must_use]
    pub fn free_addresses(&self, size: u64, alignment: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for id in self.occupants.latest_deaths() {
            let record = &self.records[id];
            let is_free = record.life != Life::Alive
                && !record.is_forgotten
                && self.position_of(record.base).is_ok_and(|at| self.occupants.newest[at] == id);
            let base = record.base;
            if is_free && base.is_multiple_of(alignment.max(1)) && self.has_room(base, size) {
                found.push(base);
            }
        }
        found
    }

    /// Whether `size` bytes from the start of a block on are before the next block.
    #[must_use]
    pub fn has_room(&self, base: u64, size: u64) -> bool {
        let Some(extent) = size_class::round_up(size) else { return false };
        let Ok(position) = self.position_of(base) else { return false };
        let next = self.occupants.newest.get(position + 1);
        let end = next.map_or(self.addresses.next(), |id| self.blocks[id.index()].base);
        // Not up to it: one past the end of a block is no other one's start.
        extent < end - base
    }

    /// Whether it is for the implementation to say if two pointers that were made from different
    /// blocks, or one of them from a number, are equal: blocks that are alive at the same time lie
    /// apart, but for string literals, and that is all.
    #[must_use]
    pub fn is_equality_chosen(&self, left: Value, right: Value) -> bool {
        let (Some(first), Some(second)) = (left.block(), right.block()) else {
            // A number that no block can have.
            let is_no_address = |value: Value| {
                value.block().is_none() && AddressSpace::is_near_null(value.low, self.model)
            };
            return !is_no_address(left) && !is_no_address(right);
        };
        let are_literals =
            [first, second].iter().all(|&id| self.records[id].kind == BlockKind::String);
        are_literals || !self.is_inside(left, first) || !self.is_inside(right, second)
    }

    /// Whether a pointer points to a byte of a live block, or to an empty one.
    fn is_inside(&self, pointer: Value, id: BlockId) -> bool {
        let record = &self.records[id];
        let offset = pointer.low.wrapping_sub(record.base);
        record.life == Life::Alive && offset < record.size.max(1)
    }

    /// Puts the newest block at its address in order.
    #[inline]
    pub(crate) fn occupy(&mut self, id: BlockId, base: u64) {
        let last = self.occupants.newest.last();
        if last.is_none_or(|last| self.blocks[last.index()].base < base) {
            self.occupants.newest.push(id);
            return;
        }
        match self.position_of(base) {
            Ok(position) => {
                let before = std::mem::replace(&mut self.occupants.newest[position], id);
                self.records[before].is_superseded = true;
            }
            Err(position) => self.occupants.newest.insert(position, id),
        }
    }

    fn position_of(&self, base: u64) -> Result<usize, usize> {
        self.occupants.newest.binary_search_by_key(&base, |id| self.blocks[id.index()].base)
    }

    /// The block that the number lies in, dead or alive; of several at one address, the newest. A
    /// block of size 0 has its start.
    #[must_use]
    pub fn lookup(&self, address: u64) -> Option<BlockId> {
        let newest = &self.occupants.newest;
        let after = newest.partition_point(|id| self.blocks[id.index()].base <= address);
        let id = newest[after.checked_sub(1)?];
        let record = &self.records[id];
        (address - record.base < record.size.max(1)).then_some(id)
    }
}
