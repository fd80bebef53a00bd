//! How large words and cards are, in pixels: no font is asked, so widths are those of wide ones.

use crate::scene::{Card, Kind};

pub(crate) const HEADER: f64 = 26.0;
pub(crate) const ROW: f64 = 26.0;
pub(crate) const CELL: f64 = 46.0;
/// Below the card of a tree, for the triangle.
pub(crate) const TREE_BASE: f64 = 40.0;
/// How far the cards behind that of many are shifted, up and to the right.
pub(crate) const STACK: f64 = 18.0;
pub(crate) const PILL: f64 = 21.0;
/// Words above a card in a tree begin to the right of the arrow that enters it.
const BESIDE_ARROW: f64 = 44.0;

pub(crate) fn mono(text: &str) -> f64 {
    text.chars().map(|character| if character.is_ascii() { 7.55 } else { 9.5 }).sum()
}

/// The width of small words, as notes on cards are.
pub(crate) fn sans(text: &str) -> f64 {
    text.chars().map(|character| if character.is_ascii() { 6.6 } else { 9.0 }).sum()
}

/// The width of ordinary words: lines below a picture.
pub(crate) fn plain(text: &str) -> f64 {
    sans(text) * 1.16
}

/// The width of words in bold: titles.
pub(crate) fn bold(text: &str) -> f64 {
    sans(text) * 1.3
}

pub(crate) fn size(card: &Card) -> (f64, f64) {
    let title = mono(&card.title) + sans(&card.note) + 44.0;
    match card.kind {
        Kind::One | Kind::Many | Kind::Tree => {
            let row = |row: &crate::scene::Row| mono(&row.name) + mono(row.shown.text()) + 48.0;
            let widest = card.rows.iter().map(row).fold(title, f64::max);
            let steps = [132.0, 164.0, 196.0, 230.0, 260.0, 320.0];
            let width = steps.into_iter().find(|step| *step >= widest).unwrap_or(widest);
            (width, HEADER + ROW * card.rows.len() as f64)
        }
        Kind::Strip => {
            let cells = CELL * card.rows.len() as f64;
            (title.max(cells + 16.0), HEADER + 50.0)
        }
    }
}

/// How far above a card what belongs to it reaches: cards behind it, and words.
pub(crate) fn lift(card: &Card) -> f64 {
    let stack = if card.kind == Kind::Many { STACK } else { 0.0 };
    if card.pills.is_empty() { stack } else { stack + PILL + 7.0 }
}

/// Where the words above a card begin, from its left edge.
pub(crate) fn pill_shift(card: &Card, is_in_tree: bool) -> f64 {
    match (is_in_tree, card.kind) {
        (true, _) => BESIDE_ARROW,
        (false, Kind::Many) => STACK,
        (false, Kind::One | Kind::Tree | Kind::Strip) => 0.0,
    }
}

pub(crate) fn pill_width(words: &str) -> f64 {
    sans(words) + 22.0
}

/// How wide a card is with all that belongs to it.
pub(crate) fn room(card: &Card, is_in_tree: bool) -> f64 {
    let pills: f64 = card.pills.iter().map(|(_, words)| pill_width(words) + 8.0).sum();
    let stack = if card.kind == Kind::Many { STACK } else { 0.0 };
    (size(card).0 + stack).max(pill_shift(card, is_in_tree) + pills - 8.0)
}
