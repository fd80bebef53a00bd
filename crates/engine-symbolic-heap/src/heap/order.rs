//! Orders: how numbers in the nodes of a list or a tree are sorted.

use heapwright_logic::{TermId, Terms};

/// Numbers at some place of each node, none of which is on the wrong side of the next
/// ([`crate::summary::sorted`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) signedness: Signedness,
    pub(crate) direction: Direction,
    pub(crate) strictness: Strictness,
}

impl Order {
    /// Where the numbers are.
    pub(crate) fn place(self) -> Place {
        Place { offset: self.offset, size: self.size }
    }

    /// The same, where neighbours may be equal.
    pub(crate) fn loosened(self) -> Order {
        Order { strictness: Strictness::Loose, ..self }
    }

    /// Whether what is sorted in this way is sorted in another way as well.
    pub(crate) fn implies(self, other: Order) -> bool {
        self == other || self.loosened() == other
    }

    /// The other way round.
    pub(crate) fn turned(self) -> Order {
        let direction = match self.direction {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        };
        Order { direction, ..self }
    }

    /// As it is written in texts.
    pub(crate) fn words(self) -> String {
        let Order { offset, size, signedness, direction, strictness } = self;
        let direction = match direction {
            Direction::Up => "ascending",
            Direction::Down => "descending",
        };
        let strictly = match strictness {
            Strictness::Strict => "strictly ",
            Strictness::Loose => "",
        };
        let unsigned = match signedness {
            Signedness::Signed => "",
            Signedness::Unsigned => "unsigned ",
        };
        format!("{strictly}{direction} by {unsigned}+{offset}/{size}")
    }
}

/// Bytes of a node that are read as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
}

/// An order, with what the first and the last of some nodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) order: Order,
    pub(crate) first: TermId,
    pub(crate) last: TermId,
}

impl Sorted {
    /// Whether all nodes have one number: the last has that of the first, and none in between is on the wrong side of it.
    pub(crate) fn is_level(self) -> bool {
        self.first == self.last
    }

    /// Whether its nodes are sorted in some way. Those that have one number are, loosely, in both directions, with a sign and without.
    pub(crate) fn is_by(self, order: Order) -> bool {
        let is_loose_there = order.loosened() == order && order.place() == self.order.place();
        self.order.implies(order) || (self.is_level() && is_loose_there)
    }

    /// In which ways its nodes, and others beside them, may be sorted.
    pub(crate) fn ways(self) -> Vec<Order> {
        let mut ways = vec![self.order, self.order.loosened()];
        if self.is_level() {
            let loose = self.order.loosened();
            let other = Order { signedness: loose.signedness.other(), ..loose };
            ways.extend([loose.turned(), other, other.turned()]);
        }
        ways.dedup();
        ways
    }
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

/// How the bits of a number are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signedness {
    Signed,
    Unsigned,
}

impl Signedness {
    pub(crate) const ALL: [Signedness; 2] = [Signedness::Signed, Signedness::Unsigned];

    fn other(self) -> Signedness {
        match self {
            Signedness::Signed => Signedness::Unsigned,
            Signedness::Unsigned => Signedness::Signed,
        }
    }

    /// That one number is less than another, or at most as large.
    pub(crate) fn order(
        self,
        terms: &mut Terms,
        strictness: Strictness,
        (low, high): (TermId, TermId),
    ) -> TermId {
        match (self, strictness) {
            (Signedness::Signed, Strictness::Strict) => terms.signed_less(low, high),
            (Signedness::Signed, Strictness::Loose) => terms.signed_less_equal(low, high),
            (Signedness::Unsigned, Strictness::Strict) => terms.unsigned_less(low, high),
            (Signedness::Unsigned, Strictness::Loose) => terms.unsigned_less_equal(low, high),
        }
    }
}
