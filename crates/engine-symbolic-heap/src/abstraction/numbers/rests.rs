//! What is left of a block behind a cursor: `while (n--) *p++ = 0;` stays within it because `n` bytes are left.

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, Zero};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::Relations;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::reasoning::places::prove;
use crate::summary::cursors::counted;
use crate::summary::matched::{Joined, Match, Sides};

/// Numbers that are compared with what is left behind a cursor.
const MOST_NUMBERS: usize = 6;

/// Says of cursors that have just been joined that so many bytes as a number says are left behind them.
pub(crate) fn join_rests(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    (joined, others): (&[Joined], &[Joined]),
    general: &mut State,
) {
    let texts = rests_of_texts(&mut reasoner.names, sides, found, joined, general);
    for &(_, known, new) in &found.differing {
        let names = &mut reasoner.names;
        let counters = (joined, found.relations);
        let Some(Cursor { block, other, number, place: cursor }) =
            cursor(names, (known, new), counters)
        else {
            continue;
        };
        let sizes = [general.block(block), sides.0.block(block), sides.1.block(other)];
        let sizes = sizes.map(|block| block.size);
        let numbers = joined.iter().chain(others).filter(|one| one.value != number);
        let bits = names.pointer_bits();
        let fits = |number: &&Joined| reasoner.names.terms.width(number.value) <= bits;
        let mut numbers: Vec<Joined> = numbers.filter(fits).take(MOST_NUMBERS).copied().collect();
        numbers.extend(texts.iter().filter(|(of, _)| *of != block).map(|(_, text)| text));
        for number in numbers {
            let number = number.extended(&mut reasoner.names, bits);
            let left = [
                (sizes[0], cursor.value, number.value),
                (sizes[1], cursor.known, number.known),
                (sizes[2], cursor.new, number.new),
            ];
            let [said, on_known, on_new] =
                left.map(|(size, at, rest)| is_left(&mut reasoner.names, size, at, rest));
            if reasoner.names.truth(said).is_none()
                && prove(reasoner, sides.0, on_known)
                && prove(reasoner, sides.1, on_new)
            {
                assume(&mut reasoner.names, general, said, None);
            }
        }
    }
}

/// A pointer into a block, whose place has just been joined.
struct Cursor {
    block: BlockId,
    /// The same block in the new state.
    other: BlockId,
    /// By which the place is told.
    number: TermId,
    place: Joined,
}

fn cursor(
    names: &mut Names<'_>,
    (known, new): (TermId, TermId),
    (joined, relations): (&[Joined], Relations),
) -> Option<Cursor> {
    let ((block, offset), (other, new_offset)) = (names.pointer(known)?, names.pointer(new)?);
    let counted = counted(names, relations, (offset, new_offset));
    let is_it = |number: &&Joined| number.known == counted.known && number.new == counted.new;
    let number = *joined.iter().find(is_it)?;
    Some(Cursor { block, other, number: number.value, place: counted.place(names, number) })
}

/// How much of a text is left behind a cursor in it, its end included: what is copied needs as much room.
fn rests_of_texts(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    found: &Match,
    joined: &[Joined],
    general: &State,
) -> Vec<(BlockId, Joined)> {
    let mut rests = Vec::new();
    for &(_, known, new) in &found.differing {
        let counters = (joined, found.relations);
        let Some(Cursor { block, other, place, .. }) = cursor(names, (known, new), counters) else {
            continue;
        };
        let blocks = [general.block(block), sides.0.block(block), sides.1.block(other)];
        let [Some(value), Some(known), Some(new)] = blocks.map(|block| block.zero) else {
            continue;
        };
        let mut rest = |zero: Zero, place: TermId| {
            let size = names.terms.bit_vector(u128::from(zero.size), names.pointer_bits());
            let end = names.terms.add(zero.at, size);
            names.terms.subtract(end, place)
        };
        let (value, known, new) =
            (rest(value, place.value), rest(known, place.known), rest(new, place.new));
        rests.push((block, Joined { value, known, new }));
    }
    rests
}

/// Whether so many bytes are left of a size behind a place. Nothing wraps.
fn is_left(names: &mut Names<'_>, size: TermId, at: TermId, rest: TermId) -> TermId {
    let is_room = names.terms.unsigned_less_equal(rest, size);
    let last = names.terms.subtract(size, rest);
    let is_before = names.terms.unsigned_less_equal(at, last);
    names.terms.and(is_room, is_before)
}
