//! Elements of arrays get values that obey what a text says of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_interpreter::{CellState, Snapshot, ValueState};
use heapwright_logic::{BitVectorValue, Model, Sort, TermId, Terms};
use heapwright_program::mask;
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver};

use crate::expand::draft::{Builder, DraftId, Rest};
use crate::scope::Scope;
use crate::syntax::ExtentText;

/// Elements that are written down.
const MOST: usize = 512;

/// Conflicts after which the solver gives up.
const CONFLICTS: u32 = 20_000;

/// An extent before its numbers have values.
#[derive(Clone, Debug)]
pub(super) struct DraftExtent {
    size: u64,
    stride: u64,
    from: TermId,
    to: TermId,
    law: TermId,
    /// What stands for an element in the law, for its place, and for the one beside it.
    here: TermId,
    place: TermId,
    there: TermId,
    /// The address of the block beside, and the distance.
    beside: Option<(TermId, TermId)>,
}

/// An element: block, place and size.
type Key = (DraftId, u64, u64);

/// Elements with variables for what they are, and what must hold of these.
struct Elements {
    terms: Terms,
    variables: BTreeMap<Key, TermId>,
    conditions: Vec<TermId>,
}

impl Builder<'_> {
    pub(super) fn extent(
        &mut self,
        text: &ExtentText,
        scope: &Rc<Scope>,
    ) -> Result<DraftExtent, String> {
        let element = Sort::BitVector(8 * text.size as u32);
        let here = self.terms.fresh_variable("here", element);
        let there = self.terms.fresh_variable("there", element);
        let place = self.terms.fresh_variable("place", self.pointer());
        let mut inner = Scope::within(scope);
        for (name, term) in [("here", here), ("there", there), ("place", place)] {
            inner.name(name.to_owned(), term);
        }
        let law = self.read(&inner, &text.law, Sort::Boolean)?;
        let from = self.read(scope, &text.from, self.pointer())?;
        let to = self.read(scope, &text.to, self.pointer())?;
        let beside = match &text.beside {
            Some((block, distance)) => {
                let address = scope.find(&format!("&{block}"));
                let address = address.ok_or_else(|| format!("there is no block {block}"))?;
                Some((address, self.read(scope, distance, self.pointer())?))
            }
            None => None,
        };
        let (size, stride) = (text.size, text.stride);
        Ok(DraftExtent { size, stride, from, to, law, here, place, there, beside })
    }

    /// Gives elements that a law speaks of values that obey it.
    pub(super) fn fill_extents(
        &self,
        model: &Model,
        snapshot: &mut Snapshot,
    ) -> Result<(), String> {
        if self.drafts.iter().all(|draft| draft.extents.is_empty()) {
            return Ok(());
        }
        let mut elements = Elements {
            terms: self.terms.clone(),
            variables: BTreeMap::new(),
            conditions: Vec::new(),
        };
        for (id, draft) in self.drafts.iter().enumerate() {
            for extent in &draft.extents {
                self.laws(model, (id, extent), snapshot, &mut elements)?;
            }
        }
        let deadline = Deadline::never().with_conflicts(CONFLICTS);
        let mut solver = BackEnd::Embedded.solver();
        let found = solver.check(&elements.terms, &elements.conditions, &deadline);
        let CheckResult::Sat(found) = found else {
            return Err("no elements were found that obey their laws".to_owned());
        };
        for (&(draft, offset, width), &variable) in &elements.variables {
            let cells = &mut snapshot.blocks[draft].cells;
            if cells
                .iter()
                .any(|cell| cell.offset < offset + width && offset < cell.offset + cell.width)
            {
                continue;
            }
            let value = found.evaluate(&elements.terms, variable).as_bit_vector().bits();
            cells.push(CellState { offset, width, value: ValueState::Bits(value) });
        }
        for block in &mut snapshot.blocks {
            block.cells.sort_by_key(|cell| cell.offset);
        }
        Ok(())
    }

    /// What an extent says of each of its elements.
    fn laws(
        &self,
        model: &Model,
        (id, extent): (DraftId, &DraftExtent),
        snapshot: &Snapshot,
        elements: &mut Elements,
    ) -> Result<(), String> {
        let bits = |term: TermId| model.evaluate(&self.terms, term).as_bit_vector().bits();
        let (from, to) = (bits(extent.from) as u64, bits(extent.to) as u64);
        let to = to.min(snapshot.blocks[id].size);
        for place in (from..to).step_by(extent.stride as usize) {
            if place + extent.size > snapshot.blocks[id].size {
                continue;
            }
            let mut values = BTreeMap::new();
            values.insert(extent.here, self.element(snapshot, elements, (id, place, extent.size))?);
            values.insert(extent.place, elements.terms.bit_vector(place.into(), self.pointer_bits));
            if let Some((address, distance)) = extent.beside {
                let other = *self.owners.get(&address).ok_or("a block that is none")?;
                let sum = u128::from(place).wrapping_add(bits(distance)) & mask(self.pointer_bits);
                let there = sum as u64;
                if there
                    .checked_add(extent.size)
                    .is_none_or(|end| end > snapshot.blocks[other].size)
                {
                    continue;
                }
                values.insert(
                    extent.there,
                    self.element(snapshot, elements, (other, there, extent.size))?,
                );
            }
            let law = elements.terms.substitute(extent.law, &values);
            let settled = settled(&mut elements.terms, model, law, &elements.variables);
            elements.conditions.push(settled);
        }
        Ok(())
    }

    /// What stands for an element; what a cell says of it must hold.
    fn element(
        &self,
        snapshot: &Snapshot,
        elements: &mut Elements,
        key: Key,
    ) -> Result<TermId, String> {
        if let Some(&known) = elements.variables.get(&key) {
            return Ok(known);
        }
        if elements.variables.len() >= MOST {
            return Err("an array has too many elements to be written down".to_owned());
        }
        let (draft, offset, width) = key;
        let meets = |&&(other, place, size): &&Key| {
            other == draft && place < offset + width && offset < place + size
        };
        if elements.variables.keys().any(|other| meets(&other)) {
            return Err("elements overlap".to_owned());
        }
        let variable = elements.terms.fresh_variable("element", Sort::BitVector(8 * width as u32));
        elements.variables.insert(key, variable);
        let block = &snapshot.blocks[draft];
        for cell in &block.cells {
            if cell.offset >= offset + width || offset >= cell.offset + cell.width {
                continue;
            }
            let is_inside = offset <= cell.offset && cell.offset + cell.width <= offset + width;
            let ValueState::Bits(bits) = cell.value else {
                return Err("an address among elements".to_owned());
            };
            if !is_inside {
                return Err("a cell that is larger than an element".to_owned());
            }
            let low = 8 * (cell.offset - offset) as u32;
            let part = elements.terms.extract(variable, low + 8 * cell.width as u32 - 1, low);
            let value = elements.terms.bit_vector(bits, 8 * cell.width as u32);
            let is_it = elements.terms.equal(part, value);
            elements.conditions.push(is_it);
        }
        match self.drafts[draft].rest {
            // Zeros and initial bytes are cells by now.
            Rest::Uninitialised | Rest::Zero | Rest::Initial(_) => Ok(variable),
        }
    }
}

/// A formula in which all but elements have their values.
fn settled(
    terms: &mut Terms,
    model: &Model,
    formula: TermId,
    elements: &BTreeMap<Key, TermId>,
) -> TermId {
    let mut values = BTreeMap::new();
    for variable in terms.free_variables(&[formula]) {
        if elements.values().any(|&element| element == variable) {
            continue;
        }
        if let Sort::BitVector(width) = terms.sort(variable) {
            let bits = model.evaluate(terms, variable).as_bit_vector().bits();
            values.insert(variable, terms.constant(BitVectorValue::new(bits, width)));
        }
    }
    terms.substitute(formula, &values)
}
