//! Cursors: pointers into arrays, of which it is counted how many elements they have passed.
//!
//! A place in bytes tells nothing of how the elements lie: that `p` is four times a number makes `*p` an element like `a[i]`, and the number
//! one that goes with other counters. So where two places are multiples of a power of two by their forms, it is that multiple which is
//! compared and joined.

use heapwright_logic::TermId;

use crate::heap::names::Names;
use crate::precision::Relations;
use crate::summary::matched::{Joined, Match};
use crate::summary::matching::match_terms;
use crate::summary::zeros::{index_at, times};

/// The largest distance of elements that is tried.
const LONGEST_STEP: u64 = 128;

/// A place of a cursor on both sides, in steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) known: TermId,
    pub(crate) new: TermId,
    /// Bytes.
    pub(crate) step: u64,
}

impl Counted {
    /// The place for which a number stands that is these on both sides.
    pub(crate) fn place(&self, names: &mut Names<'_>, number: Joined) -> Joined {
        let [value, known, new] =
            [number.value, number.known, number.new].map(|one| times(names, one, self.step));
        Joined { value, known, new }
    }
}

/// Two places in the largest steps that both consist of.
pub(crate) fn counted(
    names: &mut Names<'_>,
    relations: Relations,
    (known, new): (TermId, TermId),
) -> Counted {
    let steps = match relations {
        Relations::Unseen | Relations::Seen | Relations::Lengths => 1,
        Relations::Texts => LONGEST_STEP,
    };
    let mut step = steps;
    // Ends because steps become smaller.
    while step > 1 {
        if let (Some(known), Some(new)) = (index_at(names, known, step), index_at(names, new, step))
        {
            return Counted { known, new, step };
        }
        step /= 2;
    }
    Counted { known, new, step: 1 }
}

/// Whether a known place that is counted in steps stands for a new one.
pub(crate) fn match_counted(
    names: &mut Names<'_>,
    (known, new): (TermId, TermId),
    found: &mut Match,
) -> bool {
    if names.constant(known).is_some() {
        return false;
    }
    let Counted { known, new, step } = counted(names, found.relations, (known, new));
    step > 1 && match_terms(names, (known, new), found)
}
