//! Values of expressions: pointers by what they lead to, numbers where they are constants.

use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ObjectKind, Program, ScalarType, UnaryOperator, mask,
    sign_extend,
};

use crate::graph::{Block, Root, Target};
use crate::state::State;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Pointer(Target),
    /// The bits, zero-extended.
    Number(u128),
    Anything,
}

impl Value {
    fn truth(value: Option<bool>) -> Value {
        value.map_or(Value::Anything, |it| Value::Number(u128::from(it)))
    }

    pub(crate) fn number(self) -> Option<u128> {
        match self {
            Value::Number(bits) => Some(bits),
            Value::Pointer(_) | Value::Anything => None,
        }
    }

    pub(crate) fn target(self) -> Option<Target> {
        match self {
            Value::Pointer(target) => Some(target),
            Value::Number(_) | Value::Anything => None,
        }
    }
}

/// Evaluates expressions in a state whose variables are settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'v> {
    pub(crate) program: &'v Program,
    pub(crate) state: &'v State,
}

impl Values<'_> {
    pub(crate) fn of(self, id: ExpressionId) -> Value {
        let expressions = &self.program.expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { ty: ScalarType::Pointer, bits: 0 } => {
                Value::Pointer(Target::Null)
            }
            Expression::Constant { ty, bits } if is_whole(ty) => Value::Number(bits),
            Expression::Constant { .. } => Value::Anything,
            Expression::Variable(variable) if ty.is_pointer() => {
                self.state.held(Root::Variable(variable)).map_or(Value::Anything, Value::Pointer)
            }
            Expression::Variable(variable) => {
                self.state.numbers.get(&variable).map_or(Value::Anything, |it| Value::Number(*it))
            }
            Expression::ObjectAddress(object) => {
                Value::Pointer(Target::In(Block::Object(object), 0))
            }
            Expression::FunctionAddress(function) => Value::Pointer(Target::Function(function)),
            Expression::Unary { operator, operand } => match self.of(operand) {
                Value::Number(bits) if is_whole(ty) => {
                    let bits = match operator {
                        UnaryOperator::Negate => bits.wrapping_neg(),
                        UnaryOperator::Complement => !bits,
                    };
                    Value::Number(bits & mask(self.width(ty)))
                }
                Value::Number(_) | Value::Pointer(_) | Value::Anything => Value::Anything,
            },
            Expression::Binary { operator, left, right } => self.binary(operator, left, right),
            Expression::Convert { operand, ty } => self.convert(operand, ty),
        }
    }

    fn width(self, ty: ScalarType) -> u32 {
        ty.value_bits(self.program.model)
    }

    fn extended(self, bits: u128, ty: ScalarType) -> i128 {
        if ty.is_signed() { sign_extend(bits, self.width(ty)) } else { bits as i128 }
    }

    fn convert(self, operand: ExpressionId, ty: ScalarType) -> Value {
        let from = self.program.expressions.type_of(operand);
        match (self.of(operand), ty) {
            (Value::Pointer(target), ScalarType::Pointer) => Value::Pointer(target),
            (Value::Pointer(target), ScalarType::Bool) => {
                Value::truth(self.are_equal(target, Target::Null).map(|is_null| !is_null))
            }
            (Value::Pointer(Target::Null), ScalarType::Integer { .. }) => Value::Number(0),
            (Value::Number(0), ScalarType::Pointer) => Value::Pointer(Target::Null),
            (Value::Number(bits), ScalarType::Bool) => Value::Number(u128::from(bits != 0)),
            (Value::Number(bits), ScalarType::Integer { .. }) => {
                Value::Number(self.extended(bits, from) as u128 & mask(self.width(ty)))
            }
            (Value::Pointer(_) | Value::Number(_) | Value::Anything, _) => Value::Anything,
        }
    }

    fn binary(self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Value {
        let ty = self.program.expressions.type_of(left);
        let offset_type = self.program.expressions.type_of(right);
        match (operator, self.of(left), self.of(right)) {
            (BinaryOperator::OffsetPointer, Value::Pointer(target), Value::Number(bits)) => {
                let by = i64::try_from(self.extended(bits, offset_type)).ok();
                by.and_then(|by| moved(target, by)).map_or(Value::Anything, Value::Pointer)
            }
            (BinaryOperator::PointerDifference, Value::Pointer(left), Value::Pointer(right)) => {
                let bits = mask(self.width(self.program.model.offset_type()));
                let by = distance(right, left);
                by.map_or(Value::Anything, |by| Value::Number(by as u128 & bits))
            }
            (_, Value::Pointer(left), Value::Pointer(right)) => {
                Value::truth(self.compare(operator, left, right))
            }
            (_, Value::Number(left), Value::Number(right)) if is_whole(ty) => {
                self.arithmetic(operator, (left, right), ty).map_or(Value::Anything, Value::Number)
            }
            (_, Value::Pointer(_) | Value::Number(_) | Value::Anything, _) => Value::Anything,
        }
    }

    fn compare(self, operator: BinaryOperator, left: Target, right: Target) -> Option<bool> {
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
    /// block may be the start of another, and a new block may lie where a dead one was.
    fn are_equal(self, left: Target, right: Target) -> Option<bool> {
        match (left, right) {
            (Target::Wild, Target::Null) | (Target::Null, Target::Wild) => Some(false),
            (Target::Wild, _) | (_, Target::Wild) => None,
            (left, right) if left == right => Some(true),
            (left, right) => (self.is_inside(left) && self.is_inside(right)).then_some(false),
        }
    }

    /// Whether a pointer leads to a byte that is its own, so that no other block has this address.
    fn is_inside(self, target: Target) -> bool {
        let (offset, size) = match target {
            Target::Null | Target::Function(_) => return true,
            Target::Wild => return false,
            Target::In(Block::Node(node), offset) => (offset, self.state.graph.nodes[node].size),
            Target::In(Block::Object(object), offset) => {
                let object = &self.program.objects[object];
                // Literals may share their bytes.
                let is_literal = matches!(object.kind, ObjectKind::String { .. });
                (offset, object.size.filter(|_| !is_literal).unwrap_or(0))
            }
        };
        u64::try_from(offset).is_ok_and(|offset| offset < size)
    }

    fn arithmetic(
        self,
        operator: BinaryOperator,
        (left, right): (u128, u128),
        ty: ScalarType,
    ) -> Option<u128> {
        use BinaryOperator as B;
        let is_less = match ty.is_signed() {
            true => self.extended(left, ty) < self.extended(right, ty),
            false => left < right,
        };
        let result = match operator {
            B::Add => left.wrapping_add(right),
            B::Subtract => left.wrapping_sub(right),
            B::Multiply => left.wrapping_mul(right),
            B::BitAnd => left & right,
            B::BitOr => left | right,
            B::BitXor => left ^ right,
            B::Equal => u128::from(left == right),
            B::NotEqual => u128::from(left != right),
            B::Less => u128::from(is_less),
            B::LessEqual => u128::from(is_less || left == right),
            B::ShiftLeft => left << (right % u128::from(self.width(ty))),
            // Rare where constants are, and easy to get wrong: any number.
            B::ShiftRight => return None,
            B::Divide if !ty.is_signed() => left.checked_div(right)?,
            B::Remainder if !ty.is_signed() => left.checked_rem(right)?,
            B::Divide | B::Remainder => return None,
            B::OffsetPointer | B::PointerDifference => return None,
        };
        Some(if operator.is_comparison() { result } else { result & mask(self.width(ty)) })
    }
}

/// Whether values of a type are numbers without fractions.
fn is_whole(ty: ScalarType) -> bool {
    ty.is_integer() || ty == ScalarType::Bool
}

/// A pointer so many bytes further on.
fn moved(target: Target, by: i64) -> Option<Target> {
    match target {
        Target::In(block, offset) => offset.checked_add(by).map(|it| Target::In(block, it)),
        Target::Null | Target::Wild | Target::Function(_) => (by == 0).then_some(target),
    }
}

/// How many bytes behind the first pointer the second is, if both lead into one block.
fn distance(first: Target, second: Target) -> Option<i64> {
    let ((one, offset), (other, further)) = (first.place()?, second.place()?);
    if one == other { further.checked_sub(offset) } else { None }
}
