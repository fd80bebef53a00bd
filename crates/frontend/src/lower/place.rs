//! Lvalues: which variable or which bytes of memory an expression designates, and how C named them.

use heapwright_program::{
    Access, BinaryOperator, BitRange, ExpressionId, FieldPath, InputSource, ObjectId, Operation,
    PathStep, Program, ScalarType, Type, TypeId, VOLATILE, VariableId,
};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, ExprId, ExprKind};
use rucc_types::TypeKind;

use super::function::FunctionLowering;
use super::linker::Entity;
use super::types::kept_fields;
use super::unit::UnitLowering;
use super::value::Value;

/// A part of memory, with the pointer that C started from and the path from there.
#[derive(Clone, Debug)]
pub(crate) struct MemoryPlace {
    pub(crate) address: ExpressionId,
    base: ExpressionId,
    root: TypeId,
    steps: Vec<PathStep>,
    offset: Option<u64>,
    pub(crate) bits: Option<BitRange>,
    /// What is written here is the first value of a constant.
    pub(crate) initialises: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum LvaluePlace {
    Variable(VariableId),
    Memory(MemoryPlace),
}

impl FunctionLowering<'_, '_> {
    /// What an lvalue (or an aggregate in memory) designates.
    pub(crate) fn lvalue(&mut self, expression: ExprId) -> LvaluePlace {
        let before = self.set_place(self.unit.unit.tast.expr_span(expression));
        let place = self.lvalue_here(expression);
        self.restore_place(before);
        place
    }

    fn lvalue_here(&mut self, id: ExprId) -> LvaluePlace {
        let expression = self.unit.unit.tast[id];
        match expression.kind {
            ExprKind::Decl(decl) => self.declared(decl),
            ExprKind::Str(string) => {
                let object = self.unit.string(string);
                LvaluePlace::Memory(self.object_place(object))
            }
            ExprKind::CompoundLiteral(decl) => self.compound_literal(decl),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let pointer = self.scalar_value(operand);
                LvaluePlace::Memory(self.pointed_place(pointer, expression.ty))
            }
            ExprKind::Unary { op: UnaryOp::Real, operand } => self.lvalue(operand),
            ExprKind::Subscript { base, index } => self.element(base, index, expression.ty),
            ExprKind::Member { base, field } => self.member(base, field, expression.ty),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.lvalue(rhs)
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.lvalue(operand),
            // A struct that a call, an assignment or a conditional gives.
            _ => match self.value(id) {
                Value::Aggregate(address) => {
                    LvaluePlace::Memory(self.pointed_place(address, expression.ty))
                }
                Value::Scalar(value) => {
                    let kept = self.temporary_of(value);
                    LvaluePlace::Variable(kept)
                }
                Value::Nothing => {
                    self.unsupported("an lvalue of this form");
                    let null = self.constant(ScalarType::Pointer, 0);
                    LvaluePlace::Memory(self.pointed_place(null, expression.ty))
                }
            },
        }
    }

    fn temporary_of(&mut self, value: ExpressionId) -> VariableId {
        let scalar = self.type_of(value);
        let target = self.temporary(scalar);
        self.emit(Operation::Assign { target, value });
        target
    }

    fn declared(&mut self, decl: DeclId) -> LvaluePlace {
        let is_static = UnitLowering::is_static(&self.unit.unit.tast[decl]);
        let entity = match self.locals.get(&decl) {
            Some(&entity) => entity,
            None if is_static => self.unit.static_entity(decl),
            // Control can enter a block behind a declaration; the object is there all the same.
            None => self.declare_late(decl),
        };
        match entity {
            Entity::Variable(variable) => LvaluePlace::Variable(variable),
            Entity::Object(object) => LvaluePlace::Memory(self.object_place(object)),
        }
    }

    /// A local that is used before its declaration was lowered (a `sizeof` bound, a `goto`).
    fn declare_late(&mut self, id: DeclId) -> Entity {
        let decl = self.unit.unit.tast[id].clone();
        let name = match self.unit.name(&decl) {
            "" => "literal",
            name => name,
        };
        let entity = match self.unit.scalar(decl.ty) {
            Some(scalar) if !self.unit.taken.contains(&id) => {
                let ty = self.unit.ty(decl.ty);
                let kind = heapwright_program::VariableKind::Local;
                Entity::Variable(self.new_variable(name, ty, scalar, kind))
            }
            Some(_) | None => Entity::Object(self.new_object_of(name, decl.ty, &decl)),
        };
        self.locals.insert(id, entity);
        entity
    }

    fn compound_literal(&mut self, id: DeclId) -> LvaluePlace {
        let decl = self.unit.unit.tast[id].clone();
        if UnitLowering::is_static(&decl) {
            return self.declared(id);
        }
        let entity = match self.locals.get(&id) {
            Some(&entity) => entity,
            None => self.declare_late(id),
        };
        match entity {
            Entity::Variable(variable) => self.initialise_variable(variable, &decl),
            Entity::Object(object) => self.initialise_object(object, &decl),
        }
        self.declared(id)
    }

    pub(crate) fn object_place(&mut self, object: ObjectId) -> MemoryPlace {
        let address = self.object_address(object);
        let root = self.unit.linker.program.objects[object].ty;
        self.whole_place(address, root)
    }

    /// An object that is about to get its first value.
    pub(crate) fn initial_place(&mut self, object: ObjectId) -> MemoryPlace {
        let initialises = self.unit.linker.program.objects[object].is_constant;
        MemoryPlace { initialises, ..self.object_place(object) }
    }

    /// A scalar of an object, `offset` bytes in, that an initialiser names by its position only.
    pub(crate) fn part(
        &mut self,
        object: &MemoryPlace,
        offset: u64,
        bits: Option<BitRange>,
        ty: rucc_types::TypeId,
    ) -> MemoryPlace {
        let address = self.offset_pointer(object.address, i128::from(offset));
        let wanted = Part { ty: self.unit.ty(ty), offset, bits };
        match steps_to(&self.unit.linker.program, object.root, wanted) {
            Some(steps) => {
                MemoryPlace { address, steps, offset: Some(offset), bits, ..object.clone() }
            }
            None => {
                if bits.is_some() {
                    self.unsupported("a bit-field that its record does not have");
                }
                let initialises = object.initialises;
                MemoryPlace { initialises, ..self.pointed_place(address, ty) }
            }
        }
    }

    /// What a pointer to an object of type `ty` points to.
    pub(crate) fn pointed_place(
        &mut self,
        pointer: ExpressionId,
        ty: rucc_types::TypeId,
    ) -> MemoryPlace {
        let root = self.unit.ty(ty);
        self.whole_place(pointer, root)
    }

    pub(crate) fn whole_place(&self, address: ExpressionId, root: TypeId) -> MemoryPlace {
        MemoryPlace {
            address,
            base: address,
            root,
            steps: Vec::new(),
            offset: Some(0),
            bits: None,
            initialises: false,
        }
    }

    /// Makes sure that later edges move neither a place nor the base that it is reached from.
    pub(crate) fn keep_memory(&mut self, place: &mut MemoryPlace) {
        let base = self.stable(place.base);
        let plain = place.offset.map(i128::from);
        let is_plain =
            plain.is_some_and(|offset| self.offset_pointer(place.base, offset) == place.address);
        place.address = match plain {
            Some(offset) if is_plain => self.offset_pointer(base, offset),
            Some(_) | None => self.stable(place.address),
        };
        place.base = base;
    }

    fn element(&mut self, base: ExprId, index: ExprId, ty: rucc_types::TypeId) -> LvaluePlace {
        // An element of an array that is itself named keeps its path.
        if let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } =
            self.unit.unit.tast[base].kind
        {
            let LvaluePlace::Memory(mut array) = self.lvalue(operand) else {
                unreachable!("an array lives in memory");
            };
            if self.has_effects(index) {
                self.keep_memory(&mut array);
            }
            let index = self.scalar_value(index);
            let known = self.integer(index).and_then(|index| u64::try_from(index).ok());
            let bytes = self.scaled(index, ty);
            array.steps.push(PathStep::Element(known));
            let moved = match known {
                // Whatever the size of an element is.
                Some(0) => Some(0),
                _ => self.integer(bytes).and_then(|bytes| u64::try_from(bytes).ok()),
            };
            array.offset = array.offset.zip(moved).and_then(|(a, b)| a.checked_add(b));
            array.address = self.binary(BinaryOperator::OffsetPointer, array.address, bytes);
            return LvaluePlace::Memory(array);
        }
        // GNU's vectors are subscripted without becoming pointers first.
        let is_vector = matches!(self.unit.kind(self.c_type(base)), TypeKind::Vector { .. });
        let mut pointer = if is_vector { self.address_of(base) } else { self.scalar_value(base) };
        if self.has_effects(index) {
            pointer = self.stable(pointer);
        }
        let index = self.scalar_value(index);
        let bytes = self.scaled(index, ty);
        let address = self.binary(BinaryOperator::OffsetPointer, pointer, bytes);
        LvaluePlace::Memory(self.pointed_place(address, ty))
    }

    /// An index times the size of an element, in bytes.
    pub(crate) fn scaled(&mut self, index: ExpressionId, ty: rucc_types::TypeId) -> ExpressionId {
        let offset_type = self.unit.model().offset_type();
        let index = self.convert(index, offset_type);
        let size = match self.unit.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => self.size_constant(1),
            _ => self.dynamic_size(ty),
        };
        let size = self.convert(size, offset_type);
        self.binary(BinaryOperator::Multiply, index, size)
    }

    fn member(&mut self, base: ExprId, field: u32, ty: rucc_types::TypeId) -> LvaluePlace {
        let TypeKind::Record(record) = self.unit.kind(self.unit.unit.tast[base].ty) else {
            unreachable!("a member belongs to a record");
        };
        let LvaluePlace::Memory(mut place) = self.lvalue(base) else {
            unreachable!("a record lives in memory");
        };
        let info = self.unit.unit.types.record_info(record);
        if info.reverse || info.variable.is_some() {
            self.unsupported("a struct of reversed byte order or variable layout");
            return LvaluePlace::Memory(self.pointed_place(place.address, ty));
        }
        let field = kept_fields(info)[field as usize];
        let record = self.unit.record(record);
        let Some(field) = field else {
            unreachable!("an unnamed bit-field cannot be accessed");
        };
        let field_info = &self.unit.linker.program.types.record(record).fields[field as usize];
        let (offset, bits) = (field_info.offset, field_info.bits);
        place.steps.push(PathStep::Field { record, index: field });
        place.offset = place.offset.and_then(|before| before.checked_add(offset));
        place.address = self.offset_pointer(place.address, i128::from(offset));
        place.bits = bits;
        LvaluePlace::Memory(place)
    }

    fn access(&mut self, place: &MemoryPlace, ty: ScalarType) -> Access {
        let path = self.unit.linker.path(FieldPath {
            root: place.root,
            steps: place.steps.clone(),
            offset: place.offset,
        });
        let MemoryPlace { address, base, bits, initialises, .. } = *place;
        Access { address, ty, bits, base, path, initialises }
    }

    /// Reads a scalar of C type `ty`.
    pub(crate) fn read(&mut self, place: &LvaluePlace, ty: rucc_types::TypeId) -> ExpressionId {
        let stored = self.stored(place, ty);
        if self.unit.is_volatile(ty) { self.changed(stored, ty) } else { stored }
    }

    fn stored(&mut self, place: &LvaluePlace, ty: rucc_types::TypeId) -> ExpressionId {
        match place {
            LvaluePlace::Variable(variable) => self.variable(*variable),
            LvaluePlace::Memory(memory) => {
                let scalar = self.unit.scalar(ty).expect("a scalar");
                let access = self.access(memory, scalar);
                debug_assert!(!access.initialises, "a read");
                let target = self.typed_temporary(ty);
                self.emit(Operation::Load { target, access });
                self.variable(target)
            }
        }
    }

    /// What a read of a volatile object gives: what was stored, or anything else.
    fn changed(&mut self, stored: ExpressionId, ty: rucc_types::TypeId) -> ExpressionId {
        let source = InputSource::Nondeterministic(VOLATILE.to_owned());
        let value = self.typed_temporary(ty);
        self.emit(Operation::Assign { target: value, value: stored });
        let has_changed = self.temporary(ScalarType::Bool);
        self.emit(Operation::Input { target: has_changed, source: source.clone() });
        let (other, end) = (self.new_location(), self.new_target());
        let condition = self.variable(has_changed);
        self.emit_branch(condition, other, end.location);
        self.continue_at(other);
        self.emit(Operation::Input { target: value, source });
        self.jump_to(end);
        self.continue_at(end.location);
        self.variable(value)
    }

    /// Reads a scalar that no C type describes.
    pub(crate) fn load(&mut self, place: &MemoryPlace, scalar: ScalarType) -> ExpressionId {
        let access = self.access(place, scalar);
        let target = self.temporary(scalar);
        self.emit(Operation::Load { target, access });
        self.variable(target)
    }

    /// Writes a scalar.
    pub(crate) fn write(&mut self, place: &LvaluePlace, scalar: ScalarType, value: ExpressionId) {
        match place {
            LvaluePlace::Variable(variable) => self.assign(*variable, value),
            LvaluePlace::Memory(memory) => self.store(memory, scalar, value),
        }
    }

    pub(crate) fn store(&mut self, place: &MemoryPlace, scalar: ScalarType, value: ExpressionId) {
        let access = self.access(place, scalar);
        self.emit(Operation::Store { access, value });
    }

    /// `variable = value;`. Where the edge before just computed `value` into a temporary, that
    /// edge writes the variable instead.
    pub(crate) fn assign(&mut self, target: VariableId, value: ExpressionId) {
        use heapwright_program::{Expression, VariableKind};
        let program = &self.unit.linker.program;
        if let Expression::Variable(source) = program.expressions.get(value)
            && program.variables[source].kind == VariableKind::Temporary
            && program.variables[source].scalar == program.variables[target].scalar
            && let Some(operation) = self.last_operation()
            && retarget(operation, source, target)
        {
            return;
        }
        self.emit(Operation::Assign { target, value });
    }
}

/// A scalar within something larger.
#[derive(Clone, Copy)]
struct Part {
    ty: TypeId,
    offset: u64,
    bits: Option<BitRange>,
}

/// The path from a type to a scalar in it. A union is searched for the first member that has one.
fn steps_to(program: &Program, root: TypeId, wanted: Part) -> Option<Vec<PathStep>> {
    let types = &program.types;
    let (step, ty, offset) = match types.get(root) {
        Type::Array { element, length } => {
            let size = types.size(*element, program.model).filter(|&size| size > 0)?;
            let index = wanted.offset / size;
            if length.is_some_and(|length| index >= length) {
                return None;
            }
            (PathStep::Element(Some(index)), *element, wanted.offset % size)
        }
        Type::Record(record) => {
            let fields = types.record(*record).fields.iter().zip(0..);
            return fields.filter(|(field, _)| field.offset <= wanted.offset).find_map(
                |(field, index)| {
                    let step = PathStep::Field { record: *record, index };
                    let offset = wanted.offset - field.offset;
                    if field.bits.is_some() {
                        let is_it = field.bits == wanted.bits && offset == 0;
                        return is_it.then(|| vec![step]);
                    }
                    let behind = steps_to(program, field.ty, Part { offset, ..wanted })?;
                    Some([vec![step], behind].concat())
                },
            );
        }
        Type::Void
        | Type::Scalar(_)
        | Type::Pointer(_)
        | Type::Function { .. }
        | Type::Opaque(_) => {
            let is_it = root == wanted.ty && wanted.offset == 0 && wanted.bits.is_none();
            return is_it.then(Vec::new);
        }
    };
    let behind = steps_to(program, ty, Part { offset, ..wanted })?;
    Some([vec![step], behind].concat())
}

/// Makes an operation that writes `from` write `to`.
fn retarget(operation: &mut Operation, from: VariableId, to: VariableId) -> bool {
    let slot = match operation {
        Operation::Assign { target, .. }
        | Operation::Input { target, .. }
        | Operation::Load { target, .. }
        | Operation::Allocate { target, .. }
        | Operation::BlockSize { target, .. }
        | Operation::Call { target: Some(target), .. } => target,
        Operation::Call { target: None, .. }
        | Operation::Skip
        | Operation::Assume { .. }
        | Operation::Store { .. }
        | Operation::Copy { .. }
        | Operation::Fill { .. }
        | Operation::Disjoint { .. }
        | Operation::Free { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => return false,
    };
    if *slot == from {
        *slot = to;
        return true;
    }
    false
}
