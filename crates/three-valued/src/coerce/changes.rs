//! What has changed since a structure was sharp: where a rule has to be looked at again.

use heapwright_base::DenseId;

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
    /// The predicates with changes, as bits; ids beyond a word share bits, which only makes a rule run
    /// once more.
    touched: Touched,
}

/// A set of predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) nullary: bool,
    pub(crate) unary: u64,
    pub(crate) binary: u64,
}

/// Which nodes are summaries is a unary predicate as well.
pub(crate) const SUMMARY: Touched = Touched { nullary: false, unary: 1, binary: 0 };

impl Touched {
    pub(crate) fn unary(id: UnaryId) -> Touched {
        Touched { unary: 1 << (id.index() % 64), ..Touched::default() }
    }

    pub(crate) fn binary(id: BinaryId) -> Touched {
        Touched { binary: 1 << (id.index() % 64), ..Touched::default() }
    }

    pub(crate) fn atom(atom: Atom) -> Touched {
        match atom {
            Atom::Nullary(_) => Touched { nullary: true, ..Touched::default() },
            Atom::Unary(id, _) => Touched::unary(id),
            Atom::Binary(id, _, _) => Touched::binary(id),
            Atom::Equal(_, _) => SUMMARY,
            Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => Touched::default(),
        }
    }

    pub(crate) fn with(self, other: Touched) -> Touched {
        Touched {
            nullary: self.nullary | other.nullary,
            unary: self.unary | other.unary,
            binary: self.binary | other.binary,
        }
    }

    pub(crate) fn meets(self, other: Touched) -> bool {
        self.nullary && other.nullary
            || self.unary & other.unary != 0
            || self.binary & other.binary != 0
    }
}

/// How many predicates with one and two arguments there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    unary: usize,
    binary: usize,
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
            touched: Touched::default(),
        }
    }

    /// Everything may have changed.
    pub(crate) fn mark_all(&mut self) {
        self.nullary = true;
        self.unary.fill(u64::MAX);
        self.binary.fill((u64::MAX, u64::MAX));
        self.touched = Touched { nullary: true, unary: u64::MAX, binary: u64::MAX };
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

    pub(crate) fn is_none(&self) -> bool {
        self.touched == Touched::default()
    }

    pub(crate) fn touched(&self) -> Touched {
        self.touched
    }

    pub(crate) fn clear(&mut self) {
        self.nullary = false;
        self.unary.fill(0);
        self.binary.fill((0, 0));
        self.touched = Touched::default();
    }

    pub(crate) fn mark_nullary(&mut self) {
        self.nullary = true;
        self.touched.nullary = true;
    }

    pub(crate) fn mark_unary(&mut self, predicate: UnaryId, nodes: u64) {
        if nodes != 0 {
            self.unary[predicate.index()] |= nodes;
            self.touched = self.touched.with(Touched::unary(predicate));
        }
    }

    pub(crate) fn mark_binary(&mut self, predicate: BinaryId, from: u64, to: u64) {
        if from != 0 && to != 0 {
            let marked = &mut self.binary[predicate.index()];
            *marked = (marked.0 | from, marked.1 | to);
            self.touched = self.touched.with(Touched::binary(predicate));
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

/// What has changed since a rule was applied, and what changes now: the rules below see that at once, the rule
/// itself and those above in the next round.
pub(crate) struct Notes<'c> {
    pub(crate) changed: &'c mut Changes,
    pub(crate) next: &'c mut Changes,
}

impl Notes<'_> {
    pub(crate) fn mark_nullary(&mut self) {
        self.changed.mark_nullary();
        self.next.mark_nullary();
    }

    pub(crate) fn mark_unary(&mut self, predicate: UnaryId, nodes: u64) {
        self.changed.mark_unary(predicate, nodes);
        self.next.mark_unary(predicate, nodes);
    }

    pub(crate) fn mark_binary(&mut self, predicate: BinaryId, from: u64, to: u64) {
        self.changed.mark_binary(predicate, from, to);
        self.next.mark_binary(predicate, from, to);
    }

    pub(crate) fn mark_summary(&mut self, nodes: u64) {
        self.changed.mark_summary(nodes);
        self.next.mark_summary(nodes);
    }
}

/// The nodes at which two rows differ.
fn differing(one: Row, other: Row) -> u64 {
    (one.one ^ other.one) | (one.zero ^ other.zero)
}
