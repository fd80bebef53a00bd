//! A small deterministic source of random choices (splitmix64).
//! The same seed gives the same program on every machine, so a seed in a bug report is enough.

/// A stream of random choices; cloning it repeats the stream.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the stream of `seed`.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; the slight bias of the remainder does not matter here.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "a choice among nothing");
        usize::try_from(self.bits() % limit as u64).expect("smaller than a usize")
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in about `percent` of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Brings `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_stream() {
        let mut first = Random::new(7);
        let mut second = Random::new(7);
        assert!((0..100).all(|_| first.bits() == second.bits()));
    }

    #[test]
    fn between_reaches_both_ends() {
        let mut random = Random::new(1);
        let drawn: Vec<usize> = (0..200).map(|_| random.between(3, 5)).collect();
        assert!([3, 4, 5].iter().all(|wanted| drawn.contains(wanted)));
        assert!(drawn.iter().all(|number| (3..=5).contains(number)));
    }
}
