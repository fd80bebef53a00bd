//! Cut loops: free values at the head, and what the finished formula says about them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use heapwright_base::{DenseId, IdVec};
use heapwright_logic::{Sort, Term, TermId};
use heapwright_program::{FunctionId, LocationId, Place};

use crate::analysis::effects::{Slot, SlotId};
use crate::analysis::points_to::ObjectSource;
use crate::ssa::build::{Builder, Witness, nowhere};
use crate::ssa::formula::{
    AbstractObject, AbstractObjectId, AbstractObjectKind, CutLoop, CutLoopId, Formula, LoopPlace,
    LoopVariable, LoopVariableSource, ObjectField, Spot, ValueKind,
};
use crate::ssa::memory::{BaseArray, Key};
use crate::ssa::pointer::NUMBER_BITS;
use crate::ssa::slice::slice;
use crate::ssa::state::State;
use crate::ssa::window::Window;

/// A loop as it was walked.
pub(crate) struct RawLoop {
    head: (FunctionId, LocationId),
    name: String,
    place: Place,
    parent: Option<CutLoopId>,
    place_in_program: LoopPlace,
    older: Range<usize>,
    select: TermId,
    pub(super) entry: State,
    /// What the loop leaves alone and rows about links may speak of.
    pub(super) kept: Vec<SlotId>,
    pub(super) before: BTreeMap<SlotId, TermId>,
    /// The states at the heads of the copies; the first is the loop's head.
    pub(crate) heads: Vec<State>,
    pub(crate) after: Option<State>,
}

/// More blocks than this are never alive at once.
const MAXIMUM_BLOCKS: u128 = 1 << (NUMBER_BITS - 1);

impl Builder<'_> {
    /// Frees what a loop changes at its head.
    pub(crate) fn open_loop(
        &mut self,
        head: LocationId,
        changed: &BTreeSet<SlotId>,
        mut entry: State,
    ) -> CutLoopId {
        let preparation = self.preparation;
        let origin = &preparation.inlined.origins[head];
        let name = self.unique(&format!("{}.{}", origin.chain, origin.location.index()));
        let older = self.region_start..self.variables.len();
        let (select, changed) = match self.window {
            Window::Any => (self.fresh(&format!("select@{name}"), Sort::Boolean), changed.clone()),
            Window::First => (TermId::FALSE, BTreeSet::new()),
        };
        let mut state = entry.clone();
        let mut before = BTreeMap::new();
        // Numbers of blocks first: pointers are well formed with respect to them.
        let is_count = |slot: &SlotId| matches!(preparation.slots.list[*slot], Slot::Count(_));
        let (counts, others): (Vec<SlotId>, Vec<SlotId>) =
            changed.iter().copied().partition(is_count);
        for slot in counts.into_iter().chain(others) {
            let Some(free) = self.free_slot(&name, slot, &state, entry.values[slot]) else {
                continue;
            };
            let old = match entry.values[slot] {
                Some(old) => old,
                None => self.undefined(slot, free),
            };
            entry.values[slot] = Some(old);
            state.values[slot] = Some(self.terms.if_then_else(select, free, old));
            before.insert(slot, free);
        }
        let body = preparation.inlined.body();
        let place = body.edges.iter().find(|edge| edge.source == head);
        let unchanged = preparation.slots.list.enumerated().filter_map(|(id, &slot)| match slot {
            Slot::Variable(variable) if !before.contains_key(&id) => {
                entry.values[id].map(|value| (variable, value))
            }
            _ => None,
        });
        let kept = self.kept_pointers(head, &entry, &before);
        let place_in_program = LoopPlace {
            calls: origin.calls.clone(),
            copies: self.around.iter().map(|&(_, copy)| copy).collect(),
            changed: changed.iter().map(|&slot| preparation.slots.list[slot]).collect(),
            unchanged: unchanged.collect(),
        };
        self.loops.push(RawLoop {
            place_in_program,
            head: (origin.function, origin.location),
            name,
            place: place.map_or_else(nowhere, |edge| edge.place),
            parent: self.around.last().map(|&(parent, _)| parent),
            older,
            select,
            kept,
            entry,
            before,
            heads: vec![state],
            after: None,
        })
    }

    /// A value for a slot that has none: nobody depends on it.
    pub(crate) fn undefined(&mut self, slot: SlotId, like: TermId) -> TermId {
        match self.preparation.slots.list[slot] {
            Slot::Cell(object, position) => self.garbage_cell("undefined", object, position),
            Slot::Variable(variable) => {
                let ty = self.preparation.program().variables[variable].scalar;
                self.anything("undefined", ty)
            }
            Slot::Ended(_) | Slot::Count(_) | Slot::Current(_) | Slot::Size(_) => {
                let sort = self.terms.sort(like);
                let term = self.fresh("undefined", sort);
                if matches!(sort, Sort::Array { .. }) {
                    self.bases.insert(term, BaseArray { pointers: None });
                }
                term
            }
        }
    }

    /// A free value, at least so many for a number of blocks; `None` for slots that need none.
    pub(crate) fn free_slot(
        &mut self,
        at: &str,
        slot: SlotId,
        state: &State,
        least: Option<TermId>,
    ) -> Option<TermId> {
        let preparation = self.preparation;
        match preparation.slots.list[slot] {
            Slot::Variable(variable) => {
                let item = &preparation.program().variables[variable];
                let width = self.width(item.scalar);
                let name = format!("{}@{at}", item.name);
                let term = self.fresh(&name, Sort::BitVector(width));
                if item.scalar.is_pointer() {
                    let targets = preparation.points_to.of_variable(variable).clone();
                    let counts = self.counts(state, &targets);
                    self.well_formed(term, &targets, &counts);
                }
                Some(term)
            }
            Slot::Cell(object, position) => {
                let layout = &preparation.layouts[object];
                let name = format!("{}.{}@{at}", layout.name, layout.cells()[position].name);
                Some(self.free_cell(state, &name, object, position))
            }
            Slot::Ended(object) => {
                let layout = &preparation.layouts[object];
                let name = format!("{}.ended@{at}", layout.name);
                layout.has_life.then(|| self.free_block_slot(&name, object, 1))
            }
            Slot::Size(object) => {
                let name = format!("{}.size@{at}", preparation.layouts[object].name);
                Some(self.free_block_slot(&name, object, self.pointers.offset_bits))
            }
            Slot::Count(object) => {
                let layout = &preparation.layouts[object];
                if !layout.is_many {
                    return None;
                }
                let name = format!("{}.count@{at}", layout.name);
                let term = self.fresh(&name, Sort::BitVector(NUMBER_BITS));
                if let Some(least) = least {
                    let grows = self.terms.unsigned_less_equal(least, term);
                    self.constrain(term, grows);
                }
                let limit = self.terms.bit_vector(MAXIMUM_BLOCKS, NUMBER_BITS);
                let is_small = self.terms.unsigned_less(term, limit);
                self.constrain(term, is_small);
                Some(term)
            }
            Slot::Current(object) => {
                let name = format!("{}.current@{at}", preparation.layouts[object].name);
                let term = self.fresh(&name, Sort::BitVector(NUMBER_BITS));
                Some(term)
            }
        }
    }

    fn free_block_slot(&mut self, name: &str, object: AbstractObjectId, width: u32) -> TermId {
        let sort = self.block_sort(object, width);
        let term = self.fresh(name, sort);
        if matches!(sort, Sort::Array { .. }) {
            self.bases.insert(term, BaseArray { pointers: None });
        }
        term
    }

    /// Puts the walked parts together.
    pub(crate) fn finish(mut self) -> Formula {
        let raw = std::mem::take(&mut self.loops);
        let drafts: Vec<CutLoop> = raw.iter().map(|raw| self.draft(raw)).collect();
        let functions = self.cut_functions();
        let mut loops: IdVec<CutLoopId, CutLoop> = IdVec::new();
        for (mut draft, raw) in drafts.into_iter().zip(&raw) {
            draft.instances = self.instances(raw);
            loops.push(draft);
        }
        let objects = self.abstract_objects();
        let formula = Formula {
            terms: self.terms,
            constraints: Vec::new(),
            pointers: self.pointers,
            objects,
            loops,
            functions,
            cut_runs: self.cut_runs,
            variables: self.variables,
            obligations: self.obligations,
            branches: self.branches,
            inputs: self.inputs,
            versions: self.versions,
            unsupported: self.unsupported,
        };
        slice(formula, &self.constraints)
    }

    fn abstract_objects(&mut self) -> IdVec<AbstractObjectId, AbstractObject> {
        let preparation = self.preparation;
        let mut objects = IdVec::new();
        for (id, layout) in preparation.layouts.enumerated() {
            let source = preparation.points_to.objects.sources[id];
            let kind = match source {
                ObjectSource::Code(function) => AbstractObjectKind::Code(function),
                ObjectSource::Site(edge) if layout.is_many => {
                    AbstractObjectKind::Summary { site: edge.index() }
                }
                ObjectSource::Site(edge) => AbstractObjectKind::Concrete { site: edge.index() },
                ObjectSource::Declared(object) if layout.is_many => {
                    AbstractObjectKind::Summary { site: object.index() }
                }
                ObjectSource::Declared(_) => AbstractObjectKind::Declared,
            };
            let number = self.witness_number(id);
            let witness = self.pointers.address(&mut self.terms, id, number);
            let second = self.second_number(id);
            let second = second.map(|number| self.pointers.address(&mut self.terms, id, number));
            let fields = layout.cells().iter().map(|cell| ObjectField {
                name: cell.name.clone(),
                offset: cell.start / 8,
                kind: cell.kind,
            });
            let fields = fields.collect();
            objects.push(AbstractObject {
                name: layout.name.clone(),
                kind,
                witness,
                second,
                fields,
            });
        }
        objects
    }

    fn draft(&mut self, raw: &RawLoop) -> CutLoop {
        let copies = self.settings.copies;
        let rest = copies as usize - 1;
        let heads: Vec<Option<&State>> = (1..=rest).map(|copy| raw.heads.get(copy)).collect();
        let guard = |state: &Option<&State>| state.map_or(TermId::FALSE, |state| state.guard);
        let mut variables = Vec::new();
        for (&slot, &before) in &raw.before {
            let at = self.witness_key(slot);
            variables.extend(self.loop_variable(raw, slot, before, &heads, (Spot::First, at)));
        }
        for (&slot, &before) in &raw.before {
            if let Some(at) = self.second_key(slot) {
                let at = (Spot::Second, Some(at));
                variables.extend(self.loop_variable(raw, slot, before, &heads, at));
            }
        }
        for &slot in &raw.kept {
            let Some(value) = raw.entry.values[slot] else { continue };
            let at = (Spot::Kept, self.witness_key(slot));
            variables.extend(self.loop_variable(raw, slot, value, &heads, at));
        }
        CutLoop {
            head: raw.head,
            name: raw.name.clone(),
            place: raw.place,
            parent: raw.parent,
            place_in_program: raw.place_in_program.clone(),
            older: raw.older.clone(),
            head_guard: raw.heads[0].guard,
            select: raw.select,
            back_guard: guard(&raw.after.as_ref()),
            copies,
            between_guards: heads.iter().map(guard).collect(),
            variables,
            instances: Vec::new(),
        }
    }

    fn loop_variable(
        &mut self,
        raw: &RawLoop,
        slot: SlotId,
        before: TermId,
        heads: &[Option<&State>],
        (spot, at): (Spot, Option<Key>),
    ) -> Option<LoopVariable> {
        let (name, kind, what) = self.describe(slot)?;
        let name = match spot {
            Spot::First | Spot::Kept => name,
            Spot::Second => format!("other {name}"),
        };
        let head = raw.heads[0].clone();
        let value = |builder: &mut Self, state: Option<&State>| {
            let value = match state {
                Some(state) => {
                    state.values[slot].unwrap_or_else(|| builder.undefined(slot, before))
                }
                // Nobody gets there.
                None => before,
            };
            builder.at_key(slot, value, at)
        };
        let guard = |builder: &mut Self, state: Option<&State>| match state {
            Some(state) => builder.guard_at(slot, state, at),
            None => TermId::FALSE,
        };
        let mut selected = head;
        // What is assumed is about the state over the back edge, with its own count of blocks.
        for (&slot, &before) in &raw.before {
            selected.values[slot] = Some(before);
        }
        Some(LoopVariable {
            name,
            kind,
            what,
            spot,
            before: self.at_key(slot, before, at),
            entry: value(self, Some(&raw.entry)),
            between: heads.iter().map(|&head| value(self, head)).collect(),
            after: value(self, raw.after.as_ref()),
            guard_before: guard(self, Some(&selected)),
            guard_entry: guard(self, Some(&raw.entry)),
            guard_between: heads.iter().map(|&head| guard(self, head)).collect(),
            guard_after: guard(self, raw.after.as_ref()),
        })
    }

    /// The name and kind of what a slot holds; `None` for what no row speaks about.
    pub(crate) fn describe(&self, slot: SlotId) -> Option<(String, ValueKind, LoopVariableSource)> {
        let preparation = self.preparation;
        match preparation.slots.list[slot] {
            Slot::Variable(variable) => {
                let item = &preparation.program().variables[variable];
                let what = match item.function {
                    Some(_) => LoopVariableSource::Local(variable),
                    None => LoopVariableSource::Global(variable),
                };
                let name = preparation.variable_names[variable].clone();
                Some((name, self.kind_of(item.scalar), what))
            }
            Slot::Cell(object, position) => {
                let layout = &preparation.layouts[object];
                let cell = &layout.cells()[position];
                let dot = if cell.name.starts_with('[') { "" } else { "." };
                let name = format!("{}{dot}{}", layout.name, cell.name);
                let what = LoopVariableSource::Field { object, offset: cell.start / 8 };
                Some((name, cell.kind, what))
            }
            Slot::Ended(object) => {
                let name = format!("{}.ended", preparation.layouts[object].name);
                Some((name, ValueKind::Boolean, LoopVariableSource::Ended { object }))
            }
            Slot::Size(_) | Slot::Count(_) | Slot::Current(_) => None,
        }
    }

    /// The place that a row about a slot speaks of.
    pub(crate) fn witness_key(&mut self, slot: SlotId) -> Option<Key> {
        let object = object_of(self.preparation.slots.list[slot])?;
        let number = self.witness_number(object);
        let layout = &self.preparation.layouts[object];
        let offset = if layout.has_elements() {
            self.witness(Witness::Element(object))
        } else {
            self.size_term(0)
        };
        Some(Key { number, offset })
    }

    pub(crate) fn at_key(&mut self, slot: SlotId, value: TermId, key: Option<Key>) -> TermId {
        let Some(key) = key else { return value };
        match self.preparation.slots.list[slot] {
            Slot::Cell(object, _) => self.read_cell(object, value, key),
            Slot::Ended(object) | Slot::Size(object) => self.read_block(object, value, key.number),
            Slot::Variable(_) | Slot::Count(_) | Slot::Current(_) => value,
        }
    }

    /// When there is such a place.
    pub(crate) fn guard_at(&mut self, slot: SlotId, state: &State, key: Option<Key>) -> TermId {
        let slot = self.preparation.slots.list[slot];
        let (Some(key), Some(object)) = (key, object_of(slot)) else { return TermId::TRUE };
        let source = self.preparation.points_to.objects.sources[object];
        let layout = &self.preparation.layouts[object];
        let is_made = layout.is_many || matches!(source, ObjectSource::Site(_));
        let is_allocated =
            if is_made { self.is_allocated(state, object, key.number) } else { TermId::TRUE };
        if !matches!(slot, Slot::Cell(..)) || !layout.has_elements() {
            return is_allocated;
        }
        let size = self.block_size(state, object, key.number);
        let is_inside = self.terms.unsigned_less(key.offset, size);
        let is_aligned = self.is_aligned(object, key.offset);
        self.terms.all(&[is_allocated, is_inside, is_aligned])
    }
}

pub(crate) fn object_of(slot: Slot) -> Option<AbstractObjectId> {
    match slot {
        Slot::Cell(object, _) | Slot::Ended(object) | Slot::Size(object) => Some(object),
        Slot::Variable(_) | Slot::Count(_) | Slot::Current(_) => None,
    }
}

/// The variable that a row's `before` depends on: the term itself, or the array that it reads.
pub(crate) fn base_variable(terms: &heapwright_logic::Terms, before: TermId) -> TermId {
    match terms.node(before) {
        Term::Select(array, _) => array,
        _ => before,
    }
}
