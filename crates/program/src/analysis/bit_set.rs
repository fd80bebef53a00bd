//! A set of small numbers as bits.

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set with room for `0..size`.
    #[must_use]
    pub fn new(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)] }
    }

    #[must_use]
    pub fn contains(&self, item: usize) -> bool {
        self.words.get(item / 64).is_some_and(|word| word & (1 << (item % 64)) != 0)
    }

    /// Adds an item; says whether it is new.
    pub fn insert(&mut self, item: usize) -> bool {
        let is_new = !self.contains(item);
        if item / 64 >= self.words.len() {
            self.words.resize(item / 64 + 1, 0);
        }
        self.words[item / 64] |= 1 << (item % 64);
        is_new
    }

    pub fn remove(&mut self, item: usize) {
        if let Some(word) = self.words.get_mut(item / 64) {
            *word &= !(1 << (item % 64));
        }
    }

    /// Adds all of `other`; says whether anything is new.
    pub fn union(&mut self, other: &BitSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut has_grown = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            has_grown |= *other & !*word != 0;
            *word |= other;
        }
        has_grown
    }

    /// The items in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| 64 * index + bit)
        })
    }
}
