//! The way of a state to the next abstraction points, on all paths.
//!
//! It may be long: thousands of lines without a loop are one. So a share that ends on the way leaves what was found and what is
//! still to be followed, and the next one goes on from there.

use crate::abstraction::abstraction_points::{AbstractionPoint, abstraction_point};
use crate::abstraction::leak::{leaks_at_end, possible_leak};
use crate::analysis::search::Search;
use crate::execution::outcome::{Outcome, is_excused};
use crate::heap::state::State;
use crate::heap::trail::Alarm;
use crate::interprocedural::Procedures;
use crate::interprocedural::arguments::hold_arguments;
use crate::interprocedural::combine::combine;
use crate::interprocedural::localise::localise;
use crate::no_proof::NoProof;

/// Edges from one abstraction point to the next ones, on all paths together.
const STEPS_BETWEEN: u64 = 200_000;

/// Edges between two looks at whether it is time to stop.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// Where a state leads, as far as it was followed.
pub(crate) struct Passage {
    from: State,
    /// States that are still to be followed; the last one first.
    open: Vec<State>,
    arrived: Vec<(AbstractionPoint, State)>,
    steps: u64,
}

impl Passage {
    pub(crate) fn from(state: State) -> Passage {
        Passage { open: vec![state.clone()], from: state, arrived: Vec::new(), steps: 0 }
    }

    /// The same from its start.
    pub(crate) fn anew(self) -> Passage {
        Passage::from(self.from)
    }

    /// All that arrives at an abstraction point, once nothing is left to be followed.
    pub(crate) fn into_arrived(self) -> Vec<(AbstractionPoint, State)> {
        self.arrived
    }

    /// Goes on until everything has arrived somewhere. A fault or anything that is not followed is a reason to stop: the
    /// proof would have a hole. If the time is over, it can go on later.
    pub(crate) fn go_on(
        &mut self,
        search: &mut Search<'_>,
        procedures: &mut dyn Procedures,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), NoProof> {
        loop {
            let is_due = self.steps % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1;
            if is_due && is_over() {
                return Err(NoProof::TimeIsOver);
            }
            let Some(state) = self.open.pop() else { return Ok(()) };
            self.steps += 1;
            let learnt = &mut search.learnt;
            learnt.widest = learnt.widest.max(self.arrived.len() + self.open.len());
            if self.steps > STEPS_BETWEEN {
                return Err(NoProof::because("too many steps between two loop heads"));
            }
            for outcome in search.executor().step(state) {
                self.follow(search, procedures, outcome)?;
            }
        }
    }

    fn follow(
        &mut self,
        search: &mut Search<'_>,
        procedures: &mut dyn Procedures,
        outcome: Outcome,
    ) -> Result<(), NoProof> {
        match outcome {
            Outcome::Continues(state) => self.file(search, state),
            // Not an arrival, even at a loop head: the edge is still to be taken.
            Outcome::Again(state) => self.open.push(state),
            Outcome::Calls(state) => {
                for state in search.behind_call(state, procedures)? {
                    self.file(search, state);
                }
            }
            Outcome::Returns(state) => procedures.returned(&mut search.domain(), state)?,
            Outcome::Blocked => {}
            Outcome::Unknown(reason) => {
                let why = NoProof::Unknown(reason);
                return Err(self.fails_in(search, None, why));
            }
            Outcome::Fault { kind, .. } if is_excused(search.reasoner.names.task(), kind) => {}
            Outcome::Fault { state, kind, place } => {
                let (place, alarm) = (Some(place), Alarm::of(&state));
                let why = NoProof::PossibleFault { kind, place, alarm };
                return Err(self.fails_in(search, Some(&state), why));
            }
            Outcome::Ends { state, place } => {
                if leaks_at_end(&mut search.reasoner, &state) {
                    let why = possible_leak(&state, Some(place));
                    return Err(self.fails_in(search, Some(&state), why));
                }
                procedures.ended()?;
            }
        }
        Ok(())
    }

    fn file(&mut self, search: &Search<'_>, state: State) {
        match abstraction_point(&search.reasoner.names, &search.precision, &state) {
            Some(place) => self.arrived.push((place, state)),
            None => self.open.push(state),
        }
    }

    /// Tells those who look closely where it fails.
    fn fails_in(&self, search: &mut Search<'_>, state: Option<&State>, why: NoProof) -> NoProof {
        search.reasoner.tell_step((Some(&self.from), state), &why);
        why
    }
}

impl Search<'_> {
    /// The states in which a call that is cut off returns.
    fn behind_call(
        &mut self,
        state: State,
        procedures: &mut dyn Procedures,
    ) -> Result<Vec<State>, NoProof> {
        let (mut entry, mut waiting) =
            localise(&mut self.reasoner, (&self.calls, &self.precision), state)?;
        hold_arguments(&mut self.domain(), &mut entry, &mut waiting)?;
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
