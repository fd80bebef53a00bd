//! Kleene's three truth values.

use std::fmt;

/// A truth value; `Half` stands for "0 or 1, not known which".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kleene {
    False,
    Half,
    True,
}

impl Kleene {
    pub const ALL: [Kleene; 3] = [Kleene::False, Kleene::Half, Kleene::True];

    /// The value that may be 1, may be 0, or both.
    ///
    /// # Panics
    /// When it may be neither: a contradiction is no value.
    #[must_use]
    pub fn from_chances(one: bool, zero: bool) -> Kleene {
        match (one, zero) {
            (true, true) => Kleene::Half,
            (true, false) => Kleene::True,
            (false, true) => Kleene::False,
            (false, false) => panic!("a predicate that can be neither 0 nor 1"),
        }
    }

    #[must_use]
    pub fn may_be_one(self) -> bool {
        self != Kleene::False
    }

    #[must_use]
    pub fn may_be_zero(self) -> bool {
        self != Kleene::True
    }

    #[must_use]
    pub fn and(self, other: Kleene) -> Kleene {
        self.min(other)
    }

    #[must_use]
    pub fn or(self, other: Kleene) -> Kleene {
        self.max(other)
    }

    /// The least value that describes both.
    #[must_use]
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Half }
    }

    /// Whether everything that `other` may be, this may be: the information order.
    #[must_use]
    pub fn describes(self, other: Kleene) -> bool {
        self == Kleene::Half || self == other
    }
}

impl std::ops::Not for Kleene {
    type Output = Kleene;
    fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Half => Kleene::Half,
            Kleene::True => Kleene::False,
        }
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl fmt::Display for Kleene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kleene::False => "0",
            Kleene::Half => "1/2",
            Kleene::True => "1",
        })
    }
}
