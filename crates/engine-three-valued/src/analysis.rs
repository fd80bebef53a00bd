//! The exploration: from cut point to cut point, where states are blurred and meet.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::rc::Rc;

use heapwright_exploration::{Analysis, Merge, Step};
use heapwright_program::{EdgeId, FunctionId, LocationId, VariableId};
use heapwright_three_valued::{
    NULL, Name, Node, blur_named, canonical_names, describes_named, join_named, sort_named,
};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::alarm::{Alarm, AlarmKind};
use crate::costs::Phase;
use crate::leaks;
use crate::model::Model;
use crate::numbers;
use crate::state::{Calls, Next, Pointer, Slot, State};
use crate::transfer::{AskedNumbers, Transfer};

/// The edges that were passed since a cut point, on all ways from there.
#[derive(Debug, Default)]
struct Trails {
    passed: Vec<Passed>,
}

/// One way: where its last edge is noted.
type Trail = Option<usize>;

#[derive(Debug)]
struct Passed {
    edge: (FunctionId, EdgeId),
    before: Trail,
    /// How many edges the way has.
    length: usize,
}

impl Trails {
    /// One edge more.
    fn pass(&mut self, before: Trail, edge: (FunctionId, EdgeId)) -> Trail {
        let length = before.map_or(0, |before| self.passed[before].length) + 1;
        self.passed.push(Passed { edge, before, length });
        Some(self.passed.len() - 1)
    }

    fn edges(&self, trail: Trail) -> Vec<(FunctionId, EdgeId)> {
        let length = trail.map_or(0, |last| self.passed[last].length);
        let mut edges = Vec::with_capacity(length);
        let before = |last: &usize| self.passed[*last].before;
        edges.extend(std::iter::successors(trail, before).map(|it| self.passed[it].edge));
        edges.reverse();
        edges
    }
}

/// Where states meet: the place, what the pointers are but for the nodes, and the names of the nodes.
///
/// A number that depends on all of it comes first: two places that differ are told apart by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    fingerprint: u64,
    outline: Outline,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outline {
    calls: Calls,
    function: FunctionId,
    location: LocationId,
    pointers: Vec<(Slot, Pointer)>,
    numbers: Vec<(VariableId, u128)>,
    names: Vec<Name>,
}

/// An alarm, with the edges from the cut point before it.
#[derive(Debug)]
pub(crate) struct Raised {
    pub(crate) alarm: Alarm,
    pub(crate) trail: Vec<(FunctionId, EdgeId)>,
    /// Unknown pointers whose value was asked for since then.
    pub(crate) asked: Vec<Slot>,
    /// Numbers that were.
    pub(crate) numbers: AskedNumbers,
}

/// Different values of a number at one place before it is forgotten there.
const MOST_VALUES: usize = 4;
/// The same where small heaps are kept as they are: what is counted there are their nodes.
const MOST_VALUES_OF_SMALL: usize = 12;
/// Nodes of heaps that may be kept as they are, null and wild included.
const SMALL: usize = 16;
/// Work of one transfer before it gives its states back.
const MOST_STEPS: u64 = 200_000;

#[derive(Debug)]
pub(crate) struct ShapeAnalysis<'a, 't> {
    pub(crate) model: &'a Model<'t>,
    /// The values that numbers had at cut points.
    seen: FxHashMap<(FunctionId, LocationId, VariableId), Vec<u128>>,
    pub(crate) structures: u64,
    pub(crate) steps: u64,
    /// Room for the ways of one transfer.
    trails: Trails,
    pending: Vec<(State, Trail)>,
}

impl<'a, 't> ShapeAnalysis<'a, 't> {
    pub(crate) fn new(model: &'a Model<'t>) -> ShapeAnalysis<'a, 't> {
        ShapeAnalysis {
            model,
            seen: FxHashMap::default(),
            structures: 0,
            steps: 0,
            trails: Trails::default(),
            pending: Vec::new(),
        }
    }

    /// Makes a state that has come to a cut point as coarse as the precision says.
    fn arrive(&mut self, state: &mut State) -> Result<Vec<Name>, AlarmKind> {
        self.forget_numbers(state);
        arrive(self.model, state)
    }

    /// The state at the start of the program. Where that is a loop head, others meet it there: what is claimed of the
    /// head must describe the first time too.
    pub(crate) fn begin(&mut self, mut state: State) -> (State, Option<Meeting>) {
        if !self.model.atlas.is_cut(state.function, state.location) {
            return (state, None);
        }
        let names = self.arrive(&mut state).expect("no block is lost before there is one");
        let meeting = meeting_of(&state, names);
        (state, Some(meeting))
    }

    fn forget_numbers(&mut self, state: &mut State) {
        let (model, place) = (self.model, (state.function, state.location));
        let calls = &state.calls;
        let seen = &mut self.seen;
        let most = if model.precision.keeps_small { MOST_VALUES_OF_SMALL } else { MOST_VALUES };
        state.numbers.retain(|&variable, bits| {
            if !model.atlas.is_live(variable, calls, place) {
                return false;
            }
            if model.precision.forgotten.contains(&variable) {
                return false;
            }
            let values = seen.entry((place.0, place.1, variable)).or_default();
            if !values.contains(bits) && values.len() < most {
                values.push(*bits);
            }
            values.contains(bits)
        });
    }
}

/// Drops what is dead and untracked, looks for lost blocks, and blurs; gives the names of the nodes.
pub(crate) fn arrive(model: &Model<'_>, state: &mut State) -> Result<Vec<Name>, AlarmKind> {
    let place = (state.function, state.location);
    let calls = &state.calls;
    state.numbers.retain(|&variable, _| model.atlas.is_live(variable, calls, place));
    state.pointers.retain(|slot, _| match slot {
        Slot::Variable(variable) => model.atlas.is_live(*variable, calls, place),
        Slot::Cell(..) => true,
    });
    leaks::at_cut(model, state)?;
    for (slot, pointer) in state.pointers.iter_mut() {
        if !model.is_tracked(*slot) && !matches!(pointer, Pointer::Function(_)) {
            *pointer = Pointer::Unknown;
        }
    }
    numbers::settle(model, state);
    let mut assigned = Vec::new();
    for (slot, predicate) in model.tracked() {
        let target = match state.pointers.get(&slot) {
            Some(Pointer::Block { node, .. }) => *node,
            _ => NULL,
        };
        if state.heap.unary(predicate).must() != 1 << target {
            assigned.push(predicate);
            let assign = || model.instance.assign(state.heap_mut(), predicate, target);
            model.clock.time(Phase::Update, assign);
        }
    }
    if !assigned.is_empty() {
        let is_possible = model.sharpen_assigned(state.heap_mut(), &assigned);
        debug_assert!(is_possible, "a structure that stands for nothing was kept");
    }
    let vocabulary = &model.instance.vocabulary;
    let blur = || match model.precision.keeps_small && state.heap.len() <= SMALL {
        true => sort_named(&state.heap, vocabulary),
        false => blur_named(&state.heap, vocabulary),
    };
    let (blurred, names) = model.clock.time(Phase::Blur, blur);
    // Where no nodes have become one, they are only in another order.
    state.is_sharp = blurred.len() == state.heap.len();
    state.heap = Rc::new(blurred);
    for (slot, predicate) in model.tracked() {
        if let Some(Pointer::Block { node, .. }) = state.pointers.get_mut(&slot) {
            *node = state.heap.unary(predicate).must().trailing_zeros() as Node;
        }
    }
    numbers::read(model, state);
    Ok(names)
}

/// Makes a state sharp that goes on from a cut point; false if it describes nothing.
pub(crate) fn depart(model: &Model<'_>, state: &mut State) -> bool {
    let is_possible = state.is_sharp || model.sharpen(state.heap_mut());
    state.is_sharp = true;
    is_possible
}

/// Where a blurred state meets others.
pub(crate) fn meeting(model: &Model<'_>, state: &State) -> Meeting {
    meeting_of(state, canonical_names(&state.heap, &model.instance.vocabulary))
}

fn meeting_of(state: &State, names: Vec<Name>) -> Meeting {
    let without_node = |(slot, pointer): (&Slot, &Pointer)| match pointer {
        Pointer::Block { offset, .. } => (*slot, Pointer::Block { node: NULL, offset: *offset }),
        other => (*slot, *other),
    };
    let outline = Outline {
        calls: state.calls.clone(),
        function: state.function,
        location: state.location,
        pointers: state.pointers.iter().map(without_node).collect(),
        numbers: state.numbers.iter().map(|(id, bits)| (*id, *bits)).collect(),
        names,
    };
    Meeting { fingerprint: FxBuildHasher.hash_one(&outline), outline }
}

impl Analysis for ShapeAnalysis<'_, '_> {
    type State = State;
    type Precision = ();
    type Meeting = Meeting;
    type Label = Vec<(FunctionId, EdgeId)>;
    type Finding = Raised;

    fn transfer(
        &mut self,
        mut state: State,
        (): &(),
        step: &mut Step<'_, Self>,
    ) -> Result<(), Raised> {
        let model = self.model;
        if !depart(model, &mut state) {
            return Ok(());
        }
        let mut transfer = Transfer::new(model);
        let mut trails = std::mem::take(&mut self.trails);
        let mut pending = std::mem::take(&mut self.pending);
        pending.push((state, None));
        let (mut steps, mut looks) = (0, 0u64);
        let mut result = Ok(());
        while let Some((state, trail)) = pending.pop() {
            // A look at the clock takes as long as a step.
            let is_over = looks.is_multiple_of(64) && step.is_over();
            looks += 1;
            if steps > MOST_STEPS || is_over {
                // Not followed: to go on from there later.
                step.go_on(trails.edges(trail), state);
                continue;
            }
            let edges = &model.atlas.chart(state.function).outgoing[state.location];
            let mut left = Some(state);
            for (index, &edge) in edges.iter().enumerate() {
                steps += 1;
                // The last edge takes the state itself; where a condition is known, no copy is made for nothing.
                let is_last = index + 1 == edges.len();
                let whole = left.as_ref().expect("one for each edge");
                if !is_last && transfer.is_closed(whole, edge) {
                    continue;
                }
                let state = if is_last { left.take() } else { left.clone() };
                let state = state.expect("one for each edge");
                let trail = trails.pass(trail, (state.function, edge));
                let arrived = |state, names| {
                    step.arrive(meeting_of(&state, names), trails.edges(trail), state);
                };
                let going = |state| pending.push((state, trail));
                if let Err(alarm) = self.follow(&mut transfer, state, edge, (arrived, going)) {
                    let asked = std::mem::take(&mut transfer.consulted);
                    let numbers = std::mem::take(&mut transfer.asked);
                    result = Err(Raised { alarm, trail: trails.edges(trail), asked, numbers });
                    pending.clear();
                    break;
                }
            }
        }
        trails.passed.clear();
        (self.trails, self.pending) = (trails, pending);
        step.count_work(steps);
        self.steps += steps;
        self.structures += transfer.structures;
        result
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        // Where they meet, nodes have the same names.
        describes_named(&known.heap, &new.heap)
    }

    fn merge(&mut self, known: &State, (): &(), new: &State) -> Merge<Self> {
        let precision = &self.model.precision;
        let is_exact = |state: &State| precision.keeps_small && state.heap.summaries() == 0;
        if !precision.joins || is_exact(known) && is_exact(new) {
            return Merge::Apart;
        }
        let heap = Rc::new(join_named(&known.heap, &new.heap));
        Merge::Joined(State { heap, is_sharp: false, ..known.clone() }, ())
    }
}

impl ShapeAnalysis<'_, '_> {
    /// Passes an edge, and gives away the states that have arrived at a cut point and those that go on.
    fn follow(
        &mut self,
        transfer: &mut Transfer<'_, '_>,
        state: State,
        edge: EdgeId,
        (mut arrived, mut going): (impl FnMut(State, Vec<Name>), impl FnMut(State)),
    ) -> Result<(), Alarm> {
        let place = (state.function, edge);
        let mut pass = |mut next: State| {
            if !self.model.atlas.is_cut(next.function, next.location) {
                going(next);
                return Ok(());
            }
            let names = self.arrive(&mut next).map_err(|kind| {
                let place = crate::place_of(self.model.program(), place);
                Alarm { kind, place }
            })?;
            arrived(next, names);
            Ok(())
        };
        match transfer.step(state, edge)? {
            Next::Nothing => Ok(()),
            Next::One(next) => pass(next),
            Next::Several(states) => states.into_iter().try_for_each(pass),
        }
    }
}

/// The states that an exploration has reached, in the order of their places.
pub(crate) type Reached = Vec<State>;

pub(crate) fn in_order(reached: BTreeMap<Meeting, Vec<State>>) -> Reached {
    let mut places: Vec<(Meeting, Vec<State>)> = reached.into_iter().collect();
    places.sort_by(|one, other| one.0.outline.cmp(&other.0.outline));
    places.into_iter().flat_map(|(_, states)| states).collect()
}
