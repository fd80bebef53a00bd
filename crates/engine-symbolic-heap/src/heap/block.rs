//! Blocks: memory that is written byte by byte, or that stands for a list or a tree of any size.

use std::fmt;
use std::sync::Arc;

use heapwright_base::define_id;
use heapwright_logic::TermId;
use heapwright_program::{FunctionId, ObjectId};
use imbl::{OrdMap, OrdSet};

use crate::heap::language::Sequence;
use crate::heap::prototype::Neighbours;

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

    pub(crate) fn kinds(&self) -> &[Arc<Prototype>] {
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
    pub(crate) fn kinds(&self) -> &[Arc<Prototype>] {
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

    pub(crate) fn kinds_mut(&mut self) -> &mut [Arc<Prototype>] {
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
    pub(crate) kinds: Vec<Arc<Prototype>>,
    /// Which kinds may follow which, if not all may.
    pub(crate) sequence: Option<Sequence>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

impl Segment {
    /// What the last node has as its successor, and the first as its predecessor.
    pub(crate) fn neighbours(&self) -> Neighbours {
        let Ends { next, previous } = self.ends;
        // Where nodes do not know their predecessors, none is ever put in.
        Neighbours { next, previous: previous.unwrap_or(next) }
    }
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

impl Sorted {
    /// The number of the first node.
    pub(crate) fn start(self) -> (Order, TermId) {
        (self.order, self.first)
    }

    /// The number of the last node.
    pub(crate) fn end(self) -> (Order, TermId) {
        (self.order, self.last)
    }
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
    pub(crate) kinds: Vec<Arc<Prototype>>,
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
pub(crate) struct Prototype {
    /// How deep kinds are nested in this one: their stand-ins differ from those here.
    pub(crate) height: u32,
    /// The node is the first of them.
    pub(crate) blocks: OrdMap<BlockId, Arc<Block>>,
    /// Numbers that each node has for itself.
    pub(crate) numbers: Vec<TermId>,
    /// What holds of them, for each node.
    pub(crate) condition: Vec<TermId>,
}

impl Prototype {
    /// The offsets in the node itself at which it holds some value.
    pub(crate) fn offsets_of(&self, value: TermId) -> impl Iterator<Item = u64> {
        let node = self.blocks.values().next().expect("a kind has a node");
        node.cells.iter().filter(move |(_, cell)| cell.value == value).map(|(&offset, _)| offset)
    }
}
