//! A machine state as plain data: what a run can be started from in the middle of a program.
//!
//! Blocks have numbers of their own here, so that a state can be written down, changed and compared
//! without the memory that it came from.

use std::fmt;

use heapwright_memory::Life;
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};

/// A state between two edges of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What is not listed: static objects are as at program start, local ones are not alive.
    pub blocks: Vec<BlockState>,
    /// Globals that are not listed are as at program start.
    pub globals: Vec<(VariableId, ValueState)>,
    /// The calls under way, outermost first.
    pub frames: Vec<FrameState>,
}

/// Why a machine cannot be written down, or a state not be started from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotError(pub(crate) String);

impl SnapshotError {
    pub(crate) fn new(text: impl Into<String>) -> SnapshotError {
        SnapshotError(text.into())
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A block, with its index in [`Snapshot::blocks`] as its name: in a run that starts here, this is
/// also its serial, but for blocks that are there before the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockState {
    pub identity: BlockIdentity,
    pub life: Life,
    pub size: u64,
    /// In ascending order, apart from each other; bytes that no cell covers are uninitialised.
    pub cells: Vec<CellState>,
    /// The address that it must have; anywhere if none is given.
    pub base: Option<u64>,
}

/// What of the program a block stands for. For a block that is dead, the frame does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockIdentity {
    Heap,
    /// A static object or a string literal.
    Static(ObjectId),
    /// What the environment has made before the start, by its serial: an argument of `main`, a
    /// standard stream.
    Given(u64),
    /// A local object of the frame with this index.
    Local {
        frame: usize,
        object: ObjectId,
    },
    /// Memory of `alloca`, of the frame with this index.
    Alloca {
        frame: usize,
    },
}

/// Initialised bytes of a block that were written together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellState {
    pub offset: u64,
    /// In bytes, at most 16.
    pub width: u64,
    pub value: ValueState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueState {
    /// A number, or a pointer that belongs to no block.
    Bits(u128),
    /// So many bytes behind the start of a block; past its end and before its start too.
    Pointer {
        block: usize,
        offset: i64,
    },
    Function(FunctionId),
}

/// A call under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameState {
    pub function: FunctionId,
    pub point: FramePoint,
    /// Variables that are not listed have no value yet.
    pub variables: Vec<(VariableId, ValueState)>,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePoint {
    /// The innermost call: the next edge starts here.
    At(LocationId),
    /// Any other: this edge's call is under way.
    Calling(EdgeId),
}
