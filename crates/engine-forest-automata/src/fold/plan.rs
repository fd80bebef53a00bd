//! The plan of a fold: which link is the one that holds a block, and what blocks need to know of others.
//!
//! From each cut point on, trees are grown depth first until cut points; all links of a block come before those of the blocks
//! that they hold. A block that is reached another way than by
//! the link that holds it must be known there: it is the block itself, one of its kids, or comes down from
//! above as a parameter; a cut point in a hole is told what it needs where its link is. What comes down from
//! nowhere is missing: it becomes a cut point, too.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_forest_text::{Base, BlockId, Body, Cells, Forest, Parameter, Value};

use crate::fold::back::BackLinks;
use crate::fold::seconds::{SecondLinks, Seconds};
use crate::fold::{Precision, Strangers};

/// The link that holds a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Link {
    /// A cell of an open block.
    Cell(BlockId, u64),
    /// Somewhere in the tree of a closed block, for which this parameter stands.
    Hole(BlockId, usize),
}

/// What a block needs to know: a base, as a value or as a hole.
pub(crate) type Need = (Base, Sort);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Hole,
    Plain,
}

/// Links that may hold blocks: first those whose words never led back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Forth,
    All,
}

/// Which links can hold a cut point that lies above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Circles {
    /// None: what is above is known by name, as parents and roots are.
    Named,
    /// Those that do not lead to the next block above: so the last link of a circle holds its first block.
    Held,
}

#[derive(Debug)]
pub(crate) struct Plan<'f> {
    pub(crate) forest: &'f Forest,
    circles: Circles,
    pub(super) back: &'f BackLinks,
    pub(super) second_links: SecondLinks,
    pub(super) strangers: Strangers,
    cuts: &'f [BlockId],
    /// The cut point whose tree a block is in.
    pub(super) tops: BTreeMap<BlockId, BlockId>,
    links: BTreeMap<BlockId, Link>,
    /// Links to blocks that others hold.
    pub(super) seconds: Seconds,
    needs: BTreeMap<BlockId, Vec<Need>>,
    /// What cut points are told that an open block holds.
    ups: BTreeMap<BlockId, Vec<Base>>,
}

/// Rounds until what cut points are told does not change.
const MOST_ROUNDS: usize = 12;

impl<'f> Plan<'f> {
    pub(crate) fn of(
        forest: &'f Forest,
        cuts: &'f [BlockId],
        (precision, back): (Precision, &'f BackLinks),
    ) -> Plan<'f> {
        let Precision { circles, second_links, strangers, .. } = precision;
        let (links, tops) = (BTreeMap::new(), BTreeMap::new());
        let (needs, ups) = (BTreeMap::new(), BTreeMap::new());
        let seconds = Seconds::default();
        let mut plan = Plan {
            forest,
            circles,
            back,
            second_links,
            strangers,
            cuts,
            tops,
            links,
            seconds,
            needs,
            ups,
        };
        let order = plan.grow();
        plan.find_seconds(&order);
        for _ in 0..MOST_ROUNDS {
            plan.needs.clear();
            for cut in cuts {
                plan.find_needs(*cut);
            }
            let told = |cut: &BlockId| (*cut, plan.told_by_cell(*cut));
            let ups: BTreeMap<BlockId, Vec<Base>> = cuts.iter().map(told).collect();
            if ups == plan.ups {
                break;
            }
            plan.ups = ups;
        }
        plan
    }

    pub(crate) fn is_cut(&self, block: BlockId) -> bool {
        self.cuts.contains(&block)
    }

    pub(super) fn cuts(&self) -> &'f [BlockId] {
        self.cuts
    }

    /// The link that holds a block.
    pub(super) fn link(&self, block: BlockId) -> Option<Link> {
        self.links.get(&block).copied()
    }

    /// Finds the link that holds each block; gives the blocks in the order in which they were come to.
    fn grow(&mut self) -> Vec<BlockId> {
        let forest = self.forest;
        for (holder, body) in &forest.blocks {
            for (index, held) in body.holes() {
                // What is told in a hole is known there alone.
                if count_ups(body, index) > 0 {
                    self.links.insert(held, Link::Hole(*holder, index));
                }
            }
        }
        let mut order = Vec::new();
        for round in [Round::Forth, Round::All] {
            for cut in self.cuts {
                let mut passed = BTreeSet::from([*cut]);
                let mut pending = vec![*cut];
                while let Some(block) = pending.pop() {
                    if self.tops.insert(block, *cut).is_none() {
                        order.push(block);
                    }
                    for kid in self.claim_kids(block, round).into_iter().rev() {
                        if !self.is_cut(kid) && passed.insert(kid) {
                            pending.push(kid);
                        }
                    }
                }
            }
        }
        order
    }

    /// The blocks that links of this one hold.
    fn claim_kids(&mut self, block: BlockId, round: Round) -> Vec<BlockId> {
        let forest = self.forest;
        let mut kids = Vec::new();
        match &forest.blocks[&block] {
            Body::Open { cells, .. } => {
                for (offset, cell) in cells {
                    let Some(Base::Block(kid)) = cell.holds.base() else { continue };
                    let link = Link::Cell(block, *offset);
                    let is_late = || self.back.is_back(forest, block, *offset);
                    if round == Round::Forth && is_late() {
                        continue;
                    }
                    let is_free = kid != block && !self.is_above(kid, block);
                    if is_free && *self.links.entry(kid).or_insert(link) == link {
                        kids.push(kid);
                    }
                }
            }
            body @ Body::Closed { .. } => {
                for (index, held) in body.holes() {
                    let link = Link::Hole(block, index);
                    let is_late = || self.back.is_back_hole(forest, block, index);
                    let is_known = self.links.get(&held) == Some(&link);
                    if round == Round::Forth && !is_known && is_late() {
                        continue;
                    }
                    if *self.links.entry(held).or_insert(link) == link {
                        kids.push(held);
                    }
                }
            }
        }
        kids
    }

    /// Whether a block in a hole becomes a part of the tree.
    pub(crate) fn fills(&self, block: BlockId, hole: usize, held: BlockId) -> bool {
        !self.is_cut(held) && self.links.get(&held) == Some(&Link::Hole(block, hole))
    }

    /// Whether a block lies above another one, so that no link from there holds it.
    fn is_above(&self, block: BlockId, below: BlockId) -> bool {
        let holder = |of: BlockId| match self.links.get(&of) {
            Some(Link::Cell(holder, _) | Link::Hole(holder, _)) => Some(*holder),
            None => None,
        };
        if self.circles == Circles::Held {
            return holder(below) == Some(block);
        }
        let mut passed = BTreeSet::new();
        let mut at = self.tops.get(&below).copied();
        while let Some(top) = at.filter(|top| passed.insert(*top)) {
            if top == block {
                return true;
            }
            at = holder(top).and_then(|holder| self.tops.get(&holder).copied());
        }
        false
    }

    /// The kids of an open block, by the offset of the link that holds them.
    pub(crate) fn kids(&self, block: BlockId) -> BTreeMap<u64, BlockId> {
        let Body::Open { cells, .. } = &self.forest.blocks[&block] else { return BTreeMap::new() };
        let kid = |offset: &u64, value: Value<Base>| match value.base() {
            Some(Base::Block(kid)) => {
                (self.links.get(&kid) == Some(&Link::Cell(block, *offset))).then_some(kid)
            }
            Some(Base::Up(..)) | None => None,
        };
        let cells = cells.iter();
        cells.filter_map(|(offset, cell)| Some((*offset, kid(offset, cell.holds)?))).collect()
    }

    /// What a block and those below it need to know from above.
    pub(crate) fn needs(&self, block: BlockId) -> &[Need] {
        self.needs.get(&block).map_or(&[], |needs| needs)
    }

    /// What a cut point is told by the open block that holds it.
    pub(crate) fn ups(&self, cut: BlockId) -> &[Base] {
        self.ups.get(&cut).map_or(&[], |ups| ups)
    }

    /// How many things are told in the hole that a block hands on.
    pub(crate) fn count_ups(&self, block: BlockId, cut: BlockId) -> usize {
        match self.links.get(&cut) {
            _ if self.seconds.hands_second(block, cut) => 0,
            Some(Link::Hole(holder, index)) => count_ups(&self.forest.blocks[holder], *index),
            Some(Link::Cell(..)) if !self.is_cut(cut) => 0,
            Some(Link::Cell(..)) | None => self.ups(cut).len(),
        }
    }

    fn find_needs(&mut self, block: BlockId) {
        // Also ends where links go in circles, which nothing outside leads to.
        if self.needs.contains_key(&block) {
            return;
        }
        self.needs.insert(block, Vec::new());
        let mut needs: Vec<Need> = Vec::new();
        for need in match &self.forest.blocks[&block] {
            Body::Open { cells, .. } => self.open_needs(block, cells),
            body @ Body::Closed { arguments, .. } => self.closed_needs(block, body, arguments),
        } {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
        // What comes from the blocks above first, then cut points in their order: so blocks in the middle and at the
        // end of a tree are given things in one order.
        let rank = |base: Base| match base {
            Base::Block(block) => self.cuts.iter().position(|cut| *cut == block).map(|it| it + 1),
            Base::Up(..) => None,
        };
        needs.sort_by_key(|need| (need.1, rank(need.0)));
        self.needs.insert(block, needs);
    }

    fn open_needs(&mut self, block: BlockId, cells: &Cells) -> Vec<Need> {
        let (kids, seconds) = (self.kids(block), self.seconds.kids(block));
        // What the block itself holds comes first, so that blocks of one sort are given things in one order,
        // whatever hangs below them.
        let mut needs: Vec<Need> = cells
            .iter()
            .filter(|(offset, _)| !kids.contains_key(offset) && !seconds.contains_key(offset))
            .filter_map(|(_, cell)| Some((cell.holds.base()?, Sort::Plain)))
            .collect();
        let is_named = |base: Base| {
            let mut named = kids.values().chain(seconds.values());
            named.any(|kid| base == Base::Block(*kid))
        };
        let mut holes: Vec<Need> =
            seconds.values().map(|kid| (Base::Block(*kid), Sort::Hole)).collect();
        for kid in kids.values() {
            if self.is_cut(*kid) {
                holes.push((Base::Block(*kid), Sort::Hole));
                needs.extend(self.ups(*kid).iter().map(|up| (*up, Sort::Plain)));
            } else {
                self.find_needs(*kid);
                // A hole for what this block has a link to is given by that link.
                needs.extend(self.needs(*kid).iter().filter(|need| !is_named(need.0)));
            }
        }
        needs.retain(|(base, sort)| {
            *sort == Sort::Hole || *base != Base::Block(block) && !is_named(*base)
        });
        needs.extend(holes);
        needs
    }

    fn closed_needs(
        &mut self,
        block: BlockId,
        body: &Body,
        arguments: &[Value<Base>],
    ) -> Vec<Need> {
        let holes: BTreeMap<usize, BlockId> = body.holes().into_iter().collect();
        let mut needs = Vec::new();
        for (index, value) in arguments.iter().enumerate() {
            match (holes.get(&index), value.base()) {
                (Some(held), _) if self.seconds.is_plain(Link::Hole(block, index)) => {
                    needs.push((Base::Block(*held), Sort::Plain));
                }
                (Some(held), _) if !self.fills(block, index, *held) => {
                    needs.push((Base::Block(*held), Sort::Hole));
                }
                (Some(held), _) => {
                    self.find_needs(*held);
                    let is_told = |base: &Base| matches!(base, Base::Up(it, _) if it == held);
                    let is_given = |need: &Need| match need.1 {
                        Sort::Hole => self.beside(block, index, need.0).is_some(),
                        Sort::Plain => is_told(&need.0),
                    };
                    needs.extend(self.needs(*held).iter().filter(|need| !is_given(need)));
                }
                (None, Some(base)) => needs.push((base, Sort::Plain)),
                (None, None) => {}
            }
        }
        needs
    }

    /// What a cut point needs that only the block that holds it, or one above that, can tell: blocks above it. What lies
    /// beside it becomes a cut point, so that it has one name everywhere.
    fn told_by_cell(&self, cut: BlockId) -> Vec<Base> {
        let Some(Link::Cell(holder, _)) = self.links.get(&cut) else { return Vec::new() };
        let is_told = |need: &&Need| match need {
            (Base::Block(block), Sort::Plain) => {
                block == holder || !self.is_cut(*block) && self.lies_above(*block, cut)
            }
            (Base::Block(_) | Base::Up(..), _) => false,
        };
        self.needs(cut).iter().filter(is_told).map(|need| need.0).collect()
    }

    pub(crate) fn most_needs(&self) -> usize {
        self.needs.values().map(Vec::len).max().unwrap_or(0)
    }
}

/// How many things the block in a hole of a tree is told.
pub(super) fn count_ups(body: &Body, hole: usize) -> usize {
    match body {
        Body::Open { .. } => 0,
        Body::Closed { automaton, state, .. } => match automaton.states[*state].parameters[hole] {
            Parameter::Hole { ups } => ups,
            Parameter::Plain => 0,
        },
    }
}
