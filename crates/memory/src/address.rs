//! The address space: each new range lies behind all others, with a gap of no block between.

use heapwright_program::DataModel;

use crate::fault::MemoryLimit;

/// Where the next block goes.
#[derive(Clone, Debug)]
pub(crate) struct AddressSpace {
    next: u64,
    end: u64,
    gap: u64,
}

impl AddressSpace {
    pub(crate) fn new(model: DataModel) -> AddressSpace {
        match model {
            // Far from the small numbers that programs compute with, below the end of a user's
            // address space.
            DataModel::Lp64 => AddressSpace { next: 1 << 36, end: 1 << 47, gap: 1 << 14 },
            DataModel::Ilp32 => AddressSpace { next: 0x2000_0000, end: 0xff00_0000, gap: 64 },
        }
    }

    /// Sets `extent` bytes aside. Between two blocks lie at least `gap` bytes of none.
    pub(crate) fn reserve(&mut self, extent: u64, alignment: u64) -> Result<u64, MemoryLimit> {
        let base = self.next.next_multiple_of(alignment.max(16));
        let end = base.saturating_add(extent).saturating_add(self.gap);
        if end > self.end {
            return Err(MemoryLimit::AddressSpace);
        }
        self.next = end;
        Ok(base)
    }

    /// Makes the next block start there.
    pub(crate) fn go_to(&mut self, base: u64) -> Result<(), MemoryLimit> {
        if base < self.next || !base.is_multiple_of(16) {
            return Err(MemoryLimit::AddressSpace);
        }
        self.next = base;
        Ok(())
    }

    /// Where all ranges so far, and the gap behind the last, end.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Whether following this number is best explained as following null: an address in the first
    /// page, or just below null as a subtraction from null gives it.
    pub(crate) fn is_near_null(address: u64, model: DataModel) -> bool {
        const PAGE: u64 = 4096;
        let top = match model {
            DataModel::Ilp32 => u64::from(u32::MAX),
            DataModel::Lp64 => u64::MAX,
        };
        address < PAGE || address > top - PAGE
    }
}
