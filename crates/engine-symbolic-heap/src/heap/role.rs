//! Roles: what a block stands for. Nobody else can match on roles; what lists and trees have
//! in common is a [`Summary`], and all else is asked by whether a block is one of them.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::heap::block::{Block, BlockId, End, Origin, Prototype};
use crate::heap::instance::Instance;
use crate::heap::row::{Row, Slot};
use crate::heap::segment::Segment;
use crate::heap::tree::Tree;

/// What a block stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role(StandsFor);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum StandsFor {
    /// Itself.
    #[default]
    Single,
    /// The first of a chain of equal nodes, and all the others with it.
    Segment(Segment),
    /// The root of a tree, and all nodes below it.
    Tree(Tree),
    /// The root of an instance of a user's predicate, and all nodes that hang on it.
    Instance(Instance),
    /// The node at the other end of the summary that starts with this block: the last one of a doubly
    /// linked segment, or the one above the hole of a tree.
    PeerOf(BlockId),
    /// Elements of an array, and what hangs on them.
    Row(Row),
    /// Itself, which is one element of an array.
    Slot(Slot),
}

/// What a block has that stands for many nodes.
pub(crate) trait Summary {
    /// What each of its nodes can be.
    fn prototypes(&self) -> &[Arc<Prototype>];

    fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>];

    /// What is at an end, if it has it.
    fn end(&self, end: End) -> Option<TermId>;

    fn end_mut(&mut self, end: End) -> Option<&mut TermId>;

    /// Bytes of what is at an end, unless it is a pointer.
    fn end_size(&self, end: End) -> Option<u64>;

    /// Where its nodes were made.
    fn origins(&self) -> &OrdSet<Origin>;

    /// The block that stands for the node at its other end.
    fn peer(&self) -> Option<BlockId>;

    fn peer_mut(&mut self) -> Option<&mut BlockId>;

    /// Whether it tells of its ends what it must, and no more.
    fn is_well_formed(&self) -> bool;

    /// What it is, in the words of a block's line.
    fn words_of_line(&self, name: &dyn Fn(BlockId) -> String) -> Vec<String>;
}

impl Role {
    /// The node at the other end of the summary that starts with a block.
    pub(crate) fn peer_of(first: BlockId) -> Role {
        Role(StandsFor::PeerOf(first))
    }

    pub(crate) fn summary(&self) -> Option<&dyn Summary> {
        match &self.0 {
            StandsFor::Segment(segment) => Some(segment),
            StandsFor::Tree(tree) => Some(tree),
            StandsFor::Instance(instance) => Some(instance),
            StandsFor::Row(row) => Some(row),
            StandsFor::Single | StandsFor::PeerOf(_) | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn summary_mut(&mut self) -> Option<&mut dyn Summary> {
        match &mut self.0 {
            StandsFor::Segment(segment) => Some(segment),
            StandsFor::Tree(tree) => Some(tree),
            StandsFor::Instance(instance) => Some(instance),
            StandsFor::Row(row) => Some(row),
            StandsFor::Single | StandsFor::PeerOf(_) | StandsFor::Slot(_) => None,
        }
    }

    /// One end of what it stands for, if it has it.
    pub(crate) fn end(&self, end: End) -> Option<TermId> {
        match &self.0 {
            StandsFor::Slot(slot) => slot.end(end),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_) => self.summary()?.end(end),
        }
    }

    pub(crate) fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match &mut self.0 {
            StandsFor::Slot(slot) => slot.end_mut(end),
            StandsFor::Segment(segment) => segment.end_mut(end),
            StandsFor::Tree(tree) => tree.end_mut(end),
            StandsFor::Instance(instance) => instance.end_mut(end),
            StandsFor::Row(row) => row.end_mut(end),
            StandsFor::Single | StandsFor::PeerOf(_) => None,
        }
    }

    /// Changes what all its ends hold.
    pub(crate) fn change_ends(&mut self, mut change: impl FnMut(TermId) -> TermId) {
        if self.0 == StandsFor::Single {
            return;
        }
        for end in End::ALL {
            if let Some(value) = self.end_mut(end) {
                *value = change(*value);
            }
        }
    }

    /// Changes the name of the block at its other end.
    pub(crate) fn rename_peer(&mut self, name: impl Fn(BlockId) -> BlockId) {
        let peer = match &mut self.0 {
            StandsFor::PeerOf(first) => Some(first),
            StandsFor::Segment(_) | StandsFor::Tree(_) | StandsFor::Instance(_) => {
                self.summary_mut().and_then(|summary| summary.peer_mut())
            }
            StandsFor::Single | StandsFor::Row(_) | StandsFor::Slot(_) => None,
        };
        if let Some(peer) = peer {
            *peer = name(*peer);
        }
    }

    pub(crate) fn segment_mut(&mut self) -> Option<&mut Segment> {
        match &mut self.0 {
            StandsFor::Segment(segment) => Some(segment),
            StandsFor::Single
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_)
            | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>] {
        self.summary_mut().map_or(&mut [], |summary| summary.prototypes_mut())
    }
}

impl From<Segment> for Role {
    fn from(segment: Segment) -> Role {
        Role(StandsFor::Segment(segment))
    }
}

impl From<Tree> for Role {
    fn from(tree: Tree) -> Role {
        Role(StandsFor::Tree(tree))
    }
}

impl From<Instance> for Role {
    fn from(instance: Instance) -> Role {
        Role(StandsFor::Instance(instance))
    }
}

impl From<Row> for Role {
    fn from(row: Row) -> Role {
        Role(StandsFor::Row(row))
    }
}

impl From<Slot> for Role {
    fn from(slot: Slot) -> Role {
        Role(StandsFor::Slot(slot))
    }
}

impl Block {
    /// Whether it stands for itself.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.role.0, StandsFor::Single | StandsFor::Slot(_))
    }

    /// Whether it stands for the node at the other end of a summary.
    pub(crate) fn is_peer(&self) -> bool {
        self.peer_of().is_some()
    }

    /// The block at the start of the summary of whose other end this is the node.
    pub(crate) fn peer_of(&self) -> Option<BlockId> {
        match self.role.0 {
            StandsFor::PeerOf(first) => Some(first),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::Row(_)
            | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn make_peer_of(&mut self, first: BlockId) {
        self.role = Role::peer_of(first);
    }

    pub(crate) fn segment(&self) -> Option<&Segment> {
        match &self.role.0 {
            StandsFor::Segment(segment) => Some(segment),
            StandsFor::Single
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_)
            | StandsFor::Slot(_) => None,
        }
    }

    /// Whether it stands for a list or a tree that may be empty, so that its name may be null.
    pub(crate) fn may_be_empty(&self) -> bool {
        self.segment().is_some_and(Segment::may_be_empty)
            || self.tree().is_some_and(|tree| tree.may_be_empty)
    }

    pub(crate) fn tree(&self) -> Option<&Tree> {
        match &self.role.0 {
            StandsFor::Tree(tree) => Some(tree),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_)
            | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn instance(&self) -> Option<&Instance> {
        match &self.role.0 {
            StandsFor::Instance(instance) => Some(instance),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Tree(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_)
            | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn row(&self) -> Option<&Row> {
        match &self.role.0 {
            StandsFor::Row(row) => Some(row),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Slot(_) => None,
        }
    }

    pub(crate) fn slot(&self) -> Option<Slot> {
        match self.role.0 {
            StandsFor::Slot(slot) => Some(slot),
            StandsFor::Single
            | StandsFor::Segment(_)
            | StandsFor::Tree(_)
            | StandsFor::Instance(_)
            | StandsFor::PeerOf(_)
            | StandsFor::Row(_) => None,
        }
    }

    /// Whether it stands for many nodes.
    pub(crate) fn is_summary(&self) -> bool {
        self.role.summary().is_some()
    }

    /// Whether two blocks stand for the same sort of thing.
    pub(crate) fn has_role_of(&self, other: &Block) -> bool {
        std::mem::discriminant(&self.role.0) == std::mem::discriminant(&other.role.0)
    }

    /// What each of its nodes can be.
    pub(crate) fn prototypes(&self) -> &[Arc<Prototype>] {
        self.role.summary().map_or(&[], Summary::prototypes)
    }

    /// The ends of what it stands for.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (End, TermId)> + '_ {
        let ends = if self.role.0 == StandsFor::Single { &[][..] } else { &End::ALL };
        ends.iter().filter_map(|&end| Some((end, self.end(end)?)))
    }

    /// One end of what it stands for, if it has it.
    pub(crate) fn end(&self, end: End) -> Option<TermId> {
        self.role.end(end)
    }

    /// Where its nodes were made.
    pub(crate) fn origins(&self) -> OrdSet<Origin> {
        self.role
            .summary()
            .map_or_else(|| OrdSet::unit(self.origin), |summary| summary.origins().clone())
    }

    /// The other end of a doubly linked segment, or of a tree with a hole.
    pub(crate) fn partner(&self) -> Option<BlockId> {
        self.peer_of().or_else(|| self.role.summary()?.peer())
    }
}
