//! Values: how expressions of the program become terms, and which terms are pointers.

use heapwright_logic::TermId;
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, FloatFormat, ScalarType, UnaryOperator, VariableId,
    sign_extend,
};

use crate::execution::remainder::remainder;
use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::is_apart;

/// The value of an expression in the current frame. A `bool` is a boolean term.
pub(crate) fn evaluate(reasoner: &mut Reasoner<'_>, state: &mut State, id: ExpressionId) -> TermId {
    let expressions = &reasoner.names.task().program.expressions;
    let ty = expressions.type_of(id);
    match expressions.get(id) {
        Expression::Constant { ty: ScalarType::Bool, bits } => {
            reasoner.names.terms.boolean(bits != 0)
        }
        Expression::Constant { ty, bits } => {
            let width = reasoner.names.bits(ty);
            reasoner.names.terms.bit_vector(bits, width)
        }
        Expression::Variable(variable) => value_of(&reasoner.names, state, variable)
            .unwrap_or_else(|| arbitrary(&mut reasoner.names, "unset", ty)),
        Expression::ObjectAddress(object) => match object_block(state, object) {
            Some(block) => reasoner.names.pointer_to(block),
            // The address of an object that is not alive: a pointer to nothing.
            None => arbitrary(&mut reasoner.names, "dead", ScalarType::Pointer),
        },
        Expression::FunctionAddress(function) => {
            use heapwright_base::DenseId;
            let block = state.function_blocks[function.index()].expect("its address is taken");
            reasoner.names.pointer_to(block)
        }
        Expression::Unary { operator, operand } => {
            let operand = evaluate(reasoner, state, operand);
            unary(&mut reasoner.names, operator, operand, ty)
        }
        Expression::Binary { operator, left, right } => {
            let operand_type = expressions.type_of(left);
            let left = evaluate(reasoner, state, left);
            let right = evaluate(reasoner, state, right);
            if operator == BinaryOperator::Remainder
                && operand_type.is_integer()
                && reasoner.names.constant(right).is_none()
            {
                let signed = operand_type.is_signed();
                return remainder(reasoner, state, (left, right), signed);
            }
            binary(reasoner, state, operator, (left, right), operand_type, ty)
        }
        Expression::Convert { operand, ty } => {
            let from = expressions.type_of(operand);
            let operand = evaluate(reasoner, state, operand);
            convert(reasoner, state, operand, from, ty)
        }
    }
}

pub(crate) fn object_block(state: &State, object: heapwright_program::ObjectId) -> Option<BlockId> {
    use heapwright_base::DenseId;
    match state.static_blocks[object.index()] {
        Some(block) => Some(block),
        None => state.frame().objects.get(&object).copied(),
    }
}

/// A value that nothing is known of.
pub(crate) fn arbitrary(names: &mut Names<'_>, prefix: &str, ty: ScalarType) -> TermId {
    let bits = names.bits(ty);
    let fresh = names.fresh(prefix, bits);
    value_of_bytes(names, fresh, ty)
}

/// What a bit-vector read from memory is as a value of type `ty`.
pub(crate) fn value_of_bytes(names: &mut Names<'_>, term: TermId, ty: ScalarType) -> TermId {
    if ty == ScalarType::Bool {
        let zero = names.terms.bit_vector(0, 8);
        return names.terms.not_equal(term, zero);
    }
    term
}

/// What a value is as a bit-vector to be stored.
pub(crate) fn bytes_of_value(names: &mut Names<'_>, term: TermId, ty: ScalarType) -> TermId {
    if ty == ScalarType::Bool {
        let (one, zero) = (names.terms.bit_vector(1, 8), names.terms.bit_vector(0, 8));
        return names.terms.if_then_else(term, one, zero);
    }
    term
}

fn unary(
    names: &mut Names<'_>,
    operator: UnaryOperator,
    operand: TermId,
    ty: ScalarType,
) -> TermId {
    match (operator, ty) {
        (UnaryOperator::Negate, ScalarType::Float(format)) => match float(names, operand, format) {
            Some(value) => float_term(names, -value, format),
            None => arbitrary(names, "float", ty),
        },
        (UnaryOperator::Negate, _) => names.terms.negate(operand),
        (UnaryOperator::Complement, _) => names.terms.complement(operand),
    }
}

fn binary(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    operator: BinaryOperator,
    (left, right): (TermId, TermId),
    operands: ScalarType,
    ty: ScalarType,
) -> TermId {
    use BinaryOperator as B;
    if let ScalarType::Float(format) = operands {
        return float_binary(&mut reasoner.names, operator, left, right, format, ty);
    }
    let signed = operands.is_signed();
    match operator {
        B::Add | B::OffsetPointer => reasoner.names.terms.add(left, right),
        B::Subtract => reasoner.names.terms.subtract(left, right),
        B::Multiply => reasoner.names.terms.multiply(left, right),
        B::Divide if signed => reasoner.names.terms.signed_divide(left, right),
        B::Divide => reasoner.names.terms.unsigned_divide(left, right),
        B::Remainder if signed => reasoner.names.terms.signed_remainder(left, right),
        B::Remainder => reasoner.names.terms.unsigned_remainder(left, right),
        B::BitAnd => reasoner.names.terms.bit_and(left, right),
        B::BitOr => reasoner.names.terms.bit_or(left, right),
        B::BitXor => reasoner.names.terms.bit_xor(left, right),
        B::ShiftLeft | B::ShiftRight => {
            // The count is taken modulo the width, which is a power of two.
            let width = reasoner.names.terms.width(left);
            let mask = reasoner.names.terms.bit_vector(u128::from(width - 1), width);
            let count = reasoner.names.terms.bit_and(right, mask);
            match (operator, signed) {
                (B::ShiftLeft, _) => reasoner.names.terms.shift_left(left, count),
                (_, true) => reasoner.names.terms.arithmetic_shift_right(left, count),
                (_, false) => reasoner.names.terms.logical_shift_right(left, count),
            }
        }
        B::Equal => equal(reasoner, state, left, right),
        B::NotEqual => {
            let equal = equal(reasoner, state, left, right);
            reasoner.names.terms.not(equal)
        }
        B::Less => less(reasoner, state, left, right, signed),
        B::LessEqual => {
            let greater = less(reasoner, state, right, left, signed);
            reasoner.names.terms.not(greater)
        }
        B::PointerDifference => match (reasoner.names.pointer(left), reasoner.names.pointer(right))
        {
            (Some((a, first)), Some((b, second))) if a == b => {
                reasoner.names.terms.subtract(first, second)
            }
            _ => reasoner.names.terms.subtract(left, right),
        },
    }
}

/// What a variable of the current frame, or a global one, has been given.
pub(crate) fn value_of(names: &Names<'_>, state: &State, variable: VariableId) -> Option<TermId> {
    let slot = names.facts.slot(variable);
    if names.facts.is_global(variable) {
        state.globals[slot]
    } else {
        state.frame().registers[slot]
    }
}

/// Equality. No pointer into a block is null, and pointers into blocks that lie apart differ.
/// Whether others do is for the implementation to choose: the solver does, within what is known
/// of their addresses. A pointer that may have left its block is a number like any other.
fn equal(reasoner: &mut Reasoner<'_>, state: &State, left: TermId, right: TermId) -> TermId {
    if left == right {
        return reasoner.names.terms.boolean(true);
    }
    match (reasoner.names.pointer(left), reasoner.names.pointer(right)) {
        (Some((a, first)), Some((b, second))) => {
            if a == b {
                return reasoner.names.terms.equal(first, second);
            }
            let is_apart = is_apart(state, a, b);
            if is_apart
                && is_inside(&reasoner.names, state, a, first)
                && is_inside(&reasoner.names, state, b, second)
            {
                return reasoner.names.terms.boolean(false);
            }
        }
        (Some(one), None)
            if is_no_address(&reasoner.names, right) && reasoner.is_in_block(state, one) =>
        {
            return reasoner.names.terms.boolean(false);
        }
        (None, Some(one))
            if is_no_address(&reasoner.names, left) && reasoner.is_in_block(state, one) =>
        {
            return reasoner.names.terms.boolean(false);
        }
        _ => {}
    }
    reasoner.names.terms.equal(left, right)
}

/// Whether an offset is certainly that of a byte of a block, or the start of an empty one: one
/// past its end may be the start of another.
fn is_inside(names: &Names<'_>, state: &State, block: BlockId, offset: TermId) -> bool {
    match (names.constant(offset), names.constant(state.block(block).size)) {
        (Some(0), _) => true,
        (Some(offset), Some(size)) => offset < size,
        (_, _) => false,
    }
}

/// A constant in the first or last page of the address space.
fn is_no_address(names: &Names<'_>, term: TermId) -> bool {
    let Some(bits) = names.constant(term) else { return false };
    let signed = sign_extend(bits, names.terms.width(term));
    (-4096..4096).contains(&signed)
}

/// The order of numbers. The order of blocks is arbitrary, but it is the same every time.
fn less(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    left: TermId,
    right: TermId,
    signed: bool,
) -> TermId {
    // Seen as signed numbers of 32 bits, a block may begin above zero and end below it.
    let keeps_order = !signed || reasoner.names.pointer_bits() == 64;
    if keeps_order
        && let (Some(one), Some(other)) =
            (reasoner.names.pointer(left), reasoner.names.pointer(right))
        && one.0 == other.0
        && reasoner.is_in_block(state, one)
        && reasoner.is_in_block(state, other)
    {
        return reasoner.names.terms.signed_less(one.1, other.1);
    }
    if signed {
        reasoner.names.terms.signed_less(left, right)
    } else {
        reasoner.names.terms.unsigned_less(left, right)
    }
}

/// C's conversion between scalar types.
fn convert(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    term: TermId,
    from: ScalarType,
    to: ScalarType,
) -> TermId {
    match (from, to) {
        (ScalarType::Float(source), ScalarType::Float(target)) => {
            match float(&reasoner.names, term, source) {
                Some(value) => float_term(&mut reasoner.names, value, target),
                None => arbitrary(&mut reasoner.names, "float", to),
            }
        }
        (ScalarType::Float(source), _) => float_to_integer(&mut reasoner.names, term, source, to),
        (_, ScalarType::Float(target)) => integer_to_float(&mut reasoner.names, term, from, target),
        (ScalarType::Bool, ScalarType::Bool) => term,
        (ScalarType::Bool, _) => {
            let width = reasoner.names.bits(to);
            let (one, zero) = (
                reasoner.names.terms.bit_vector(1, width),
                reasoner.names.terms.bit_vector(0, width),
            );
            reasoner.names.terms.if_then_else(term, one, zero)
        }
        (_, ScalarType::Bool) => {
            let zero = reasoner.names.terms.bit_vector(0, reasoner.names.terms.width(term));
            let equal = equal(reasoner, state, term, zero);
            reasoner.names.terms.not(equal)
        }
        (_, _) => {
            let bits = reasoner.names.bits(to);
            resize(&mut reasoner.names, term, from.is_signed(), bits)
        }
    }
}

/// A bit-vector made narrower or wider.
pub(crate) fn resize(names: &mut Names<'_>, term: TermId, signed: bool, width: u32) -> TermId {
    let before = names.terms.width(term);
    if before == width {
        term
    } else if before > width {
        names.terms.extract(term, width - 1, 0)
    } else if signed {
        names.terms.sign_extend(term, width)
    } else {
        names.terms.zero_extend(term, width)
    }
}

// Floating point: constants are computed, everything else is an arbitrary value.

fn float(names: &Names<'_>, term: TermId, format: FloatFormat) -> Option<f64> {
    let bits = names.constant(term)?;
    match format {
        FloatFormat::Single => Some(f64::from(f32::from_bits(bits as u32))),
        FloatFormat::Double => Some(f64::from_bits(bits as u64)),
        FloatFormat::Extended | FloatFormat::Quadruple => None,
    }
}

fn float_term(names: &mut Names<'_>, value: f64, format: FloatFormat) -> TermId {
    match format {
        FloatFormat::Single => names.terms.bit_vector(u128::from((value as f32).to_bits()), 32),
        FloatFormat::Double => names.terms.bit_vector(u128::from(value.to_bits()), 64),
        FloatFormat::Extended | FloatFormat::Quadruple => {
            arbitrary(names, "float", ScalarType::Float(format))
        }
    }
}

fn float_binary(
    names: &mut Names<'_>,
    operator: BinaryOperator,
    left: TermId,
    right: TermId,
    format: FloatFormat,
    ty: ScalarType,
) -> TermId {
    use BinaryOperator as B;
    let (Some(a), Some(b)) = (float(names, left, format), float(names, right, format)) else {
        return arbitrary(names, "float", ty);
    };
    match operator {
        B::Equal => names.terms.boolean(a == b),
        B::NotEqual => names.terms.boolean(a != b),
        B::Less => names.terms.boolean(a < b),
        B::LessEqual => names.terms.boolean(a <= b),
        // A double holds the exact sum, difference and product of two floats closely enough
        // that rounding it once more gives the float result; so does the quotient.
        B::Add => float_term(names, a + b, format),
        B::Subtract => float_term(names, a - b, format),
        B::Multiply => float_term(names, a * b, format),
        B::Divide => float_term(names, a / b, format),
        _ => arbitrary(names, "float", ty),
    }
}

fn float_to_integer(
    names: &mut Names<'_>,
    term: TermId,
    format: FloatFormat,
    to: ScalarType,
) -> TermId {
    let value = float(names, term, format);
    match (value, to) {
        (Some(value), ScalarType::Bool) => names.terms.boolean(value != 0.0),
        (Some(value), ScalarType::Integer { .. })
            if value.is_finite() && value.abs() < 2f64.powi(31) =>
        {
            let width = names.bits(to);
            names.terms.bit_vector(value.trunc() as i128 as u128, width)
        }
        _ => arbitrary(names, "float", to),
    }
}

fn integer_to_float(
    names: &mut Names<'_>,
    term: TermId,
    from: ScalarType,
    to: FloatFormat,
) -> TermId {
    if from == ScalarType::Bool {
        return match names.truth(term) {
            Some(truth) => float_term(names, f64::from(u8::from(truth)), to),
            None => arbitrary(names, "float", ScalarType::Float(to)),
        };
    }
    let Some(bits) = names.constant(term) else {
        return arbitrary(names, "float", ScalarType::Float(to));
    };
    let width = names.terms.width(term);
    let number = if from.is_signed() { sign_extend(bits, width) } else { bits as i128 };
    // Beyond this the conversion rounds, and rounding twice may differ from rounding once.
    if number.unsigned_abs() < 1 << 53 {
        return float_term(names, number as f64, to);
    }
    arbitrary(names, "float", ScalarType::Float(to))
}
