//! Distances that are constant, and pointers that went through an integer: what expressions say of
//! offsets before anything is known of the heap.

use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, Program, ScalarType, UnaryOperator, mask, sign_extend,
};

/// The number of bytes that a constant moves a pointer by.
pub(crate) fn constant_distance(program: &Program, distance: ExpressionId) -> Option<i128> {
    let bits = program.expressions.type_of(distance).value_bits(program.model);
    constant_value(program, distance).map(|value| sign_extend(value & mask(bits), bits))
}

/// The value of an expression that names no variable and no object, such as the distance of a member
/// from its struct, which C spells with a null pointer.
fn constant_value(program: &Program, expression: ExpressionId) -> Option<u128> {
    let expressions = &program.expressions;
    let ty = expressions.type_of(expression);
    let bits = ty.value_bits(program.model);
    let value = match expressions.get(expression) {
        Expression::Constant { bits, .. } => bits,
        Expression::Unary { operator: UnaryOperator::Negate, operand } if !ty.is_float() => {
            constant_value(program, operand)?.wrapping_neg()
        }
        Expression::Binary { operator, left, right } if !ty.is_float() => {
            let (left, right) = (constant_value(program, left)?, constant_value(program, right)?);
            match operator {
                BinaryOperator::Add | BinaryOperator::OffsetPointer => left.wrapping_add(right),
                BinaryOperator::Subtract | BinaryOperator::PointerDifference => {
                    left.wrapping_sub(right)
                }
                BinaryOperator::Multiply => left.wrapping_mul(right),
                _ => return None,
            }
        }
        Expression::Convert { operand, .. } => {
            let from = expressions.type_of(operand);
            if from.is_float() || ty.is_float() || ty == ScalarType::Bool {
                return None;
            }
            let value = constant_value(program, operand)?;
            let width = from.value_bits(program.model);
            if from.is_signed() { sign_extend(value, width) as u128 } else { value }
        }
        Expression::Variable(_)
        | Expression::ObjectAddress(_)
        | Expression::FunctionAddress(_)
        | Expression::Unary { .. }
        | Expression::Binary { .. } => return None,
    };
    Some(value & mask(bits))
}

/// The pointer that an integer was made from, if it is as wide.
pub(crate) fn round_trip(program: &Program, integer: ExpressionId) -> Option<ExpressionId> {
    let expressions = &program.expressions;
    match expressions.get(integer) {
        Expression::Convert { operand, ty } if ty.is_integer() => {
            let is_wide = ty.size(program.model) >= program.model.pointer_size();
            let from = expressions.type_of(operand);
            match from {
                ScalarType::Pointer => is_wide.then_some(operand),
                ScalarType::Integer { .. } if is_wide => round_trip(program, operand),
                ScalarType::Integer { .. } | ScalarType::Bool | ScalarType::Float(_) => None,
            }
        }
        _ if expressions.type_of(integer).is_pointer() => Some(integer),
        _ => None,
    }
}
