//! The way of a state to the next abstraction points, on all paths.

use heapwright_engine::Attention;

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
