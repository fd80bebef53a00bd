//! The exploration with summaries: states meet at loop heads, where they are folded, covered and
//! generalised until nothing new appears. It proves; it never refutes.

use std::collections::BTreeMap;

use heapwright_engine::{Deadline, Reason};
use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Limit, Merge, Order, Step,
};
use heapwright_memory::FaultKind;
use heapwright_property::Part;

use crate::TIME_IS_OVER;
use crate::context::Context;
use crate::cover::Relation;
use crate::meeting::MeetingPlace;
use crate::normalise::Lost;
use crate::outcome::Outcome;
use crate::state::State;

/// States that describe all executions where states meet.
pub(crate) type Invariants = BTreeMap<MeetingPlace, Vec<State>>;

/// Visits of a shape before its numbers are widened.
const PATIENCE: u32 = 2;

/// Edges from one meeting place to the next ones, on all paths together.
const STEPS_BETWEEN: u64 = 200_000;

/// The invariants, if every execution is described by them and none is faulty.
pub(crate) fn find_invariants(
    context: &mut Context<'_>,
    initial: State,
    deadline: &Deadline,
) -> Result<Invariants, Reason> {
    let budgets = Budgets { at_one_place: context.settings.shapes, ..Budgets::UNLIMITED };
    let mut explorer = Explorer::new(Order::DepthFirst);
    let mut summaries = Summaries { context };
    explorer.start(&summaries, initial, 0, None);
    let is_over = || deadline.is_over();
    match explorer.run(&mut summaries, &mut Control::new(budgets, &is_over)) {
        End::Complete => Ok(explorer.into_graph().into_reached()),
        End::Decided => {
            let last = explorer.take_findings().pop();
            Err(last.expect("a decision has a reason").finding)
        }
        End::Limited(limit) => Err(Reason::new(match limit {
            Limit::Interrupted => TIME_IS_OVER,
            Limit::AtOnePlace => "too many shapes of the heap at a loop head",
            Limit::Work | Limit::Nodes | Limit::Waiting => "the exploration is too large",
        })),
    }
}

/// The analysis. The precision of a state is how often it was generalised: after a while, numbers
/// are not told apart any more.
struct Summaries<'c, 't> {
    context: &'c mut Context<'t>,
}

impl Analysis for Summaries<'_, '_> {
    type State = State;
    type Precision = u32;
    type Meeting = MeetingPlace;
    type Label = ();
    /// A hole in the proof: it ends the exploration.
    type Finding = Reason;

    fn transfer(&mut self, state: State, _: &u32, step: &mut Step<'_, Self>) -> Result<(), Reason> {
        let arrived = self.context.run_to_meeting_places(state, &|| step.is_over())?;
        for (place, state) in arrived {
            step.arrive(place, (), state);
        }
        Ok(())
    }

    fn adjust(&mut self, mut state: State, _: &u32) -> Result<(State, u32), Reason> {
        self.context.reduce(&mut state)?;
        Ok((state, 0))
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        let is_covered = self.context.is_covered(known, new);
        self.context.statistics.covered += u64::from(is_covered);
        is_covered
    }

    fn merge(&mut self, known: &State, visits: &u32, new: &State) -> Merge<Self> {
        match self.context.relate(known, new, *visits >= PATIENCE) {
            Relation::Covers => Merge::Covered,
            Relation::Generalised(general) => Merge::Joined(*general, visits + 1),
            Relation::Unrelated => Merge::Apart,
        }
    }
}

impl Context<'_> {
    /// Runs a state to the next meeting places on all paths. A fault or anything that is not
    /// followed is a reason to stop: the proof would have a hole.
    pub(crate) fn run_to_meeting_places(
        &mut self,
        state: State,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<(MeetingPlace, State)>, Reason> {
        let mut arrived = Vec::new();
        let mut work = vec![state];
        let mut steps = 0u64;
        while let Some(state) = work.pop() {
            steps += 1;
            if steps.is_multiple_of(64) && is_over() {
                return Err(Reason::new(TIME_IS_OVER));
            }
            if steps > STEPS_BETWEEN {
                return Err(Reason::new("too many steps between two loop heads"));
            }
            for outcome in self.step(state) {
                match outcome {
                    Outcome::Continues(state) => match self.meeting_place(&state) {
                        Some(place) => arrived.push((place, state)),
                        None => work.push(state),
                    },
                    // Not an arrival, even at a loop head: the edge is still to be taken.
                    Outcome::Again(state) => work.push(state),
                    Outcome::Blocked => {}
                    Outcome::Lost(reason) => return Err(reason),
                    Outcome::Fault { kind, place, .. } => {
                        return Err(Reason::at(format!("a possible {kind}"), place));
                    }
                    Outcome::Ends { state, place } => {
                        if self.leaks_at_end(&state) {
                            let kind = FaultKind::Leak;
                            return Err(Reason::at(format!("a possible {kind}"), place));
                        }
                    }
                }
            }
        }
        Ok(arrived)
    }

    /// Normalises a state that arrives; a heap block that is lost on the way may be a leak.
    pub(crate) fn reduce(&mut self, state: &mut State) -> Result<(), Reason> {
        let specification = &self.task.specification;
        let matters =
            specification.asks(Part::ValidMemtrack) || specification.asks(Part::ValidMemcleanup);
        match self.normalise(state) {
            Lost::Block if matters => {
                let frame = state.frame();
                let place = self
                    .outgoing(frame.function, frame.location)
                    .first()
                    .map(|&edge| self.edge(frame.function, edge).place);
                Err(Reason { text: "a possible leak".to_owned(), place })
            }
            Lost::Block | Lost::Nothing => Ok(()),
        }
    }

    /// Whether a program that ends in this state has lost a block, or left one, as far as it
    /// matters.
    pub(crate) fn leaks_at_end(&mut self, state: &State) -> bool {
        let specification = &self.task.specification;
        let track = specification.asks(Part::ValidMemtrack);
        let cleanup = specification.asks(Part::ValidMemcleanup);
        (track && !self.lost_blocks(state).is_empty())
            || (cleanup && !Context::unfreed_blocks(state).is_empty())
    }
}
