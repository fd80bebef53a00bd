//! Expressions become instructions that leave a result in a register.

use heapwright_memory::Value;
use heapwright_program::{
    BinaryOperator, DataModel, Expression, ExpressionId, ObjectKind, ScalarType, VariableId,
    VariableKind,
};

use crate::arithmetic;
use crate::compile::function::FunctionCompiler;
use crate::executable::PoolEntry;
use crate::instruction::{Instruction, Register};
use crate::kind::Kind;

impl FunctionCompiler<'_, '_> {
    pub(super) fn node(&self, id: ExpressionId) -> Expression {
        self.compiler.executable.program.expressions.get(id)
    }

    pub(super) fn kind(&self, id: ExpressionId) -> Kind {
        Kind::of(self.type_of(id))
    }

    pub(super) fn type_of(&self, id: ExpressionId) -> ScalarType {
        self.compiler.executable.program.expressions.type_of(id)
    }

    pub(super) fn model(&self) -> DataModel {
        self.compiler.executable.program.model
    }

    /// The number of a global variable; `None` for one of this function.
    pub(super) fn global(&self, variable: VariableId) -> Option<u32> {
        let item = &self.compiler.executable.program.variables[variable];
        if matches!(item.kind, VariableKind::Global { .. }) {
            return Some(self.compiler.executable.registers[variable]);
        }
        assert_eq!(item.function, Some(self.function), "{variable} ({}) is not local", item.name);
        None
    }

    /// Drops conversions that change nothing of the canonical form.
    pub(super) fn alias(&self, mut id: ExpressionId) -> ExpressionId {
        while let Expression::Convert { operand, ty } = self.node(id)
            && self.is_free(self.kind(operand), Kind::of(ty))
        {
            id = operand;
        }
        id
    }

    /// Whether a conversion needs no instruction.
    fn is_free(&self, from: Kind, to: Kind) -> bool {
        let is_look = from == Kind::Pointer && to != Kind::Pointer;
        is_free(from, to, self.model()) && !(is_look && self.compiler.mark_addresses)
    }

    /// The value of a constant, conversions of constants included.
    pub(super) fn constant(&self, id: ExpressionId) -> Option<Value> {
        match self.node(id) {
            Expression::Constant { ty, bits } => Some(Kind::of(ty).value(bits)),
            Expression::Convert { operand, ty } => {
                let value = self.constant(operand)?;
                Some(arithmetic::convert(self.kind(operand), Kind::of(ty), value, self.model()))
            }
            Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. } => None,
        }
    }

    /// A narrow constant that fits into an instruction.
    pub(super) fn immediate(&self, id: ExpressionId) -> Option<i32> {
        let value = self.constant(id).filter(|_| self.kind(id).is_narrow())?;
        i32::try_from(value.low as i64).ok()
    }

    /// A register that holds the value, which need not be a new one.
    pub(super) fn operand(&mut self, id: ExpressionId) -> Register {
        let id = self.alias(id);
        if let Some(&register) = self.known.get(&id) {
            return register;
        }
        match self.node(id) {
            Expression::Variable(variable) if self.global(variable).is_none() => {
                return self.compiler.executable.registers[variable];
            }
            Expression::ObjectAddress(object) => {
                let item = &self.compiler.executable.program.objects[object];
                if item.kind == ObjectKind::Local {
                    let (owner, name) = (item.function, &item.name);
                    assert_eq!(owner, Some(self.function), "{object} ({name}) is not local");
                    return self.compiler.executable.object_registers[object];
                }
            }
            Expression::Variable(_)
            | Expression::Constant { .. }
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {}
        }
        let register = self.temporary();
        self.into(id, register);
        self.known.insert(id, register);
        register
    }

    /// Computes the value into `target`, which is written last.
    pub(super) fn into(&mut self, id: ExpressionId, target: Register) {
        let id = self.alias(id);
        if let Some(value) = self.constant(id) {
            return self.constant_into(self.kind(id), value, target);
        }
        match self.node(id) {
            Expression::Variable(variable) => match self.global(variable) {
                Some(global) => self.emit(Instruction::GetGlobal { target, global }),
                None => self.move_into(id, target),
            },
            Expression::ObjectAddress(object) => {
                let item = &self.compiler.executable.program.objects[object];
                if item.kind == ObjectKind::Local {
                    return self.move_into(id, target);
                }
                let index = self.compiler.pool(PoolEntry::Object(object));
                self.emit(Instruction::Pool { target, index });
            }
            Expression::FunctionAddress(function) => {
                let index = self.compiler.pool(PoolEntry::Function(function));
                self.emit(Instruction::Pool { target, index });
            }
            Expression::Unary { operator, operand } => {
                let kind = self.kind(id);
                let source = self.operand(operand);
                self.emit(Instruction::Unary { operator, kind, target, source });
            }
            Expression::Binary { operator, left, right } => {
                self.binary_into(operator, left, right, target);
            }
            Expression::Convert { operand, ty } => {
                self.convert_into(operand, Kind::of(ty), target);
            }
            Expression::Constant { .. } => panic!("{id} was a constant"),
        }
    }

    fn move_into(&mut self, id: ExpressionId, target: Register) {
        let source = self.operand(id);
        if source != target {
            self.emit(Instruction::Move { target, source });
        }
    }

    fn constant_into(&mut self, kind: Kind, value: Value, target: Register) {
        let short = i32::try_from(value.low as i64).ok().filter(|_| kind.is_narrow());
        match short {
            Some(value) => self.emit(Instruction::Constant { target, value }),
            None => {
                let index = self.compiler.pool(PoolEntry::Bits(value.wide()));
                self.emit(Instruction::Pool { target, index });
            }
        }
    }

    fn convert_into(&mut self, operand: ExpressionId, to: Kind, target: Register) {
        let from = self.kind(operand);
        let mut source = self.operand(operand);
        let is_look = from == Kind::Pointer && to.is_narrow() && to != Kind::Bool;
        if is_look && self.compiler.mark_addresses {
            self.emit(Instruction::AddressToInteger { target, source });
            source = target;
        }
        self.emit(if !from.is_narrow() || !to.is_narrow() {
            Instruction::Convert { from, to, target, source }
        } else if to == Kind::Bool {
            Instruction::NotEqualImmediate { target, left: source, value: 0 }
        } else if to == Kind::Pointer {
            Instruction::IntegerToPointer { target, source }
        } else {
            Instruction::Extend { kind: to, target, source }
        });
    }

    fn binary_into(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        target: Register,
    ) {
        let kind = self.kind(left);
        if operator == BinaryOperator::OffsetPointer {
            return self.offset_into(left, right, target);
        }
        if kind.is_narrow() && self.immediate_into(operator, left, right, target) {
            return;
        }
        let [left, right] = [left, right].map(|operand| self.operand(operand));
        self.compare_addresses(operator, kind, left, right);
        self.emit(
            plain_binary(operator, kind, target, left, right).unwrap_or(Instruction::Binary {
                operator,
                kind,
                target,
                left,
                right,
            }),
        );
    }

    /// Has it noticed where the program sees which address the implementation chose.
    pub(super) fn compare_addresses(
        &mut self,
        operator: BinaryOperator,
        kind: Kind,
        left: Register,
        right: Register,
    ) {
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        if kind == Kind::Pointer
            && (is_equality || self.compiler.mark_addresses && operator.is_comparison())
        {
            self.emit(Instruction::CompareAddresses { left, right });
        }
    }

    /// Uses an instruction with a constant operand, if there is one.
    fn immediate_into(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        target: Register,
    ) -> bool {
        use BinaryOperator as B;
        use Instruction as I;
        let commutes =
            matches!(operator, B::Add | B::Multiply | B::BitAnd | B::Equal | B::NotEqual);
        let (left, value) = match (self.immediate(left), self.immediate(right)) {
            (_, Some(value)) => (left, value),
            (Some(value), None) if commutes => (right, value),
            _ => return false,
        };
        let kind = self.kind(left);
        // `a - k` is `a + -k`, overflow included, but for a `k` without a negative.
        let (operator, value) = match (operator, value.checked_neg()) {
            (B::Subtract, Some(negated)) => (B::Add, negated),
            _ => (operator, value),
        };
        let make: fn(Register, Register, i32) -> I = match (operator, kind) {
            (B::Add, Kind::I32) => |target, left, value| I::AddI32Immediate { target, left, value },
            (B::Add, Kind::U32) => |target, left, value| I::AddU32Immediate { target, left, value },
            (B::Add, Kind::I64) => |target, left, value| I::AddI64Immediate { target, left, value },
            (B::Add, Kind::U64) => |target, left, value| I::AddU64Immediate { target, left, value },
            (B::Multiply, Kind::I32) => {
                |target, left, value| I::MultiplyI32Immediate { target, left, value }
            }
            (B::Multiply, Kind::I64) => {
                |target, left, value| I::MultiplyI64Immediate { target, left, value }
            }
            // The bits of a pointer belong to no block: the general way forgets it.
            (B::BitAnd, kind) if kind != Kind::Pointer => {
                |target, left, value| I::AndImmediate { target, left, value }
            }
            (B::Equal, _) => |target, left, value| I::EqualImmediate { target, left, value },
            (B::NotEqual, _) => |target, left, value| I::NotEqualImmediate { target, left, value },
            _ => return false,
        };
        let left = self.operand(left);
        self.emit(make(target, left, value));
        true
    }

    fn offset_into(&mut self, pointer: ExpressionId, offset: ExpressionId, target: Register) {
        if self.immediate(offset).is_some() {
            let whole = self.peel(pointer, offset);
            let (pointer, offset) = whole;
            let pointer = self.operand(pointer);
            return self.emit(Instruction::PointerAddImmediate { target, pointer, offset });
        }
        let aliased = self.alias(offset);
        let is_offset_typed = self.type_of(aliased) == self.model().offset_type();
        if is_offset_typed
            && let Expression::Binary { operator: BinaryOperator::Multiply, left, right } =
                self.node(aliased)
            && let Some(scale) = self.immediate(right).and_then(|scale| u16::try_from(scale).ok())
        {
            let pointer = self.operand(pointer);
            let index = self.operand(left);
            return self.emit(Instruction::PointerAddScaled { scale, target, pointer, index });
        }
        let pointer = self.operand(pointer);
        let offset = self.operand(offset);
        self.emit(Instruction::PointerAdd { target, pointer, offset });
    }

    /// Adds up constant offsets: `((p + 8) + 16)` is `p + 24`.
    fn peel(&self, pointer: ExpressionId, offset: ExpressionId) -> (ExpressionId, i32) {
        let first = self.immediate(offset).expect("the caller asked");
        let (base, more) = self.address(pointer);
        match first.checked_add(more) {
            Some(sum) => (base, sum),
            None => (pointer, first),
        }
    }

    /// An address as a pointer and a constant number of bytes.
    pub(super) fn address(&self, id: ExpressionId) -> (ExpressionId, i32) {
        let (mut base, mut total) = (self.alias(id), 0i32);
        while let Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } =
            self.node(base)
            && let Some(sum) = self.immediate(right).and_then(|offset| total.checked_add(offset))
        {
            (base, total) = (self.alias(left), sum);
        }
        (base, total)
    }
}

/// The instruction for two registers, where there is one.
fn plain_binary(
    operator: BinaryOperator,
    kind: Kind,
    target: Register,
    left: Register,
    right: Register,
) -> Option<Instruction> {
    use BinaryOperator as B;
    use Instruction as I;
    Some(match (operator, kind) {
        (B::PointerDifference, _) => I::PointerDifference { target, left, right },
        _ if !kind.is_narrow() => return None,
        (B::Add, Kind::I32) => I::AddI32 { target, left, right },
        (B::Add, Kind::U32) => I::AddU32 { target, left, right },
        (B::Add, Kind::I64) => I::AddI64 { target, left, right },
        (B::Add, Kind::U64) => I::AddU64 { target, left, right },
        (B::Subtract, Kind::I32) => I::SubtractI32 { target, left, right },
        (B::Subtract, Kind::U32) => I::SubtractU32 { target, left, right },
        (B::Subtract, Kind::I64) => I::SubtractI64 { target, left, right },
        (B::Subtract, Kind::U64) => I::SubtractU64 { target, left, right },
        (B::Multiply, Kind::I32) => I::MultiplyI32 { target, left, right },
        (B::Multiply, Kind::U32) => I::MultiplyU32 { target, left, right },
        (B::Multiply, Kind::I64) => I::MultiplyI64 { target, left, right },
        (B::Multiply, Kind::U64) => I::MultiplyU64 { target, left, right },
        (B::BitAnd | B::BitOr | B::BitXor, Kind::Pointer) => return None,
        (B::BitAnd, _) => I::And { target, left, right },
        (B::BitOr, _) => I::Or { target, left, right },
        (B::BitXor, _) => I::Xor { target, left, right },
        (B::Equal, _) => I::Equal { target, left, right },
        (B::NotEqual, _) => I::NotEqual { target, left, right },
        (B::Less, _) if kind.is_signed() => I::LessSigned { target, left, right },
        (B::Less, _) => I::LessUnsigned { target, left, right },
        (B::LessEqual, _) if kind.is_signed() => I::LessEqualSigned { target, left, right },
        (B::LessEqual, _) => I::LessEqualUnsigned { target, left, right },
        _ => return None,
    })
}

/// Whether a conversion leaves the canonical form as it is.
fn is_free(from: Kind, to: Kind, model: DataModel) -> bool {
    if from == to {
        return true;
    }
    if !from.is_narrow() || !to.is_narrow() || to == Kind::Bool || to == Kind::Pointer {
        return false;
    }
    let from_width =
        if from == Kind::Pointer { 8 * model.pointer_size() as u32 } else { from.width() };
    let to_width = to.width();
    if to_width == 64 {
        // Any narrow number is already extended to 64 bits.
        return true;
    }
    if from.is_signed() {
        to.is_signed() && from_width <= to_width
    } else {
        from_width < to_width || from_width == to_width && !to.is_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_conversion_changes_no_register() {
        use Kind::{Bool, I8, I16, I32, I64, Pointer, U8, U16, U32, U64};
        let kinds = [Bool, I8, I16, I32, I64, U8, U16, U32, U64, Pointer];
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            for (from, to) in kinds.iter().flat_map(|&from| kinds.map(|to| (from, to))) {
                for bits in [0, 1, 0x7f, 0x80, 0xff, 0x8000, 0x8000_0000, 1 << 63, u64::MAX] {
                    let bits =
                        if from == Pointer { bits & arithmetic::pointer_mask(model) } else { bits };
                    let value = from.value(u128::from(bits));
                    let converted = arithmetic::convert(from, to, value, model);
                    if is_free(from, to, model) {
                        assert_eq!(converted, value, "{from:?} to {to:?}");
                    }
                }
            }
        }
    }
}
