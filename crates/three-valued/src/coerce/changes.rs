//! What has changed since a structure was sharp: where a rule has to be looked at again.

use std::collections::BTreeSet;

use heapwright_base::DenseId;

use crate::coerce::readers::Readers;
use crate::rule::{Atom, MOST_VARIABLES};
use crate::structure::{Row, Structure};
use crate::vocabulary::{BinaryId, UnaryId, Vocabulary};

/// Places whose value may have changed: nodes for a unary predicate, a set of first and one of second nodes
/// for a binary one.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    nullary: bool,
    /// By predicate; the first one says which nodes are summaries.
    unary: Vec<u64>,
    /// By predicate, first nodes and second nodes.
    binary: Vec<(u64, u64)>,
    /// Whether everything may have.
    is_all: bool,
}

/// A set of predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) nullary: bool,
    /// Indices, each once; the first predicate says which nodes are summaries.
    pub(crate) unary: BTreeSet<usize>,
    pub(crate) binary: BTreeSet<usize>,
}

impl Touched {
    /// Which nodes are summaries is a unary predicate as well.
    pub(crate) fn summary() -> Touched {
        Touched { unary: BTreeSet::from([0]), ..Touched::default() }
    }

    pub(crate) fn unary(id: UnaryId) -> Touched {
        Touched { unary: BTreeSet::from([id.index()]), ..Touched::default() }
    }

    pub(crate) fn binary(id: BinaryId) -> Touched {
        Touched { binary: BTreeSet::from([id.index()]), ..Touched::default() }
    }

    pub(crate) fn atom(atom: Atom) -> Touched {
        match atom {
            Atom::Nullary(_) => Touched { nullary: true, ..Touched::default() },
            Atom::Unary(id, _) => Touched::unary(id),
            Atom::Binary(id, _, _) => Touched::binary(id),
            Atom::Equal(_, _) => Touched::summary(),
            Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => Touched::default(),
        }
    }

    pub(crate) fn with(mut self, other: Touched) -> Touched {
        self.nullary |= other.nullary;
        self.unary.extend(other.unary);
        self.binary.extend(other.binary);
        self
    }
}

/// How many predicates with one and two arguments there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) unary: usize,
    pub(crate) binary: usize,
}

impl Counts {
    pub(crate) fn of(vocabulary: &Vocabulary) -> Counts {
        Counts { unary: vocabulary.unary().len(), binary: vocabulary.binary().len() }
    }
}

impl Changes {
    pub(crate) fn none(counts: Counts) -> Changes {
        Changes {
            nullary: false,
            unary: vec![0; counts.unary],
            binary: vec![(0, 0); counts.binary],
            is_all: false,
        }
    }

    /// Everything may have changed.
    pub(crate) fn mark_all(&mut self) {
        self.nullary = true;
        self.unary.fill(u64::MAX);
        self.binary.fill((u64::MAX, u64::MAX));
        self.is_all = true;
    }

    /// What differs between two structures with the same nodes.
    pub(crate) fn mark_between(&mut self, one: &Structure, other: &Structure) {
        assert_eq!(one.len(), other.len(), "structures with different nodes");
        let (one, nodes) = (one.rows(), one.len());
        let other = other.rows();
        if one[0] != other[0] {
            self.mark_nullary();
        }
        let unary = self.unary.len();
        for index in 0..unary {
            self.mark_unary(
                UnaryId::from_index(index),
                differing(one[index + 1], other[index + 1]),
            );
        }
        let (one, other) = (&one[1 + unary..], &other[1 + unary..]);
        for (index, (one, other)) in
            one.chunks_exact(nodes).zip(other.chunks_exact(nodes)).enumerate()
        {
            for (from, (one, other)) in one.iter().zip(other).enumerate() {
                self.mark_binary(BinaryId::from_index(index), 1 << from, differing(*one, *other));
            }
        }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.is_all
    }

    pub(crate) fn has_nullary(&self) -> bool {
        self.nullary
    }

    /// The predicates with one argument that may have changed.
    pub(crate) fn unary(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.unary.len()).filter(|index| self.unary[*index] != 0)
    }

    /// Those with two.
    pub(crate) fn binary(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.binary.len()).filter(|index| self.binary[*index].0 != 0)
    }

    pub(crate) fn clear(&mut self) {
        self.nullary = false;
        self.unary.fill(0);
        self.binary.fill((0, 0));
        self.is_all = false;
    }

    pub(crate) fn mark_nullary(&mut self) {
        self.nullary = true;
    }

    pub(crate) fn mark_unary(&mut self, predicate: UnaryId, nodes: u64) {
        if nodes != 0 {
            self.unary[predicate.index()] |= nodes;
        }
    }

    pub(crate) fn mark_binary(&mut self, predicate: BinaryId, from: u64, to: u64) {
        if from != 0 && to != 0 {
            let marked = &mut self.binary[predicate.index()];
            *marked = (marked.0 | from, marked.1 | to);
        }
    }

    /// Nodes that may be summaries no more, or that were one summary.
    pub(crate) fn mark_summary(&mut self, nodes: u64) {
        self.mark_unary(UnaryId::from_index(0), nodes);
    }

    /// The nodes from which a link may lead elsewhere now, and those that may have become single.
    pub(crate) fn of_link(&self, link: BinaryId) -> (u64, u64) {
        (self.binary[link.index()].0, self.unary[0])
    }

    /// The nodes at which the atom may have changed, for each of its variables; none: nowhere.
    #[inline]
    pub(crate) fn places(&self, atom: Atom) -> Option<[u64; MOST_VARIABLES]> {
        let mut places = [u64::MAX; MOST_VARIABLES];
        match atom {
            Atom::Unary(predicate, of) => {
                let nodes = self.unary[predicate.index()];
                if nodes == 0 {
                    return None;
                }
                places[usize::from(of)] = nodes;
            }
            Atom::Binary(predicate, from, to) => {
                let (first, second) = self.binary[predicate.index()];
                if first == 0 {
                    return None;
                }
                places[usize::from(from)] &= first;
                places[usize::from(to)] &= second;
                if places[usize::from(to)] == 0 {
                    return None;
                }
            }
            Atom::Equal(left, right) => {
                let nodes = self.unary[0];
                if nodes == 0 {
                    return None;
                }
                places[usize::from(left)] = nodes;
                places[usize::from(right)] = nodes;
            }
            Atom::Nullary(_) if self.nullary => {}
            Atom::Nullary(_) | Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => return None,
        }
        Some(places)
    }
}

/// What has changed so far, and which rules are due because of it.
pub(crate) struct Notes<'c> {
    pub(crate) changed: &'c mut Changes,
    due: &'c mut [u64],
    readers: &'c Readers,
    /// How often something was noted.
    pub(crate) count: usize,
}

impl<'c> Notes<'c> {
    pub(crate) fn new(
        changed: &'c mut Changes,
        due: &'c mut [u64],
        readers: &'c Readers,
    ) -> Notes<'c> {
        Notes { changed, due, readers, count: 0 }
    }

    /// The first rule from this one on that is due; it is not any more.
    #[inline]
    pub(crate) fn take_due(&mut self, from: usize) -> Option<usize> {
        let mut first = from % 64;
        for (index, word) in self.due.iter_mut().enumerate().skip(from / 64) {
            let waiting = *word & u64::MAX << first;
            first = 0;
            if waiting != 0 {
                let rule = waiting.trailing_zeros() as usize;
                *word &= !(1 << rule);
                return Some(index * 64 + rule);
            }
        }
        None
    }

    pub(crate) fn is_any_due(&self) -> bool {
        self.due.iter().any(|word| *word != 0)
    }

    pub(crate) fn mark_nullary(&mut self) {
        self.count += 1;
        self.changed.mark_nullary();
        self.readers.of_nullary(self.due);
    }

    pub(crate) fn mark_unary(&mut self, predicate: UnaryId, nodes: u64) {
        if nodes != 0 {
            self.count += 1;
            self.changed.mark_unary(predicate, nodes);
            self.readers.of_unary(predicate.index(), self.due);
        }
    }

    pub(crate) fn mark_binary(&mut self, predicate: BinaryId, from: u64, to: u64) {
        if from != 0 && to != 0 {
            self.count += 1;
            self.changed.mark_binary(predicate, from, to);
            self.readers.of_binary(predicate.index(), self.due);
        }
    }

    pub(crate) fn mark_summary(&mut self, nodes: u64) {
        self.mark_unary(UnaryId::from_index(0), nodes);
    }
}

/// The nodes at which two rows differ.
fn differing(one: Row, other: Row) -> u64 {
    (one.one ^ other.one) | (one.zero ^ other.zero)
}
