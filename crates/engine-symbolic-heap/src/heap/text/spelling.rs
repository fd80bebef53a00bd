//! Spellings as text, and from it: one line each, `spelt +OFFSET/SIZE: PIECES`, with `one NUMBER` for a number and
//! `some WORD` for a word.

use heapwright_logic::Sort;

use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::spelling::{Piece, Spelling};
use crate::heap::text::build::{Read, Scope};
use crate::heap::text::build_block::parse_place;
use crate::heap::text::parse;

/// The line of a spelling, with what its terms are called.
pub(super) fn spelling_text(spelling: &Spelling, mut name: impl FnMut(Piece) -> String) -> String {
    let Place { offset, size } = spelling.place;
    let pieces = spelling.pieces.iter().map(|&piece| match piece {
        Piece::One(_) => format!("one {}", name(piece)),
        Piece::Word(_) => format!("some {}", name(piece)),
    });
    format!("spelt +{offset}/{size}: {}", pieces.collect::<Vec<_>>().join(", "))
}

impl Names<'_> {
    pub(super) fn parse_spellings(
        &mut self,
        scope: &Scope,
        texts: &[parse::Piece<'_>],
    ) -> Read<Vec<Spelling>> {
        texts.iter().map(|text| self.parse_spelling(scope, text)).collect()
    }

    fn parse_spelling(&mut self, scope: &Scope, text: &parse::Piece<'_>) -> Read<Spelling> {
        let wrong = || text.error("not `spelt +OFFSET/SIZE: one NUMBER, some WORD`");
        let (place, pieces) = text.split(": ").ok_or_else(wrong)?;
        let place = parse_place(place.text).ok_or_else(wrong)?;
        let sort = Sort::BitVector(8 * place.size as u32);
        let mut found = Vec::new();
        for piece in pieces.parts() {
            found.push(if let Some(number) = piece.after("one ") {
                Piece::One(self.parse_term(scope, &number, sort)?)
            } else {
                let word = piece.after("some ").ok_or_else(wrong)?;
                Piece::Word(self.parse_term(scope, &word, sort)?)
            });
        }
        Ok(Spelling { place, pieces: found })
    }
}
