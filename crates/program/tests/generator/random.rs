//! Reproducible random numbers.

/// Marsaglia's xorshift.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn bits(&mut self) -> u128 {
        let word = |random: &mut Random| random.below(1 << 32) as u128;
        match self.below(4) {
            0 => self.below(5) as u128,
            1 => u128::MAX - self.below(5) as u128,
            2 => 1 << self.below(128),
            _ => word(self) | word(self) << 32 | word(self) << 64 | word(self) << 96,
        }
    }
}
