//! Spellings: the numbers that chains of nodes have in common.

use std::collections::BTreeMap;

use heapwright_logic::{Sort, TermId};
use heapwright_memory as concrete;

use super::{Matching, Mismatch, Walk, WideOf};
use crate::heap::order::Place;
use crate::heap::segment::Segment;
use crate::heap::spelling::{Piece, Spelling};

/// A spelling, and the numbers of the nodes; none where nothing was written.
pub(crate) type SpeltNodes<N> = (Spelling, Vec<Option<N>>);

impl Walk<'_, '_, '_, '_> {
    /// Remembers the numbers of a segment's nodes.
    pub(super) fn note_spellings(
        &mut self,
        matching: &mut Matching,
        segment: &Segment,
        nodes: &[concrete::BlockId],
    ) {
        for spelling in &segment.spellings {
            let Place { offset, size } = spelling.place;
            let sort = Sort::BitVector(8 * size as u32);
            let number = |&node| Some(self.read(node, offset, size)?.wide_of(sort));
            let numbers = nodes.iter().map(number).collect();
            matching.spelt.push((spelling.clone(), numbers));
        }
    }

    /// What all spellings say, where all chains are known.
    pub(super) fn obeys_spellings(&mut self, matching: &mut Matching) -> Result<(), Mismatch> {
        let spelt = std::mem::take(&mut matching.spelt);
        for (term, number) in numbers_said(spelt)? {
            self.equation(matching, term, number)?;
        }
        Ok(())
    }
}

/// What the terms in spellings are, if the words fit.
pub(crate) fn numbers_said<N: Clone + PartialEq>(
    mut left: Vec<SpeltNodes<N>>,
) -> Result<Vec<(TermId, N)>, Mismatch> {
    let (mut words, mut said) = (BTreeMap::new(), Vec::new());
    // Ends because each round settles one.
    while !left.is_empty() {
        let open = |(spelling, _): &SpeltNodes<N>| {
            let is_open =
                |piece: &&Piece| matches!(piece, Piece::Word(name) if !words.contains_key(name));
            spelling.pieces.iter().filter(is_open).count()
        };
        let next = left.iter().position(|spelt| open(spelt) <= 1);
        let (spelling, numbers) = left.remove(next.ok_or("a word is not determined")?);
        said.extend(say(&spelling, &numbers, &mut words)?);
    }
    Ok(said)
}

fn say<N: Clone + PartialEq>(
    spelling: &Spelling,
    numbers: &[Option<N>],
    words: &mut BTreeMap<TermId, Vec<Option<N>>>,
) -> Result<Vec<(TermId, N)>, Mismatch> {
    let mut said = Vec::new();
    let length = |piece: &Piece| match piece {
        Piece::One(_) => 1,
        Piece::Word(name) => words.get(name).map_or(0, Vec::len),
    };
    let known: usize = spelling.pieces.iter().map(length).sum();
    let wrong = || "a chain is not as long as it is spelt".to_owned();
    let rest = numbers.len().checked_sub(known).ok_or_else(wrong)?;
    let mut at = 0;
    for piece in &spelling.pieces {
        let length = match piece {
            Piece::One(_) => 1,
            Piece::Word(name) => words.get(name).map_or(rest, Vec::len),
        };
        let its = numbers.get(at..at + length).filter(|its| !its.is_empty());
        let its = its.ok_or_else(wrong)?;
        at += length;
        match *piece {
            Piece::One(term) => said.extend(its[0].clone().map(|number| (term, number))),
            Piece::Word(name) => {
                let word = words.entry(name).or_insert_with(|| its.to_vec());
                let fits = |(one, other): (&Option<N>, &Option<N>)| {
                    one.is_none() || other.is_none() || one == other
                };
                if !word.iter().zip(its).all(fits) {
                    return Err("chains do not have the same numbers".to_owned());
                }
            }
        }
    }
    if at == numbers.len() { Ok(said) } else { Err(wrong()) }
}
