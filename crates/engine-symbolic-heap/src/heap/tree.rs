//! Trees: a root and all nodes below it, but for those behind a hole.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::heap::at_link::AtLink;
use crate::heap::block::{BlockId, End, Origin, Prototype};
use crate::heap::downward::{Downward, MOST_DOWNWARD};
use crate::heap::measures::Measures;
use crate::heap::order::Order;
use crate::heap::role::Summary;

/// At least one heap block, unless it may be empty, each linked to those below it. Every link is null, or a sentinel in its place, or leads
/// to a node, but for one, of any node, if there is a hole. All that nodes have but the links is told by their
/// prototypes; the block has no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) links: TreeLinks,
    /// What the link holds that leads out of the tree, if there is one.
    pub(crate) hole: Option<TermId>,
    /// What all links hold that lead to no node, if it is not null but leads to a block that is none of the tree's nodes: a
    /// sentinel. There is such a link in every concrete tree.
    pub(crate) leaf: Option<TermId>,
    /// What the root has as its parent, if nodes know theirs.
    pub(crate) parent: Option<TermId>,
    /// The block that stands for the node above the hole, if nodes know their parents.
    pub(crate) above: Option<BlockId>,
    /// Whether it may have no node at all, and its name be null. Only a tree without a hole, whose links lead to where nodes
    /// begin, and that tells nothing else of its ends.
    pub(crate) may_be_empty: bool,
    /// How its nodes are sorted from left to right, if they are.
    pub(crate) order: Option<InOrder>,
    /// How the numbers of nodes are related to those right below them, each at a place of its own.
    pub(crate) downward: Vec<Downward>,
    /// How many nodes it has, and how high it is.
    pub(crate) measures: Option<Measures>,
    /// Every node is of one of these prototypes.
    pub(crate) prototypes: Vec<Arc<Prototype>>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

impl Tree {
    /// Whether null in the place of its name would say all.
    pub(crate) fn can_be_empty(&self) -> bool {
        let is_unrelated =
            self.order.is_none() && self.downward.is_empty() && self.measures.is_none();
        let has_no_end = self.hole.is_none() && self.leaf.is_none() && self.parent.is_none();
        has_no_end && is_unrelated && self.links.head == 0 && !self.tells_links()
    }

    /// Whether its prototypes tell which links of a node lead on.
    pub(crate) fn tells_links(&self) -> bool {
        self.prototypes.iter().any(|prototype| !prototype.links.is_empty())
    }

    /// Whether all of its prototypes tell that, or none does. Where they do, it tells of nothing that rests on where leaves are.
    fn are_links_well_formed(&self) -> bool {
        let count = self.links.children.len();
        let is_told = |prototype: &Arc<Prototype>| prototype.links.len() == count;
        let is_compared = self.order.is_some() || !self.downward.is_empty();
        let has_other_ends = self.leaf.is_some() || is_compared || self.measures.is_some();
        let is_filled = |prototype: &Arc<Prototype>| {
            let mut links = self.links.children.iter().zip(&prototype.links);
            links.any(|(offset, at)| {
                *at != AtLink::Bytes && prototype.node().cells.contains_key(offset)
            })
        };
        !self.tells_links()
            || self.prototypes.iter().all(is_told)
                && !self.prototypes.iter().any(is_filled)
                && !has_other_ends
    }
}

/// Nodes with two links, read from left to right, are sorted ([`crate::summary::tree::order`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InOrder {
    pub(crate) order: Order,
    /// The number in the leftmost node.
    pub(crate) first: TermId,
    /// The number in the rightmost node.
    pub(crate) last: TermId,
    /// What is on both sides of the hole, if there is one.
    pub(crate) gap: Option<Gap>,
}

impl InOrder {
    /// All its numbers.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (End, TermId)> {
        let gap = self.gap.unwrap_or(Gap { before: None, behind: None });
        let ends = [(End::First, Some(self.first)), (End::Last, Some(self.last))];
        let sides = [(End::BeforeHole, gap.before), (End::BehindHole, gap.behind)];
        ends.into_iter().chain(sides).filter_map(|(end, number)| Some((end, number?)))
    }
}

/// The numbers in the nodes next to the hole. There is none on a side of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) before: Option<TermId>,
    pub(crate) behind: Option<TermId>,
}

impl Gap {
    /// Whether two have nodes on the same sides.
    pub(crate) fn is_like(self, other: Gap) -> bool {
        self.before.is_some() == other.before.is_some()
            && self.behind.is_some() == other.behind.is_some()
    }
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

impl Summary for Tree {
    fn prototypes(&self) -> &[Arc<Prototype>] {
        &self.prototypes
    }

    fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>] {
        &mut self.prototypes
    }

    fn end(&self, end: End) -> Option<TermId> {
        match end {
            End::Next => self.hole,
            End::Previous => self.parent,
            End::Leaf => self.leaf,
            End::First | End::Last | End::BeforeHole | End::BehindHole => {
                self.order?.ends().find(|(has, _)| *has == end).map(|(_, number)| number)
            }
            End::Root(index) => self.downward.get(usize::from(index)).map(|one| one.root),
            End::AboveHole(index) => self.downward.get(usize::from(index))?.above_hole,
            End::Length => self.measures.as_ref().map(|measures| measures.size),
            End::Height => Some(self.measures.as_ref()?.whole.as_ref()?.height),
            End::Argument(_) | End::HoleArgument(_) | End::Array | End::From | End::To => None,
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Next => self.hole.as_mut(),
            End::Previous => self.parent.as_mut(),
            End::Leaf => self.leaf.as_mut(),
            End::First => self.order.as_mut().map(|sorted| &mut sorted.first),
            End::Last => self.order.as_mut().map(|sorted| &mut sorted.last),
            End::BeforeHole => self.order.as_mut()?.gap.as_mut()?.before.as_mut(),
            End::BehindHole => self.order.as_mut()?.gap.as_mut()?.behind.as_mut(),
            End::Root(index) => self.downward.get_mut(usize::from(index)).map(|one| &mut one.root),
            End::AboveHole(index) => self.downward.get_mut(usize::from(index))?.above_hole.as_mut(),
            End::Length => self.measures.as_mut().map(|measures| &mut measures.size),
            End::Height => Some(&mut self.measures.as_mut()?.whole.as_mut()?.height),
            End::Argument(_) | End::HoleArgument(_) | End::Array | End::From | End::To => None,
        }
    }

    fn end_size(&self, end: End) -> Option<u64> {
        match end {
            End::Next
            | End::Previous
            | End::Leaf
            | End::Length
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::Array
            | End::From
            | End::To => None,
            End::First | End::Last | End::BeforeHole | End::BehindHole => {
                self.order.map(|sorted| sorted.order.size)
            }
            End::Root(index) | End::AboveHole(index) => {
                self.downward.get(usize::from(index)).map(|one| one.place.size)
            }
        }
    }

    fn origins(&self) -> &OrdSet<Origin> {
        &self.origins
    }

    fn peer(&self) -> Option<BlockId> {
        self.above
    }

    fn peer_mut(&mut self) -> Option<&mut BlockId> {
        self.above.as_mut()
    }

    fn is_well_formed(&self) -> bool {
        let knows_parents = self.links.parent.is_some();
        let is_order_whole = self.order.is_none_or(|sorted| {
            let has_sides = |gap: Gap| gap.before.is_some() || gap.behind.is_some();
            self.links.children.len() == 2
                && sorted.gap.is_some() == self.hole.is_some()
                && sorted.gap.is_none_or(has_sides)
        });
        let are_related = self.downward.len() <= MOST_DOWNWARD
            && self.downward.iter().all(|one| one.is_well_formed(self.hole.is_some()));
        let (links, has_hole) = (self.links.children.len(), self.hole.is_some());
        let are_measures_right =
            self.measures.as_ref().is_none_or(|one| one.is_well_formed(links, has_hole));
        !self.prototypes.is_empty()
            && is_order_whole
            && are_measures_right
            && are_related
            && self.are_links_well_formed()
            && (!self.may_be_empty || self.can_be_empty())
            && self.parent.is_some() == knows_parents
            && self.above.is_some() == (knows_parents && self.hole.is_some())
    }

    fn words_of_line(&self, name: &dyn Fn(BlockId) -> String) -> Vec<String> {
        let few = if self.may_be_empty { "of 0+ " } else { "" };
        let mut text = format!("tree {few}{}", self.links);
        if let Some(above) = self.above {
            let _ = write!(text, " from {}", name(above));
        }
        if self.links.head != 0 {
            let _ = write!(text, " to +{}", self.links.head);
        }
        let order = self.order.map(|sorted| sorted.order.words());
        let downward = self.downward.iter().map(Downward::words);
        let measures = self.measures.iter().flat_map(Measures::words);
        std::iter::once(text).chain(order).chain(downward).chain(measures).collect()
    }
}
