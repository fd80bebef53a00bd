//! The compiler: a program becomes an [`Executable`].
//!
//! Every variable, every local object and every intermediate result of an edge gets a register of
//! its function's frame: parameters first, so that a call only copies; then variables, objects and
//! intermediate results. Static addresses and large constants go to a pool that is filled in when
//! the memory exists.

mod branch;
mod expression;
mod function;
mod operation;

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{
    EdgeId, Function, FunctionId, ObjectId, ObjectKind, Program, VariableId, VariableKind,
};
use rustc_hash::FxHashMap;

use crate::compile::function::FunctionCompiler;
pub(crate) use crate::compile::function::UNPLACED;
pub(crate) use crate::compile::operation::missing_function;
use crate::control_map::ControlMap;
use crate::executable::{
    CallSite, CallTarget, CompiledFunction, EdgeOrigin, Executable, Global, PoolEntry,
};
use crate::instruction::{Instruction, NO_REGISTER, Register};
use crate::kind::Kind;
use crate::library;
use crate::settings::CompileSettings;

/// Registers of the code that calls `main`: the result and three arguments.
pub(crate) const START_REGISTERS: usize = 4;
/// Where the program ends: what `main` and exit handlers return to.
pub(crate) const FINISH: u32 = 1;
/// What the outermost call of a state in the middle returns to.
pub(crate) const RETURNED: u32 = 2;
/// The call of `main`.
pub(crate) const MAIN_SITE: u32 = 0;

pub(crate) fn compile<'p>(program: &'p Program, settings: &CompileSettings) -> Executable<'p> {
    let layout = Layout::new(program);
    let main = program.function_named("main").filter(|&id| program.functions[id].body.is_some());
    let mut compiler = Compiler {
        executable: Executable {
            program,
            code: Vec::new(),
            origins: Vec::new(),
            starts_edge: Vec::new(),
            functions: IdVec::new(),
            pool: Vec::new(),
            globals: layout.globals,
            call_sites: Vec::new(),
            accesses: Vec::new(),
            inputs: Vec::new(),
            texts: Vec::new(),
            registers: layout.registers,
            object_registers: layout.object_registers,
            map: settings.keep_locations.then(|| ControlMap::new(program)),
            main,
        },
        pooled: FxHashMap::default(),
        keep_locations: settings.keep_locations,
        mark_addresses: settings.mark_addresses,
    };
    for function in &program.functions {
        let compiled = signature(program, function, settings);
        compiler.executable.functions.push(compiled);
    }
    compiler.start_code();
    for function in program.functions.ids() {
        let objects = layout.objects[function].clone();
        compiler.executable.functions[function].objects = objects;
        compiler.function(function, layout.counts[function]);
    }
    compiler.executable
}

/// What calls need to know of a function before its body is compiled.
fn signature(
    program: &Program,
    function: &Function,
    settings: &CompileSettings,
) -> CompiledFunction {
    let is_error = settings.error_functions.contains(&function.name);
    let target = match (&function.body, library::find(&function.name)) {
        _ if is_error => CallTarget::Error,
        (Some(_), _) => CallTarget::Body(0),
        (None, Some(builtin)) => CallTarget::Library(builtin),
        (None, None) => CallTarget::Missing,
    };
    let kind_of = |&parameter: &VariableId| Kind::of(program.variables[parameter].scalar);
    CompiledFunction {
        target,
        parameters: function.parameters.iter().map(kind_of).collect(),
        result: function.result,
        register_count: 0,
        objects: 0..0,
        varargs: None,
    }
}

/// Registers of everything that the program names.
struct Layout {
    globals: Vec<Global>,
    registers: IdVec<VariableId, Register>,
    object_registers: IdVec<ObjectId, Register>,
    objects: IdVec<FunctionId, std::ops::Range<Register>>,
    counts: IdVec<FunctionId, Register>,
}

impl Layout {
    fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            globals: Vec::new(),
            registers: IdVec::filled(NO_REGISTER, program.variables.len()),
            object_registers: IdVec::filled(NO_REGISTER, program.objects.len()),
            objects: IdVec::filled(0..0, program.functions.len()),
            counts: IdVec::filled(0, program.functions.len()),
        };
        for (id, function) in program.functions.enumerated() {
            for &parameter in &function.parameters {
                layout.registers[parameter] = layout.next(id);
            }
        }
        for (id, variable) in program.variables.enumerated() {
            match (variable.kind, variable.function) {
                (VariableKind::Global { .. }, _) => {
                    layout.registers[id] = layout.globals.len() as Register;
                    layout.globals.push(Global { variable: id, kind: Kind::of(variable.scalar) });
                }
                _ if layout.registers[id] != NO_REGISTER => {}
                (_, Some(function)) => layout.registers[id] = layout.next(function),
                (_, None) => panic!("local variable {} has no function", variable.name),
            }
        }
        layout.place_objects(program);
        layout
    }

    /// After the variables, so that each function's objects have neighbouring registers.
    fn place_objects(&mut self, program: &Program) {
        for function in program.functions.ids() {
            self.objects[function] = self.counts[function]..self.counts[function];
        }
        for (id, object) in program.objects.enumerated() {
            if object.kind == ObjectKind::Local {
                let function = object.function.unwrap_or_else(|| {
                    panic!("local object {} has no function", object.name);
                });
                self.object_registers[id] = self.next(function);
                self.objects[function].end += 1;
            }
        }
    }

    fn next(&mut self, function: FunctionId) -> Register {
        self.counts[function] += 1;
        self.counts[function] - 1
    }
}

struct Compiler<'p> {
    executable: Executable<'p>,
    pooled: FxHashMap<PoolEntry, u32>,
    keep_locations: bool,
    mark_addresses: bool,
}

impl Compiler<'_> {
    /// Calls `main` and then finishes.
    fn start_code(&mut self) {
        let arguments = self.executable.main.map_or_else(Vec::new, |main| {
            let kinds = [Kind::I32, Kind::Pointer, Kind::Pointer];
            let count = self.executable.functions[main].parameters.len();
            (1..).zip(kinds).take(count).collect()
        });
        self.executable.call_sites.push(CallSite {
            function: self.executable.main,
            arguments,
            fits: false,
            target: 0,
            result: Some(heapwright_program::ScalarType::INT),
        });
        let origin = EdgeOrigin { function: None, edge: EdgeId::from_index(0), goes_on_if: None };
        self.push(Instruction::Call { site: MAIN_SITE }, origin, true);
        self.push(Instruction::Finish, origin, true);
        self.push(Instruction::Returned, origin, true);
    }

    fn function(&mut self, id: FunctionId, register_count: Register) {
        let program = self.executable.program;
        let function = &program.functions[id];
        let Some(body) = &function.body else { return };
        let entry = self.executable.code.len() as u32;
        let compiled = &mut self.executable.functions[id];
        if let CallTarget::Body(target) = &mut compiled.target {
            *target = entry;
        }
        compiled.varargs =
            function.varargs.map(|object| (self.executable.object_registers[object], object));
        let (most, places) = FunctionCompiler::new(self, id, register_count).compile(body);
        self.executable.functions[id].register_count = most;
        if let Some(map) = &mut self.executable.map {
            let code = entry as usize..self.executable.code.len();
            map.add(id, places, &self.executable.code, &self.executable.origins, code);
        }
    }

    fn push(&mut self, instruction: Instruction, origin: EdgeOrigin, starts_edge: bool) {
        self.executable.code.push(instruction);
        self.executable.origins.push(origin);
        self.executable.starts_edge.push(starts_edge);
    }

    fn pool(&mut self, entry: PoolEntry) -> u32 {
        let pool = &mut self.executable.pool;
        *self.pooled.entry(entry).or_insert_with(|| {
            pool.push(entry);
            pool.len() as u32 - 1
        })
    }
}
