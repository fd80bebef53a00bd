//! Calls of summarised functions, and their bodies.
//!
//! What a call may change is free behind it, as at a loop's head; what the function gets is free at its
//! entry. Which of it rows may speak of is collected when all has been walked.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_logic::{Sort, TermId};
use heapwright_program::{ExpressionId, FunctionId, Place};

use crate::analysis::effects::{Slot, SlotId, is_shared};
use crate::analysis::points_to::ObjectSource;
use crate::ssa::build::Builder;
use crate::ssa::formula::AbstractObjectId;
use crate::ssa::function::{
    CutCall, CutFunction, CutFunctionId, FunctionInstance, FunctionVariable, GuardedTerm,
};
use crate::ssa::loops::object_of;
use crate::ssa::memory::Key;
use crate::ssa::pointer::NUMBER_BITS;
use crate::ssa::state::State;

/// A summarised function as it was walked.
pub(crate) struct RawFunction {
    function: FunctionId,
    place: Place,
    entry: State,
    /// What is free at the entry.
    free: BTreeMap<SlotId, TermId>,
    exits: Vec<State>,
}

/// A call of one.
pub(crate) struct RawCall {
    function: FunctionId,
    place: Place,
    /// With the arguments as the values of the parameters.
    before: State,
    after: State,
    /// What is free behind it.
    free: BTreeMap<SlotId, TermId>,
}

/// Blocks of one object that a place is told about, at most.
const MOST_INSTANCES: usize = 48;

impl Builder<'_> {
    /// Walks the body of a summarised function from any state. `start` is that of the program.
    pub(crate) fn function(&mut self, function: FunctionId, start: &State) {
        let preparation = self.preparation;
        let region = &preparation.inlined.regions[&function];
        let source = &preparation.program().functions[function];
        let guard = self.fresh(&format!("enter@{}", source.name), Sort::Boolean);
        let values = IdVec::filled(None, preparation.slots.list.len());
        let mut entry = State { guard, known: BTreeSet::new(), values };
        let mut shared: Vec<SlotId> = Vec::new();
        for (id, &slot) in preparation.slots.list.enumerated() {
            if !is_shared(&preparation.inlined, &preparation.layouts, slot) {
                continue;
            }
            if preparation.effects.is_constant(slot) {
                entry.values[id] = start.values[id];
            } else {
                shared.push(id);
            }
        }
        let parameters = region.parameters.iter();
        shared.extend(parameters.map(|&it| preparation.slots.id(Slot::Variable(it))));
        let free = self.free_slots(&source.name, &shared, &mut entry, Counts::Any);
        let place = source.place;
        let raw = RawFunction { function, place, entry: entry.clone(), free, exits: Vec::new() };
        self.functions.push(raw);
        self.region(None, region.entry, entry);
    }

    /// The body of a summarised function returns.
    pub(crate) fn leave_function(&mut self, state: State) {
        self.functions.last_mut().expect("a function is being walked").exits.push(state);
    }

    /// The call of a summarised function.
    pub(crate) fn call_summarised(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: &[ExpressionId],
        place: Place,
    ) {
        let preparation = self.preparation;
        let region = &preparation.inlined.regions[&function];
        let mut before = state.clone();
        for (position, &parameter) in region.parameters.iter().enumerate() {
            let value = match arguments.get(position) {
                Some(&argument) => self.evaluate(state, argument),
                None => {
                    let variable = &preparation.program().variables[parameter];
                    self.anything(&variable.name, variable.scalar)
                }
            };
            self.set(&mut before, Slot::Variable(parameter), value);
        }
        let name = preparation.program().functions[function].name.clone();
        let name = self.unique(&format!("{name}()"));
        let returns = self.fresh(&format!("return@{name}"), Sort::Boolean);
        state.guard = self.terms.and(state.guard, returns);
        let changed = preparation.effects.of_call(function).iter().copied();
        let changed = changed.chain(region.result.map(Slot::Variable));
        let slots: Vec<SlotId> = changed.filter_map(|slot| preparation.slots.find(slot)).collect();
        let free = self.free_slots(&name, &slots, state, Counts::Growing);
        self.calls.push(RawCall { function, place, before, after: state.clone(), free });
    }

    /// Frees slots of a state.
    fn free_slots(
        &mut self,
        name: &str,
        slots: &[SlotId],
        state: &mut State,
        counts: Counts,
    ) -> BTreeMap<SlotId, TermId> {
        let preparation = self.preparation;
        let mut free = BTreeMap::new();
        // Numbers of blocks first: pointers are well formed with respect to them.
        let is_count = |slot: &&SlotId| matches!(preparation.slots.list[**slot], Slot::Count(_));
        let (numbers, others): (Vec<&SlotId>, Vec<&SlotId>) = slots.iter().partition(is_count);
        for &slot in numbers.into_iter().chain(others) {
            let least = match counts {
                Counts::Any => None,
                Counts::Growing => state.values[slot],
            };
            let term = match self.free_slot(name, slot, state, least) {
                Some(term) => term,
                None if counts == Counts::Any => {
                    let Some(term) = self.free_presence(name, slot) else { continue };
                    term
                }
                None => continue,
            };
            state.values[slot] = Some(term);
            free.insert(slot, term);
        }
        free
    }

    /// Whether the one block of a site has been allocated, where that is not known.
    fn free_presence(&mut self, name: &str, slot: SlotId) -> Option<TermId> {
        let Slot::Count(object) = self.preparation.slots.list[slot] else { return None };
        let source = self.preparation.points_to.objects.sources[object];
        if !matches!(source, ObjectSource::Site(_)) {
            return None;
        }
        let name = format!("{}.count@{name}", self.preparation.layouts[object].name);
        let term = self.fresh(&name, Sort::BitVector(NUMBER_BITS));
        let one = self.terms.bit_vector(1, NUMBER_BITS);
        let is_one_at_most = self.terms.unsigned_less_equal(term, one);
        self.constrain(term, is_one_at_most);
        Some(term)
    }

    /// What rows may speak of, for all summarised functions.
    pub(crate) fn cut_functions(&mut self) -> IdVec<CutFunctionId, CutFunction> {
        let functions = std::mem::take(&mut self.functions);
        let calls = std::mem::take(&mut self.calls);
        let mut cuts = IdVec::new();
        let mut slots: Vec<Signature> = Vec::new();
        for raw in &functions {
            let of_function: Vec<&RawCall> =
                calls.iter().filter(|call| call.function == raw.function).collect();
            let (cut, signature) = self.cut_function(raw, &of_function);
            cuts.push(cut);
            slots.push(signature);
        }
        // Later calls first: what they look at before the call may come from earlier ones.
        for (number, call) in calls.iter().enumerate().rev() {
            let at = functions.iter().position(|raw| raw.function == call.function);
            let at = at.expect("every summarised function is walked");
            let instances = self.call_instances(call, &slots[at]);
            let earlier = calls[..number].iter().filter(|it| it.function == call.function);
            let position = earlier.count();
            cuts[heapwright_base::DenseId::from_index(at)].calls[position].instances = instances;
        }
        for ((raw, signature), cut) in functions.iter().zip(&slots).zip(cuts.iter_mut()) {
            cut.instances = self.entry_instances(raw, signature);
        }
        cuts
    }

    fn cut_function(&mut self, raw: &RawFunction, calls: &[&RawCall]) -> (CutFunction, Signature) {
        let preparation = self.preparation;
        let exit = self.merge(None, raw.exits.clone());
        let mut signature = Signature::default();
        let mut inputs = Vec::new();
        for (&slot, &free) in &raw.free {
            let Some((name, kind, what)) = self.describe(slot) else { continue };
            let inside = self.guarded(slot, Some(&raw.entry), free);
            let at_calls =
                calls.iter().map(|call| self.guarded(slot, Some(&call.before), free)).collect();
            inputs.push(FunctionVariable { name, kind, what, inside, at_calls });
            signature.inputs.push(slot);
        }
        let mut outputs = Vec::new();
        let changed = calls.first().map(|call| call.free.clone()).unwrap_or_default();
        for (&slot, &free) in &changed {
            let Some((name, kind, what)) = self.describe(slot) else { continue };
            let inside = self.guarded(slot, exit.as_ref(), free);
            let at_calls: Vec<GuardedTerm> =
                calls.iter().map(|call| self.guarded(slot, Some(&call.after), free)).collect();
            for part in self.parts(slot) {
                let inside = self.part_of(inside, slot, part, &raw.entry);
                let at_calls = at_calls.iter().zip(calls);
                let at_calls =
                    at_calls.map(|(&it, call)| self.part_of(it, slot, part, &call.before));
                let at_calls = at_calls.collect();
                let name = match part {
                    Part::Whole | Part::Kept => name.clone(),
                    Part::New => format!("new {name}"),
                };
                outputs.push(FunctionVariable { name, kind, what, inside, at_calls });
                signature.outputs.push((slot, part));
            }
        }
        let name = preparation.program().functions[raw.function].name.clone();
        let cut_call = |call: &&RawCall| CutCall {
            place: call.place,
            guard: call.before.guard,
            returned: call.after.guard,
            is_meant: self.fresh(&format!("call@{name}"), Sort::Boolean),
            instances: Vec::new(),
        };
        let cut_calls = calls.iter().map(cut_call).collect();
        let cut = CutFunction {
            function: raw.function,
            name,
            place: raw.place,
            entered: raw.entry.guard,
            returned: exit.map_or(TermId::FALSE, |exit| exit.guard),
            inputs,
            outputs,
            instances: Vec::new(),
            calls: cut_calls,
        };
        (cut, signature)
    }

    /// Blocks that were there before a call, and those that it made, are described apart.
    fn parts(&self, slot: SlotId) -> Vec<Part> {
        let object = object_of(self.preparation.slots.list[slot]);
        if object.is_some_and(|object| self.preparation.layouts[object].is_many) {
            vec![Part::Kept, Part::New]
        } else {
            vec![Part::Whole]
        }
    }

    /// Where the witness belongs to a part. `before` is the state before the call.
    fn part_of(
        &mut self,
        term: GuardedTerm,
        slot: SlotId,
        part: Part,
        before: &State,
    ) -> GuardedTerm {
        let key = self.witness_key(slot);
        let guard = self.part_guard(term.guard, slot, part, before, key);
        GuardedTerm { guard, ..term }
    }

    fn part_guard(
        &mut self,
        guard: TermId,
        slot: SlotId,
        part: Part,
        before: &State,
        key: Option<Key>,
    ) -> TermId {
        if part == Part::Whole {
            return guard;
        }
        let was_there = self.guard_at(slot, before, key);
        let belongs = if part == Part::Kept { was_there } else { self.terms.not(was_there) };
        self.terms.and(guard, belongs)
    }

    /// A slot's value in a state, of the witness if it is that of an object.
    fn guarded(&mut self, slot: SlotId, state: Option<&State>, like: TermId) -> GuardedTerm {
        let key = self.witness_key(slot);
        let Some(state) = state else {
            // Nobody gets there.
            return GuardedTerm { value: self.at_key(slot, like, key), guard: TermId::FALSE };
        };
        let value = match state.values[slot] {
            Some(value) => value,
            None => self.undefined(slot, like),
        };
        let guard = self.guard_at(slot, state, key);
        GuardedTerm { value: self.at_key(slot, value, key), guard }
    }

    /// The blocks that the function's body looks at in the state at its entry.
    fn entry_instances(
        &mut self,
        raw: &RawFunction,
        signature: &Signature,
    ) -> Vec<FunctionInstance> {
        let mut instances = Vec::new();
        for (group, members) in self.groups(&signature.inputs) {
            for key in self.keys(&members, &raw.free) {
                let inputs = self.placed(group, &members, key, &raw.entry);
                instances.push(FunctionInstance { object: group.0, inputs, outputs: Vec::new() });
            }
        }
        instances
    }

    /// The blocks that the caller looks at in the state behind a call.
    fn call_instances(&mut self, call: &RawCall, signature: &Signature) -> Vec<FunctionInstance> {
        let mut instances = Vec::new();
        let inputs = self.groups(&signature.inputs);
        let slots: Vec<SlotId> = signature.outputs.iter().map(|&(slot, _)| slot).collect();
        for (group, members) in self.groups(&slots) {
            for key in self.keys(&members, &call.free) {
                let mut outputs = self.placed(group, &members, key, &call.after);
                let parts = Some(self.key_parts(group.0, group.1, key));
                for (position, term) in &mut outputs {
                    let (slot, part) = signature.outputs[*position];
                    term.guard = self.part_guard(term.guard, slot, part, &call.before, parts);
                }
                let inputs = match inputs.get(&group) {
                    Some(inputs) => self.placed(group, inputs, key, &call.before),
                    None => Vec::new(),
                };
                instances.push(FunctionInstance { object: group.0, inputs, outputs });
            }
        }
        instances
    }

    /// Slots of one object with keys of one form have instances in common.
    fn groups(&self, slots: &[SlotId]) -> BTreeMap<Group, Vec<(usize, SlotId)>> {
        let mut groups: BTreeMap<Group, Vec<(usize, SlotId)>> = BTreeMap::new();
        for (position, &slot) in slots.iter().enumerate() {
            let description = self.preparation.slots.list[slot];
            if let Some(object) = object_of(description) {
                let has_elements = self.preparation.layouts[object].has_elements();
                let is_element = has_elements && matches!(description, Slot::Cell(..));
                groups.entry((object, is_element)).or_default().push((position, slot));
            }
        }
        groups
    }

    /// Where free arrays are read, but for the witness.
    fn keys(
        &mut self,
        members: &[(usize, SlotId)],
        free: &BTreeMap<SlotId, TermId>,
    ) -> Vec<TermId> {
        let mut keys = BTreeSet::new();
        for (_, slot) in members {
            let array = free.get(slot).and_then(|array| self.reads.get(array));
            keys.extend(array.into_iter().flatten());
        }
        let witness = self.witness_key(members[0].1).expect("objects have witnesses");
        let Some(object) = object_of(self.preparation.slots.list[members[0].1]) else {
            return Vec::new();
        };
        let witness = self.key(object, witness);
        keys.into_iter().filter(|&key| Some(key) != witness).take(MOST_INSTANCES).collect()
    }

    /// What members of a group hold at a place.
    fn placed(
        &mut self,
        (object, is_element): Group,
        members: &[(usize, SlotId)],
        key: TermId,
        state: &State,
    ) -> Vec<(usize, GuardedTerm)> {
        let key = Some(self.key_parts(object, is_element, key));
        let mut placed = Vec::new();
        for &(position, slot) in members {
            let Some(value) = state.values[slot] else { continue };
            let guard = self.guard_at(slot, state, key);
            placed.push((position, GuardedTerm { value: self.at_key(slot, value, key), guard }));
        }
        placed
    }
}

/// The number of blocks of an object where slots are freed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Any.
    Any,
    /// At least as many as before.
    Growing,
}

/// An object, and whether it is about its elements.
type Group = (AbstractObjectId, bool);

/// The slots of a function's inputs and outputs.
#[derive(Default)]
struct Signature {
    inputs: Vec<SlotId>,
    outputs: Vec<(SlotId, Part)>,
}

/// Which blocks an output is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// There is no more than one.
    Whole,
    /// Those that were there before the call.
    Kept,
    /// Those that the call made.
    New,
}
