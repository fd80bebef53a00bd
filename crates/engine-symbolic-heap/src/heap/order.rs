//! Orders: how numbers in the nodes of a list or a tree are sorted.

use heapwright_logic::TermId;

/// Signed numbers at some place of each node, none of which is on the wrong side of the next
/// ([`crate::summary::sorted`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) direction: Direction,
    pub(crate) strictness: Strictness,
}

impl Order {
    /// The same, where neighbours may be equal.
    pub(crate) fn loosened(self) -> Order {
        Order { strictness: Strictness::Loose, ..self }
    }

    /// Whether what is sorted in this way is sorted in another way as well.
    pub(crate) fn implies(self, other: Order) -> bool {
        self == other || self.loosened() == other
    }

    /// As it is written in texts.
    pub(crate) fn words(self) -> String {
        let Order { offset, size, direction, strictness } = self;
        let direction = match direction {
            Direction::Up => "ascending",
            Direction::Down => "descending",
        };
        let strictly = match strictness {
            Strictness::Strict => "strictly ",
            Strictness::Loose => "",
        };
        format!("{strictly}{direction} by +{offset}/{size}")
    }
}

/// An order, with what the first and the last of some nodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) order: Order,
    pub(crate) first: TermId,
    pub(crate) last: TermId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// No number is greater than the next.
    Up,
    /// None is less.
    Down,
}

/// Whether neighbours may have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    Strict,
    Loose,
}
