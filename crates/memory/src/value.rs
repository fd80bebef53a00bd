//! A value of the running program: sixteen bytes without a tag.

use std::fmt;

use heapwright_base::DenseId;

use crate::block::BlockId;

/// The bits of a value. What they mean is known where the value is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Value {
    /// The number, or its lower half; the address of a pointer.
    pub low: u64,
    /// The upper half of a number wider than 64 bits; the block of a pointer, 0 for none.
    pub high: u64,
}

impl Value {
    /// The number 0, the null pointer.
    pub const ZERO: Value = Value { low: 0, high: 0 };

    /// A number of at most 64 bits, or a pointer without a block.
    #[must_use]
    #[inline]
    pub const fn from_low(low: u64) -> Value {
        Value { low, high: 0 }
    }

    /// A number of at most 128 bits.
    #[must_use]
    #[inline]
    pub const fn from_wide(bits: u128) -> Value {
        Value { low: bits as u64, high: (bits >> 64) as u64 }
    }

    /// Both halves as one number.
    #[must_use]
    #[inline]
    pub const fn wide(self) -> u128 {
        self.low as u128 | (self.high as u128) << 64
    }

    /// A pointer into `block`.
    #[must_use]
    #[inline]
    pub fn pointer(address: u64, block: BlockId) -> Value {
        Value { low: address, high: block.index() as u64 }
    }

    /// The block that this value, read as a pointer, was made from.
    #[must_use]
    pub fn block(self) -> Option<BlockId> {
        (self.high != 0).then(|| BlockId::from_index(self.high as usize))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.low)?;
        if self.high == 0 { Ok(()) } else { write!(f, "@{:#x}", self.high) }
    }
}
