//! Reading and writing bytes of blocks at known offsets.

use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_program::{ObjectId, ObjectKind};

use crate::heap::block::{Block, BlockId, Cell, DefaultBytes};
use crate::heap::names::Names;
use crate::heap::state::{DrawnTerm, State};

impl Names<'_> {
    /// The `size` bytes at `offset`, lowest first in the bit-vector's lowest bits.
    pub(crate) fn read(
        &mut self,
        state: &mut State,
        block: BlockId,
        offset: u64,
        size: u64,
    ) -> TermId {
        if let Some(cell) = state.block(block).cells.get(&offset)
            && cell.size == size
        {
            return cell.value;
        }
        let mut parts = Vec::new();
        let end = offset + size;
        let mut position = offset;
        while position < end {
            let (term, next) = self.read_part(state, block, position, end);
            parts.push(term);
            position = next;
        }
        let mut parts = parts.into_iter();
        let mut value = parts.next().expect("a read of at least one byte");
        for part in parts {
            value = self.terms.concat(part, value);
        }
        value
    }

    /// As many bytes from `position` on as one cell or one gap gives, up to `end`.
    fn read_part(
        &mut self,
        state: &mut State,
        block: BlockId,
        position: u64,
        end: u64,
    ) -> (TermId, u64) {
        let cells = &state.block(block).cells;
        if let Some((&start, &cell)) = cells.range(..=position).next_back()
            && start + cell.size > position
        {
            let next = (start + cell.size).min(end);
            let (low, high) = (8 * (position - start) as u32, 8 * (next - start) as u32);
            return (self.terms.extract(cell.value, high - 1, low), next);
        }
        let gap_end = cells.range(position..end).next().map_or(end, |(&start, _)| start);
        // Terms are at most sixteen bytes wide.
        let gap_end = gap_end.min(position + 16);
        (self.read_gap(state, block, position, gap_end - position), gap_end)
    }

    /// Bytes that no cell covers.
    fn read_gap(&mut self, state: &mut State, block: BlockId, offset: u64, size: u64) -> TermId {
        if let Some(value) = self.default_value(state.block(block), offset, size) {
            return value;
        }
        let value = self.fresh("bytes", 8 * size as u32);
        let target = state.block_mut(block);
        target.cells.insert(offset, Cell { size, value });
        let serial = target.serial;
        state.drawn.push_back(DrawnTerm::Bytes { serial, offset, size, value });
        value
    }

    /// What bytes hold that no cell covers, if it is known.
    pub(crate) fn default_value(
        &mut self,
        block: &Block,
        offset: u64,
        size: u64,
    ) -> Option<TermId> {
        let width = 8 * size as u32;
        match block.rest {
            DefaultBytes::Zero => Some(self.terms.bit_vector(0, width)),
            DefaultBytes::Initial(object) => {
                let bytes: &[u8] = match &self.program().objects[object].kind {
                    ObjectKind::Static { bytes, .. } | ObjectKind::String { bytes } => bytes,
                    ObjectKind::External | ObjectKind::Local => &[],
                };
                let value = (0..size).rev().fold(0u128, |value, index| {
                    let byte = bytes.get((offset + index) as usize).copied().unwrap_or(0);
                    value << 8 | u128::from(byte)
                });
                Some(self.terms.bit_vector(value, width))
            }
            DefaultBytes::Uninitialised => None,
        }
    }

    /// Whether all bytes of a static object are zero at program start.
    pub(crate) fn is_zeroed(&self, object: ObjectId) -> bool {
        match &self.program().objects[object].kind {
            ObjectKind::Static { bytes, addresses } => {
                addresses.is_empty() && bytes.iter().all(|&byte| byte == 0)
            }
            ObjectKind::String { .. } | ObjectKind::External | ObjectKind::Local => false,
        }
    }

    /// Writes a bit-vector of whole bytes.
    pub(crate) fn write(&mut self, state: &mut State, block: BlockId, offset: u64, value: TermId) {
        let size = u64::from(self.terms.width(value) / 8);
        self.clear(state, block, offset, size);
        state.block_mut(block).cells.insert(offset, Cell { size, value });
    }

    /// Cuts the bytes of a range out of all cells.
    pub(crate) fn clear(&mut self, state: &mut State, block: BlockId, offset: u64, size: u64) {
        let end = offset + size;
        // Whoever knows that it is elsewhere puts it back.
        if state.block(block).zero.is_some() {
            state.block_mut(block).zero = None;
        }
        state.forget_contents(block);
        let cells = &state.block(block).cells;
        if let Some(cell) = cells.get(&offset)
            && cell.size == size
        {
            return;
        }
        let first = cells
            .range(..offset)
            .next_back()
            .filter(|(start, cell)| *start + cell.size > offset)
            .map(|(&start, &cell)| (start, cell));
        let hit: Vec<(u64, Cell)> = first
            .into_iter()
            .chain(cells.range(offset..end).map(|(&start, &cell)| (start, cell)))
            .collect();
        for (start, cell) in hit {
            state.block_mut(block).cells.remove(&start);
            if start < offset {
                let kept = offset - start;
                let value = self.terms.extract(cell.value, 8 * kept as u32 - 1, 0);
                state.block_mut(block).cells.insert(start, Cell { size: kept, value });
            }
            let cell_end = start + cell.size;
            if cell_end > end {
                let (low, high) = (8 * (end - start) as u32, 8 * cell.size as u32 - 1);
                let value = self.terms.extract(cell.value, high, low);
                let kept = Cell { size: cell_end - end, value };
                state.block_mut(block).cells.insert(end, kept);
            }
        }
    }

    /// Copies bytes between blocks, or within one; ranges may overlap.
    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        (source, from): (BlockId, u64),
        (target, to): (BlockId, u64),
        size: u64,
    ) {
        if size == 0 {
            return;
        }
        let pieces = self.pieces(state, source, from, size);
        self.remove(state, target, to, size);
        for (offset, piece) in pieces {
            match piece {
                Some(cell) => {
                    state.block_mut(target).cells.insert(to + offset, cell);
                }
                None => self.forget(state, target, to + offset),
            }
        }
    }

    /// The contents of a range as cells, and its uninitialised bytes one by one.
    fn pieces(
        &mut self,
        state: &mut State,
        block: BlockId,
        offset: u64,
        size: u64,
    ) -> Vec<(u64, Option<Cell>)> {
        let end = offset + size;
        let mut pieces = Vec::new();
        let mut position = offset;
        while position < end {
            let cells = &state.block(block).cells;
            let covered = cells
                .range(..=position)
                .next_back()
                .is_some_and(|(&start, cell)| start + cell.size > position);
            if !covered && state.block(block).rest == DefaultBytes::Uninitialised {
                pieces.push((position - offset, None));
                position += 1;
                continue;
            }
            let (value, next) = self.read_part(state, block, position, end);
            pieces.push((position - offset, Some(Cell { size: next - position, value })));
            position = next;
        }
        pieces
    }

    /// Makes one byte uninitialised.
    fn forget(&mut self, state: &mut State, block: BlockId, offset: u64) {
        if state.block(block).rest == DefaultBytes::Uninitialised {
            return;
        }
        let value = self.fresh("bytes", 8);
        let target = state.block_mut(block);
        let serial = target.serial;
        target.cells.insert(offset, Cell { size: 1, value });
        state.drawn.push_back(DrawnTerm::Bytes { serial, offset, size: 1, value });
    }

    /// Removes what a range holds; the caller fills it again.
    fn remove(&mut self, state: &mut State, block: BlockId, offset: u64, size: u64) {
        // A cell of exactly this range would be kept by `clear`.
        self.clear(state, block, offset, size);
        state.block_mut(block).cells.remove(&offset);
    }

    /// Sets a range to a byte.
    pub(crate) fn fill(
        &mut self,
        state: &mut State,
        block: BlockId,
        offset: u64,
        byte: TermId,
        size: u64,
    ) {
        let whole = offset == 0 && self.constant(state.block(block).size) == Some(u128::from(size));
        if whole && self.constant(byte) == Some(0) {
            self.zero_whole(state, block);
            return;
        }
        self.remove(state, block, offset, size);
        let mut position = 0;
        while position < size {
            let width = (size - position).min(self.model().pointer_size());
            let mut value = byte;
            for _ in 1..width {
                value = self.terms.concat(value, byte);
            }
            state.block_mut(block).cells.insert(offset + position, Cell { size: width, value });
            position += width;
        }
    }

    /// Sets all bytes of a block to zero.
    pub(crate) fn zero_whole(&self, state: &mut State, block: BlockId) {
        // A static object that has become as it was at the start is not told apart from one that has stayed so.
        let is_as_before = matches!(state.block(block).rest, DefaultBytes::Initial(object) if self.is_zeroed(object));
        let target = Arc::make_mut(state.blocks.get_mut(&block).expect("a block"));
        target.cells.clear();
        target.zero = None;
        if !is_as_before {
            target.rest = DefaultBytes::Zero;
        }
        state.forget_contents(block);
    }

    /// Cells that hold a plain number which occurs nowhere else.
    pub(crate) fn arbitrary_cells(
        &self,
        block: &Block,
        is_only_here: &dyn Fn(TermId) -> bool,
    ) -> Vec<u64> {
        let is_arbitrary = |value: TermId| {
            self.terms.as_variable(value).is_some()
                && !self.holds_address(value)
                && is_only_here(value)
        };
        let cells = block.cells.iter().filter(|(_, cell)| is_arbitrary(cell.value));
        cells.map(|(&offset, _)| offset).collect()
    }
}
