//! The contents of a block: its size, its cells, and the bytes that no cell covers.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::ObjectKind;

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{InstanceId, Matching, Search, Tried};
use crate::scope::Scope;
use crate::syntax::{BlockText, CellText, Nature, Shape, ZeroText};

/// Bytes that are looked at where no cell covers them.
const COMPARED: u64 = 4096;

impl<'s> Search<'s> {
    /// An instance of the text is this block of the state; the links at some offsets are dealt with
    /// elsewhere.
    pub(super) fn contents(
        &mut self,
        matching: &mut Matching<'s>,
        instance: InstanceId,
        block: Block,
        links: &[u64],
    ) -> Tried<()> {
        let Instance { text, scope } = Instance::of(matching, instance);
        self.contents_of(matching, (text, &scope), block, links)
    }

    /// The same for a node of a list or a tree, which has a text of its own.
    pub(super) fn contents_of(
        &mut self,
        matching: &mut Matching<'s>,
        (text, scope): (&'s BlockText, &Rc<Scope>),
        block: Block,
        links: &[u64],
    ) -> Tried<()> {
        if let Nature::Function(_) = text.nature {
            return Ok(());
        }
        let size = self.read(scope, &text.size, Sort::BitVector(self.pointer_bits))?;
        let bytes = self.state.blocks()[block].size;
        self.demand(matching, size, Held { bits: u128::from(bytes), block: None })?;
        let cells: &'s [CellText] = match &text.shape {
            Shape::Plain(cells) => cells,
            Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => &[],
        };
        for cell in cells.iter().filter(|cell| !links.contains(&cell.offset)) {
            let term = self.read(scope, &cell.value, Sort::BitVector(8 * cell.size as u32))?;
            self.cell(matching, (term, cell), block)?;
        }
        if let Some(zero) = &text.zero {
            self.zero(matching, (zero, scope), block)?;
        }
        self.rest(text, cells, block, links)
    }

    /// So many zeros are at the place that the text says.
    fn zero(
        &mut self,
        matching: &mut Matching<'s>,
        (zero, scope): (&ZeroText, &Rc<Scope>),
        block: Block,
    ) -> Tried<()> {
        let at = self.read(scope, &zero.at, Sort::BitVector(self.pointer_bits))?;
        let size = self.state.blocks()[block].size;
        if size > COMPARED {
            self.doubt = Some("zeros in a large block are not looked for".to_owned());
            return Err("not looked for".to_owned());
        }
        let is_zero = |offset: &u64| {
            (*offset..offset + zero.size).all(|place| self.state.byte(block, place) == Some(0))
        };
        let places = (0..(size + 1).saturating_sub(zero.size)).filter(is_zero);
        let places: Vec<u64> = places.collect();
        let mut is_there = TermId::FALSE;
        for place in places {
            let place = self.terms.bit_vector(u128::from(place), self.pointer_bits);
            let is_it = self.terms.equal(at, place);
            is_there = self.terms.or(is_there, is_it);
        }
        self.demand(matching, is_there, Held { bits: 1, block: None })
    }

    /// The bytes of a cell have a value.
    pub(super) fn cell(
        &mut self,
        matching: &mut Matching<'s>,
        (term, cell): (TermId, &CellText),
        block: Block,
    ) -> Tried<()> {
        let CellText { offset, size, value } = cell;
        if offset + size > self.state.blocks()[block].size {
            return Err(format!("a block ends before its cell +{offset}/{size}"));
        }
        if let Some(held) = bits_of(self.state, block, *offset, *size) {
            return self.demand(matching, term, held);
        }
        let is_fixed = self.terms.free_variables(&[term]).is_empty();
        for index in 0..*size {
            match self.state.byte(block, offset + index) {
                Some(byte) => {
                    let low = 8 * index as u32;
                    let part = self.terms.extract(term, low + 7, low);
                    self.demand(matching, part, Held { bits: u128::from(byte), block: None })?;
                }
                None if is_fixed => {
                    return Err(format!("nothing was written where +{offset}/{size} is {value}"));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Bytes that no cell covers are arbitrary, zero, or as at the start of the program.
    fn rest(
        &mut self,
        text: &BlockText,
        cells: &[CellText],
        block: Block,
        links: &[u64],
    ) -> Tried<()> {
        let pointer = self.state.program().model.pointer_size();
        let initial: &[u8] = match (self.initial(text), text.is_zeroed) {
            (Some(initial), _) => initial,
            (None, true) => &[],
            (None, false) => return Ok(()),
        };
        let size = self.state.blocks()[block].size.min(COMPARED);
        for offset in 0..size {
            let is_in = |start: u64, size: u64| (start..start + size).contains(&offset);
            let is_covered = cells.iter().any(|cell| is_in(cell.offset, cell.size))
                || links.iter().any(|&link| is_in(link, pointer));
            let expected = initial.get(offset as usize).copied().unwrap_or(0);
            if !is_covered && self.state.byte(block, offset) != Some(expected) {
                return Err(format!("byte {offset} of {} is not {expected}", text.name));
            }
        }
        Ok(())
    }

    /// The initial bytes of the object that a block is, up to the zeros.
    fn initial(&self, text: &BlockText) -> Option<&'s [u8]> {
        let name = match &text.nature {
            Nature::Static(name) | Nature::String(name) => name.as_ref()?,
            Nature::Heap
            | Nature::Stack
            | Nature::Constant
            | Nature::Function(_)
            | Nature::Elements => return None,
        };
        let state: &'s dyn crate::concrete::Concrete = self.state;
        let objects = &state.program().objects;
        objects.iter().find_map(|object| match &object.kind {
            ObjectKind::Static { bytes, .. } | ObjectKind::String { bytes } => {
                (object.name == *name).then_some(bytes.as_slice())
            }
            ObjectKind::External | ObjectKind::Local => None,
        })
    }
}

/// What is needed of an instance while the matching changes.
struct Instance<'s> {
    text: &'s BlockText,
    scope: Rc<Scope>,
}

impl<'s> Instance<'s> {
    fn of(matching: &Matching<'s>, instance: InstanceId) -> Instance<'s> {
        let item = &matching.instances[instance];
        Instance { text: item.text, scope: Rc::clone(&item.scope) }
    }
}
