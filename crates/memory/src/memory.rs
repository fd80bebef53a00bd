//! The memory as a whole: blocks come, are found, and go.

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{DataModel, Place};

use crate::address::AddressSpace;
use crate::block::{
    ALL, Block, BlockId, BlockKind, BlockRecord, INLINE_BYTES, Life, Origin, READ_ONLY,
};
use crate::fault::{Access, BlockSummary, FaultKind, MemoryFault, MemoryLimit};
use crate::pages::{DENSE_BYTES, Pages};
use crate::reuse::Occupants;
use crate::size_class::{self, FreeLists};
use crate::storage::Storage;
use crate::value::Value;

/// What a new block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    Uninitialised,
    Zero,
}

/// A block to be made.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    pub kind: BlockKind,
    pub origin: Origin,
    pub serial: u64,
    pub size: u64,
    /// A power of two; at least 16 is given.
    pub alignment: u64,
    pub contents: Contents,
    pub place: Place,
}

/// All blocks of one execution.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) model: DataModel,
    pub(crate) blocks: Vec<Block>,
    pub(crate) records: IdVec<BlockId, BlockRecord>,
    pub(crate) storage: Storage,
    pub(crate) addresses: AddressSpace,
    pub(crate) occupants: Occupants,
    pub(crate) pages: Pages,
    /// Numbers of forgotten blocks, by extent; each keeps its address when it is used again.
    pub(crate) forgotten: FreeLists<BlockId>,
    /// Blocks that died since the last call of `forget_unreferenced`.
    pub(crate) died: usize,
    /// Uninitialised bytes that were read, and thereby got a value.
    pub(crate) uninitialised_reads: u64,
    pub(crate) address_reads: u64,
    live_heap_blocks: usize,
    live_stack_bytes: u64,
}

impl Memory {
    /// An empty memory that will take at most about `limit` bytes, its tables included.
    #[must_use]
    pub fn new(model: DataModel, limit: u64) -> Memory {
        let mut memory = Memory {
            model,
            blocks: Vec::new(),
            records: IdVec::new(),
            storage: Storage::new(model, limit),
            addresses: AddressSpace::new(model),
            occupants: Occupants::default(),
            pages: Pages::default(),
            forgotten: FreeLists::new(),
            died: 0,
            uninitialised_reads: 0,
            address_reads: 0,
            live_heap_blocks: 0,
            live_stack_bytes: 0,
        };
        memory.blocks.push(Block::NOWHERE);
        memory.records.push(nowhere());
        memory
    }

    /// Makes a block.
    pub fn allocate(&mut self, allocation: Allocation) -> Result<BlockId, MemoryLimit> {
        let extent = size_class::round_up(allocation.size).ok_or(MemoryLimit::Bytes)?;
        let start = self.storage.take(extent)?;
        let recycled = if allocation.alignment <= 16 { self.forgotten.take(extent) } else { None };
        let id = match recycled {
            Some(id) => id,
            None => match self.new_block(extent, allocation.alignment) {
                Ok(id) => id,
                Err(limit) => {
                    self.storage.give(extent, start);
                    return Err(limit);
                }
            },
        };
        self.bring_to_life(id, allocation, extent, start);
        Ok(id)
    }

    /// Sets bytes of a block at program start: neither a write of the program nor checked as one.
    ///
    /// # Panics
    /// When the bytes do not lie in the block.
    pub fn set_initial(&mut self, id: BlockId, offset: u64, bytes: &[u8]) {
        if self.is_large(id) {
            return self.set_initial_in_pages(id, offset, bytes);
        }
        let block = self.blocks[id.index()];
        let end = offset.saturating_add(bytes.len() as u64);
        assert!(end <= block.limit, "initial bytes up to {end} of {id} with {} bytes", block.limit);
        let position = block.start + offset as usize;
        self.storage.bytes[position..position + bytes.len()].copy_from_slice(bytes);
        self.mark_initialised(id.index(), offset, bytes.len() as u64);
    }

    fn set_initial_in_pages(&mut self, id: BlockId, offset: u64, bytes: &[u8]) {
        for (at, length) in Memory::pieces(offset, bytes.len() as u64) {
            let access = Access::Write { size: length };
            // Without room the rest stays zero, and so does whatever asks for more.
            let Ok((page, start)) = self.page(id, at, length, access) else { return };
            let first = (at - offset) as usize;
            let piece = &bytes[first..first + length as usize];
            self.set_initial(BlockId::from_index(page), start, piece);
        }
    }

    /// Sets a pointer in a block at program start.
    pub fn set_initial_pointer(&mut self, id: BlockId, offset: u64, pointer: Value) {
        let bytes = pointer.low.to_le_bytes();
        self.set_initial(id, offset, &bytes[..self.model.pointer_size() as usize]);
        if pointer.high != 0 {
            let slot = Value::pointer(self.blocks[id.index()].base.wrapping_add(offset), id);
            self.keep_provenance(slot, pointer.high);
        }
    }

    pub(crate) fn new_block(
        &mut self,
        extent: u64,
        alignment: u64,
    ) -> Result<BlockId, MemoryLimit> {
        self.check_table()?;
        let base = self.addresses.reserve(extent, alignment)?;
        Ok(self.add_block(base))
    }

    /// Whether the tables may grow.
    pub(crate) fn check_table(&self) -> Result<(), MemoryLimit> {
        const TABLE_BYTES: u64 = (size_of::<Block>() + size_of::<BlockRecord>()) as u64;
        let in_use = self.storage.len() + self.blocks.len() as u64 * TABLE_BYTES;
        if in_use > self.storage.limit { Err(MemoryLimit::Bytes) } else { Ok(()) }
    }

    /// A number for a block at `base`.
    pub(crate) fn add_block(&mut self, base: u64) -> BlockId {
        let id = self.records.push(BlockRecord { base, ..nowhere() });
        self.occupy(id, base);
        self.blocks.push(Block { base, ..Block::NOWHERE });
        id
    }

    #[inline]
    pub(crate) fn bring_to_life(
        &mut self,
        id: BlockId,
        wanted: Allocation,
        extent: u64,
        start: usize,
    ) {
        let Allocation { kind, origin, serial, size, place, .. } = wanted;
        let base = self.blocks[id.index()].base;
        let initialised = match wanted.contents {
            Contents::Zero => ALL,
            Contents::Uninitialised if size < INLINE_BYTES => ALL << size,
            Contents::Uninitialised => 0,
        };
        let is_large = extent > DENSE_BYTES;
        if initialised == 0 && size > INLINE_BYTES && !is_large {
            self.storage.set_range_initialised(start, extent as usize, false);
        }
        let flags = if kind == BlockKind::String { READ_ONLY } else { 0 };
        let limit = if kind == BlockKind::Function || is_large { 0 } else { size };
        self.blocks[id.index()] = Block { base, limit, start, initialised, flags };
        self.records[id] = BlockRecord {
            kind,
            life: Life::Alive,
            origin,
            serial,
            base,
            size,
            allocated: place,
            released: None,
            extent,
            is_forgotten: false,
            is_superseded: false,
        };
        match kind {
            BlockKind::Heap => self.live_heap_blocks += 1,
            BlockKind::Stack => self.live_stack_bytes += size,
            BlockKind::Static | BlockKind::String | BlockKind::Function => {}
        }
    }

    /// Says whether a live block may be written, which all but string literals may at first.
    pub fn set_read_only(&mut self, id: BlockId, is_read_only: bool) {
        let flags = &mut self.blocks[id.index()].flags;
        *flags = if is_read_only { *flags | READ_ONLY } else { *flags & !READ_ONLY };
    }

    /// Ends the life of a stack block whose scope ends at `place`.
    ///
    /// # Panics
    /// When it is no live stack block: scopes are ours to keep in order.
    pub fn leave_scope(&mut self, id: BlockId, place: Place) {
        let record = &self.records[id];
        let is_live_stack = record.kind == BlockKind::Stack && record.life == Life::Alive;
        assert!(is_live_stack, "{id} leaves its scope: {record:?}");
        self.live_stack_bytes -= record.size;
        self.end_life(id, Life::OutOfScope, place);
    }

    /// `free(pointer)`. Null is fine.
    pub fn free(&mut self, pointer: Value, place: Place) -> Result<(), Box<MemoryFault>> {
        if let Some(id) = self.heap_block(pointer)? {
            self.live_heap_blocks -= 1;
            self.end_life(id, Life::Freed, place);
        }
        Ok(())
    }

    /// The size of the live heap block that starts at `pointer`; 0 for null.
    pub fn block_size(&self, pointer: Value) -> Result<u64, Box<MemoryFault>> {
        Ok(self.heap_block(pointer)?.map_or(0, |id| self.records[id].size))
    }

    /// The live heap block that starts at `pointer`; `None` for null.
    fn heap_block(&self, pointer: Value) -> Result<Option<BlockId>, Box<MemoryFault>> {
        if pointer.low == 0 {
            return Ok(None);
        }
        let found = pointer.block().or_else(|| self.lookup(pointer.low));
        let fault = |kind| Err(self.fault(kind, Access::Free, pointer.low, found));
        let Some(id) = found else { return fault(FaultKind::InvalidFree) };
        let record = &self.records[id];
        if record.kind != BlockKind::Heap || pointer.low != record.base {
            return fault(FaultKind::InvalidFree);
        }
        match record.life {
            Life::Alive => Ok(Some(id)),
            Life::Freed | Life::OutOfScope => fault(FaultKind::DoubleFree),
        }
    }

    fn end_life(&mut self, id: BlockId, life: Life, place: Place) {
        let record = &mut self.records[id];
        record.life = life;
        record.released = Some(place);
        let block = &mut self.blocks[id.index()];
        self.storage.give(record.extent, block.start);
        *block = Block { base: block.base, ..Block::NOWHERE };
        self.died += 1;
        self.occupants.note_death(id);
        if self.is_large(id) {
            self.drop_pages(id);
        }
    }

    /// A pointer to the block's first byte.
    #[must_use]
    pub fn pointer_to(&self, id: BlockId) -> Value {
        Value::pointer(self.blocks[id.index()].base, id)
    }

    #[must_use]
    pub fn block(&self, id: BlockId) -> &BlockRecord {
        &self.records[id]
    }

    /// Every block ever made, but for those that were forgotten.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = (BlockId, &BlockRecord)> {
        self.records.enumerated().skip(1).filter(|(_, record)| !record.is_forgotten)
    }

    /// Every heap block that is alive.
    pub fn live_heap(&self) -> impl DoubleEndedIterator<Item = (BlockId, &BlockRecord)> {
        self.blocks().filter(|(_, record)| record.is_live_heap())
    }

    #[must_use]
    pub fn model(&self) -> DataModel {
        self.model
    }

    #[must_use]
    pub fn live_heap_blocks(&self) -> usize {
        self.live_heap_blocks
    }

    /// Bytes of the stack blocks that are alive.
    #[must_use]
    pub fn live_stack_bytes(&self) -> u64 {
        self.live_stack_bytes
    }

    /// Bytes of storage in use or waiting to be used again.
    #[must_use]
    pub fn storage_bytes(&self) -> u64 {
        self.storage.len()
    }

    /// How many uninitialised bytes were read so far.
    #[must_use]
    pub fn uninitialised_reads(&self) -> u64 {
        self.uninitialised_reads
    }

    #[cold]
    pub(crate) fn fault(
        &self,
        kind: FaultKind,
        access: Access,
        address: u64,
        block: Option<BlockId>,
    ) -> Box<MemoryFault> {
        let block = block.map(|id| self.summarise(id, address));
        Box::new(MemoryFault { kind, access, address, block, limit: None })
    }

    /// What a report says of a block with respect to an address.
    #[must_use]
    pub fn summarise(&self, id: BlockId, address: u64) -> BlockSummary {
        let record = &self.records[id];
        BlockSummary {
            id,
            serial: record.serial,
            kind: record.kind,
            life: record.life,
            origin: record.origin,
            size: record.size,
            offset: address.wrapping_sub(record.base) as i64,
            allocated: record.allocated,
            released: record.released,
        }
    }
}

/// The record of block number 0.
fn nowhere() -> BlockRecord {
    let place = Place { file: DenseId::from_index(0), line: 0, column: 0 };
    BlockRecord {
        kind: BlockKind::Static,
        life: Life::OutOfScope,
        origin: Origin::Anonymous,
        serial: u64::MAX,
        base: 0,
        size: 0,
        allocated: place,
        released: None,
        extent: 0,
        is_forgotten: true,
        is_superseded: false,
    }
}
