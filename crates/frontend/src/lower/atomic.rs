//! GNU's atomic builtins. Programs here have one thread, so an atomic access is an access.

use heapwright_program::{BinaryOperator, ExpressionId, ScalarType, UnaryOperator};
use rucc_ast::BinaryOp;
use rucc_sema::{AtomicOp, ExprId, Rmw};

use super::function::FunctionLowering;
use super::place::LvaluePlace;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    pub(crate) fn atomic(
        &mut self,
        op: AtomicOp,
        args: rucc_sema::ExprList,
        ty: rucc_types::TypeId,
    ) -> Value {
        let arguments: Vec<ExprId> = self.unit.unit.tast[args].to_vec();
        if let AtomicOp::Fence | AtomicOp::SignalFence = op {
            return Value::Nothing;
        }
        let target_type = match self.unit.kind(self.c_type(arguments[0])) {
            rucc_types::TypeKind::Pointer(target) => target,
            _ => ty,
        };
        let Some(scalar) = self.unit.scalar(target_type) else {
            self.unsupported("an atomic builtin on this type");
            return self.dummy(ty);
        };
        let values = self.arguments(&arguments);
        let address = self.stable(values[0]);
        let place = LvaluePlace::Memory(self.pointed_place(address, target_type));
        match (op, values.as_slice()) {
            (AtomicOp::Load, _) => Value::Scalar(self.read(&place, target_type)),
            (AtomicOp::Store, &[_, value, ..]) => {
                let value = self.convert(value, scalar);
                self.write(&place, scalar, value);
                Value::Nothing
            }
            (AtomicOp::Exchange, &[_, value, ..]) => {
                let old = self.read(&place, target_type);
                let value = self.convert(value, scalar);
                self.write(&place, scalar, value);
                Value::Scalar(old)
            }
            (AtomicOp::Fetch(rmw), &[_, value, ..]) => {
                let (old, _) = self.update(&place, target_type, rmw, value, scalar);
                Value::Scalar(old)
            }
            (AtomicOp::Update(rmw), &[_, value, ..]) => {
                let (_, new) = self.update(&place, target_type, rmw, value, scalar);
                Value::Scalar(new)
            }
            (AtomicOp::LoadInto, &[_, target, ..]) => {
                let value = self.read(&place, target_type);
                let target = self.pointed_place(target, target_type);
                self.store(&target, scalar, value);
                Value::Nothing
            }
            (AtomicOp::ExchangeInto, &[_, value, target, ..]) => {
                let old = self.read(&place, target_type);
                let value = self.convert(value, scalar);
                self.write(&place, scalar, value);
                let target = self.pointed_place(target, target_type);
                self.store(&target, scalar, old);
                Value::Nothing
            }
            (AtomicOp::SwapBool, &[_, expected, desired, ..]) => {
                let (_, is_equal) = self.swap(&place, target_type, expected, desired, None);
                Value::Scalar(is_equal)
            }
            (AtomicOp::SwapValue, &[_, expected, desired, ..]) => {
                let (old, _) = self.swap(&place, target_type, expected, desired, None);
                Value::Scalar(old)
            }
            (AtomicOp::CompareExchange, &[_, pointer, desired, ..]) => {
                let pointer = self.stable(pointer);
                let found = LvaluePlace::Memory(self.pointed_place(pointer, target_type));
                let expected = self.read(&found, target_type);
                let swapped = self.swap(&place, target_type, expected, desired, Some(&found));
                Value::Scalar(swapped.1)
            }
            _ => {
                self.unsupported("an atomic builtin of this form");
                self.dummy(ty)
            }
        }
    }

    /// Writes `desired` where `expected` stood, else what stood there to `found`. Gives what stood
    /// there and whether it was what was expected.
    fn swap(
        &mut self,
        place: &LvaluePlace,
        ty: rucc_types::TypeId,
        expected: ExpressionId,
        desired: ExpressionId,
        found: Option<&LvaluePlace>,
    ) -> (ExpressionId, ExpressionId) {
        let old = self.read(place, ty);
        let scalar = self.type_of(old);
        let expected = self.convert(expected, scalar);
        let is_equal = self.binary(BinaryOperator::Equal, old, expected);
        let is_equal = self.spill(is_equal);
        let (equal, different, end) = (self.new_location(), self.new_location(), self.new_target());
        self.emit_branch(is_equal, equal, different);
        self.continue_at(equal);
        let desired = self.convert(desired, scalar);
        self.write(place, scalar, desired);
        self.jump_to(end);
        self.continue_at(different);
        if let Some(found) = found {
            self.write(found, scalar, old);
        }
        self.jump_to(end);
        self.continue_at(end.location);
        (old, is_equal)
    }

    fn update(
        &mut self,
        place: &LvaluePlace,
        ty: rucc_types::TypeId,
        rmw: Rmw,
        value: ExpressionId,
        scalar: ScalarType,
    ) -> (ExpressionId, ExpressionId) {
        let old = self.read(place, ty);
        let old = self.stable(old);
        let value = if scalar.is_pointer() { value } else { self.convert(value, scalar) };
        let op = match rmw {
            Rmw::Add => BinaryOp::Add,
            Rmw::Sub => BinaryOp::Sub,
            Rmw::And | Rmw::Nand => BinaryOp::BitAnd,
            Rmw::Or => BinaryOp::BitOr,
            Rmw::Xor => BinaryOp::BitXor,
        };
        let new = if scalar.is_pointer() {
            // GNU's atomic builtins move pointers by bytes.
            let bytes = self.convert(value, self.unit.model().offset_type());
            let bytes = match rmw {
                Rmw::Sub => self.unary(UnaryOperator::Negate, bytes),
                _ => bytes,
            };
            self.binary(BinaryOperator::OffsetPointer, old, bytes)
        } else {
            // C lets atomic arithmetic wrap.
            self.apply_wrapping(op, (old, ty), (value, ty))
        };
        let new =
            if let Rmw::Nand = rmw { self.unary(UnaryOperator::Complement, new) } else { new };
        let new = self.spill(new);
        self.write(place, scalar, new);
        (old, new)
    }
}
