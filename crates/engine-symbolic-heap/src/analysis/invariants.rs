//! The exploration with summaries: states meet at loop heads, where they are folded, covered and
//! generalised until nothing new appears. It proves; it never refutes.

use heapwright_engine::Deadline;
use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Limit, Merge, Order, Step,
};
use heapwright_memory::FaultKind;
use heapwright_program::Place;
use heapwright_property::Part;

use crate::abstraction::abstraction_points::MeetingPlace;
use crate::abstraction::entail::Relation;
use crate::abstraction::normalise::Lost;
use crate::context::Context;
use crate::execution::outcome::{Outcome, is_excused};
use crate::heap::state::State;
use crate::heap::trail::Alarm;
use crate::interprocedural::{Invariants, PATIENCE, Places, Procedures, Table};
use crate::no_proof::NoProof;

/// Edges from one meeting place to the next ones, on all paths together.
const STEPS_BETWEEN: u64 = 200_000;

/// The invariants, if every execution is described by them and none is faulty.
pub(crate) fn find_invariants(
    context: &mut Context<'_>,
    initial: State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    context.cut_recursion();
    let failure = match find_with_calls_cut(context, &initial, deadline) {
        Err(failure) if context.has_recursion() && failure != NoProof::TimeIsOver => failure,
        found => return found,
    };
    // Of a recursion that ends soon, more is known if its calls are followed.
    context.follow_recursion();
    let short = deadline.at_most_work(context.settings.summary_first_look / 2);
    find_all(context, &initial, &short).map_err(|_| failure)
}

/// Cuts off the calls of recursive functions, shallowly where it must be.
fn find_with_calls_cut(
    context: &mut Context<'_>,
    initial: &State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    loop {
        match find_all(context, initial, deadline) {
            // Ends because each attempt cuts the calls of one more function shallowly.
            Err(NoProof::HeldTooMuch(function)) if context.shallow.insert(function) => {}
            found => return found,
        }
    }
}

/// Explores the program and the calls that are cut off, until nothing new appears.
fn find_all(
    context: &mut Context<'_>,
    initial: &State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    let mut table = Table::new(context.settings.shapes);
    while let Some((_, entry)) = table.next() {
        let start = entry.unwrap_or_else(|| initial.clone());
        let places = find_places(context, &mut table, start, deadline)?;
        table.explored(places);
    }
    let (program, procedures) = table.into_parts();
    Ok(Invariants { program, procedures })
}

/// Explores the program, or one call of a recursive function, with what is known of other calls.
fn find_places(
    context: &mut Context<'_>,
    table: &mut Table,
    start: State,
    deadline: &Deadline,
) -> Result<Places, NoProof> {
    let budgets = Budgets { at_one_place: context.settings.shapes, ..Budgets::UNLIMITED };
    let mut explorer = Explorer::new(Order::DepthFirst);
    let mut summaries = Summaries { context, table };
    explorer.start(&summaries, start, 0, None);
    let is_over = || deadline.is_over();
    match explorer.run(&mut summaries, &mut Control::new(budgets, &is_over)) {
        End::Complete => Ok(explorer.into_graph().into_reached()),
        End::Decided => {
            let last = explorer.take_findings().pop();
            Err(last.expect("a decision has a reason").finding)
        }
        End::Limited(limit) => Err(match limit {
            Limit::Interrupted => NoProof::TimeIsOver,
            Limit::AtOnePlace => NoProof::because("too many shapes of the heap at a loop head"),
            Limit::Work | Limit::Nodes | Limit::Waiting => {
                NoProof::because("the exploration is too large")
            }
        }),
    }
}

/// The analysis. The precision of a state is how often it was generalised: after a while, numbers
/// are not told apart any more.
struct Summaries<'c, 't> {
    context: &'c mut Context<'t>,
    table: &'c mut Table,
}

impl Analysis for Summaries<'_, '_> {
    type State = State;
    type Precision = u32;
    type Meeting = MeetingPlace;
    type Label = ();
    /// A hole in the proof: it ends the exploration.
    type Finding = NoProof;

    fn transfer(
        &mut self,
        state: State,
        _: &u32,
        step: &mut Step<'_, Self>,
    ) -> Result<(), NoProof> {
        let is_over = || step.is_over();
        let arrived = self.context.run_to_meeting_places(state, self.table, &is_over)?;
        for (place, state) in arrived {
            step.arrive(place, (), state);
        }
        Ok(())
    }

    fn adjust(&mut self, mut state: State, _: &u32) -> Result<(State, u32), NoProof> {
        self.context.reduce(&mut state)?;
        Ok((state, 0))
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        let is_covered = self.context.entails(known, new).is_ok();
        self.context.services.statistics.covered += u64::from(is_covered);
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
        procedures: &mut dyn Procedures,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<(MeetingPlace, State)>, NoProof> {
        let mut arrived = Vec::new();
        let mut work = vec![state];
        let mut steps = 0u64;
        while let Some(state) = work.pop() {
            steps += 1;
            if steps.is_multiple_of(64) && is_over() {
                return Err(NoProof::TimeIsOver);
            }
            self.learnt.widest = self.learnt.widest.max(arrived.len() + work.len());
            if steps > STEPS_BETWEEN {
                return Err(NoProof::because("too many steps between two loop heads"));
            }
            for outcome in self.step(state) {
                match outcome {
                    Outcome::Continues(state) => match self.meeting_place(&state) {
                        Some(place) => arrived.push((place, state)),
                        None => work.push(state),
                    },
                    // Not an arrival, even at a loop head: the edge is still to be taken.
                    Outcome::Again(state) => work.push(state),
                    Outcome::Calls(state) => {
                        for state in self.behind_call(state, procedures)? {
                            match self.meeting_place(&state) {
                                Some(place) => arrived.push((place, state)),
                                None => work.push(state),
                            }
                        }
                    }
                    Outcome::Returns(state) => procedures.returned(self, state)?,
                    Outcome::Blocked => {}
                    Outcome::Unknown(reason) => return Err(NoProof::Unknown(reason)),
                    Outcome::Fault { kind, .. } if is_excused(self.task, kind) => {}
                    Outcome::Fault { state, kind, place } => {
                        let (place, alarm) = (Some(place), Alarm::of(&state));
                        return Err(NoProof::PossibleFault { kind, place, alarm });
                    }
                    Outcome::Ends { state, place } => {
                        if self.leaks_at_end(&state) {
                            return Err(possible_leak(&state, Some(place)));
                        }
                        procedures.ended()?;
                    }
                }
            }
        }
        Ok(arrived)
    }

    /// The states in which a call that is cut off returns.
    fn behind_call(
        &mut self,
        state: State,
        procedures: &mut dyn Procedures,
    ) -> Result<Vec<State>, NoProof> {
        let (entry, waiting) = self.localise(state)?;
        let effect = procedures.called(self, entry)?;
        if effect.ends {
            // The callee has looked at its part of the heap.
            if self.leaks_at_end(&waiting.rest) {
                return Err(possible_leak(&waiting.rest, None));
            }
            procedures.ended()?;
        }
        let mut states = Vec::new();
        for exit in &effect.exits {
            states.extend(self.combine(&waiting, exit)?);
        }
        Ok(states)
    }

    /// Normalises a state that arrives; a heap block that is lost on the way may be a leak.
    pub(crate) fn reduce(&mut self, state: &mut State) -> Result<(), NoProof> {
        let specification = &self.task.specification;
        let matters =
            specification.asks(Part::ValidMemtrack) || specification.asks(Part::ValidMemcleanup);
        match self.normalise(state) {
            Lost::Block if matters => {
                let place = state.frames.last().and_then(|frame| {
                    let edges = self.names.facts.outgoing(frame.function, frame.location);
                    edges.first().map(|&edge| self.names.facts.edge(frame.function, edge).place)
                });
                Err(possible_leak(state, place))
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

fn possible_leak(state: &State, place: Option<Place>) -> NoProof {
    NoProof::PossibleFault { kind: FaultKind::Leak, place, alarm: Alarm::of(state) }
}
