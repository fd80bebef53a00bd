//! Trees: a root and all nodes below it, but for those behind a hole.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::heap::block::{BlockId, End, Origin, Prototype};
use crate::heap::role::Summary;

/// At least one heap block, each linked to those below it. Every link is null or leads to a node,
/// but for one, of any node, if there is a hole. All that nodes have but the links is told by their
/// prototypes; the block has no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) links: TreeLinks,
    /// What the link holds that leads out of the tree, if there is one.
    pub(crate) hole: Option<TermId>,
    /// What the root has as its parent, if nodes know theirs.
    pub(crate) parent: Option<TermId>,
    /// The block that stands for the node above the hole, if nodes know their parents.
    pub(crate) above: Option<BlockId>,
    /// Every node is of one of these prototypes.
    pub(crate) prototypes: Vec<Arc<Prototype>>,
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
            End::First | End::Last | End::Length => None,
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Next => self.hole.as_mut(),
            End::Previous => self.parent.as_mut(),
            End::First | End::Last | End::Length => None,
        }
    }

    fn end_size(&self, _: End) -> Option<u64> {
        None
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
        !self.prototypes.is_empty()
            && self.parent.is_some() == knows_parents
            && self.above.is_some() == (knows_parents && self.hole.is_some())
    }

    fn words_of_line(&self, name: &dyn Fn(BlockId) -> String) -> Vec<String> {
        let mut text = format!("tree {}", self.links);
        if let Some(above) = self.above {
            let _ = write!(text, " from {}", name(above));
        }
        if self.links.head != 0 {
            let _ = write!(text, " to +{}", self.links.head);
        }
        vec![text]
    }
}
