//! Lost blocks: those that nothing certainly leads to.
//!
//! Cells and holes say what is reached in most cases. Where that leaves a block out, it is asked further what every
//! tree has a link to (`given`), and whether links lead up from what a block is told (`climb`).

mod climb;
mod given;

use std::collections::BTreeSet;

use heapwright_forest_text::{Base, BlockId, Body, Cells, Forest, Value, known_ups};

use crate::leak::climb::climbs;
use crate::leak::given::Question;
use crate::value::Held;

/// The blocks that are not certainly reached from variables and objects. Of a tree, the blocks in its holes are
/// reached, and what some link of every such tree leads to; what its states are given besides may be used or not. What a
/// block is told leads into a tree, whose top is reached if links lead up to it.
pub(crate) fn lost(forest: &Forest, word: u64) -> BTreeSet<BlockId> {
    let lost = Reached::of(forest, word).missed();
    if lost.is_empty() {
        return lost;
    }
    // Seldom needed, and more work.
    let known = known_ups(forest);
    let mut named = forest.clone();
    named.substitute(|base| known.get(&base).copied().unwrap_or(Value::To(base, 0)));
    let mut reached = Reached::of(&named, word);
    reached.follow_given();
    reached.missed()
}

struct Reached<'f> {
    forest: &'f Forest,
    word: u64,
    blocks: BTreeSet<BlockId>,
    /// What blocks in holes are told and was come to: the block, what, and how far behind its start.
    told: BTreeSet<(BlockId, usize, i64)>,
}

impl<'f> Reached<'f> {
    /// By variables, objects, cells and holes.
    fn of(forest: &'f Forest, word: u64) -> Reached<'f> {
        let mut reached = Reached { forest, word, blocks: BTreeSet::new(), told: BTreeSet::new() };
        let mut pending: Vec<Held> = forest.variables.values().copied().collect();
        pending.extend(forest.objects.values().flat_map(|cells| words(cells, word)));
        reached.follow(pending);
        reached
    }

    fn missed(&self) -> BTreeSet<BlockId> {
        let blocks = self.forest.blocks.keys().copied();
        blocks.filter(|block| !self.blocks.contains(block)).collect()
    }

    /// Adds what values lead to, by cells and holes.
    fn follow(&mut self, mut pending: Vec<Held>) {
        while let Some(value) = pending.pop() {
            let (block, offset) = match value {
                Value::To(Base::Block(block), offset) => (block, offset),
                Value::To(Base::Up(held, up), offset) => {
                    self.told.insert((held, up, offset));
                    continue;
                }
                Value::Any | Value::Bits(_) | Value::Object(..) | Value::Function(_) => continue,
            };
            let body = &self.forest.blocks[&block];
            // One past the end counts, further away does not.
            let is_near = u64::try_from(offset).is_ok_and(|offset| offset <= body.size());
            if !is_near || !self.blocks.insert(block) {
                continue;
            }
            match body {
                Body::Open { cells, .. } => pending.extend(words(cells, self.word)),
                Body::Closed { .. } => {
                    let holes = body.holes().into_iter();
                    pending.extend(holes.map(|(_, held)| Value::To(Base::Block(held), 0)));
                }
            }
        }
    }

    /// Adds what reached trees certainly lead to by what their states are given, and trees whose tops are reached from
    /// within. Ends because each round reaches more.
    fn follow_given(&mut self) {
        loop {
            let given = self.blocks.iter().flat_map(|it| self.given(*it));
            let tops = self.told.iter().filter_map(|told| self.above(*told));
            let further: Vec<Held> = given.chain(tops).collect();
            let before = (self.blocks.len(), self.told.len());
            self.follow(further);
            if (self.blocks.len(), self.told.len()) == before {
                return;
            }
        }
    }

    /// The top of the tree that tells a block in its hole, if it is reached from what is told.
    fn above(&self, (held, up, by): (BlockId, usize, i64)) -> Option<Held> {
        let (top, hole) = self.forest.holder(held)?;
        let Body::Closed { automaton, state, .. } = &self.forest.blocks[&top] else { return None };
        let is_reached = climbs(automaton, (*state, hole), (up, by), self.word);
        is_reached.then_some(Value::To(Base::Block(top), 0))
    }

    /// The blocks that a tree's state is given and that each such tree has a link to.
    fn given(&self, block: BlockId) -> Vec<Held> {
        let body = &self.forest.blocks[&block];
        let Body::Closed { automaton, state, arguments } = body else { return Vec::new() };
        let mut found = Vec::new();
        for (index, value) in arguments.iter().enumerate() {
            let Value::To(base, by) = *value else { continue };
            // Of what is told, the size is not known here.
            let size = match base {
                Base::Block(to) if self.blocks.contains(&to) => continue,
                Base::Block(to) => self.forest.blocks[&to].size(),
                Base::Up(..) => 0,
            };
            let question = Question { automaton, size, word: self.word };
            if question.is_linked((*state, index, by)) {
                found.push(Value::To(base, 0));
            }
        }
        found
    }
}

/// What whole words hold.
fn words(cells: &Cells, word: u64) -> Vec<Held> {
    cells.values().filter(|cell| cell.width == word).map(|cell| cell.holds).collect()
}

/// Leaves lost blocks out. Nothing certain leads to them; what may lead to them may be anything.
pub(crate) fn forget(forest: &mut Forest, lost: &BTreeSet<BlockId>) {
    let holes = lost.iter().flat_map(|block| forest.blocks[block].holes());
    let unheld: BTreeSet<BlockId> = holes.map(|(_, held)| held).collect();
    forest.blocks.retain(|block, _| !lost.contains(block));
    forest.substitute(|base| match base {
        Base::Block(block) if lost.contains(&block) => Value::Any,
        Base::Up(block, _) if lost.contains(&block) || unheld.contains(&block) => Value::Any,
        Base::Block(_) | Base::Up(..) => Value::To(base, 0),
    });
}
