//! How many nodes a segment has: at least some number, and exactly a term of the state's numbers.
//!
//! The term is what ties a list to the counters of a program. It takes part in the condition like any
//! other number: two chains one behind the other have the sum, what is left without a node has one less, and where
//! states meet, how it goes with other numbers is kept ([`crate::abstraction::numbers::affine`]).

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::block::{Block, End};
use crate::heap::language::{Places, PrototypeSet};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::precision::Relations;
use crate::reasoning::path_condition::require;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining, Taken};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;

/// A longer known minimum does not help, and each one is another shape.
const LONGEST_MINIMUM: u32 = 2;

#[derive(Debug)]
pub(crate) struct Length;

impl ChainFact for Length {
    fn ends(&self) -> &'static [End] {
        &[End::Length]
    }

    fn can_be_said_of(&self, _: &Names<'_>, known: &Segment, new: &Block) -> bool {
        known.length.is_none() || new.segment().is_none_or(|new| new.length.is_some())
    }

    fn end_of_node(&self, names: &mut Names<'_>, _: &Segment, _: &Block) -> Option<TermId> {
        Some(number(names, 1))
    }

    fn concatenate(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        (pair, _): (&Pair, &Places),
        segment: &mut Segment,
    ) {
        let sides = [pair.first.block, pair.second.block].map(|side| state.block(side));
        let [one, other] = sides.map(|side| minimum(side));
        segment.minimum = (one + other).min(LONGEST_MINIMUM);
        match domain.precision.relations {
            Relations::Unseen | Relations::Texts => {}
            Relations::Seen | Relations::Lengths => {
                let names = &mut domain.reasoner.names;
                let [one, other] = sides.map(|side| length(names, side));
                segment.length = one.zip(other).map(|(one, other)| names.terms.add(one, other));
                // The term tells, and what it tells is no other shape.
                segment.minimum = 1;
            }
        }
    }

    fn tell_folded(&self, domain: &mut Domain<'_, '_>, state: &mut State, segment: &Segment) {
        let is_told = domain.precision.relations == Relations::Lengths && !segment.may_be_empty();
        let Some(length) = segment.length.filter(|_| is_told) else { return };
        let names = &mut domain.reasoner.names;
        let least = number(names, 1);
        let is_there = names.terms.signed_less_equal(least, length);
        require(names, state, is_there);
    }

    fn may_be_single(&self, segment: &Segment) -> bool {
        segment.minimum <= 1
    }

    fn tell_none(&self, names: &mut Names<'_>, state: &mut State, segment: &Segment) {
        tell(names, state, segment, 0);
    }

    fn tell_some(&self, names: &mut Names<'_>, state: &mut State, segment: &Segment) {
        let Some(length) = segment.length else { return };
        let (least, most) = (number(names, 1), number(names, most_nodes(names)));
        let is_there = names.terms.signed_less_equal(least, length);
        let has_room = names.terms.signed_less_equal(length, most);
        require(names, state, is_there);
        require(names, state, has_room);
    }

    fn tell_only(&self, names: &mut Names<'_>, state: &mut State, segment: &Segment) {
        tell(names, state, segment, 1);
    }

    fn uncons(&self, names: &mut Names<'_>, state: &mut State, _: Taken, rest: &mut Segment) {
        rest.minimum = rest.minimum.saturating_sub(1).max(1);
        let Some(length) = rest.length else { return };
        let (least, most) = (number(names, 2), number(names, most_nodes(names)));
        let is_longer = names.terms.signed_less_equal(least, length);
        let has_room = names.terms.signed_less_equal(length, most);
        require(names, state, is_longer);
        require(names, state, has_room);
        let one = number(names, 1);
        rest.length = Some(names.terms.subtract(length, one));
    }

    fn entails(
        &self,
        _: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        _: &[PrototypeSet],
    ) -> bool {
        // The terms themselves were compared with the other ends.
        let is_told = known.length.is_none() || new.is_none_or(|new| new.length.is_some());
        is_told && known.minimum <= new.map_or(1, |new| new.minimum)
    }

    fn join(
        &self,
        _: &mut Domain<'_, '_>,
        _: &Match,
        sides: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        segment.minimum = segment.minimum.min(minimum(sides.new));
        if sides.new.segment().is_some_and(|new| new.length.is_none()) {
            segment.length = None;
        }
        Some(())
    }
}

/// A segment has exactly so many nodes.
fn tell(names: &mut Names<'_>, state: &mut State, segment: &Segment, count: u128) {
    let Some(length) = segment.length else { return };
    let count = number(names, count);
    if names.terms.as_variable(length).is_some() {
        names.replace(state, &BTreeMap::from([(length, count)]));
    } else {
        let is_it = names.terms.equal(length, count);
        require(names, state, is_it);
    }
}

fn minimum(block: &Block) -> u32 {
    block.segment().map_or(1, |segment| segment.minimum)
}

/// How many nodes a segment or a single node has.
fn length(names: &mut Names<'_>, block: &Block) -> Option<TermId> {
    match block.segment() {
        Some(segment) => segment.length,
        None => Some(number(names, 1)),
    }
}

/// Nodes lie apart and have room for a link, so there are no more than there are places for links.
fn most_nodes(names: &Names<'_>) -> u128 {
    let bytes = u128::from(names.model().pointer_size());
    (1 << names.pointer_bits()) / bytes
}

fn number(names: &mut Names<'_>, value: u128) -> TermId {
    let bits = names.pointer_bits();
    names.terms.bit_vector(value, bits)
}
