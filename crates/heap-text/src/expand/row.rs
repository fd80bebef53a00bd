//! Rows and slots written out: how many elements a row has, and of which kinds they are, is chosen.

use std::rc::Rc;

use heapwright_interpreter::{CellState, Snapshot, ValueState};
use heapwright_logic::{Model, Sort, TermId};

use crate::expand::draft::Builder;
use crate::scope::{Scope, declare};
use crate::syntax::{CellText, KindText, RowText, Shape, SlotText, TermText};

type Built<T> = Result<T, String>;

/// Bytes of an array at a place that has no value yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// The address of the array.
    array: TermId,
    at: TermId,
    size: u64,
    pub(super) value: TermId,
}

impl Builder<'_> {
    pub(super) fn slot(&mut self, slot: &SlotText, scope: &Rc<Scope>) -> Built<()> {
        let at = self.read(scope, &slot.at, self.pointer())?;
        self.place(&slot.cells, scope, (&slot.array, scope), at)
    }

    pub(super) fn row(&mut self, row: &RowText, scope: &Rc<Scope>) -> Built<()> {
        let count = self.choose_extra(scope);
        let from = self.read(scope, &row.from, self.pointer())?;
        let to = self.read(scope, &row.to, self.pointer())?;
        let bits = self.pointer_bits;
        let mut at = from;
        let stride = self.terms.bit_vector(u128::from(row.stride), bits);
        for _ in 0..count {
            let kind = self.script.choose(row.kinds.len());
            self.element_of_kind(&row.kinds[kind], scope, &row.array, at)?;
            at = self.terms.add(at, stride);
        }
        let is_end = self.terms.equal(at, to);
        let is_ordered = self.terms.unsigned_less_equal(from, to);
        self.conditions.extend([is_end, is_ordered]);
        Ok(())
    }

    fn element_of_kind(
        &mut self,
        kind: &KindText,
        around: &Rc<Scope>,
        array: &TermText,
        at: TermId,
    ) -> Built<()> {
        let mut scope = Scope::within(around);
        declare(&mut self.terms, &mut scope, &kind.body.numbers);
        for block in kind.body.blocks.iter().skip(1) {
            let term = self.terms.fresh_variable(&block.name, self.pointer());
            scope.name(format!("&{}", block.name), term);
        }
        let scope = Rc::new(scope);
        for block in kind.body.blocks.iter().skip(1) {
            self.block(block, &scope)?;
        }
        for condition in &kind.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            self.conditions.push(formula);
        }
        match &kind.body.blocks[0].shape {
            Shape::Plain(cells) => self.place(cells, &scope, (array, around), at),
            Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => Err("an element is no list or tree".to_owned()),
        }
    }

    fn place(
        &mut self,
        cells: &[CellText],
        scope: &Rc<Scope>,
        (array, around): (&TermText, &Rc<Scope>),
        at: TermId,
    ) -> Built<()> {
        let array = around.find(array).ok_or_else(|| format!("there is no block {array}"))?;
        for CellText { offset, size, value } in cells {
            let value = self.read(scope, value, Sort::BitVector(8 * *size as u32))?;
            let offset = self.terms.bit_vector(u128::from(*offset), self.pointer_bits);
            let at = self.terms.add(at, offset);
            self.placed.push(Placed { array, at, size: *size, value });
        }
        Ok(())
    }

    /// Writes an element where it is.
    pub(super) fn write_placed(
        &self,
        model: &Model,
        placed: &Placed,
        value: ValueState,
        snapshot: &mut Snapshot,
    ) -> Built<()> {
        let draft = *self.owners.get(&placed.array).ok_or("elements of no array")?;
        let offset = model.evaluate(&self.terms, placed.at).as_bit_vector().bits() as u64;
        let (block, width) = (&mut snapshot.blocks[draft], placed.size);
        let end = offset.checked_add(width).filter(|&end| end <= block.size);
        let end = end.ok_or("an array ends before an element of it")?;
        let meets = |cell: &CellState| cell.offset < end && offset < cell.offset + cell.width;
        if block.cells.iter().any(meets) {
            return Err("an element is where something else is".to_owned());
        }
        block.cells.push(CellState { offset, width, value });
        block.cells.sort_by_key(|cell| cell.offset);
        Ok(())
    }
}
