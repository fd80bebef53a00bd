//! What an expression of C gives: a scalar, an aggregate in memory, or nothing; and the helpers
//! that build expressions of the program, folding constants as they go.

use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ObjectId, Operation, ScalarType, UnaryOperator,
    VariableKind, mask, sign_extend,
};
use rucc_types::{ArrayLen, TypeKind};

use super::function::FunctionLowering;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Scalar(ExpressionId),
    /// A struct or union whose bytes are at this address.
    Aggregate(ExpressionId),
    Nothing,
}

impl FunctionLowering<'_, '_> {
    pub(crate) fn type_of(&self, expression: ExpressionId) -> ScalarType {
        self.unit.linker.program.expressions.type_of(expression)
    }

    fn node(&self, expression: ExpressionId) -> Expression {
        self.unit.linker.program.expressions.get(expression)
    }

    pub(crate) fn constant(&mut self, scalar: ScalarType, bits: u128) -> ExpressionId {
        let model = self.unit.model();
        self.unit.linker.program.expressions.constant(scalar, bits, model)
    }

    pub(crate) fn offset_constant(&mut self, bytes: i128) -> ExpressionId {
        let scalar = self.unit.model().offset_type();
        self.constant(scalar, bytes as u128)
    }

    /// A number of bytes as `size_t`.
    pub(crate) fn size_constant(&mut self, bytes: u64) -> ExpressionId {
        let scalar = self.unit.model().size_type();
        self.constant(scalar, u128::from(bytes))
    }

    /// The value of an integer constant, sign-extended where its type is signed.
    pub(crate) fn integer(&self, expression: ExpressionId) -> Option<i128> {
        let Expression::Constant { ty, bits } = self.node(expression) else { return None };
        match ty {
            ScalarType::Integer { signed: true, width } => {
                Some(sign_extend(bits, u32::from(width)))
            }
            ScalarType::Integer { signed: false, .. } | ScalarType::Bool => {
                i128::try_from(bits).ok()
            }
            ScalarType::Float(_) | ScalarType::Pointer => None,
        }
    }

    /// C's conversion of a value to a type.
    pub(crate) fn convert(&mut self, expression: ExpressionId, to: ScalarType) -> ExpressionId {
        let from = self.type_of(expression);
        if from == to {
            return expression;
        }
        if to == ScalarType::Bool {
            return self.truth(expression);
        }
        if let Some(value) = self.integer(expression)
            && (to.is_integer() || (to.is_pointer() && value == 0))
        {
            return self.constant(to, value as u128);
        }
        // A comparison read as an int and widened again is still that comparison.
        if let Expression::Convert { operand, ty } = self.node(expression)
            && self.type_of(operand) == ScalarType::Bool
            && ty.is_integer()
            && to.is_integer()
        {
            return self.convert(operand, to);
        }
        self.unit.linker.program.expressions.convert(expression, to)
    }

    /// A value of an integer type that is narrower than the machine type it is computed in:
    /// `_BitInt(40)`, which is also what a bit-field of forty bits is promoted to.
    pub(crate) fn fitted(&mut self, value: ExpressionId, ty: rucc_types::TypeId) -> ExpressionId {
        match (self.unit.kind(ty), self.unit.scalar(ty)) {
            (TypeKind::BitInt { width, .. }, Some(scalar)) => self.truncated(value, scalar, width),
            _ => value,
        }
    }

    /// What is left of a value in its lowest `width` bits.
    pub(crate) fn truncated(
        &mut self,
        value: ExpressionId,
        scalar: ScalarType,
        width: u32,
    ) -> ExpressionId {
        let total = scalar.value_bits(self.unit.model());
        if width >= total {
            return value;
        }
        let count = self.constant(scalar, u128::from(total - width));
        let raised = self.binary(BinaryOperator::ShiftLeft, value, count);
        self.binary(BinaryOperator::ShiftRight, raised, count)
    }

    /// Whether a value differs from zero, as a `bool`.
    pub(crate) fn truth(&mut self, expression: ExpressionId) -> ExpressionId {
        let ty = self.type_of(expression);
        if ty == ScalarType::Bool {
            return expression;
        }
        match self.node(expression) {
            Expression::Convert { operand, .. }
                if self.type_of(operand) == ScalarType::Bool && ty.is_integer() =>
            {
                return operand;
            }
            Expression::ObjectAddress(_) | Expression::FunctionAddress(_) => {
                return self.constant(ScalarType::Bool, 1);
            }
            _ => {}
        }
        let zero = self.constant(ty, 0);
        self.binary(BinaryOperator::NotEqual, expression, zero)
    }

    /// `!e` for a `bool`.
    pub(crate) fn negate(&mut self, expression: ExpressionId) -> ExpressionId {
        if let Expression::Binary { operator, left, right } = self.node(expression)
            && !self.type_of(left).is_float()
        {
            let opposite = match operator {
                BinaryOperator::Equal => Some((BinaryOperator::NotEqual, left, right)),
                BinaryOperator::NotEqual => Some((BinaryOperator::Equal, left, right)),
                BinaryOperator::Less => Some((BinaryOperator::LessEqual, right, left)),
                BinaryOperator::LessEqual => Some((BinaryOperator::Less, right, left)),
                _ => None,
            };
            if let Some((operator, left, right)) = opposite {
                return self.binary(operator, left, right);
            }
        }
        let falsehood = self.constant(ScalarType::Bool, 0);
        self.binary(BinaryOperator::Equal, expression, falsehood)
    }

    pub(crate) fn unary(&mut self, operator: UnaryOperator, operand: ExpressionId) -> ExpressionId {
        let ty = self.type_of(operand);
        if let Some(value) = self.integer(operand)
            && ty.is_integer()
        {
            let folded = match operator {
                UnaryOperator::Negate => value.wrapping_neg(),
                UnaryOperator::Complement => !value,
            };
            return self.constant(ty, folded as u128);
        }
        self.unit.linker.program.expressions.unary(operator, operand)
    }

    /// A binary expression; integer constants and moved pointers are folded.
    pub(crate) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        if let (Some(a), Some(b)) = (self.integer(left), self.integer(right))
            && let Some(folded) = self.fold(operator, self.type_of(left), a, b)
        {
            return folded;
        }
        let neutral = self.integer(right) == Some(0);
        match operator {
            BinaryOperator::OffsetPointer if neutral => return left,
            BinaryOperator::OffsetPointer => {
                if let (
                    Expression::Binary {
                        operator: BinaryOperator::OffsetPointer,
                        left: base,
                        right: first,
                    },
                    Some(second),
                ) = (self.node(left), self.integer(right))
                    && let Some(first) = self.integer(first)
                {
                    let sum = self.offset_constant(first.wrapping_add(second));
                    return self.binary(BinaryOperator::OffsetPointer, base, sum);
                }
            }
            BinaryOperator::Add | BinaryOperator::Subtract
                if neutral && self.type_of(left).is_integer() =>
            {
                return left;
            }
            BinaryOperator::Multiply | BinaryOperator::Divide
                if self.integer(right) == Some(1) && self.type_of(left).is_integer() =>
            {
                return left;
            }
            _ => {}
        }
        let model = self.unit.model();
        self.unit.linker.program.expressions.binary(operator, left, right, model)
    }

    fn fold(
        &mut self,
        operator: BinaryOperator,
        ty: ScalarType,
        a: i128,
        b: i128,
    ) -> Option<ExpressionId> {
        let truth = |value: bool| Some((ScalarType::Bool, i128::from(value)));
        let number = |value: i128| Some((ty, value));
        let width = ty.value_bits(self.unit.model());
        let (scalar, value) = match operator {
            BinaryOperator::Add => number(a.wrapping_add(b)),
            BinaryOperator::Subtract => number(a.wrapping_sub(b)),
            BinaryOperator::Multiply => number(a.wrapping_mul(b)),
            BinaryOperator::BitAnd => number(a & b),
            BinaryOperator::BitOr => number(a | b),
            BinaryOperator::BitXor => number(a ^ b),
            BinaryOperator::Equal => truth(a == b),
            BinaryOperator::NotEqual => truth(a != b),
            BinaryOperator::Less => truth(a < b),
            BinaryOperator::LessEqual => truth(a <= b),
            BinaryOperator::ShiftLeft if (0..i128::from(width)).contains(&b) => number(a << b),
            BinaryOperator::ShiftRight if (0..i128::from(width)).contains(&b) => number(a >> b),
            BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::OffsetPointer
            | BinaryOperator::PointerDifference => None,
        }?;
        Some(self.constant(scalar, value as u128 & mask(128)))
    }

    /// A pointer moved by a number of bytes.
    pub(crate) fn offset_pointer(&mut self, pointer: ExpressionId, bytes: i128) -> ExpressionId {
        let offset = self.offset_constant(bytes);
        self.binary(BinaryOperator::OffsetPointer, pointer, offset)
    }

    /// Keeps a value in a variable of its own, so that nothing later changes it.
    pub(crate) fn spill(&mut self, value: ExpressionId) -> ExpressionId {
        if self.integer(value).is_some() {
            return value;
        }
        let scalar = self.type_of(value);
        let target = self.temporary(scalar);
        self.emit(Operation::Assign { target, value });
        self.variable(target)
    }

    /// `value`, or a copy of it if a later edge could change it.
    pub(crate) fn stable(&mut self, value: ExpressionId) -> ExpressionId {
        if self.is_stable(value) { value } else { self.spill(value) }
    }

    fn is_stable(&self, value: ExpressionId) -> bool {
        let program = &self.unit.linker.program;
        let mut stable = true;
        program.expressions.visit(value, &mut |_, node| {
            if let Expression::Variable(variable) = node {
                stable &= program.variables[variable].kind == VariableKind::Temporary;
            }
        });
        stable
    }

    /// Bytes of a type, as an expression of `size_t`; bounds of arrays were evaluated before.
    pub(crate) fn dynamic_size(&mut self, ty: rucc_types::TypeId) -> ExpressionId {
        if let Some(size) = self.unit.size_of(ty) {
            return self.size_constant(size);
        }
        let TypeKind::Array { elem, len } = self.unit.kind(ty) else {
            return self.size_constant(1);
        };
        let element = self.dynamic_size(elem);
        let size_type = self.unit.model().size_type();
        let count = match len {
            ArrayLen::Variable(bound) => {
                let count = self.unit.unit.tast.vla_size(bound);
                let value = self.scalar_value(count);
                self.convert(value, size_type)
            }
            ArrayLen::Fixed(count) => self.size_constant(count),
            ArrayLen::Unknown | ArrayLen::Star => self.size_constant(0),
        };
        self.binary(BinaryOperator::Multiply, count, element)
    }

    /// Asks that two ranges of bytes share none, or all, where the addresses do not tell already.
    pub(crate) fn disjoint(&mut self, left: ExpressionId, right: ExpressionId, size: ExpressionId) {
        let objects = (self.object_of(left), self.object_of(right));
        let are_apart = matches!(objects, (Some(one), Some(other)) if one != other);
        if !are_apart && left != right && self.integer(size) != Some(0) {
            self.emit(Operation::Disjoint { left, right, size });
        }
    }

    /// The object that an address is written with.
    fn object_of(&self, address: ExpressionId) -> Option<ObjectId> {
        match self.node(address) {
            Expression::ObjectAddress(object) => Some(object),
            Expression::Binary { operator: BinaryOperator::OffsetPointer, left, .. } => {
                self.object_of(left)
            }
            Expression::Binary { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Convert { .. } => None,
        }
    }

    /// Copies an aggregate of type `ty`.
    pub(crate) fn copy(
        &mut self,
        target: ExpressionId,
        source: ExpressionId,
        ty: rucc_types::TypeId,
    ) {
        let size = self.dynamic_size(ty);
        if target != source {
            self.emit(Operation::Copy { target, source, size, initialises: false });
        }
    }
}
