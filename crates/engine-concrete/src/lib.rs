//! The engine `concrete`: runs the program.
//!
//! A program that draws no input has one execution, so its run decides. Of any other, some runs
//! with inputs from seeds may happen to fail; that they do not fail says nothing.

use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Finding, Proof, Reason, Run, Task, closed_program, looks_at_addresses,
    run_settings, violation_of,
};
use heapwright_interpreter::{
    Environment, Executable, Limits, Machine, Outcome, RunReport, SeededInputs, Settings,
};
use heapwright_property::Part;

/// How much running is worth while.
#[derive(Clone, Debug)]
pub struct ConcreteEngine {
    /// Runs with inputs from seeds.
    pub seeds: u64,
    /// Steps of each of these.
    pub steps: u64,
    /// Steps of the first run, which decides if it draws no inputs.
    pub first_steps: u64,
    pub time: Duration,
}

impl Default for ConcreteEngine {
    fn default() -> ConcreteEngine {
        ConcreteEngine {
            seeds: 64,
            steps: 200_000,
            first_steps: 30_000_000,
            time: Duration::from_secs(2),
        }
    }
}

impl Engine for ConcreteEngine {
    fn name(&self) -> &'static str {
        "concrete"
    }

    fn summary(&self) -> &'static str {
        "runs the program: decides it if it has no inputs, else tries some"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        let deadline = run.deadline.at_most(self.time);
        let mut settings = run_settings(task);
        settings.cancelled = Some(deadline.flag());
        let executable = Executable::compile(&task.program, &settings.compile);
        let mut reasons = Vec::new();
        for seed in 0..=self.seeds {
            let steps = if seed == 0 { self.first_steps } else { self.steps };
            settings.limits = Limits { steps, ..Limits::default() };
            // The first runs are in the plainest of worlds, then every other.
            let varies_choices = seed >= 2 && seed % 2 == 0;
            let mut inputs = SeededInputs::new(seed);
            inputs.varies_choices = varies_choices;
            let environment = Environment::silent(inputs);
            let report = Machine::new(&executable, &settings, environment).run();
            if violation_of(task, &report).is_some() && !report.inexact {
                return Finding::Refuted(report.inputs_drawn);
            }
            if seed == 0 {
                match decided(task, &report) {
                    Ok(()) => return Finding::Proved(Box::new(OnlyExecution { steps })),
                    Err(reason) => reasons.push(reason),
                }
                // Another seed changes nothing in a program without inputs.
                if !report.depends_on_inputs {
                    break;
                }
            }
            if deadline.is_over() {
                break;
            }
        }
        Finding::Open(reasons)
    }
}

const INEXACT: &str = "the program computes with numbers that machines and libraries round \
    differently: `__float128`, functions such as `sin`, or the text of a `long double`";

const SEES_CHOICES: &str = "the program compares addresses whose relation C leaves open: of a \
    block that is gone and another one, of string literals, or one past the end of a block";

/// Whether a run is the program's only execution and shows that nothing is violated.
fn decided(task: &Task, report: &RunReport) -> Result<(), Reason> {
    if report.inexact {
        return Err(Reason::new(INEXACT));
    }
    if report.sees_choices {
        return Err(Reason::new(SEES_CHOICES));
    }
    if report.depends_on_inputs || !closed_program(&task.program) {
        return Err(Reason::new("the program depends on inputs"));
    }
    if looks_at_addresses(&task.program) {
        return Err(Reason::new("the program looks at the numbers or the order of addresses"));
    }
    if task.specification.asks(Part::NoOverflow) {
        return Err(Reason::new("signed overflow is not checked"));
    }
    match &report.outcome {
        Outcome::Exited(_) | Outcome::Aborted | Outcome::Returned | Outcome::AssumptionFailed => {
            Ok(())
        }
        Outcome::Fault(fault) => Err(Reason::at(
            format!("the program stops at a fault that was not asked about: {}", fault.kind),
            fault.blame,
        )),
        Outcome::Unsupported { construct, blame, .. } => {
            Err(Reason::at(format!("not modelled: {construct}"), *blame))
        }
        Outcome::Limit(kind) => {
            Err(Reason::new(format!("the run reached a limit: {kind:?}").to_lowercase()))
        }
    }
}

/// The program has one execution, and it is fine.
#[derive(Debug)]
struct OnlyExecution {
    steps: u64,
}

impl Proof for OnlyExecution {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        // Another machine mode and another seed: the outcome must not depend on either.
        let mut settings: Settings = run_settings(task);
        settings.compile.keep_locations = true;
        settings.limits.steps = self.steps.saturating_mul(4);
        settings.cancelled = Some(deadline.flag());
        let executable = Executable::compile(&task.program, &settings.compile);
        let environment = Environment::silent(SeededInputs::new(0x5eed));
        let report = Machine::new(&executable, &settings, environment).run();
        if violation_of(task, &report).is_some() {
            return Err(Reason::new("the second run of the only execution found a violation"));
        }
        decided(task, &report)
    }

    fn summary(&self) -> String {
        "the program has no inputs, and its only execution is correct".to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
