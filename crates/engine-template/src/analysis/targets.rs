//! Targets: what a pointer may be, as a set of places in objects.

use std::collections::{BTreeMap, BTreeSet};

use crate::ssa::formula::AbstractObjectId;

/// Bytes from the start of an object; `None` for any number of them. A little outside is known too:
/// that is where a pointer to a member leads when it is taken back to a whole that is not there.
pub type Offset = Option<i64>;

/// How many offsets into one object a pointer may have that are told apart.
const MOST_OFFSETS: usize = 64;

/// What a pointer may be, besides null, which it may always be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Of each object either a few offsets or any.
    pub places: BTreeSet<(AbstractObjectId, Offset)>,
    /// A number that no object is known to be at.
    pub number: bool,
}

impl Targets {
    pub(super) fn number() -> Targets {
        Targets { places: BTreeSet::new(), number: true }
    }

    pub(super) fn one(object: AbstractObjectId, offset: Offset) -> Targets {
        Targets { places: BTreeSet::from([(object, offset)]), number: false }
    }

    /// Adds what the other may be; whether that is more than before.
    pub(super) fn join(&mut self, other: &Targets) -> bool {
        let mut has_grown = other.number && !self.number;
        self.number |= other.number;
        for &(object, offset) in &other.places {
            has_grown |= self.add(object, offset);
        }
        has_grown
    }

    /// Adds a place. A pointer that moves along an object would go through all its offsets one by one:
    /// where there are too many, any offset is taken.
    pub(super) fn add(&mut self, object: AbstractObjectId, offset: Offset) -> bool {
        if self.places.contains(&(object, None)) || !self.places.insert((object, offset)) {
            return false;
        }
        let of_object = (object, None)..=(object, Some(i64::MAX));
        if offset.is_none() || self.places.range(of_object).count() > MOST_OFFSETS {
            self.places.retain(|&(other, _)| other != object);
            self.places.insert((object, None));
        }
        true
    }

    #[must_use]
    pub fn has(&self, object: AbstractObjectId) -> bool {
        self.places.iter().any(|&(place, _)| place == object)
    }

    /// The objects, each with its known offsets, or with `None` if some offset is not known.
    #[must_use]
    pub fn by_object(&self) -> BTreeMap<AbstractObjectId, Option<Vec<i64>>> {
        let mut objects: BTreeMap<AbstractObjectId, Option<Vec<i64>>> = BTreeMap::new();
        for &(object, offset) in &self.places {
            let known = objects.entry(object).or_insert_with(|| Some(Vec::new()));
            match offset {
                Some(offset) => {
                    if let Some(known) = known {
                        known.push(offset);
                    }
                }
                None => *known = None,
            }
        }
        objects
    }
}

#[cfg(test)]
mod tests {
    use heapwright_base::DenseId;

    use super::*;

    fn object(index: usize) -> AbstractObjectId {
        AbstractObjectId::from_index(index)
    }

    #[test]
    fn a_few_offsets_are_told_apart() {
        let mut targets = Targets::one(object(0), Some(0));
        assert!(targets.join(&Targets::one(object(0), Some(8))));
        assert!(!targets.join(&Targets::one(object(0), Some(8))));
        assert_eq!(targets.by_object()[&object(0)], Some(vec![0, 8]));
    }

    #[test]
    fn a_pointer_that_moves_on_and_on_may_be_anywhere_in_its_object() {
        let mut targets = Targets::one(object(1), Some(4));
        let mut offset = 0;
        // Ends because a set of offsets stops growing.
        while targets.join(&Targets::one(object(0), Some(offset))) {
            offset += 1;
            assert!(offset <= MOST_OFFSETS as i64 + 1, "the offsets go on growing");
        }
        let objects = targets.by_object();
        assert_eq!(objects[&object(0)], None);
        assert_eq!(objects[&object(1)], Some(vec![4]));
    }
}
