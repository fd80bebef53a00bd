//! Assignments, compound assignments, increments and decrements.

use heapwright_program::{ExpressionId, ScalarType};
use rucc_ast::BinaryOp;
use rucc_sema::{ExprId, ExprKind};

use super::function::FunctionLowering;
use super::place::LvaluePlace;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    /// `lhs = rhs` or `lhs op= rhs`; the value only where somebody needs it.
    pub(crate) fn assignment(&mut self, id: ExprId, is_needed: bool) -> Value {
        let ExprKind::Assign { op, computation, lhs, rhs } = self.unit.unit.tast[id].kind else {
            unreachable!("an assignment");
        };
        let ty = self.c_type(lhs);
        let Some(scalar) = self.unit.scalar(ty) else {
            return self.aggregate_assignment(op, lhs, rhs, id);
        };
        let Some(op) = op else {
            return self.plain_assignment(lhs, rhs, scalar, is_needed);
        };
        let Some(computed) = self.unit.scalar(computation) else {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(ty);
        };
        let mut place = self.lvalue(lhs);
        let mut right = None;
        if self.has_effects(rhs) {
            // The right side may change what the left side is made of, or its value.
            self.keep_place(&mut place);
            right = Some(self.scalar_value(rhs));
        }
        let old = self.read(&place, ty);
        let right = match right {
            Some(value) => value,
            None => self.scalar_value(rhs),
        };
        let left = self.convert(old, computed);
        let left = self.fitted(left, computation);
        let result = self.apply(op, (left, computation), (right, self.c_type(rhs)));
        let result = self.fitted(result, computation);
        let value = self.convert(result, scalar);
        let value = self.fitted(value, ty);
        self.write(&place, scalar, value);
        self.assigned(&place, scalar, value, is_needed)
    }

    fn plain_assignment(
        &mut self,
        lhs: ExprId,
        rhs: ExprId,
        scalar: ScalarType,
        is_needed: bool,
    ) -> Value {
        // The side with effects goes first, so that the other needs no copies.
        if self.has_effects(rhs) {
            if self.has_effects(lhs) {
                let mut place = self.lvalue(lhs);
                self.keep_place(&mut place);
                let value = self.scalar_value(rhs);
                self.write(&place, scalar, value);
                return self.assigned(&place, scalar, value, is_needed);
            }
            let value = self.scalar_value(rhs);
            if let ExprKind::Decl(_) = self.unit.unit.tast[lhs].kind {
                let place = self.lvalue(lhs);
                self.write(&place, scalar, value);
                return self.assigned(&place, scalar, value, is_needed);
            }
            let value = self.stable(value);
            let place = self.lvalue(lhs);
            self.write(&place, scalar, value);
            return self.assigned(&place, scalar, value, is_needed);
        }
        let place = self.lvalue(lhs);
        let value = self.scalar_value(rhs);
        self.write(&place, scalar, value);
        self.assigned(&place, scalar, value, is_needed)
    }

    /// Makes sure that later edges do not move a place.
    fn keep_place(&mut self, place: &mut LvaluePlace) {
        if let LvaluePlace::Memory(memory) = place {
            self.keep_memory(memory);
        }
    }

    /// The value of an assignment: what the place holds now.
    fn assigned(
        &mut self,
        place: &LvaluePlace,
        scalar: ScalarType,
        value: ExpressionId,
        is_needed: bool,
    ) -> Value {
        if !is_needed {
            return Value::Nothing;
        }
        match place {
            LvaluePlace::Variable(variable) => Value::Scalar(self.variable(*variable)),
            LvaluePlace::Memory(memory) => {
                let value = self.stable(value);
                Value::Scalar(match memory.bits {
                    Some(bits) => self.truncated(value, scalar, u32::from(bits.width)),
                    None => value,
                })
            }
        }
    }

    fn aggregate_assignment(
        &mut self,
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
        id: ExprId,
    ) -> Value {
        let ty = self.c_type(id);
        if op.is_some() || !self.unit.is_record(self.c_type(lhs)) {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(ty);
        }
        let source = match self.value(rhs) {
            Value::Aggregate(source) => source,
            Value::Scalar(_) | Value::Nothing => {
                self.unsupported("an assignment of this type");
                return self.dummy(ty);
            }
        };
        let source = if self.has_effects(lhs) { self.stable(source) } else { source };
        let LvaluePlace::Memory(place) = self.lvalue(lhs) else {
            unreachable!("a record lives in memory");
        };
        let size = self.dynamic_size(self.c_type(lhs));
        self.disjoint(place.address, source, size);
        self.copy(place.address, source, self.c_type(lhs));
        Value::Aggregate(place.address)
    }

    /// `++lhs`, `--lhs`.
    pub(crate) fn step(&mut self, lhs: ExprId, op: BinaryOp, is_needed: bool) -> Value {
        let ty = self.c_type(lhs);
        let Some(scalar) = self.unit.scalar(ty) else {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(ty);
        };
        let place = self.lvalue(lhs);
        let old = self.read(&place, ty);
        let value = self.stepped(old, op, ty, scalar);
        self.write(&place, scalar, value);
        self.assigned(&place, scalar, value, is_needed)
    }

    /// `lhs++`, `lhs--`: the value from before.
    pub(crate) fn step_after(&mut self, lhs: ExprId, op: BinaryOp) -> Value {
        let ty = self.c_type(lhs);
        let Some(scalar) = self.unit.scalar(ty) else {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(ty);
        };
        let place = self.lvalue(lhs);
        let old = self.read(&place, ty);
        let old = self.stable(old);
        let value = self.stepped(old, op, ty, scalar);
        self.write(&place, scalar, value);
        Value::Scalar(old)
    }

    /// One more or one less, in the promoted type.
    fn stepped(
        &mut self,
        old: ExpressionId,
        op: BinaryOp,
        ty: rucc_types::TypeId,
        scalar: ScalarType,
    ) -> ExpressionId {
        if scalar.is_pointer() {
            let one = self.offset_constant(1);
            return self.apply(op, (old, ty), (one, ty));
        }
        let wide = match scalar {
            ScalarType::Bool => ScalarType::INT,
            ScalarType::Integer { width, .. } if width < 32 => ScalarType::INT,
            ScalarType::Integer { .. } | ScalarType::Float(_) | ScalarType::Pointer => scalar,
        };
        let one = self.one(wide);
        let left = self.convert(old, wide);
        let result = self.apply(op, (left, ty), (one, ty));
        let value = self.convert(result, scalar);
        self.fitted(value, ty)
    }

    fn one(&mut self, scalar: ScalarType) -> ExpressionId {
        if scalar.is_float() {
            let one = self.constant(ScalarType::INT, 1);
            return self.unit.linker.program.expressions.convert(one, scalar);
        }
        self.constant(scalar, 1)
    }
}
