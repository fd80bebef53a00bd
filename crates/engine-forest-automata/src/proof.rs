//! Proofs: a certificate, and whether the start of the program and every step lead to what it claims.

use heapwright_engine::{
    ClaimedStates, Deadline, Evidence, Meaning, NoEvidence, Proof, Reason, Steps, Task,
    check_claims,
};
use heapwright_forest_text::{Forest, describes, small_states, state_of, text};
use heapwright_program::EdgeId;

use crate::abstraction::Likeness;
use crate::step::Stepper;

/// Forests at loop heads that stand for every execution, none of which goes wrong.
#[derive(Debug)]
pub(crate) struct ForestProof {
    pub(crate) certificate: String,
    likeness: Likeness,
    count: usize,
    invariants: Vec<String>,
    assumptions: Vec<String>,
}

impl ForestProof {
    pub(crate) fn of(task: &Task, likeness: Likeness, forests: &[Forest]) -> ForestProof {
        let malloc = match task.malloc_may_fail {
            true => "malloc may fail",
            false => "malloc does not fail",
        };
        ForestProof {
            certificate: text::write(forests),
            likeness,
            count: forests.len(),
            invariants: forests.iter().map(|forest| text::tell(&task.program, forest)).collect(),
            assumptions: vec![malloc.to_owned()],
        }
    }
}

impl Proof for ForestProof {
    /// From the text alone: nothing is folded, merged or joined, and nothing is searched for but how trees are
    /// laid over blocks.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let claims = text::read(&self.certificate).map_err(|error| {
            Reason::new(format!("the certificate is not well written: {error}"))
        })?;
        check_claims(&Stepper::of(task), &claims, deadline)
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match text::read(&self.certificate) {
            Ok(claims) => Box::new(ClaimedStates::of(claims, MEANING, task)),
            Err(_) => Box::new(NoEvidence),
        }
    }

    fn summary(&self) -> String {
        let (count, Likeness { height, period, .. }) = (self.count, self.likeness);
        let period = match period {
            1 => String::new(),
            period => format!(", period {period}"),
        };
        format!("{count} forests at loop heads stand for every execution (height {height}{period})")
    }

    fn assumptions(&self) -> Vec<String> {
        self.assumptions.clone()
    }

    fn invariants(&self) -> Vec<String> {
        self.invariants.clone()
    }
}

/// What is claimed of running machines.
const MEANING: Meaning<Forest> = Meaning {
    whereabouts: |claim| (claim.spot.calls.clone(), claim.spot.function, claim.spot.location),
    contains: |claim, machine| describes(claim, &state_of(machine, claim)),
    small_states,
};

impl Steps for Stepper<'_> {
    type State = Forest;

    fn start(&self) -> Option<Forest> {
        Stepper::start(self)
    }

    fn is_at_head(&self, state: &Forest) -> bool {
        self.is_cut(&state.spot)
    }

    fn outgoing(&self, state: &Forest) -> &[EdgeId] {
        Stepper::outgoing(self, &state.spot)
    }

    fn step(&self, state: Forest, edge: EdgeId) -> Result<Vec<Forest>, Reason> {
        Stepper::step(self, state, edge).map_err(|alarm| alarm.reason())
    }

    fn stands_for(&self, claim: &Forest, state: &Forest) -> bool {
        describes(claim, state) == Some(true)
    }

    fn tell(&self, state: &Forest) -> String {
        text::tell(self.program(), state)
    }
}
