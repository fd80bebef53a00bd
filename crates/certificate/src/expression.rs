//! Expressions of the program as terms.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{BinaryOperator, Expression, ExpressionId, ScalarType, UnaryOperator};

use crate::state::State;
use crate::value::{Pointer, Value};
use crate::walk::Checker;

impl Checker<'_> {
    pub(crate) fn evaluate(&mut self, state: &mut State, expression: ExpressionId) -> Value {
        let program = self.program;
        let ty = program.expressions.type_of(expression);
        match program.expressions.get(expression) {
            Expression::Constant { ty, bits } => self.constant_value(ty, bits),
            Expression::Variable(variable) => self.variable(state, variable),
            Expression::ObjectAddress(object) => Value::Pointer(self.address_of(state, object)),
            Expression::FunctionAddress(function) => Value::Pointer(self.code_address(function)),
            Expression::Unary { .. } | Expression::Binary { .. } | Expression::Convert { .. }
                if self.is_inexact(expression) =>
            {
                self.doubt(state.guard, "floating point is not modelled");
                self.anything("float", ty)
            }
            Expression::Unary { operator, operand } => {
                let operand = self.evaluate(state, operand).bits();
                Value::Bits(match operator {
                    UnaryOperator::Negate => self.terms.negate(operand),
                    UnaryOperator::Complement => self.terms.complement(operand),
                })
            }
            Expression::Binary { operator, .. } if operator.is_comparison() => {
                let truth = self.truth(state, expression);
                Value::Bits(self.bit(truth))
            }
            Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } => {
                let start = self.evaluate(state, left).pointer();
                let distance = self.evaluate(state, right).bits();
                let distance = self.resized(distance, self.width, true);
                let offset = self.terms.add(start.offset, distance);
                Value::Pointer(Pointer { offset, ..start })
            }
            Expression::Binary { operator: BinaryOperator::PointerDifference, left, right } => {
                let left = self.evaluate(state, left).pointer();
                let right = self.evaluate(state, right).pointer();
                let bytes = self.difference(left, right);
                let width = ty.value_bits(program.model);
                Value::Bits(self.resized(bytes, width, true))
            }
            Expression::Binary { operator, left, right } => {
                let left = self.evaluate(state, left).bits();
                let right = self.evaluate(state, right).bits();
                Value::Bits(self.arithmetic(operator, left, right, ty.is_signed()))
            }
            Expression::Convert { operand, ty } => self.convert(state, operand, ty),
        }
    }

    fn constant_value(&mut self, ty: ScalarType, bits: u128) -> Value {
        if ty.is_pointer() {
            let address = self.terms.bit_vector(bits, self.width);
            return Value::Pointer(self.number_pointer(address));
        }
        Value::Bits(self.terms.bit_vector(bits, ty.value_bits(self.program.model)))
    }

    /// Whether the result, or what it is made from, is a floating-point number.
    fn is_inexact(&self, expression: ExpressionId) -> bool {
        let expressions = &self.program.expressions;
        let is_float = |it: ExpressionId| expressions.type_of(it).is_float();
        is_float(expression)
            || match expressions.get(expression) {
                Expression::Unary { operand, .. } | Expression::Convert { operand, .. } => {
                    is_float(operand)
                }
                Expression::Binary { left, .. } => is_float(left),
                Expression::Constant { .. }
                | Expression::Variable(_)
                | Expression::ObjectAddress(_)
                | Expression::FunctionAddress(_) => false,
            }
    }

    pub(crate) fn bit(&mut self, truth: TermId) -> TermId {
        let one = self.terms.bit_vector(1, 1);
        let zero = self.terms.bit_vector(0, 1);
        self.terms.if_then_else(truth, one, zero)
    }

    /// Whether an expression is not zero.
    pub(crate) fn truth(&mut self, state: &mut State, expression: ExpressionId) -> TermId {
        let expressions = &self.program.expressions;
        if self.is_inexact(expression) {
            self.doubt(state.guard, "floating point is not modelled");
            return self.fresh("float", Sort::Boolean);
        }
        if let Expression::Binary { operator, left, right } = expressions.get(expression)
            && operator.is_comparison()
        {
            let ty = expressions.type_of(left);
            let left = self.evaluate(state, left);
            let right = self.evaluate(state, right);
            return match (left, right) {
                (Value::Pointer(left), Value::Pointer(right)) => {
                    self.compare_pointers(state, operator, left, right)
                }
                (left, right) => self.compare(operator, left.bits(), right.bits(), ty.is_signed()),
            };
        }
        match self.evaluate(state, expression) {
            Value::Pointer(pointer) => {
                let is_null = self.is_null(pointer);
                self.terms.not(is_null)
            }
            Value::Bits(bits) => self.is_not_zero(bits),
        }
    }

    pub(crate) fn is_not_zero(&mut self, bits: TermId) -> TermId {
        let zero = self.terms.bit_vector(0, self.terms.width(bits));
        self.terms.not_equal(bits, zero)
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        is_signed: bool,
    ) -> TermId {
        use BinaryOperator as B;
        let terms = &mut self.terms;
        match (operator, is_signed) {
            (B::Add, _) => terms.add(left, right),
            (B::Subtract, _) => terms.subtract(left, right),
            (B::Multiply, _) => terms.multiply(left, right),
            (B::Divide, true) => terms.signed_divide(left, right),
            (B::Divide, false) => terms.unsigned_divide(left, right),
            (B::Remainder, true) => terms.signed_remainder(left, right),
            (B::Remainder, false) => terms.unsigned_remainder(left, right),
            (B::BitAnd, _) => terms.bit_and(left, right),
            (B::BitOr, _) => terms.bit_or(left, right),
            (B::BitXor, _) => terms.bit_xor(left, right),
            (B::ShiftLeft | B::ShiftRight, _) => {
                // Widths are powers of two: the count modulo the width is its lowest bits.
                let width = terms.width(left);
                let lowest = terms.bit_vector(u128::from(width) - 1, width);
                let count = terms.bit_and(right, lowest);
                match (operator, is_signed) {
                    (B::ShiftLeft, _) => terms.shift_left(left, count),
                    (_, true) => terms.arithmetic_shift_right(left, count),
                    (_, false) => terms.logical_shift_right(left, count),
                }
            }
            (
                B::Equal
                | B::NotEqual
                | B::Less
                | B::LessEqual
                | B::OffsetPointer
                | B::PointerDifference,
                _,
            ) => unreachable!("treated before"),
        }
    }

    fn convert(&mut self, state: &mut State, operand: ExpressionId, ty: ScalarType) -> Value {
        let from = self.program.expressions.type_of(operand);
        let width = ty.value_bits(self.program.model);
        match (from, ty) {
            (_, ScalarType::Bool) => {
                let truth = self.truth(state, operand);
                Value::Bits(self.bit(truth))
            }
            (ScalarType::Float(_), _) | (_, ScalarType::Float(_)) => {
                unreachable!("inexact conversions are treated before")
            }
            (ScalarType::Pointer, ScalarType::Pointer) => self.evaluate(state, operand),
            (ScalarType::Pointer, ScalarType::Integer { .. }) => {
                let pointer = self.evaluate(state, operand).pointer();
                let address = self.address(pointer);
                Value::Bits(self.resized(address, width, false))
            }
            (ScalarType::Bool | ScalarType::Integer { .. }, ScalarType::Pointer) => {
                self.pointer_from(state, operand, from.is_signed())
            }
            (ScalarType::Bool | ScalarType::Integer { .. }, ScalarType::Integer { .. }) => {
                let value = self.evaluate(state, operand).bits();
                Value::Bits(self.resized(value, width, from.is_signed()))
            }
        }
    }

    /// A pointer made from an integer. One that was made from a pointer in the same expression is
    /// that; of others the block is not known here, though a run may find one at that address.
    fn pointer_from(&mut self, state: &mut State, operand: ExpressionId, signed: bool) -> Value {
        if let Some(pointer) = self.round_trip(operand) {
            return self.evaluate(state, pointer);
        }
        let number = self.evaluate(state, operand).bits();
        let address = self.resized(number, self.width, signed);
        if !self.terms.is_constant(address) {
            self.doubt(state.guard, "a pointer is made from a number");
        }
        Value::Pointer(self.number_pointer(address))
    }

    fn round_trip(&self, integer: ExpressionId) -> Option<ExpressionId> {
        let expressions = &self.program.expressions;
        let Expression::Convert { operand, ty } = expressions.get(integer) else { return None };
        let is_wide = ty.is_integer() && ty.value_bits(self.program.model) >= self.width;
        match expressions.type_of(operand) {
            ScalarType::Pointer => is_wide.then_some(operand),
            ScalarType::Integer { .. } if is_wide => self.round_trip(operand),
            ScalarType::Integer { .. } | ScalarType::Bool | ScalarType::Float(_) => None,
        }
    }
}
