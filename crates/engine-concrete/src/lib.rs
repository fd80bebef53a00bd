//! The engine `concrete`: runs the program.
//!
//! A program that draws no input has one execution, so its run decides. Of any other, some runs
//! with inputs from seeds may happen to fail; that they do not fail says nothing.

use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Finding, Proof, Reason, Run, Task, closed_program, run_settings, violation_of,
};
use heapwright_interpreter::{
    Environment, Executable, Limits, Machine, Outcome, RunReport, SeededInputs, Settings,
};
use heapwright_program::{BinaryOperator, Expression, Program, expressions_of};
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
            let environment = Environment::silent(SeededInputs::new(seed));
            let report = Machine::new(&executable, &settings, environment).run();
            if violation_of(task, &report).is_some() {
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

/// Whether a run is the program's only execution and shows that nothing is violated.
fn decided(task: &Task, report: &RunReport) -> Result<(), Reason> {
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

/// Whether a program can tell where its blocks lie: another run may put them elsewhere.
fn looks_at_addresses(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut operations = bodies.flat_map(|body| &body.edges).map(|edge| &edge.operation);
    operations.any(|operation| {
        let mut found = false;
        for root in expressions_of(operation) {
            program.expressions.visit(root, &mut |_, node| {
                let is_pointer = |id| program.expressions.type_of(id).is_pointer();
                found |= match node {
                    Expression::Binary { operator, left, .. } => {
                        matches!(
                            operator,
                            BinaryOperator::Less
                                | BinaryOperator::LessEqual
                                | BinaryOperator::PointerDifference
                        ) && is_pointer(left)
                    }
                    Expression::Convert { operand, ty } => is_pointer(operand) && ty.is_integer(),
                    _ => false,
                };
            });
        }
        found
    })
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
