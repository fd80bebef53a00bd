//! The gate: the only place where a verdict is made.
//!
//! *Violated* needs inputs with which the reference interpreter reaches the fault again. *Holds*
//! needs a proof that its own check accepts. Everything else is *unknown*, with the reason.

use heapwright_engine::{
    Deadline, Finding, Proof, REPLAY_STEPS, Reason, Task, listed_inputs, run_settings, violation_of,
};
use heapwright_interpreter::{
    DrawnInput, Environment, Executable, Loss, Machine, RunReport, locate_loss,
};
use heapwright_memory::BlockSummary;
use heapwright_property::Part;

/// An answer. Its parts cannot be made outside this crate.
#[derive(Debug)]
pub enum Verdict {
    Holds(CheckedProof),
    Violated(Box<ReplayedViolation>),
    Unknown(Vec<Reason>),
}

/// A proof that was checked again.
#[derive(Debug)]
pub struct CheckedProof {
    summary: String,
    assumptions: Vec<String>,
    invariants: Vec<String>,
}

impl CheckedProof {
    /// What was proved and how.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// What holds at the loop heads, in words.
    #[must_use]
    pub fn invariants(&self) -> &[String] {
        &self.invariants
    }

    /// Under what the answer holds.
    #[must_use]
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

/// A violation that the interpreter showed again.
#[derive(Debug)]
pub struct ReplayedViolation {
    part: Part,
    inputs: Vec<DrawnInput>,
    report: RunReport,
    block: Option<BlockSummary>,
    loss: Option<Loss>,
}

impl ReplayedViolation {
    #[must_use]
    pub fn part(&self) -> Part {
        self.part
    }

    /// The inputs of the failing execution, in the order in which it draws them.
    #[must_use]
    pub fn inputs(&self) -> &[DrawnInput] {
        &self.inputs
    }

    /// The failing run, with its trace.
    #[must_use]
    pub fn report(&self) -> &RunReport {
        &self.report
    }

    /// The lost or unfreed block.
    #[must_use]
    pub fn block(&self) -> Option<&BlockSummary> {
        self.block.as_ref()
    }

    /// Where the last pointer to the lost block went.
    #[must_use]
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }
}

/// Events of a replay that are kept for the story.
const TRACE_EVENTS: usize = 4096;

/// What an engine's finding amounts to.
#[must_use]
pub fn conclude(task: &Task, finding: Finding, deadline: &Deadline) -> Verdict {
    match finding {
        Finding::Proved(proof) => accept(task, proof.as_ref(), deadline),
        Finding::Refuted(inputs) => match replay(task, inputs, deadline) {
            Some(violation) => Verdict::Violated(Box::new(violation)),
            None => Verdict::Unknown(vec![Reason::new(
                "a violation was claimed that the interpreter could not reproduce",
            )]),
        },
        Finding::Open(reasons) => Verdict::Unknown(reasons),
    }
}

fn accept(task: &Task, proof: &dyn Proof, deadline: &Deadline) -> Verdict {
    match proof.check(task, deadline) {
        Ok(()) => {
            let mut assumptions = proof.assumptions();
            if !task.malloc_may_fail {
                assumptions.push("malloc does not fail".to_owned());
            }
            // What C leaves open and every engine takes one way.
            assumptions.push("operands are evaluated from left to right".to_owned());
            assumptions.push("blocks, freed ones too, have different addresses".to_owned());
            let (summary, invariants) = (proof.summary(), proof.invariants());
            Verdict::Holds(CheckedProof { summary, assumptions, invariants })
        }
        Err(reason) => Verdict::Unknown(vec![Reason {
            text: format!("a proof was found but not confirmed: {}", reason.text),
            place: reason.place,
        }]),
    }
}

/// Runs the program with these inputs; gives the violation that it shows.
fn replay(task: &Task, inputs: Vec<DrawnInput>, deadline: &Deadline) -> Option<ReplayedViolation> {
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    settings.trace = TRACE_EVENTS;
    settings.cancelled = Some(deadline.flag());
    let executable = Executable::compile(&task.program, &settings.compile);
    let environment = Environment::silent(listed_inputs(&inputs));
    let report = Machine::new(&executable, &settings, environment).run();
    let violation = violation_of(task, &report)?;
    let loss = match (violation.part, &violation.block) {
        (Part::ValidMemtrack, Some(block)) => {
            locate_loss(&executable, &settings, &report.inputs_drawn, block.serial)
        }
        _ => None,
    };
    let inputs = report.inputs_drawn.clone();
    Some(ReplayedViolation { part: violation.part, inputs, report, block: violation.block, loss })
}
