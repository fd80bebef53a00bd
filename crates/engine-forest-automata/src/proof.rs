//! Proofs: a certificate, and whether the start of the program and every step lead to what it claims.

use heapwright_engine::{Deadline, Evidence, NoEvidence, Proof, Reason, Task};
use heapwright_forest_text::{Forest, describes, text};
use heapwright_program::analysis::Charts;

use crate::evidence::ForestEvidence;
use crate::step::Stepper;

/// Forests at loop heads that stand for every execution, none of which goes wrong.
#[derive(Debug)]
pub(crate) struct ForestProof {
    pub(crate) certificate: String,
    height: usize,
    count: usize,
    invariants: Vec<String>,
    assumptions: Vec<String>,
}

/// Steps from one forest to the next loop heads.
const MOST_STEPS: usize = 100_000;

impl ForestProof {
    pub(crate) fn of(task: &Task, height: usize, forests: &[Forest]) -> ForestProof {
        let malloc = match task.malloc_may_fail {
            true => "malloc may fail",
            false => "malloc does not fail",
        };
        ForestProof {
            certificate: text::write(forests),
            height,
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
        let charts = &Charts::of(&task.program);
        let check = Check { stepper: Stepper { task, charts }, claims: &claims, deadline };
        let start = check.stepper.start().ok_or_else(|| Reason::new("there is no `main`"))?;
        if check.stepper.is_cut(&start.spot) {
            check.arrive(&start)?;
        }
        check.follow(start)?;
        claims.iter().try_for_each(|forest| check.follow(forest.clone()))
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match text::read(&self.certificate) {
            Ok(claims) => Box::new(ForestEvidence::of(claims, task)),
            Err(_) => Box::new(NoEvidence),
        }
    }

    fn summary(&self) -> String {
        let (count, height) = (self.count, self.height);
        format!("{count} forests at loop heads stand for every execution (height {height})")
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
    claims: &'c [Forest],
    deadline: &'c Deadline,
}

impl Check<'_> {
    /// Goes on from a forest to the next loop heads, where a claim must stand for it.
    fn follow(&self, forest: Forest) -> Result<(), Reason> {
        let mut pending = vec![forest];
        let mut steps = 0;
        while let Some(forest) = pending.pop() {
            if self.deadline.is_over() {
                return Err(Reason::new("the time was over before the certificate was checked"));
            }
            for &edge in self.stepper.outgoing(&forest.spot) {
                steps += 1;
                if steps > MOST_STEPS {
                    return Err(Reason::new("a loop of which the certificate says nothing"));
                }
                for next in
                    self.stepper.step(forest.clone(), edge).map_err(|alarm| alarm.reason())?
                {
                    match self.stepper.is_cut(&next.spot) {
                        true => self.arrive(&next)?,
                        false => pending.push(next),
                    }
                }
            }
        }
        Ok(())
    }

    /// At a loop head, a claim must stand for what arrives.
    fn arrive(&self, forest: &Forest) -> Result<(), Reason> {
        if self.claims.iter().any(|claim| describes(claim, forest) == Some(true)) {
            return Ok(());
        }
        let state = text::tell(self.stepper.program(), forest);
        let what = "the certificate has no forest for a state that it leads to";
        Err(Reason::new(format!("{what}: {state}")))
    }
}
