//! The program that every engine sees: functions as control-flow automata over one pool of
//! expressions, one table of types and one table of objects. An inert value, printable, comparable.

use heapwright_base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::expression::{ExpressionId, Expressions};
use crate::obligation::Obligation;
use crate::operation::{FieldPath, Operation, PathId};
use crate::types::{DataModel, ScalarType, TypeId, Types};

define_id!(
    /// A variable: a scalar whose address is never taken.
    VariableId,
    "v"
);
define_id!(
    /// A declared object that lives in memory.
    ObjectId,
    "o"
);
define_id!(
    /// A function.
    FunctionId,
    "f"
);
define_id!(
    /// A location of a function's automaton.
    LocationId,
    "L"
);
define_id!(
    /// An edge of a function's automaton.
    EdgeId,
    "E"
);
define_id!(
    /// A source file.
    FileId,
    "file"
);

/// A position in the source; line 0 stands for "nowhere in particular".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// As given on the command line or by a `#line` marker.
    pub name: String,
    /// Whether it is one of our models of library functions, which no user wants to see in a trace.
    pub is_model: bool,
}

impl SourceFile {
    /// Where models of the environment come from.
    pub const ENVIRONMENT: &'static str = "<model>/environment/";

    /// Whether it is one of our models of the world around the program.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        self.is_model && self.name.starts_with(SourceFile::ENVIRONMENT)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Static storage, with its value at program start.
    Global {
        initial: ExpressionId,
    },
    Parameter,
    Local,
    /// Made by the lowering.
    Temporary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique among the globals and within its function.
    pub name: String,
    pub ty: TypeId,
    pub scalar: ScalarType,
    pub kind: VariableKind,
    /// `None` for globals.
    pub function: Option<FunctionId>,
    pub place: Place,
}

/// What an address constant in initial bytes points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressTarget {
    Object(ObjectId),
    Function(FunctionId),
}

/// An address within an object's initial bytes, as wide as a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InitialAddress {
    pub offset: u64,
    pub target: AddressTarget,
    pub addend: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// Alive throughout. Bytes past the end of `bytes` are zero.
    Static { bytes: Vec<u8>, addresses: Vec<InitialAddress> },
    /// A string literal: as `Static`, and not to be written.
    String { bytes: Vec<u8> },
    /// A static object that is declared and defined nowhere: its bytes are arbitrary.
    External,
    /// Lives between its `Enter` and its `Leave`, once a frame.
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Unique among the static objects and within its function.
    pub name: String,
    pub ty: TypeId,
    /// Bytes; `None` when each `Enter` gives the size.
    pub size: Option<u64>,
    pub alignment: u64,
    pub kind: ObjectKind,
    /// Defined with const type: only its initialiser may write it. String literals are not to be
    /// written either, and need no mark.
    pub is_constant: bool,
    /// `None` for static objects at file scope.
    pub function: Option<FunctionId>,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub source: LocationId,
    pub target: LocationId,
    pub operation: Operation,
    pub place: Place,
}

/// A control-flow automaton. Every location but the exit has an outgoing edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    pub entry: LocationId,
    pub exit: LocationId,
    /// Locations are `0..location_count`.
    pub location_count: usize,
    pub edges: IdVec<EdgeId, Edge>,
}

impl Body {
    /// The outgoing edges of every location, in edge order.
    #[must_use]
    pub fn outgoing(&self) -> IdVec<LocationId, Vec<EdgeId>> {
        let mut outgoing = IdVec::filled(Vec::new(), self.location_count);
        for (id, edge) in self.edges.enumerated() {
            outgoing[edge.source].push(id);
        }
        outgoing
    }

    /// The incoming edges of every location, in edge order.
    #[must_use]
    pub fn incoming(&self) -> IdVec<LocationId, Vec<EdgeId>> {
        let mut incoming = IdVec::filled(Vec::new(), self.location_count);
        for (id, edge) in self.edges.enumerated() {
            incoming[edge.target].push(id);
        }
        incoming
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Unique; a static function whose name is taken gets a suffix.
    pub name: String,
    /// Always a function type, as C has it. Structs by value differ from what a call passes: each
    /// is passed as a pointer that the callee copies from, and a returned one goes through a
    /// pointer that is the first parameter.
    pub ty: TypeId,
    pub parameters: Vec<VariableId>,
    /// The scalar that a call gives back; `None` for void and for structs.
    pub result: Option<ScalarType>,
    /// Where a variadic function finds its further arguments.
    pub varargs: Option<ObjectId>,
    pub place: Place,
    /// `None` for a function that no file defines.
    pub body: Option<Body>,
}

/// What becomes of an execution in which a signed operation has a result that its type does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SignedOverflow {
    /// It goes on with what is left of the result in the type's bits, and nobody hears of it.
    #[default]
    Wraps,
    /// It is at fault: an edge beside the operation says so ([`Failure::Overflow`](crate::Failure)).
    Fails,
    /// It does not count: an edge beside the operation ends it, as a failed assumption does.
    Ends,
}

impl SignedOverflow {
    /// The word in a program's first line; what wraps is not told.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SignedOverflow::Wraps => "",
            SignedOverflow::Fails => "overflow_fails",
            SignedOverflow::Ends => "overflow_ends",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub model: DataModel,
    /// As the front end was asked: who asks about overflow needs a program that tells of it.
    pub signed_overflow: SignedOverflow,
    pub files: IdVec<FileId, SourceFile>,
    pub types: Types,
    pub expressions: Expressions,
    pub paths: IdVec<PathId, FieldPath>,
    pub variables: IdVec<VariableId, Variable>,
    pub objects: IdVec<ObjectId, Object>,
    pub functions: IdVec<FunctionId, Function>,
}

impl Program {
    #[must_use]
    pub fn new(model: DataModel) -> Program {
        Program { model, ..Program::default() }
    }

    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.enumerated().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }

    /// `file.c:12:5`
    #[must_use]
    pub fn describe(&self, place: Place) -> String {
        format!("{}:{}:{}", self.files[place.file].name, place.line, place.column)
    }

    /// Every edge with what its properties ask, in program order.
    pub fn obligations(&self) -> impl Iterator<Item = Obligation> + '_ {
        self.functions.enumerated().flat_map(move |(function, item)| {
            item.body.iter().flat_map(move |body| {
                body.edges.enumerated().flat_map(move |(edge, item)| {
                    crate::obligation::of_operation(self, &item.operation)
                        .into_iter()
                        .map(move |kind| Obligation { function, edge, kind })
                })
            })
        })
    }

    /// Functions by name, for those who look up many.
    #[must_use]
    pub fn function_names(&self) -> FxHashMap<&str, FunctionId> {
        self.functions.enumerated().map(|(id, function)| (function.name.as_str(), id)).collect()
    }
}
