//! Large blocks: their bytes are kept in pages, which are made when they are first touched.
//!
//! A page is a block of its own that nobody knows by address. An access to a large block is looked up
//! once, and is then one to the page. It must not go beyond the page's end: what C calls aligned never
//! does, and for the rest the memory says that it cannot give more.

use std::collections::BTreeMap;

use heapwright_base::DenseId;

use crate::block::{ALL, Block, BlockId, INLINE_BYTES, Life};
use crate::fault::{Access, FaultKind, MemoryFault, MemoryLimit};
use crate::memory::Memory;

/// Blocks of more bytes than this are kept in pages.
pub(crate) const DENSE_BYTES: u64 = 16 << 20;

const PAGE: u64 = 1 << 16;

/// The pages of all large blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    /// By block and first offset.
    pages: BTreeMap<(BlockId, u64), BlockId>,
    /// The first offset of each page.
    starts: BTreeMap<BlockId, u64>,
}

impl Pages {
    /// How far into its large block a page begins; 0 for anything else.
    pub(crate) fn start_of(&self, id: BlockId) -> u64 {
        self.starts.get(&id).copied().unwrap_or(0)
    }

    fn of(&self, id: BlockId) -> impl Iterator<Item = (u64, BlockId)> {
        self.pages.range((id, 0)..=(id, u64::MAX)).map(|(&(_, start), &page)| (start, page))
    }
}

impl Memory {
    /// Whether some block is kept in pages, of which [`Memory::bytes`] knows nothing.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        !self.pages.pages.is_empty()
    }

    #[inline]
    pub(crate) fn is_large(&self, id: BlockId) -> bool {
        self.records[id].extent > DENSE_BYTES
    }

    /// The page at an address of a large block, if it was touched; else the block itself.
    #[inline]
    pub(crate) fn page_at(&self, id: BlockId, address: u64) -> BlockId {
        if !self.is_large(id) {
            return id;
        }
        let offset = address.wrapping_sub(self.records[id].base);
        self.pages.pages.get(&(id, offset - offset % PAGE)).copied().unwrap_or(id)
    }

    /// The pages of a block.
    pub(crate) fn pages_of(&self, id: BlockId) -> Vec<BlockId> {
        self.pages.of(id).map(|(_, page)| page).collect()
    }

    /// Bytes from `offset` on that lie in one page.
    pub(crate) fn page_rest(offset: u64) -> u64 {
        PAGE - offset % PAGE
    }

    /// The page of an access to a large block, and the offset in it.
    pub(crate) fn page(
        &mut self,
        id: BlockId,
        offset: u64,
        size: u64,
        access: Access,
    ) -> Result<(usize, u64), Box<MemoryFault>> {
        let page = if size > Memory::page_rest(offset) {
            Err(MemoryLimit::Bytes)
        } else {
            self.touch(id, offset - offset % PAGE)
        };
        page.map(|page| (page.index(), offset % PAGE)).map_err(|limit| {
            let address = self.records[id].base.wrapping_add(offset);
            let mut fault = self.fault(FaultKind::OutOfBounds, access, address, Some(id));
            fault.limit = Some(limit);
            fault
        })
    }

    /// The page that begins there, made if it is not yet.
    fn touch(&mut self, id: BlockId, start: u64) -> Result<BlockId, MemoryLimit> {
        if let Some(&page) = self.pages.pages.get(&(id, start)) {
            return Ok(page);
        }
        let position = self.storage.take(PAGE)?;
        self.check_table()?;
        let (whole, record) = (self.blocks[id.index()], self.records[id]);
        if whole.initialised != ALL {
            self.storage.set_range_initialised(position, PAGE as usize, false);
        }
        let limit = PAGE.min(record.size - start);
        let initialised = if limit < INLINE_BYTES && whole.initialised != ALL {
            ALL << limit
        } else {
            whole.initialised
        };
        let base = record.base + start;
        self.blocks.push(Block { base, limit, start: position, initialised, flags: whole.flags });
        let page = self.records.push(crate::block::BlockRecord {
            base,
            size: limit,
            extent: PAGE,
            // Nobody finds it but through its block.
            is_forgotten: true,
            ..record
        });
        self.pages.pages.insert((id, start), page);
        self.pages.starts.insert(page, start);
        Ok(page)
    }

    /// Gives the pages of a dead block back.
    pub(crate) fn drop_pages(&mut self, id: BlockId) {
        for (start, page) in self.pages.of(id).collect::<Vec<_>>() {
            let block = &mut self.blocks[page.index()];
            self.storage.give(PAGE, block.start);
            *block = Block { base: block.base, ..Block::NOWHERE };
            self.records[page].life = Life::Freed;
            self.pages.pages.remove(&(id, start));
            self.pages.starts.remove(&page);
        }
    }

    /// Cuts a range of a block into pieces that lie in one page each: where each begins, and its size.
    pub(crate) fn pieces(offset: u64, size: u64) -> Vec<(u64, u64)> {
        let mut pieces = Vec::new();
        let (mut at, end) = (offset, offset + size);
        // Ends because each piece has a byte.
        while at < end {
            let length = Memory::page_rest(at).min(end - at);
            pieces.push((at, length));
            at += length;
        }
        pieces
    }
}
