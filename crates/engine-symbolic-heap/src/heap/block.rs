//! Blocks: memory that is written byte by byte, or that stands for a list or a tree of any size.

use std::sync::Arc;

use heapwright_base::define_id;
use heapwright_logic::TermId;
use heapwright_program::{FunctionId, ObjectId};
use imbl::OrdMap;

use crate::heap::at_link::AtLink;
use crate::heap::contents::Contents;
use crate::heap::role::Role;

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
    /// Bytes of another block, at places that are numbers of the state. Nothing points to it.
    Elements,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Freed,
    OutOfScope,
}

/// What the bytes are that no cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultBytes {
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

/// Bytes that are zero, at an offset that may be any number: the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zero {
    /// Bytes.
    pub(crate) size: u64,
    /// As wide as a pointer. The bytes from there on are in the block.
    pub(crate) at: TermId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) life: Life,
    /// In bytes, as wide as a pointer.
    pub(crate) size: TermId,
    /// By offset; they do not overlap.
    pub(crate) cells: OrdMap<u64, Cell>,
    pub(crate) rest: DefaultBytes,
    /// What else is known of its bytes, whether cells cover them or not.
    pub(crate) zero: Option<Zero>,
    /// The same of elements at places that are numbers.
    pub(crate) contents: Contents,
    /// The number that the interpreter gives to this block, to name its uninitialised bytes.
    pub(crate) serial: u64,
    /// Where in the program it was made.
    pub(crate) origin: Origin,
    pub(crate) role: Role,
}

impl Block {
    /// Whether it is the same one in every state.
    pub(crate) fn is_of_program(&self) -> bool {
        match self.kind {
            BlockKind::Static | BlockKind::String | BlockKind::Function(_) => true,
            BlockKind::Stack | BlockKind::Constant | BlockKind::Heap | BlockKind::Elements => false,
        }
    }

    /// The values of all cells and sizes, those of every prototype included.
    pub(crate) fn all_values(&self) -> Vec<TermId> {
        let mut values = Vec::new();
        self.collect(&mut values, false);
        values
    }

    /// The same, and what is said of the numbers in nodes or in elements.
    pub(crate) fn all_terms(&self) -> Vec<TermId> {
        let mut terms = Vec::new();
        self.collect(&mut terms, true);
        terms
    }

    fn collect(&self, terms: &mut Vec<TermId>, conditions: bool) {
        terms.extend(self.fields().map(|(_, value)| value));
        terms.push(self.size);
        terms.extend(self.zero.map(|zero| zero.at));
        terms.extend(self.contents.places());
        if conditions {
            terms.extend(self.contents.laws());
            let spellings = self.segment().map_or(&[][..], |segment| &segment.spellings);
            terms.extend(spellings.iter().flat_map(|one| &one.pieces).map(|piece| piece.term()));
        }
        for prototype in self.prototypes() {
            for block in prototype.blocks.values() {
                block.collect(terms, conditions);
            }
            if conditions {
                terms.extend(prototype.condition.iter().copied());
            }
        }
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

    /// Whether some cell has a byte of a range.
    pub(crate) fn has_cells_in(&self, offset: u64, size: u64) -> bool {
        let before = self.cells.range(..offset).next_back();
        before.is_some_and(|(&start, cell)| start + cell.size > offset)
            || self.cells.range(offset..offset + size).next().is_some()
    }

    /// How deep prototypes are nested in this block.
    pub(crate) fn height(&self) -> u32 {
        self.prototypes().iter().map(|prototype| prototype.height + 1).max().unwrap_or(0)
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
    /// What the links of a tree hold that lead to no node, if it is not null.
    Leaf,
    /// The number in the first node of a sorted segment, or in the leftmost of a search tree.
    First,
    /// The number in its last node, or in the rightmost.
    Last,
    /// The number in the node of a search tree that is next to its hole on the left.
    BeforeHole,
    /// The same on the right.
    BehindHole,
    /// The number in the root of a tree whose nodes are related to those below them, at one of these places.
    Root(u8),
    /// The number in the node of such a tree that has the hole.
    AboveHole(u8),
    /// How many nodes a segment or a tree has.
    Length,
    /// How high a tree is.
    Height,
    /// An argument of an instance of a user's predicate.
    Argument(u8),
    /// An argument of what is in its hole.
    HoleArgument(u8),
    /// The array that a row or a slot is in.
    Array,
    /// Where in it a row begins, or a slot is.
    From,
    /// Where a row ends.
    To,
}

impl End {
    pub(crate) const ALL: [End; 28] = [
        End::Next,
        End::Previous,
        End::Leaf,
        End::First,
        End::Last,
        End::BeforeHole,
        End::BehindHole,
        End::Root(0),
        End::Root(1),
        End::AboveHole(0),
        End::AboveHole(1),
        End::Length,
        End::Height,
        End::Argument(0),
        End::Argument(1),
        End::Argument(2),
        End::Argument(3),
        End::Argument(4),
        End::Argument(5),
        End::HoleArgument(0),
        End::HoleArgument(1),
        End::HoleArgument(2),
        End::HoleArgument(3),
        End::HoleArgument(4),
        End::HoleArgument(5),
        End::Array,
        End::From,
        End::To,
    ];
}

/// What a node can be: its cells, and the blocks that only it reaches. Blocks and numbers that each
/// node has for itself have stand-ins in place of names ([`crate::summary::prototype`]), and so have the links to
/// its successor and predecessor, wherever they are held; all other names are those of the state
/// around, and mean the same for every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prototype {
    /// How deep prototypes are nested in this one: their stand-ins differ from those here.
    pub(crate) height: u32,
    /// The node is the first of them.
    pub(crate) blocks: OrdMap<BlockId, Arc<Block>>,
    /// Numbers that each node has for itself.
    pub(crate) numbers: Vec<TermId>,
    /// What holds of them, for each node.
    pub(crate) condition: Vec<TermId>,
    /// What each node has at each link to those below it, if it is of a tree that tells its nodes apart by that.
    pub(crate) links: Vec<AtLink>,
}

impl Prototype {
    /// The node itself.
    pub(crate) fn node(&self) -> &Block {
        self.blocks.values().next().expect("a prototype has a node")
    }

    /// The offsets in the node itself at which it holds some value.
    pub(crate) fn offsets_of(&self, value: TermId) -> impl Iterator<Item = u64> {
        self.node()
            .cells
            .iter()
            .filter(move |(_, cell)| cell.value == value)
            .map(|(&offset, _)| offset)
    }
}
