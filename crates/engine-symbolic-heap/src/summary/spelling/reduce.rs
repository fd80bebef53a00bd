//! Reducing: spellings become short where states meet, and those that tell nothing go.
//!
//! Pieces that only ever stand side by side become one word. Then a spelling is of use if it has a word that another has as
//! well, or if others, or single nodes, have all of its numbers.

use std::collections::BTreeMap;

use heapwright_logic::TermId;
use rustc_hash::FxHashSet;

use crate::heap::block::{BlockId, BlockKind, Life};
use crate::heap::names::Names;
use crate::heap::spelling::{Piece, Spelling};
use crate::heap::state::State;

/// Pieces of a spelling where states meet.
const MOST_PIECES: usize = 4;

/// Makes the spellings of a state short.
pub(crate) fn reduce_spellings(names: &mut Names<'_>, state: &mut State) {
    let segments: Vec<(BlockId, Vec<Spelling>)> =
        state.spelt().map(|(id, spellings)| (id, spellings.to_vec())).collect();
    if segments.is_empty() {
        return;
    }
    let mut all = All { spellings: Vec::new(), of_nodes: numbers_of_nodes(names, state) };
    for (id, spellings) in &segments {
        all.spellings.extend(spellings.iter().map(|spelling| (*id, spelling.clone())));
    }
    all.reduce(names);
    for (id, _) in segments {
        let its = all.spellings.iter().filter(|(segment, _)| *segment == id);
        state.set_spellings(id, its.map(|(_, spelling)| spelling.clone()).collect());
    }
}

/// What single nodes hold.
fn numbers_of_nodes(names: &Names<'_>, state: &State) -> FxHashSet<TermId> {
    let nodes = state.blocks.values().filter(|block| {
        block.is_single() && block.kind == BlockKind::Heap && block.life == Life::Alive
    });
    let values = nodes.flat_map(|block| block.cells.values()).map(|cell| cell.value);
    values.filter(|&value| !names.holds_address(value)).collect()
}

/// All spellings of a state, with their segments.
struct All {
    spellings: Vec<(BlockId, Spelling)>,
    of_nodes: FxHashSet<TermId>,
}

impl All {
    fn reduce(&mut self, names: &mut Names<'_>) {
        // Ends because each round makes one of them shorter, or drops one.
        loop {
            self.merge_all(names);
            let is_of_use = self.usefulness();
            if is_of_use.iter().all(|&is_of_use| is_of_use) {
                break;
            }
            let mut is_of_use = is_of_use.into_iter();
            self.spellings.retain(|_| is_of_use.next() == Some(true));
        }
        self.forget_untied(names);
    }

    /// Merges pieces that only stand side by side, then all of what is still long.
    fn merge_all(&mut self, names: &mut Names<'_>) {
        while let Some(pair) = self.pair_to_merge() {
            self.merge(names, &[pair.0, pair.1]);
        }
        while let Some(long) = self.long_one() {
            self.merge(names, &long);
        }
    }

    /// Two pieces that are always side by side, and are not told apart by a single node.
    fn pair_to_merge(&self) -> Option<(Piece, Piece)> {
        let mut counts: BTreeMap<Piece, u32> = BTreeMap::new();
        let mut pairs: BTreeMap<(Piece, Piece), u32> = BTreeMap::new();
        for (_, spelling) in &self.spellings {
            for &piece in &spelling.pieces {
                *counts.entry(piece).or_default() += 1;
            }
            for pair in spelling.pieces.windows(2) {
                *pairs.entry((pair[0], pair[1])).or_default() += 1;
            }
        }
        let is_of_node = |piece| matches!(piece, Piece::One(term) if self.of_nodes.contains(&term));
        let mut together = pairs.into_iter().filter(|&((one, other), count)| {
            let is_always = counts[&one] == count && counts[&other] == count;
            is_always && one != other && !is_of_node(one) && !is_of_node(other)
        });
        together.next().map(|(pair, _)| pair)
    }

    /// A spelling of too many pieces that several have.
    fn long_one(&self) -> Option<Vec<Piece>> {
        let mut long = self.spellings.iter().filter(|(_, one)| one.pieces.len() > MOST_PIECES);
        let is_shared = |pieces: &Vec<Piece>| {
            self.spellings.iter().filter(|(_, one)| one.pieces == *pieces).count() > 1
        };
        long.find(|(_, one)| is_shared(&one.pieces)).map(|(_, one)| one.pieces.clone())
    }

    /// One word in place of pieces, wherever these stand side by side.
    fn merge(&mut self, names: &mut Names<'_>, pieces: &[Piece]) {
        let word = Piece::Word(names.fresh("word", names.terms.width(pieces[0].term())));
        for (_, spelling) in &mut self.spellings {
            let mut at = 0;
            while at + pieces.len() <= spelling.pieces.len() {
                if spelling.pieces[at..at + pieces.len()] == *pieces {
                    spelling.pieces.splice(at..at + pieces.len(), [word]);
                }
                at += 1;
            }
        }
    }

    fn usefulness(&self) -> Vec<bool> {
        let has = |other: usize, piece: Piece| self.spellings[other].1.pieces.contains(&piece);
        let is_elsewhere = |index: usize, piece: Piece| {
            (0..self.spellings.len()).any(|other| other != index && has(other, piece))
        };
        let settled = self.settled();
        let is_of_use = |(index, (_, spelling)): (usize, &(BlockId, Spelling))| {
            let pieces = &spelling.pieces;
            let is_word = |piece: &&Piece| matches!(piece, Piece::Word(_));
            let shares = pieces.iter().filter(is_word).any(|&piece| is_elsewhere(index, piece));
            let is_tied = |&piece: &Piece| match piece {
                Piece::One(term) => self.of_nodes.contains(&term) || is_elsewhere(index, piece),
                Piece::Word(_) => false,
            };
            let tells = shares || pieces.iter().all(is_tied);
            pieces.len() <= MOST_PIECES && tells && settled[index]
        };
        self.spellings.iter().enumerate().map(is_of_use).collect()
    }

    /// Which spellings tell what their words are, one after the other: in each, one word at most is not known yet.
    fn settled(&self) -> Vec<bool> {
        let mut settled = vec![false; self.spellings.len()];
        let mut known: FxHashSet<TermId> = FxHashSet::default();
        // Ends because each round settles one.
        loop {
            let open = |index: usize| {
                let pieces = self.spellings[index].1.pieces.iter();
                let open = pieces.filter_map(|piece| match piece {
                    Piece::Word(name) => (!known.contains(name)).then_some(*name),
                    Piece::One(_) => None,
                });
                open.collect::<Vec<TermId>>()
            };
            let next = (0..settled.len()).find(|&index| !settled[index] && open(index).len() <= 1);
            let Some(next) = next else { return settled };
            let words = open(next);
            settled[next] = true;
            known.extend(words);
        }
    }

    /// Numbers that stand in one spelling only may be any.
    fn forget_untied(&mut self, names: &mut Names<'_>) {
        let mut counts: BTreeMap<TermId, u32> = BTreeMap::new();
        for piece in self.spellings.iter().flat_map(|(_, spelling)| &spelling.pieces) {
            *counts.entry(piece.term()).or_default() += 1;
        }
        for piece in self.spellings.iter_mut().flat_map(|(_, spelling)| &mut spelling.pieces) {
            if let Piece::One(term) = *piece
                && counts[&term] == 1
                && !self.of_nodes.contains(&term)
            {
                *piece = Piece::One(names.fresh("spelt", names.terms.width(term)));
            }
        }
    }
}
