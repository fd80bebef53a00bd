//! Copies: what the names of a function become in one copy of its body.

use heapwright_program::{
    Access, Expression, ExpressionId, Halt, ObjectId, Operation, Storage, VariableId, VariableKind,
};

use crate::analysis::inline::{Frame, Inliner, local_name};

impl Inliner<'_> {
    pub(super) fn variable(&mut self, frame: &mut Frame, variable: VariableId) -> VariableId {
        let original = &self.source.variables[variable];
        if original.function.is_none() || frame.function == self.main {
            return variable;
        }
        if let Some(&known) = frame.variables.get(&variable) {
            return known;
        }
        let mut copy = original.clone();
        copy.name = format!("{}::{}", local_name(&frame.chain), original.name);
        copy.function = Some(self.main);
        if copy.kind == VariableKind::Parameter {
            copy.kind = VariableKind::Local;
        }
        let copy = self.result.variables.push(copy);
        frame.variables.insert(variable, copy);
        self.sources.variables.insert(copy, (frame.calls.len(), variable));
        copy
    }

    fn object(&mut self, frame: &mut Frame, object: ObjectId) -> ObjectId {
        let original = &self.source.objects[object];
        let is_local = matches!(original.kind, heapwright_program::ObjectKind::Local);
        if !is_local || frame.function == self.main {
            return object;
        }
        if let Some(&known) = frame.objects.get(&object) {
            return known;
        }
        let mut copy = original.clone();
        copy.name = format!("{}::{}", local_name(&frame.chain), original.name);
        copy.function = Some(self.main);
        let copy = self.result.objects.push(copy);
        frame.objects.insert(object, copy);
        self.sources.objects.insert(copy, (frame.calls.clone(), object));
        copy
    }

    pub(super) fn expression(
        &mut self,
        frame: &mut Frame,
        expression: ExpressionId,
    ) -> ExpressionId {
        if let Some(&known) = frame.expressions.get(&expression) {
            return known;
        }
        let model = self.result.model;
        let renamed = match self.source.expressions.get(expression) {
            Expression::Constant { .. } | Expression::FunctionAddress(_) => expression,
            Expression::Variable(variable) => {
                let variable = self.variable(frame, variable);
                let ty = self.source.expressions.type_of(expression);
                self.result.expressions.variable(variable, ty)
            }
            Expression::ObjectAddress(object) => {
                let object = self.object(frame, object);
                self.result.expressions.object_address(object)
            }
            Expression::Unary { operator, operand } => {
                let operand = self.expression(frame, operand);
                self.result.expressions.unary(operator, operand)
            }
            Expression::Binary { operator, left, right } => {
                let left = self.expression(frame, left);
                let right = self.expression(frame, right);
                self.result.expressions.binary(operator, left, right, model)
            }
            Expression::Convert { operand, ty } => {
                let operand = self.expression(frame, operand);
                self.result.expressions.convert(operand, ty)
            }
        };
        frame.expressions.insert(expression, renamed);
        renamed
    }

    fn access(&mut self, frame: &mut Frame, access: Access) -> Access {
        let address = self.expression(frame, access.address);
        let base = self.expression(frame, access.base);
        Access { address, base, ..access }
    }

    /// Any operation but calls and returns.
    pub(super) fn operation(&mut self, frame: &mut Frame, operation: &Operation) -> Operation {
        match operation.clone() {
            Operation::Assume { condition, holds } => {
                Operation::Assume { condition: self.expression(frame, condition), holds }
            }
            Operation::Assign { target, value } => Operation::Assign {
                target: self.variable(frame, target),
                value: self.expression(frame, value),
            },
            Operation::Input { target, source } => {
                Operation::Input { target: self.variable(frame, target), source }
            }
            Operation::Load { target, access } => Operation::Load {
                target: self.variable(frame, target),
                access: self.access(frame, access),
            },
            Operation::Store { access, value } => Operation::Store {
                access: self.access(frame, access),
                value: self.expression(frame, value),
            },
            Operation::Copy { target, source, size, initialises } => Operation::Copy {
                initialises,
                target: self.expression(frame, target),
                source: self.expression(frame, source),
                size: self.expression(frame, size),
            },
            Operation::Fill { target, byte, size, initialises } => Operation::Fill {
                initialises,
                target: self.expression(frame, target),
                byte: self.expression(frame, byte),
                size: self.expression(frame, size),
            },
            Operation::Disjoint { left, right, size } => Operation::Disjoint {
                left: self.expression(frame, left),
                right: self.expression(frame, right),
                size: self.expression(frame, size),
            },
            // Such a block ends with its function, which is gone.
            Operation::Allocate { storage: Storage::Alloca, .. } if frame.function != self.main => {
                Operation::Unsupported { construct: "alloca in an inlined function".to_owned() }
            }
            Operation::Allocate { target, storage, size, zeroed } => Operation::Allocate {
                target: self.variable(frame, target),
                storage,
                size: self.expression(frame, size),
                zeroed,
            },
            Operation::Free { address } => {
                Operation::Free { address: self.expression(frame, address) }
            }
            Operation::BlockSize { target, address } => Operation::BlockSize {
                target: self.variable(frame, target),
                address: self.expression(frame, address),
            },
            Operation::Enter { object, size } => Operation::Enter {
                object: self.object(frame, object),
                size: size.map(|size| self.expression(frame, size)),
            },
            Operation::Leave { object } => Operation::Leave { object: self.object(frame, object) },
            Operation::Halt(Halt::Exit(status)) => {
                Operation::Halt(Halt::Exit(self.expression(frame, status)))
            }
            Operation::Halt(Halt::ImmediateExit(status)) => {
                Operation::Halt(Halt::ImmediateExit(self.expression(frame, status)))
            }
            kept @ (Operation::Halt(Halt::Abort | Halt::AssumptionFailed)
            | Operation::Skip
            | Operation::Fail(_)
            | Operation::Unsupported { .. }) => kept,
            Operation::Call { .. } | Operation::Return { .. } => {
                unreachable!("calls and returns are treated by themselves")
            }
        }
    }
}
