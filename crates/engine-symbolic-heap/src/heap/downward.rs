//! Downward relations: what a number in each node of a tree has to do with the same number in the nodes right below it.
//!
//! Heaps fall from above to below, and no red node of a red-black tree has a red child. Each such relation is one of few, and says something of
//! one link; a tree obeys it if all its links do.

use std::fmt::Write as _;

use heapwright_logic::{TermId, Terms};

use crate::heap::block::End;
use crate::heap::order::Place;

/// Places at which nodes of one tree may be related.
pub(crate) const MOST_DOWNWARD: usize = 2;

/// What holds along every link of a tree from a node to another ([`crate::summary::tree::downward`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Downward {
    pub(crate) place: Place,
    /// At least one; in order, each once.
    pub(crate) relations: Vec<Relation>,
    /// The number in the root.
    pub(crate) root: TermId,
    /// The number in the node that has the hole, if there is a hole.
    pub(crate) above_hole: Option<TermId>,
}

impl Downward {
    /// Whether it is told of a tree with a hole, or of one without.
    pub(crate) fn is_well_formed(&self, has_hole: bool) -> bool {
        !self.relations.is_empty()
            && self.relations.is_sorted_by(|one, next| one < next)
            && self.above_hole.is_some() == has_hole
    }

    /// Its numbers, if it is the one with this index.
    pub(crate) fn ends(&self, index: usize) -> impl Iterator<Item = (End, TermId)> {
        let index = index as u8;
        let above = self.above_hole.map(|number| (End::AboveHole(index), number));
        std::iter::once((End::Root(index), self.root)).chain(above)
    }

    /// As it is written in texts.
    pub(crate) fn words(&self) -> String {
        let Place { offset, size } = self.place;
        let mut text = format!("downwards +{offset}/{size}");
        for relation in &self.relations {
            let _ = write!(text, " {}", relation.word());
        }
        text
    }
}

/// How the number of a node is related to that of a child. Numbers have their signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    Greater,
    AtLeast,
    Less,
    AtMost,
    /// If the node's is not zero, the child's is.
    NonzeroOverZero,
    /// If the node's is zero, the child's is not.
    ZeroOverNonzero,
    /// The node's is that of the child and one, by arithmetic that wraps.
    OneMore,
}

impl Relation {
    pub(crate) const ALL: [Relation; 7] = [
        Relation::Greater,
        Relation::AtLeast,
        Relation::Less,
        Relation::AtMost,
        Relation::NonzeroOverZero,
        Relation::ZeroOverNonzero,
        Relation::OneMore,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::NonzeroOverZero => "nonzero-over-zero",
            Relation::ZeroOverNonzero => "zero-over-nonzero",
            Relation::OneMore => "one-more",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Relation> {
        Relation::ALL.into_iter().find(|relation| relation.word() == word)
    }

    /// Whether it follows from one of some relations that is stronger.
    pub(crate) fn follows_from(self, relations: &[Relation]) -> bool {
        match self {
            Relation::AtLeast => relations.contains(&Relation::Greater),
            Relation::AtMost => relations.contains(&Relation::Less),
            Relation::Greater
            | Relation::Less
            | Relation::NonzeroOverZero
            | Relation::ZeroOverNonzero
            | Relation::OneMore => false,
        }
    }

    /// What holds between the number of a node and that of any node below it, or its own, however far below, if it holds along every
    /// link.
    pub(crate) fn on_every_way(self) -> Option<Relation> {
        match self {
            Relation::Greater | Relation::AtLeast => Some(Relation::AtLeast),
            Relation::Less | Relation::AtMost => Some(Relation::AtMost),
            Relation::NonzeroOverZero | Relation::ZeroOverNonzero | Relation::OneMore => None,
        }
    }

    /// The relation of a node's number and a child's, as a formula.
    pub(crate) fn says(self, terms: &mut Terms, (node, child): (TermId, TermId)) -> TermId {
        let zero = terms.bit_vector(0, terms.width(node));
        match self {
            Relation::Greater => terms.signed_less(child, node),
            Relation::AtLeast => terms.signed_less_equal(child, node),
            Relation::Less => terms.signed_less(node, child),
            Relation::AtMost => terms.signed_less_equal(node, child),
            Relation::NonzeroOverZero => {
                let (one, other) = (terms.equal(node, zero), terms.equal(child, zero));
                terms.or(one, other)
            }
            Relation::ZeroOverNonzero => {
                let (one, other) = (terms.not_equal(node, zero), terms.not_equal(child, zero));
                terms.or(one, other)
            }
            Relation::OneMore => {
                let one = terms.bit_vector(1, terms.width(node));
                let more = terms.add(child, one);
                terms.equal(node, more)
            }
        }
    }
}
