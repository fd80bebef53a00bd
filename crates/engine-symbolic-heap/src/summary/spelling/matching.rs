//! Comparing: whether the numbers that known segments have in common are in common on the new side too.

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::spelling::Piece;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::summary::matched::{Match, Sides};
use crate::summary::matching::match_terms;
use crate::summary::spelling::{Pair, pairs};

/// Whether the new segments and nodes are spelt as the known segments are, once for all of them.
pub(crate) fn are_spelt_alike(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &mut Match,
) -> bool {
    let mut open = pairs(&mut reasoner.names, sides, found);
    found.has_other_lengths = open.iter().any(Pair::has_other_lengths);
    let mut comparison = Comparison { reasoner, new: sides.1, found, words: BTreeMap::new() };
    // Ends because each round settles one of them.
    while !open.is_empty() {
        let before = open.len();
        let mut unsettled = Vec::new();
        for pair in open {
            match comparison.compare(&pair) {
                Settled::Alike => {}
                Settled::Unlike => return false,
                Settled::NotYet => unsettled.push(pair),
            }
        }
        if unsettled.len() == before {
            return false;
        }
        open = unsettled;
    }
    true
}

enum Settled {
    Alike,
    Unlike,
    /// More than one word is not known.
    NotYet,
}

struct Comparison<'c, 'r> {
    reasoner: &'c mut Reasoner<'r>,
    new: &'c State,
    found: &'c mut Match,
    /// What known words are on the new side.
    words: BTreeMap<TermId, Vec<Piece>>,
}

impl Comparison<'_, '_> {
    fn compare(&mut self, pair: &Pair) -> Settled {
        let Some(new) = &pair.new else { return Settled::Unlike };
        let is_open =
            |piece: &&Piece| matches!(piece, Piece::Word(name) if !self.words.contains_key(name));
        let open: Vec<TermId> =
            pair.known.iter().filter(is_open).map(|piece| piece.term()).collect();
        let is_alike = match open.as_slice() {
            [] => self.is_spelt(&pair.known, new) == Some(0),
            [word] => self.learn_word(*word, &pair.known, new),
            _ => return Settled::NotYet,
        };
        if is_alike { Settled::Alike } else { Settled::Unlike }
    }

    /// The one word that is not known is what is between the rest.
    fn learn_word(&mut self, word: TermId, known: &[Piece], new: &[Piece]) -> bool {
        let at = known.iter().position(|&piece| piece == Piece::Word(word)).expect("it is there");
        let Some(left) = self.is_spelt(&known[..at], new) else { return false };
        let behind = &known[at + 1..];
        let length: usize = behind.iter().map(|&piece| self.length(piece)).sum();
        let middle = &new[new.len() - left..];
        let Some(split) = middle.len().checked_sub(length).filter(|&split| split > 0) else {
            return false;
        };
        self.words.insert(word, middle[..split].to_vec());
        self.is_spelt(behind, &middle[split..]) == Some(0)
    }

    fn length(&self, piece: Piece) -> usize {
        match piece {
            Piece::One(_) => 1,
            Piece::Word(name) => self.words.get(&name).map_or(1, Vec::len),
        }
    }

    /// Whether new pieces begin with known ones, whose words are known; how many are left.
    fn is_spelt(&mut self, known: &[Piece], new: &[Piece]) -> Option<usize> {
        let mut new = new;
        for &piece in known {
            match piece {
                Piece::One(number) => {
                    let (Piece::One(other), rest) = new.split_first()? else { return None };
                    if !self.is_number(number, *other) {
                        return None;
                    }
                    new = rest;
                }
                Piece::Word(name) => {
                    let word = self.words.get(&name)?.clone();
                    for piece in word {
                        let (other, rest) = new.split_first()?;
                        if !self.are_same((piece, *other)) {
                            return None;
                        }
                        new = rest;
                    }
                }
            }
        }
        Some(new.len())
    }

    /// Whether two pieces of the new side are the same.
    fn are_same(&mut self, pieces: (Piece, Piece)) -> bool {
        match pieces {
            (Piece::One(one), Piece::One(other)) => self.are_equal(one, other),
            (Piece::Word(one), Piece::Word(other)) => one == other,
            (Piece::One(_), Piece::Word(_)) | (Piece::Word(_), Piece::One(_)) => false,
        }
    }

    /// Whether a known number is this one on the new side.
    fn is_number(&mut self, known: TermId, new: TermId) -> bool {
        if match_terms(&mut self.reasoner.names, (known, new), self.found) {
            return true;
        }
        let terms = &mut self.reasoner.names.terms;
        let free = terms.free_variables(&[known]);
        if !free.iter().all(|variable| self.found.variables.contains_key(variable)) {
            return false;
        }
        let wanted = terms.substitute(known, &self.found.variables);
        self.are_equal(wanted, new)
    }

    fn are_equal(&mut self, one: TermId, other: TermId) -> bool {
        let terms = &mut self.reasoner.names.terms;
        if one == other {
            return true;
        }
        if terms.sort(one) != terms.sort(other) {
            return false;
        }
        let is_same = terms.equal(one, other);
        let differs = terms.not(is_same);
        matches!(self.reasoner.possible(self.new, differs), Possible::No)
    }
}
