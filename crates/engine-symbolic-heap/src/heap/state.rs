//! The state of a symbolic execution: call stack, blocks with cells, path condition.
//!
//! Values are terms; a pointer is the address variable of its block plus an offset, and is
//! recognised by that form ([`crate::execution::expression`]). Everything is persistent, so that a fork costs little.

use std::fmt;
use std::sync::Arc;

use heapwright_base::{DenseId, define_id};
use heapwright_engine::Signature;
use heapwright_logic::{Model, TermId};
use heapwright_program::{FunctionId, LocationId, ObjectId, Place, ScalarType, VariableId};
use imbl::{OrdMap, OrdSet, Vector};

use crate::heap::trail::Trail;
use crate::summary::list::facts::language::Sequence;

define_id!(
    /// A block of one state. Numbers are given in order of birth along a path.
    BlockId,
    "b"
);

define_id!(
    /// The calls that were active when a block was made.
    Origin,
    "o"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Static,
    /// A string literal, or a static object of const type.
    String,
    Stack,
    /// On the stack, of const type: only its initialiser writes it.
    Constant,
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

#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Where in the program it was made.
    pub(crate) origin: Origin,
    pub(crate) role: Role,
}

impl Block {
    /// The values of all cells and sizes, those of every kind of node included.
    pub(crate) fn all_values(&self) -> Vec<TermId> {
        let mut values = Vec::new();
        self.collect(&mut values, false);
        values
    }

    /// The same, and what is said of the numbers in nodes.
    pub(crate) fn all_terms(&self) -> Vec<TermId> {
        let mut terms = Vec::new();
        self.collect(&mut terms, true);
        terms
    }

    fn collect(&self, terms: &mut Vec<TermId>, conditions: bool) {
        terms.extend(self.fields().map(|(_, value)| value));
        terms.push(self.size);
        for kind in self.kinds() {
            for block in kind.blocks.values() {
                block.collect(terms, conditions);
            }
            if conditions {
                terms.extend(kind.condition.iter().copied());
            }
        }
    }

    pub(crate) fn kinds(&self) -> &[Arc<Kind>] {
        self.role.kinds()
    }

    /// All that it holds: its cells, or the ends of what it stands for.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (Field, TermId)> + '_ {
        let cells = self.cells.iter().map(|(&offset, cell)| (Field::Cell(offset), cell.value));
        cells.chain(self.ends().map(|(end, value)| (Field::End(end), value)))
    }

    /// What it holds at a field.
    pub(crate) fn field(&self, field: Field) -> Option<TermId> {
        match field {
            Field::Cell(offset) => self.cells.get(&offset).map(|cell| cell.value),
            Field::End(end) => self.end(end),
        }
    }

    /// Changes what it holds at a field that it has.
    pub(crate) fn set_field(&mut self, field: Field, value: TermId) {
        let held = match field {
            Field::Cell(offset) => self.cells.get_mut(&offset).map(|cell| &mut cell.value),
            Field::End(end) => self.role.end_mut(end),
        };
        *held.expect("a field of this block") = value;
    }

    /// The ends of what it stands for.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (End, TermId)> + '_ {
        let ends = if self.role == Role::Region { &[][..] } else { &End::ALL };
        ends.iter().filter_map(|&end| Some((end, self.end(end)?)))
    }

    /// One end of what it stands for, if it has it.
    pub(crate) fn end(&self, end: End) -> Option<TermId> {
        match (&self.role, end) {
            (Role::Segment(segment), End::Next) => Some(segment.ends.next),
            (Role::Segment(segment), End::Previous) => segment.ends.previous,
            (Role::Segment(segment), End::First) => segment.order.map(|sorted| sorted.first),
            (Role::Segment(segment), End::Last) => segment.order.map(|sorted| sorted.last),
            (Role::Tree(tree), End::Next) => tree.hole,
            (Role::Tree(tree), End::Previous) => tree.parent,
            (Role::Tree(_), End::First | End::Last) => None,
            (Role::Region | Role::LastOf(_), _) => None,
        }
    }

    /// Where its nodes were made.
    pub(crate) fn origins(&self) -> OrdSet<Origin> {
        match &self.role {
            Role::Segment(segment) => segment.origins.clone(),
            Role::Tree(tree) => tree.origins.clone(),
            Role::Region | Role::LastOf(_) => OrdSet::unit(self.origin),
        }
    }

    /// How deep kinds are nested in this block.
    pub(crate) fn height(&self) -> u32 {
        self.kinds().iter().map(|kind| kind.height + 1).max().unwrap_or(0)
    }

    /// The other end of a doubly linked segment, or of a tree with a hole.
    pub(crate) fn partner(&self) -> Option<BlockId> {
        match &self.role {
            Role::Region => None,
            Role::LastOf(first) => Some(*first),
            Role::Segment(segment) => segment.last,
            Role::Tree(tree) => tree.above,
        }
    }
}

/// What a block stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Itself.
    Region,
    /// The first of a chain of equal nodes, and all the others with it.
    Segment(Segment),
    /// The root of a tree, and all nodes below it ([`crate::summary::tree`]).
    Tree(Tree),
    /// The last node of the doubly linked segment that starts with this block, or the node above
    /// the hole of the tree with this root.
    LastOf(BlockId),
}

impl Role {
    /// What each of its nodes can be.
    pub(crate) fn kinds(&self) -> &[Arc<Kind>] {
        match self {
            Role::Segment(segment) => &segment.kinds,
            Role::Tree(tree) => &tree.kinds,
            Role::Region | Role::LastOf(_) => &[],
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match (self, end) {
            (Role::Segment(segment), End::Next) => Some(&mut segment.ends.next),
            (Role::Segment(segment), End::Previous) => segment.ends.previous.as_mut(),
            (Role::Segment(segment), End::First) => segment.order.as_mut().map(|o| &mut o.first),
            (Role::Segment(segment), End::Last) => segment.order.as_mut().map(|o| &mut o.last),
            (Role::Tree(tree), End::Next) => tree.hole.as_mut(),
            (Role::Tree(tree), End::Previous) => tree.parent.as_mut(),
            (Role::Tree(_), End::First | End::Last) => None,
            (Role::Region | Role::LastOf(_), _) => None,
        }
    }

    /// Changes what all its ends hold.
    pub(crate) fn change_ends(&mut self, mut change: impl FnMut(TermId) -> TermId) {
        for end in End::ALL {
            if let Some(value) = self.end_mut(end) {
                *value = change(*value);
            }
        }
    }

    pub(crate) fn kinds_mut(&mut self) -> &mut [Arc<Kind>] {
        match self {
            Role::Segment(segment) => &mut segment.kinds,
            Role::Tree(tree) => &mut tree.kinds,
            Role::Region | Role::LastOf(_) => &mut [],
        }
    }
}

/// Where a block holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Field {
    /// At an offset.
    Cell(u64),
    /// At an end of what it stands for.
    End(End),
}

/// What a segment or a tree tells of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum End {
    /// What the last node of a segment has as its successor, or what the hole of a tree holds.
    Next,
    /// What the first node of a segment has as its predecessor, or the root of a tree as its parent.
    Previous,
    /// The number in the first node of a sorted segment.
    First,
    /// The number in its last node.
    Last,
}

impl End {
    const ALL: [End; 4] = [End::Next, End::Previous, End::First, End::Last];
}

/// What is beyond the ends of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// What the last node has as its successor.
    pub(crate) next: TermId,
    /// What the first node has as its predecessor, where nodes know theirs.
    pub(crate) previous: Option<TermId>,
}

/// A chain of at least `minimum` heap blocks, each of which knows its successor. All that nodes have
/// is told by their kinds; the block has no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) ends: Ends,
    /// The block that stands for the last node, where nodes know their predecessors too.
    pub(crate) last: Option<BlockId>,
    /// Where in a node the links point to.
    pub(crate) head: u64,
    pub(crate) minimum: u32,
    /// How its nodes are sorted, if they are.
    pub(crate) order: Option<Sorted>,
    /// Every node is of one of these kinds.
    pub(crate) kinds: Vec<Arc<Kind>>,
    /// Which kinds may follow which, if not all may.
    pub(crate) sequence: Option<Sequence>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

/// Signed numbers at some place of each node, none of which is on the wrong side of the next
/// ([`crate::summary::list::facts::order`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) direction: Direction,
}

/// An order, with what the first and the last of some nodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) order: Order,
    pub(crate) first: TermId,
    pub(crate) last: TermId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// No number is greater than the next.
    Up,
    /// None is less.
    Down,
}

/// At least one heap block, each linked to those below it. Every link is null or leads to a node,
/// but for one, of any node, if there is a hole. All that nodes have but the links is told by their
/// kinds; the block has no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) links: TreeLinks,
    /// What the link holds that leads out of the tree, if there is one.
    pub(crate) hole: Option<TermId>,
    /// What the root has as its parent, if nodes know theirs.
    pub(crate) parent: Option<TermId>,
    /// The block that stands for the node above the hole, if nodes know their parents.
    pub(crate) above: Option<BlockId>,
    /// Every node is of one of these kinds.
    pub(crate) kinds: Vec<Arc<Kind>>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

/// How the nodes of a tree are linked: offsets of the links, and where in a node they point to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TreeLinks {
    /// To those below; at least two, in order.
    pub(crate) children: Vec<u64>,
    pub(crate) parent: Option<u64>,
    pub(crate) head: u64,
}

impl TreeLinks {
    pub(crate) fn has(&self, offset: u64) -> bool {
        self.offsets().any(|link| link == offset)
    }

    pub(crate) fn offsets(&self) -> impl Iterator<Item = u64> {
        self.children.iter().copied().chain(self.parent)
    }
}

impl fmt::Display for TreeLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "by")?;
        for offset in &self.children {
            write!(f, " +{offset}")?;
        }
        if let Some(parent) = self.parent {
            write!(f, " and up by +{parent}")?;
        }
        Ok(())
    }
}

/// What a node can be: its cells, and the blocks that only it reaches. Blocks and numbers that each
/// node has for itself have stand-ins in place of names ([`crate::summary::prototype`]), and so have the links to
/// its successor and predecessor, wherever they are held; all other names are those of the state
/// around, and mean the same for every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// How deep kinds are nested in this one: their stand-ins differ from those here.
    pub(crate) height: u32,
    /// The node is the first of them.
    pub(crate) blocks: OrdMap<BlockId, Arc<Block>>,
    /// Numbers that each node has for itself.
    pub(crate) numbers: Vec<TermId>,
    /// What holds of them, for each node.
    pub(crate) condition: Vec<TermId>,
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

impl DrawnTerm {
    /// The variable that it gives a value, if it does.
    pub(crate) fn value(&self) -> Option<TermId> {
        match self {
            DrawnTerm::Nondeterministic { value, .. }
            | DrawnTerm::Variable { value, .. }
            | DrawnTerm::Bytes { value, .. } => Some(*value),
            DrawnTerm::AllocationFailed { .. } => None,
        }
    }
}

/// What callers whose frames are cut off still hold of a state ([`crate::interprocedural`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The function that they called.
    pub(crate) function: FunctionId,
    /// Addresses and numbers that both sides of the cut know. Nothing in the call changes them.
    pub(crate) held: Vec<TermId>,
    /// What the call gives back, once it has returned.
    pub(crate) result: Option<TermId>,
}

impl Outside {
    pub(crate) fn values(&self) -> impl Iterator<Item = TermId> + '_ {
        self.held.iter().chain(&self.result).copied()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) frames: Vector<Frame>,
    /// Not there if the frames go down to that of `main`.
    pub(crate) outside: Option<Arc<Outside>>,
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
    /// Not a fact that states are compared by.
    pub(crate) trail: Trail,
    /// The branches of a path without summaries, from the start on. No fact either.
    pub(crate) signature: Signature,
}

impl State {
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a running program has a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.back_mut().expect("a running program has a frame")
    }

    /// A block number that the state does not have yet.
    pub(crate) fn new_block_id(&mut self) -> BlockId {
        let id = BlockId::from_index(self.next_block as usize);
        self.next_block += 1;
        id
    }

    /// What the variables of all frames and the globals hold, those of callers included.
    pub(crate) fn held_by_variables(&self) -> Vec<TermId> {
        let frames = self.frames.iter().flat_map(|frame| frame.registers.iter());
        let own = self.globals.iter().chain(frames).flatten().copied();
        own.chain(self.held_outside()).collect()
    }

    /// What callers hold whose frames are cut off.
    pub(crate) fn held_outside(&self) -> impl Iterator<Item = TermId> + '_ {
        self.outside.iter().flat_map(|outside| outside.values())
    }

    /// Changes what is said of the nodes of all segments and trees.
    pub(crate) fn change_kinds(&mut self, change: &mut dyn FnMut(&State, &mut Arc<Kind>)) {
        let segments: Vec<BlockId> = self
            .blocks
            .iter()
            .filter(|(_, block)| block.kinds().iter().any(|kind| !kind.condition.is_empty()))
            .map(|(&id, _)| id)
            .collect();
        for id in segments {
            let mut role = self.block(id).role.clone();
            for kind in role.kinds_mut() {
                change(self, kind);
            }
            if self.block(id).role != role {
                self.block_mut(id).role = role;
            }
        }
    }

    pub(crate) fn block(&self, id: BlockId) -> &Arc<Block> {
        &self.blocks[&id]
    }

    pub(crate) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        Arc::make_mut(self.blocks.get_mut(&id).expect("a block of this state"))
    }
}
