//! A draft with values becomes a snapshot.

use std::collections::BTreeSet;

use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, ValueState,
};
use heapwright_logic::{BitVectorValue, Model, TermId, Value};
use heapwright_memory::Life;
use heapwright_program::{AddressTarget, EdgeId, FunctionId, ObjectId, ObjectKind, mask};

use crate::expand::draft::{Builder, Draft, DraftId, Rest};

/// Blocks above this size are not written down.
const LARGEST: u64 = 1 << 16;

type Written<T> = Result<T, String>;

/// The snapshot that grows, and the blocks whose addresses some number depends on.
struct Page<'m> {
    model: &'m Model,
    with_address: BTreeSet<DraftId>,
}

impl Builder<'_> {
    pub(super) fn write(
        &self,
        model: &Model,
        callers: &[(FunctionId, EdgeId)],
    ) -> Written<Snapshot> {
        let mut page = Page { model, with_address: BTreeSet::new() };
        for variable in self.terms.free_variables(&self.conditions) {
            page.with_address.extend(self.owners.get(&variable));
        }
        let mut snapshot = Snapshot::default();
        for draft in &self.drafts {
            let block = self.block_state(&mut page, draft)?;
            snapshot.blocks.push(block);
        }
        for placed in &self.placed {
            let value = self.value(&mut page, placed.value)?;
            self.write_placed(model, placed, value, &mut snapshot)?;
        }
        self.fill_extents(model, &mut snapshot)?;
        self.write_frames(&mut snapshot, callers)?;
        for &(frame, variable, term) in &self.variables {
            let value = self.value(&mut page, term)?;
            match frame {
                Some(frame) => snapshot.frames[frame].variables.push((variable, value)),
                None => snapshot.globals.push((variable, value)),
            }
        }
        for &draft in &page.with_address {
            if let BlockIdentity::Static(_) = self.drafts[draft].identity {
                return Err("a number depends on the address of a static object".to_owned());
            }
            snapshot.blocks[draft].base = Some(Self::address_of(draft));
        }
        Ok(snapshot)
    }

    fn write_frames(
        &self,
        snapshot: &mut Snapshot,
        callers: &[(FunctionId, EdgeId)],
    ) -> Written<()> {
        let innermost = self.claim.frames.len().saturating_sub(1);
        if callers.len() != innermost {
            return Err("another number of callers".to_owned());
        }
        for (index, frame) in self.claim.frames.iter().enumerate() {
            let point = match callers.get(index) {
                Some(&(_, edge)) => FramePoint::Calling(edge),
                None => FramePoint::At(frame.location),
            };
            let (function, variables) = (frame.function, Vec::new());
            snapshot.frames.push(FrameState { function, point, variables });
        }
        Ok(())
    }

    fn block_state(&self, page: &mut Page<'_>, draft: &Draft) -> Written<BlockState> {
        let size = self.bits(page.model, draft.size);
        let size = u64::try_from(size).ok().filter(|&size| size <= LARGEST);
        let size = size.ok_or_else(|| "a block is too large to be written down".to_owned())?;
        let Draft { identity, life, rest, .. } = *draft;
        let mut cells = Vec::new();
        for &(offset, width, term) in &draft.cells {
            if offset + width > size {
                return Err("a block ends before a cell of it".to_owned());
            }
            cells.push(CellState { offset, width, value: self.value(page, term)? });
        }
        if let Some((count, at)) = draft.zero {
            let at = u64::try_from(self.bits(page.model, at)).unwrap_or(u64::MAX);
            fill_zeros(&mut cells, at..at.saturating_add(count).min(size));
        }
        if life == Life::Alive {
            match rest {
                Rest::Uninitialised => {}
                Rest::Zero => fill(&mut cells, size, &[]),
                Rest::Initial(object) => self.fill_initial(&mut cells, size, object)?,
            }
        }
        cells.sort_by_key(|cell| cell.offset);
        Ok(BlockState { identity, life, size, cells, base: None })
    }

    /// What an object has at program start where no cell is.
    fn fill_initial(&self, cells: &mut Vec<CellState>, size: u64, object: ObjectId) -> Written<()> {
        let (bytes, addresses) = match &self.program.objects[object].kind {
            ObjectKind::Static { bytes, addresses } => (bytes.as_slice(), addresses.as_slice()),
            ObjectKind::String { bytes } => (bytes.as_slice(), &[][..]),
            ObjectKind::External | ObjectKind::Local => return Ok(()),
        };
        let width = self.program.model.pointer_size();
        for address in addresses {
            let is_apart = |cell: &CellState| {
                cell.offset + cell.width <= address.offset || address.offset + width <= cell.offset
            };
            if cells.iter().all(is_apart) {
                let value = match address.target {
                    AddressTarget::Function(function) => ValueState::Function(function),
                    AddressTarget::Object(target) => {
                        let identity = BlockIdentity::Static(target);
                        let block = self.drafts.iter().position(|d| d.identity == identity);
                        let block = block.ok_or_else(|| "an object that is none".to_owned())?;
                        ValueState::Pointer { block, offset: address.addend }
                    }
                };
                cells.push(CellState { offset: address.offset, width, value });
            }
        }
        fill(cells, size, bytes);
        Ok(())
    }

    /// The value of a term: a pointer if it moves with a block.
    fn value(&self, page: &mut Page<'_>, term: TermId) -> Written<ValueState> {
        let bits = self.bits(page.model, term);
        let variables = self.terms.free_variables(&[term]);
        if let [variable] = variables.as_slice()
            && *variable == term
            && let Some(&function) = self.functions.get(variable)
        {
            return Ok(ValueState::Function(function));
        }
        if variables.iter().any(|variable| self.functions.contains_key(variable)) {
            return Err("a number depends on the address of a function".to_owned());
        }
        let owners: Vec<(TermId, DraftId)> = variables
            .iter()
            .filter_map(|variable| Some((*variable, *self.owners.get(variable)?)))
            .collect();
        if let [(address, draft)] = owners.as_slice()
            && self.moves_with(page.model, term, *address)
        {
            let base = u128::from(Self::address_of(*draft));
            let offset = bits.wrapping_sub(base) & mask(self.pointer_bits);
            let offset = heapwright_program::sign_extend(offset, self.pointer_bits) as i64;
            return Ok(ValueState::Pointer { block: *draft, offset });
        }
        page.with_address.extend(owners.iter().map(|(_, draft)| draft));
        Ok(ValueState::Bits(bits))
    }

    /// Whether a term is as far from an address wherever that is.
    fn moves_with(&self, model: &Model, term: TermId, address: TermId) -> bool {
        if self.terms.sort(term) != self.pointer() {
            return false;
        }
        let (here, start) = (self.bits(model, term), self.bits(model, address));
        [0x1230u128, 0x77_0000].into_iter().all(|by| {
            let mut moved = model.clone();
            let there = BitVectorValue::new(start.wrapping_add(by), self.pointer_bits);
            moved.set(address, Value::BitVector(there));
            self.bits(&moved, term) == here.wrapping_add(by) & mask(self.pointer_bits)
        })
    }
}

/// Gives those bytes of a range zeros that no cell covers.
fn fill_zeros(cells: &mut Vec<CellState>, range: std::ops::Range<u64>) {
    for offset in range {
        let is_in = |cell: &CellState| (cell.offset..cell.offset + cell.width).contains(&offset);
        if !cells.iter().any(is_in) {
            cells.push(CellState { offset, width: 1, value: ValueState::Bits(0) });
        }
    }
}

/// Gives the bytes that no cell covers their initial values, and zeros behind these.
fn fill(cells: &mut Vec<CellState>, size: u64, bytes: &[u8]) {
    let covered: BTreeSet<u64> =
        cells.iter().flat_map(|cell| cell.offset..cell.offset + cell.width).collect();
    for offset in (0..size).filter(|offset| !covered.contains(offset)) {
        let byte = bytes.get(offset as usize).copied().unwrap_or(0);
        cells.push(CellState { offset, width: 1, value: ValueState::Bits(byte.into()) });
    }
}
