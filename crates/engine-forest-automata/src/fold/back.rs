//! Links back: words of blocks that were once seen to lead to the block itself or to one above it.
//!
//! Parents and roots are led to from everywhere below, so which link holds a block must not depend on where one
//! starts to look. A word that has led back holds a block only if no other link does.

use std::collections::BTreeSet;

use heapwright_forest_text::{Base, BlockId, Body, Forest, StateId, Term, hole_in};

use crate::fold::plan::Plan;

/// Size and sort of a block, and the offset of the word.
pub(super) type Word = ((u64, u32), u64);

/// What was seen in one exploration.
#[derive(Debug, Default)]
pub(crate) struct BackLinks(BTreeSet<Word>);

impl BackLinks {
    pub(super) fn is_back(&self, forest: &Forest, block: BlockId, offset: u64) -> bool {
        let body = &forest.blocks[&block];
        self.0.contains(&((body.size(), body.sort()), offset))
    }

    /// Whether all links to a hole are words that lead back.
    pub(super) fn is_back_hole(&self, forest: &Forest, block: BlockId, hole: usize) -> bool {
        let Body::Closed { automaton, state, .. } = &forest.blocks[&block] else { return false };
        let mut seen: BTreeSet<(StateId, usize)> = BTreeSet::from([(*state, hole)]);
        let mut pending = vec![(*state, hole)];
        while let Some((id, hole)) = pending.pop() {
            let state = &automaton.states[id];
            for (offset, cell) in state.rules.iter().flatten() {
                match &cell.holds {
                    Term::Hole { parameter, .. } if *parameter == hole => {
                        if !self.0.contains(&((state.size, state.sort), *offset)) {
                            return false;
                        }
                    }
                    Term::Tree { state, arguments, .. } => {
                        let below = hole_in(automaton, *state, arguments, hole);
                        let place = below.map(|below| (*state, below));
                        pending.extend(place.filter(|place| seen.insert(*place)));
                    }
                    Term::Hole { .. } | Term::Value(_) => {}
                }
            }
        }
        true
    }

    /// The words of open blocks that lead back in a plan, without those that are known.
    pub(super) fn not_known(&self, plan: &Plan<'_>) -> Vec<Word> {
        let mut words = Vec::new();
        for (block, body) in &plan.forest.blocks {
            let Body::Open { size, sort, cells } = body else { continue };
            for (offset, cell) in cells {
                let Some(Base::Block(to)) = cell.holds.base() else { continue };
                let word = ((*size, *sort), *offset);
                if (to == *block || plan.lies_above(to, *block)) && !self.0.contains(&word) {
                    words.push(word);
                }
            }
        }
        words
    }

    pub(super) fn learn(&mut self, words: Vec<Word>) {
        self.0.extend(words);
    }
}
