//! Claims at loop heads: what engines have in common whose certificate lists states there.
//!
//! Each engine has its own states, steps and meaning of a claim; what is done with them is the same. The check follows
//! all edges from the start and from every claim to the next loop heads, where some claim must stand for what
//! arrives. The oracle asks whether a running machine is in a claimed state, and for small states to run from.

use std::collections::BTreeMap;
use std::fmt;

use heapwright_interpreter::{Machine, Snapshot};
use heapwright_program::{EdgeId, FunctionId, LocationId, Program};

use crate::{Choice, CutId, CutPoint, Deadline, Evidence, Membership, Reason, Sample, Task};

/// Where a state is: the calls under way, outermost first, then the innermost function and its location.
pub type Whereabouts = (Vec<(FunctionId, EdgeId)>, FunctionId, LocationId);

/// Steps of an engine over its states.
pub trait Steps {
    type State: Clone;

    /// The state before the first step, unless there is no `main`.
    fn start(&self) -> Option<Self::State>;

    /// Whether states are claimed where this one is.
    fn is_at_head(&self, state: &Self::State) -> bool;

    /// The edges that leave the place where it is.
    fn outgoing(&self, state: &Self::State) -> &[EdgeId];

    /// The states that an edge leads to, or why it is not known to be right.
    fn step(&self, state: Self::State, edge: EdgeId) -> Result<Vec<Self::State>, Reason>;

    /// Whether a claim stands for every execution that is in the other state.
    fn stands_for(&self, claim: &Self::State, state: &Self::State) -> bool;

    /// A state, for people who look for what is wrong with a certificate.
    fn tell(&self, state: &Self::State) -> String;
}

/// Steps from one state to the next loop heads.
const MOST_STEPS: usize = 100_000;

/// Whether the start of the program and every step from a claim lead to what is claimed.
pub fn check_claims<S: Steps>(
    steps: &S,
    claims: &[S::State],
    deadline: &Deadline,
) -> Result<(), Reason> {
    let check = Check { steps, claims, deadline };
    let start = steps.start().ok_or_else(|| Reason::new("there is no `main`"))?;
    // A loop may begin where the program does.
    if steps.is_at_head(&start) {
        check.arrive(&start)?;
    }
    check.follow(start)?;
    claims.iter().try_for_each(|state| check.follow(state.clone()))
}

struct Check<'c, S: Steps> {
    steps: &'c S,
    claims: &'c [S::State],
    deadline: &'c Deadline,
}

impl<S: Steps> Check<'_, S> {
    /// Goes on from a state to the next loop heads.
    fn follow(&self, state: S::State) -> Result<(), Reason> {
        let mut pending = vec![state];
        let mut steps = 0;
        while let Some(state) = pending.pop() {
            if self.deadline.is_over() {
                return Err(Reason::new("the time was over before the certificate was checked"));
            }
            for &edge in self.steps.outgoing(&state) {
                steps += 1;
                if steps > MOST_STEPS {
                    return Err(Reason::new("a loop of which the certificate says nothing"));
                }
                for next in self.steps.step(state.clone(), edge)? {
                    match self.steps.is_at_head(&next) {
                        true => self.arrive(&next)?,
                        false => pending.push(next),
                    }
                }
            }
        }
        Ok(())
    }

    /// At a loop head, a claim must stand for what arrives.
    fn arrive(&self, state: &S::State) -> Result<(), Reason> {
        if self.claims.iter().any(|claim| self.steps.stands_for(claim, state)) {
            return Ok(());
        }
        let what = "the certificate claims nothing that stands for a state to which it leads";
        Err(Reason::new(format!("{what}: {}", self.steps.tell(state))))
    }
}

/// What claims mean for running machines.
#[derive(Clone, Copy)]
pub struct Meaning<C> {
    pub whereabouts: fn(&C) -> Whereabouts,
    /// Whether a claim stands for the machine's state. `None`: not found out.
    pub contains: fn(&C, &Machine<'_>) -> Option<bool>,
    /// Memories with so many blocks more than claims name.
    pub small_states: fn(&[C], usize, &Program) -> Vec<Snapshot>,
}

impl<C> fmt::Debug for Meaning<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meaning").finish_non_exhaustive()
    }
}

/// Claims as the oracle asks about them.
#[derive(Debug)]
pub struct ClaimedStates<C> {
    meaning: Meaning<C>,
    /// The claims of each cut point.
    claims: Vec<Vec<C>>,
    cut_points: Vec<CutPoint>,
    program: Program,
    /// The small states that were asked for, by cut point and size.
    small: BTreeMap<(CutId, u32), Vec<Snapshot>>,
}

/// Blocks that are looked at.
const MOST_BLOCKS: usize = 60;

impl<C> ClaimedStates<C> {
    #[must_use]
    pub fn of(claims: Vec<C>, meaning: Meaning<C>, task: &Task) -> ClaimedStates<C> {
        let mut by_place: BTreeMap<Whereabouts, Vec<C>> = BTreeMap::new();
        for state in claims {
            by_place.entry((meaning.whereabouts)(&state)).or_default().push(state);
        }
        let cut = |(calls, function, location): &Whereabouts| CutPoint {
            function: *function,
            location: *location,
            name: format!("{location} of `{}`", task.program.functions[*function].name),
            callers: Some(calls.clone()),
            over: Vec::new(),
        };
        let cut_points = by_place.keys().map(cut).collect();
        let (claims, small) = (by_place.into_values().collect(), BTreeMap::new());
        ClaimedStates { meaning, claims, cut_points, program: task.program.clone(), small }
    }
}

impl<C: fmt::Debug> Evidence for ClaimedStates<C> {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cut_points
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        if machine.memory().live_heap_blocks() > MOST_BLOCKS {
            return Membership::Unclear("too many blocks to compare with claims".to_owned());
        }
        let mut is_unclear = false;
        for claim in &self.claims[cut] {
            match (self.meaning.contains)(claim, machine) {
                Some(true) => return Membership::In,
                Some(false) => {}
                None => is_unclear = true,
            }
        }
        match is_unclear {
            true => Membership::Unclear("too many ways to compare blocks with claims".to_owned()),
            false => {
                Membership::Out("nothing that the certificate claims stands for it".to_owned())
            }
        }
    }

    fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (claims, program) = (&self.claims[cut], &self.program);
        let states = self
            .small
            .entry((cut, choice.size))
            .or_insert_with(|| (self.meaning.small_states)(claims, choice.size as usize, program));
        match states.get(choice.index as usize) {
            Some(state) => Sample::State(Box::new(state.clone())),
            None => Sample::NoMore,
        }
    }
}
