//! Conditions: `&&`, `||`, `!`, `?:` and statement expressions, which are control flow.

use heapwright_program::{LocationId, Operation, ScalarType};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::TypeKind;

use super::function::FunctionLowering;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    /// The value of `&&`, `||` as a number, computed by branching.
    pub(crate) fn truth_value(&mut self, id: ExprId, scalar: ScalarType) -> Value {
        let (on_true, on_false) = (self.new_location(), self.new_location());
        let target = self.temporary(scalar);
        self.branch(id, on_true, on_false);
        let end = self.new_target();
        for (location, bit) in [(on_true, 1), (on_false, 0)] {
            self.continue_at(location);
            let value = self.constant(scalar, bit);
            self.emit(Operation::Assign { target, value });
            self.jump_to(end);
        }
        self.continue_at(end.location);
        Value::Scalar(self.variable(target))
    }

    /// Goes to `on_true` or `on_false`, whichever the condition says.
    pub(crate) fn branch(&mut self, id: ExprId, on_true: LocationId, on_false: LocationId) {
        let before = self.set_place(self.unit.unit.tast.expr_span(id));
        match self.unit.unit.tast[id].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let middle = self.new_location();
                self.branch(lhs, middle, on_false);
                self.continue_at(middle);
                self.branch(rhs, on_true, on_false);
            }
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let middle = self.new_location();
                self.branch(lhs, on_true, middle);
                self.continue_at(middle);
                self.branch(rhs, on_true, on_false);
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                self.branch(operand, on_false, on_true);
            }
            ExprKind::Convert { kind: Conversion::Bool, operand } => {
                self.branch(operand, on_true, on_false);
            }
            ExprKind::Convert { kind: Conversion::Arithmetic, operand }
                if self.keeps_truth(operand, id) =>
            {
                self.branch(operand, on_true, on_false);
            }
            ExprKind::Expect { value, hint, .. } => {
                self.effect(hint);
                self.branch(value, on_true, on_false);
            }
            _ => {
                let value = self.scalar_value(id);
                let condition = self.truth(value);
                match self.integer(condition) {
                    Some(0) => self.merge_into(on_false),
                    Some(_) => self.merge_into(on_true),
                    None => self.emit_branch(condition, on_true, on_false),
                }
            }
        }
        self.restore_place(before);
    }

    /// Control goes on at `location`, in the same scope, without an edge.
    pub(crate) fn merge_into(&mut self, location: LocationId) {
        let scope = self.scope;
        self.jump_to(super::function::Target { location, scope });
    }

    /// Whether a conversion to an integer type no narrower keeps zero apart from the rest.
    fn keeps_truth(&self, operand: ExprId, converted: ExprId) -> bool {
        let model = self.unit.model();
        if let TypeKind::BitInt { .. } = self.unit.kind(self.c_type(converted)) {
            return false;
        }
        match (self.unit.scalar(self.c_type(operand)), self.unit.scalar(self.c_type(converted))) {
            (Some(from), Some(to)) => {
                !from.is_float()
                    && to.is_integer()
                    && from.value_bits(model) <= to.value_bits(model)
            }
            _ => false,
        }
    }

    pub(crate) fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: rucc_types::TypeId,
    ) -> Value {
        // GNU's `a ?: b`: the first operand is evaluated once.
        if self.shares_condition(condition, then) {
            let shared = self.bare(then);
            let value = self.scalar_value(shared);
            let value = self.spill(value);
            self.seal();
            self.bounds.insert(shared, value);
        }
        let (on_true, on_false) = (self.new_location(), self.new_location());
        self.branch(condition, on_true, on_false);
        let scalar = self.unit.scalar(ty);
        let is_aggregate = self.unit.is_aggregate(ty);
        let target = match scalar {
            Some(_) => Some(self.typed_temporary(ty)),
            None if is_aggregate => Some(self.temporary(ScalarType::Pointer)),
            None => None,
        };
        let end = self.new_target();
        for (location, arm) in [(on_true, then), (on_false, otherwise)] {
            self.continue_at(location);
            match (self.value(arm), target) {
                (Value::Scalar(value) | Value::Aggregate(value), Some(target)) => {
                    let scalar = self.unit.linker.program.variables[target].scalar;
                    let value = self.convert(value, scalar);
                    self.emit(Operation::Assign { target, value });
                }
                (Value::Scalar(_) | Value::Aggregate(_) | Value::Nothing, _) => {}
            }
            self.jump_to(end);
        }
        self.continue_at(end.location);
        match (target, scalar) {
            (Some(target), Some(_)) => Value::Scalar(self.variable(target)),
            (Some(target), None) => Value::Aggregate(self.variable(target)),
            (None, _) => Value::Nothing,
        }
    }

    /// Whether a conditional is GNU's `a ?: b`.
    pub(crate) fn shares_condition(&self, condition: ExprId, then: ExprId) -> bool {
        self.mentions(condition, self.bare(then))
    }

    /// An expression without the conversions around it.
    fn bare(&self, id: ExprId) -> ExprId {
        match self.unit.unit.tast[id].kind {
            ExprKind::Convert {
                kind: Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool,
                operand,
            } => self.bare(operand),
            _ => id,
        }
    }

    /// Whether `wanted` is `id` or under its conversions.
    fn mentions(&self, id: ExprId, wanted: ExprId) -> bool {
        id == wanted
            || match self.unit.unit.tast[id].kind {
                ExprKind::Convert { operand, .. } => self.mentions(operand, wanted),
                _ => false,
            }
    }

    pub(crate) fn statement_expression(
        &mut self,
        statement: StmtId,
        ty: rucc_types::TypeId,
    ) -> Value {
        let Stmt::Block(statements) = self.unit.unit.tast[statement] else {
            self.statement(statement);
            return Value::Nothing;
        };
        // The result outlives the block, so a struct is copied out before the block ends.
        let outer = if self.unit.is_aggregate(ty) {
            let size = self.unit.size_of(ty).unwrap_or(0);
            let alignment = self.unit.alignment_of(ty);
            Some(self.new_object("value", ty, Some(size), alignment))
        } else {
            None
        };
        self.enter_scope();
        let count = self.unit.unit.tast[statements].len();
        let mut result = Value::Nothing;
        for index in 0..count {
            let item = self.unit.unit.tast[statements][index];
            match self.unit.unit.tast[item] {
                Stmt::Expr(last) if index + 1 == count => result = self.value(last),
                _ => self.statement(item),
            }
        }
        let result = match (result, outer) {
            (Value::Scalar(value), _) => Value::Scalar(self.stable(value)),
            (Value::Aggregate(source), Some(object)) => {
                let target = self.object_address(object);
                self.copy(target, source, ty);
                Value::Aggregate(target)
            }
            (Value::Aggregate(_) | Value::Nothing, _) => Value::Nothing,
        };
        self.leave_scope();
        match (result, self.unit.scalar(ty)) {
            // Control may leave the block before the value: the value is never used then.
            (Value::Nothing, Some(_)) => self.dummy(ty),
            _ => result,
        }
    }
}
