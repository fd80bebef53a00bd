//! Ranges of signed numbers.

/// Signed numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Range {
    /// Every number of so many bits.
    pub(crate) fn full(bits: u32) -> Range {
        let high = i128::MAX >> (128 - bits);
        Range { low: -high - 1, high }
    }

    /// The numbers with the other sign.
    pub(crate) fn negated(self) -> Range {
        Range { low: -self.high, high: -self.low }
    }

    pub(crate) fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}
