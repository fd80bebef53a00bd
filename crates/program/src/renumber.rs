//! Renumbering: the pools of types, expressions and field paths in the order of first use.
//!
//! Those three pools are interned, so the order of their ids says only who came first while the
//! program was made. Walking the program in the order of its text gives every pool a canonical
//! order, drops what nothing uses, and merges equal paths; then programs compare as values.

use rustc_hash::FxHashMap;

use crate::expression::{Expression, ExpressionId};
use crate::operation::{Access, Callee, FieldPath, Halt, Operation, PathId};
use crate::program::{Function, FunctionId, Program, Variable, VariableKind};
use crate::text::{has_derived_type, result_type};
use crate::types::{Record, Type, TypeId};

impl Program {
    /// The same program with its pools in the order in which its text uses them.
    #[must_use]
    pub fn renumbered(&self) -> Program {
        Renumbering::new(self).run()
    }

    /// Equality but for the order of the interned pools, for what no one uses in them, and for
    /// repeated field paths.
    #[must_use]
    pub fn is_same_as(&self, other: &Program) -> bool {
        self.renumbered() == other.renumbered()
    }
}

struct Renumbering<'a> {
    old: &'a Program,
    new: Program,
    types: FxHashMap<TypeId, TypeId>,
    expressions: FxHashMap<ExpressionId, ExpressionId>,
    paths: FxHashMap<FieldPath, PathId>,
}

impl<'a> Renumbering<'a> {
    fn new(old: &'a Program) -> Renumbering<'a> {
        Renumbering {
            old,
            new: Program {
                model: old.model,
                signed_overflow: old.signed_overflow,
                files: old.files.clone(),
                ..Program::default()
            },
            types: FxHashMap::default(),
            expressions: FxHashMap::default(),
            paths: FxHashMap::default(),
        }
    }

    /// In the order of [`parse`](crate::text::parse): all that declares, then all that refers.
    fn run(mut self) -> Program {
        for (_, record) in self.old.types.records() {
            let mut record: Record = record.clone();
            for field in &mut record.fields {
                field.ty = self.ty(field.ty);
            }
            self.new.types.add_record(record);
        }
        self.new.variables = self.old.variables.clone();
        self.new.objects = self.old.objects.clone();
        self.new.functions = self.old.functions.clone();
        let owned = self.declarations_by_function();
        self.declarations(&owned, None);
        for (id, function) in self.old.functions.enumerated() {
            self.head_types(function);
            self.declarations(&owned, Some(id));
        }
        for (id, function) in self.old.functions.enumerated() {
            self.new.functions[id].ty = self.ty(function.ty);
        }
        self.initial_values(&owned);
        for id in self.old.functions.ids() {
            self.body(id);
        }
        self.new
    }

    fn declarations_by_function(&self) -> Owned {
        let mut owned = Owned::default();
        for (id, variable) in self.old.variables.enumerated() {
            owned.variables.entry(variable.function).or_default().push(id);
        }
        for (id, object) in self.old.objects.enumerated() {
            owned.objects.entry(object.function).or_default().push(id);
        }
        owned
    }

    fn declarations(&mut self, owned: &Owned, function: Option<FunctionId>) {
        for &id in owned.variables.get(&function).into_iter().flatten() {
            self.new.variables[id].ty = self.ty(self.old.variables[id].ty);
        }
        for &id in owned.objects.get(&function).into_iter().flatten() {
            self.new.objects[id].ty = self.ty(self.old.objects[id].ty);
        }
    }

    fn head_types(&mut self, function: &Function) {
        if let Some(result) = result_type(self.old, function) {
            self.ty(result);
        }
        if !has_derived_type(self.old, function) {
            self.ty(function.ty);
        }
    }

    fn initial_values(&mut self, owned: &Owned) {
        let functions = std::iter::once(None).chain(self.old.functions.ids().map(Some));
        for function in functions {
            for &id in owned.variables.get(&function).into_iter().flatten() {
                let Variable { kind, .. } = &self.old.variables[id];
                if let VariableKind::Global { initial } = *kind {
                    let initial = self.expression(initial);
                    self.new.variables[id].kind = VariableKind::Global { initial };
                }
            }
        }
    }

    fn body(&mut self, function: FunctionId) {
        let Some(mut body) = self.old.functions[function].body.clone() else { return };
        for edge in body.edges.iter_mut() {
            edge.operation = self.operation(&edge.operation);
        }
        self.new.functions[function].body = Some(body);
    }

    /// Parts before the whole, as interning demands.
    fn ty(&mut self, old: TypeId) -> TypeId {
        if let Some(&new) = self.types.get(&old) {
            return new;
        }
        let ty = match self.old.types.get(old) {
            Type::Pointer(target) => Type::Pointer(self.ty(*target)),
            Type::Array { element, length } => {
                Type::Array { element: self.ty(*element), length: *length }
            }
            Type::Function { result, parameters, variadic } => Type::Function {
                result: self.ty(*result),
                parameters: parameters.iter().map(|parameter| self.ty(*parameter)).collect(),
                variadic: *variadic,
            },
            ty @ (Type::Void | Type::Scalar(_) | Type::Record(_) | Type::Opaque(_)) => ty.clone(),
        };
        let new = self.new.types.intern(ty);
        self.types.insert(old, new);
        new
    }

    fn expression(&mut self, old: ExpressionId) -> ExpressionId {
        if let Some(&new) = self.expressions.get(&old) {
            return new;
        }
        let (model, ty) = (self.old.model, self.old.expressions.type_of(old));
        let new = match self.old.expressions.get(old) {
            Expression::Constant { ty, bits } => self.new.expressions.constant(ty, bits, model),
            Expression::Variable(variable) => self.new.expressions.variable(variable, ty),
            Expression::ObjectAddress(object) => self.new.expressions.object_address(object),
            Expression::FunctionAddress(function) => {
                self.new.expressions.function_address(function)
            }
            Expression::Unary { operator, operand } => {
                let operand = self.expression(operand);
                self.new.expressions.unary(operator, operand)
            }
            Expression::Binary { operator, left, right } => {
                let left = self.expression(left);
                let right = self.expression(right);
                self.new.expressions.binary(operator, left, right, model)
            }
            Expression::Convert { operand, ty } => {
                let operand = self.expression(operand);
                self.new.expressions.convert(operand, ty)
            }
        };
        self.expressions.insert(old, new);
        new
    }

    fn access(&mut self, access: &Access) -> Access {
        let address = self.expression(access.address);
        let mut path = self.old.paths[access.path].clone();
        path.root = self.ty(path.root);
        let base = self.expression(access.base);
        let path = match self.paths.get(&path) {
            Some(&id) => id,
            None => {
                let id = self.new.paths.push(path.clone());
                self.paths.insert(path, id);
                id
            }
        };
        Access { address, base, path, ..*access }
    }

    /// Maps ids in the order in which the text has them, left to right.
    fn operation(&mut self, operation: &Operation) -> Operation {
        match operation {
            Operation::Load { target, access } => {
                Operation::Load { target: *target, access: self.access(access) }
            }
            Operation::Store { access, value } => {
                Operation::Store { access: self.access(access), value: self.expression(*value) }
            }
            other => other.with_expressions(&mut |expression| self.expression(expression)),
        }
    }
}

/// Variables and objects by the function that declares them.
#[derive(Default)]
struct Owned {
    variables: FxHashMap<Option<FunctionId>, Vec<crate::program::VariableId>>,
    objects: FxHashMap<Option<FunctionId>, Vec<crate::program::ObjectId>>,
}

impl Operation {
    /// The same operation with every expression replaced, in the order of
    /// [`expressions_of`](crate::expressions_of); an access's base comes after its address.
    #[must_use]
    pub fn with_expressions(
        &self,
        replace: &mut impl FnMut(ExpressionId) -> ExpressionId,
    ) -> Operation {
        let mut operation = self.clone();
        match &mut operation {
            Operation::Assume { condition: only, .. }
            | Operation::Assign { value: only, .. }
            | Operation::Allocate { size: only, .. }
            | Operation::Free { address: only }
            | Operation::BlockSize { address: only, .. }
            | Operation::Enter { size: Some(only), .. }
            | Operation::Return { value: Some(only) }
            | Operation::Halt(Halt::Exit(only) | Halt::ImmediateExit(only)) => {
                *only = replace(*only);
            }
            Operation::Load { access, .. } => replace_in_access(access, replace),
            Operation::Store { access, value } => {
                replace_in_access(access, replace);
                *value = replace(*value);
            }
            Operation::Copy { target: first, source: second, size: third, .. }
            | Operation::Fill { target: first, byte: second, size: third, .. }
            | Operation::Disjoint { left: first, right: second, size: third } => {
                for part in [first, second, third] {
                    *part = replace(*part);
                }
            }
            Operation::Call { callee, arguments, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    *pointer = replace(*pointer);
                }
                for argument in arguments {
                    *argument = replace(*argument);
                }
            }
            Operation::Skip
            | Operation::Input { .. }
            | Operation::Enter { size: None, .. }
            | Operation::Leave { .. }
            | Operation::Return { value: None }
            | Operation::Halt(Halt::Abort | Halt::AssumptionFailed)
            | Operation::Fail(_)
            | Operation::Unsupported { .. } => {}
        }
        operation
    }
}

fn replace_in_access(access: &mut Access, replace: &mut impl FnMut(ExpressionId) -> ExpressionId) {
    access.address = replace(access.address);
    access.base = replace(access.base);
}
