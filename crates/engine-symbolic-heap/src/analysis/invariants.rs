//! The exploration with summaries: states meet at loop heads, where they are folded, covered and
//! generalised until nothing new appears. It proves; it never refutes.

use heapwright_engine::{Attention, Deadline, Detail, Phase};
use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Limit, Merge, Order, Step,
};

use crate::abstraction::abstraction_points::{AbstractionPoint, abstraction_point};
use crate::abstraction::entail::{Join, entails, join};
use crate::abstraction::gap::{difference, tell_not_described};
use crate::abstraction::leak::{leaks_at_end, possible_leak, reduce};
use crate::analysis::search::Search;
use crate::execution::outcome::{Outcome, is_excused};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::trail::Alarm;
use crate::interprocedural::combine::combine;
use crate::interprocedural::localise::localise;
use crate::interprocedural::{Invariants, PATIENCE, Places, Procedures, Table};
use crate::no_proof::NoProof;

/// Edges from one abstraction point to the next ones, on all paths together.
const STEPS_BETWEEN: u64 = 200_000;

/// Units of work for a recursion whose calls are followed: it ends soon, or does not end.
const WORK_ON_FOLLOWED_CALLS: u64 = 20_000;

/// The invariants, if every execution is described by them and none is faulty.
pub(crate) fn find_invariants(
    search: &mut Search<'_>,
    initial: State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    search.calls.are_cut = true;
    let failure = match find_with_calls_cut(search, &initial, deadline) {
        Err(failure)
            if search.reasoner.names.facts.has_recursion() && failure != NoProof::TimeIsOver =>
        {
            failure
        }
        found => return found,
    };
    // Of a recursion that ends soon, more is known if its calls are followed.
    search.calls.are_cut = false;
    let meter = search.reasoner.services.meter();
    let short = deadline.at_most_units(&meter, WORK_ON_FOLLOWED_CALLS);
    find_all(search, &initial, &short).map_err(|_| failure)
}

/// Cuts off the calls of recursive functions, shallowly where it must be.
fn find_with_calls_cut(
    search: &mut Search<'_>,
    initial: &State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    loop {
        match find_all(search, initial, deadline) {
            // Ends because each attempt cuts the calls of one more function shallowly.
            Err(NoProof::HeldTooMuch(function)) if search.calls.shallow.insert(function) => {}
            found => return found,
        }
    }
}

/// Explores the program and the calls that are cut off, until nothing new appears.
fn find_all(
    search: &mut Search<'_>,
    initial: &State,
    deadline: &Deadline,
) -> Result<Invariants, NoProof> {
    let mut table = Table::new(search.reasoner.services.settings.shapes);
    while let Some((_, entry)) = table.next() {
        let start = entry.unwrap_or_else(|| initial.clone());
        let places = find_places(search, &mut table, start, deadline)?;
        table.explored(places);
    }
    let (program, procedures) = table.into_parts();
    Ok(Invariants { program, procedures })
}

/// Explores the program, or one call of a recursive function, with what is known of other calls.
fn find_places(
    search: &mut Search<'_>,
    table: &mut Table,
    start: State,
    deadline: &Deadline,
) -> Result<Places, NoProof> {
    let budgets =
        Budgets { at_one_place: search.reasoner.services.settings.shapes, ..Budgets::UNLIMITED };
    let mut explorer = Explorer::new(Order::DepthFirst);
    let mut summaries = Summaries { search, table };
    explorer.start(&summaries, start, 0, None);
    let is_over = || deadline.is_over();
    match explorer.run(&mut summaries, &mut Control::new(budgets, &is_over)) {
        End::Complete => Ok(explorer.into_graph().into_reached()),
        End::Decided => {
            let last = explorer.take_findings().pop();
            Err(last.expect("a decision has a reason").finding)
        }
        End::Limited(limit) => {
            let why = match limit {
                Limit::Interrupted => NoProof::TimeIsOver,
                Limit::AtOnePlace => NoProof::because("too many shapes of the heap at a loop head"),
                Limit::Work | Limit::Nodes | Limit::Waiting => {
                    NoProof::because("the exploration is too large")
                }
            };
            let places = explorer.into_graph().into_reached();
            tell_last_shape(summaries.search, &places, &why);
            Err(why)
        }
    }
}

/// Tells those who look closely what the last of too many shapes at a place has that others do not have.
fn tell_last_shape(search: &mut Search<'_>, places: &Places, why: &NoProof) {
    if let Some([known @ .., last]) =
        places.values().max_by_key(|states| states.len()).map(Vec::as_slice)
    {
        tell_not_described(&mut search.domain(), last, known.iter().rev().take(3), why);
    }
}

/// The analysis. The precision of a state is how often it was generalised: after a while, numbers
/// are not told apart any more.
struct Summaries<'c, 't> {
    search: &'c mut Search<'t>,
    table: &'c mut Table,
}

impl Analysis for Summaries<'_, '_> {
    type State = State;
    type Precision = u32;
    type Meeting = AbstractionPoint;
    type Label = ();
    /// A hole in the proof: it ends the exploration.
    type Finding = NoProof;

    fn transfer(
        &mut self,
        state: State,
        visits: &u32,
        step: &mut Step<'_, Self>,
    ) -> Result<(), NoProof> {
        let is_over = || step.is_over();
        let reasoner = &mut self.search.reasoner;
        reasoner.tell_progress(Phase::FindingInvariants, u64::from(*visits));
        reasoner.tell(Detail::Explored, |names| names.describe(&state));
        let arrived = self.search.run_to_abstraction_points(state, self.table, &is_over)?;
        for (place, state) in arrived {
            step.arrive(place, (), state);
        }
        Ok(())
    }

    fn adjust(&mut self, mut state: State, _: &u32) -> Result<(State, u32), NoProof> {
        let reduced = reduce(&mut self.search.domain(), &mut state);
        if let Err(why) = &reduced {
            self.search.reasoner.tell_step((None, Some(&state)), why);
        }
        reduced.map(|()| (state, 0))
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        let covered = entails(&mut self.search.domain(), known, new);
        let reasoner = &mut self.search.reasoner;
        reasoner.services.statistics.covered += u64::from(covered.is_ok());
        match &covered {
            Ok(()) => reasoner.tell(Detail::Covered, |names| names.describe(new)),
            Err(mismatch) => {
                reasoner.tell(Detail::Apart, |names| difference(names, known, mismatch));
            }
        }
        covered.is_ok()
    }

    fn merge(&mut self, known: &State, visits: &u32, new: &State) -> Merge<Self> {
        match join(&mut self.search.domain(), known, new, *visits >= PATIENCE) {
            Join::Covers => Merge::Covered,
            Join::General(general) => {
                let text = |names: &mut Names<'_>| names.describe(&general);
                self.search.reasoner.tell(Detail::Joined, text);
                Merge::Joined(*general, visits + 1)
            }
            Join::Apart => Merge::Apart,
        }
    }
}

impl Search<'_> {
    /// Runs a state to the next abstraction points on all paths. A fault or anything that is not
    /// followed is a reason to stop: the proof would have a hole.
    pub(crate) fn run_to_abstraction_points(
        &mut self,
        state: State,
        procedures: &mut dyn Procedures,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<(AbstractionPoint, State)>, NoProof> {
        let mut arrived = Vec::new();
        let from = self.reasoner.is_watched(Attention::Gaps).then(|| state.clone());
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
            for outcome in self.executor().step(state) {
                match outcome {
                    Outcome::Continues(state) => {
                        match abstraction_point(&self.reasoner.names, &self.precision, &state) {
                            Some(place) => arrived.push((place, state)),
                            None => work.push(state),
                        }
                    }
                    // Not an arrival, even at a loop head: the edge is still to be taken.
                    Outcome::Again(state) => work.push(state),
                    Outcome::Calls(state) => {
                        for state in self.behind_call(state, procedures)? {
                            match abstraction_point(&self.reasoner.names, &self.precision, &state) {
                                Some(place) => arrived.push((place, state)),
                                None => work.push(state),
                            }
                        }
                    }
                    Outcome::Returns(state) => procedures.returned(&mut self.domain(), state)?,
                    Outcome::Blocked => {}
                    Outcome::Unknown(reason) => {
                        let why = NoProof::Unknown(reason);
                        self.reasoner.tell_step((from.as_ref(), None), &why);
                        return Err(why);
                    }
                    Outcome::Fault { kind, .. } if is_excused(self.reasoner.names.task(), kind) => {
                    }
                    Outcome::Fault { state, kind, place } => {
                        let (place, alarm) = (Some(place), Alarm::of(&state));
                        let why = NoProof::PossibleFault { kind, place, alarm };
                        self.reasoner.tell_step((from.as_ref(), Some(&state)), &why);
                        return Err(why);
                    }
                    Outcome::Ends { state, place } => {
                        if leaks_at_end(&mut self.reasoner, &state) {
                            let why = possible_leak(&state, Some(place));
                            self.reasoner.tell_step((from.as_ref(), Some(&state)), &why);
                            return Err(why);
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
        let (entry, waiting) = localise(&mut self.reasoner, &self.calls, state)?;
        let effect = procedures.called(&mut self.domain(), entry)?;
        if effect.ends {
            // The callee has looked at its part of the heap.
            if leaks_at_end(&mut self.reasoner, &waiting.rest) {
                return Err(possible_leak(&waiting.rest, None));
            }
            procedures.ended()?;
        }
        let mut states = Vec::new();
        for exit in &effect.exits {
            states.extend(combine(&mut self.reasoner, &waiting, exit)?);
        }
        Ok(states)
    }
}
