//! The outline of two states: what can be seen at a glance of whether they match.
//!
//! Most pairs of states at one place do not match, and most of these differ in what their variables
//! and single blocks point to. This walk sees that without the names, terms and prototypes that a match
//! keeps account of. It follows [`crate::summary::matching`], and never says no where that would say yes.

use heapwright_logic::{Sort, TermId};

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::summary::list::empty::may_be_null;
use crate::summary::matched::Sides;
use crate::summary::mismatch::{Matched, Mismatch, Position};

/// Blocks that would have to be matched; the first `done` of them were looked into.
#[derive(Default)]
struct Pairs {
    pairs: Vec<(BlockId, BlockId)>,
    done: usize,
}

/// Whether nothing speaks against a match so far.
pub(crate) fn have_like_outlines(names: &mut Names<'_>, sides: Sides<'_>) -> Matched {
    let (known, new) = sides;
    let mut pairs = Pairs::default();
    let frames = known.frames.iter().zip(new.frames.iter());
    let registers = frames.map(|(a, b)| (a.registers.as_slice(), b.registers.as_slice()));
    let globals = (known.globals.as_slice(), new.globals.as_slice());
    for (index, (a, b)) in std::iter::once(globals).chain(registers).enumerate() {
        for (slot, values) in a.iter().zip(b).enumerate() {
            let may_be = match values {
                (Some(a), Some(b)) => may_be_values(names, sides, (*a, *b), &mut pairs),
                (None, _) => true,
                (Some(_), None) => false,
            };
            if !may_be {
                return Err(Mismatch::Values(match index {
                    0 => Position::Global(slot),
                    frame => Position::Register(frame - 1, slot),
                }));
            }
        }
    }
    while let Some(&(a, b)) = pairs.pairs.get(pairs.done) {
        pairs.done += 1;
        if !may_be_contents(names, sides, (known.block(a), new.block(b)), &mut pairs) {
            return Err(Mismatch::Roles(a, b));
        }
    }
    Ok(())
}

fn may_be_values(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (TermId, TermId),
    pairs: &mut Pairs,
) -> bool {
    if a == b && names.terms.is_constant(a) {
        return true;
    }
    let sort = names.terms.sort(a);
    if sort != names.terms.sort(b) {
        return false;
    }
    let Sort::BitVector(_) = sort else { return true };
    match (names.pointer(a), names.pointer(b)) {
        (Some((a, _)), Some((b, _))) => may_be_blocks(sides, (a, b), pairs),
        (None, None) => true,
        (Some(list), None) => may_be_null(names, sides.0, list, b),
        (None, Some(_)) => false,
    }
}

/// What single blocks hold in the same place, and what chains lead to.
fn may_be_contents(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (&Block, &Block),
    pairs: &mut Pairs,
) -> bool {
    if let (Some(x), Some(y)) = (a.segment(), b.segment()) {
        return may_be_values(names, sides, (x.ends.next, y.ends.next), pairs);
    }
    let are_single = a.is_single() && b.is_single();
    !are_single
        || a.cells.iter().all(|(offset, x)| {
            let Some(y) = b.cells.get(offset) else { return true };
            x.size == y.size && may_be_values(names, sides, (x.value, y.value), pairs)
        })
}

/// Whether two blocks may be a pair beside those that are there; it is one of them then.
fn may_be_blocks((known, new): Sides<'_>, (a, b): (BlockId, BlockId), pairs: &mut Pairs) -> bool {
    let (Some(x), Some(y)) = (known.blocks.get(&a), new.blocks.get(&b)) else { return false };
    for &(other, partner) in &pairs.pairs {
        if other == a {
            return partner == b;
        }
        // The two ends of a known segment may be one new block.
        if partner == b && x.partner() != Some(other) {
            return false;
        }
    }
    pairs.pairs.push((a, b));
    let is_like = x.has_role_of(y) || y.is_single();
    // What the bytes of lists are is told by their prototypes.
    let is_single = x.is_single();
    is_like && x.kind == y.kind && x.life == y.life && (x.rest == y.rest || !is_single)
}
