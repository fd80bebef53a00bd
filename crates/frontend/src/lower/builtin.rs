//! GNU's builtins and the variable-argument macros, in terms of ordinary operations.
//!
//! A `va_list` holds, in its first word, a pointer to the next argument's slot; slots are sixteen
//! bytes apart. A struct argument's slot holds a pointer to it.

use heapwright_program::{
    BinaryOperator, Callee, ExpressionId, Halt, Operation, ScalarType, Storage,
};
use rucc_sema::{BitCount, ExprId, ExprKind, OverflowOp, Sign};

use super::function::FunctionLowering;
use super::place::{LvaluePlace, MemoryPlace};
use super::value::Value;

/// Bytes from one variable argument to the next.
const SLOT: i128 = 16;

impl FunctionLowering<'_, '_> {
    pub(crate) fn builtin(&mut self, id: ExprId) -> Value {
        let expression = self.unit.unit.tast[id];
        let ty = expression.ty;
        match expression.kind {
            ExprKind::VaStart { list } => self.start_arguments(list),
            ExprKind::VaArg { list } => self.next_argument(list, ty),
            ExprKind::VaEnd { list } => {
                self.effect(list);
                Value::Nothing
            }
            ExprKind::VaCopy { dst, src } => self.copy_arguments(dst, src),
            ExprKind::Alloca { size } => {
                let size = self.scalar_value(size);
                self.allocate(Storage::Alloca, size, false, ty)
            }
            ExprKind::Expect { value, hint, .. } => {
                let value = self.scalar_value(value);
                let value = self.stable(value);
                self.effect(hint);
                Value::Scalar(value)
            }
            ExprKind::Prefetch { address, .. } => {
                self.effect(address);
                Value::Nothing
            }
            ExprKind::Unreachable | ExprKind::Trap => {
                if let ExprKind::Unreachable = expression.kind {
                    self.unsupported("__builtin_unreachable");
                }
                self.emit_last(Operation::Halt(Halt::Abort));
                Value::Nothing
            }
            // gcc answers 0 without optimisation.
            ExprKind::ConstantP { .. } => self.number(ty, 0),
            ExprKind::ObjectSize { kind, .. } => {
                // Unknown: the largest number, or 0 for the questions about a minimum.
                self.number(ty, if kind & 2 == 0 { u128::MAX } else { 0 })
            }
            ExprKind::Overflow { op, args, stores, .. } => self.checked(op, args, stores),
            ExprKind::BitCount { operand, count } => self.bit_count(operand, count, ty),
            ExprKind::ByteSwap { operand } => {
                let scalar = self.unit.scalar(ty).unwrap_or(ScalarType::UNSIGNED);
                let bits = scalar.value_bits(self.unit.model());
                self.model_call("__heapwright_byte_swap", operand, bits, ty)
            }
            ExprKind::Abs { operand } => self.absolute(operand),
            ExprKind::Sign { op: Sign::Clear, lhs, .. } => self.absolute(lhs),
            ExprKind::Atomic { op, args, .. } => self.atomic(op, args, ty),
            _ => {
                self.unsupported("a builtin that is not modelled");
                self.dummy(ty)
            }
        }
    }

    fn number(&mut self, ty: rucc_types::TypeId, bits: u128) -> Value {
        match self.unit.scalar(ty) {
            Some(scalar) => Value::Scalar(self.constant(scalar, bits)),
            None => self.dummy(ty),
        }
    }

    // Variable arguments.

    fn cursor(&mut self, list: ExprId) -> MemoryPlace {
        let list = self.scalar_value(list);
        let list = self.stable(list);
        self.word(list)
    }

    /// The pointer-sized word at an address.
    fn word(&mut self, address: ExpressionId) -> MemoryPlace {
        let void = self.unit.unit.types.void();
        self.pointed_place(address, void)
    }

    fn start_arguments(&mut self, list: ExprId) -> Value {
        let cursor = self.cursor(list);
        match self.unit.linker.program.functions[self.function].varargs {
            Some(object) => {
                let first = self.object_address(object);
                self.store(&cursor, ScalarType::Pointer, first);
            }
            None => self.unsupported("va_start in a function without variable arguments"),
        }
        Value::Nothing
    }

    fn next_argument(&mut self, list: ExprId, ty: rucc_types::TypeId) -> Value {
        let cursor = self.cursor(list);
        let slot = self.load(&cursor, ScalarType::Pointer);
        let next = self.offset_pointer(slot, SLOT);
        self.store(&cursor, ScalarType::Pointer, next);
        match self.unit.scalar(ty) {
            Some(_) => {
                let place = LvaluePlace::Memory(self.pointed_place(slot, ty));
                Value::Scalar(self.read(&place, ty))
            }
            None => {
                let slot = self.word(slot);
                Value::Aggregate(self.load(&slot, ScalarType::Pointer))
            }
        }
    }

    fn copy_arguments(&mut self, target: ExprId, source: ExprId) -> Value {
        let target = self.cursor(target);
        let source = self.cursor(source);
        let slot = self.load(&source, ScalarType::Pointer);
        self.store(&target, ScalarType::Pointer, slot);
        Value::Nothing
    }

    // Arithmetic.

    /// `__builtin_add_overflow` and its family: computed in 128 bits, where nothing of 64 bits
    /// overflows unseen (a product that wraps there lands outside every 64-bit range).
    fn checked(&mut self, op: OverflowOp, args: rucc_sema::ExprList, stores: bool) -> Value {
        let wide = ScalarType::Integer { signed: true, width: 128 };
        let arguments: Vec<ExprId> = self.unit.unit.tast[args].to_vec();
        let values = self.arguments(&arguments);
        // The third operand is where the result goes, or has the type of it.
        let third = self.c_type(arguments[2]);
        let ty = if stores { self.pointee(third) } else { third };
        let narrow =
            self.unit.scalar(ty).filter(|narrow| narrow.value_bits(self.unit.model()) <= 64);
        let Some(narrow) = narrow else {
            self.unsupported("an overflow builtin on this type");
            return self.number(self.unit.unit.types.boolean(), 0);
        };
        let left = self.convert(values[0], wide);
        let right = self.convert(values[1], wide);
        let operator = match op {
            OverflowOp::Add => BinaryOperator::Add,
            OverflowOp::Sub => BinaryOperator::Subtract,
            OverflowOp::Mul => BinaryOperator::Multiply,
        };
        let exact = self.binary(operator, left, right);
        let exact = self.spill(exact);
        let kept = self.convert(exact, narrow);
        let kept = self.fitted(kept, ty);
        if stores {
            let place = self.pointed_place(values[2], ty);
            self.store(&place, narrow, kept);
        }
        let back = self.convert(kept, wide);
        Value::Scalar(self.binary(BinaryOperator::NotEqual, back, exact))
    }

    fn bit_count(&mut self, operand: ExprId, count: BitCount, ty: rucc_types::TypeId) -> Value {
        let model = match count {
            BitCount::Leading => "__heapwright_leading_zeros",
            BitCount::Trailing => "__heapwright_trailing_zeros",
            BitCount::Ones => "__heapwright_ones",
            BitCount::Parity => "__heapwright_parity",
            BitCount::FirstSet => "__heapwright_first_set",
            BitCount::RedundantSign => "__heapwright_redundant_sign",
        };
        let scalar = self.unit.scalar(self.c_type(operand)).unwrap_or(ScalarType::UNSIGNED);
        let bits = scalar.value_bits(self.unit.model());
        self.model_call(model, operand, bits, ty)
    }

    /// Calls one of our models on an operand of at most 64 bits and its width.
    fn model_call(
        &mut self,
        name: &str,
        operand: ExprId,
        bits: u32,
        ty: rucc_types::TypeId,
    ) -> Value {
        let value = self.scalar_value(operand);
        if bits > 64 {
            self.unsupported("a bit builtin on 128 bits");
            return self.dummy(ty);
        }
        let same_width = ScalarType::Integer { signed: false, width: bits.max(8) as u16 };
        let wide = ScalarType::Integer { signed: false, width: 64 };
        let unsigned = self.convert(value, same_width);
        let widened = self.convert(unsigned, wide);
        let width = self.constant(ScalarType::INT, u128::from(bits));
        let function = self.unit.model_function(name);
        let target = self.temporary(wide);
        let arguments = vec![widened, width];
        let callee = Callee::Direct(function);
        self.emit(Operation::Call { target: Some(target), callee, arguments });
        let result = self.variable(target);
        match self.unit.scalar(ty) {
            Some(scalar) => Value::Scalar(self.convert(result, scalar)),
            None => Value::Nothing,
        }
    }

    fn absolute(&mut self, operand: ExprId) -> Value {
        let value = self.scalar_value(operand);
        let scalar = self.type_of(value);
        let target = self.temporary(scalar);
        self.emit(Operation::Assign { target, value });
        let value = self.variable(target);
        let zero = self.constant(scalar, 0);
        // `0 - x` and not `-x < 0`: a negative zero becomes positive as well.
        let (negative, positive) = (self.new_location(), self.new_location());
        let is_negative = self.binary(BinaryOperator::LessEqual, value, zero);
        self.emit_branch(is_negative, negative, positive);
        self.continue_at(negative);
        self.check_negation(value, self.c_type(operand));
        let negated = self.binary(BinaryOperator::Subtract, zero, value);
        self.emit(Operation::Assign { target, value: negated });
        let end = super::function::Target { location: positive, scope: self.scope };
        self.jump_to(end);
        self.continue_at(positive);
        Value::Scalar(self.variable(target))
    }
}
