//! List segments: found and folded, unfolded at either end, with facts along the whole chain.

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Refused, Resort};
use crate::summary::list::composite::find_elements;
use crate::summary::list::entail::{is_segment_covered, match_segment};
use crate::summary::list::fold::find_pair;
use crate::summary::list::join::join_segment;
use crate::summary::list::unfold::unfold_segment;
use crate::summary::matched::{Chains, Manner, Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch};
use crate::summary::predicate::Predicate;

pub(crate) mod composite;
pub(crate) mod empty;
pub(crate) mod entail;
pub(crate) mod facts;
pub(crate) mod fold;
pub(crate) mod join;
pub(crate) mod links;
pub(crate) mod sizes;
pub(crate) mod unfold;

/// The predicate of a chain of nodes, linked in one direction or in both.
#[derive(Debug)]
pub(crate) struct ListSegment;

impl Predicate for ListSegment {
    fn describes(&self, block: &Block) -> bool {
        block.segment().is_some()
    }

    fn discover(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        refused: &Refused,
        resort: Resort,
    ) -> Option<Box<dyn Candidate>> {
        let pair = match resort {
            Resort::Usual => find_pair(domain, state, refused),
            Resort::Last => {
                find_elements(&mut domain.reasoner.names, domain.precision, state, refused)
            }
        };
        pair.map(|pair| Box::new(pair) as Box<dyn Candidate>)
    }

    fn unfold(&self, names: &mut Names<'_>, state: State, block: BlockId) -> Vec<State> {
        unfold_segment(names, state, block)
    }

    fn match_blocks(
        &self,
        names: &mut Names<'_>,
        sides: Sides<'_>,
        blocks: (BlockId, BlockId),
        found: &mut Match,
    ) -> Matched {
        match_segment(names, sides, blocks, found)
    }

    fn entails(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        chains: Chains,
        depth: u32,
    ) -> Result<bool, Mismatch> {
        Ok(is_segment_covered(domain, sides, found, chains, depth))
    }

    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: (Sides<'_>, &Match),
        chains: Chains,
        manner: Manner,
        general: &mut State,
    ) -> Option<()> {
        join_segment(domain, sides, chains, manner, general)
    }
}
