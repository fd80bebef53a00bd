//! `spelt +OFFSET/SIZE: one NUMBER, some WORD`: which numbers the nodes of a list have at a place, from the first to the last.
//!
//! A word is one number or more. Nobody says which, but they are the same wherever the word's name stands. What a word is
//! follows from the first list in which it is the only one that is not known.

use std::collections::BTreeMap;
use std::fmt;

use crate::syntax::TermText;

/// The numbers of a list's nodes at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpellingText {
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    pub pieces: Vec<PieceText>,
}

/// A part of a spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceText {
    /// One number, which is this term.
    One(TermText),
    /// One number or more, by their name.
    Some(String),
}

impl fmt::Display for SpellingText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "spelt +{}/{}: ", self.offset, self.size)?;
        for (index, piece) in self.pieces.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match piece {
                PieceText::One(number) => write!(f, "{comma}one {number}")?,
                PieceText::Some(word) => write!(f, "{comma}some {word}")?,
            }
        }
        Ok(())
    }
}

impl PieceText {
    /// Reads `one NUMBER` or `some WORD`.
    pub(crate) fn parse(text: &str) -> Option<PieceText> {
        let name = |name: &str| name.trim().to_owned();
        let number = text.strip_prefix("one ").map(|number| PieceText::One(name(number)));
        let is_name = |word: &&str| !word.trim().contains(char::is_whitespace);
        let word = || text.strip_prefix("some ").filter(is_name);
        number.or_else(|| word().map(|word| PieceText::Some(name(word))))
    }
}

/// A spelling, and the numbers that the nodes of its list have.
pub(crate) struct Spelt<'t, N> {
    pub(crate) text: &'t SpellingText,
    pub(crate) numbers: Vec<N>,
}

/// What spellings say of numbers.
pub(crate) enum Said<'t, N> {
    /// Of one list, by its index: its number is what a term is.
    Is(usize, &'t TermText, N),
    /// Two numbers are the same.
    Same(N, N),
}

/// Why spellings do not tell what numbers are.
pub(crate) enum Unsaid {
    /// Lists do not have as many nodes as their spellings say.
    Wrong,
    /// A word is not determined.
    Open,
}

/// All that spellings say of the numbers of their lists.
pub(crate) fn all_said<'t, N: Clone>(spelt: &[Spelt<'t, N>]) -> Result<Vec<Said<'t, N>>, Unsaid> {
    let mut words: BTreeMap<(&str, u64), Vec<N>> = BTreeMap::new();
    let mut said = Vec::new();
    let mut left: Vec<usize> = (0..spelt.len()).collect();
    // Ends because each round settles one.
    while !left.is_empty() {
        let settled = left.iter().position(|&index| open_words(&spelt[index], &words) <= 1);
        let index = left.remove(settled.ok_or(Unsaid::Open)?);
        say(index, &spelt[index], &mut words, &mut said)?;
    }
    Ok(said)
}

fn open_words<N>(spelt: &Spelt<'_, N>, words: &BTreeMap<(&str, u64), Vec<N>>) -> usize {
    let is_open = |piece: &&PieceText| match piece {
        PieceText::One(_) => false,
        PieceText::Some(word) => !words.contains_key(&(word.as_str(), spelt.text.size)),
    };
    spelt.text.pieces.iter().filter(is_open).count()
}

/// What one spelling says, in which at most one word is not known.
fn say<'t, N: Clone>(
    index: usize,
    spelt: &Spelt<'t, N>,
    words: &mut BTreeMap<(&'t str, u64), Vec<N>>,
    said: &mut Vec<Said<'t, N>>,
) -> Result<(), Unsaid> {
    let SpellingText { size, pieces, .. } = spelt.text;
    let known: usize = pieces
        .iter()
        .map(|piece| match piece {
            PieceText::One(_) => 1,
            PieceText::Some(word) => words.get(&(word.as_str(), *size)).map_or(0, Vec::len),
        })
        .sum();
    let mut numbers = spelt.numbers.as_slice();
    let rest = numbers.len().checked_sub(known).ok_or(Unsaid::Wrong)?;
    for piece in pieces {
        match piece {
            PieceText::One(term) => {
                let (number, others) = numbers.split_first().ok_or(Unsaid::Wrong)?;
                said.push(Said::Is(index, term, number.clone()));
                numbers = others;
            }
            PieceText::Some(word) => {
                let name = (word.as_str(), *size);
                let length = words.get(&name).map_or(rest, Vec::len);
                if length == 0 || length > numbers.len() {
                    return Err(Unsaid::Wrong);
                }
                let (its, others) = numbers.split_at(length);
                match words.get(&name) {
                    Some(word) => {
                        let pairs = word.iter().cloned().zip(its.iter().cloned());
                        said.extend(pairs.map(|(one, other)| Said::Same(one, other)));
                    }
                    None => _ = words.insert(name, its.to_vec()),
                }
                numbers = others;
            }
        }
    }
    if numbers.is_empty() { Ok(()) } else { Err(Unsaid::Wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pieces: &str) -> SpellingText {
        let pieces = pieces.split(", ").map(|piece| PieceText::parse(piece).expect("a piece"));
        SpellingText { offset: 8, size: 4, pieces: pieces.collect() }
    }

    /// What lists with these numbers say, as text.
    fn said(lists: &[(&str, &[u32])]) -> Result<Vec<String>, &'static str> {
        let texts: Vec<SpellingText> = lists.iter().map(|(pieces, _)| text(pieces)).collect();
        let spelt: Vec<Spelt<'_, u32>> = texts
            .iter()
            .zip(lists)
            .map(|(text, (_, numbers))| Spelt { text, numbers: numbers.to_vec() })
            .collect();
        match all_said(&spelt) {
            Ok(said) => Ok(said
                .iter()
                .map(|said| match said {
                    Said::Is(list, term, number) => format!("{list}: {term} = {number}"),
                    Said::Same(one, other) => format!("{one} = {other}"),
                })
                .collect()),
            Err(Unsaid::Wrong) => Err("wrong"),
            Err(Unsaid::Open) => Err("open"),
        }
    }

    #[test]
    fn a_word_is_the_same_wherever_it_stands() {
        let lists: [(&str, &[u32]); 2] = [("some w", &[1, 2]), ("some w, one x", &[3, 4, 5])];
        assert_eq!(said(&lists).expect("it fits"), ["1 = 3", "2 = 4", "1: x = 5"]);
    }

    #[test]
    fn lists_of_one_word_are_of_one_length() {
        assert_eq!(said(&[("some w", &[1, 2]), ("some w", &[3])]), Err("wrong"));
        assert_eq!(said(&[("some w", &[1]), ("one x, some w", &[3])]), Err("wrong"));
        assert_eq!(said(&[("one x", &[1, 2])]), Err("wrong"));
    }

    #[test]
    fn a_word_is_found_out_where_it_is_the_only_one() {
        let lists: [(&str, &[u32]); 2] = [("some u, some w", &[1, 2, 3]), ("some w", &[4])];
        assert_eq!(said(&lists).expect("it fits"), ["4 = 3"]);
        assert_eq!(said(&[("some u, some w", &[1, 2, 3])]), Err("open"));
        assert_eq!(said(&[("some w, some w", &[1, 1])]), Err("open"));
    }
}
