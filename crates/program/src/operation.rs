//! Operations: what one edge does. At most one memory access an edge (a copy has its two ends).

use heapwright_base::define_id;

use crate::expression::ExpressionId;
use crate::program::{FunctionId, ObjectId, VariableId};
use crate::types::{BitRange, RecordId, ScalarType, TypeId};

define_id!(
    /// A field path in the program's table.
    PathId,
    "path"
);

/// One step from a place in memory to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// The field at this index of the record.
    Field { record: RecordId, index: u32 },
    /// An array element; `None` where the index is not a constant.
    Element(Option<u64>),
}

/// How C named what it accessed, from a pointer on: `node.next`, `table.slots[].key`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldPath {
    /// What the base pointer points to, as C has it.
    pub root: TypeId,
    pub steps: Vec<PathStep>,
    /// Bytes from the base to the accessed place; `None` with an index that is not a constant.
    pub offset: Option<u64>,
}

/// Where and how one access touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The first byte, complete: what byte-precise engines use.
    pub address: ExpressionId,
    pub ty: ScalarType,
    /// Only these bits of the bytes at `address`; the value still has type `ty`.
    pub bits: Option<BitRange>,
    /// The pointer that C started from, and the path from there: what name-based engines use.
    pub base: ExpressionId,
    pub path: PathId,
    /// Gives an object of const type, of the function itself, its value: no other write may.
    pub initialises: bool,
}

/// Where a value comes from that the program does not determine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InputSource {
    /// A call of `__VERIFIER_nondet_…`, by its full name, or [`VOLATILE`].
    Nondeterministic(String),
    /// A local variable declared without a value.
    Uninitialised,
}

/// The name of the inputs that a read of a volatile object draws: whether the object has changed
/// by itself, as a `bool`, and then to what. No function has this name, since C keeps the word.
pub const VOLATILE: &str = "volatile";

/// What memory an allocation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Until `free`.
    Heap,
    /// Until the function returns.
    Alloca,
    /// Until the program ends: what the environment gives, such as the arguments of `main`. It is
    /// neither freed nor lost.
    Permanent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Direct(FunctionId),
    /// Through a function pointer.
    Indirect(ExpressionId),
}

/// How a program ends other than by a return from `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Halt {
    /// `exit(status)`: registered handlers run first.
    Exit(ExpressionId),
    /// `_exit(status)`.
    ImmediateExit(ExpressionId),
    Abort,
    /// An assumption of the verification task failed: this execution does not count.
    AssumptionFailed,
}

/// A fault that the program itself has found, or that C knows of before anything is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// `assert(text)` failed.
    Assertion { text: String },
    /// An array of variable length, or memory on the stack, of a size that no object has.
    Size { text: String },
    /// A library function is used as its contract forbids: a format that asks for other arguments
    /// than there are, a stream that is closed already.
    Usage { text: String },
    /// A signed operation has a result that its type does not hold; in programs that are read with
    /// [`SignedOverflow::Fails`](crate::SignedOverflow) only.
    Overflow { text: String },
}

/// What happens on an edge. `target = …` writes a variable, never memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// `[e]` or `[!e]`: only executions with `condition == holds` pass. A location with such
    /// edges has exactly two, for the same condition.
    Assume { condition: ExpressionId, holds: bool },
    /// `x = e;`
    Assign { target: VariableId, value: ExpressionId },
    /// `x = *;`
    Input { target: VariableId, source: InputSource },
    /// `x = *(ty *) a;`
    Load { target: VariableId, access: Access },
    /// `*(ty *) a = e;`
    Store { access: Access, value: ExpressionId },
    /// `memmove(target, source, size);` also struct assignment. Overlap is allowed. `initialises`
    /// as for an access.
    Copy { target: ExpressionId, source: ExpressionId, size: ExpressionId, initialises: bool },
    /// Two ranges of that many bytes share no byte, or all of them; else the program is at fault:
    /// what `memcpy`, struct assignment and `restrict` in the library's strings ask for. Whether
    /// the bytes may be accessed is not asked.
    Disjoint { left: ExpressionId, right: ExpressionId, size: ExpressionId },
    /// `memset(target, byte, size);`
    Fill { target: ExpressionId, byte: ExpressionId, size: ExpressionId, initialises: bool },
    /// `x = malloc(size);`, `alloca(size)`; `zeroed` for calloc.
    Allocate { target: VariableId, storage: Storage, size: ExpressionId, zeroed: bool },
    /// `free(a);`
    Free { address: ExpressionId },
    /// `x =` the size of the live heap block that starts at `address` (null gives 0).
    BlockSize { target: VariableId, address: ExpressionId },
    /// A local object comes to life, its bytes uninitialised. `size` is given for objects of
    /// dynamic size only; such an object may be entered again, which ends its earlier life.
    Enter { object: ObjectId, size: Option<ExpressionId> },
    /// A local object dies. Only one of dynamic size may be dead already.
    Leave { object: ObjectId },
    /// `x = f(e, …);` Arguments beyond the callee's parameters go, one every sixteen bytes, into
    /// the callee's `varargs` object, which lives until it returns.
    Call { target: Option<VariableId>, callee: Callee, arguments: Vec<ExpressionId> },
    /// The only operation on edges to a function's exit.
    Return { value: Option<ExpressionId> },
    /// The program ends; the edge's target has no meaning (it is the function's exit).
    Halt(Halt),
    /// The program is at fault; the edge's target is the function's exit.
    Fail(Failure),
    /// C that is not modelled: the answer is *unknown* if an execution gets here.
    Unsupported { construct: String },
}
