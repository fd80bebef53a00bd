//! Expressions as terms.
//!
//! What the encoding does not know is a fresh value: floating-point arithmetic, the number of an
//! address, the order of addresses in different blocks.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ScalarType, UnaryOperator, VariableId,
};

use crate::analysis::distance::round_trip;
use crate::analysis::effects::Slot;
use crate::analysis::points_to::ObjectSource;
use crate::ssa::build::Builder;
use crate::ssa::formula::ValueKind;
use crate::ssa::pointer::NUMBER_BITS;
use crate::ssa::state::State;

impl Builder<'_> {
    /// The width of the terms of a type.
    pub(crate) fn width(&self, ty: ScalarType) -> u32 {
        match ty {
            ScalarType::Pointer => self.pointers.width(),
            ScalarType::Bool | ScalarType::Integer { .. } | ScalarType::Float(_) => {
                ty.value_bits(self.preparation.program().model)
            }
        }
    }

    pub(crate) fn width_of_kind(&self, kind: ValueKind) -> u32 {
        match kind {
            ValueKind::Number { bits, .. } | ValueKind::Opaque { bits } => bits,
            ValueKind::Pointer => self.pointers.width(),
            ValueKind::Boolean => 1,
        }
    }

    pub(crate) fn kind_of(&self, ty: ScalarType) -> ValueKind {
        match ty {
            ScalarType::Pointer => ValueKind::Pointer,
            ScalarType::Bool => ValueKind::Boolean,
            ScalarType::Integer { signed, width } => {
                ValueKind::Number { bits: u32::from(width), signed }
            }
            ScalarType::Float(_) => ValueKind::Opaque { bits: self.width(ty) },
        }
    }

    /// Anything of a type. A pointer is a number then: no object is known to be there.
    pub(crate) fn anything(&mut self, name: &str, ty: ScalarType) -> TermId {
        let kind = self.kind_of(ty);
        self.anything_of_kind(name, kind)
    }

    pub(crate) fn anything_of_kind(&mut self, name: &str, kind: ValueKind) -> TermId {
        if kind == ValueKind::Pointer {
            let number = self.fresh(name, Sort::BitVector(NUMBER_BITS + self.pointers.offset_bits));
            let tag = self.terms.bit_vector(0, self.pointers.tag_bits);
            return self.terms.concat(tag, number);
        }
        let width = self.width_of_kind(kind);
        self.fresh(name, Sort::BitVector(width))
    }

    pub(crate) fn variable(&mut self, state: &State, variable: VariableId) -> TermId {
        if let Some(value) = self.value(state, Slot::Variable(variable)) {
            return value;
        }
        let item = &self.preparation.program().variables[variable];
        let (name, ty) = (format!("{}#undefined", item.name), item.scalar);
        self.anything(&name, ty)
    }

    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, state: &State, expression: ExpressionId) -> TermId {
        let program = self.preparation.program();
        let ty = program.expressions.type_of(expression);
        match program.expressions.get(expression) {
            Expression::Constant { bits, .. } => {
                let width = self.width(ty);
                self.terms.bit_vector(bits, width)
            }
            Expression::Variable(variable) => self.variable(state, variable),
            Expression::ObjectAddress(object) => {
                let object = self.preparation.points_to.objects.id(ObjectSource::Declared(object));
                self.object_address(state, object)
            }
            Expression::FunctionAddress(function) => {
                let object = self.preparation.points_to.objects.id(ObjectSource::Code(function));
                self.object_address(state, object)
            }
            Expression::Unary { operator, operand } => {
                if ty.is_float() {
                    return self.anything("float", ty);
                }
                let operand = self.evaluate(state, operand);
                match operator {
                    UnaryOperator::Negate => self.terms.negate(operand),
                    UnaryOperator::Complement => self.terms.complement(operand),
                }
            }
            Expression::Binary { operator, .. } if operator.is_comparison() => {
                let truth = self.truth(state, expression);
                self.bit(truth)
            }
            Expression::Binary { operator, left, right } => {
                self.operation(state, operator, left, right, ty)
            }
            Expression::Convert { operand, ty } => self.convert(state, operand, ty),
        }
    }

    /// A truth value as a number.
    pub(crate) fn bit(&mut self, truth: TermId) -> TermId {
        let one = self.terms.bit_vector(1, 1);
        let zero = self.terms.bit_vector(0, 1);
        self.terms.if_then_else(truth, one, zero)
    }

    /// Whether a value of one bit is one.
    pub(crate) fn is_set(&mut self, bit: TermId) -> TermId {
        let one = self.terms.bit_vector(1, 1);
        self.terms.equal(bit, one)
    }

    /// Whether an expression is not zero.
    pub(crate) fn truth(&mut self, state: &State, expression: ExpressionId) -> TermId {
        let program = self.preparation.program();
        match program.expressions.get(expression) {
            Expression::Binary { operator, left, right } if operator.is_comparison() => {
                let operands = program.expressions.type_of(left);
                match operands {
                    ScalarType::Float(_) => self.fresh("float", Sort::Boolean),
                    ScalarType::Pointer => self.compare_pointers(state, operator, left, right),
                    ScalarType::Bool | ScalarType::Integer { .. } => {
                        let left = self.evaluate(state, left);
                        let right = self.evaluate(state, right);
                        self.compare(operator, left, right, operands.is_signed())
                    }
                }
            }
            Expression::Convert { operand, ty: ScalarType::Bool } => self.truth(state, operand),
            Expression::Convert { operand, ty: ScalarType::Integer { .. } }
                if program.expressions.type_of(operand) == ScalarType::Bool =>
            {
                self.truth(state, operand)
            }
            Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {
                if program.expressions.type_of(expression).is_float() {
                    return self.fresh("float", Sort::Boolean);
                }
                if program.expressions.type_of(expression).is_pointer() {
                    let is_null = self.is_null(state, expression);
                    return self.terms.not(is_null);
                }
                let value = self.evaluate(state, expression);
                let width = self.terms.width(value);
                let zero = self.terms.bit_vector(0, width);
                self.terms.not_equal(value, zero)
            }
        }
    }

    pub(crate) fn compare(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        signed: bool,
    ) -> TermId {
        match (operator, signed) {
            (BinaryOperator::Equal, _) => self.terms.equal(left, right),
            (BinaryOperator::NotEqual, _) => self.terms.not_equal(left, right),
            (BinaryOperator::Less, true) => self.terms.signed_less(left, right),
            (BinaryOperator::Less, false) => self.terms.unsigned_less(left, right),
            (BinaryOperator::LessEqual, true) => self.terms.signed_less_equal(left, right),
            (BinaryOperator::LessEqual, false) => self.terms.unsigned_less_equal(left, right),
            (other, _) => unreachable!("{other:?} compares nothing"),
        }
    }

    fn operation(
        &mut self,
        state: &State,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        ty: ScalarType,
    ) -> TermId {
        if ty.is_float() {
            return self.anything("float", ty);
        }
        match operator {
            BinaryOperator::OffsetPointer => return self.moved_pointer(state, left, right),
            BinaryOperator::PointerDifference => return self.difference(state, left, right, ty),
            _ => {}
        }
        let signed = ty.is_signed();
        let left = self.evaluate(state, left);
        let right = self.evaluate(state, right);
        let terms = &mut self.terms;
        match (operator, signed) {
            (BinaryOperator::Add, _) => terms.add(left, right),
            (BinaryOperator::Subtract, _) => terms.subtract(left, right),
            (BinaryOperator::Multiply, _) => terms.multiply(left, right),
            (BinaryOperator::Divide, true) => terms.signed_divide(left, right),
            (BinaryOperator::Divide, false) => terms.unsigned_divide(left, right),
            (BinaryOperator::Remainder, true) => terms.signed_remainder(left, right),
            (BinaryOperator::Remainder, false) => terms.unsigned_remainder(left, right),
            (BinaryOperator::BitAnd, _) => terms.bit_and(left, right),
            (BinaryOperator::BitOr, _) => terms.bit_or(left, right),
            (BinaryOperator::BitXor, _) => terms.bit_xor(left, right),
            (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, _) => {
                let width = terms.width(left);
                let modulus = terms.bit_vector(u128::from(width) - 1, width);
                let count = terms.bit_and(right, modulus);
                match (operator, signed) {
                    (BinaryOperator::ShiftLeft, _) => terms.shift_left(left, count),
                    (_, true) => terms.arithmetic_shift_right(left, count),
                    (_, false) => terms.logical_shift_right(left, count),
                }
            }
            (
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::OffsetPointer
                | BinaryOperator::PointerDifference,
                _,
            ) => unreachable!("treated before"),
        }
    }

    /// A number in another width.
    pub(crate) fn resized(&mut self, value: TermId, width: u32, signed: bool) -> TermId {
        let old = self.terms.width(value);
        if width < old {
            self.terms.extract(value, width - 1, 0)
        } else if signed {
            self.terms.sign_extend(value, width)
        } else {
            self.terms.zero_extend(value, width)
        }
    }

    fn convert(&mut self, state: &State, operand: ExpressionId, ty: ScalarType) -> TermId {
        let program = self.preparation.program();
        let from = program.expressions.type_of(operand);
        match (from, ty) {
            (_, ScalarType::Bool) => {
                let truth = self.truth(state, operand);
                self.bit(truth)
            }
            (ScalarType::Float(_), _) | (_, ScalarType::Float(_)) => self.anything("float", ty),
            (ScalarType::Pointer, ScalarType::Pointer) => self.evaluate(state, operand),
            (ScalarType::Pointer, ScalarType::Integer { .. }) => self.number_of(state, operand, ty),
            (ScalarType::Bool | ScalarType::Integer { .. }, ScalarType::Pointer) => {
                if let Some(pointer) = round_trip(program, operand) {
                    return self.evaluate(state, pointer);
                }
                let number = self.evaluate(state, operand);
                let address = self.resized(number, self.pointers.offset_bits, from.is_signed());
                self.pointer_from(address)
            }
            (ScalarType::Bool | ScalarType::Integer { .. }, ScalarType::Integer { .. }) => {
                let value = self.evaluate(state, operand);
                let width = self.width(ty);
                self.resized(value, width, from.is_signed())
            }
        }
    }
}
