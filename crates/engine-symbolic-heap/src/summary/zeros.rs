//! Zeros where states meet: a text ends here on one side and there on the other, and somewhere on both.

use heapwright_program::ObjectKind;

use crate::heap::block::{Block, BlockId, DefaultBytes, Zero};
use crate::heap::names::Names;
use crate::precision::Relations;
use crate::summary::arrays::are_arrays;
use crate::summary::matched::Match;
use crate::summary::matching::match_terms;
use crate::summary::mismatch::Position;

/// Notes where the zeros of two blocks that are matched differ.
pub(crate) fn match_zeros(
    names: &mut Names<'_>,
    (id, x, y): (BlockId, &Block, &Block),
    found: &mut Match,
) {
    if let Some(known) = x.zero {
        match zero_of(names, y, known.size) {
            Some(new) if match_terms(names, (known.at, new.at), found) => {}
            Some(new) => {
                let position = Position::Zero { block: id, size: known.size };
                found.differing.push((position, known.at, new.at));
            }
            None => found.unterminated.push(id),
        }
        return;
    }
    if found.relations != Relations::Texts || !are_arrays(names, found, x, y) {
        return;
    }
    // The known side says by a cell where its zero is, and that cell will be given up.
    let size = y.zero.map_or(1, |zero| zero.size);
    let Some((offset, known)) = told_zero(names, x, size) else { return };
    if is_told_zero(names, y, offset, size) {
        return;
    }
    if let Some(new) = zero_of(names, y, size) {
        found.differing.push((Position::Zero { block: id, size }, known.at, new.at));
    }
}

/// So many zeros in a block: those that it remembers, or some that its cells tell.
pub(crate) fn zero_of(names: &mut Names<'_>, block: &Block, size: u64) -> Option<Zero> {
    let remembered = block.zero.filter(|zero| zero.size == size);
    remembered.or_else(|| told_zero(names, block, size).map(|(_, zero)| zero))
}

/// The first so many zeros that cells, or the bytes between them, tell.
pub(crate) fn told_zero(names: &mut Names<'_>, block: &Block, size: u64) -> Option<(u64, Zero)> {
    let cells = block.cells.iter().flat_map(|(&start, cell)| {
        let count = cell.size / size;
        (0..count).map(move |index| start + index * size)
    });
    let between = (0..FARTHEST).map(|index| index * size);
    let mut places = cells.chain(between);
    let offset = places.find(|&offset| is_told_zero(names, block, offset, size))?;
    let at = names.terms.bit_vector(u128::from(offset), names.pointer_bits());
    Some((offset, Zero { size, at }))
}

/// Characters that are looked at where no cell tells of a zero.
const FARTHEST: u64 = 512;

/// Whether so many bytes from an offset on are told to be zero.
fn is_told_zero(names: &Names<'_>, block: &Block, offset: u64, size: u64) -> bool {
    (offset..offset + size).all(|position| told_byte(names, block, position) == Some(0))
}

fn told_byte(names: &Names<'_>, block: &Block, position: u64) -> Option<u8> {
    let covering = block.cells.range(..=position).next_back();
    if let Some((start, cell)) = covering.filter(|(start, cell)| **start + cell.size > position) {
        return names.constant(cell.value).map(|bits| (bits >> (8 * (position - start))) as u8);
    }
    if names.constant(block.size).is_none_or(|size| u128::from(position) >= size) {
        return None;
    }
    match block.rest {
        DefaultBytes::Zero => Some(0),
        DefaultBytes::Uninitialised => None,
        DefaultBytes::Initial(object) => match &names.program().objects[object].kind {
            ObjectKind::Static { bytes, .. } | ObjectKind::String { bytes } => {
                Some(bytes.get(position as usize).copied().unwrap_or(0))
            }
            ObjectKind::External | ObjectKind::Local => None,
        },
    }
}
