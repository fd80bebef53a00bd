//! How chains are spelt, over all of a state: what two of them have in common is kept, compared and joined.
//!
//! Spellings are compared once both states are matched, all of them together: a word of the known state is the same
//! numbers of the new one wherever its name stands.

pub(crate) mod join;
pub(crate) mod matching;
pub(crate) mod reduce;

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::spelling::Piece;
use crate::summary::matched::{Match, Sides};

/// Places of a node at which segments are spelt.
pub(crate) const MOST_PLACES: usize = 3;

/// How a segment or a single node is spelt at a place, if that is known.
pub(crate) fn spelling_of(
    names: &mut Names<'_>,
    block: &Block,
    place: Place,
) -> Option<Vec<Piece>> {
    let Place { offset, size } = place;
    if let Some(segment) = block.segment() {
        let spelling = segment.spellings.iter().find(|spelling| spelling.place == place);
        return spelling.map(|spelling| spelling.pieces.clone());
    }
    if !block.is_single() {
        return None;
    }
    let value = match block.cells.get(&offset) {
        Some(cell) => (cell.size == size).then_some(cell.value)?,
        None => {
            let bytes = names.constant(block.size)?;
            let has_room = u128::from(offset) + u128::from(size) <= bytes;
            let is_gap = has_room && !block.has_cells_in(offset, size);
            is_gap.then(|| names.default_value(block, offset, size))??
        }
    };
    (!names.holds_address(value)).then(|| vec![Piece::One(value)])
}

/// A spelling of a known segment, and how what stands in its place is spelt.
struct Pair {
    segment: BlockId,
    place: Place,
    known: Vec<Piece>,
    new: Option<Vec<Piece>>,
}

impl Pair {
    /// Whether one side has exactly so many nodes, and the other more. A word would be empty, and what it has in common with others lost.
    fn has_other_lengths(&self) -> bool {
        let is_exact = |pieces: &[Piece]| pieces.iter().all(|one| matches!(one, Piece::One(_)));
        self.new.as_ref().is_some_and(|new| {
            let (known, exact) = (self.known.len(), is_exact(&self.known));
            (exact && !is_exact(new) && known < new.len())
                || (!exact && is_exact(new) && new.len() < known)
        })
    }
}

/// The spellings of all known segments, with those of what was matched with them.
fn pairs(names: &mut Names<'_>, (known, new): Sides<'_>, found: &Match) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (segment, spellings) in known.spelt() {
        let partner = found.partner(segment).and_then(|id| new.blocks.get(&id));
        for spelling in spellings {
            let place = spelling.place;
            let new = partner.and_then(|block| spelling_of(names, block, place));
            pairs.push(Pair { segment, place, known: spelling.pieces.clone(), new });
        }
    }
    pairs
}
