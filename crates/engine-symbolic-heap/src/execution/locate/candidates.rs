//! The cells that an address may be that of: all cells of all blocks that are alive.

use std::collections::BTreeSet;

use heapwright_logic::TermId;

use super::Candidate;
use crate::heap::block::{Block, BlockId, BlockKind, Life};
use crate::heap::names::Names;
use crate::heap::state::State;

/// Bytes of a block that are listed; a larger one is not looked at byte by byte.
const LISTED_BYTES: u64 = 4096;

/// Candidates in two stages, each in the order of the blocks' birth: places where something of
/// the accessed size is or could be, then all other bytes. `None` if the block that the
/// pointer is about cannot be listed.
pub(super) fn candidates(
    names: &mut Names<'_>,
    state: &State,
    pointer: TermId,
    size: u64,
) -> Option<[Vec<Candidate>; 2]> {
    let mut stages = [Vec::new(), Vec::new()];
    let own = names.pointer(pointer).map(|(block, _)| block);
    for (&id, block) in &state.blocks {
        let is_function = matches!(block.kind, BlockKind::Function(_));
        if is_function || block.life != Life::Alive {
            continue;
        }
        let length = names.constant(block.size).and_then(|size| u64::try_from(size).ok());
        match length.filter(|&length| length <= LISTED_BYTES) {
            Some(length) => list(names, &mut stages, (id, block), length, size),
            None if own == Some(id) => return None,
            None => {}
        }
    }
    Some(stages)
}

fn list(
    names: &mut Names<'_>,
    [likely, others]: &mut [Vec<Candidate>; 2],
    (id, block): (BlockId, &Block),
    length: u64,
    size: u64,
) {
    let starts = likely_offsets(block, length, size);
    for offset in 0..length {
        let stage = if starts.contains(&offset) { &mut *likely } else { &mut *others };
        stage.push(candidate(names, id, offset));
    }
}

fn candidate(names: &mut Names<'_>, block: BlockId, offset: u64) -> Candidate {
    let start = names.address(block);
    let distance = names.terms.bit_vector(u128::from(offset), names.pointer_bits());
    Candidate { block, offset, address: names.terms.add(start, distance) }
}

/// Where cells start, and where ones of `size` bytes would in the gaps between them.
fn likely_offsets(block: &Block, length: u64, size: u64) -> BTreeSet<u64> {
    let mut offsets = BTreeSet::new();
    let mut gap = 0;
    let ends = block.cells.iter().map(|(&start, cell)| (start, start + cell.size));
    for (start, end) in ends.chain([(length, length)]) {
        // Ends because accesses have at least one byte.
        while gap < start {
            offsets.insert(gap);
            gap += size.max(1);
        }
        offsets.insert(start);
        gap = end;
    }
    offsets.remove(&length);
    offsets
}
