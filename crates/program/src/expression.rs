//! Expressions: typed, without side effects, without memory access, hash-consed.
//!
//! An expression reads variables and takes addresses, nothing else, so any engine may evaluate it
//! as often as it likes. Both operands of a binary operator have the same type, but for
//! [`BinaryOperator::OffsetPointer`]; conversions are nodes of their own.

use heapwright_base::{DenseId, IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::program::{FunctionId, ObjectId, VariableId};
use crate::types::{DataModel, ScalarType};

define_id!(
    /// An expression in the program's pool; equal expressions have equal ids.
    ExpressionId,
    "e"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-e`, wrapping for integers.
    Negate,
    /// `~e`
    Complement,
}

/// Signedness and floating point come from the operands' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    /// Truncates towards zero. Integer division stands alone on an edge that asks for a divisor
    /// other than zero, unless the divisor is a constant other than zero.
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    /// The count is taken modulo the width; C leaves larger counts undefined.
    ShiftLeft,
    /// Arithmetic for signed operands, logical for unsigned ones.
    ShiftRight,
    /// Comparisons give a [`ScalarType::Bool`]. Pointers compare as unsigned addresses.
    Equal,
    NotEqual,
    Less,
    LessEqual,
    /// A pointer moved by a number of bytes: `(ptr, offset type) -> ptr`.
    OffsetPointer,
    /// Bytes between two pointers: `(ptr, ptr) -> offset type`.
    PointerDifference,
}

impl BinaryOperator {
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// The bit pattern of a value, zero-extended; a pointer constant is an address without a block.
    Constant {
        ty: ScalarType,
        bits: u128,
    },
    Variable(VariableId),
    /// Where the block of an object starts: the current frame's, for a local object.
    ObjectAddress(ObjectId),
    FunctionAddress(FunctionId),
    Unary {
        operator: UnaryOperator,
        operand: ExpressionId,
    },
    Binary {
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    },
    /// C's conversion to the node's type. To `bool`: whether it differs from zero. Between
    /// pointers and integers: the address. Float to integer: towards zero.
    Convert {
        operand: ExpressionId,
        ty: ScalarType,
    },
}

/// All expressions of a program, each once.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: IdVec<ExpressionId, (Expression, ScalarType)>,
    interned: FxHashMap<Expression, ExpressionId>,
}

impl PartialEq for Expressions {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

impl Expressions {
    #[must_use]
    pub fn new() -> Expressions {
        Expressions::default()
    }

    #[must_use]
    #[inline]
    pub fn get(&self, id: ExpressionId) -> Expression {
        self.nodes[id].0
    }

    #[must_use]
    #[inline]
    pub fn type_of(&self, id: ExpressionId) -> ScalarType {
        self.nodes[id].1
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ExpressionId> + use<> {
        (0..self.nodes.len()).map(ExpressionId::from_index)
    }

    /// The value of a constant.
    #[must_use]
    pub fn constant_bits(&self, id: ExpressionId) -> Option<u128> {
        match self.get(id) {
            Expression::Constant { bits, .. } => Some(bits),
            Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => None,
        }
    }

    /// A constant; `bits` beyond the type's width are dropped.
    pub fn constant(&mut self, ty: ScalarType, bits: u128, model: DataModel) -> ExpressionId {
        let bits = bits & mask(ty.value_bits(model));
        self.intern(Expression::Constant { ty, bits }, ty)
    }

    pub fn variable(&mut self, variable: VariableId, ty: ScalarType) -> ExpressionId {
        self.intern(Expression::Variable(variable), ty)
    }

    pub fn object_address(&mut self, object: ObjectId) -> ExpressionId {
        self.intern(Expression::ObjectAddress(object), ScalarType::Pointer)
    }

    pub fn function_address(&mut self, function: FunctionId) -> ExpressionId {
        self.intern(Expression::FunctionAddress(function), ScalarType::Pointer)
    }

    pub fn unary(&mut self, operator: UnaryOperator, operand: ExpressionId) -> ExpressionId {
        self.intern(Expression::Unary { operator, operand }, self.type_of(operand))
    }

    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        model: DataModel,
    ) -> ExpressionId {
        let ty = match operator {
            operator if operator.is_comparison() => ScalarType::Bool,
            BinaryOperator::PointerDifference => model.offset_type(),
            _ => self.type_of(left),
        };
        self.intern(Expression::Binary { operator, left, right }, ty)
    }

    /// A conversion; to the same type it is nothing.
    pub fn convert(&mut self, operand: ExpressionId, ty: ScalarType) -> ExpressionId {
        if self.type_of(operand) == ty {
            return operand;
        }
        self.intern(Expression::Convert { operand, ty }, ty)
    }

    fn intern(&mut self, expression: Expression, ty: ScalarType) -> ExpressionId {
        if let Some(&id) = self.interned.get(&expression) {
            return id;
        }
        let id = self.nodes.push((expression, ty));
        self.interned.insert(expression, id);
        id
    }

    /// Calls `visit` for `id` and everything below it (shared nodes as often as they are used).
    pub fn visit(&self, id: ExpressionId, visit: &mut impl FnMut(ExpressionId, Expression)) {
        let node = self.get(id);
        visit(id, node);
        match node {
            Expression::Unary { operand, .. } | Expression::Convert { operand, .. } => {
                self.visit(operand, visit);
            }
            Expression::Binary { left, right, .. } => {
                self.visit(left, visit);
                self.visit(right, visit);
            }
            Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_) => {}
        }
    }
}

/// The lowest `bits` bits set.
#[must_use]
pub const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Reads the lowest `bits` bits of `value` as a signed number.
#[must_use]
pub const fn sign_extend(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}
