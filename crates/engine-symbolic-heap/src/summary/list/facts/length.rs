//! How many nodes a segment has at least.

use crate::heap::block::Block;
use crate::heap::language::{Places, PrototypeSet};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining, Taken};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;

/// A longer known minimum does not help, and each one is another shape.
const LONGEST_MINIMUM: u32 = 2;

#[derive(Debug)]
pub(crate) struct Length;

impl ChainFact for Length {
    fn concatenate(
        &self,
        _: &mut Domain<'_, '_>,
        state: &State,
        (pair, _): (&Pair, &Places),
        segment: &mut Segment,
    ) {
        let of = |side| minimum(state.block(side));
        segment.minimum = (of(pair.first.block) + of(pair.second.block)).min(LONGEST_MINIMUM);
    }

    fn may_be_single(&self, segment: &Segment) -> bool {
        segment.minimum <= 1
    }

    fn uncons(&self, _: &mut Names<'_>, _: &mut State, _: Taken, rest: &mut Segment) {
        rest.minimum = rest.minimum.saturating_sub(1).max(1);
    }

    fn entails(
        &self,
        _: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        _: &[PrototypeSet],
    ) -> bool {
        known.minimum <= new.map_or(1, |new| new.minimum)
    }

    fn join(
        &self,
        _: &mut Domain<'_, '_>,
        _: &Match,
        sides: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        segment.minimum = segment.minimum.min(minimum(sides.new));
        Some(())
    }
}

fn minimum(block: &Block) -> u32 {
    block.segment().map_or(1, |segment| segment.minimum)
}
