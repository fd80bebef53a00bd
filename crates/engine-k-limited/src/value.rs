//! Values of expressions: pointers by what they lead to, numbers where they are constants.

use heapwright_graph_text::{Block, Root, State, Target};
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, ObjectKind, Program, ScalarType, mask, sign_extend,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Pointer(Target),
    /// The bits, zero-extended.
    Number(u128),
    Anything,
}

impl Value {
    fn maybe(bits: Option<u128>) -> Value {
        bits.map_or(Value::Anything, Value::Number)
    }

    fn truth(value: Option<bool>) -> Value {
        Value::maybe(value.map(u128::from))
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
            Expression::Constant { ty, bits } if ty.is_whole() => Value::Number(bits),
            Expression::Constant { .. } => Value::Anything,
            Expression::Variable(variable) if ty.is_pointer() => {
                self.state.held(Root::Variable(variable)).map_or(Value::Anything, Value::Pointer)
            }
            Expression::Variable(variable) => {
                Value::maybe(self.state.numbers.get(&variable).copied())
            }
            Expression::ObjectAddress(object) => {
                Value::Pointer(Target::In(Block::Object(object), 0))
            }
            Expression::FunctionAddress(function) => Value::Pointer(Target::Function(function)),
            Expression::Unary { operator, operand } => {
                let bits = self.of(operand).number();
                let model = self.program.model;
                Value::maybe(bits.and_then(|bits| operator.of_constant(bits, ty, model)))
            }
            Expression::Binary { operator, left, right } => self.binary(operator, left, right),
            Expression::Convert { operand, ty } => self.convert(operand, ty),
        }
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
            (Value::Number(bits), _) => {
                Value::maybe(from.convert_constant(bits, ty, self.program.model))
            }
            (Value::Pointer(_) | Value::Anything, _) => Value::Anything,
        }
    }

    fn binary(self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Value {
        let ty = self.program.expressions.type_of(left);
        let offset_type = self.program.expressions.type_of(right);
        match (operator, self.of(left), self.of(right)) {
            (BinaryOperator::OffsetPointer, Value::Pointer(target), Value::Number(bits)) => {
                let by = match offset_type.is_signed() {
                    true => sign_extend(bits, offset_type.value_bits(self.program.model)),
                    false => bits as i128,
                };
                let moved = i64::try_from(by).ok().and_then(|by| moved(target, by));
                moved.map_or(Value::Anything, Value::Pointer)
            }
            (BinaryOperator::PointerDifference, Value::Pointer(left), Value::Pointer(right)) => {
                let bits = self.program.model.offset_type().value_bits(self.program.model);
                Value::maybe(distance(right, left).map(|by| by as u128 & mask(bits)))
            }
            (_, Value::Pointer(left), Value::Pointer(right)) => {
                Value::truth(self.compare(operator, left, right))
            }
            (_, Value::Number(left), Value::Number(right)) => {
                Value::maybe(operator.of_constants((left, right), ty, self.program.model))
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
