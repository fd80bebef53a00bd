//! What a plan lacks: blocks that are needed where nobody knows them, and what can be done about each.

use std::collections::BTreeSet;

use heapwright_forest_text::{Base, BlockId, Body, Cell, Value};

use crate::fold::plan::{Link, Plan, Sort};

/// A block that is needed where nobody knows it.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) block: BlockId,
    /// The words, or arguments, that need it, if it is in the same tree as they are and nothing but them needs it.
    pub(crate) words: Vec<(BlockId, u64)>,
}

impl Plan<'_> {
    /// What is needed where nobody knows it.
    pub(crate) fn missing(&self) -> Option<Missing> {
        for cut in self.cuts() {
            for (base, sort) in self.needs(*cut) {
                let (Base::Block(block) | Base::Up(block, _)) = *base;
                let is_told = self.ups(*cut).contains(base);
                let is_known = match sort {
                    Sort::Plain => is_told,
                    Sort::Hole => false,
                };
                if !self.is_cut(block) && !is_known {
                    let is_in_tree = self.tops.get(&block) == Some(cut);
                    let words = match (sort, base) {
                        (Sort::Plain, Base::Block(to)) if is_in_tree => self.plain_words(*cut, *to),
                        (Sort::Plain | Sort::Hole, _) => Vec::new(),
                    };
                    return Some(Missing { block: self.top_of_unheld(block), words });
                }
            }
        }
        // A part whose links go in circles hangs on nothing.
        let unheld = self.forest.blocks.keys().copied().find(|it| !self.tops.contains_key(it));
        let top = unheld.map(|block| self.top_of_unheld(block));
        top.map(|block| Missing { block, words: Vec::new() })
    }

    /// The block above all others that lead down to one that hangs on no cut point: parents that only a link up leads to
    /// are one tree, not a cut point each.
    fn top_of_unheld(&self, block: BlockId) -> BlockId {
        let mut passed = BTreeSet::from([block]);
        let mut at = block;
        while !self.tops.contains_key(&at) {
            let mut others = self.forest.blocks.keys().filter(|it| !self.tops.contains_key(it));
            match others.find(|other| !passed.contains(other) && self.leads_forth(**other, at)) {
                Some(above) => {
                    passed.insert(*above);
                    at = *above;
                }
                None => break,
            }
        }
        at
    }

    /// Whether a word of a block that never led back, or a hole, leads to another block.
    fn leads_forth(&self, block: BlockId, to: BlockId) -> bool {
        match &self.forest.blocks[&block] {
            Body::Open { cells, .. } => cells.iter().any(|(offset, cell)| {
                cell.holds.base() == Some(Base::Block(to))
                    && !self.back.is_back(self.forest, block, *offset)
            }),
            body @ Body::Closed { .. } => body.holes().iter().any(|(index, held)| {
                *held == to && !self.back.is_back_hole(self.forest, block, *index)
            }),
        }
    }

    /// Where blocks of the tree of a cut point have the address of another block that they neither hold nor hand on, and
    /// that no block above them tells them.
    fn plain_words(&self, cut: BlockId, to: BlockId) -> Vec<(BlockId, u64)> {
        let mut words = Vec::new();
        for (block, _) in self.tops.iter().filter(|it| *it.1 == cut) {
            let way = self.way_up(*block);
            if way.iter().any(|above| *above == to || self.names(*above, to)) {
                continue;
            }
            match &self.forest.blocks[block] {
                Body::Open { cells, .. } => {
                    let (kids, seconds) = (self.kids(*block), self.seconds.kids(*block));
                    let is_plain = |(offset, cell): &(&u64, &Cell<Value<Base>>)| {
                        let is_link = kids.contains_key(offset) || seconds.contains_key(offset);
                        cell.holds.base() == Some(Base::Block(to)) && !is_link
                    };
                    words.extend(cells.iter().filter(is_plain).map(|it| (*block, *it.0)));
                }
                body @ Body::Closed { arguments, .. } => {
                    let holes = body.holes();
                    let is_plain = |(index, value): &(usize, &Value<Base>)| {
                        let is_hole = holes.iter().any(|hole| hole.0 == *index)
                            && !self.seconds.is_plain(Link::Hole(*block, *index));
                        value.base() == Some(Base::Block(to)) && !is_hole
                    };
                    let plain = arguments.iter().enumerate().filter(is_plain);
                    words.extend(plain.map(|it| (*block, it.0 as u64)));
                }
            }
        }
        words
    }
}
