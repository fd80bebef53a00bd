//! Rows and slots: what a text says of elements of an array that lead to blocks of their own.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_memory::Life;

use crate::concrete::{Block, Held};
use crate::contains::{InstanceId, Matching, Open, Search, Tried};
use crate::scope::{Scope, declare};
use crate::syntax::{BlockText, CellText, KindText, RowText, Shape, SlotText};

/// Elements that are looked at.
const MOST: u64 = 1024;

/// The next element of a row, and where the row ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    row: InstanceId,
    array: Block,
    place: u64,
    to: u64,
}

impl<'s> Search<'s> {
    /// A row or slot that was not looked at yet.
    pub(super) fn row_or_slot(&self, matching: &Matching<'s>) -> Option<InstanceId> {
        matching.instances.iter().position(|instance| {
            let is_of_array = matches!(instance.text.shape, Shape::Row(_) | Shape::Slot(_));
            is_of_array && instance.text.life == Life::Alive && instance.block.is_none()
        })
    }

    /// Looks at the elements of a row or slot.
    pub(super) fn begin_elements(
        &mut self,
        matching: &Matching<'s>,
        instance: InstanceId,
    ) -> Tried<()> {
        let text = matching.instances[instance].text;
        let scope = Rc::clone(&matching.instances[instance].scope);
        match &text.shape {
            Shape::Row(row) => self.begin_row(matching, (instance, row), &scope),
            Shape::Slot(slot) => self.slot(matching, (instance, slot), &scope),
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_) => Err("no elements of an array".to_owned()),
        }
    }

    fn begin_row(
        &mut self,
        matching: &Matching<'s>,
        (instance, text): (InstanceId, &RowText),
        scope: &Rc<Scope>,
    ) -> Tried<()> {
        let array = self.array(matching, &text.array, scope)?;
        let pointer = Sort::BitVector(self.pointer_bits);
        let (from, to) =
            (self.read(scope, &text.from, pointer)?, self.read(scope, &text.to, pointer)?);
        let (Some(from), Some(to)) = (self.value(matching, from), self.value(matching, to)) else {
            self.doubt = Some("where elements begin and end is not known".to_owned());
            return Err("not known".to_owned());
        };
        let size = self.state.blocks()[array].size;
        let (from, to) = (from as u64, to as u64);
        if from > to || to > size || (to - from) % text.stride != 0 {
            return Err(format!("no elements lie from {from} to {to} of {size} bytes"));
        }
        if (to - from) / text.stride > MOST {
            self.doubt = Some("elements of a large array are not looked at".to_owned());
            return Err("not looked at".to_owned());
        }
        let mut matching = matching.clone();
        matching.instances[instance].block = Some(array);
        matching.open.push(Open::Element(Element { row: instance, array, place: from, to }));
        self.settle(matching)
    }

    /// The block of an array that elements are in.
    fn array(&mut self, matching: &Matching<'s>, text: &str, scope: &Rc<Scope>) -> Tried<Block> {
        let address = scope.find(text).ok_or_else(|| format!("there is no block {text}"))?;
        let instance = matching.by_address.get(&address).copied();
        let array = instance.and_then(|instance| matching.instances[instance].block);
        array.ok_or_else(|| format!("nothing leads to the array {text}"))
    }

    /// One element is at a place of the array, or at any place if none is told.
    fn slot(
        &mut self,
        matching: &Matching<'s>,
        (instance, text): (InstanceId, &'s SlotText),
        scope: &Rc<Scope>,
    ) -> Tried<()> {
        let array = self.array(matching, &text.array, scope)?;
        let at = self.read(scope, &text.at, Sort::BitVector(self.pointer_bits))?;
        let end = text.cells.iter().map(|cell| cell.offset + cell.size).max().unwrap_or(1);
        let size = self.state.blocks()[array].size;
        let places: Vec<u64> = match self.value(matching, at) {
            Some(place) => vec![place as u64],
            None => (0..size.min(MOST)).collect(),
        };
        self.any_of(places, |search, place| {
            if place.checked_add(end).is_none_or(|end| end > size) {
                return Err(format!("no element is at {place} of {size} bytes"));
            }
            let mut matching = matching.clone();
            matching.instances[instance].block = Some(array);
            search.demand(&mut matching, at, Held { bits: u128::from(place), block: None })?;
            search.cells_at(&mut matching, (&text.cells, scope), (array, place))?;
            search.settle(matching)
        })
    }

    /// Tries each kind for the next element of a row.
    pub(super) fn element_of_row(
        &mut self,
        matching: &Matching<'s>,
        element: Element,
    ) -> Tried<()> {
        let Element { row, array, place, to } = element;
        let instance = &matching.instances[row];
        let Shape::Row(text) = &instance.text.shape else {
            return Err("no elements of an array".to_owned());
        };
        let scope = Rc::clone(&instance.scope);
        if place >= to {
            return self.settle(matching.clone());
        }
        self.any_of(&text.kinds, |search, kind| {
            let mut matching = matching.clone();
            search.element_of_kind(&mut matching, kind, &scope, (array, place))?;
            let place = place + text.stride;
            matching.open.push(Open::Element(Element { place, ..element }));
            search.settle(matching)
        })
    }

    /// An element is of a kind: what it owns gets names, and its cells are compared.
    fn element_of_kind(
        &mut self,
        matching: &mut Matching<'s>,
        kind: &'s KindText,
        around: &Rc<Scope>,
        (array, place): (Block, u64),
    ) -> Tried<()> {
        let mut scope = Scope::within(around);
        declare(&mut self.terms, &mut scope, &kind.body.numbers);
        let pointer = Sort::BitVector(self.pointer_bits);
        let at = u128::from(self.state.blocks()[array].base + place);
        for (index, block) in kind.body.blocks.iter().enumerate() {
            let term: TermId = match index {
                0 => self.terms.bit_vector(at, self.pointer_bits),
                _ => self.terms.fresh_variable(&block.name, pointer),
            };
            scope.name(format!("&{}", block.name), term);
        }
        let scope = Rc::new(scope);
        for block in kind.body.blocks.iter().skip(1) {
            self.add_instance(matching, block, &scope)?;
        }
        for condition in &kind.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            self.demand(matching, formula, Held { bits: 1, block: None })?;
        }
        let node: &'s BlockText = &kind.body.blocks[0];
        match &node.shape {
            Shape::Plain(cells) => self.cells_at(matching, (cells, &scope), (array, place)),
            Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => Err("an element is no list or tree".to_owned()),
        }
    }

    /// Cells, counted from a place of an array.
    fn cells_at(
        &mut self,
        matching: &mut Matching<'s>,
        (cells, scope): (&[CellText], &Rc<Scope>),
        (array, place): (Block, u64),
    ) -> Tried<()> {
        for cell in cells {
            let term = self.read(scope, &cell.value, Sort::BitVector(8 * cell.size as u32))?;
            let moved = CellText { offset: place + cell.offset, ..cell.clone() };
            self.cell(matching, (term, &moved), array)?;
        }
        Ok(())
    }
}
