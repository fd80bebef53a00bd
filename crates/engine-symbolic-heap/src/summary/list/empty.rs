//! Lists that may be empty: where null stands on the new side, a known one covers it.
//!
//! Without them, lists that are alive at one time are told apart by which of them are empty, and there are
//! twice as many shapes for each.

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, End};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::matched::{Match, Sides};
use crate::summary::matching::match_values;
use crate::summary::mismatch::{Matched, Mismatch, Position};

/// Whether a known pointer is the name of a list that may be empty, and the new value null.
pub(crate) fn may_be_null(
    names: &Names<'_>,
    known: &State,
    (block, offset): (BlockId, TermId),
    new: TermId,
) -> bool {
    names.constant(new) == Some(0)
        && names.constant(offset) == Some(0)
        && known.blocks.get(&block).is_some_and(|block| block.may_be_empty())
}

/// Matches a known list that may be empty with null, which must stand wherever the list's name does.
pub(crate) fn match_null(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (position, list): (Position, BlockId),
    found: &mut Match,
) -> Matched {
    // Within one state a list outside of the nodes that are compared is itself on both sides.
    let is_itself = found.is_one_state() && !found.opened_blocks.contains(&list);
    if is_itself || found.blocks.contains_key(&list) {
        return Err(Mismatch::Values(position));
    }
    if !found.empty.insert(list) {
        return Ok(());
    }
    let Some(length) = sides.0.block(list).end(End::Length) else { return Ok(()) };
    let none = names.terms.bit_vector(0, names.pointer_bits());
    let position = Position::End { block: list, end: End::Length };
    match_values(names, sides, position, (length, none), found)
}
