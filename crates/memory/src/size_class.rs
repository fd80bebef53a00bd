//! Size classes: sizes are rounded up so that a released piece fits the next request of its class.
//!
//! Used twice: for pieces of storage, and for block numbers with their ranges of addresses.

use std::collections::BTreeMap;

const GRANULE: u64 = 16;
const SMALL: u64 = 1024;
const MEDIUM: u64 = 1 << 20;
const LARGE_STEP: u64 = 1 << 16;

/// `size` rounded up to its class: a multiple of 16, of which there are few. `None` past 2^63.
#[inline]
pub(crate) fn round_up(size: u64) -> Option<u64> {
    if size <= SMALL {
        Some(size.next_multiple_of(GRANULE))
    } else if size <= MEDIUM {
        Some(size.next_power_of_two())
    } else {
        size.checked_next_multiple_of(LARGE_STEP).filter(|&rounded| rounded < 1 << 63)
    }
}

/// Released pieces by size; the last one released is the first one reused.
#[derive(Clone, Debug)]
pub(crate) struct FreeLists<T> {
    small: Vec<Vec<T>>,
    large: BTreeMap<u64, Vec<T>>,
}

impl<T> FreeLists<T> {
    pub(crate) fn new() -> FreeLists<T> {
        let classes = (SMALL / GRANULE + 1) as usize;
        FreeLists { small: (0..classes).map(|_| Vec::new()).collect(), large: BTreeMap::new() }
    }

    /// Takes a piece of exactly `rounded` bytes.
    #[inline]
    pub(crate) fn take(&mut self, rounded: u64) -> Option<T> {
        match self.small.get_mut((rounded / GRANULE) as usize) {
            Some(list) => list.pop(),
            None => self.large.get_mut(&rounded)?.pop(),
        }
    }

    #[inline]
    pub(crate) fn give(&mut self, rounded: u64, piece: T) {
        match self.small.get_mut((rounded / GRANULE) as usize) {
            Some(list) => list.push(piece),
            None => self.large.entry(rounded).or_default().push(piece),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_a_class_that_contains_the_size() {
        for size in [0, 1, 15, 16, 17, 1000, 1024, 1025, 5000, 1 << 20, (1 << 20) + 1, 1 << 40] {
            let rounded = round_up(size).unwrap();
            assert!(rounded >= size && rounded.is_multiple_of(16), "{size} became {rounded}");
            assert_eq!(round_up(rounded), Some(rounded));
        }
        assert_eq!(round_up(u64::MAX), None);
    }
}
