//! The first rule: every id names a thing in its table.

use heapwright_base::DenseId;

use crate::check::{Checker, Rule};
use crate::expression::{Expression, ExpressionId};
use crate::obligation::expressions_of;
use crate::operation::{Access, Callee, Operation, PathStep};
use crate::program::{AddressTarget, Body, Function, ObjectKind, Place, VariableKind};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn check_ids(&mut self) {
        self.type_ids();
        self.expression_ids();
        self.declaration_ids();
        for path in &self.program.paths {
            self.type_id(path.root);
            for step in &path.steps {
                if let PathStep::Field { record, .. } = step {
                    self.id(*record, self.record_count);
                }
            }
        }
        for (id, function) in self.program.functions.enumerated() {
            self.function = Some(id);
            self.function_ids(function);
        }
        self.function = None;
    }

    fn id<I: DenseId>(&mut self, id: I, count: usize) {
        self.require(Rule::KnownIds, id.index() < count, || format!("there is no {id:?}"));
    }

    fn type_id(&mut self, id: TypeId) {
        self.id(id, self.type_count);
    }

    fn place(&mut self, place: Place) {
        // "Nowhere in particular" need not be in a file.
        if place.line != 0 {
            self.id(place.file, self.program.files.len());
        }
    }

    fn type_ids(&mut self) {
        let types = &self.program.types;
        for (_, ty) in types.types() {
            match ty {
                Type::Pointer(part) | Type::Array { element: part, .. } => self.type_id(*part),
                Type::Record(record) => self.id(*record, self.record_count),
                Type::Function { result, parameters, .. } => {
                    self.type_id(*result);
                    parameters.iter().for_each(|part| self.type_id(*part));
                }
                Type::Void | Type::Scalar(_) | Type::Opaque(_) => {}
            }
        }
        for (_, record) in types.records() {
            record.fields.iter().for_each(|field| self.type_id(field.ty));
        }
    }

    fn expression_ids(&mut self) {
        for id in self.program.expressions.ids() {
            match self.program.expressions.get(id) {
                Expression::Variable(variable) => self.id(variable, self.program.variables.len()),
                Expression::ObjectAddress(object) => self.id(object, self.program.objects.len()),
                Expression::FunctionAddress(function) => {
                    self.id(function, self.program.functions.len());
                }
                // The pool makes operands before operators, so they are there.
                Expression::Constant { .. }
                | Expression::Unary { .. }
                | Expression::Binary { .. }
                | Expression::Convert { .. } => {}
            }
        }
    }

    fn declaration_ids(&mut self) {
        for variable in &self.program.variables {
            self.type_id(variable.ty);
            self.place(variable.place);
            if let VariableKind::Global { initial } = variable.kind {
                self.expression_id(initial);
            }
            variable.function.iter().for_each(|id| self.id(*id, self.program.functions.len()));
        }
        for object in &self.program.objects {
            self.type_id(object.ty);
            self.place(object.place);
            object.function.iter().for_each(|id| self.id(*id, self.program.functions.len()));
            let ObjectKind::Static { addresses, .. } = &object.kind else { continue };
            for address in addresses {
                match address.target {
                    AddressTarget::Object(id) => self.id(id, self.program.objects.len()),
                    AddressTarget::Function(id) => self.id(id, self.program.functions.len()),
                }
            }
        }
    }

    fn expression_id(&mut self, id: ExpressionId) {
        self.id(id, self.program.expressions.len());
    }

    fn function_ids(&mut self, function: &Function) {
        self.type_id(function.ty);
        self.place(function.place);
        for parameter in &function.parameters {
            self.id(*parameter, self.program.variables.len());
        }
        if let Some(object) = function.varargs {
            self.id(object, self.program.objects.len());
        }
        if let Some(body) = &function.body {
            self.body_ids(body);
        }
    }

    fn body_ids(&mut self, body: &Body) {
        self.id(body.entry, body.location_count);
        self.id(body.exit, body.location_count);
        for (id, edge) in body.edges.enumerated() {
            self.edge = Some(id);
            self.id(edge.source, body.location_count);
            self.id(edge.target, body.location_count);
            self.place(edge.place);
            self.operation_ids(&edge.operation);
        }
        self.edge = None;
    }

    fn operation_ids(&mut self, operation: &Operation) {
        for expression in expressions_of(operation) {
            self.expression_id(expression);
        }
        if let Some(variable) = crate::analysis::written_variable(operation) {
            self.id(variable, self.program.variables.len());
        }
        match operation {
            Operation::Load { access, .. } | Operation::Store { access, .. } => {
                let Access { base, path, .. } = access;
                self.expression_id(*base);
                self.id(*path, self.program.paths.len());
            }
            Operation::Enter { object, .. } | Operation::Leave { object } => {
                self.id(*object, self.program.objects.len());
            }
            Operation::Call { callee: Callee::Direct(function), .. } => {
                self.id(*function, self.program.functions.len());
            }
            _ => {}
        }
    }
}
