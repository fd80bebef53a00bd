//! Obligations: the questions that the properties ask at an edge.
//!
//! They follow from the operation alone, so they are computed and never get out of step with it.
//! Leaks are asked about wherever a pointer can be lost; that question is one for the whole memory
//! and stands with the property, not here.

use crate::expression::{BinaryOperator, Expression, ExpressionId};
use crate::operation::{Callee, Failure, Operation};
use crate::program::{EdgeId, FunctionId, Program};

/// One question at one edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Obligation {
    pub function: FunctionId,
    pub edge: EdgeId,
    pub kind: ObligationKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObligationKind {
    /// The bytes read lie in one live block.
    ValidRead,
    /// The bytes written lie in one live block that may be written.
    ValidWrite,
    /// The address is null or the start of a live heap block.
    ValidFree,
    /// The function pointer points to a function of a fitting type.
    ValidCallee,
    /// This edge, where an object on the stack would have an impossible size, is never reached.
    ValidSize,
    /// This edge, where a library function would be used as it must not be, is never reached.
    ValidUsage,
    /// What is copied and where it goes to do not overlap in part.
    NoOverlap,
    NonZeroDivisor,
    /// A signed operation stays in its type's range.
    NoOverflow,
    /// This edge is never reached.
    Unreachable,
}

/// What an operation asks for, in the order in which it must hold.
#[must_use]
pub fn of_operation(program: &Program, operation: &Operation) -> Vec<ObligationKind> {
    use ObligationKind::{
        NoOverlap, Unreachable, ValidCallee, ValidFree, ValidRead, ValidSize, ValidUsage,
        ValidWrite,
    };
    let mut kinds = Vec::new();
    for expression in expressions_of(operation) {
        arithmetic(program, expression, &mut kinds);
    }
    kinds.sort_unstable();
    kinds.dedup();
    match operation {
        Operation::Load { .. } => kinds.push(ValidRead),
        Operation::Store { .. } | Operation::Fill { .. } => kinds.push(ValidWrite),
        Operation::Copy { .. } => kinds.extend([ValidRead, ValidWrite]),
        Operation::Disjoint { .. } => kinds.push(NoOverlap),
        Operation::Free { .. } | Operation::BlockSize { .. } => kinds.push(ValidFree),
        Operation::Call { callee: Callee::Indirect(_), .. } => kinds.push(ValidCallee),
        Operation::Fail(Failure::Assertion { .. }) => kinds.push(Unreachable),
        Operation::Fail(Failure::Size { .. }) => kinds.push(ValidSize),
        Operation::Fail(Failure::Usage { .. }) => kinds.push(ValidUsage),
        Operation::Fail(Failure::Overflow { .. }) => kinds.push(ObligationKind::NoOverflow),
        Operation::Call { callee: Callee::Direct(_), .. }
        | Operation::Skip
        | Operation::Assume { .. }
        | Operation::Assign { .. }
        | Operation::Input { .. }
        | Operation::Allocate { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Unsupported { .. } => {}
    }
    kinds
}

/// The integer divisions that an operation evaluates: what is divided by what.
#[must_use]
pub fn divisions_of(program: &Program, operation: &Operation) -> Vec<(ExpressionId, ExpressionId)> {
    let expressions = &program.expressions;
    let mut found = Vec::new();
    for root in expressions_of(operation) {
        expressions.visit(root, &mut |id, node| {
            if let Expression::Binary {
                operator: BinaryOperator::Divide | BinaryOperator::Remainder,
                left,
                right,
            } = node
                && expressions.type_of(id).is_integer()
            {
                found.push((left, right));
            }
        });
    }
    found
}

/// The expressions that an operation evaluates, in order.
#[must_use]
pub fn expressions_of(operation: &Operation) -> Vec<ExpressionId> {
    use crate::operation::Halt;
    match operation {
        Operation::Assume { condition, .. } => vec![*condition],
        Operation::Assign { value, .. } => vec![*value],
        Operation::Load { access, .. } => vec![access.address],
        Operation::Store { access, value } => vec![access.address, *value],
        Operation::Copy { target, source, size, .. } => vec![*target, *source, *size],
        Operation::Disjoint { left, right, size } => vec![*left, *right, *size],
        Operation::Fill { target, byte, size, .. } => vec![*target, *byte, *size],
        Operation::Allocate { size, .. } => vec![*size],
        Operation::Free { address } | Operation::BlockSize { address, .. } => vec![*address],
        Operation::Enter { size, .. } => size.iter().copied().collect(),
        Operation::Call { callee, arguments, .. } => {
            let pointer = match callee {
                Callee::Indirect(pointer) => Some(*pointer),
                Callee::Direct(_) => None,
            };
            pointer.into_iter().chain(arguments.iter().copied()).collect()
        }
        Operation::Return { value } => value.iter().copied().collect(),
        Operation::Halt(Halt::Exit(status) | Halt::ImmediateExit(status)) => vec![*status],
        Operation::Halt(Halt::Abort | Halt::AssumptionFailed)
        | Operation::Skip
        | Operation::Input { .. }
        | Operation::Leave { .. }
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => Vec::new(),
    }
}

/// What the arithmetic inside an expression asks for.
fn arithmetic(program: &Program, expression: ExpressionId, kinds: &mut Vec<ObligationKind>) {
    program.expressions.visit(expression, &mut |id, node| {
        let is_signed = program.expressions.type_of(id).is_signed();
        match node {
            Expression::Binary { operator, right, .. } => match operator {
                BinaryOperator::Divide | BinaryOperator::Remainder => {
                    let integer = program.expressions.type_of(id).is_integer();
                    if integer && program.expressions.constant_bits(right).is_none_or(|b| b == 0) {
                        kinds.push(ObligationKind::NonZeroDivisor);
                    }
                    if is_signed {
                        kinds.push(ObligationKind::NoOverflow);
                    }
                }
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::ShiftLeft
                    if is_signed =>
                {
                    kinds.push(ObligationKind::NoOverflow);
                }
                _ => {}
            },
            Expression::Unary { .. } if is_signed => kinds.push(ObligationKind::NoOverflow),
            _ => {}
        }
    });
}
