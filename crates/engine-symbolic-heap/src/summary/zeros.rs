//! Zeros where states meet: a text ends here on one side and there on the other, and somewhere on both.

use heapwright_logic::{Operator, Term, TermId};
use heapwright_program::ObjectKind;

use crate::heap::block::{Block, BlockId, DefaultBytes, Zero};
use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::precision::Relations;
use crate::reasoning::range::{assume_range, range};
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
            Some(new) => {
                let (position, known, new) = places(names, id, known, new);
                if !match_terms(names, (known, new), found) {
                    found.differing.push((position, known, new));
                }
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
        found.differing.push(places(names, id, known, new));
    }
}

/// The places of two zeros as numbers: which characters they are, where both tell.
fn places(
    names: &mut Names<'_>,
    block: BlockId,
    known: Zero,
    new: Zero,
) -> (Position, TermId, TermId) {
    let size = known.size;
    match (index_at(names, known.at, size), index_at(names, new.at, size)) {
        (Some(known), Some(new)) => (Position::Zero { block, size, step: size }, known, new),
        (_, _) => (Position::Zero { block, size, step: 1 }, known.at, new.at),
    }
}

/// Which character of so many bytes is at a place, where its form tells. Programs count characters, not bytes,
/// so that this is what goes with their variables.
pub(crate) fn index_at(names: &mut Names<'_>, at: TermId, size: u64) -> Option<TermId> {
    let (base, offset) = names.terms.split_offset(at);
    let (offset, step) = (offset.to_signed(), i128::from(size));
    let bits = names.terms.width(at);
    let offset = (offset % step == 0)
        .then(|| names.terms.bit_vector((offset / step).cast_unsigned(), bits))?;
    let Some(base) = base.filter(|_| size > 1) else {
        return if size == 1 { Some(at) } else { Some(offset) };
    };
    let Term::Binary(operator, number, other) = names.terms.node(base) else { return None };
    let other = names.constant(other)?;
    let factor = match operator {
        Operator::Multiply => other,
        Operator::ShiftLeft if other < u128::from(bits) => 1 << other,
        _ => return None,
    };
    let factor = factor.checked_div(u128::from(size)).filter(|_| factor % u128::from(size) == 0)?;
    let factor = names.terms.bit_vector(factor, bits);
    let scaled = names.terms.multiply(number, factor);
    Some(names.terms.add(scaled, offset))
}

/// The numbers by which places of zeros in a block are known: a place is so many times one of them, and none is
/// so large that this wraps.
pub(crate) fn numbers_of_zeros(
    names: &mut Names<'_>,
    state: &State,
    block: BlockId,
    (size, step): (u64, u64),
) -> Option<Range> {
    let sizes = range(names, state, state.block(block).size);
    // Sizes have no sign, though ranges do.
    let last = (sizes.high - i128::from(size)).div_euclid(i128::from(step));
    (sizes.low >= 0).then_some(Range { low: 0, high: last })
}

/// Says again of the places of zeros that they are inside of their blocks, where joined ranges say less.
pub(crate) fn keep_zeros_inside(names: &mut Names<'_>, state: &mut State) {
    let zeros: Vec<(BlockId, Zero)> =
        state.blocks.iter().filter_map(|(&id, block)| Some((id, block.zero?))).collect();
    for (id, zero) in zeros {
        let (number, step) = number_and_step(names, zero);
        if names.constant(number).is_none()
            && let Some(numbers) = numbers_of_zeros(names, state, id, (zero.size, step))
            && !numbers.contains(range(names, state, number))
        {
            assume_range(names, state, number, numbers);
        }
    }
}

/// By which number the place of a zero is known, and how many times that number it is.
pub(crate) fn number_and_step(names: &mut Names<'_>, zero: Zero) -> (TermId, u64) {
    match index_at(names, zero.at, zero.size) {
        Some(index) => (index, zero.size),
        None => (zero.at, 1),
    }
}

/// So many times a number.
pub(crate) fn times(names: &mut Names<'_>, number: TermId, step: u64) -> TermId {
    if step == 1 {
        return number;
    }
    let step = names.terms.bit_vector(u128::from(step), names.terms.width(number));
    names.terms.multiply(number, step)
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
