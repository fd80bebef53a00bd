//! Worlds: what the implementation decides where C leaves it open, and whether a program can tell.

use heapwright_interpreter::{DrawnInput, Environment, Executable, Machine, RunReport, Settings};
use heapwright_program::{BinaryOperator, Expression, Program, VariableKind, expressions_of};

use crate::violation::{listed_inputs, violation_of};
use crate::{FoundViolation, Task};

/// How choices fall that a claimed violation does not name: none differs from the plainest world, or
/// all do. A new block then has the address that became free last, or the one before.
const WORLDS: [u32; 3] = [0, 1, 2];

/// Runs a program with these inputs, in other worlds too where it can tell them apart, until one run
/// shows a violation.
#[must_use]
pub fn find_violation(
    task: &Task,
    executable: &Executable<'_>,
    settings: &Settings,
    inputs: &[DrawnInput],
) -> Option<(FoundViolation, RunReport)> {
    for world in WORLDS {
        let mut listed = listed_inputs(inputs);
        listed.other_choices = world;
        let report = Machine::new(executable, settings, Environment::silent(listed)).run();
        if let Some(found) = violation_of(task, &report)
            && !report.inexact
        {
            return Some((found, report));
        }
        if !report.sees_choices && !looks_at_addresses(&task.program) {
            return None;
        }
    }
    None
}

/// Whether a program can tell where its blocks lie: another run may put them elsewhere.
#[must_use]
pub fn looks_at_addresses(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let operations = bodies.flat_map(|body| &body.edges).map(|edge| &edge.operation);
    let initial = program.variables.iter().filter_map(|variable| match variable.kind {
        VariableKind::Global { initial } => Some(initial),
        VariableKind::Parameter | VariableKind::Local | VariableKind::Temporary => None,
    });
    let mut roots = operations.flat_map(expressions_of).chain(initial);
    roots.any(|root| {
        let mut found = false;
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
                Expression::Constant { .. }
                | Expression::Variable(_)
                | Expression::ObjectAddress(_)
                | Expression::FunctionAddress(_)
                | Expression::Unary { .. } => false,
            };
        });
        found
    })
}
