//! Random well-formed programs, small and odd: names that need quotes, constants of every kind,
//! variables and objects declared out of order.

mod expression;
mod random;

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{
    Access, AddressTarget, BinaryOperator, BitRange, Body, Callee, DataModel, Edge, Failure, Field,
    FieldPath, FileId, FloatFormat, Function, FunctionId, Halt, InitialAddress, InputSource,
    LocationId, Object, ObjectId, ObjectKind, Operation, PathStep, Place, Program, Record,
    RecordId, RecordKind, ScalarType, SourceFile, Storage, Type, TypeId, Variable, VariableId,
    VariableKind,
};

pub(crate) use self::random::Random;

pub(crate) const SCALARS: [ScalarType; 11] = [
    ScalarType::Bool,
    ScalarType::INT,
    ScalarType::UNSIGNED,
    ScalarType::BYTE,
    ScalarType::Integer { signed: true, width: 64 },
    ScalarType::Integer { signed: false, width: 128 },
    ScalarType::Float(FloatFormat::Single),
    ScalarType::Float(FloatFormat::Double),
    ScalarType::Float(FloatFormat::Extended),
    ScalarType::Float(FloatFormat::Quadruple),
    ScalarType::Pointer,
];
const NAMES: [&str; 12] =
    ["x", "y", "t.1", "odd name", "load", "i32", "L3", "null", "a`b\\", "ünï", "free", "$v"];

pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) program: Program,
    serial: usize,
}

impl Generator {
    pub(crate) fn program(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let model = random.pick(&[DataModel::Ilp32, DataModel::Lp64]);
        let mut generator = Generator { random, program: Program::new(model), serial: 0 };
        generator.build();
        generator.program
    }

    fn build(&mut self) {
        for index in 0..2 {
            let name = format!("f\"{index}.c");
            self.program.files.push(SourceFile { name, is_model: index == 1 });
        }
        // Junk in the pools must not matter.
        self.program.types.intern(Type::Opaque("junk".to_owned()));
        self.program.expressions.constant(ScalarType::INT, 77, self.program.model);
        for _ in 0..self.random.below(3) {
            self.record();
        }
        let functions = 1 + self.random.below(3);
        for _ in 0..functions {
            self.function_head();
        }
        for _ in 0..self.random.below(14) {
            self.declaration(functions);
        }
        for index in 0..functions {
            self.signature(FunctionId::from_index(index));
        }
        for index in 0..functions {
            if self.random.below(5) > 0 {
                self.body(FunctionId::from_index(index));
            }
        }
    }

    fn name(&mut self) -> String {
        self.serial += 1;
        let name = self.random.pick(&NAMES);
        // A name may be used again elsewhere, so that scopes matter.
        if self.random.below(3) == 0 { format!("{name}{}", self.serial) } else { name.to_owned() }
    }

    fn place(&mut self) -> Place {
        let file = FileId::from_index(self.random.below(2));
        let line = self.random.below(3) as u32;
        Place { file, line, column: self.random.below(4) as u32 }
    }

    fn record(&mut self) {
        let ty = self.any_type();
        let int = self.program.types.of_scalar(ScalarType::UNSIGNED);
        let kind = self.random.pick(&[RecordKind::Struct, RecordKind::Union]);
        let size = self.program.types.size(ty, self.program.model).unwrap_or(0);
        let second = if kind == RecordKind::Struct { size } else { 0 };
        let bits = [None, Some(BitRange { offset: 3, width: 7 })];
        let bits = self.random.pick(&bits);
        let names = ["", "field", "a.b"];
        let fields = vec![
            Field { name: self.random.pick(&names).to_owned(), ty, offset: 0, bits: None },
            Field { name: self.random.pick(&names).to_owned(), ty: int, offset: second, bits },
        ];
        let name = format!("r {}", self.program.types.records().count());
        let size = (second + 4).max(size);
        let record = Record { name, kind, is_complete: true, size, alignment: 1, fields };
        self.program.types.add_record(record);
    }

    fn any_type(&mut self) -> TypeId {
        let scalar = self.random.pick(&SCALARS);
        let base = self.program.types.of_scalar(scalar);
        let records = self.program.types.records().count();
        match self.random.below(7) {
            0 => self.program.types.intern(Type::Pointer(base)),
            1 => {
                let length = self.random.pick(&[None, Some(3)]);
                self.program.types.intern(Type::Array { element: base, length })
            }
            2 if records > 0 => {
                let record = RecordId::from_index(self.random.below(records));
                self.program.types.intern(Type::Record(record))
            }
            3 => {
                let ty = Type::Function { result: base, parameters: vec![base], variadic: true };
                let function = self.program.types.intern(ty);
                self.program.types.intern(Type::Pointer(function))
            }
            _ => base,
        }
    }

    fn function_head(&mut self) {
        let name = format!("{} {}", self.name(), self.program.functions.len());
        let ty = self.program.types.of_scalar(ScalarType::INT);
        let place = self.place();
        let parameters = Vec::new();
        self.program.functions.push(Function {
            name,
            ty,
            parameters,
            result: None,
            varargs: None,
            place,
            body: None,
        });
    }

    /// A variable or an object of some function or of none.
    fn declaration(&mut self, functions: usize) {
        let owner = self.random.below(functions + 1);
        let function = owner.checked_sub(1).map(FunctionId::from_index);
        let (name, place) = (self.name(), self.place());
        let is_taken =
            self.program.variables.iter().any(|it| it.function == function && it.name == name)
                || self.program.objects.iter().any(|it| it.function == function && it.name == name);
        if is_taken {
            return;
        }
        if self.random.below(3) == 0 {
            return self.object(name, function, place);
        }
        let ty = self.any_type();
        let scalar = self.program.types.scalar(ty).unwrap_or(ScalarType::Pointer);
        let kind = match function {
            None => {
                let bits = self.random.bits();
                let initial = self.program.expressions.constant(scalar, bits, self.program.model);
                VariableKind::Global { initial }
            }
            Some(_) => self.random.pick(&[
                VariableKind::Parameter,
                VariableKind::Local,
                VariableKind::Temporary,
            ]),
        };
        self.program.variables.push(Variable { name, ty, scalar, kind, function, place });
    }

    fn object(&mut self, name: String, function: Option<FunctionId>, place: Place) {
        let ty = self.any_type();
        let least = self.program.types.size(ty, self.program.model).unwrap_or(3);
        let size = least + self.random.below(2) as u64 * 40;
        let texts: [&[u8]; 4] = [b"", b"a\"\\\n", b"\0\x01\xff0", b"text\0"];
        let bytes = self.random.pick(&texts);
        let bytes = bytes[..bytes.len().min(size as usize)].to_vec();
        let kind = match self.random.below(4) {
            0 => ObjectKind::String { bytes },
            1 => ObjectKind::External,
            2 if function.is_some() => ObjectKind::Local,
            _ => ObjectKind::Static { bytes, addresses: self.addresses(size) },
        };
        let is_dynamic = kind == ObjectKind::Local && self.random.below(2) == 0;
        let size = (!is_dynamic).then_some(size);
        let alignment = self.random.pick(&[1, 4, 16]);
        let is_constant = self.random.below(4) == 0;
        self.program.objects.push(Object {
            name,
            ty,
            size,
            alignment,
            kind,
            is_constant,
            function,
            place,
        });
    }

    fn addresses(&mut self, size: u64) -> Vec<InitialAddress> {
        if size < 16 {
            return Vec::new();
        }
        let statics: Vec<ObjectId> = self
            .program
            .objects
            .enumerated()
            .filter(|(_, object)| object.kind != ObjectKind::Local)
            .map(|(id, _)| id)
            .collect();
        let function = AddressTarget::Function(FunctionId::from_index(0));
        let mut addresses = vec![InitialAddress { offset: 8, target: function, addend: 0 }];
        if !statics.is_empty() {
            let target = AddressTarget::Object(self.random.pick(&statics));
            addresses.push(InitialAddress { offset: 0, target, addend: -3 });
        }
        addresses
    }

    fn signature(&mut self, id: FunctionId) {
        let own = self.program.variables.enumerated();
        let own =
            own.filter(|(_, it)| it.function == Some(id) && it.kind == VariableKind::Parameter);
        let parameters: Vec<VariableId> = own.map(|(id, _)| id).collect();
        let mut types: Vec<TypeId> =
            parameters.iter().map(|id| self.program.variables[*id].ty).collect();
        if self.random.below(4) == 0 {
            types.clear();
        }
        let void = self.program.types.intern(Type::Void);
        let result = if self.random.below(3) == 0 { void } else { self.any_type() };
        let is_scalar = result == void || self.program.types.scalar(result).is_some();
        let result = if is_scalar { result } else { void };
        let variadic = self.random.below(3) == 0;
        let scalar = self.program.types.scalar(result);
        let ty = self.program.types.intern(Type::Function { result, parameters: types, variadic });
        let function = &mut self.program.functions[id];
        (function.ty, function.parameters, function.result) = (ty, parameters, scalar);
    }

    fn body(&mut self, id: FunctionId) {
        let count = 2 + self.random.below(8);
        let exit = LocationId::from_index(self.random.below(count));
        let inner: Vec<LocationId> =
            (0..count).map(LocationId::from_index).filter(|it| *it != exit).collect();
        let mut edges = IdVec::new();
        for &source in &inner {
            let mut add = |generator: &mut Generator, target, operation| {
                let place = generator.place();
                edges.push(Edge { source, target, operation, place });
            };
            match self.random.below(6) {
                0 => {
                    let operation = self.final_operation(id);
                    add(self, exit, operation);
                }
                1 => {
                    let condition = self.expression(id, ScalarType::Bool, 3);
                    for holds in [true, false] {
                        let target = self.random.pick(&inner);
                        add(self, target, Operation::Assume { condition, holds });
                    }
                }
                _ => {
                    let target = self.random.pick(&inner);
                    let operation = self.operation(id);
                    add(self, target, operation);
                }
            }
        }
        let entry = self.random.pick(&inner);
        let body = Body { entry, exit, location_count: count, edges };
        self.program.functions[id].body = Some(body);
    }

    fn final_operation(&mut self, id: FunctionId) -> Operation {
        match self.random.below(7) {
            0 => Operation::Halt(Halt::Abort),
            1 => Operation::Halt(Halt::Exit(self.expression(id, ScalarType::INT, 2))),
            2 => Operation::Fail(Failure::Assertion { text: "a \"b\"\n\u{1}ü".to_owned() }),
            3 => Operation::Fail(Failure::Size { text: "too \"large\"".to_owned() }),
            4 => Operation::Fail(Failure::Overflow { text: "a + \"b\"".to_owned() }),
            _ => {
                let result = self.program.functions[id].result;
                Operation::Return { value: result.map(|result| self.expression(id, result, 3)) }
            }
        }
    }

    fn operation(&mut self, id: FunctionId) -> Operation {
        let size_type = self.program.model.size_type();
        let pointer = ScalarType::Pointer;
        let target = self.variable(id, None);
        let pointer_target = self.variable(id, Some(pointer));
        match (self.random.below(11), target, pointer_target) {
            (0 | 1, Some(target), _) => {
                let scalar = self.program.variables[target].scalar;
                Operation::Assign { target, value: self.expression(id, scalar, 4) }
            }
            (2, Some(target), _) => {
                let name = self.name();
                let source = InputSource::Nondeterministic(name);
                let source =
                    if self.random.below(2) == 0 { source } else { InputSource::Uninitialised };
                Operation::Input { target, source }
            }
            (3, Some(target), _) => {
                let scalar = self.program.variables[target].scalar;
                Operation::Load { target, access: self.access(id, scalar) }
            }
            (4, ..) => {
                let scalar = self.random.pick(&SCALARS);
                let access = self.access(id, scalar);
                Operation::Store { access, value: self.expression(id, scalar, 2) }
            }
            (5, ..) => Operation::Fill {
                target: self.expression(id, pointer, 2),
                byte: self.expression(id, ScalarType::BYTE, 1),
                size: self.expression(id, size_type, 2),
                initialises: false,
            },
            (9, ..) if self.random.below(2) == 0 => Operation::Disjoint {
                left: self.expression(id, pointer, 2),
                right: self.expression(id, pointer, 1),
                size: self.expression(id, size_type, 2),
            },
            (6, _, Some(target)) => {
                let storage =
                    self.random.pick(&[Storage::Heap, Storage::Alloca, Storage::Permanent]);
                let zeroed = self.random.below(2) == 0;
                let size = self.expression(id, size_type, 2);
                Operation::Allocate { target, storage, size, zeroed }
            }
            (7, ..) => Operation::Free { address: self.expression(id, pointer, 2) },
            (8, ..) => self.call(id),
            (9, ..) => self.lifetime(id),
            _ => Operation::Skip,
        }
    }

    fn lifetime(&mut self, id: FunctionId) -> Operation {
        let own = self.program.objects.enumerated();
        let own = own.filter(|(_, it)| it.function == Some(id) && it.kind == ObjectKind::Local);
        let own: Vec<ObjectId> = own.map(|(id, _)| id).collect();
        if own.is_empty() {
            return Operation::Unsupported { construct: "asm(\"\")".to_owned() };
        }
        let object = self.random.pick(&own);
        if self.random.below(2) == 0 {
            return Operation::Leave { object };
        }
        let size_type = self.program.model.size_type();
        let is_dynamic = self.program.objects[object].size.is_none();
        let size = is_dynamic.then(|| self.expression(id, size_type, 2));
        Operation::Enter { object, size }
    }

    fn call(&mut self, id: FunctionId) -> Operation {
        let ids: Vec<FunctionId> = self.program.functions.ids().collect();
        let callee = self.random.pick(&ids);
        let parameters = self.program.functions[callee].parameters.clone();
        let types: Vec<ScalarType> =
            parameters.iter().map(|id| self.program.variables[*id].scalar).collect();
        let arguments = types.iter().map(|ty| self.expression(id, *ty, 2)).collect();
        if self.random.below(4) == 0 {
            let pointer = self.expression(id, ScalarType::Pointer, 2);
            return Operation::Call { target: None, callee: Callee::Indirect(pointer), arguments };
        }
        let result = self.program.functions[callee].result;
        let target = result.and_then(|result| self.variable(id, Some(result)));
        Operation::Call { target, callee: Callee::Direct(callee), arguments }
    }

    fn access(&mut self, id: FunctionId, ty: ScalarType) -> Access {
        let model = self.program.model;
        let base = self.expression(id, ScalarType::Pointer, 2);
        let records: Vec<RecordId> = self.program.types.records().map(|(id, _)| id).collect();
        let (mut root, mut steps) = (self.any_type(), Vec::new());
        let mut bits = None;
        if !records.is_empty() && self.random.below(2) == 0 {
            let record = self.random.pick(&records);
            root = self.program.types.intern(Type::Record(record));
            let index = self.random.below(2) as u32;
            bits = self.program.types.record(record).fields[index as usize].bits;
            steps.push(PathStep::Field { record, index });
        }
        let is_wide = bits.is_none_or(|it| u32::from(it.width) <= 8 * ty.size(model) as u32);
        if !is_wide {
            (bits, steps) = (None, Vec::new());
        }
        if bits.is_none() && self.random.below(3) == 0 {
            steps.push(PathStep::Element(self.random.pick(&[None, Some(0), Some(2)])));
        }
        let offset = self.program.types.path_offset(root, &steps, model);
        let address = match offset {
            Some(0) => base,
            offset => {
                let distance = offset.unwrap_or(5);
                let distance =
                    self.program.expressions.constant(model.offset_type(), distance.into(), model);
                let operator = BinaryOperator::OffsetPointer;
                self.program.expressions.binary(operator, base, distance, model)
            }
        };
        let path = self.program.paths.push(FieldPath { root, steps, offset });
        Access { address, ty, bits, base, path, initialises: false }
    }

    fn variable(&mut self, id: FunctionId, ty: Option<ScalarType>) -> Option<VariableId> {
        let fitting: Vec<VariableId> = self
            .program
            .variables
            .enumerated()
            .filter(|(_, it)| it.function.is_none() || it.function == Some(id))
            .filter(|(_, it)| ty.is_none_or(|ty| ty == it.scalar))
            .map(|(id, _)| id)
            .collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting))
    }
}
