//! Parameters: variables, or objects that the argument is copied into at entry.

use heapwright_program::{Object, ObjectKind, Operation, ScalarType, Type, VariableKind};
use rucc_sema::DeclId;
use rucc_types::TypeKind;

use super::function::FunctionLowering;
use super::linker::Entity;

impl FunctionLowering<'_, '_> {
    pub(crate) fn declare_parameters(&mut self, decl: &rucc_sema::Decl) {
        let TypeKind::Function(signature) = self.unit.kind(decl.ty) else {
            unreachable!("a function has a function type");
        };
        let signature = self.unit.unit.types.signature(signature).clone();
        let mut parameters = Vec::new();
        if self.unit.is_aggregate(signature.ret) {
            let ty = self.pointer_to(signature.ret);
            let kind = VariableKind::Parameter;
            let pointer = self.new_variable("result", ty, ScalarType::Pointer, kind);
            self.result_pointer = Some(pointer);
            parameters.push(pointer);
        }
        for index in 0..self.unit.unit.tast[decl.params].len() {
            let parameter = self.unit.unit.tast[decl.params][index];
            parameters.push(self.declare_parameter(parameter, signature.prototyped));
        }
        // A bound may name a parameter that comes later or changes later.
        for index in 0..self.unit.unit.tast[decl.params].len() {
            let parameter = self.unit.unit.tast[decl.params][index];
            self.evaluate_bounds(self.unit.unit.tast[parameter].ty);
        }
        if signature.variadic || !signature.prototyped {
            self.declare_varargs();
        }
        self.unit.linker.program.functions[self.function].parameters = parameters;
    }

    /// The block that a call puts its further arguments into. It belongs to no scope: the call
    /// makes it and the return ends it.
    fn declare_varargs(&mut self) {
        let program = &mut self.unit.linker.program;
        let byte = program.types.intern(Type::Scalar(ScalarType::BYTE));
        let ty = program.types.intern(Type::Array { element: byte, length: None });
        let place = program.functions[self.function].place;
        let name = self.unit.linker.local_name(self.function, "varargs");
        let object = self.unit.linker.program.objects.push(Object {
            name,
            ty,
            size: None,
            alignment: 16,
            kind: ObjectKind::Local,
            is_constant: false,
            function: Some(self.function),
            place,
        });
        self.unit.linker.program.functions[self.function].varargs = Some(object);
    }

    /// A parameter that stays a variable, or one that is copied into an object at entry.
    fn declare_parameter(
        &mut self,
        id: DeclId,
        prototyped: bool,
    ) -> heapwright_program::VariableId {
        let decl = self.unit.unit.tast[id].clone();
        let name = match self.unit.name(&decl) {
            "" => "parameter",
            name => name,
        };
        self.set_place(self.unit.unit.tast.decl_span(id));
        let Some(scalar) = self.unit.scalar(decl.ty) else {
            // A struct comes as a pointer to the caller's; the callee works on a copy.
            let object = self.new_object_of(name, decl.ty, &decl);
            let ty = self.pointer_to(decl.ty);
            let argument = format!("{name}.argument");
            let kind = VariableKind::Parameter;
            let parameter = self.new_variable(&argument, ty, ScalarType::Pointer, kind);
            let (target, source) = (self.object_address(object), self.variable(parameter));
            let size = self.dynamic_size(decl.ty);
            let initialises = self.initial_place(object).initialises;
            self.emit(Operation::Copy { target, source, size, initialises });
            self.locals.insert(id, Entity::Object(object));
            return parameter;
        };
        let ty = self.unit.ty(decl.ty);
        let passed = if prototyped { scalar } else { promoted(scalar) };
        let in_memory = self.unit.taken.contains(&id);
        if !in_memory && passed == scalar {
            let parameter = self.new_variable(name, ty, scalar, VariableKind::Parameter);
            self.locals.insert(id, Entity::Variable(parameter));
            return parameter;
        }
        let passed_type =
            if passed == scalar { ty } else { self.unit.linker.program.types.of_scalar(passed) };
        let argument = format!("{name}.argument");
        let parameter = self.new_variable(&argument, passed_type, passed, VariableKind::Parameter);
        let value = self.variable(parameter);
        let value = self.convert(value, scalar);
        if in_memory {
            let object = self.new_object_of(name, decl.ty, &decl);
            self.locals.insert(id, Entity::Object(object));
            let place = self.initial_place(object);
            self.store(&place, scalar, value);
        } else {
            let variable = self.new_variable(name, ty, scalar, VariableKind::Local);
            self.locals.insert(id, Entity::Variable(variable));
            self.emit(Operation::Assign { target: variable, value });
        }
        parameter
    }

    pub(crate) fn new_object_of(
        &mut self,
        name: &str,
        ty: rucc_types::TypeId,
        decl: &rucc_sema::Decl,
    ) -> heapwright_program::ObjectId {
        let size = self.unit.size_of(ty).unwrap_or(0);
        let alignment = self.unit.alignment_of(ty).max(decl.alignment.map_or(1, u64::from));
        let object = self.new_object(name, ty, Some(size), alignment);
        self.unit.linker.program.objects[object].is_constant = self.unit.is_constant(decl.ty);
        object
    }
}

/// What an argument of this type becomes in a call without a prototype.
fn promoted(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::Bool => ScalarType::INT,
        ScalarType::Integer { width, .. } if width < 32 => ScalarType::INT,
        ScalarType::Float(heapwright_program::FloatFormat::Single) => {
            ScalarType::Float(heapwright_program::FloatFormat::Double)
        }
        ScalarType::Integer { .. } | ScalarType::Float(_) | ScalarType::Pointer => scalar,
    }
}
