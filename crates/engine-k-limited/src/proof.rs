//! Proofs: a certificate, and whether the start of the program and every step lead to what it claims.

use heapwright_engine::{Deadline, Evidence, NoEvidence, Proof, Reason, Task};
use heapwright_graph_text::{State, describes, text};
use heapwright_program::analysis::Charts;

use crate::evidence::GraphEvidence;
use crate::step::Stepper;

/// States at loop heads that describe every execution, none of which goes wrong.
#[derive(Debug)]
pub(crate) struct GraphProof {
    pub(crate) certificate: String,
    k: usize,
    graphs: usize,
    invariants: Vec<String>,
    assumptions: Vec<String>,
}

/// Steps from one state to the next loop heads.
const MOST_STEPS: usize = 100_000;

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
        let check = Check { stepper: Stepper { task, charts }, claims: &claims, deadline };
        let start = check.stepper.start().ok_or_else(|| Reason::new("there is no `main`"))?;
        check.follow(start)?;
        claims.iter().try_for_each(|state| check.follow(state.clone()))
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match text::read(&self.certificate) {
            Ok(claims) => Box::new(GraphEvidence::of(claims, task)),
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

    fn invariants(&self) -> Vec<String> {
        self.invariants.clone()
    }
}

struct Check<'c> {
    stepper: Stepper<'c>,
    claims: &'c [State],
    deadline: &'c Deadline,
}

impl Check<'_> {
    /// Goes on from a state to the next loop heads, where a claim must describe it.
    fn follow(&self, state: State) -> Result<(), Reason> {
        let mut pending = vec![state];
        let mut steps = 0;
        while let Some(state) = pending.pop() {
            if self.deadline.is_over() {
                return Err(Reason::new("the time was over before the certificate was checked"));
            }
            for &edge in self.stepper.outgoing(&state.spot) {
                steps += 1;
                if steps > MOST_STEPS {
                    return Err(Reason::new("a loop of which the certificate says nothing"));
                }
                for next in
                    self.stepper.step(state.clone(), edge).map_err(|alarm| alarm.reason())?
                {
                    if !self.stepper.is_cut(&next.spot) {
                        pending.push(next);
                    } else if !self.claims.iter().any(|it| describes(it, &next) == Some(true)) {
                        let what = "the certificate does not describe a state that it leads to";
                        return Err(Reason::new(what));
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
