//! Laws of a predicate's numbers: their tree, how they are read and printed, and the formulas that they are.
//!
//! `p1 == v1 + 1`, `v1 <=s p2`: two sums of numbers that have one width, with a sign (`s`) or without (`u`).

use std::fmt;

use heapwright_logic::{TermId, Terms};

use crate::predicate::WordText;

/// `LEFT COMPARISON RIGHT`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawText {
    pub left: SumText,
    pub comparison: ComparisonText,
    pub right: SumText,
}

/// Words that are added, or taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumText(pub Vec<(SignText, WordText)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignText {
    Plus,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonText {
    Equal,
    Different,
    SignedLess,
    SignedAtMost,
    UnsignedLess,
    UnsignedAtMost,
}

const COMPARISONS: [(&str, ComparisonText); 6] = [
    ("==", ComparisonText::Equal),
    ("!=", ComparisonText::Different),
    ("<s", ComparisonText::SignedLess),
    ("<=s", ComparisonText::SignedAtMost),
    ("<u", ComparisonText::UnsignedLess),
    ("<=u", ComparisonText::UnsignedAtMost),
];

impl LawText {
    pub(crate) fn parse(text: &str) -> Option<LawText> {
        let found = COMPARISONS.into_iter().find_map(|(word, comparison)| {
            let (left, right) = text.split_once(&format!(" {word} "))?;
            Some((left, comparison, right))
        });
        let (left, comparison, right) = found?;
        Some(LawText { left: SumText::parse(left)?, comparison, right: SumText::parse(right)? })
    }

    /// All words that are compared.
    pub(crate) fn words(&self) -> impl Iterator<Item = WordText> + '_ {
        self.left.0.iter().chain(&self.right.0).map(|(_, word)| *word)
    }

    /// What the law says where words are these terms. Nothing if none of them has a term, or they have several widths.
    pub(crate) fn formula(
        &self,
        terms: &mut Terms,
        term: &dyn Fn(WordText) -> Option<TermId>,
    ) -> Option<TermId> {
        let width = self.words().find_map(term).map(|found| terms.width(found))?;
        let left = self.left.term(terms, width, term)?;
        let right = self.right.term(terms, width, term)?;
        Some(match self.comparison {
            ComparisonText::Equal => terms.equal(left, right),
            ComparisonText::Different => {
                let equal = terms.equal(left, right);
                terms.not(equal)
            }
            ComparisonText::SignedLess => terms.signed_less(left, right),
            ComparisonText::SignedAtMost => terms.signed_less_equal(left, right),
            ComparisonText::UnsignedLess => terms.unsigned_less(left, right),
            ComparisonText::UnsignedAtMost => terms.unsigned_less_equal(left, right),
        })
    }
}

impl SumText {
    fn parse(text: &str) -> Option<SumText> {
        let mut words = text.split_whitespace();
        let mut summands = vec![(SignText::Plus, WordText::parse(words.next()?)?)];
        while let Some(sign) = words.next() {
            let sign = match sign {
                "+" => SignText::Plus,
                "-" => SignText::Minus,
                _ => return None,
            };
            summands.push((sign, WordText::parse(words.next()?)?));
        }
        Some(SumText(summands))
    }

    fn term(
        &self,
        terms: &mut Terms,
        width: u32,
        term: &dyn Fn(WordText) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut sum = terms.bit_vector(0, width);
        for &(sign, word) in &self.0 {
            let summand = match word {
                WordText::Number(number) => terms.bit_vector(number, width),
                word => term(word).filter(|&found| terms.width(found) == width)?,
            };
            sum = match sign {
                SignText::Plus => terms.add(sum, summand),
                SignText::Minus => terms.subtract(sum, summand),
            };
        }
        Some(sum)
    }
}

impl fmt::Display for LawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = COMPARISONS.iter().find(|(_, comparison)| *comparison == self.comparison);
        let (word, _) = word.expect("all comparisons have words");
        write!(f, "{} {word} {}", self.left, self.right)
    }
}

impl fmt::Display for SumText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (sign, word)) in self.0.iter().enumerate() {
            match (index, sign) {
                (0, _) => write!(f, "{word}")?,
                (_, SignText::Plus) => write!(f, " + {word}")?,
                (_, SignText::Minus) => write!(f, " - {word}")?,
            }
        }
        Ok(())
    }
}
