//! List segments: a chain of nodes, with what holds along it.

use std::fmt::Write as _;
use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::heap::block::{BlockId, End, Origin, Prototype};
use crate::heap::language::Sequence;
use crate::heap::order::Sorted;
use crate::heap::prototype::Neighbours;
use crate::heap::role::Summary;
use crate::heap::spelling::Spelling;

/// What is beyond the ends of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// What the last node has as its successor.
    pub(crate) next: TermId,
    /// What the first node has as its predecessor, where nodes know theirs.
    pub(crate) previous: Option<TermId>,
}

/// A chain of at least `minimum` heap blocks, each of which knows its successor. All that nodes have
/// is told by their prototypes; the block has no cells.
///
/// One that may be empty is linked in one direction and ends in null: its name is the address of its first
/// node, or null. Nothing is assumed of such a name, and whoever asks more of it than to be copied decides
/// first which it is ([`crate::summary::list::unfold`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) ends: Ends,
    /// The block that stands for the last node, where nodes know their predecessors too.
    pub(crate) last: Option<BlockId>,
    /// Where in a node the links point to.
    pub(crate) head: u64,
    /// Where in a node the links back point to: mostly there too, but it may be the link itself (`**previous`).
    pub(crate) back: u64,
    pub(crate) minimum: u32,
    /// How many nodes there are, as wide as a pointer, if that is told.
    pub(crate) length: Option<TermId>,
    /// How its nodes are sorted, if they are.
    pub(crate) order: Option<Sorted>,
    /// Which numbers its nodes have, at places where another chain has the same.
    pub(crate) spellings: Vec<Spelling>,
    /// Every node is of one of these prototypes.
    pub(crate) prototypes: Vec<Arc<Prototype>>,
    /// Which prototypes may follow which, if not all may.
    pub(crate) sequence: Option<Sequence>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

impl Segment {
    /// A segment of which no facts are known but that it is not empty.
    pub(crate) fn new(
        ends: Ends,
        last: Option<BlockId>,
        head: u64,
        prototypes: Vec<Arc<Prototype>>,
        origins: OrdSet<Origin>,
    ) -> Segment {
        let (minimum, length, order, sequence) = (1, None, None, None);
        let (back, spellings) = (head, Vec::new());
        Segment {
            ends,
            last,
            head,
            back,
            minimum,
            length,
            order,
            spellings,
            prototypes,
            sequence,
            origins,
        }
    }

    /// Whether it may have no node.
    pub(crate) fn may_be_empty(&self) -> bool {
        self.minimum == 0
    }

    /// What the last node has as its successor, and the first as its predecessor.
    pub(crate) fn neighbours(&self) -> Neighbours {
        let Ends { next, previous } = self.ends;
        // Where nodes do not know their predecessors, none is ever put in.
        Neighbours { next, previous: previous.unwrap_or(next) }
    }
}

impl Summary for Segment {
    fn prototypes(&self) -> &[Arc<Prototype>] {
        &self.prototypes
    }

    fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>] {
        &mut self.prototypes
    }

    fn end(&self, end: End) -> Option<TermId> {
        match end {
            End::Next => Some(self.ends.next),
            End::Previous => self.ends.previous,
            End::First => self.order.map(|sorted| sorted.first),
            End::Last => self.order.map(|sorted| sorted.last),
            End::Length => self.length,
            End::Leaf
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::Array
            | End::From
            | End::To => None,
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Next => Some(&mut self.ends.next),
            End::Previous => self.ends.previous.as_mut(),
            End::First => self.order.as_mut().map(|sorted| &mut sorted.first),
            End::Last => self.order.as_mut().map(|sorted| &mut sorted.last),
            End::Length => self.length.as_mut(),
            End::Leaf
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::Array
            | End::From
            | End::To => None,
        }
    }

    fn end_size(&self, end: End) -> Option<u64> {
        match end {
            End::Next
            | End::Previous
            | End::Leaf
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Height
            | End::Length
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::Array
            | End::From
            | End::To => None,
            End::First | End::Last => self.order.map(|sorted| sorted.order.size),
        }
    }

    fn origins(&self) -> &OrdSet<Origin> {
        &self.origins
    }

    fn peer(&self) -> Option<BlockId> {
        self.last
    }

    fn peer_mut(&mut self) -> Option<&mut BlockId> {
        self.last.as_mut()
    }

    fn is_well_formed(&self) -> bool {
        let is_told = self.order.is_some() || !self.spellings.is_empty();
        let is_plain = self.last.is_none() && self.head == 0 && !is_told;
        (self.last.is_some() || self.back == self.head)
            && (!self.may_be_empty() || is_plain)
            && !self.prototypes.is_empty()
            && self.ends.previous.is_some() == self.last.is_some()
    }

    fn words_of_line(&self, name: &dyn Fn(BlockId) -> String) -> Vec<String> {
        let mut list = format!("list of {}+", self.minimum);
        if let Some(last) = self.last {
            let _ = write!(list, " and back from {}", name(last));
        }
        if self.head != 0 || self.back != 0 {
            let _ = write!(list, " to +{}", self.head);
        }
        if self.back != self.head {
            let _ = write!(list, " and +{}", self.back);
        }
        let order = self.order.map(|sorted| sorted.order.words());
        std::iter::once(list).chain(order).collect()
    }
}
