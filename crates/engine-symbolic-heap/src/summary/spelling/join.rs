//! Joining: what segments have in common on both sides.
//!
//! What is at the ends of two spellings is matched piece by piece; what is left in between is a word, the same for the
//! same two.

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::names::Names;
use crate::heap::spelling::{Piece, Spelling};
use crate::heap::state::State;
use crate::summary::matched::{Joined, Match, Sides};
use crate::summary::spelling::pairs;
use crate::summary::spelling::reduce::reduce_spellings;

/// Spells the segments of the general state as those of both sides are.
pub(crate) fn join_spellings(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (found, joined): (&Match, &[Joined]),
    general: &mut State,
) {
    let pairs = pairs(names, sides, found);
    let mut join = Join { found, joined, words: BTreeMap::new() };
    for (id, _) in sides.0.spelt() {
        let its = pairs.iter().filter(|pair| pair.segment == id);
        let mut spellings = Vec::new();
        for pair in its {
            if let Some(new) = &pair.new {
                let pieces = join.pieces(names, &pair.known, new);
                spellings.push(Spelling { place: pair.place, pieces });
            }
        }
        let may_be_empty = general.block(id).may_be_empty();
        general.set_spellings(id, if may_be_empty { Vec::new() } else { spellings });
    }
    reduce_spellings(names, general);
}

struct Join<'j> {
    found: &'j Match,
    joined: &'j [Joined],
    /// Which word stands for what known and new pieces are.
    words: BTreeMap<(Vec<Piece>, Vec<Piece>), TermId>,
}

impl Join<'_> {
    fn pieces(&mut self, names: &mut Names<'_>, known: &[Piece], new: &[Piece]) -> Vec<Piece> {
        let (mut known, mut new) = (known, new);
        let (mut begin, mut end) = (Vec::new(), Vec::new());
        while let ([.., a], [.., b]) = (known, new) {
            let Some(piece) = self.piece(names, (*a, *b)) else { break };
            if (known.len() == 1) != (new.len() == 1) {
                break;
            }
            end.push(piece);
            (known, new) = (&known[..known.len() - 1], &new[..new.len() - 1]);
        }
        while let ([a, ..], [b, ..]) = (known, new) {
            let Some(piece) = self.piece(names, (*a, *b)) else { break };
            if (known.len() == 1) != (new.len() == 1) {
                break;
            }
            begin.push(piece);
            (known, new) = (&known[1..], &new[1..]);
        }
        if !known.is_empty() {
            begin.push(Piece::Word(self.word(names, known, new)));
        }
        end.reverse();
        [begin, end].concat()
    }

    /// What stands for two pieces, if that is one piece of the same sort.
    fn piece(&mut self, names: &mut Names<'_>, pieces: (Piece, Piece)) -> Option<Piece> {
        match pieces {
            (Piece::One(a), Piece::One(b)) => self.number(names, (a, b)).map(Piece::One),
            (Piece::Word(_), Piece::Word(_)) => {
                let word = self.word(names, &[pieces.0], &[pieces.1]);
                Some(Piece::Word(word))
            }
            (Piece::One(_), Piece::Word(_)) | (Piece::Word(_), Piece::One(_)) => None,
        }
    }

    /// The number of the general state that is one on the known side and another on the new one.
    fn number(&self, names: &mut Names<'_>, (known, new): (TermId, TermId)) -> Option<TermId> {
        let of_both = self.joined.iter().find(|joined| (joined.known, joined.new) == (known, new));
        if let Some(joined) = of_both {
            return Some(joined.value);
        }
        let free = names.terms.free_variables(&[known]);
        let is_matched = free.iter().all(|variable| self.found.variables.contains_key(variable));
        let is_it = is_matched && names.terms.substitute(known, &self.found.variables) == new;
        is_it.then_some(known)
    }

    fn word(&mut self, names: &mut Names<'_>, known: &[Piece], new: &[Piece]) -> TermId {
        let width = names.terms.width(known[0].term());
        *self
            .words
            .entry((known.to_vec(), new.to_vec()))
            .or_insert_with(|| names.fresh("word", width))
    }
}
