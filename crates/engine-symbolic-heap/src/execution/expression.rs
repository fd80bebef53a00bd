//! Values: how expressions of the program become terms, and which terms are pointers.

use heapwright_logic::{BitVectorValue, Operator, Term, TermId};
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, FloatFormat, ScalarType, UnaryOperator, sign_extend,
};

use crate::context::Context;
use crate::heap::block::{BlockId, BlockKind, Life};
use crate::heap::state::State;

impl Context<'_> {
    /// The block and offset of a term that is a pointer by its form.
    pub(crate) fn pointer(&mut self, term: TermId) -> Option<(BlockId, TermId)> {
        if let Some(&known) = self.pointers.get(&term) {
            return known;
        }
        let found = self.find_pointer(term);
        self.pointers.insert(term, found);
        found
    }

    fn find_pointer(&mut self, term: TermId) -> Option<(BlockId, TermId)> {
        let bits = self.pointer_bits();
        match self.terms.node(term) {
            Term::Variable(_) => {
                let block = *self.blocks_of_addresses.get(&term)?;
                Some((block, self.terms.bit_vector(0, bits)))
            }
            Term::Binary(Operator::Add, a, b) => {
                if let Some((block, offset)) = self.pointer(a) {
                    if self.pointer(b).is_some() {
                        return None;
                    }
                    return Some((block, self.terms.add(offset, b)));
                }
                let (block, offset) = self.pointer(b)?;
                Some((block, self.terms.add(a, offset)))
            }
            Term::Binary(Operator::Subtract, a, b) => {
                let (block, offset) = self.pointer(a)?;
                if self.pointer(b).is_some() {
                    return None;
                }
                Some((block, self.terms.subtract(offset, b)))
            }
            _ => None,
        }
    }

    pub(crate) fn constant(&self, term: TermId) -> Option<u128> {
        self.terms.as_constant(term).map(BitVectorValue::bits)
    }

    pub(crate) fn truth(&self, term: TermId) -> Option<bool> {
        match self.terms.node(term) {
            Term::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// A pointer to the start of a block.
    pub(crate) fn pointer_to(&mut self, block: BlockId) -> TermId {
        self.address(block)
    }

    /// The value of an expression in the current frame. A `bool` is a boolean term.
    pub(crate) fn evaluate(&mut self, state: &mut State, id: ExpressionId) -> TermId {
        let expressions = &self.task.program.expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { ty: ScalarType::Bool, bits } => self.terms.boolean(bits != 0),
            Expression::Constant { ty, bits } => {
                let width = self.bits(ty);
                self.terms.bit_vector(bits, width)
            }
            Expression::Variable(variable) => {
                let slot = self.slot(variable);
                let known = if self.is_global(variable) {
                    state.globals[slot]
                } else {
                    state.frame().registers[slot]
                };
                known.unwrap_or_else(|| self.arbitrary("unset", ty))
            }
            Expression::ObjectAddress(object) => match self.object_block(state, object) {
                Some(block) => self.pointer_to(block),
                // The address of an object that is not alive: a pointer to nothing.
                None => self.arbitrary("dead", ScalarType::Pointer),
            },
            Expression::FunctionAddress(function) => {
                use heapwright_base::DenseId;
                let block = state.function_blocks[function.index()];
                self.pointer_to(block)
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
        let bits = self.bits(ty);
        let fresh = self.fresh(prefix, bits);
        self.value_of_bytes(fresh, ty)
    }

    /// What a bit-vector read from memory is as a value of type `ty`.
    pub(crate) fn value_of_bytes(&mut self, term: TermId, ty: ScalarType) -> TermId {
        if ty == ScalarType::Bool {
            let zero = self.terms.bit_vector(0, 8);
            return self.terms.not_equal(term, zero);
        }
        term
    }

    /// What a value is as a bit-vector to be stored.
    pub(crate) fn bytes_of_value(&mut self, term: TermId, ty: ScalarType) -> TermId {
        if ty == ScalarType::Bool {
            let (one, zero) = (self.terms.bit_vector(1, 8), self.terms.bit_vector(0, 8));
            return self.terms.if_then_else(term, one, zero);
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
            (UnaryOperator::Negate, _) => self.terms.negate(operand),
            (UnaryOperator::Complement, _) => self.terms.complement(operand),
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
            B::Add | B::OffsetPointer => self.terms.add(left, right),
            B::Subtract => self.terms.subtract(left, right),
            B::Multiply => self.terms.multiply(left, right),
            B::Divide if signed => self.terms.signed_divide(left, right),
            B::Divide => self.terms.unsigned_divide(left, right),
            B::Remainder if signed => self.terms.signed_remainder(left, right),
            B::Remainder => self.terms.unsigned_remainder(left, right),
            B::BitAnd => self.terms.bit_and(left, right),
            B::BitOr => self.terms.bit_or(left, right),
            B::BitXor => self.terms.bit_xor(left, right),
            B::ShiftLeft | B::ShiftRight => {
                // The count is taken modulo the width, which is a power of two.
                let width = self.terms.width(left);
                let mask = self.terms.bit_vector(u128::from(width - 1), width);
                let count = self.terms.bit_and(right, mask);
                match (operator, signed) {
                    (B::ShiftLeft, _) => self.terms.shift_left(left, count),
                    (_, true) => self.terms.arithmetic_shift_right(left, count),
                    (_, false) => self.terms.logical_shift_right(left, count),
                }
            }
            B::Equal => self.equal(state, left, right),
            B::NotEqual => {
                let equal = self.equal(state, left, right);
                self.terms.not(equal)
            }
            B::Less => self.less(state, left, right, signed),
            B::LessEqual => {
                let greater = self.less(state, right, left, signed);
                self.terms.not(greater)
            }
            B::PointerDifference => match (self.pointer(left), self.pointer(right)) {
                (Some((a, first)), Some((b, second))) if a == b => {
                    self.terms.subtract(first, second)
                }
                _ => self.terms.subtract(left, right),
            },
        }
    }

    /// Equality. No pointer into a block is null, and pointers into blocks that lie apart differ.
    /// Whether others do is for the implementation to choose: the solver does, within what is known
    /// of their addresses. A pointer that may have left its block is a number like any other.
    fn equal(&mut self, state: &State, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.terms.boolean(true);
        }
        match (self.pointer(left), self.pointer(right)) {
            (Some((a, first)), Some((b, second))) => {
                if a == b {
                    return self.terms.equal(first, second);
                }
                let is_apart = self.is_apart(state, a, b);
                if is_apart && self.is_inside(state, a, first) && self.is_inside(state, b, second) {
                    return self.terms.boolean(false);
                }
            }
            (Some(one), None) if self.is_no_address(right) && self.is_in_block(state, one) => {
                return self.terms.boolean(false);
            }
            (None, Some(one)) if self.is_no_address(left) && self.is_in_block(state, one) => {
                return self.terms.boolean(false);
            }
            _ => {}
        }
        self.terms.equal(left, right)
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
        match (self.constant(offset), self.constant(state.block(block).size)) {
            (Some(0), _) => true,
            (Some(offset), Some(size)) => offset < size,
            (_, _) => false,
        }
    }

    /// A constant in the first or last page of the address space.
    fn is_no_address(&self, term: TermId) -> bool {
        let Some(bits) = self.constant(term) else { return false };
        let signed = sign_extend(bits, self.terms.width(term));
        (-4096..4096).contains(&signed)
    }

    /// The order of numbers. The order of blocks is arbitrary, but it is the same every time.
    fn less(&mut self, state: &State, left: TermId, right: TermId, signed: bool) -> TermId {
        // Seen as signed numbers of 32 bits, a block may begin above zero and end below it.
        let keeps_order = !signed || self.pointer_bits() == 64;
        if keeps_order
            && let (Some(one), Some(other)) = (self.pointer(left), self.pointer(right))
            && one.0 == other.0
            && self.is_in_block(state, one)
            && self.is_in_block(state, other)
        {
            return self.terms.signed_less(one.1, other.1);
        }
        if signed {
            self.terms.signed_less(left, right)
        } else {
            self.terms.unsigned_less(left, right)
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
                let width = self.bits(to);
                let (one, zero) =
                    (self.terms.bit_vector(1, width), self.terms.bit_vector(0, width));
                self.terms.if_then_else(term, one, zero)
            }
            (_, ScalarType::Bool) => {
                let zero = self.terms.bit_vector(0, self.terms.width(term));
                let equal = self.equal(state, term, zero);
                self.terms.not(equal)
            }
            (_, _) => self.resize(term, from.is_signed(), self.bits(to)),
        }
    }

    /// A bit-vector made narrower or wider.
    pub(crate) fn resize(&mut self, term: TermId, signed: bool, width: u32) -> TermId {
        let before = self.terms.width(term);
        if before == width {
            term
        } else if before > width {
            self.terms.extract(term, width - 1, 0)
        } else if signed {
            self.terms.sign_extend(term, width)
        } else {
            self.terms.zero_extend(term, width)
        }
    }

    // Floating point: constants are computed, everything else is an arbitrary value.

    fn float(&self, term: TermId, format: FloatFormat) -> Option<f64> {
        let bits = self.constant(term)?;
        match format {
            FloatFormat::Single => Some(f64::from(f32::from_bits(bits as u32))),
            FloatFormat::Double => Some(f64::from_bits(bits as u64)),
            FloatFormat::Extended | FloatFormat::Quadruple => None,
        }
    }

    fn float_term(&mut self, value: f64, format: FloatFormat) -> TermId {
        match format {
            FloatFormat::Single => self.terms.bit_vector(u128::from((value as f32).to_bits()), 32),
            FloatFormat::Double => self.terms.bit_vector(u128::from(value.to_bits()), 64),
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
            B::Equal => self.terms.boolean(a == b),
            B::NotEqual => self.terms.boolean(a != b),
            B::Less => self.terms.boolean(a < b),
            B::LessEqual => self.terms.boolean(a <= b),
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
            (Some(value), ScalarType::Bool) => self.terms.boolean(value != 0.0),
            (Some(value), ScalarType::Integer { .. })
                if value.is_finite() && value.abs() < 2f64.powi(31) =>
            {
                let width = self.bits(to);
                self.terms.bit_vector(value.trunc() as i128 as u128, width)
            }
            _ => self.arbitrary("float", to),
        }
    }

    fn integer_to_float(&mut self, term: TermId, from: ScalarType, to: FloatFormat) -> TermId {
        if from == ScalarType::Bool {
            return match self.truth(term) {
                Some(truth) => self.float_term(f64::from(u8::from(truth)), to),
                None => self.arbitrary("float", ScalarType::Float(to)),
            };
        }
        let Some(bits) = self.constant(term) else {
            return self.arbitrary("float", ScalarType::Float(to));
        };
        let width = self.terms.width(term);
        let number = if from.is_signed() { sign_extend(bits, width) } else { bits as i128 };
        // Beyond this the conversion rounds, and rounding twice may differ from rounding once.
        if number.unsigned_abs() < 1 << 53 {
            return self.float_term(number as f64, to);
        }
        self.arbitrary("float", ScalarType::Float(to))
    }
}
