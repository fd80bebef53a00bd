//! Inductive predicates: what a block can stand for besides itself.

use std::fmt;

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::learnt::Learnt;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Refused, Resort};
use crate::summary::list::ListSegment;
use crate::summary::matched::{Chains, Manner, Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch};
use crate::summary::row::ArrayRow;
use crate::summary::tree::LinkedTree;
use crate::summary::user::UserDefined;

/// A predicate over heaps of any size, of which a block of a state is an instance.
///
/// What follows holds of each (`testing/laws/predicates.rs`), where a state stands for the heaps that are
/// its models:
///
/// - folding loses nothing: a model of a state is one of the state in which a candidate was folded;
/// - unfolding loses nothing: a model of a state is one of some case;
/// - what was unfolded and is folded again, keeps its models too, and mostly is entailed by what was before;
/// - every state entails itself, and if one entails another, models of the second are models of the first;
/// - a join entails both of its sides.
pub(crate) trait Predicate: fmt::Debug + Sync {
    /// Whether a block is an instance.
    fn describes(&self, block: &Block) -> bool;

    /// Whether users define it.
    fn is_of_users(&self) -> bool {
        false
    }

    /// Whether pointers lead to its instances, and unfold them.
    #[cfg(test)]
    fn is_led_to(&self) -> bool {
        true
    }

    /// Looks at a state that is to be folded, for what later states may be folded to.
    fn observe(&self, _: &mut Names<'_>, _: &mut Learnt, _: &State) {}

    /// Blocks that can become one instance, those that own least; none that were refused.
    fn discover(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        refused: &Refused,
        resort: Resort,
    ) -> Option<Box<dyn Candidate>>;

    /// Takes out the node that a block stands for, which is an instance or the peer of one.
    fn unfold(&self, names: &mut Names<'_>, state: State, block: BlockId) -> Vec<State>;

    /// Matches a known instance with an instance or a single node of the new side. Prototypes are
    /// compared later.
    fn match_blocks(
        &self,
        names: &mut Names<'_>,
        sides: Sides<'_>,
        blocks: (BlockId, BlockId),
        found: &mut Match,
    ) -> Matched;

    /// Whether a known instance describes all that was matched with it.
    fn entails(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        chains: Chains,
        depth: u32,
    ) -> Result<bool, Mismatch>;

    /// Lets an instance of the general state describe what was matched with it as well.
    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: (Sides<'_>, &Match),
        chains: Chains,
        manner: Manner,
        general: &mut State,
    ) -> Option<()>;
}

/// All predicates. Of candidates that own as much, the first is folded: what users define comes before what is built in.
pub(crate) const PREDICATES: [&dyn Predicate; 4] =
    [&UserDefined, &LinkedTree, &ListSegment, &ArrayRow];

/// The predicate of which a block is an instance.
pub(crate) fn predicate_of(block: &Block) -> Option<&'static dyn Predicate> {
    PREDICATES.into_iter().find(|predicate| predicate.describes(block))
}
