//! Instances of predicates that a user defines: a block that stands for a root and all that hangs on it.
//!
//! As with trees, no instance is empty, and the name of its block is the address of its root; one link may be a hole,
//! behind which the program is at work.
//!
//! - `derive` finds the blocks that form an instance, which is what folding and comparing need; `partial` is what is
//!   known of one on the way;
//! - `fold` makes one block of them, `unfold` takes the root out again, `behind` the node that has the hole;
//! - `small_heaps` checks at load that what a definition tells of is recognised;
//! - `entail` compares an instance with an instance, or with blocks from which one can be derived.

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Refused, Resort};
use crate::summary::matched::{Chains, Manner, Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch};
use crate::summary::predicate::Predicate;
use crate::summary::user::behind::unfold_above_hole;
use crate::summary::user::entail::{is_instance_covered, join_instance, match_instance};
use crate::summary::user::fold::find_instance;
use crate::summary::user::unfold::unfold_root;

mod behind;
mod derivation;
pub(crate) mod derive;
mod entail;
pub(crate) mod fold;
mod partial;
pub(crate) mod small_heaps;
mod unfold;

/// All predicates that users define; which one it is, an instance knows.
#[derive(Debug)]
pub(crate) struct UserDefined;

impl Predicate for UserDefined {
    fn describes(&self, block: &Block) -> bool {
        block.instance().is_some()
    }

    fn is_of_users(&self) -> bool {
        true
    }

    fn discover(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        refused: &Refused,
        resort: Resort,
    ) -> Option<Box<dyn Candidate>> {
        match resort {
            Resort::Usual => find_instance(domain, state, refused),
            Resort::Last => None,
        }
    }

    fn unfold(&self, names: &mut Names<'_>, state: State, block: BlockId) -> Vec<State> {
        match state.block(block).is_peer() {
            true => unfold_above_hole(names, &state, block),
            false => unfold_root(names, &state, block),
        }
    }

    fn match_blocks(
        &self,
        names: &mut Names<'_>,
        sides: Sides<'_>,
        blocks: (BlockId, BlockId),
        found: &mut Match,
    ) -> Matched {
        match_instance(names, sides, blocks, found)
    }

    fn entails(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        chains: Chains,
        _: u32,
    ) -> Result<bool, Mismatch> {
        is_instance_covered(domain, sides, found, chains)
    }

    fn join(
        &self,
        _: &mut Domain<'_, '_>,
        (sides, _): (Sides<'_>, &Match),
        chains: Chains,
        _: Manner,
        general: &mut State,
    ) -> Option<()> {
        join_instance(sides, chains, general)
    }
}
