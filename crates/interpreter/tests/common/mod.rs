//! A tiny builder of programs: operations are appended at a cursor, each on a line of its own.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use heapwright_base::DenseId;
use heapwright_interpreter::{Environment, ListedInputs, RunReport, Settings, run};
use heapwright_program::{
    Access, BinaryOperator, Body, Callee, DataModel, Edge, ExpressionId, FieldPath, FileId,
    Function, FunctionId, Halt, InputSource, LocationId, Object, ObjectId, ObjectKind, Operation,
    Place, Program, ScalarType, SourceFile, Storage, Type, Variable, VariableId, VariableKind,
};

pub const INT: ScalarType = ScalarType::INT;
pub const PTR: ScalarType = ScalarType::Pointer;
pub const U8: ScalarType = ScalarType::BYTE;

pub struct Builder {
    pub program: Program,
    function: FunctionId,
    cursor: LocationId,
    pub line: u32,
    pub file: FileId,
    serial: u32,
}

impl Builder {
    pub fn new(model: DataModel) -> Builder {
        let mut program = Program::new(model);
        let file = program.files.push(SourceFile { name: "test.c".to_owned(), is_model: false });
        let void = program.types.intern(Type::Void);
        program.paths.push(FieldPath { root: void, steps: Vec::new(), offset: Some(0) });
        let (function, cursor) = (FunctionId::from_index(0), LocationId::from_index(0));
        Builder { program, function, cursor, line: 0, file, serial: 0 }
    }

    /// LP64, with an empty `main` under the cursor.
    pub fn main() -> Builder {
        let mut builder = Builder::new(DataModel::Lp64);
        builder.function("main", &[], Some(INT));
        builder
    }

    pub fn place(&self) -> Place {
        Place { file: self.file, line: self.line, column: 1 }
    }

    /// Declares a function, with its cursor at the entry.
    pub fn function(
        &mut self,
        name: &str,
        parameters: &[ScalarType],
        result: Option<ScalarType>,
    ) -> (FunctionId, Vec<VariableId>) {
        let id = self.external(name, result);
        self.function = id;
        let kind = VariableKind::Parameter;
        let parameters: Vec<_> = parameters.iter().map(|&ty| self.variable_of(ty, kind)).collect();
        self.program.functions[id].parameters.clone_from(&parameters);
        let mut body = Body {
            entry: LocationId::from_index(0),
            exit: LocationId::from_index(1),
            location_count: 2,
            edges: Default::default(),
        };
        body.location_count = 2;
        self.program.functions[id].body = Some(body);
        self.cursor = LocationId::from_index(0);
        (id, parameters)
    }

    /// A function without a body.
    pub fn external(&mut self, name: &str, result: Option<ScalarType>) -> FunctionId {
        let void = self.program.types.intern(Type::Void);
        let function = Type::Function { result: void, parameters: Vec::new(), variadic: false };
        let ty = self.program.types.intern(function);
        let place = self.place();
        self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            parameters: Vec::new(),
            result,
            varargs: None,
            place,
            body: None,
        })
    }

    fn variable_of(&mut self, scalar: ScalarType, kind: VariableKind) -> VariableId {
        let ty = self.program.types.of_scalar(scalar);
        self.serial += 1;
        let function = (!matches!(kind, VariableKind::Global { .. })).then_some(self.function);
        let (name, place) = (format!("v{}", self.serial), self.place());
        self.program.variables.push(Variable { name, ty, scalar, kind, function, place })
    }

    pub fn local(&mut self, scalar: ScalarType) -> VariableId {
        self.variable_of(scalar, VariableKind::Local)
    }

    pub fn temporary(&mut self, scalar: ScalarType) -> VariableId {
        self.variable_of(scalar, VariableKind::Temporary)
    }

    pub fn global(&mut self, scalar: ScalarType, initial: ExpressionId) -> VariableId {
        self.variable_of(scalar, VariableKind::Global { initial })
    }

    pub fn object(&mut self, name: &str, size: Option<u64>, kind: ObjectKind) -> ObjectId {
        let ty = self.program.types.of_scalar(U8);
        let function = (kind == ObjectKind::Local).then_some(self.function);
        let place = self.place();
        let name = name.to_owned();
        let is_constant = false;
        self.program.objects.push(Object {
            name,
            ty,
            size,
            alignment: 8,
            kind,
            is_constant,
            function,
            place,
        })
    }

    // Expressions.

    pub fn constant(&mut self, ty: ScalarType, number: i128) -> ExpressionId {
        let model = self.program.model;
        self.program.expressions.constant(ty, number as u128, model)
    }

    pub fn int(&mut self, number: i128) -> ExpressionId {
        self.constant(INT, number)
    }

    pub fn size(&mut self, number: i128) -> ExpressionId {
        let ty = self.program.model.size_type();
        self.constant(ty, number)
    }

    pub fn get(&mut self, variable: VariableId) -> ExpressionId {
        let ty = self.program.variables[variable].scalar;
        self.program.expressions.variable(variable, ty)
    }

    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        let model = self.program.model;
        self.program.expressions.binary(operator, left, right, model)
    }

    pub fn address(&mut self, object: ObjectId) -> ExpressionId {
        self.program.expressions.object_address(object)
    }

    pub fn convert(&mut self, operand: ExpressionId, ty: ScalarType) -> ExpressionId {
        self.program.expressions.convert(operand, ty)
    }

    /// `pointer + bytes`
    pub fn offset(&mut self, pointer: ExpressionId, bytes: i128) -> ExpressionId {
        let ty = self.program.model.offset_type();
        let bytes = self.constant(ty, bytes);
        self.binary(BinaryOperator::OffsetPointer, pointer, bytes)
    }

    pub fn access(&self, address: ExpressionId, ty: ScalarType) -> Access {
        let path = DenseId::from_index(0);
        Access { address, ty, bits: None, base: address, path, initialises: false }
    }

    // Operations.

    fn body(&mut self) -> &mut Body {
        self.program.functions[self.function].body.as_mut().unwrap()
    }

    pub fn location(&mut self) -> LocationId {
        let body = self.body();
        body.location_count += 1;
        LocationId::from_index(body.location_count - 1)
    }

    pub fn at(&mut self, location: LocationId) {
        self.cursor = location;
    }

    pub fn here(&self) -> LocationId {
        self.cursor
    }

    fn edge(&mut self, target: LocationId, operation: Operation) {
        let (source, place) = (self.cursor, self.place());
        self.body().edges.push(Edge { source, target, operation, place });
    }

    /// Appends an operation on a new line and says which.
    pub fn add(&mut self, operation: Operation) -> u32 {
        self.line += 1;
        let next = self.location();
        self.edge(next, operation);
        self.cursor = next;
        self.line
    }

    /// Goes on at a location that exists.
    pub fn goto(&mut self, target: LocationId) {
        self.line += 1;
        self.edge(target, Operation::Skip);
    }

    /// Ends the function's path.
    pub fn end(&mut self, operation: Operation) -> u32 {
        self.line += 1;
        let exit = self.body().exit;
        self.edge(exit, operation);
        self.line
    }

    pub fn ret(&mut self, value: ExpressionId) -> u32 {
        self.end(Operation::Return { value: Some(value) })
    }

    pub fn ret_int(&mut self, number: i128) -> u32 {
        let value = self.int(number);
        self.ret(value)
    }

    /// Two edges; the cursor goes to the first location given back.
    pub fn branch(&mut self, condition: ExpressionId) -> (LocationId, LocationId) {
        self.line += 1;
        let (yes, no) = (self.location(), self.location());
        self.edge(yes, Operation::Assume { condition, holds: true });
        self.edge(no, Operation::Assume { condition, holds: false });
        self.cursor = yes;
        (yes, no)
    }

    pub fn assign(&mut self, target: VariableId, value: ExpressionId) -> u32 {
        self.add(Operation::Assign { target, value })
    }

    pub fn malloc(&mut self, target: VariableId, bytes: i128) -> u32 {
        let size = self.size(bytes);
        let storage = Storage::Heap;
        self.add(Operation::Allocate { target, storage, size, zeroed: false })
    }

    pub fn free(&mut self, pointer: VariableId) -> u32 {
        let address = self.get(pointer);
        self.add(Operation::Free { address })
    }

    pub fn load(&mut self, target: VariableId, address: ExpressionId) -> u32 {
        let access = self.access(address, self.program.variables[target].scalar);
        self.add(Operation::Load { target, access })
    }

    pub fn store(&mut self, address: ExpressionId, value: ExpressionId) -> u32 {
        let access = self.access(address, self.program.expressions.type_of(value));
        self.add(Operation::Store { access, value })
    }

    pub fn enter(&mut self, object: ObjectId) -> u32 {
        self.add(Operation::Enter { object, size: None })
    }

    pub fn call(
        &mut self,
        target: Option<VariableId>,
        function: FunctionId,
        arguments: &[ExpressionId],
    ) -> u32 {
        let callee = Callee::Direct(function);
        self.add(Operation::Call { target, callee, arguments: arguments.to_vec() })
    }

    pub fn nondet(&mut self, target: VariableId, name: &str) -> u32 {
        let source = InputSource::Nondeterministic(name.to_owned());
        self.add(Operation::Input { target, source })
    }

    pub fn exit(&mut self, status: i128) -> u32 {
        let status = self.int(status);
        self.end(Operation::Halt(Halt::Exit(status)))
    }

    // Running.

    pub fn run(&self) -> RunReport {
        self.run_with(&Settings::default())
    }

    pub fn run_with(&self, settings: &Settings) -> RunReport {
        run(&self.program, settings, Environment::silent(ListedInputs::zeros()))
    }

    /// The report and standard output.
    pub fn run_printing(&self) -> (RunReport, String) {
        let mut output = Vec::new();
        let environment = Environment::silent(ListedInputs::zeros()).with_output(&mut output);
        let report = run(&self.program, &Settings::default(), environment);
        (report, String::from_utf8(output).unwrap())
    }
}
