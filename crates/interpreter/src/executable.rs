//! A program in executable form: one vector of instructions and the tables they refer to.

use std::sync::Arc;

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{
    BitRange, EdgeId, FunctionId, InputSource, LocationId, ObjectId, Place, Program, ScalarType,
    VariableId,
};

use crate::control_map::ControlMap;
use crate::instruction::{Instruction, Register};
use crate::kind::Kind;
use crate::library::Builtin;
use crate::settings::CompileSettings;

/// A compiled program, to be run any number of times.
#[derive(Debug)]
pub struct Executable<'p> {
    pub(crate) program: &'p Program,
    pub(crate) code: Vec<Instruction>,
    /// What each instruction was made from.
    pub(crate) origins: Vec<EdgeOrigin>,
    /// Whether an instruction is the first of its edge.
    pub(crate) starts_edge: Vec<bool>,
    pub(crate) functions: IdVec<FunctionId, CompiledFunction>,
    pub(crate) pool: Vec<PoolEntry>,
    pub(crate) globals: Vec<Global>,
    pub(crate) call_sites: Vec<CallSite>,
    pub(crate) accesses: Vec<OtherAccess>,
    pub(crate) inputs: Vec<InputSite>,
    pub(crate) texts: Vec<String>,
    /// The register of a variable in its frame, or its number among the globals.
    pub(crate) registers: IdVec<VariableId, Register>,
    /// The register that holds the address of a local object.
    pub(crate) object_registers: IdVec<ObjectId, Register>,
    /// Only where every location is kept.
    pub(crate) map: Option<ControlMap>,
    pub(crate) main: Option<FunctionId>,
}

impl<'p> Executable<'p> {
    /// Compiles a program.
    ///
    /// # Panics
    /// When the program breaks the rules of its representation, with the offender.
    #[must_use]
    pub fn compile(program: &'p Program, settings: &CompileSettings) -> Executable<'p> {
        crate::compile::compile(program, settings)
    }

    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How many instructions there are.
    #[must_use]
    pub fn instruction_count(&self) -> usize {
        self.code.len()
    }

    /// The instructions of a function as text, one a line, for those who tune the compiler.
    #[must_use]
    pub fn listing(&self, function: FunctionId) -> String {
        let mut text = String::new();
        for (pc, instruction) in self.code.iter().enumerate() {
            if self.origins[pc].function == Some(function) {
                text.push_str(&format!("{pc:5} {instruction:?}\n"));
            }
        }
        text
    }

    pub(crate) fn place_of(&self, pc: usize) -> Place {
        let origin = self.origins[pc];
        match origin.function {
            Some(function) => match &self.program.functions[function].body {
                Some(body) => body.edges[origin.edge].place,
                None => self.program.functions[function].place,
            },
            None => nowhere(),
        }
    }

    pub(crate) fn location_of(&self, pc: usize) -> Option<(FunctionId, LocationId)> {
        let origin = self.origins[pc];
        let function = origin.function?;
        let body = self.program.functions[function].body.as_ref()?;
        Some((function, body.edges[origin.edge].source))
    }

    pub(crate) fn is_model(&self, place: Place) -> bool {
        self.program.files.get(place.file).is_some_and(|file| file.is_model)
    }
}

/// A place for what is not in the source.
pub(crate) fn nowhere() -> Place {
    Place { file: DenseId::from_index(0), line: 0, column: 0 }
}

/// The edge that an instruction was made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeOrigin {
    /// `None` for the code that calls `main`.
    pub(crate) function: Option<FunctionId>,
    pub(crate) edge: EdgeId,
    /// For a branch: the truth of the edge's condition with which the next instruction follows.
    pub(crate) goes_on_if: Option<bool>,
}

/// Where calls of a function go.
#[derive(Clone, Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) target: CallTarget,
    /// Kinds of the parameters, which are the first registers.
    pub(crate) parameters: Vec<Kind>,
    pub(crate) result: Option<ScalarType>,
    pub(crate) register_count: u32,
    /// Registers of the local objects, whose lives end with the call.
    pub(crate) objects: std::ops::Range<Register>,
    /// The register and the object of the further arguments.
    pub(crate) varargs: Option<(Register, ObjectId)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CallTarget {
    /// At this instruction.
    Body(u32),
    Library(Builtin),
    /// A call is a fault.
    Error,
    /// No body, and nothing is known of it.
    Missing,
}

/// A constant whose bits may depend on where the memory puts things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolEntry {
    Bits(u128),
    /// An address in a static object.
    Object(ObjectId),
    Function(FunctionId),
}

/// A variable with static storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Global {
    pub(crate) variable: VariableId,
    pub(crate) kind: Kind,
}

/// A call as the caller sees it.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    /// `None` for a call through a pointer.
    pub(crate) function: Option<FunctionId>,
    pub(crate) arguments: Vec<(Register, Kind)>,
    /// Whether the arguments are the callee's parameters, in number and in kinds.
    pub(crate) fits: bool,
    pub(crate) target: Register,
    pub(crate) result: Option<ScalarType>,
}

/// A load or a store without an instruction of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherAccess {
    pub(crate) offset: i32,
    pub(crate) kind: Kind,
    /// Bytes of the value.
    pub(crate) size: u64,
    pub(crate) bits: Option<BitRange>,
}

/// An input that an operation draws.
#[derive(Clone, Debug)]
pub(crate) struct InputSite {
    /// The name of the call; `None` for an uninitialised variable.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) variable: VariableId,
    pub(crate) ty: ScalarType,
}

impl InputSite {
    pub(crate) fn new(source: &InputSource, variable: VariableId, ty: ScalarType) -> InputSite {
        let name = match source {
            InputSource::Nondeterministic(name) => Some(Arc::from(name.as_str())),
            InputSource::Uninitialised => None,
        };
        InputSite { name, variable, ty }
    }
}
