//! Spellings: which numbers the nodes of a chain have at a place, one behind the other.
//!
//! A spelling has pieces: one number, or a word, which is one number or more. What a word is nobody knows, but it is
//! the same wherever its name stands. So chains of one spelling have the same numbers, node by node. A word's name is a
//! variable that stands nowhere else; it is as wide as one of the numbers.

use std::collections::BTreeMap;

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, Prototype};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::state::State;

/// A part of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Piece {
    /// One number, which is this term.
    One(TermId),
    /// One number or more, by their name.
    Word(TermId),
}

impl Piece {
    pub(crate) fn term(self) -> TermId {
        match self {
            Piece::One(term) | Piece::Word(term) => term,
        }
    }
}

/// The numbers that the nodes of a segment have at a place, from the first node to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) place: Place,
    /// At least one.
    pub(crate) pieces: Vec<Piece>,
}

impl Spelling {
    /// Puts pieces where a word stands.
    pub(crate) fn spell_out(&mut self, word: TermId, with: &[Piece]) {
        if self.pieces.contains(&Piece::Word(word)) {
            let pieces = std::mem::take(&mut self.pieces);
            for piece in pieces {
                match piece {
                    Piece::Word(name) if name == word => self.pieces.extend_from_slice(with),
                    Piece::Word(_) | Piece::One(_) => self.pieces.push(piece),
                }
            }
        }
    }
}

impl Names<'_> {
    /// Spellings by other terms for variables.
    pub(crate) fn renamed_spellings(
        &mut self,
        spellings: &[Spelling],
        terms: &BTreeMap<TermId, TermId>,
    ) -> Vec<Spelling> {
        let mut renamed = spellings.to_vec();
        for piece in renamed.iter_mut().flat_map(|spelling| &mut spelling.pieces) {
            *piece = match *piece {
                Piece::One(term) => Piece::One(self.terms.substitute(term, terms)),
                Piece::Word(name) => Piece::Word(self.terms.substitute(name, terms)),
            };
        }
        renamed
    }
}

impl Names<'_> {
    /// Spellings are of different places, in top-level segments, with pieces as wide as their places.
    pub(crate) fn is_spelt_well(
        &self,
        prototypes: &[&Prototype],
        id: BlockId,
        block: &Block,
    ) -> Result<(), String> {
        let Some(segment) = block.segment().filter(|segment| !segment.spellings.is_empty()) else {
            return Ok(());
        };
        for (index, Spelling { place, pieces }) in segment.spellings.iter().enumerate() {
            let is_wide = |piece: &Piece| {
                let width = Sort::BitVector(8 * place.size as u32);
                self.terms.sort(piece.term()) == width && !self.holds_address(piece.term())
            };
            let is_new = segment.spellings[..index].iter().all(|other| other.place != *place);
            if !prototypes.is_empty() || !is_new || pieces.is_empty() || !pieces.iter().all(is_wide)
            {
                return Err(format!("{id} is spelt in a wrong way"));
            }
        }
        Ok(())
    }

    /// A word is no number: its name stands in spellings only.
    pub(crate) fn words_stand_apart(&self, state: &State) -> Result<(), String> {
        let (mut words, mut numbers) = (FxHashSet::default(), Vec::new());
        for piece in state.spelt().flat_map(|(_, all)| all).flat_map(|one| &one.pieces) {
            match *piece {
                Piece::Word(name) => _ = words.insert(name),
                Piece::One(term) => numbers.push(term),
            }
        }
        if words.is_empty() {
            return Ok(());
        }
        numbers.extend(state.held_by_variables());
        numbers.extend(state.condition.iter().copied());
        for block in state.blocks.values() {
            numbers.extend(block.all_values());
            numbers.extend(block.contents.laws());
            for prototype in block.prototypes() {
                numbers.extend(prototype.condition.iter().copied());
            }
        }
        let names = self.terms.free_variables(&numbers);
        let is_name = |word: &TermId| {
            let is_variable = self.terms.as_variable(*word).is_some();
            is_variable && !self.stand_ins.contains(word) && !names.contains(word)
        };
        match words.iter().all(is_name) {
            true => Ok(()),
            false => Err("a word is used as a number".to_owned()),
        }
    }
}

impl State {
    /// The segments that tell how they are spelt.
    pub(crate) fn spelt(&self) -> impl Iterator<Item = (BlockId, &[Spelling])> {
        self.blocks.iter().filter_map(|(&id, block)| {
            let spellings = &block.segment()?.spellings;
            (!spellings.is_empty()).then_some((id, spellings.as_slice()))
        })
    }

    pub(crate) fn set_spellings(&mut self, segment: BlockId, spellings: Vec<Spelling>) {
        let role = &mut self.block_mut(segment).role;
        role.segment_mut().expect("a segment").spellings = spellings;
    }

    /// Puts pieces where a word stands, in all that the state says.
    pub(crate) fn spell_out(&mut self, word: TermId, with: &[Piece]) {
        let has_it = |spellings: &[Spelling]| {
            spellings.iter().any(|spelling| spelling.pieces.contains(&Piece::Word(word)))
        };
        let segments: Vec<BlockId> =
            self.spelt().filter(|(_, all)| has_it(all)).map(|(id, _)| id).collect();
        for id in segments {
            let mut spellings = self.block(id).segment().expect("a segment").spellings.clone();
            spellings.iter_mut().for_each(|spelling| spelling.spell_out(word, with));
            self.set_spellings(id, spellings);
        }
    }
}
