//! The state of a symbolic execution: call stack, blocks with cells, path condition.
//!
//! Values are terms; a pointer is the address variable of its block plus an offset, and is
//! recognised by that form ([`crate::value`]). Everything is persistent, so that a fork costs little.

use std::sync::Arc;

use heapwright_base::define_id;
use heapwright_logic::{Model, TermId};
use heapwright_program::{FunctionId, LocationId, ObjectId, Place, ScalarType, VariableId};
use imbl::{OrdMap, Vector};

define_id!(
    /// A block of one state. Numbers are given in order of birth along a path.
    BlockId,
    "b"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Static,
    String,
    Stack,
    Heap,
    Function(FunctionId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Freed,
    OutOfScope,
}

/// What the bytes are that no cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Zero,
    /// Each is arbitrary, and is decided when it is first read.
    Uninitialised,
    /// The initial bytes of a static object or string, then zeros.
    Initial(ObjectId),
}

/// Bytes that were written, or read, as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Bytes.
    pub(crate) size: u64,
    /// A bit-vector of that many bytes.
    pub(crate) value: TermId,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) life: Life,
    /// In bytes, as wide as a pointer.
    pub(crate) size: TermId,
    /// By offset; they do not overlap.
    pub(crate) cells: OrdMap<u64, Cell>,
    pub(crate) rest: Rest,
    /// The number that the interpreter gives to this block, to name its uninitialised bytes.
    pub(crate) serial: u64,
    pub(crate) role: Role,
}

/// What a block stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Itself.
    Region,
    /// The first of a chain of equal nodes, and all the others with it.
    Segment(Segment),
    /// The last node of the doubly linked segment that starts with this block.
    LastOf(BlockId),
}

/// A chain of at least `minimum` heap blocks, each linked to the next. The block's cells are those
/// of every node, but for the links: the cell at `next` is what the last node holds, the cell at
/// `previous` what the first one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) next: u64,
    /// The offset of the link back, and the block that stands for the last node.
    pub(crate) previous: Option<(u64, BlockId)>,
    /// Where in a node the links point to.
    pub(crate) head: u64,
    pub(crate) minimum: u32,
    /// Cells in which the nodes differ: each holds some number in the range.
    pub(crate) each: OrdMap<u64, Each>,
    /// Cells that point into their own node, and where: `list.next = &list`.
    pub(crate) own: OrdMap<u64, u64>,
}

/// A number that every node has for itself, signed, both bounds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Each {
    pub(crate) size: u64,
    pub(crate) range: Range,
}

/// Signed numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Range {
    /// Every number of so many bits.
    pub(crate) fn full(bits: u32) -> Range {
        let high = i128::MAX >> (128 - bits);
        Range { low: -high - 1, high }
    }

    pub(crate) fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) location: LocationId,
    /// By the variable's slot in its function.
    pub(crate) registers: Arc<Vec<Option<TermId>>>,
    /// The blocks of the local objects that are alive.
    pub(crate) objects: OrdMap<ObjectId, BlockId>,
    pub(crate) allocas: Vector<BlockId>,
    /// Where the result goes, in the caller's frame.
    pub(crate) target: Option<VariableId>,
}

/// An input that the execution drew, to be given a value by a model.
#[derive(Clone, Debug)]
pub(crate) enum DrawnTerm {
    Nondeterministic {
        name: Arc<str>,
        ty: ScalarType,
        value: TermId,
        place: Place,
    },
    Variable {
        variable: Option<VariableId>,
        ty: ScalarType,
        value: TermId,
        place: Place,
    },
    /// The bytes of `value`, from `offset` on.
    Bytes {
        serial: u64,
        offset: u64,
        size: u64,
        value: TermId,
    },
    AllocationFailed {
        serial: u64,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) frames: Vector<Frame>,
    pub(crate) globals: Arc<Vec<Option<TermId>>>,
    pub(crate) blocks: OrdMap<BlockId, Arc<Block>>,
    pub(crate) static_blocks: Arc<Vec<Option<BlockId>>>,
    pub(crate) function_blocks: Arc<Vec<BlockId>>,
    pub(crate) next_block: u32,
    pub(crate) next_serial: u64,
    /// Conjuncts.
    pub(crate) condition: Vector<TermId>,
    /// Satisfies the condition, where one is at hand.
    pub(crate) model: Option<Arc<Model>>,
    pub(crate) drawn: Vector<DrawnTerm>,
    /// Forks and loop rounds so far: what the search goes by.
    pub(crate) depth: u32,
}

impl State {
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a running program has a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.back_mut().expect("a running program has a frame")
    }

    pub(crate) fn block(&self, id: BlockId) -> &Arc<Block> {
        &self.blocks[&id]
    }

    pub(crate) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        Arc::make_mut(self.blocks.get_mut(&id).expect("a block of this state"))
    }
}
