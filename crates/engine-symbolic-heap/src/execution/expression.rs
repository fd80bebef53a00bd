//! Values: how expressions of the program become terms, and which terms are pointers.

use heapwright_logic::TermId;
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, FloatFormat, ScalarType, UnaryOperator, sign_extend,
};

use crate::context::Context;
use crate::heap::block::{BlockId, BlockKind, Life};
use crate::heap::state::State;

impl Context<'_> {
    /// The value of an expression in the current frame. A `bool` is a boolean term.
    pub(crate) fn evaluate(&mut self, state: &mut State, id: ExpressionId) -> TermId {
        let expressions = &self.task.program.expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { ty: ScalarType::Bool, bits } => {
                self.names.terms.boolean(bits != 0)
            }
            Expression::Constant { ty, bits } => {
                let width = self.names.bits(ty);
                self.names.terms.bit_vector(bits, width)
            }
            Expression::Variable(variable) => {
                let slot = self.names.facts.slot(variable);
                let known = if self.names.facts.is_global(variable) {
                    state.globals[slot]
                } else {
                    state.frame().registers[slot]
                };
                known.unwrap_or_else(|| self.arbitrary("unset", ty))
            }
            Expression::ObjectAddress(object) => match self.object_block(state, object) {
                Some(block) => self.names.pointer_to(block),
                // The address of an object that is not alive: a pointer to nothing.
                None => self.arbitrary("dead", ScalarType::Pointer),
            },
            Expression::FunctionAddress(function) => {
                use heapwright_base::DenseId;
                let block = state.function_blocks[function.index()];
                self.names.pointer_to(block)
            }
            Expression::Unary { operator, operand } => {
                let operand = self.evaluate(state, operand);
                self.unary(operator, operand, ty)
            }
            Expression::Binary { operator, left, right } => {
                let operand_type = expressions.type_of(left);
                let left = self.evaluate(state, left);
                let right = self.evaluate(state, right);
                self.binary(state, operator, (left, right), operand_type, ty)
            }
            Expression::Convert { operand, ty } => {
                let from = expressions.type_of(operand);
                let operand = self.evaluate(state, operand);
                self.convert(state, operand, from, ty)
            }
        }
    }

    pub(crate) fn object_block(
        &self,
        state: &State,
        object: heapwright_program::ObjectId,
    ) -> Option<BlockId> {
        use heapwright_base::DenseId;
        match state.static_blocks[object.index()] {
            Some(block) => Some(block),
            None => state.frame().objects.get(&object).copied(),
        }
    }

    /// A value that nothing is known of.
    pub(crate) fn arbitrary(&mut self, prefix: &str, ty: ScalarType) -> TermId {
        let bits = self.names.bits(ty);
        let fresh = self.names.fresh(prefix, bits);
        self.value_of_bytes(fresh, ty)
    }

    /// What a bit-vector read from memory is as a value of type `ty`.
    pub(crate) fn value_of_bytes(&mut self, term: TermId, ty: ScalarType) -> TermId {
        if ty == ScalarType::Bool {
            let zero = self.names.terms.bit_vector(0, 8);
            return self.names.terms.not_equal(term, zero);
        }
        term
    }

    /// What a value is as a bit-vector to be stored.
    pub(crate) fn bytes_of_value(&mut self, term: TermId, ty: ScalarType) -> TermId {
        if ty == ScalarType::Bool {
            let (one, zero) =
                (self.names.terms.bit_vector(1, 8), self.names.terms.bit_vector(0, 8));
            return self.names.terms.if_then_else(term, one, zero);
        }
        term
    }

    fn unary(&mut self, operator: UnaryOperator, operand: TermId, ty: ScalarType) -> TermId {
        match (operator, ty) {
            (UnaryOperator::Negate, ScalarType::Float(format)) => match self.float(operand, format)
            {
                Some(value) => self.float_term(-value, format),
                None => self.arbitrary("float", ty),
            },
            (UnaryOperator::Negate, _) => self.names.terms.negate(operand),
            (UnaryOperator::Complement, _) => self.names.terms.complement(operand),
        }
    }

    fn binary(
        &mut self,
        state: &State,
        operator: BinaryOperator,
        (left, right): (TermId, TermId),
        operands: ScalarType,
        ty: ScalarType,
    ) -> TermId {
        use BinaryOperator as B;
        if let ScalarType::Float(format) = operands {
            return self.float_binary(operator, left, right, format, ty);
        }
        let signed = operands.is_signed();
        match operator {
            B::Add | B::OffsetPointer => self.names.terms.add(left, right),
            B::Subtract => self.names.terms.subtract(left, right),
            B::Multiply => self.names.terms.multiply(left, right),
            B::Divide if signed => self.names.terms.signed_divide(left, right),
            B::Divide => self.names.terms.unsigned_divide(left, right),
            B::Remainder if signed => self.names.terms.signed_remainder(left, right),
            B::Remainder => self.names.terms.unsigned_remainder(left, right),
            B::BitAnd => self.names.terms.bit_and(left, right),
            B::BitOr => self.names.terms.bit_or(left, right),
            B::BitXor => self.names.terms.bit_xor(left, right),
            B::ShiftLeft | B::ShiftRight => {
                // The count is taken modulo the width, which is a power of two.
                let width = self.names.terms.width(left);
                let mask = self.names.terms.bit_vector(u128::from(width - 1), width);
                let count = self.names.terms.bit_and(right, mask);
                match (operator, signed) {
                    (B::ShiftLeft, _) => self.names.terms.shift_left(left, count),
                    (_, true) => self.names.terms.arithmetic_shift_right(left, count),
                    (_, false) => self.names.terms.logical_shift_right(left, count),
                }
            }
            B::Equal => self.equal(state, left, right),
            B::NotEqual => {
                let equal = self.equal(state, left, right);
                self.names.terms.not(equal)
            }
            B::Less => self.less(state, left, right, signed),
            B::LessEqual => {
                let greater = self.less(state, right, left, signed);
                self.names.terms.not(greater)
            }
            B::PointerDifference => match (self.names.pointer(left), self.names.pointer(right)) {
                (Some((a, first)), Some((b, second))) if a == b => {
                    self.names.terms.subtract(first, second)
                }
                _ => self.names.terms.subtract(left, right),
            },
        }
    }

    /// Equality. No pointer into a block is null, and pointers into blocks that lie apart differ.
    /// Whether others do is for the implementation to choose: the solver does, within what is known
    /// of their addresses. A pointer that may have left its block is a number like any other.
    fn equal(&mut self, state: &State, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.names.terms.boolean(true);
        }
        match (self.names.pointer(left), self.names.pointer(right)) {
            (Some((a, first)), Some((b, second))) => {
                if a == b {
                    return self.names.terms.equal(first, second);
                }
                let is_apart = self.is_apart(state, a, b);
                if is_apart && self.is_inside(state, a, first) && self.is_inside(state, b, second) {
                    return self.names.terms.boolean(false);
                }
            }
            (Some(one), None) if self.is_no_address(right) && self.is_in_block(state, one) => {
                return self.names.terms.boolean(false);
            }
            (None, Some(one)) if self.is_no_address(left) && self.is_in_block(state, one) => {
                return self.names.terms.boolean(false);
            }
            _ => {}
        }
        self.names.terms.equal(left, right)
    }

    /// Whether two blocks lie apart: both are alive, and they are not string literals, which may
    /// share their bytes. A block that the state does not have is gone.
    pub(crate) fn is_apart(&self, state: &State, first: BlockId, second: BlockId) -> bool {
        let (Some(a), Some(b)) = (state.blocks.get(&first), state.blocks.get(&second)) else {
            return false;
        };
        let are_literals = a.kind == BlockKind::String && b.kind == BlockKind::String;
        a.life == Life::Alive && b.life == Life::Alive && !are_literals
    }

    /// Whether an offset is certainly that of a byte of a block, or the start of an empty one: one
    /// past its end may be the start of another.
    fn is_inside(&self, state: &State, block: BlockId, offset: TermId) -> bool {
        match (self.names.constant(offset), self.names.constant(state.block(block).size)) {
            (Some(0), _) => true,
            (Some(offset), Some(size)) => offset < size,
            (_, _) => false,
        }
    }

    /// A constant in the first or last page of the address space.
    fn is_no_address(&self, term: TermId) -> bool {
        let Some(bits) = self.names.constant(term) else { return false };
        let signed = sign_extend(bits, self.names.terms.width(term));
        (-4096..4096).contains(&signed)
    }

    /// The order of numbers. The order of blocks is arbitrary, but it is the same every time.
    fn less(&mut self, state: &State, left: TermId, right: TermId, signed: bool) -> TermId {
        // Seen as signed numbers of 32 bits, a block may begin above zero and end below it.
        let keeps_order = !signed || self.names.pointer_bits() == 64;
        if keeps_order
            && let (Some(one), Some(other)) = (self.names.pointer(left), self.names.pointer(right))
            && one.0 == other.0
            && self.is_in_block(state, one)
            && self.is_in_block(state, other)
        {
            return self.names.terms.signed_less(one.1, other.1);
        }
        if signed {
            self.names.terms.signed_less(left, right)
        } else {
            self.names.terms.unsigned_less(left, right)
        }
    }

    /// C's conversion between scalar types.
    fn convert(&mut self, state: &State, term: TermId, from: ScalarType, to: ScalarType) -> TermId {
        match (from, to) {
            (ScalarType::Float(source), ScalarType::Float(target)) => {
                match self.float(term, source) {
                    Some(value) => self.float_term(value, target),
                    None => self.arbitrary("float", to),
                }
            }
            (ScalarType::Float(source), _) => self.float_to_integer(term, source, to),
            (_, ScalarType::Float(target)) => self.integer_to_float(term, from, target),
            (ScalarType::Bool, ScalarType::Bool) => term,
            (ScalarType::Bool, _) => {
                let width = self.names.bits(to);
                let (one, zero) =
                    (self.names.terms.bit_vector(1, width), self.names.terms.bit_vector(0, width));
                self.names.terms.if_then_else(term, one, zero)
            }
            (_, ScalarType::Bool) => {
                let zero = self.names.terms.bit_vector(0, self.names.terms.width(term));
                let equal = self.equal(state, term, zero);
                self.names.terms.not(equal)
            }
            (_, _) => self.resize(term, from.is_signed(), self.names.bits(to)),
        }
    }

    /// A bit-vector made narrower or wider.
    pub(crate) fn resize(&mut self, term: TermId, signed: bool, width: u32) -> TermId {
        let before = self.names.terms.width(term);
        if before == width {
            term
        } else if before > width {
            self.names.terms.extract(term, width - 1, 0)
        } else if signed {
            self.names.terms.sign_extend(term, width)
        } else {
            self.names.terms.zero_extend(term, width)
        }
    }

    // Floating point: constants are computed, everything else is an arbitrary value.

    fn float(&self, term: TermId, format: FloatFormat) -> Option<f64> {
        let bits = self.names.constant(term)?;
        match format {
            FloatFormat::Single => Some(f64::from(f32::from_bits(bits as u32))),
            FloatFormat::Double => Some(f64::from_bits(bits as u64)),
            FloatFormat::Extended | FloatFormat::Quadruple => None,
        }
    }

    fn float_term(&mut self, value: f64, format: FloatFormat) -> TermId {
        match format {
            FloatFormat::Single => {
                self.names.terms.bit_vector(u128::from((value as f32).to_bits()), 32)
            }
            FloatFormat::Double => self.names.terms.bit_vector(u128::from(value.to_bits()), 64),
            FloatFormat::Extended | FloatFormat::Quadruple => {
                self.arbitrary("float", ScalarType::Float(format))
            }
        }
    }

    fn float_binary(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        format: FloatFormat,
        ty: ScalarType,
    ) -> TermId {
        use BinaryOperator as B;
        let (Some(a), Some(b)) = (self.float(left, format), self.float(right, format)) else {
            return self.arbitrary("float", ty);
        };
        match operator {
            B::Equal => self.names.terms.boolean(a == b),
            B::NotEqual => self.names.terms.boolean(a != b),
            B::Less => self.names.terms.boolean(a < b),
            B::LessEqual => self.names.terms.boolean(a <= b),
            // A double holds the exact sum, difference and product of two floats closely enough
            // that rounding it once more gives the float result; so does the quotient.
            B::Add => self.float_term(a + b, format),
            B::Subtract => self.float_term(a - b, format),
            B::Multiply => self.float_term(a * b, format),
            B::Divide => self.float_term(a / b, format),
            _ => self.arbitrary("float", ty),
        }
    }

    fn float_to_integer(&mut self, term: TermId, format: FloatFormat, to: ScalarType) -> TermId {
        let value = self.float(term, format);
        match (value, to) {
            (Some(value), ScalarType::Bool) => self.names.terms.boolean(value != 0.0),
            (Some(value), ScalarType::Integer { .. })
                if value.is_finite() && value.abs() < 2f64.powi(31) =>
            {
                let width = self.names.bits(to);
                self.names.terms.bit_vector(value.trunc() as i128 as u128, width)
            }
            _ => self.arbitrary("float", to),
        }
    }

    fn integer_to_float(&mut self, term: TermId, from: ScalarType, to: FloatFormat) -> TermId {
        if from == ScalarType::Bool {
            return match self.names.truth(term) {
                Some(truth) => self.float_term(f64::from(u8::from(truth)), to),
                None => self.arbitrary("float", ScalarType::Float(to)),
            };
        }
        let Some(bits) = self.names.constant(term) else {
            return self.arbitrary("float", ScalarType::Float(to));
        };
        let width = self.names.terms.width(term);
        let number = if from.is_signed() { sign_extend(bits, width) } else { bits as i128 };
        // Beyond this the conversion rounds, and rounding twice may differ from rounding once.
        if number.unsigned_abs() < 1 << 53 {
            return self.float_term(number as f64, to);
        }
        self.arbitrary("float", ScalarType::Float(to))
    }
}
