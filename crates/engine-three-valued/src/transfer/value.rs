//! Values of expressions: pointers exactly, numbers where they are constants.

use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, Program, ScalarType, mask, sign_extend,
};
use heapwright_three_valued::{Kleene, Node};

use crate::model::Model;
use crate::state::{Pointer, Slot, State};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Pointer(Pointer),
    /// The bits, zero-extended; `None` for any number.
    Number(Option<u128>),
    /// The number of a single block.
    Datum(Node),
}

impl Value {
    pub(crate) const ANY: Value = Value::Number(None);

    fn truth(value: Option<bool>) -> Value {
        Value::Number(value.map(u128::from))
    }

    pub(crate) fn number(self) -> Option<u128> {
        match self {
            Value::Number(bits) => bits,
            Value::Pointer(_) | Value::Datum(_) => None,
        }
    }

    pub(crate) fn pointer(self) -> Pointer {
        match self {
            Value::Pointer(pointer) => pointer,
            Value::Number(_) | Value::Datum(_) => Pointer::Unknown,
        }
    }
}

/// Evaluates expressions in a state, and remembers which unknown pointers were asked for.
#[derive(Debug)]
pub(crate) struct Evaluator<'a, 't> {
    pub(crate) model: &'a Model<'t>,
    pub(crate) state: &'a State,
    pub(crate) consulted: &'a mut Vec<Slot>,
}

impl Evaluator<'_, '_> {
    fn program(&self) -> &Program {
        self.model.program()
    }

    pub(crate) fn value(&mut self, id: ExpressionId) -> Value {
        let expressions = &self.model.program().expressions;
        let ty = expressions.type_of(id);
        match expressions.get(id) {
            Expression::Constant { ty: ScalarType::Pointer, bits } => {
                Value::Pointer(if bits == 0 { Pointer::Null } else { Pointer::Unknown })
            }
            Expression::Constant { ty, bits } => Value::Number((!ty.is_float()).then_some(bits)),
            Expression::Variable(variable) if ty.is_pointer() => {
                Value::Pointer(self.slot(Slot::Variable(variable)))
            }
            Expression::Variable(variable) => {
                match (self.state.numbers.get(&variable), self.state.data.get(&variable)) {
                    (Some(bits), _) => Value::Number(Some(*bits)),
                    (None, Some(node)) => Value::Datum(*node),
                    (None, None) => Value::ANY,
                }
            }
            Expression::ObjectAddress(object) => {
                Value::Pointer(Pointer::Object { object, offset: 0 })
            }
            Expression::FunctionAddress(function) => Value::Pointer(Pointer::Function(function)),
            Expression::Unary { operator, operand } => {
                let bits = self.value(operand).number();
                let model = self.program().model;
                Value::Number(bits.and_then(|bits| operator.of_constant(bits, ty, model)))
            }
            Expression::Binary { operator, left, right } => self.binary(operator, left, right),
            Expression::Convert { operand, ty } => self.convert(operand, ty),
        }
    }

    /// What a slot holds.
    fn slot(&mut self, slot: Slot) -> Pointer {
        let pointer = self.state.pointers.get(&slot).copied().unwrap_or(Pointer::Unknown);
        if pointer == Pointer::Unknown && !self.consulted.contains(&slot) {
            self.consulted.push(slot);
        }
        pointer
    }

    fn width(&self, ty: ScalarType) -> u32 {
        ty.value_bits(self.program().model)
    }

    fn convert(&mut self, operand: ExpressionId, ty: ScalarType) -> Value {
        let from = self.program().expressions.type_of(operand);
        let value = self.value(operand);
        match (value, ty) {
            (Value::Pointer(pointer), ScalarType::Pointer) => Value::Pointer(pointer),
            (Value::Pointer(pointer), ScalarType::Bool) => {
                Value::truth(self.is_equal(pointer, Pointer::Null).map(|is_null| !is_null))
            }
            (Value::Pointer(Pointer::Null), _) if ty.is_integer() => Value::Number(Some(0)),
            (Value::Pointer(_), _) => Value::ANY,
            (Value::Number(Some(0)), ScalarType::Pointer) => Value::Pointer(Pointer::Null),
            (Value::Number(_) | Value::Datum(_), ScalarType::Pointer) => {
                Value::Pointer(Pointer::Unknown)
            }
            (Value::Datum(node), _) if ty == from => Value::Datum(node),
            (Value::Datum(_), _) => Value::ANY,
            (Value::Number(bits), _) => {
                let model = self.program().model;
                Value::Number(bits.and_then(|bits| from.convert_constant(bits, ty, model)))
            }
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Value {
        let ty = self.program().expressions.type_of(left);
        let offset_type = self.program().expressions.type_of(right);
        let sides = (left, right);
        let (left, right) = (self.value(left), self.value(right));
        match (operator, left, right) {
            (BinaryOperator::OffsetPointer, Value::Pointer(pointer), right) => {
                let by = right.number().map(|bits| match offset_type.is_signed() {
                    true => sign_extend(bits, self.width(offset_type)) as i64,
                    false => bits as i64,
                });
                Value::Pointer(by.map_or(Pointer::Unknown, |by| moved(pointer, by)))
            }
            (BinaryOperator::PointerDifference, Value::Pointer(left), Value::Pointer(right)) => {
                let bits = self.width(self.program().model.offset_type());
                let difference = distance(right, left).map(|by| by as u128 & mask(bits));
                Value::Number(difference)
            }
            (_, Value::Pointer(left), Value::Pointer(right)) => {
                Value::truth(self.compare(operator, left, right))
            }
            (_, Value::Number(Some(left)), Value::Number(Some(right))) => {
                let model = self.program().model;
                let known = operator.of_constants((left, right), ty, model);
                Value::Number(known.or_else(|| self.quotient(operator, (left, right), ty)))
            }
            _ => Value::truth(self.compare_numbers(operator, sides)),
        }
    }

    /// What a division of signed numbers gives, which is towards zero; nothing for one that C leaves open.
    fn quotient(
        &self,
        operator: BinaryOperator,
        (left, right): (u128, u128),
        ty: ScalarType,
    ) -> Option<u128> {
        let width = self.width(ty);
        if !ty.is_integer() || !ty.is_signed() {
            return None;
        }
        let (left, right) = (sign_extend(left, width), sign_extend(right, width));
        let quotient = left.checked_div(right)?;
        let is_representable = sign_extend(quotient as u128 & mask(width), width) == quotient;
        let result = match operator {
            BinaryOperator::Divide => quotient,
            BinaryOperator::Remainder => left.checked_rem(right)?,
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::OffsetPointer
            | BinaryOperator::PointerDifference => return None,
        };
        is_representable.then_some(result as u128 & mask(width))
    }

    /// What structures say of two numbers.
    fn compare_numbers(
        &mut self,
        operator: BinaryOperator,
        (left, right): (ExpressionId, ExpressionId),
    ) -> Option<bool> {
        let (_, order) = self.model.order()?;
        let (left, right) = (self.node(left)?, self.node(right)?);
        let at_most = |one: Node, other: Node| self.state.heap.binary(order, one).at(other);
        let (ascends, descends) = (at_most(left, right), at_most(right, left));
        let known = |value: Kleene| match value {
            Kleene::True => Some(true),
            Kleene::False => Some(false),
            Kleene::Half => None,
        };
        match operator {
            BinaryOperator::LessEqual => known(ascends),
            BinaryOperator::Less => known(!descends),
            BinaryOperator::Equal => known(ascends.and(descends)),
            BinaryOperator::NotEqual => known(!ascends.and(descends)),
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

    /// The single block whose number an expression of the type of the number field is.
    pub(crate) fn node(&mut self, id: ExpressionId) -> Option<Node> {
        let (order, _) = self.model.order()?;
        let expressions = &self.model.program().expressions;
        if expressions.type_of(id) != order.ty {
            return None;
        }
        // What is known of a variable's block says more than which number it is.
        if let Expression::Variable(variable) = expressions.get(id)
            && let Some(node) = self.state.data.get(&variable)
        {
            return Some(*node);
        }
        match self.value(id) {
            Value::Datum(node) => Some(node),
            Value::Number(Some(bits)) => self.model.constant(&self.state.heap, bits),
            Value::Number(None) | Value::Pointer(_) => None,
        }
    }

    fn compare(&self, operator: BinaryOperator, left: Pointer, right: Pointer) -> Option<bool> {
        match operator {
            BinaryOperator::Equal => self.is_equal(left, right),
            BinaryOperator::NotEqual => self.is_equal(left, right).map(|is_equal| !is_equal),
            BinaryOperator::Less => self.ordered(left, right).map(|by| by > 0),
            BinaryOperator::LessEqual => self.ordered(left, right).map(|by| by >= 0),
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

    /// The distance of two pointers into one block, where no address has wrapped around.
    fn ordered(&self, left: Pointer, right: Pointer) -> Option<i64> {
        let are_inside = self.is_inside(left) && self.is_inside(right);
        if are_inside { distance(left, right) } else { None }
    }

    /// Whether two pointers are the same address. Blocks that differ lie apart, but one past the end of
    /// a block may be the start of another.
    pub(crate) fn is_equal(&self, left: Pointer, right: Pointer) -> Option<bool> {
        use Pointer::{Block, Function, Null, Object, Unknown, Wild};
        match (left, right) {
            (Null, Null) => Some(true),
            (Unknown, _) | (_, Unknown) => None,
            (Null, Wild | Function(_)) | (Wild | Function(_), Null) => Some(false),
            (Wild, _) | (_, Wild) => None,
            (Function(left), Function(right)) => Some(left == right),
            (Block { .. } | Object { .. }, _) if left == right => Some(true),
            _ => (self.is_inside(left) && self.is_inside(right)).then_some(false),
        }
    }

    /// Whether a pointer leads to a byte of its block, so that no other block has this address.
    fn is_inside(&self, pointer: Pointer) -> bool {
        match pointer {
            // Nobody lies at null or around it.
            Pointer::Null | Pointer::Function(_) => true,
            Pointer::Wild | Pointer::Unknown => false,
            Pointer::Block { node, offset } => {
                let size = self.model.size_of(&self.state.heap, node);
                u64::try_from(offset).is_ok_and(|offset| offset < size)
            }
            Pointer::Object { object, offset } => {
                let object = &self.program().objects[object];
                // Literals may share their bytes.
                let is_literal =
                    matches!(object.kind, heapwright_program::ObjectKind::String { .. });
                let size = object.size.unwrap_or(0);
                !is_literal && u64::try_from(offset).is_ok_and(|offset| offset < size)
            }
        }
    }
}

/// A pointer so many bytes further on.
fn moved(pointer: Pointer, by: i64) -> Pointer {
    match pointer {
        Pointer::Block { node, offset } => {
            let offset = offset.checked_add(by);
            offset.map_or(Pointer::Unknown, |offset| Pointer::Block { node, offset })
        }
        Pointer::Object { object, offset } => {
            let offset = offset.checked_add(by);
            offset.map_or(Pointer::Unknown, |offset| Pointer::Object { object, offset })
        }
        unmoved if by == 0 => unmoved,
        Pointer::Null | Pointer::Wild | Pointer::Unknown | Pointer::Function(_) => Pointer::Unknown,
    }
}

/// How many bytes behind the first the second one is, if both lead into one block.
fn distance(first: Pointer, second: Pointer) -> Option<i64> {
    let (first, offset) = origin(first)?;
    let (second, further) = origin(second)?;
    if first == second { further.checked_sub(offset) } else { None }
}

/// Where a pointer counts from, and how far.
fn origin(pointer: Pointer) -> Option<(Pointer, i64)> {
    match pointer {
        Pointer::Block { node, offset } => Some((Pointer::Block { node, offset: 0 }, offset)),
        Pointer::Object { object, offset } => Some((Pointer::Object { object, offset: 0 }, offset)),
        Pointer::Null | Pointer::Wild | Pointer::Unknown | Pointer::Function(_) => None,
    }
}
