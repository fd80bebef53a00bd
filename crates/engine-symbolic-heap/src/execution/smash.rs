//! Arrays: accesses whose offset or size is not told.
//!
//! Where too many bytes may be meant to tell them apart, all of them are taken for one: what is read is
//! any number, and what is written leaves any number wherever it may have gone. That is right as long as
//! none of these bytes is part of an address, because an address that becomes any number is a reference
//! that is lost; such accesses are not followed.

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, BlockKind, Cell, DefaultBytes};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::reasoning::range::range;

/// Bytes of a block that an access may touch: those from `low` on, below `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    low: u64,
    high: u64,
}

impl Span {
    /// So many bytes from an offset on.
    pub(crate) fn at(offset: u64, size: u64) -> Span {
        Span { low: offset, high: offset.saturating_add(size) }
    }

    pub(crate) fn length(self) -> u64 {
        self.high.saturating_sub(self.low)
    }

    pub(crate) fn meets(self, offset: u64, size: u64) -> bool {
        offset < self.high && self.low < offset.saturating_add(size)
    }
}

/// The bytes that an access in bounds may touch: `size` of them from an offset on, at most.
pub(crate) fn span(
    names: &mut Names<'_>,
    state: &State,
    (offset, size): (TermId, TermId),
    block: &Block,
) -> Span {
    let (from, most) = (range(names, state, offset), range(names, state, size));
    let whole = names.constant(block.size).map_or(u64::MAX, |size| size as u64);
    // Offsets in bounds are not negative, whatever sign their bits have.
    if from.low < 0 || most.low < 0 {
        return Span { low: 0, high: whole };
    }
    let end = u64::try_from(from.high.saturating_add(most.high)).unwrap_or(u64::MAX);
    Span { low: u64::try_from(from.low).unwrap_or(0), high: end.min(whole) }
}

/// The same span without the links that a block of the heap begins with, where the path condition tells that the access is behind
/// them: a node may have its links first and then as many bytes as it needs. Ranges alone do not see that `n - 1` is not negative where `n` is
/// not zero.
pub(crate) fn behind_links(
    reasoner: &mut Reasoner<'_>,
    (state, block): (&State, BlockId),
    offset: TermId,
    span: Span,
) -> Span {
    let names = &reasoner.names;
    let (bits, block) = (names.pointer_bits(), state.block(block));
    let is_null =
        |cell: &Cell| cell.size * 8 == u64::from(bits) && names.constant(cell.value) == Some(0);
    let links = block.cells.iter().filter(|(at, cell)| {
        span.meets(**at, cell.size) && (names.holds_address(cell.value) || is_null(cell))
    });
    let end = links.map(|(at, cell)| at.saturating_add(cell.size)).max();
    let Some(end) = end.filter(|_| block.kind == BlockKind::Heap) else { return span };
    let limit = reasoner.names.terms.bit_vector(u128::from(end), bits);
    let is_behind = reasoner.names.terms.unsigned_less_equal(limit, offset);
    match prove(reasoner, state, is_behind) {
        true => Span { low: end.max(span.low), ..span },
        false => span,
    }
}

/// Whether no address is among the bytes of a span, not even a part of one.
pub(crate) fn holds_numbers(names: &Names<'_>, block: &Block, span: Span) -> bool {
    let mut cells = block.cells.iter().filter(|(offset, cell)| span.meets(**offset, cell.size));
    cells.all(|(_, cell)| !names.holds_address(cell.value))
}

/// Whether all bytes of a block are told to be zero.
pub(crate) fn is_all_zero(names: &Names<'_>, block: &Block) -> bool {
    block.cells.values().all(|cell| names.constant(cell.value) == Some(0))
        && match block.rest {
            DefaultBytes::Zero => true,
            DefaultBytes::Initial(object) => names.is_zeroed(object),
            DefaultBytes::Uninitialised => false,
        }
}

/// Any number of that many bytes.
pub(crate) fn any_bytes(names: &mut Names<'_>, size: u64) -> TermId {
    names.fresh("element", 8 * size as u32)
}

/// Makes all bytes arbitrary that something was written to, nobody knows where.
fn smash(state: &mut State, block: BlockId, span: Span) {
    let target = state.block_mut(block);
    let is_kept = |(offset, cell): &(u64, Cell)| !span.meets(*offset, cell.size);
    target.cells = std::mem::take(&mut target.cells).into_iter().filter(is_kept).collect();
    target.rest = DefaultBytes::Uninitialised;
    target.zero = None;
    state.forget_contents(block);
}

/// The state behind a write somewhere in a span, unless it may touch an address.
pub(crate) fn smashed(
    names: &Names<'_>,
    (mut state, block, span): (State, BlockId, Span),
    is_number: bool,
) -> Option<State> {
    let is_followed = is_number && holds_numbers(names, state.block(block), span);
    is_followed.then(|| {
        smash(&mut state, block, span);
        state
    })
}

/// Whether an offset or size may have too many values to ask for each of them.
pub(crate) fn is_wide(names: &mut Names<'_>, state: &State, term: TermId) -> bool {
    let range = range(names, state, term);
    range.high.saturating_sub(range.low) > WIDE
}

/// Offsets in a block of some kilobytes are worth asking for.
const WIDE: i128 = 4096;
