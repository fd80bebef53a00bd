//! The gate: the only place where a verdict is made.
//!
//! *Violated* needs inputs with which the reference interpreter reaches the fault again. *Holds*
//! needs a proof that its own check accepts and that the oracle has run without finding an execution
//! that disagrees with it. Everything else is *unknown*, with the reason.

mod assumption;
mod shrink;

pub use crate::assumption::NO_SIGNED_OVERFLOW;

use std::time::{Duration, Instant};

use heapwright_engine::{
    Deadline, Fact, Finding, Proof, REPLAY_STEPS, Reason, Task, find_violation, run_settings,
};
use heapwright_interpreter::{DrawnInput, Executable, Loss, RunReport, locate_loss};
use heapwright_memory::BlockSummary;
use heapwright_oracle::{Budget, Effort, Examination, Refutation, examine};
use heapwright_property::Part;

/// An answer. Its parts cannot be made outside this crate.
#[derive(Debug)]
pub enum Verdict {
    Holds(CheckedProof),
    Violated(Box<ReplayedViolation>),
    Unknown(Vec<Reason>),
}

/// A proof that its own check accepts, and that was run.
#[derive(Debug)]
pub struct CheckedProof {
    summary: String,
    assumptions: Vec<String>,
    invariants: Vec<String>,
    facts: Vec<Fact>,
    examination: Box<Examination>,
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

    /// What the proof shows besides.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// What of the proof was run.
    #[must_use]
    pub fn examination(&self) -> &Examination {
        &self.examination
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

/// How hard proofs are tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scrutiny {
    pub effort: Effort,
    /// How long the engine took for the finding.
    pub proof_time: Duration,
}

/// A verdict, and the disagreement between a proof and a run that led to it.
#[derive(Debug)]
pub struct Conclusion {
    pub verdict: Verdict,
    pub refutation: Option<Box<Refutation>>,
}

impl From<Verdict> for Conclusion {
    fn from(verdict: Verdict) -> Conclusion {
        Conclusion { verdict, refutation: None }
    }
}

/// What an engine's finding amounts to.
#[must_use]
pub fn conclude(task: &Task, finding: Finding, deadline: &Deadline) -> Verdict {
    scrutinise(task, finding, Scrutiny::default(), deadline).verdict
}

/// What an engine's finding amounts to, with all that is known of a proof that was refuted.
#[must_use]
pub fn scrutinise(
    task: &Task,
    finding: Finding,
    scrutiny: Scrutiny,
    deadline: &Deadline,
) -> Conclusion {
    match finding {
        Finding::Proved(proof) => accept(task, proof.as_ref(), scrutiny, deadline),
        Finding::Refuted(inputs) => match replay(task, &inputs, deadline) {
            Some(violation) => Verdict::Violated(Box::new(violation)).into(),
            None => unknown("a violation was claimed that the interpreter could not reproduce"),
        },
        Finding::Open(reasons) => Verdict::Unknown(reasons).into(),
    }
}

fn unknown(text: impl Into<String>) -> Conclusion {
    Verdict::Unknown(vec![Reason::new(text)]).into()
}

/// Why nothing is said of overflow.
pub const MISSES_OVERFLOW: &str =
    "the program was read without a look at signed overflow, so nothing can be said of it";

fn accept(task: &Task, proof: &dyn Proof, scrutiny: Scrutiny, deadline: &Deadline) -> Conclusion {
    if task.misses_overflow() {
        return unknown(MISSES_OVERFLOW);
    }
    let check = proof.check(task, deadline);
    let mut examination = run_proof(task, proof, scrutiny, deadline);
    let refutation = examination.refutation.take();
    if let Err(reason) = check {
        return refused(task, reason, refutation, deadline);
    }
    if let Some(refutation) = refutation {
        return refuted(task, refutation, deadline);
    }
    if examination.runs == 0 {
        return unknown("a proof was found, but no time was left to run it");
    }
    if scrutiny.effort == Effort::Thorough
        && let Some(idle) = examination.not_exercised.first()
    {
        return unknown(format!(
            "a proof was found, but nothing that was run came to {idle}, which a thorough check of \
             proofs asks for"
        ));
    }
    let assumptions = assumptions(task, proof);
    let (summary, invariants) = (proof.summary(), proof.invariants());
    Verdict::Holds(CheckedProof {
        summary,
        assumptions,
        invariants,
        facts: proof.facts(),
        examination: Box::new(examination),
    })
    .into()
}

/// Runs what the proof says.
fn run_proof(
    task: &Task,
    proof: &dyn Proof,
    scrutiny: Scrutiny,
    deadline: &Deadline,
) -> Examination {
    let budget = Budget::of(scrutiny.effort, scrutiny.proof_time);
    let start = Instant::now();
    let mut evidence = proof.evidence(task, &deadline.at_most_work(budget.time));
    let mut examination = examine(task, evidence.as_mut(), &budget, deadline);
    examination.time = start.elapsed();
    examination
}

/// What a proof becomes that its check does not confirm. Where the proof is wrong, its runs may show
/// more than that: a violation.
fn refused(
    task: &Task,
    reason: Reason,
    refutation: Option<Box<Refutation>>,
    deadline: &Deadline,
) -> Conclusion {
    if let Some(refutation) = refutation.filter(|refutation| refutation.is_violation) {
        return refuted(task, refutation, deadline);
    }
    let text = format!("a proof was found but not confirmed: {}", reason.text);
    Verdict::Unknown(vec![Reason { text, ..reason }]).into()
}

/// What a proof becomes that a run disagrees with: the violation that the run is, or our own error.
fn refuted(task: &Task, refutation: Box<Refutation>, deadline: &Deadline) -> Conclusion {
    let violation = match refutation.is_violation {
        true => replay(task, &refutation.inputs, deadline),
        false => None,
    };
    let verdict = match violation {
        Some(violation) => Verdict::Violated(Box::new(violation)),
        None => Verdict::Unknown(vec![Reason::new(format!("internal error: {refutation}"))]),
    };
    Conclusion { verdict, refutation: Some(refutation) }
}

/// Under what a proof is an answer.
fn assumptions(task: &Task, proof: &dyn Proof) -> Vec<String> {
    let mut assumptions = proof.assumptions();
    assumptions.extend(assumption::assumptions(task));
    assumptions
}

/// Runs the program with these inputs; gives the violation that it shows.
fn replay(task: &Task, inputs: &[DrawnInput], deadline: &Deadline) -> Option<ReplayedViolation> {
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    settings.trace = TRACE_EVENTS;
    settings.cancelled = Some(deadline.flag());
    let executable = Executable::compile(&task.program, &settings.compile);
    let shown = find_violation(task, &executable, &settings, inputs)?;
    let (_, small) = shrink::shrink(task, &executable, &settings, shown);
    // Once more, with its trace; a run that was cut off by the deadline is as good as it was.
    let (violation, report) = find_violation(task, &executable, &settings, &small.inputs_drawn)
        .or_else(|| find_violation(task, &executable, &settings, inputs))?;
    let lost = violation.block.as_ref().filter(|_| violation.part == Part::ValidMemtrack);
    let loss = lost
        .and_then(|block| locate_loss(&executable, &settings, &report.inputs_drawn, block.serial));
    let inputs = report.inputs_drawn.clone();
    Some(ReplayedViolation { part: violation.part, inputs, report, block: violation.block, loss })
}
