//! Rows: elements of an array that are pointers, each with blocks of its own; folded from slots, opened at any place.
//!
//! Nothing points to a row, so nothing leads a comparison to it but the array that it is in ([`matching`]).

use crate::heap::block::{Block, BlockId, End};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Refused, Resort};
use crate::summary::matched::{Chains, Manner, Match, Sides};
use crate::summary::matching::match_values;
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::predicate::Predicate;
use crate::summary::row::fold::find_row;
use crate::summary::row::join::join_row;

pub(crate) mod cells;
pub(crate) mod fold;
pub(crate) mod join;
pub(crate) mod matching;
pub(crate) mod slots;
pub(crate) mod unfold;

/// The predicate of elements of an array.
#[derive(Debug)]
pub(crate) struct ArrayRow;

impl Predicate for ArrayRow {
    fn describes(&self, block: &Block) -> bool {
        block.row().is_some()
    }

    #[cfg(test)]
    fn is_led_to(&self) -> bool {
        false
    }

    fn discover(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        refused: &Refused,
        _: Resort,
    ) -> Option<Box<dyn Candidate>> {
        find_row(domain, state, refused)
    }

    fn unfold(&self, _: &mut Names<'_>, _: State, _: BlockId) -> Vec<State> {
        unreachable!("nothing points to a row")
    }

    fn match_blocks(
        &self,
        names: &mut Names<'_>,
        sides: Sides<'_>,
        (known, new): (BlockId, BlockId),
        found: &mut Match,
    ) -> Matched {
        let (x, y) = (sides.0.block(known), sides.1.block(new));
        let (Some(a), Some(b)) = (x.row(), y.row()) else {
            return Err(Mismatch::Roles(known, new));
        };
        if a.stride != b.stride {
            return Err(Mismatch::Forms(known, new));
        }
        let position = Position::End { block: known, end: End::Array };
        match_values(names, sides, position, (a.array, b.array), found)?;
        found.segments.push(Chains { known, new, links: None });
        Ok(())
    }

    fn entails(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        chains: Chains,
        depth: u32,
    ) -> Result<bool, Mismatch> {
        let known = sides.0.block(chains.known).prototypes();
        let new = sides.1.block(chains.new).prototypes();
        // All are compared: names may be learnt from each.
        let are_covered: Vec<bool> = new
            .iter()
            .map(|prototype| domain.is_covered(sides, found, known, prototype, depth))
            .collect();
        Ok(are_covered.into_iter().all(|is_covered| is_covered))
    }

    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        (sides, found): (Sides<'_>, &Match),
        chains: Chains,
        manner: Manner,
        general: &mut State,
    ) -> Option<()> {
        join_row(domain, (sides, found), chains, manner, general)
    }
}
