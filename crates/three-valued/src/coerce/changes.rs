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
    /// How often something was marked.
    marks: u64,
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

impl Changes {
    pub(crate) fn none(vocabulary: &Vocabulary) -> Changes {
        Changes {
            nullary: false,
            unary: vec![0; vocabulary.unary().len()],
            binary: vec![(0, 0); vocabulary.binary().len()],
            touched: Touched::default(),
            marks: 0,
        }
    }

    /// Everything may have changed.
    pub(crate) fn all(vocabulary: &Vocabulary) -> Changes {
        Changes {
            nullary: true,
            unary: vec![u64::MAX; vocabulary.unary().len()],
            binary: vec![(u64::MAX, u64::MAX); vocabulary.binary().len()],
            touched: Touched { nullary: true, unary: u64::MAX, binary: u64::MAX },
            marks: 0,
        }
    }

    /// What differs between two structures with the same nodes.
    pub(crate) fn between(vocabulary: &Vocabulary, one: &Structure, other: &Structure) -> Changes {
        assert_eq!(one.len(), other.len(), "structures with different nodes");
        let mut changes = Changes::none(vocabulary);
        let (one, nodes) = (one.rows(), one.len());
        let other = other.rows();
        if one[0] != other[0] {
            changes.mark_nullary();
        }
        let unary = changes.unary.len();
        for index in 0..unary {
            changes.mark_unary(
                UnaryId::from_index(index),
                differing(one[index + 1], other[index + 1]),
            );
        }
        let (one, other) = (&one[1 + unary..], &other[1 + unary..]);
        for (index, (one, other)) in
            one.chunks_exact(nodes).zip(other.chunks_exact(nodes)).enumerate()
        {
            for (from, (one, other)) in one.iter().zip(other).enumerate() {
                changes.mark_binary(
                    BinaryId::from_index(index),
                    1 << from,
                    differing(*one, *other),
                );
            }
        }
        changes
    }

    pub(crate) fn is_none(&self) -> bool {
        self.touched == Touched::default()
    }

    pub(crate) fn marks(&self) -> u64 {
        self.marks
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
        self.marks += 1;
    }

    pub(crate) fn mark_unary(&mut self, predicate: UnaryId, nodes: u64) {
        if nodes != 0 {
            self.unary[predicate.index()] |= nodes;
            self.touched = self.touched.with(Touched::unary(predicate));
            self.marks += 1;
        }
    }

    pub(crate) fn mark_binary(&mut self, predicate: BinaryId, from: u64, to: u64) {
        if from != 0 && to != 0 {
            let marked = &mut self.binary[predicate.index()];
            *marked = (marked.0 | from, marked.1 | to);
            self.touched = self.touched.with(Touched::binary(predicate));
            self.marks += 1;
        }
    }

    /// Nodes that may be summaries no more, or that were one summary.
    pub(crate) fn mark_summary(&mut self, nodes: u64) {
        self.mark_unary(UnaryId::from_index(0), nodes);
    }

    pub(crate) fn add(&mut self, other: &Changes) {
        self.nullary |= other.nullary;
        for (mine, more) in self.unary.iter_mut().zip(&other.unary) {
            *mine |= more;
        }
        for (mine, more) in self.binary.iter_mut().zip(&other.binary) {
            *mine = (mine.0 | more.0, mine.1 | more.1);
        }
        self.touched = self.touched.with(other.touched);
    }

    /// The nodes at which the atom may have changed, for each of its variables; none: nowhere.
    pub(crate) fn places(&self, atom: Atom) -> Option<[u64; MOST_VARIABLES]> {
        let mut places = [u64::MAX; MOST_VARIABLES];
        match atom {
            Atom::Nullary(_) if self.nullary => {}
            Atom::Unary(predicate, of) => places[usize::from(of)] = self.unary[predicate.index()],
            Atom::Binary(predicate, from, to) => {
                let marked = self.binary[predicate.index()];
                places[usize::from(from)] &= marked.0;
                places[usize::from(to)] &= marked.1;
            }
            Atom::Equal(left, right) => {
                places[usize::from(left)] = self.unary[0];
                places[usize::from(right)] = self.unary[0];
            }
            Atom::Nullary(_) | Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => return None,
        }
        places.iter().all(|nodes| *nodes != 0).then_some(places)
    }
}

/// The nodes at which two rows differ.
fn differing(one: Row, other: Row) -> u64 {
    (one.one ^ other.one) | (one.zero ^ other.zero)
}
