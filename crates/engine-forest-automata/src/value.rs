//! Values of expressions: pointers by what they lead to, numbers where they are constants.

use heapwright_forest_text::{Base, Forest, Value};
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ObjectKind, Program, ScalarType, mask, sign_extend,
};

pub(crate) type Held = Value<Base>;

/// The bits of a number.
pub(crate) fn number(value: Held) -> Option<u128> {
    match value {
        Value::Bits(bits) => Some(bits),
        Value::Any | Value::Object(..) | Value::Function(_) | Value::To(..) => None,
    }
}

fn maybe(bits: Option<u128>) -> Held {
    bits.map_or(Value::Any, Value::Bits)
}

fn truth(value: Option<bool>) -> Held {
    maybe(value.map(u128::from))
}

/// Evaluates expressions in a forest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'v> {
    pub(crate) program: &'v Program,
    pub(crate) forest: &'v Forest,
}

impl Values<'_> {
    pub(crate) fn of(self, id: ExpressionId) -> Held {
        let expressions = &self.program.expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { ty, bits } if ty.is_whole() || ty.is_pointer() => {
                Value::Bits(bits)
            }
            Expression::Constant { .. } => Value::Any,
            Expression::Variable(variable) => {
                self.forest.variables.get(&variable).copied().unwrap_or(Value::Any)
            }
            Expression::ObjectAddress(object) => Value::Object(object, 0),
            Expression::FunctionAddress(function) => Value::Function(function),
            Expression::Unary { operator, operand } => {
                let bits = number(self.of(operand)).filter(|_| ty.is_whole());
                let model = self.program.model;
                maybe(bits.and_then(|bits| operator.of_constant(bits, ty, model)))
            }
            Expression::Binary { operator, left, right } => self.binary(operator, left, right),
            Expression::Convert { operand, ty } => self.convert(operand, ty),
        }
    }

    fn convert(self, operand: ExpressionId, ty: ScalarType) -> Held {
        let from = self.program.expressions.type_of(operand);
        let value = self.of(operand);
        if !from.is_pointer() {
            return match (number(value), ty) {
                (Some(0), ScalarType::Pointer) => Value::NULL,
                (Some(bits), _) => maybe(from.convert_constant(bits, ty, self.program.model)),
                (None, _) => Value::Any,
            };
        }
        match ty {
            ScalarType::Pointer => value,
            ScalarType::Bool => truth(self.are_equal(value, Value::NULL).map(|is_null| !is_null)),
            ScalarType::Integer { .. } if value == Value::NULL => Value::Bits(0),
            ScalarType::Integer { .. } | ScalarType::Float(_) => Value::Any,
        }
    }

    fn binary(self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Held {
        let ty = self.program.expressions.type_of(left);
        let offset_type = self.program.expressions.type_of(right);
        let (one, other) = (self.of(left), self.of(right));
        if !ty.is_pointer() {
            let both = number(one).zip(number(other));
            return maybe(
                both.and_then(|both| operator.of_constants(both, ty, self.program.model)),
            );
        }
        match (operator, number(other)) {
            (BinaryOperator::OffsetPointer, Some(bits)) => {
                let by = match offset_type.is_signed() {
                    true => sign_extend(bits, offset_type.value_bits(self.program.model)),
                    false => bits as i128,
                };
                i64::try_from(by).map_or(Value::Any, |by| one.moved(by))
            }
            (BinaryOperator::OffsetPointer, None) => Value::Any,
            (BinaryOperator::PointerDifference, _) => {
                let bits = self.program.model.offset_type().value_bits(self.program.model);
                maybe(distance(other, one).map(|by| by as u128 & mask(bits)))
            }
            (operator, _) => truth(self.compare(operator, one, other)),
        }
    }

    fn compare(self, operator: BinaryOperator, left: Held, right: Held) -> Option<bool> {
        use BinaryOperator as B;
        let are_inside = self.is_inside(left) && self.is_inside(right);
        let by = || distance(left, right).filter(|_| are_inside);
        match operator {
            B::Equal => self.are_equal(left, right),
            B::NotEqual => self.are_equal(left, right).map(|are_equal| !are_equal),
            B::Less => by().map(|by| by > 0),
            B::LessEqual => by().map(|by| by >= 0),
            B::Add | B::Subtract | B::Multiply | B::Divide | B::Remainder => None,
            B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight => None,
            B::OffsetPointer | B::PointerDifference => None,
        }
    }

    /// Whether two pointers are the same address. Blocks that differ lie apart, but one past the end of a
    /// block may be the start of another.
    fn are_equal(self, left: Held, right: Held) -> Option<bool> {
        match (left, right) {
            (Value::Any, _) | (_, Value::Any) => None,
            (Value::Bits(left), Value::Bits(right)) => Some(left == right),
            (left, right) if left == right => Some(true),
            (left, right) => (self.is_inside(left) && self.is_inside(right)).then_some(false),
        }
    }

    /// Whether a pointer is null or leads to a byte that is its own, so that nothing else has this address.
    fn is_inside(self, value: Held) -> bool {
        let (offset, size) = match value {
            Value::Bits(bits) => return bits == 0,
            Value::Function(_) => return true,
            Value::Any | Value::To(Base::Up(..), _) => return false,
            Value::To(Base::Block(block), offset) => (offset, self.forest.blocks[&block].size()),
            Value::Object(object, offset) => {
                let object = &self.program.objects[object];
                // Literals may share their bytes.
                let is_literal = matches!(object.kind, ObjectKind::String { .. });
                (offset, object.size.filter(|_| !is_literal).unwrap_or(0))
            }
        };
        u64::try_from(offset).is_ok_and(|offset| offset < size)
    }
}

/// How many bytes behind the first pointer the second is, if both lead into one block.
fn distance(first: Held, second: Held) -> Option<i64> {
    match (first, second) {
        (Value::To(one, offset), Value::To(other, further)) if one == other => {
            further.checked_sub(offset)
        }
        (Value::Object(one, offset), Value::Object(other, further)) if one == other => {
            further.checked_sub(offset)
        }
        _ => None,
    }
}
