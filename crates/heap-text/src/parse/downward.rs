//! `downwards +OFFSET/SIZE RELATIONS` in the first line of a tree, and its numbers below.

use crate::parse::{Line, Parsed, place_text};
use crate::syntax::{DownwardText, RelationText, TermText};

/// A place, with what holds there.
pub(super) type DownwardWords = (u64, u64, Vec<RelationText>);

/// `root1 = VALUE` and `above1 = VALUE`, in the order of the places.
#[derive(Default)]
pub(super) struct NumbersBelow {
    roots: Vec<TermText>,
    aboves: Vec<TermText>,
}

impl NumbersBelow {
    /// Takes a line, if it is the next number of its sort.
    pub(super) fn take(&mut self, line: Line<'_>) -> bool {
        let Some((name, value)) = line.text.split_once(" = ") else { return false };
        for (word, values) in [("root", &mut self.roots), ("above", &mut self.aboves)] {
            if name == format!("{word}{}", values.len() + 1) {
                values.push(value.trim().to_owned());
                return true;
            }
        }
        false
    }

    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty() && self.aboves.is_empty()
    }
}

/// What stands behind `downwards`.
pub(super) fn downward_words(line: Line<'_>, words: &[&str]) -> Parsed<DownwardWords> {
    let wrong = || line.error("not `downwards +OFFSET/SIZE RELATIONS`");
    let [place, relations @ ..] = words else { return Err(wrong()) };
    let (offset, size) = place_text(line, place)?;
    let relations: Option<Vec<RelationText>> =
        relations.iter().map(|word| relation(word)).collect();
    let relations = relations.filter(|relations| !relations.is_empty());
    Ok((offset, size, relations.ok_or_else(wrong)?))
}

fn relation(word: &str) -> Option<RelationText> {
    match word {
        ">" => Some(RelationText::Greater),
        ">=" => Some(RelationText::AtLeast),
        "<" => Some(RelationText::Less),
        "<=" => Some(RelationText::AtMost),
        "nonzero-over-zero" => Some(RelationText::NonzeroOverZero),
        "zero-over-nonzero" => Some(RelationText::ZeroOverNonzero),
        "one-more" => Some(RelationText::OneMore),
        _ => None,
    }
}

/// The places of a tree with the numbers that are told of them.
pub(super) fn downward_texts(
    line: Line<'_>,
    words: Vec<DownwardWords>,
    numbers: NumbersBelow,
    has_hole: bool,
) -> Parsed<Vec<DownwardText>> {
    let NumbersBelow { roots, aboves } = numbers;
    let wanted = if has_hole { words.len() } else { 0 };
    if roots.len() != words.len() || aboves.len() != wanted {
        let text = "a tree has a `root` for each `downwards`, and an `above` if it has an `end`";
        return Err(line.error(text));
    }
    let mut aboves = aboves.into_iter();
    let all = words.into_iter().zip(roots).map(|((offset, size, relations), root)| DownwardText {
        offset,
        size,
        relations,
        root,
        above: aboves.next(),
    });
    Ok(all.collect())
}
