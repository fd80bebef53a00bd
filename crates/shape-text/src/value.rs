//! Values of expressions: what a pointer leads to, and numbers that are constants.

use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ObjectKind, Program, ScalarType, UnaryOperator, mask,
    sign_extend,
};

use crate::certificate::Claims;
use crate::heap::Node;
use crate::state::{Pointer, Slot, State};
use crate::truth::Truth;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Pointer(Pointer),
    /// Zero-extended bits.
    Number(u128),
    /// Any number.
    Open,
    /// The number of a single block.
    Datum(Node),
}

impl Value {
    pub(crate) fn pointer(self) -> Pointer {
        match self {
            Value::Pointer(pointer) => pointer,
            Value::Number(_) | Value::Open | Value::Datum(_) => Pointer::Unknown,
        }
    }

    pub(crate) fn number(self) -> Option<u128> {
        match self {
            Value::Number(bits) => Some(bits),
            Value::Pointer(_) | Value::Open | Value::Datum(_) => None,
        }
    }
}

fn decided(value: Option<bool>) -> Value {
    value.map_or(Value::Open, |value| Value::Number(u128::from(value)))
}

/// What an expression is in a state.
pub(crate) struct Values<'v> {
    pub(crate) program: &'v Program,
    pub(crate) claims: &'v Claims,
    pub(crate) state: &'v State,
}

impl Values<'_> {
    pub(crate) fn of(&self, id: ExpressionId) -> Value {
        let expressions = &self.program.expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { bits: 0, ty: ScalarType::Pointer } => {
                Value::Pointer(Pointer::Null)
            }
            Expression::Constant { ty: ScalarType::Pointer, .. } => {
                Value::Pointer(Pointer::Unknown)
            }
            Expression::Constant { ty: ScalarType::Float(_), .. } => Value::Open,
            Expression::Constant { bits, .. } => Value::Number(bits),
            Expression::Variable(variable) if ty.is_pointer() => {
                let held = self.state.pointers.get(&Slot::Variable(variable));
                Value::Pointer(held.copied().unwrap_or(Pointer::Unknown))
            }
            Expression::Variable(variable) => {
                let number = self.state.numbers.get(&variable).map(|bits| Value::Number(*bits));
                let datum = self.state.data.get(&variable).map(|node| Value::Datum(*node));
                number.or(datum).unwrap_or(Value::Open)
            }
            Expression::ObjectAddress(object) => {
                Value::Pointer(Pointer::Object { object, offset: 0 })
            }
            Expression::FunctionAddress(function) => Value::Pointer(Pointer::Function(function)),
            Expression::Unary { operator, operand } => match self.of(operand) {
                Value::Number(bits) if ty.is_integer() => {
                    let bits = match operator {
                        UnaryOperator::Negate => bits.wrapping_neg(),
                        UnaryOperator::Complement => !bits,
                    };
                    Value::Number(bits & mask(self.width(ty)))
                }
                Value::Number(_) | Value::Pointer(_) | Value::Open | Value::Datum(_) => Value::Open,
            },
            Expression::Binary { operator, left, right } => self.binary(operator, left, right),
            Expression::Convert { operand, ty } => self.converted(operand, ty),
        }
    }

    fn width(&self, ty: ScalarType) -> u32 {
        ty.value_bits(self.program.model)
    }

    fn converted(&self, operand: ExpressionId, ty: ScalarType) -> Value {
        let from = self.program.expressions.type_of(operand);
        match self.of(operand) {
            Value::Pointer(pointer) => match ty {
                ScalarType::Pointer => Value::Pointer(pointer),
                ScalarType::Bool => decided(self.same(pointer, Pointer::Null).map(|same| !same)),
                _ if ty.is_integer() && pointer == Pointer::Null => Value::Number(0),
                _ => Value::Open,
            },
            Value::Number(bits) => match ty {
                ScalarType::Pointer if bits == 0 => Value::Pointer(Pointer::Null),
                ScalarType::Pointer => Value::Pointer(Pointer::Unknown),
                _ if ty.is_float() || from.is_float() => Value::Open,
                ScalarType::Bool => Value::Number(u128::from(bits != 0)),
                _ if from.is_signed() => Value::Number(
                    sign_extend(bits, self.width(from)) as u128 & mask(self.width(ty)),
                ),
                _ => Value::Number(bits & mask(self.width(ty))),
            },
            Value::Open | Value::Datum(_) if ty.is_pointer() => Value::Pointer(Pointer::Unknown),
            Value::Datum(node) if ty == from => Value::Datum(node),
            Value::Open | Value::Datum(_) => Value::Open,
        }
    }

    fn binary(&self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Value {
        let expressions = &self.program.expressions;
        let (left_type, right_type) = (expressions.type_of(left), expressions.type_of(right));
        match (operator, self.of(left), self.of(right)) {
            (BinaryOperator::OffsetPointer, Value::Pointer(pointer), by) => {
                let by = by.number().map(|bits| match right_type.is_signed() {
                    true => sign_extend(bits, self.width(right_type)) as i64,
                    false => bits as i64,
                });
                Value::Pointer(by.map_or(Pointer::Unknown, |by| further(pointer, by)))
            }
            (BinaryOperator::PointerDifference, Value::Pointer(left), Value::Pointer(right)) => {
                let bits = mask(self.width(self.program.model.offset_type()));
                behind(right, left).map_or(Value::Open, |by| Value::Number(by as u128 & bits))
            }
            (BinaryOperator::Equal, Value::Pointer(left), Value::Pointer(right)) => {
                decided(self.same(left, right))
            }
            (BinaryOperator::NotEqual, Value::Pointer(left), Value::Pointer(right)) => {
                decided(self.same(left, right).map(|same| !same))
            }
            (BinaryOperator::Less, Value::Pointer(left), Value::Pointer(right)) => {
                decided(self.gap(left, right).map(|gap| gap > 0))
            }
            (BinaryOperator::LessEqual, Value::Pointer(left), Value::Pointer(right)) => {
                decided(self.gap(left, right).map(|gap| gap >= 0))
            }
            (_, Value::Number(left), Value::Number(right)) if !left_type.is_float() => {
                self.computed(operator, (left, right), left_type).map_or(Value::Open, Value::Number)
            }
            (_, Value::Pointer(_) | Value::Number(_) | Value::Open | Value::Datum(_), _) => {
                decided(self.ordered(operator, (left, right)))
            }
        }
    }

    /// What the order of a certificate says of a comparison.
    fn ordered(
        &self,
        operator: BinaryOperator,
        sides: (ExpressionId, ExpressionId),
    ) -> Option<bool> {
        let order = self.claims.meaning.order?;
        let (left, right) = (self.node(sides.0)?, self.node(sides.1)?);
        let at_most = |one: Node, other: Node| match self.state.heap.binary[order][one][other] {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Maybe => None,
        };
        let (ascends, descends) = (at_most(left, right), at_most(right, left));
        let is_same = match (ascends, descends) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            (None, _) | (_, None) => None,
        };
        match operator {
            BinaryOperator::LessEqual => ascends,
            BinaryOperator::Less => descends.map(|descends| !descends),
            BinaryOperator::Equal => is_same,
            BinaryOperator::NotEqual => is_same.map(|is_same| !is_same),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::OffsetPointer
            | BinaryOperator::PointerDifference => None,
        }
    }

    /// The single block that has the number of an expression, which is of the order's type.
    pub(crate) fn node(&self, id: ExpressionId) -> Option<Node> {
        let field = self.claims.order?;
        let expressions = &self.program.expressions;
        if expressions.type_of(id) != field.ty {
            return None;
        }
        if let Expression::Variable(variable) = expressions.get(id)
            && let Some(node) = self.state.data.get(&variable)
        {
            return Some(*node);
        }
        match self.of(id) {
            Value::Datum(node) => Some(node),
            Value::Number(bits) => self.claims.constant(&self.state.heap, bits),
            Value::Open | Value::Pointer(_) => None,
        }
    }

    fn computed(
        &self,
        operator: BinaryOperator,
        (left, right): (u128, u128),
        ty: ScalarType,
    ) -> Option<u128> {
        let width = self.width(ty);
        let is_less = match ty.is_signed() {
            true => sign_extend(left, width) < sign_extend(right, width),
            false => left < right,
        };
        let wrapped = |bits: u128| Some(bits & mask(width));
        match operator {
            BinaryOperator::Add => wrapped(left.wrapping_add(right)),
            BinaryOperator::Subtract => wrapped(left.wrapping_sub(right)),
            BinaryOperator::Multiply => wrapped(left.wrapping_mul(right)),
            BinaryOperator::BitAnd => wrapped(left & right),
            BinaryOperator::BitOr => wrapped(left | right),
            BinaryOperator::BitXor => wrapped(left ^ right),
            BinaryOperator::Equal => Some(u128::from(left == right)),
            BinaryOperator::NotEqual => Some(u128::from(left != right)),
            BinaryOperator::Less => Some(u128::from(is_less)),
            BinaryOperator::LessEqual => Some(u128::from(is_less || left == right)),
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                divided(operator, (left, right), ty.is_signed(), width)
            }
            BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::OffsetPointer
            | BinaryOperator::PointerDifference => None,
        }
    }

    /// Whether two pointers are one address, where that is certain.
    pub(crate) fn same(&self, left: Pointer, right: Pointer) -> Option<bool> {
        match (left, right) {
            (Pointer::Unknown, _) | (_, Pointer::Unknown) => None,
            (Pointer::Null, Pointer::Null) => Some(true),
            (Pointer::Null, Pointer::Wild) | (Pointer::Wild, Pointer::Null) => Some(false),
            (Pointer::Wild, _) | (_, Pointer::Wild) => None,
            (left, right) if left == right => Some(true),
            // What is inside a block has an address that nothing else has.
            (left, right) => (self.is_apart(left) && self.is_apart(right)).then_some(false),
        }
    }

    /// How far the second is behind the first, inside of one block.
    fn gap(&self, first: Pointer, second: Pointer) -> Option<i64> {
        let are_inside = self.is_apart(first) && self.is_apart(second);
        are_inside.then(|| behind(first, second)).flatten()
    }

    /// Whether nothing else can have this address.
    fn is_apart(&self, pointer: Pointer) -> bool {
        let is_within = |offset: i64, size: u64| (0..size as i128).contains(&i128::from(offset));
        match pointer {
            Pointer::Null | Pointer::Function(_) => true,
            Pointer::Wild | Pointer::Unknown => false,
            Pointer::Block { node, offset } => self
                .claims
                .size_of(&self.state.heap, node)
                .is_some_and(|size| is_within(offset, size)),
            Pointer::Object { object, offset } => {
                let object = &self.program.objects[object];
                let may_share = matches!(object.kind, ObjectKind::String { .. });
                !may_share && is_within(offset, object.size.unwrap_or(0))
            }
        }
    }
}

fn further(pointer: Pointer, by: i64) -> Pointer {
    match pointer {
        Pointer::Block { node, offset } => offset
            .checked_add(by)
            .map_or(Pointer::Unknown, |offset| Pointer::Block { node, offset }),
        Pointer::Object { object, offset } => offset
            .checked_add(by)
            .map_or(Pointer::Unknown, |offset| Pointer::Object { object, offset }),
        Pointer::Null | Pointer::Wild | Pointer::Unknown | Pointer::Function(_) => match by {
            0 => pointer,
            _ => Pointer::Unknown,
        },
    }
}

/// A quotient or a remainder, towards zero; nothing where C says nothing, and for numbers too wide to try.
fn divided(
    operator: BinaryOperator,
    (left, right): (u128, u128),
    is_signed: bool,
    width: u32,
) -> Option<u128> {
    if right == 0 || width > 64 {
        return None;
    }
    let of = |bits: u128| if is_signed { sign_extend(bits, width) } else { bits as i128 };
    let (quotient, rest) = (of(left) / of(right), of(left) % of(right));
    let is_within = of(quotient as u128 & mask(width)) == quotient;
    let result = if operator == BinaryOperator::Divide { quotient } else { rest };
    is_within.then_some(result as u128 & mask(width))
}

/// How many bytes the second is behind the first, in one block or object.
fn behind(first: Pointer, second: Pointer) -> Option<i64> {
    match (first, second) {
        (
            Pointer::Block { node: one, offset: start },
            Pointer::Block { node: other, offset: end },
        ) if one == other => end.checked_sub(start),
        (
            Pointer::Object { object: one, offset: start },
            Pointer::Object { object: other, offset: end },
        ) if one == other => end.checked_sub(start),
        _ => None,
    }
}
