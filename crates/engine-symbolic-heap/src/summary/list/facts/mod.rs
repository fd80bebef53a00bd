//! What holds along a whole chain of nodes: how many there are, how they are sorted, which follows which.

pub(crate) mod language;
pub(crate) mod length;
pub(crate) mod order;
pub(crate) mod spelling;

use std::fmt;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Prototype};
use crate::heap::language::{Places, PrototypeSet};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::facts::language::Language;
use crate::summary::list::facts::length::Length;
use crate::summary::list::facts::order::Sortedness;
use crate::summary::list::facts::spelling::Spelt;
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;

/// A fact about a chain: fields of a segment, and these hooks. A hook that a fact does not need does nothing.
///
/// - What is said of a pair holds of all chains that one and the other describe, one behind the other.
/// - What is said of a node and of the rest of a chain holds wherever the fact holds of the chain.
/// - If a fact of a known chain entails that of a new one, it holds wherever the latter does.
/// - A join is entailed by both of its sides.
///
/// Terms that a fact speaks of are at ends of the segment, where they are renamed and matched like all others.
pub(crate) trait ChainFact: fmt::Debug + Sync {
    /// The ends of a segment at which it has its terms.
    fn ends(&self) -> &'static [End] {
        &[]
    }

    /// Whether what is said of a known segment can be said of a new one, or of a single node.
    fn can_be_said_of(&self, _: &Names<'_>, _: &Segment, _: &Block) -> bool {
        true
    }

    /// What a single node has where a known segment has a term.
    fn end_of_node(&self, _: &mut Names<'_>, _: &Segment, _: &Block) -> Option<TermId> {
        None
    }

    /// What holds of two neighbours that become one; `segment` has their prototypes already.
    fn concatenate(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        pair: (&Pair, &Places),
        segment: &mut Segment,
    );

    /// Two neighbours have become this segment: what holds of every such segment, and does not follow from its terms.
    fn tell_folded(&self, _: &mut Domain<'_, '_>, _: &mut State, _: &Segment) {}

    /// Whether a segment can be one node.
    fn may_be_single(&self, _: &Segment) -> bool {
        true
    }

    /// Whether it can be more.
    fn may_be_longer(&self, _: &Segment) -> bool {
        true
    }

    /// A segment that could be empty is.
    fn tell_none(&self, _: &mut Names<'_>, _: &mut State, _: &Segment) {}

    /// It is not.
    fn tell_some(&self, _: &mut Names<'_>, _: &mut State, _: &Segment) {}

    /// A number of its own that a node at an end of a segment has, and what is known to be it.
    fn given(&self, _: &Segment, _: Taken, _: &Prototype) -> Option<(TermId, TermId)> {
        None
    }

    /// A node was taken out.
    fn tell_node(&self, _: &mut Names<'_>, _: &mut State, _: (&Segment, Taken), _: &mut Block) {}

    /// The node that was taken out is the only one.
    fn tell_only(&self, _: &mut Names<'_>, _: &mut State, _: &Segment) {}

    /// There are others: what holds of them.
    fn uncons(&self, _: &mut Names<'_>, _: &mut State, _: Taken, _: &mut Segment) {}

    /// The same for all that the state says: the node is there, and the rest, if there is one, is as long as it was. There may be
    /// several cases.
    fn tell_state(&self, _: &mut Names<'_>, state: State, _: &TakenOut<'_>) -> Vec<State> {
        vec![state]
    }

    /// Whether what is known of a segment is true of a new one, or of a single node. `readings`: which of
    /// the known prototypes each of the new ones can be.
    fn entails(
        &self,
        found: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        readings: &[PrototypeSet],
    ) -> bool;

    /// What holds of a segment as it was before and of a new one, or of a single node; nothing if they are
    /// better kept apart. `segment` has the prototypes of both.
    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        found: &Match,
        sides: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()>;
}

/// Two chains that become one.
#[derive(Clone, Copy)]
pub(crate) struct Joining<'s> {
    /// The known chain itself.
    pub(crate) known: &'s Segment,
    /// It by the names of what is joined.
    pub(crate) before: &'s Segment,
    pub(crate) new: &'s Block,
    pub(crate) places: &'s Places,
}

/// At which end a node is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    First,
    Last,
}

/// A node that was taken out of a segment.
pub(crate) struct TakenOut<'s> {
    /// As it was.
    pub(crate) segment: &'s Segment,
    pub(crate) taken: Taken,
    pub(crate) node: BlockId,
    /// The segment of the others.
    pub(crate) rest: Option<BlockId>,
}

/// All facts. What a list that may be empty cannot have is looked at last.
pub(crate) const FACTS: [&dyn ChainFact; 4] = [&Sortedness, &Length, &Language, &Spelt];

/// The fact that has its term at an end.
pub(crate) fn fact_of(end: End) -> Option<&'static dyn ChainFact> {
    FACTS.into_iter().find(|fact| fact.ends().contains(&end))
}
