//! Lists that have numbers in common: pieces of spellings, in cards and in words.

use heapwright_heap_text::{PieceText, SpellingText};

use crate::of_heap_text::plain_term;

/// The numbers of nodes, one behind the other: `w…, x`.
pub(crate) fn pieces_shown(spelling: &SpellingText) -> String {
    let pieces = spelling.pieces.iter().map(|piece| match piece {
        PieceText::One(number) => number.clone(),
        PieceText::Some(word) => format!("{word}…"),
    });
    pieces.collect::<Vec<_>>().join(", ")
}

/// The same in words: ``the word `w`, then x``.
pub(crate) fn spelling_words(spelling: &SpellingText) -> String {
    let pieces = spelling.pieces.iter().map(|piece| match piece {
        PieceText::One(number) => plain_term(number),
        PieceText::Some(word) => format!("the word `{word}`"),
    });
    pieces.collect::<Vec<_>>().join(", then ")
}
