//! Expressions: C's operators to side-effect-free expressions and edges for what they do.
//!
//! Operands are evaluated from left to right. An operand that a later one could change is kept in a
//! temporary first, so that the order is the one of some conforming compiler.

use heapwright_program::{BinaryOperator, ExpressionId, ScalarType, UnaryOperator};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};
use rucc_types::TypeKind;

use super::function::FunctionLowering;
use super::place::LvaluePlace;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    pub(crate) fn c_type(&self, expression: ExprId) -> rucc_types::TypeId {
        self.unit.unit.tast[expression].ty
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, id: ExprId) -> Value {
        if let Some(&bound) = self.bounds.get(&id) {
            return Value::Scalar(bound);
        }
        let before = self.set_place(self.unit.unit.tast.expr_span(id));
        let value = self.value_here(id);
        self.restore_place(before);
        value
    }

    /// The value of a scalar expression.
    pub(crate) fn scalar_value(&mut self, id: ExprId) -> ExpressionId {
        match self.value(id) {
            Value::Scalar(value) => value,
            Value::Aggregate(_) | Value::Nothing => {
                self.unsupported("an expression of this type");
                let scalar = self.unit.scalar(self.c_type(id)).unwrap_or(ScalarType::INT);
                self.constant(scalar, 0)
            }
        }
    }

    /// Evaluates an expression for what it does.
    pub(crate) fn effect(&mut self, id: ExprId) {
        let before = self.set_place(self.unit.unit.tast.expr_span(id));
        match self.unit.unit.tast[id].kind {
            ExprKind::Unary { op: UnaryOp::PostInc | UnaryOp::PreInc, operand } => {
                self.step(operand, BinaryOp::Add, false);
            }
            ExprKind::Unary { op: UnaryOp::PostDec | UnaryOp::PreDec, operand } => {
                self.step(operand, BinaryOp::Sub, false);
            }
            ExprKind::Cast(operand)
            | ExprKind::Convert { kind: Conversion::Void, operand }
            | ExprKind::Convert { kind: Conversion::Arithmetic, operand } => self.effect(operand),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.effect(rhs);
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => {
                let end = self.new_location();
                self.branch(id, end, end);
                self.continue_at(end);
            }
            ExprKind::Cond { cond, then, otherwise } if self.is_void_or_unused(id) => {
                let (on_true, on_false) = (self.new_location(), self.new_location());
                self.branch(cond, on_true, on_false);
                let end = self.new_target();
                self.continue_at(on_true);
                self.effect(then);
                self.jump_to(end);
                self.continue_at(on_false);
                self.effect(otherwise);
                self.jump_to(end);
                self.continue_at(end.location);
            }
            ExprKind::StmtExpr(statement) => self.statement(statement),
            ExprKind::Assign { .. } => {
                self.assignment(id, false);
            }
            ExprKind::Call { .. } => {
                self.call(id, false);
            }
            _ => {
                self.value(id);
            }
        }
        self.restore_place(before);
    }

    /// A conditional whose value nobody uses; but not GNU's `a ?: b`, whose first arm is shared.
    fn is_void_or_unused(&self, id: ExprId) -> bool {
        !matches!(self.unit.unit.tast[id].kind, ExprKind::Cond { cond, then, .. }
            if self.shares_condition(cond, then))
    }

    fn value_here(&mut self, id: ExprId) -> Value {
        let expression = self.unit.unit.tast[id];
        match expression.kind {
            ExprKind::Const(constant) => self.constant_of(self.unit.unit.tast[constant], id),
            ExprKind::Convert { kind, operand } => self.conversion(kind, operand, expression.ty),
            ExprKind::Cast(operand) => self.cast(operand, expression.ty),
            ExprKind::Unary { op, operand } => self.unary_value(op, operand, id),
            ExprKind::Binary { op, lhs, rhs } => self.binary_value(op, lhs, rhs, id),
            ExprKind::Assign { .. } => self.assignment(id, true),
            ExprKind::Cond { cond, then, otherwise } => {
                self.conditional(cond, then, otherwise, expression.ty)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.value(rhs)
            }
            ExprKind::Call { .. } => self.call(id, true),
            ExprKind::StmtExpr(statement) => self.statement_expression(statement, expression.ty),
            ExprKind::Decl(_)
            | ExprKind::Str(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::CompoundLiteral(_) => self.read_lvalue(id, expression.ty),
            ExprKind::Error => {
                self.unsupported("an expression that does not compile");
                self.dummy(expression.ty)
            }
            _ => self.builtin(id),
        }
    }

    /// A value to go on with after an unsupported operation.
    pub(crate) fn dummy(&mut self, ty: rucc_types::TypeId) -> Value {
        match self.unit.scalar(ty) {
            Some(scalar) => Value::Scalar(self.constant(scalar, 0)),
            None if self.unit.is_aggregate(ty) => {
                let size = self.unit.size_of(ty).unwrap_or(0);
                let alignment = self.unit.alignment_of(ty);
                let object = self.new_object("unsupported", ty, Some(size), alignment);
                Value::Aggregate(self.object_address(object))
            }
            None => Value::Nothing,
        }
    }

    fn constant_of(&mut self, constant: Const, id: ExprId) -> Value {
        let ty = self.c_type(id);
        let folded = match self.unit.scalar(ty) {
            Some(scalar) => self.unit.constant_value(constant, scalar),
            None => None,
        };
        match folded {
            Some(value) => Value::Scalar(value),
            None => {
                self.unsupported("a constant of this type");
                self.dummy(ty)
            }
        }
    }

    /// The pointer that a function designator stands for: `f`, `*pointer`, `(c ? f : g)`.
    fn function_pointer(&mut self, id: ExprId) -> ExpressionId {
        match self.unit.unit.tast[id].kind {
            ExprKind::Decl(decl) => {
                let function = self.unit.function_address(decl);
                self.unit.linker.program.expressions.function_address(function)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => self.scalar_value(operand),
            _ => self.scalar_value(id),
        }
    }

    fn is_function(&self, id: ExprId) -> bool {
        matches!(self.unit.kind(self.c_type(id)), TypeKind::Function(_))
    }

    fn read_lvalue(&mut self, id: ExprId, ty: rucc_types::TypeId) -> Value {
        if self.is_function(id) {
            return Value::Scalar(self.function_pointer(id));
        }
        let place = self.lvalue(id);
        match (&place, self.unit.scalar(ty)) {
            (LvaluePlace::Memory(memory), None) => {
                if self.unit.is_record(ty) && self.unit.is_volatile(ty) {
                    self.unsupported("a copy of a struct that is volatile, or has such a member");
                }
                Value::Aggregate(memory.address)
            }
            (_, Some(_)) => Value::Scalar(self.read(&place, ty)),
            (LvaluePlace::Variable(_), None) => unreachable!("a variable is a scalar"),
        }
    }

    fn conversion(&mut self, kind: Conversion, operand: ExprId, ty: rucc_types::TypeId) -> Value {
        match kind {
            Conversion::Lvalue => self.read_lvalue(operand, self.c_type(operand)),
            Conversion::ArrayDecay => Value::Scalar(self.address_of(operand)),
            Conversion::FunctionDecay => Value::Scalar(self.function_pointer(operand)),
            Conversion::Void => {
                self.effect(operand);
                Value::Nothing
            }
            Conversion::Arithmetic
            | Conversion::Pointer
            | Conversion::Bool
            | Conversion::NullPointer => self.cast(operand, ty),
            Conversion::Broadcast | Conversion::Hardbool => {
                self.unsupported("a vector or hardened boolean");
                self.dummy(ty)
            }
        }
    }

    fn cast(&mut self, operand: ExprId, ty: rucc_types::TypeId) -> Value {
        if matches!(self.unit.kind(ty), TypeKind::Void) {
            self.effect(operand);
            return Value::Nothing;
        }
        match (self.value(operand), self.unit.scalar(ty)) {
            (Value::Scalar(value), Some(scalar)) => {
                let value = self.convert(value, scalar);
                Value::Scalar(self.fitted(value, ty))
            }
            (Value::Aggregate(address), None) if self.same_size(operand, ty) => {
                Value::Aggregate(address)
            }
            (Value::Scalar(value), None) if self.unit.is_record(ty) => {
                self.cast_to_union(value, ty)
            }
            (Value::Scalar(_) | Value::Aggregate(_) | Value::Nothing, _) => {
                self.unsupported("a conversion between these types");
                self.dummy(ty)
            }
        }
    }

    fn same_size(&self, operand: ExprId, ty: rucc_types::TypeId) -> bool {
        self.unit.is_record(ty) && self.unit.size_of(self.c_type(operand)) == self.unit.size_of(ty)
    }

    /// GNU's `(union u) scalar`.
    fn cast_to_union(&mut self, value: ExpressionId, ty: rucc_types::TypeId) -> Value {
        let size = self.unit.size_of(ty).unwrap_or(0);
        let alignment = self.unit.alignment_of(ty);
        let object = self.new_object("literal", ty, Some(size), alignment);
        let place = self.object_place(object);
        let scalar = self.type_of(value);
        self.store(&place, scalar, value);
        Value::Aggregate(place.address)
    }

    fn unary_value(&mut self, op: UnaryOp, operand: ExprId, id: ExprId) -> Value {
        let ty = self.c_type(id);
        match op {
            UnaryOp::Deref => self.read_lvalue(id, ty),
            UnaryOp::AddrOf => Value::Scalar(self.address_of(operand)),
            UnaryOp::PreInc => self.step(operand, BinaryOp::Add, true),
            UnaryOp::PreDec => self.step(operand, BinaryOp::Sub, true),
            UnaryOp::PostInc => self.step_after(operand, BinaryOp::Add),
            UnaryOp::PostDec => self.step_after(operand, BinaryOp::Sub),
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Real | UnaryOp::Imag => {
                self.unsupported("complex arithmetic");
                self.dummy(ty)
            }
            UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not => {
                let Some(scalar) = self.unit.scalar(ty) else {
                    self.unsupported("vector or complex arithmetic");
                    return self.dummy(ty);
                };
                let value = self.scalar_value(operand);
                let result = match op {
                    UnaryOp::Minus => {
                        self.check_negation(value, ty);
                        self.unary(UnaryOperator::Negate, value)
                    }
                    UnaryOp::BitNot => self.unary(UnaryOperator::Complement, value),
                    _ => {
                        let truth = self.truth(value);
                        let negated = self.negate(truth);
                        self.convert(negated, scalar)
                    }
                };
                Value::Scalar(self.fitted(result, ty))
            }
        }
    }

    pub(crate) fn address_of(&mut self, operand: ExprId) -> ExpressionId {
        if self.is_function(operand) {
            return self.function_pointer(operand);
        }
        match self.lvalue(operand) {
            LvaluePlace::Memory(place) => place.address,
            LvaluePlace::Variable(_) => {
                self.unsupported("the address of an expression of this form");
                self.constant(ScalarType::Pointer, 0)
            }
        }
    }

    fn binary_value(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, id: ExprId) -> Value {
        let Some(scalar) = self.unit.scalar(self.c_type(id)) else {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(self.c_type(id));
        };
        if let BinaryOp::LogAnd | BinaryOp::LogOr = op {
            return self.truth_value(id, scalar);
        }
        if self.unit.scalar(self.c_type(lhs)).is_none() {
            self.unsupported("vector or complex arithmetic");
            return self.dummy(self.c_type(id));
        }
        let (left, right) = self.operands(lhs, rhs);
        let value = self.apply(op, (left, self.c_type(lhs)), (right, self.c_type(rhs)));
        let value = self.convert(value, scalar);
        Value::Scalar(self.fitted(value, self.c_type(id)))
    }

    /// Two operands, the left one first and safe from what the right one does.
    pub(crate) fn operands(&mut self, lhs: ExprId, rhs: ExprId) -> (ExpressionId, ExpressionId) {
        let mut left = self.scalar_value(lhs);
        if self.has_effects(rhs) {
            left = self.stable(left);
        }
        (left, self.scalar_value(rhs))
    }

    /// A binary operator on evaluated operands of these C types.
    pub(crate) fn apply(
        &mut self,
        op: BinaryOp,
        left: (ExpressionId, rucc_types::TypeId),
        right: (ExpressionId, rucc_types::TypeId),
    ) -> ExpressionId {
        if !self.type_of(right.0).is_pointer() {
            self.check_operation(op, left, right.0);
        }
        self.apply_wrapping(op, left, right)
    }

    /// The same, where nothing overflows, whatever the type is.
    pub(crate) fn apply_wrapping(
        &mut self,
        op: BinaryOp,
        (left, left_type): (ExpressionId, rucc_types::TypeId),
        (right, right_type): (ExpressionId, rucc_types::TypeId),
    ) -> ExpressionId {
        let is_pointer = |ty: ScalarType| ty.is_pointer();
        let pointers = (is_pointer(self.type_of(left)), is_pointer(self.type_of(right)));
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) => self.moved(left, left_type, right, false),
            (BinaryOp::Add, (false, true)) => self.moved(right, right_type, left, false),
            (BinaryOp::Sub, (true, false)) => self.moved(left, left_type, right, true),
            (BinaryOp::Sub, (true, true)) => self.distance(left, right, left_type),
            _ => self.arithmetic(op, left, right),
        }
    }

    /// A pointer moved by a number of elements.
    fn moved(
        &mut self,
        pointer: ExpressionId,
        pointer_type: rucc_types::TypeId,
        count: ExpressionId,
        backwards: bool,
    ) -> ExpressionId {
        let element = self.pointee(pointer_type);
        let mut bytes = self.scaled(count, element);
        if backwards {
            bytes = self.unary(UnaryOperator::Negate, bytes);
        }
        self.binary(BinaryOperator::OffsetPointer, pointer, bytes)
    }

    fn distance(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
        pointer_type: rucc_types::TypeId,
    ) -> ExpressionId {
        let bytes = self.binary(BinaryOperator::PointerDifference, left, right);
        let element = self.pointee(pointer_type);
        let one = self.offset_constant(1);
        let size = self.scaled(one, element);
        if self.integer(size) == Some(0) {
            return self.constant(self.unit.model().offset_type(), 0);
        }
        self.binary(BinaryOperator::Divide, bytes, size)
    }

    pub(crate) fn pointee(&self, ty: rucc_types::TypeId) -> rucc_types::TypeId {
        match self.unit.kind(ty) {
            TypeKind::Pointer(target) => target,
            TypeKind::Array { elem, .. } => elem,
            other => unreachable!("{other:?} is no pointer"),
        }
    }

    /// An operator on two arithmetic operands, or a comparison of pointers.
    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        use BinaryOperator as B;
        let ty = self.type_of(left);
        // Shift counts keep a type of their own, and a pointer may be compared with a number.
        let right = self.convert(right, ty);
        let (operator, left, right) = match op {
            BinaryOp::Mul => (B::Multiply, left, right),
            BinaryOp::Div => (B::Divide, left, right),
            BinaryOp::Rem => (B::Remainder, left, right),
            BinaryOp::Add => (B::Add, left, right),
            BinaryOp::Sub => (B::Subtract, left, right),
            BinaryOp::Shl => (B::ShiftLeft, left, right),
            BinaryOp::Shr => (B::ShiftRight, left, right),
            BinaryOp::Lt => (B::Less, left, right),
            BinaryOp::Gt => (B::Less, right, left),
            BinaryOp::Le => (B::LessEqual, left, right),
            BinaryOp::Ge => (B::LessEqual, right, left),
            BinaryOp::Eq => (B::Equal, left, right),
            BinaryOp::Ne => (B::NotEqual, left, right),
            BinaryOp::BitAnd => (B::BitAnd, left, right),
            BinaryOp::BitXor => (B::BitXor, left, right),
            BinaryOp::BitOr => (B::BitOr, left, right),
            BinaryOp::LogAnd | BinaryOp::LogOr => unreachable!("logical operators are branches"),
        };
        let value = self.binary(operator, left, right);
        // A division that may fail stands on an edge of its own.
        let may_fail = matches!(operator, B::Divide | B::Remainder)
            && ty.is_integer()
            && matches!(self.integer(right), None | Some(0 | -1));
        if may_fail { self.spill(value) } else { value }
    }
}
