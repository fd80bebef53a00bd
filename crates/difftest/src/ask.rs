//! Asking engines in this process: each alone, with a share of work, its panics caught.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use heapwright_engine::{Deadline, Engine, Finding, Instance, Run, Task};
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_forest_automata::ForestEngine;
use heapwright_engine_k_limited::KLimitedEngine;
use heapwright_engine_symbolic_heap::SymbolicHeapEngine;
use heapwright_engine_template::TemplateEngine;
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_verdict::{Verdict, conclude};

/// Inputs taken from one proof at most.
const MOST_SUGGESTED: usize = 16;

/// What an engine said, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Holds,
    Violated,
    Unknown,
    /// A proof was found, and its check refused it.
    Unconfirmed,
    /// A violation was claimed, and the interpreter did not reach it.
    Unreproduced,
    Panic,
}

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::Holds,
        Kind::Violated,
        Kind::Unknown,
        Kind::Unconfirmed,
        Kind::Unreproduced,
        Kind::Panic,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Holds => "holds",
            Kind::Violated => "violated",
            Kind::Unknown => "unknown",
            Kind::Unconfirmed => "unconfirmed",
            Kind::Unreproduced => "unreproduced",
            Kind::Panic => "panic",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// One engine's answer.
#[derive(Clone, Debug)]
pub struct Answer {
    pub engine: &'static str,
    pub kind: Kind,
    /// The proof, the violated part, the first reason or the panic, in one line.
    pub detail: String,
    pub time: Duration,
    /// Inputs of executions that a proof speaks of, as whole numbers in their order.
    pub suggested: Vec<Vec<i64>>,
}

impl Answer {
    /// Of someone who panicked at once.
    pub fn panicked(engine: &'static str, detail: String) -> Answer {
        let (kind, time, suggested) = (Kind::Panic, Duration::ZERO, Vec::new());
        Answer { engine, kind, detail, time, suggested }
    }
}

/// The engines that are asked, cheap ones first, with settings for small programs: each of their
/// ways gets a part of the share that the whole has.
pub fn engines(share: Duration) -> Vec<Box<dyn Engine>> {
    let concrete =
        ConcreteEngine { time: share, first_steps: 500_000, ..ConcreteEngine::default() };
    let mut symbolic = SymbolicHeapEngine::default();
    let settings = &mut symbolic.settings;
    settings.time = share;
    settings.solver_time = share;
    let mut template = TemplateEngine::default();
    template.settings.time = share;
    let shapes = ThreeValuedEngine::default();
    let graphs = KLimitedEngine::default();
    let forests = ForestEngine::default();
    vec![
        Box::new(concrete),
        Box::new(symbolic),
        Box::new(template),
        Box::new(shapes),
        Box::new(graphs),
        Box::new(forests),
    ]
}

/// How an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// The work that it may do; a proof gets as much again to be checked in.
    pub share: Duration,
    /// Whether inputs are wanted that the engine has in mind.
    pub inputs: bool,
}

/// Asks one engine.
pub fn ask(engine: &dyn Engine, task: &Task, wishes: Wishes) -> Answer {
    let share = wishes.share;
    let start = Instant::now();
    let asked = catch_unwind(AssertUnwindSafe(|| {
        let finding = engine.run(task, &Run::alone(&Deadline::never().at_most_work(share)));
        let claim = Claim::of(&finding);
        let suggested = match wishes.inputs {
            true => suggested_inputs(task, &finding, share),
            false => Vec::new(),
        };
        let checked = conclude(task, finding, &Deadline::never().at_most_work(share));
        (claim, checked, suggested)
    }));
    match asked {
        Ok((claim, verdict, suggested)) => {
            let (kind, detail) = judge(claim, &verdict);
            Answer { engine: engine.name(), kind, detail, time: start.elapsed(), suggested }
        }
        Err(panic) => Answer::panicked(engine.name(), message_of(panic.as_ref())),
    }
}

/// Executions from the start of the program that a proof has models of, and those that someone
/// claims to fail.
fn suggested_inputs(task: &Task, finding: &Finding, share: Duration) -> Vec<Vec<i64>> {
    match finding {
        Finding::Proved(proof) => {
            let deadline = Deadline::never().at_most_work(share);
            if proof.check(task, &deadline).is_err() {
                return Vec::new();
            }
            let mut evidence = proof.evidence(task, &deadline);
            let steps = evidence.step_count().min(MOST_SUGGESTED);
            let instances = (0..steps).map(|step| evidence.instance(step));
            instances.filter_map(|instance| from_start(&instance)).collect()
        }
        Finding::Refuted(inputs) => vec![numbers(inputs)],
        Finding::Open(_) => Vec::new(),
    }
}

fn from_start(instance: &Instance) -> Option<Vec<i64>> {
    match instance {
        Instance::Run { start: None, inputs, .. } => Some(numbers(inputs)),
        Instance::Run { start: Some(_), .. } | Instance::Vacuous | Instance::Unclear(_) => None,
    }
}

fn numbers(inputs: &[DrawnInput]) -> Vec<i64> {
    let drawn = inputs.iter().filter(|input| matches!(input.kind, InputKind::Nondeterministic(_)));
    drawn.map(|input| input.bits as i64).collect()
}

/// What was claimed before the gate looked at it.
#[derive(Clone, Copy)]
enum Claim {
    Proof,
    Violation,
    Nothing,
}

impl Claim {
    fn of(finding: &Finding) -> Claim {
        match finding {
            Finding::Proved(_) => Claim::Proof,
            Finding::Refuted(_) => Claim::Violation,
            Finding::Open(_) => Claim::Nothing,
        }
    }
}

fn judge(claim: Claim, verdict: &Verdict) -> (Kind, String) {
    match verdict {
        Verdict::Holds(proof) => (Kind::Holds, proof.summary().to_owned()),
        Verdict::Violated(violation) => (Kind::Violated, violation.part().to_string()),
        Verdict::Unknown(reasons) => {
            let kind = match claim {
                Claim::Proof => Kind::Unconfirmed,
                Claim::Violation => Kind::Unreproduced,
                Claim::Nothing => Kind::Unknown,
            };
            (kind, reasons.first().map(|reason| reason.text.clone()).unwrap_or_default())
        }
    }
}

/// What a caught panic said.
pub fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").lines().next().unwrap_or_default().to_owned()
}
