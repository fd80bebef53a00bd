//! The walk: every function in the order of its automaton, loops as wholes, calls where they stand.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_base::{DenseId, IdVec};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::analysis::{
    CallGraph, GlobalEffects, Liveness, LoopId, Loops, Order, References, global_effects,
};
use heapwright_program::{EdgeId, FunctionId, LocationId, Place, Program};
use heapwright_property::Specification;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::blocks::{Made, ObjectFacts};
use crate::claims::{Calls, Certificate, Method, ObjectKey, Spot};
use crate::cut::Cut;
use crate::memory::{Event, Range};
use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer, Value};

/// What is asked, and under what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) program: &'a Program,
    pub(crate) specification: &'a Specification,
    pub(crate) malloc_may_fail: bool,
    pub(crate) certificate: &'a Certificate,
}

/// A way in which the certificate may be wrong: satisfiable if it is.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) term: TermId,
    pub(crate) text: String,
    pub(crate) place: Option<Place>,
}

/// The walk's results so far.
pub(crate) struct Checker<'a> {
    pub(crate) question: Question<'a>,
    pub(crate) program: &'a Program,
    pub(crate) terms: Terms,
    /// Bits of a pointer's offset, and of an address.
    pub(crate) width: u32,
    pub(crate) constraints: Vec<TermId>,
    pub(crate) failures: Vec<Failure>,
    /// When the walk knows less than the program says, and why.
    pub(crate) doubts: BTreeMap<(TermId, &'static str), ()>,
    /// Why the walk is not complete, if it is not.
    pub(crate) trouble: Option<String>,
    pub(crate) objects: Vec<ObjectFacts>,
    pub(crate) object_ids: FxHashMap<ObjectKey, usize>,
    pub(crate) made: FxHashMap<u32, Made>,
    pub(crate) next_block: u32,
    /// Functions of a block's number: its object, size and address.
    pub(crate) sites: TermId,
    pub(crate) sizes: TermId,
    pub(crate) bases: TermId,
    pub(crate) sited: FxHashSet<TermId>,
    pub(crate) sized: FxHashSet<TermId>,
    pub(crate) based: FxHashSet<TermId>,
    pub(crate) entries: Vec<(TermId, Event)>,
    pub(crate) unwritten: FxHashMap<(usize, Range), Value>,
    pub(crate) contents: FxHashMap<(usize, u64, &'static str), TermId>,
    pub(crate) cuts: Vec<Cut>,
    /// Places that were read at a cut, of which its claims may be assumed.
    pub(crate) wanted: Vec<(usize, Pointer)>,
    pub(crate) witnesses: BTreeMap<Spot, Pointer>,
    /// The loops around the walk, each with its round.
    pub(crate) around: Vec<(usize, u32)>,
    pub(crate) calls: Calls,
    pub(crate) active: Vec<FunctionId>,
    pub(crate) place: Place,
    pub(crate) fresh_count: usize,
    pub(crate) references: References,
    pub(crate) effects: IdVec<FunctionId, GlobalEffects>,
    outlines: FxHashMap<FunctionId, Rc<Outline>>,
    steps: usize,
    most_steps: usize,
}

/// What is known of an automaton.
pub(crate) struct Outline {
    pub(crate) loops: Loops,
    order: Order,
    outgoing: IdVec<LocationId, Vec<EdgeId>>,
    pub(crate) liveness: Liveness,
}

/// Where a walk got to.
#[derive(Default)]
pub(crate) struct Walked {
    pub(crate) exits: Vec<(LocationId, State)>,
    pub(crate) back: Vec<State>,
    pub(crate) returns: Vec<State>,
}

/// What is walked: a function's body, or a loop in it.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    pub(crate) function: FunctionId,
    pub(crate) inside: Option<LoopId>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(question: Question<'a>, most_steps: usize) -> Checker<'a> {
        let program = question.program;
        let width = 8 * program.model.pointer_size() as u32;
        let mut terms = Terms::new();
        let of_blocks = |element| Sort::Array { index: BLOCK_BITS, element };
        let sites = terms.variable("site", of_blocks(BLOCK_BITS));
        let sizes = terms.variable("size", of_blocks(width));
        let bases = terms.variable("base", of_blocks(width));
        Checker {
            question,
            program,
            terms,
            width,
            constraints: Vec::new(),
            failures: Vec::new(),
            doubts: BTreeMap::new(),
            trouble: None,
            objects: Vec::new(),
            object_ids: FxHashMap::default(),
            made: FxHashMap::default(),
            next_block: 1,
            sites,
            sizes,
            bases,
            sited: FxHashSet::default(),
            sized: FxHashSet::default(),
            based: FxHashSet::default(),
            entries: Vec::new(),
            unwritten: FxHashMap::default(),
            contents: FxHashMap::default(),
            cuts: Vec::new(),
            wanted: Vec::new(),
            witnesses: BTreeMap::new(),
            around: Vec::new(),
            calls: Vec::new(),
            active: Vec::new(),
            place: Place { file: DenseId::from_index(0), line: 0, column: 0 },
            fresh_count: 0,
            references: References::of(program),
            effects: global_effects(program, &CallGraph::of(program)),
            outlines: FxHashMap::default(),
            steps: 0,
            most_steps,
        }
    }

    pub(crate) fn is_bounded(&self) -> bool {
        matches!(self.question.certificate.method, Method::Bounded { .. })
    }

    /// Walks the whole program.
    pub(crate) fn run(&mut self) {
        let claimed = &self.question.certificate.objects;
        for object in claimed {
            self.object(&object.key);
        }
        let Some(main) = self.program.function_named("main") else {
            self.trouble = Some("the program has no `main`".to_owned());
            return;
        };
        let state = self.start(main);
        self.active.push(main);
        let region = Region { function: main, inside: None };
        let entry = self.program.functions[main].body.as_ref().map(|body| body.entry);
        let Some(entry) = entry else {
            self.trouble = Some("`main` has no body".to_owned());
            return;
        };
        self.region(region, entry, state);
        self.assume_instances();
    }

    pub(crate) fn outline(&mut self, function: FunctionId) -> Rc<Outline> {
        if let Some(known) = self.outlines.get(&function) {
            return Rc::clone(known);
        }
        let body = self.program.functions[function].body.as_ref().expect("only bodies are walked");
        let outline = Rc::new(Outline {
            loops: Loops::of(body),
            order: Order::of(body),
            outgoing: body.outgoing(),
            liveness: Liveness::of(self.program, function),
        });
        if !outline.loops.irreducible_regions.is_empty() {
            self.give_up("a loop has more than one entry");
        }
        self.outlines.insert(function, Rc::clone(&outline));
        outline
    }

    pub(crate) fn give_up(&mut self, why: &str) {
        self.trouble.get_or_insert_with(|| why.to_owned());
    }

    pub(crate) fn region(&mut self, region: Region, start: LocationId, state: State) -> Walked {
        let outline = self.outline(region.function);
        let mut walked = Walked::default();
        let mut pending: BTreeMap<u32, (LocationId, Vec<State>)> = BTreeMap::new();
        let position = |location| outline.order.position(location).expect("it was reached");
        pending.insert(position(start), (start, vec![state]));
        // Ends because targets come later in the order, but for those of back edges.
        while let Some((_, (location, states))) = pending.pop_first() {
            if self.trouble.is_some() {
                break;
            }
            let Some(mut state) = self.merge(states) else { continue };
            forget_dead(&outline, location, &mut state);
            let head_of = outline.loops.loops.enumerated().find(|(_, it)| it.head == location);
            let inner = head_of.map(|(id, _)| id).filter(|&id| Some(id) != region.inside);
            let moved = match inner {
                Some(inner) => {
                    self.cut(Region { inside: Some(inner), ..region }, state, &mut walked)
                }
                None => self.location(region.function, location, state, &mut walked),
            };
            for (target, state) in moved {
                if state.guard == TermId::FALSE {
                    continue;
                }
                match region.inside.map(|id| &outline.loops.loops[id]) {
                    Some(item) if item.head == target => walked.back.push(state),
                    Some(item) if item.locations.binary_search(&target).is_err() => {
                        walked.exits.push((target, state));
                    }
                    Some(_) | None => {
                        let at = pending.entry(position(target));
                        at.or_insert_with(|| (target, Vec::new())).1.push(state);
                    }
                }
            }
        }
        walked
    }

    fn location(
        &mut self,
        function: FunctionId,
        location: LocationId,
        state: State,
        walked: &mut Walked,
    ) -> Vec<(LocationId, State)> {
        let outline = self.outline(function);
        let body = self.program.functions[function].body.as_ref().expect("only bodies are walked");
        let mut moved = Vec::new();
        for &id in &outline.outgoing[location] {
            self.steps += 1;
            if self.steps > self.most_steps {
                self.give_up("the walk is too long");
                return Vec::new();
            }
            let edge = &body.edges[id];
            self.place = edge.place;
            if let Some(state) = self.step(function, id, edge, state.clone(), walked) {
                moved.push((edge.target, state));
            }
        }
        moved
    }

    /// What must not fail here. Afterwards it does not.
    pub(crate) fn require(
        &mut self,
        state: &mut State,
        condition: TermId,
        text: impl Into<String>,
        place: Place,
    ) {
        if condition == TermId::TRUE || state.guard == TermId::FALSE {
            return;
        }
        let fails = self.terms.not(condition);
        self.fail(state.guard, fails, text.into(), Some(place));
        state.guard = self.terms.and(state.guard, condition);
    }

    /// The first failure of a run lies in the last of the rounds that are looked at together, or in
    /// the very first rounds.
    fn fail(&mut self, guard: TermId, fails: TermId, text: String, place: Option<Place>) {
        let mut parts = vec![guard, fails];
        for &(cut, copy) in &self.around {
            if copy + 1 < self.question.certificate.rounds {
                parts.push(self.terms.not(self.cuts[cut].select));
            }
        }
        let term = self.terms.all(&parts);
        if term != TermId::FALSE {
            self.failures.push(Failure { term, text, place });
        }
    }

    /// Under this condition, the walk may see more than can happen.
    pub(crate) fn doubt(&mut self, condition: TermId, why: &'static str) {
        if condition != TermId::FALSE {
            self.doubts.insert((condition, why), ());
        }
    }

    /// Variables that a loop, or a call in it, may write.
    pub(crate) fn written_in(
        &self,
        function: FunctionId,
        locations: &[LocationId],
    ) -> BTreeSet<heapwright_program::VariableId> {
        use heapwright_program::Operation;
        use heapwright_program::analysis::{possible_callees, written_variable};
        let body = self.program.functions[function].body.as_ref().expect("only bodies are walked");
        let mut written = BTreeSet::new();
        for edge in &body.edges {
            if locations.binary_search(&edge.source).is_err() {
                continue;
            }
            written.extend(written_variable(&edge.operation));
            if let Operation::Call { .. } = edge.operation {
                for callee in possible_callees(self.program, &self.references, &edge.operation) {
                    let globals = self.program.variables.enumerated();
                    let globals = globals.filter(|(_, it)| it.function.is_none());
                    written.extend(
                        globals.map(|(id, _)| id).filter(|&id| self.effects[callee].writes(id)),
                    );
                }
            }
        }
        written
    }
}

/// What is read again only after it is written has no value worth keeping.
fn forget_dead(outline: &Outline, location: LocationId, state: &mut State) {
    if let Some(frame) = state.frames.last_mut() {
        frame.retain(|&variable, _| outline.liveness.is_live(location, variable));
    }
}
