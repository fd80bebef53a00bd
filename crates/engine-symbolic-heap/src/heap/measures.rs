//! Measures of trees: how many nodes one has, how high it is, and what all its nodes keep of that.
//!
//! Both are numbers that no node need hold. They are what they are in every concrete tree, so what the nodes keep
//! is told by them: that what is below the links of each node is equally high, or nearly, and that nodes
//! hold the measures of what hangs at them. What is not there has no node and no height.

use heapwright_logic::{TermId, Terms};

use crate::heap::order::Place;

/// Measures that nodes of one tree may hold.
pub(crate) const MOST_STORED: usize = 4;

/// The measures of a tree ([`crate::summary::tree::measures`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measures {
    /// How many nodes it has, as wide as a pointer.
    pub(crate) size: TermId,
    /// What is told of it if it has no hole.
    pub(crate) whole: Option<Whole>,
}

/// What is told of a tree that has no hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// How many nodes are on the longest way down, the root among them; as wide as a pointer.
    pub(crate) height: TermId,
    pub(crate) siblings: Siblings,
    /// What each node holds; in order, each once.
    pub(crate) stored: Vec<Stored>,
}

impl Measures {
    /// Whether it is told of a tree with so many links, with a hole or without.
    pub(crate) fn is_well_formed(&self, links: usize, has_hole: bool) -> bool {
        let is_whole_right = self.whole.as_ref().is_none_or(|whole| {
            !has_hole
                && whole.stored.len() <= MOST_STORED
                && whole.stored.is_sorted_by(|one, next| one < next)
        });
        links == 2 && is_whole_right
    }

    /// As it is written in texts.
    pub(crate) fn words(&self) -> Vec<String> {
        let Some(whole) = &self.whole else { return Vec::new() };
        let siblings = whole.siblings.word().map(str::to_owned);
        siblings.into_iter().chain(whole.stored.iter().map(Stored::words)).collect()
    }
}

/// How high what is below one link of a node is, compared with what is below the other. Each says more than those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Siblings {
    #[default]
    Any,
    /// One is at most one higher than the other.
    Balanced,
    /// Both are equally high.
    Level,
}

impl Siblings {
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Siblings::Any => None,
            Siblings::Balanced => Some("balanced"),
            Siblings::Level => Some("level"),
        }
    }

    /// How high a tree may be that has at most so many nodes.
    pub(crate) fn highest(self, most_nodes: u128) -> u128 {
        // The fewest nodes of a height, and of the next one.
        let (mut fewest, mut next) = (0u128, 1u128);
        let mut height = 0;
        if self == Siblings::Any {
            return most_nodes;
        }
        while next <= most_nodes {
            height += 1;
            let lower = if self == Siblings::Level { next } else { fewest };
            (fewest, next) = (next, 1 + next + lower);
        }
        height
    }
}

/// A measure of what hangs at a node, as the node holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stored {
    pub(crate) place: Place,
    pub(crate) measure: Measure,
    /// What the node has is the measure less that: a program may say that a leaf has height 0.
    pub(crate) less: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    Size,
    Height,
}

impl Stored {
    /// All that may be held at a place.
    pub(crate) fn all_at(place: Place) -> impl Iterator<Item = Stored> {
        let measures = [Measure::Size, Measure::Height].into_iter();
        measures.flat_map(move |measure| [0, 1].map(|less| Stored { place, measure, less }))
    }

    /// The number that a node has at which a tree of this size and height hangs, as far as it fits.
    pub(crate) fn number(self, terms: &mut Terms, (size, height): (TermId, TermId)) -> TermId {
        let measure = match self.measure {
            Measure::Size => size,
            Measure::Height => height,
        };
        let less = terms.bit_vector(u128::from(self.less), terms.width(measure));
        let number = terms.subtract(measure, less);
        let bits = 8 * self.place.size as u32;
        match bits < terms.width(number) {
            true => terms.extract(number, bits - 1, 0),
            false => terms.zero_extend(number, bits),
        }
    }

    pub(crate) fn words(&self) -> String {
        let measure = match self.measure {
            Measure::Size => "size",
            Measure::Height => "height",
        };
        let less = if self.less == 0 { "" } else { " less one" };
        format!("{measure}{less} at +{}/{}", self.place.offset, self.place.size)
    }
}
