//! The rules for single operations: whose things they use, their types, their paths.

use crate::analysis::written_variable;
use crate::check::{Checker, Rule};
use crate::expression::{BinaryOperator, Expression, ExpressionId, sign_extend};
use crate::obligation::expressions_of;
use crate::operation::{Access, Callee, Halt, Operation, PathStep};
use crate::program::{FunctionId, ObjectId, VariableId};
use crate::types::{BitRange, ScalarType, Type};

impl Checker<'_> {
    pub(super) fn check_operation(&mut self, operation: &Operation) {
        self.own_things(operation);
        self.operand_types(operation);
        match operation {
            Operation::Enter { object, size } => self.lifetime(*object, size.is_some(), true),
            Operation::Leave { object } => self.lifetime(*object, false, false),
            Operation::Load { access, .. } | Operation::Store { access, .. } => self.access(access),
            Operation::Call { target, callee, arguments } => {
                self.call(*target, *callee, arguments);
            }
            _ => {}
        }
    }

    fn own_things(&mut self, operation: &Operation) {
        let base = match operation {
            Operation::Load { access, .. } | Operation::Store { access, .. } => Some(access.base),
            _ => None,
        };
        let mut variables: Vec<VariableId> = written_variable(operation).into_iter().collect();
        let mut objects: Vec<ObjectId> = Vec::new();
        for expression in expressions_of(operation).into_iter().chain(base) {
            self.program.expressions.visit(expression, &mut |_, node| match node {
                Expression::Variable(variable) => variables.push(variable),
                Expression::ObjectAddress(object) => objects.push(object),
                Expression::Constant { .. }
                | Expression::FunctionAddress(_)
                | Expression::Unary { .. }
                | Expression::Binary { .. }
                | Expression::Convert { .. } => {}
            });
        }
        for id in variables {
            let owner = self.program.variables[id].function;
            let is_own = owner.is_none() || owner == self.function;
            let name = &self.program.variables[id].name;
            self.require(Rule::OwnThings, is_own, || format!("the variable `{name}` is foreign"));
        }
        for id in objects {
            let object = &self.program.objects[id];
            let is_own = object.function == self.function || !self.is_local(id);
            self.require(Rule::OwnThings, is_own, || {
                format!("the object `{}` is foreign", object.name)
            });
        }
    }

    fn lifetime(&mut self, id: ObjectId, gives_size: bool, enters: bool) {
        let object = &self.program.objects[id];
        let function = self.function.map(|id| &self.program.functions[id]);
        let is_varargs = function.is_some_and(|function| function.varargs == Some(id));
        let is_own = object.function == self.function && self.is_local(id) && !is_varargs;
        self.require(Rule::Lifetimes, is_own, || {
            format!("`{}` does not come and go here", object.name)
        });
        self.require(Rule::Lifetimes, !enters || gives_size == object.size.is_none(), || {
            format!("`{}` must have one size: its own or the one given", object.name)
        });
    }

    fn has_type(&mut self, expression: ExpressionId, ty: ScalarType, what: &str) {
        let actual = self.program.expressions.type_of(expression);
        self.require(Rule::OperandTypes, actual == ty, || {
            format!("the {what} is of type {actual}, not {ty}")
        });
    }

    fn target(&mut self, target: VariableId, ty: ScalarType) {
        let variable = &self.program.variables[target];
        self.require(Rule::OperandTypes, variable.scalar == ty, || {
            format!("`{}` is of type {}, not {ty}", variable.name, variable.scalar)
        });
    }

    fn operand_types(&mut self, operation: &Operation) {
        let expressions = &self.program.expressions;
        let pointer = ScalarType::Pointer;
        let size_type = self.program.model.size_type();
        match operation {
            Operation::Assume { condition, .. } => {
                self.has_type(*condition, ScalarType::Bool, "condition");
            }
            Operation::Assign { target, value } => {
                self.target(*target, expressions.type_of(*value));
            }
            Operation::Load { target, access } => {
                self.target(*target, access.ty);
                self.has_type(access.address, pointer, "address");
                self.has_type(access.base, pointer, "base");
            }
            Operation::Store { access, value } => {
                self.initialised(access.initialises, access.address);
                self.has_type(*value, access.ty, "value");
                self.has_type(access.address, pointer, "address");
                self.has_type(access.base, pointer, "base");
            }
            Operation::Copy { target, source, size, initialises } => {
                self.initialised(*initialises, *target);
                self.has_type(*target, pointer, "target");
                self.has_type(*source, pointer, "source");
                self.has_type(*size, size_type, "size");
            }
            Operation::Disjoint { left, right, size } => {
                self.has_type(*left, pointer, "left address");
                self.has_type(*right, pointer, "right address");
                self.has_type(*size, size_type, "size");
            }
            Operation::Fill { target, byte, size, initialises } => {
                self.initialised(*initialises, *target);
                self.has_type(*target, pointer, "target");
                let ty = expressions.type_of(*byte);
                self.require(Rule::OperandTypes, ty.is_integer(), || {
                    format!("the byte is of type {ty}, no integer")
                });
                self.has_type(*size, size_type, "size");
            }
            Operation::Allocate { target, size, .. } => {
                self.target(*target, pointer);
                self.has_type(*size, size_type, "size");
            }
            Operation::Free { address } => self.has_type(*address, pointer, "address"),
            Operation::BlockSize { target, address } => {
                self.target(*target, size_type);
                self.has_type(*address, pointer, "address");
            }
            Operation::Enter { size: Some(size), .. } => self.has_type(*size, size_type, "size"),
            Operation::Return { value: Some(value) } => self.returned(*value),
            Operation::Halt(Halt::Exit(status) | Halt::ImmediateExit(status)) => {
                self.has_type(*status, ScalarType::INT, "status");
            }
            Operation::Call { callee: Callee::Indirect(callee), .. } => {
                self.has_type(*callee, pointer, "callee");
            }
            // Without a value the caller gets an arbitrary one, as where C falls off the end.
            Operation::Return { value: None }
            | Operation::Call { callee: Callee::Direct(_), .. }
            | Operation::Enter { size: None, .. }
            | Operation::Halt(Halt::Abort | Halt::AssumptionFailed)
            | Operation::Skip
            | Operation::Input { .. }
            | Operation::Leave { .. }
            | Operation::Fail(_)
            | Operation::Unsupported { .. } => {}
        }
    }

    /// Only an object of const type of the function itself has an initialiser that is a write.
    fn initialised(&mut self, initialises: bool, address: ExpressionId) {
        let (start, _) = self.start_and_offset(address);
        let object = match self.program.expressions.get(start) {
            Expression::ObjectAddress(object) => Some(object),
            _ => None,
        };
        let is_own_constant =
            object.is_some_and(|id| self.program.objects[id].is_constant && self.is_local(id));
        self.require(Rule::Lifetimes, !initialises || is_own_constant, || {
            "an initial write goes to no constant of the function".to_owned()
        });
    }

    fn returned(&mut self, value: ExpressionId) {
        let actual = self.program.expressions.type_of(value);
        let result = self.function.and_then(|id| self.program.functions[id].result);
        self.require(Rule::OperandTypes, result == Some(actual), || match result {
            Some(result) => format!("returns {actual}, not {result}"),
            None => format!("returns {actual}, not nothing"),
        });
    }

    fn access(&mut self, access: &Access) {
        let (types, model) = (&self.program.types, self.program.model);
        let path = &self.program.paths[access.path];
        let mut current = Some(path.root);
        let mut field_bits: Option<BitRange> = None;
        for &step in &path.steps {
            let after = current.and_then(|current| types.after_step(current, step));
            field_bits = match step {
                PathStep::Field { record, index } if after.is_some() => {
                    types.record(record).fields[index as usize].bits
                }
                PathStep::Field { .. } | PathStep::Element(_) => None,
            };
            current = after;
        }
        self.require(Rule::AccessPaths, current.is_some(), || {
            "the path takes a field that is not there".to_owned()
        });
        let offset = types.path_offset(path.root, &path.steps, model);
        self.require(Rule::AccessPaths, current.is_none() || offset == path.offset, || {
            format!("the path leads to {offset:?}, not {:?}", path.offset)
        });
        let distance = self.distance(access.base, access.address);
        let is_there = distance
            .zip(path.offset)
            .is_none_or(|(distance, offset)| distance == i128::from(offset));
        self.require(Rule::AccessPaths, is_there, || {
            format!("the address is {distance:?} after the base, the path {:?}", path.offset)
        });
        self.require(Rule::AccessPaths, access.bits == field_bits, || {
            "the bits are not those of the field".to_owned()
        });
        let fits = access.bits.is_none_or(|bits| {
            let width = 8 * access.ty.size(model);
            bits.offset < 8 && bits.width > 0 && u64::from(bits.width) <= width
        });
        self.require(Rule::AccessPaths, fits, || "the bits are out of the type".to_owned());
    }

    /// Bytes from one pointer to another, where only constants are added to the same start.
    fn distance(&self, base: ExpressionId, address: ExpressionId) -> Option<i128> {
        let (start, before) = self.start_and_offset(base);
        let (same, after) = self.start_and_offset(address);
        (start == same).then_some(after - before)
    }

    fn start_and_offset(&self, pointer: ExpressionId) -> (ExpressionId, i128) {
        let expressions = &self.program.expressions;
        let (mut start, mut offset) = (pointer, 0);
        while let Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } =
            expressions.get(start)
        {
            let Some(bits) = expressions.constant_bits(right) else { break };
            let width = expressions.type_of(right).value_bits(self.program.model);
            offset += sign_extend(bits, width);
            start = left;
        }
        (start, offset)
    }

    fn call(&mut self, target: Option<VariableId>, callee: Callee, arguments: &[ExpressionId]) {
        let Callee::Direct(id) = callee else { return };
        let function = &self.program.functions[id];
        self.argument_count(id, arguments.len());
        for (argument, parameter) in arguments.iter().zip(&function.parameters) {
            let parameter = &self.program.variables[*parameter];
            let actual = self.program.expressions.type_of(*argument);
            self.require(Rule::Calls, actual == parameter.scalar, || {
                format!("`{}` gets {actual}, not {}", parameter.name, parameter.scalar)
            });
        }
        if let Some(target) = target {
            let wanted = self.program.variables[target].scalar;
            self.require(Rule::Calls, function.result == Some(wanted), || {
                format!("`{}` does not give {wanted}", function.name)
            });
        }
    }

    fn argument_count(&mut self, id: FunctionId, count: usize) {
        let function = &self.program.functions[id];
        let Type::Function { parameters: declared, variadic, .. } =
            self.program.types.get(function.ty)
        else {
            return;
        };
        let is_unprototyped = declared.is_empty();
        let least = function.parameters.len();
        let has_enough = count >= least || is_unprototyped;
        let may_have_more = *variadic || is_unprototyped || function.body.is_none();
        let is_good = has_enough && (count <= least || may_have_more);
        self.require(Rule::Calls, is_good, || {
            format!("`{}` has {least} parameters and gets {count} arguments", function.name)
        });
    }
}
