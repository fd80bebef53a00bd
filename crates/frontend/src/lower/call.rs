//! Calls: arguments, struct results, and which function is meant.

use heapwright_program::{Callee, ExpressionId, Operation, ScalarType};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, ExprId, ExprKind};

use super::function::FunctionLowering;
use super::intrinsic::Intrinsic;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    pub(crate) fn call(&mut self, id: ExprId, is_needed: bool) -> Value {
        let ExprKind::Call { callee, args } = self.unit.unit.tast[id].kind else {
            unreachable!("a call");
        };
        let arguments: Vec<ExprId> = self.unit.unit.tast[args].to_vec();
        let ty = self.c_type(id);
        let Some(decl) = self.called_declaration(callee) else {
            let mut pointer = self.scalar_value(callee);
            if arguments.iter().any(|&argument| self.has_effects(argument)) {
                pointer = self.stable(pointer);
            }
            return self.call_function(Callee::Indirect(pointer), &arguments, ty, is_needed);
        };
        let name = self.unit.name(&self.unit.unit.tast[decl]).to_owned();
        if !self.unit.linker.survey.defined_functions.contains(&name)
            && self.unit.unit.tast[decl].linkage == rucc_sema::Linkage::External
            && let Some(intrinsic) = Intrinsic::named(&name)
        {
            return self.intrinsic(intrinsic, &name, &arguments, ty, is_needed);
        }
        if let Some(value) = self.formatted(decl, &name, &arguments, is_needed) {
            return value;
        }
        let function = self.function_of(decl);
        self.call_function(Callee::Direct(function), &arguments, ty, is_needed)
    }

    /// The function that a call names directly.
    fn called_declaration(&self, callee: ExprId) -> Option<DeclId> {
        let tast = &self.unit.unit.tast;
        match tast[callee].kind {
            ExprKind::Convert { kind: Conversion::FunctionDecay, operand } => {
                self.called_declaration(operand)
            }
            ExprKind::Decl(decl) if tast[decl].kind == rucc_sema::DeclKind::Function => Some(decl),
            // `(*f)(…)` and `(&f)(…)` call `f`.
            ExprKind::Unary { op: UnaryOp::AddrOf | UnaryOp::Deref, operand } => {
                self.called_declaration(operand)
            }
            _ => None,
        }
    }

    fn call_function(
        &mut self,
        callee: Callee,
        arguments: &[ExprId],
        ty: rucc_types::TypeId,
        is_needed: bool,
    ) -> Value {
        let mut values = self.arguments(arguments);
        let result = self.unit.scalar(ty);
        if result.is_none() && self.unit.is_aggregate(ty) {
            let size = self.unit.size_of(ty).unwrap_or(0);
            let alignment = self.unit.alignment_of(ty);
            let object = self.new_object("returned", ty, Some(size), alignment);
            let address = self.object_address(object);
            values.insert(0, address);
            self.emit(Operation::Call { target: None, callee, arguments: values });
            return Value::Aggregate(address);
        }
        let target = match result {
            Some(_) if is_needed => Some(self.typed_temporary(ty)),
            Some(_) | None => None,
        };
        self.emit(Operation::Call { target, callee, arguments: values });
        match target {
            Some(target) => Value::Scalar(self.variable(target)),
            None => Value::Nothing,
        }
    }

    /// The values of arguments, evaluated from left to right.
    pub(crate) fn arguments(&mut self, arguments: &[ExprId]) -> Vec<ExpressionId> {
        let mut values: Vec<ExpressionId> = Vec::with_capacity(arguments.len());
        for (index, &argument) in arguments.iter().enumerate() {
            let value = match self.value(argument) {
                Value::Scalar(value) | Value::Aggregate(value) => value,
                Value::Nothing => {
                    self.unsupported("an argument of this type");
                    self.constant(ScalarType::INT, 0)
                }
            };
            let later = &arguments[index + 1..];
            let value = if later.iter().any(|&other| self.has_effects(other)) {
                self.stable(value)
            } else {
                value
            };
            values.push(value);
        }
        values
    }
}
