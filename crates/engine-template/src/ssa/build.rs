//! The construction: the inlined automaton is walked once in topological order, loops as wholes.
//!
//! Every location gets the merge of the states that lead to it. A loop's head gets
//! `select ? before : entry` for everything that the loop changes; its body is walked `copies` times;
//! what comes back at the end is what an invariant must cover.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::{Reason, Task};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::analysis::LoopId;
use heapwright_program::{LocationId, Place};
use heapwright_property::Part;
use rustc_hash::FxHashMap;

use crate::analysis::effects::Slot;
use crate::names::Names;
use crate::ssa::call::{RawCall, RawFunction};
use crate::ssa::formula::{
    AbstractObjectId, Branch, CutLoopId, Formula, Input, Obligation, Version,
};
use crate::ssa::loops::{RawLoop, base_variable};
use crate::ssa::memory::BaseArray;
use crate::ssa::pointer::{NUMBER_BITS, PointerLayout};
use crate::ssa::preparation::Preparation;
use crate::ssa::state::State;
use crate::ssa::window::Window;

/// How a formula is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildSettings {
    /// Rounds of each loop that the formula holds; at least one.
    pub copies: u32,
    /// Ask that no block is used after its end even where the specification does not.
    pub check_lives: bool,
    /// Two witnesses for each object of many blocks, so that rows can speak of links between blocks.
    pub links: bool,
}

impl Default for BuildSettings {
    fn default() -> BuildSettings {
        BuildSettings { copies: 1, check_lives: true, links: false }
    }
}

/// A formula that is being built.
pub(crate) struct Builder<'a> {
    pub(crate) preparation: &'a Preparation,
    pub(crate) task: &'a Task,
    pub(crate) settings: BuildSettings,
    pub(crate) window: Window,
    pub(crate) terms: Terms,
    pub(crate) pointers: PointerLayout,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) versions: Vec<Version>,
    pub(crate) unsupported: Vec<Reason>,
    pub(crate) loops: IdVec<CutLoopId, RawLoop>,
    pub(crate) functions: Vec<RawFunction>,
    pub(crate) calls: Vec<RawCall>,
    pub(crate) cut_runs: Vec<TermId>,
    /// Free variables, in the order in which they are made.
    pub(crate) variables: Vec<TermId>,
    /// How many of them there were before the function that is being walked.
    pub(crate) region_start: usize,
    /// The loops around the current location, with the number of the copy.
    pub(crate) around: Vec<(CutLoopId, u32)>,
    /// Free arrays: what they are and at which keys they are read.
    pub(crate) bases: FxHashMap<TermId, BaseArray>,
    pub(crate) reads: BTreeMap<TermId, BTreeSet<TermId>>,
    pub(crate) read_memo: FxHashMap<(TermId, TermId), TermId>,
    pub(crate) numbers_of_pointers: FxHashMap<(TermId, u32), TermId>,
    /// The variables for "any block of this object" and "any element of it".
    pub(crate) witnesses: BTreeMap<Witness, TermId>,
    names: Names,
}

/// What rows are shown for, since it may be any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Witness {
    /// The number of a block of this object.
    Block(AbstractObjectId),
    /// The number of another one, or the same.
    Second(AbstractObjectId),
    /// The offset of an element in a block of it.
    Element(AbstractObjectId),
}

/// A fact about a free variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraint {
    /// The variable; where nothing depends on it, nobody needs the fact.
    pub(crate) subject: TermId,
    pub(crate) fact: TermId,
}

/// States on their way to locations, by the position of these in the order.
type Pending = BTreeMap<u32, (LocationId, Vec<State>)>;

impl<'a> Builder<'a> {
    pub(super) fn new(
        preparation: &'a Preparation,
        task: &'a Task,
        settings: BuildSettings,
        window: Window,
    ) -> Builder<'a> {
        let count = preparation.layouts.len() + 1;
        let tag_bits = usize::BITS - count.leading_zeros();
        Builder {
            preparation,
            task,
            settings: BuildSettings { copies: settings.copies.max(1), ..settings },
            window,
            terms: Terms::new(),
            pointers: PointerLayout {
                tag_bits,
                offset_bits: 8 * preparation.program().model.pointer_size() as u32,
            },
            constraints: Vec::new(),
            obligations: Vec::new(),
            branches: Vec::new(),
            inputs: Vec::new(),
            versions: Vec::new(),
            unsupported: Vec::new(),
            loops: IdVec::new(),
            functions: Vec::new(),
            calls: Vec::new(),
            cut_runs: Vec::new(),
            variables: Vec::new(),
            region_start: 0,
            around: Vec::new(),
            bases: FxHashMap::default(),
            reads: BTreeMap::new(),
            read_memo: FxHashMap::default(),
            numbers_of_pointers: FxHashMap::default(),
            witnesses: BTreeMap::new(),
            names: Names::default(),
        }
    }

    pub(super) fn run(mut self) -> Formula {
        let start = self.start();
        let inlined = &self.preparation.inlined;
        self.region(None, inlined.entry, start.clone());
        for &function in inlined.regions.keys() {
            self.region_start = self.variables.len();
            self.function(function, &start);
        }
        self.refuse_properties();
        self.finish()
    }

    /// Parts of the specification that the formula says nothing about.
    fn refuse_properties(&mut self) {
        let is_cut = !(self.loops.is_empty() && self.functions.is_empty());
        let may_have_no_end = is_cut && self.window == Window::Any;
        for &part in &self.task.specification.parts {
            let allocates = self.preparation.inlined.body().edges.iter().any(|edge| {
                matches!(edge.operation, heapwright_program::Operation::Allocate { .. })
            });
            match part {
                Part::UnreachCall
                | Part::ValidDeref
                | Part::ValidFree
                | Part::ValidMemcleanup
                | Part::NoOverflow => {}
                // What is freed in the end was never lost; but there must be an end.
                Part::ValidMemtrack if !allocates || !may_have_no_end => {}
                Part::ValidMemtrack => {
                    let text = "templates decide valid-memtrack only where every loop has a bound";
                    self.unsupported.push(Reason::new(text));
                }
                Part::Termination => {
                    let text = format!("templates do not decide {part}");
                    self.unsupported.push(Reason::new(text));
                }
            }
        }
    }

    /// Walks a loop's body, or the whole automaton, from `start` on.
    pub(crate) fn region(
        &mut self,
        region: Option<LoopId>,
        start: LocationId,
        state: State,
    ) -> Walked {
        let preparation = self.preparation;
        let mut walked = Walked { exits: Vec::new(), back: Vec::new() };
        let mut pending = Pending::new();
        add(preparation, &mut pending, start, state);
        // Ends because targets come later in the order, but for those of back edges.
        while let Some((_, (location, states))) = pending.pop_first() {
            let Some(state) = self.merge(Some(location), states) else { continue };
            let head_of = preparation.loops.loops.enumerated().find(|(_, it)| it.head == location);
            let inner = head_of.map(|(id, _)| id).filter(|&id| Some(id) != region);
            let moved = match inner {
                Some(inner) => self.cut(inner, state),
                None => self.location(location, state),
            };
            for (target, state) in moved {
                self.forward(region, (target, state), &mut pending, &mut walked);
            }
        }
        walked
    }

    fn forward(
        &mut self,
        region: Option<LoopId>,
        (target, state): (LocationId, State),
        pending: &mut Pending,
        walked: &mut Walked,
    ) {
        if state.guard == TermId::FALSE {
            return;
        }
        let preparation = self.preparation;
        match region.map(|region| &preparation.loops.loops[region]) {
            Some(item) if item.head == target => walked.back.push(state),
            Some(item) if item.locations.binary_search(&target).is_err() => {
                walked.exits.push((target, state));
            }
            Some(_) | None => add(preparation, pending, target, state),
        }
    }

    /// Follows all edges of a location.
    fn location(&mut self, location: LocationId, state: State) -> Vec<(LocationId, State)> {
        let preparation = self.preparation;
        let body = preparation.inlined.body();
        let mut moved = Vec::new();
        for &id in &preparation.outgoing[location] {
            let edge = &body.edges[id];
            if let Some(state) = self.step(id, edge, state.clone()) {
                moved.push((edge.target, state));
            }
        }
        moved
    }

    /// Walks a loop and cuts its back edge; gives the states that leave it.
    fn cut(&mut self, id: LoopId, entry: State) -> Vec<(LocationId, State)> {
        let preparation = self.preparation;
        let item = &preparation.loops.loops[id];
        let changed = self.changed(id, &entry);
        let cut = self.open_loop(item.head, &changed, entry);
        let mut exits = Vec::new();
        let mut head = Some(self.loops[cut].heads[0].clone());
        for copy in 0..self.settings.copies {
            let Some(state) = head.take() else { break };
            if copy > 0 {
                self.loops[cut].heads.push(state.clone());
            }
            self.around.push((cut, copy));
            let walked = self.region(Some(id), item.head, state);
            self.around.pop();
            exits.extend(walked.exits);
            head = self.merge(Some(item.head), walked.back);
        }
        self.loops[cut].after = head;
        exits
    }

    pub(crate) fn value(&mut self, state: &State, slot: Slot) -> Option<TermId> {
        state.values[self.preparation.slots.id(slot)]
    }

    pub(crate) fn set(&mut self, state: &mut State, slot: Slot, value: TermId) {
        debug_assert_eq!(self.terms.sort(value), self.sort_of(slot), "the sort of {slot:?}");
        state.values[self.preparation.slots.id(slot)] = Some(value);
    }

    /// A free variable that the program needs here. The name is for people: whatever it is, no other
    /// variable is the same.
    pub(crate) fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let unique = self.unique(name);
        let variable = self.terms.new_variable(&unique, sort);
        self.variables.push(variable);
        variable
    }

    pub(crate) fn unique(&mut self, name: &str) -> String {
        self.names.unique(name)
    }

    /// The variable that stands for any block, or any element, wherever rows speak of it.
    pub(crate) fn witness(&mut self, witness: Witness) -> TermId {
        if let Some(&known) = self.witnesses.get(&witness) {
            return known;
        }
        let (object, what, width) = match witness {
            Witness::Block(object) => (object, "witness", NUMBER_BITS),
            Witness::Second(object) => (object, "second", NUMBER_BITS),
            Witness::Element(object) => (object, "element", self.pointers.offset_bits),
        };
        let name = format!("{}#{what}", self.preparation.layouts[object].name);
        let unique = self.unique(&name);
        let variable = self.terms.new_variable(&unique, Sort::BitVector(width));
        self.witnesses.insert(witness, variable);
        variable
    }

    /// States a fact about a free variable, or about what is read of a free array.
    pub(crate) fn constrain(&mut self, subject: TermId, fact: TermId) {
        if fact != TermId::TRUE {
            let subject = base_variable(&self.terms, subject);
            self.constraints.push(Constraint { subject, fact });
        }
    }

    /// Asks for a condition and goes on under it.
    pub(crate) fn require(
        &mut self,
        state: &mut State,
        condition: TermId,
        part: Option<Part>,
        text: impl Into<String>,
        place: Place,
    ) {
        let is_known = condition == TermId::TRUE || state.known.contains(&condition);
        if is_known || state.guard == TermId::FALSE {
            return;
        }
        // An execution that gets to an excused error ends there, which the guard says below. Conditions
        // of accesses may ask for more than C does, so that executions without a fault would be left out.
        let is_excused =
            part == Some(Part::UnreachCall) && self.task.specification.excuses(Part::UnreachCall);
        if !is_excused {
            self.obligations.push(Obligation {
                guard: state.guard,
                condition,
                part: part.filter(|&part| self.task.specification.asks(part)),
                text: text.into(),
                place,
                copies: self.around.clone(),
            });
        }
        state.guard = self.terms.and(state.guard, condition);
        state.known.insert(condition);
    }
}

/// The states at the end of a walk.
pub(crate) struct Walked {
    exits: Vec<(LocationId, State)>,
    back: Vec<State>,
}

fn add(preparation: &Preparation, pending: &mut Pending, location: LocationId, state: State) {
    let position = preparation.order.position(location).expect("states reach locations");
    pending.entry(position).or_insert_with(|| (location, Vec::new())).1.push(state);
}

/// Any place, for what belongs to no line.
pub(crate) fn nowhere() -> Place {
    Place { file: DenseId::from_index(0), line: 0, column: 0 }
}
