//! What a concrete run says about a specification: which part it violates, if any.

use heapwright_interpreter::{
    DrawnInput, EndCheck, Executable, InputKind, ListedInputs, NamedChoices, Outcome, RunReport,
    Settings,
};
use heapwright_memory::{BlockSummary, FaultKind};
use heapwright_program::{Expression, Program, ScalarType, VOLATILE};
use heapwright_property::Part;

use crate::Task;

/// A violation that a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundViolation {
    pub part: Part,
    /// The lost or unfreed block, for leaks.
    pub block: Option<BlockSummary>,
}

/// The interpreter's settings for a task.
#[must_use]
pub fn run_settings(task: &Task) -> Settings {
    let specification = &task.specification;
    let mut settings = Settings { malloc_may_fail: task.malloc_may_fail, ..Settings::default() };
    settings.compile.error_functions.clone_from(&specification.error_functions);
    settings.end_check = EndCheck {
        memtrack: specification.asks(Part::ValidMemtrack),
        memcleanup: specification.asks(Part::ValidMemcleanup),
        periodic: specification.asks(Part::ValidMemtrack).then_some(100_000),
    };
    settings
}

/// The part that a run violates. A fault that the specification does not ask about ends the run
/// without an answer: what would follow is undefined. So does a volatile object that changed by
/// itself: C allows it for every one, and for most there is nobody who would do it.
#[must_use]
pub fn violation_of(task: &Task, report: &RunReport) -> Option<FoundViolation> {
    if volatile_changed(report) {
        return None;
    }
    let specification = &task.specification;
    let found = match &report.outcome {
        Outcome::Fault(fault) => {
            let part = part_of(fault.kind, specification.assertions)?;
            // A leak's block is the one that is lost.
            let is_leak = fault.kind == FaultKind::Leak;
            let block = fault.blocks.first().filter(|_| is_leak).cloned();
            FoundViolation { part, block }
        }
        Outcome::Exited(_) | Outcome::Aborted if !report.leaked.is_empty() => {
            FoundViolation { part: Part::ValidMemtrack, block: report.leaked.first().cloned() }
        }
        Outcome::Exited(_) | Outcome::Aborted if !report.unfreed.is_empty() => {
            FoundViolation { part: Part::ValidMemcleanup, block: report.unfreed.first().cloned() }
        }
        Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::Returned
        | Outcome::AssumptionFailed
        | Outcome::Unsupported { .. }
        | Outcome::Limit(_) => return None,
    };
    specification.asks(found.part).then_some(found)
}

/// Whether some volatile object was read with another value than was stored in it.
fn volatile_changed(report: &RunReport) -> bool {
    report.inputs_drawn.iter().any(|input| match &input.kind {
        InputKind::Nondeterministic(name) => {
            **name == *VOLATILE && input.ty == ScalarType::Bool && input.bits != 0
        }
        InputKind::UninitialisedVariable(_)
        | InputKind::UninitialisedByte { .. }
        | InputKind::AllocationFails { .. }
        | InputKind::Choice(_)
        | InputKind::Character => false,
    })
}

/// The part of a specification that a fault violates, if any does.
pub(crate) fn part_of(kind: FaultKind, assertions: bool) -> Option<Part> {
    match kind {
        FaultKind::NullDereference
        | FaultKind::DanglingDereference
        | FaultKind::OutOfBounds
        | FaultKind::WildDereference
        | FaultKind::ReadOnlyWrite
        | FaultKind::Overlap
        | FaultKind::InvalidSize
        | FaultKind::InvalidUsage
        | FaultKind::InvalidCallee => Some(Part::ValidDeref),
        FaultKind::InvalidFree | FaultKind::DoubleFree => Some(Part::ValidFree),
        FaultKind::Leak => Some(Part::ValidMemtrack),
        FaultKind::ErrorReached => Some(Part::UnreachCall),
        FaultKind::AssertionFailed => assertions.then_some(Part::UnreachCall),
        // Who asks about assertions hears of it as of one that says that the divisor is not zero.
        FaultKind::DivisionByZero => assertions.then_some(Part::UnreachCall),
        FaultKind::SignedOverflow => Some(Part::NoOverflow),
        FaultKind::DivisionOverflow | FaultKind::StackExhausted => None,
    }
}

/// The inputs of a claimed violation, as the interpreter takes them: values in the order in which
/// they are drawn, bytes and failing allocations by the block's number.
#[must_use]
pub fn listed_inputs(inputs: &[DrawnInput]) -> ListedInputs {
    let mut listed = ListedInputs::zeros();
    let mut named = NamedChoices::default();
    for input in inputs {
        match &input.kind {
            InputKind::Nondeterministic(name) => match named.next(name) {
                Some(choice) => {
                    listed.choices.insert(choice, input.bits as u32);
                }
                None => listed.values.push_back(input.bits),
            },
            InputKind::UninitialisedVariable(_) => listed.variables.push_back(input.bits),
            InputKind::UninitialisedByte { serial, offset } => {
                listed.bytes.insert((*serial, *offset), input.bits as u8);
            }
            InputKind::AllocationFails { serial } => {
                if input.bits != 0 {
                    listed.failing.insert(*serial);
                }
            }
            InputKind::Choice(kind) => {
                listed.choices.insert(*kind, input.bits as u32);
            }
            InputKind::Character => {
                listed.characters.extend(u8::try_from(input.bits));
            }
        }
    }
    listed
}

/// Steps that a replay may take.
pub const REPLAY_STEPS: u64 = 200_000_000;

/// Whether the program violates its specification on these inputs.
#[must_use]
pub fn replay_violates(task: &Task, inputs: &[DrawnInput]) -> bool {
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    let executable = Executable::compile(&task.program, &settings.compile);
    crate::world::find_violation(task, &executable, &settings, inputs).is_some()
}

/// Whether a program takes nothing from outside through `main`'s parameters.
#[must_use]
pub fn closed_program(program: &Program) -> bool {
    let Some(main) = program.function_named("main") else { return false };
    let parameters = &program.functions[main].parameters;
    program.expressions.ids().all(|id| match program.expressions.get(id) {
        Expression::Variable(variable) => !parameters.contains(&variable),
        Expression::Constant { .. }
        | Expression::ObjectAddress(_)
        | Expression::FunctionAddress(_)
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Convert { .. } => true,
    })
}
