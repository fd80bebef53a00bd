//! Arrays where states meet: sizes, and places in a block, as numbers like others.
//!
//! Blocks of different sizes are different shapes, and so are pointers to different places of a block; a
//! node and the field of a node must not be taken for one. Of blocks that hold numbers only, nothing is
//! told by where a pointer points, so there sizes and places may be joined.

use crate::heap::block::{Block, BlockId, DefaultBytes};
use crate::heap::names::Names;
use crate::summary::list::sizes::match_forms;
use crate::summary::matched::{Match, Sides};
use crate::summary::matching::match_terms;
use crate::summary::mismatch::Position;

/// Whether two blocks match by their sizes and other bytes, or are arrays whose sizes differ.
pub(crate) fn match_arrays(
    names: &mut Names<'_>,
    (id, x, y): (BlockId, &Block, &Block),
    found: &mut Match,
) -> bool {
    if match_forms(names, (x, y), found) {
        return true;
    }
    if !are_arrays(names, found, x, y) {
        return false;
    }
    // Bytes that may be anything cover those that are zero, or as at the start.
    if x.rest != y.rest && x.rest != DefaultBytes::Uninitialised {
        found.unsettled.push(id);
    }
    if !match_terms(names, (x.size, y.size), found) {
        found.differing.push((Position::Size { block: id }, x.size, y.size));
    }
    true
}

/// Whether two places are in arrays.
pub(crate) fn are_places_of_arrays(
    names: &Names<'_>,
    (known, new): Sides<'_>,
    (a, b): (BlockId, BlockId),
    found: &Match,
) -> bool {
    let (Some(x), Some(y)) = (known.blocks.get(&a), new.blocks.get(&b)) else { return false };
    are_arrays(names, found, x, y)
}

pub(crate) fn are_arrays(names: &Names<'_>, found: &Match, x: &Block, y: &Block) -> bool {
    let is_array = |block: &Block| {
        let mut cells = block.cells.values();
        block.is_single() && cells.all(|cell| !names.holds_address(cell.value))
    };
    found.relations.are_seen() && !found.one_state && is_array(x) && is_array(y)
}
