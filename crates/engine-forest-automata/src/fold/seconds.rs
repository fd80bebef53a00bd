//! Second links: those that lead to a block which another link holds, and that a tree certainly has.
//!
//! A node of a skip list is held by its highest level; the levels below lead to it as well, and when the highest level is
//! gone, they hold it. So what a tree has is told by holes, also for blocks that are held elsewhere. From the second link
//! on, the hole goes up to a block that has another link to the same place and names it, or to the top of the tree, if it
//! leads to a cut point. No block hands on two holes for one place; a link that would need that is a plain one, of
//! which nobody knows whether the tree has it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_forest_text::{Base, BlockId, Body};

use crate::fold::Strangers;
use crate::fold::plan::{Link, Plan, count_ups};
use crate::rework::lies_beside;

/// What is told of links of a tree to cut points that other trees hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondLinks {
    /// That they are certainly there, as the levels of skip lists need it.
    Certain,
    /// That they may be there: fewer forests differ.
    Possible,
}

/// Whose link it is that a block hands a hole on for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hands {
    /// The one that holds the block.
    Holding,
    Second,
}

#[derive(Debug, Default)]
pub(super) struct Seconds {
    /// Where second links lead.
    links: BTreeMap<Link, BlockId>,
    /// Holes of closed blocks that become plain parameters.
    plain: BTreeSet<Link>,
    /// The holes that blocks hand on: the block, and where the hole leads.
    hands: BTreeMap<(BlockId, BlockId), Hands>,
}

impl Seconds {
    pub(super) fn is_plain(&self, link: Link) -> bool {
        self.plain.contains(&link)
    }

    /// Whether a block hands on a hole for a second link to that place.
    pub(super) fn hands_second(&self, block: BlockId, to: BlockId) -> bool {
        self.hands.get(&(block, to)) == Some(&Hands::Second)
    }

    /// The blocks that open cells of this one lead to second.
    pub(super) fn kids(&self, block: BlockId) -> BTreeMap<u64, BlockId> {
        let cells = self.links.range(Link::Cell(block, 0)..=Link::Cell(block, u64::MAX));
        let kid = |(link, kid): (&Link, &BlockId)| match link {
            Link::Cell(_, offset) => Some((*offset, *kid)),
            Link::Hole(..) => None,
        };
        cells.filter_map(kid).collect()
    }
}

impl Plan<'_> {
    /// Finds the second links of all blocks, in the order in which trees are grown: from the tops down.
    pub(super) fn find_seconds(&mut self, order: &[BlockId]) {
        self.seconds = Seconds::default();
        for cut in self.cuts() {
            if let Some(Link::Cell(holder, _) | Link::Hole(holder, _)) = self.link(*cut) {
                for block in self.way_up(holder) {
                    self.seconds.hands.insert((block, *cut), Hands::Holding);
                }
            }
        }
        for block in order {
            for (link, to) in self.links_of(*block) {
                let is_holding = self.link(to) == Some(link);
                if is_holding || to == *block {
                    continue;
                }
                match (self.second_way(*block, link, to), link) {
                    (Some(way), _) => {
                        self.seconds.links.insert(link, to);
                        let hands = way.into_iter().map(|block| ((block, to), Hands::Second));
                        self.seconds.hands.extend(hands);
                    }
                    (None, Link::Hole(..)) => {
                        self.seconds.plain.insert(link);
                    }
                    (None, Link::Cell(..)) => {}
                }
            }
        }
    }

    /// Cells that lead to blocks, and holes that are told nothing.
    fn links_of(&self, block: BlockId) -> Vec<(Link, BlockId)> {
        let body = &self.forest.blocks[&block];
        match body {
            Body::Open { cells, .. } => {
                let link = |offset: u64, base: Option<Base>| match base {
                    Some(Base::Block(to)) => Some((Link::Cell(block, offset), to)),
                    Some(Base::Up(..)) | None => None,
                };
                cells.iter().filter_map(|(offset, cell)| link(*offset, cell.holds.base())).collect()
            }
            Body::Closed { .. } => {
                let holes = body.holes().into_iter();
                let untold = holes.filter(|(index, _)| count_ups(body, *index) == 0);
                untold.map(|(index, to)| (Link::Hole(block, index), to)).collect()
            }
        }
    }

    /// The blocks that hand the hole on, if they can.
    fn second_way(&self, block: BlockId, link: Link, to: BlockId) -> Option<Vec<BlockId>> {
        let is_named = self.names(block, to);
        let is_back = match link {
            Link::Cell(..) => self.lies_above(to, block),
            Link::Hole(..) => false,
        };
        if is_named || is_back {
            return None;
        }
        let mut way: Vec<BlockId> = Vec::new();
        for at in self.way_up(block) {
            if let Some(last) = way.last()
                && (self.names(at, to) || self.names_beside(at, *last, to))
            {
                return Some(way);
            }
            if self.seconds.hands.contains_key(&(at, to)) {
                return None;
            }
            way.push(at);
        }
        // At the top: cut points have names there. Others become cut points if a closed block has a hole for them, or are
        // forgotten.
        (self.is_cut(to) && self.second_links == SecondLinks::Certain
            || matches!(link, Link::Hole(..)) && self.strangers == Strangers::Named)
            .then_some(way)
    }

    /// Whether an open block has a link to another one that the tree names, so that those below can be given it.
    pub(super) fn names(&self, block: BlockId, to: BlockId) -> bool {
        self.kids(block).values().chain(self.seconds.kids(block).values()).any(|kid| *kid == to)
    }

    /// Whether a closed block can give what hangs in one of its holes what another hole leads to.
    fn names_beside(&self, block: BlockId, hangs: BlockId, to: BlockId) -> bool {
        match self.link(hangs) {
            Some(Link::Hole(holder, hole)) if holder == block => {
                self.beside(block, hole, Base::Block(to)).is_some()
            }
            Some(Link::Hole(..) | Link::Cell(..)) | None => false,
        }
    }

    /// The hole of a closed block that leads to a base, and can be named where another hole is.
    pub(super) fn beside(&self, block: BlockId, hole: usize, base: Base) -> Option<usize> {
        let body = &self.forest.blocks[&block];
        let Body::Closed { automaton, state, .. } = body else { return None };
        let is_other = |(other, to): &(usize, BlockId)| {
            *other != hole
                && base == Base::Block(*to)
                && !self.seconds.is_plain(Link::Hole(block, *other))
        };
        let (other, _) = body.holes().into_iter().find(is_other)?;
        lies_beside(automaton, *state, (other, hole)).then_some(other)
    }

    /// A block and those above it in its tree.
    pub(super) fn way_up(&self, block: BlockId) -> Vec<BlockId> {
        let mut way = vec![block];
        let mut at = block;
        while !self.is_cut(at)
            && let Some(Link::Cell(holder, _) | Link::Hole(holder, _)) = self.link(at)
            && !way.contains(&holder)
        {
            way.push(holder);
            at = holder;
        }
        way
    }

    /// Whether a block lies above another one, in its tree or in those that this one hangs on.
    pub(super) fn lies_above(&self, above: BlockId, block: BlockId) -> bool {
        let mut passed = BTreeSet::new();
        let mut at = block;
        while passed.insert(at)
            && let Some(Link::Cell(holder, _) | Link::Hole(holder, _)) = self.link(at)
        {
            if holder == above {
                return true;
            }
            at = holder;
        }
        false
    }
}
