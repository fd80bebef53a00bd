//! Proofs: a certificate, and whether the start of the program and every step lead to what it claims.

use heapwright_engine::{
    ClaimedStates, Deadline, Evidence, Fact, Meaning, NoEvidence, Proof, Reason, Steps, Task,
    check_claims,
};
use heapwright_graph_text::{State, describes, small_states, state_of, text};
use heapwright_program::EdgeId;
use heapwright_program::analysis::Charts;

use crate::facts::facts_of;
use crate::step::Stepper;

/// States at loop heads that describe every execution, none of which goes wrong.
#[derive(Debug)]
pub(crate) struct GraphProof {
    pub(crate) certificate: String,
    k: usize,
    graphs: usize,
    invariants: Vec<String>,
    assumptions: Vec<String>,
    facts: Vec<Fact>,
}

impl GraphProof {
    pub(crate) fn of(task: &Task, k: usize, states: &[State]) -> GraphProof {
        let malloc = match task.malloc_may_fail {
            true => "malloc may fail",
            false => "malloc does not fail",
        };
        GraphProof {
            certificate: text::write(states),
            k,
            graphs: states.len(),
            invariants: states.iter().map(|state| text::tell(&task.program, state)).collect(),
            assumptions: vec![malloc.to_owned()],
            facts: facts_of(states),
        }
    }
}

impl Proof for GraphProof {
    /// From the text alone: no limit is applied, nothing is joined, and nothing is searched for but the
    /// nodes that blocks are sent to.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let claims = text::read(&self.certificate).map_err(|error| {
            Reason::new(format!("the certificate is not well written: {error}"))
        })?;
        let charts = &Charts::of(&task.program);
        check_claims(&Stepper { task, charts }, &claims, deadline)
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match text::read(&self.certificate) {
            Ok(claims) => Box::new(ClaimedStates::of(claims, MEANING, task)),
            Err(_) => Box::new(NoEvidence),
        }
    }

    fn summary(&self) -> String {
        let (graphs, k) = (self.graphs, self.k);
        format!("{graphs} storage graphs at loop heads describe every execution (limit {k})")
    }

    fn assumptions(&self) -> Vec<String> {
        self.assumptions.clone()
    }

    fn facts(&self) -> Vec<Fact> {
        self.facts.clone()
    }

    fn invariants(&self) -> Vec<String> {
        self.invariants.clone()
    }
}

/// What is claimed of running machines.
const MEANING: Meaning<State> = Meaning {
    whereabouts: |claim| (claim.spot.calls.clone(), claim.spot.function, claim.spot.location),
    contains: |claim, machine| describes(claim, &state_of(machine, claim)),
    small_states,
};

impl Steps for Stepper<'_> {
    type State = State;

    fn start(&self) -> Option<State> {
        Stepper::start(self)
    }

    fn is_at_head(&self, state: &State) -> bool {
        self.is_cut(&state.spot)
    }

    fn outgoing(&self, state: &State) -> &[EdgeId] {
        Stepper::outgoing(self, &state.spot)
    }

    fn step(&self, state: State, edge: EdgeId) -> Result<Vec<State>, Reason> {
        Stepper::step(self, state, edge).map_err(|alarm| alarm.reason())
    }

    fn stands_for(&self, claim: &State, state: &State) -> bool {
        describes(claim, state) == Some(true)
    }

    fn tell(&self, state: &State) -> String {
        text::tell(&self.task.program, state)
    }
}

#[cfg(test)]
mod tests;
