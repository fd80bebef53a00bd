//! What a write of many bytes leaves of a block, and what a fill says of it: what certainly lies elsewhere is kept, and all that is
//! filled is one byte, or a number of several that are the same.

use heapwright_logic::TermId;

use crate::execution::carried::{Stretch, is_left};
use crate::execution::contents::MOST_EXTENTS;
use crate::execution::smash::is_all_zero;
use crate::heap::block::{BlockId, Zero};
use crate::heap::contents::{Contents, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove};

/// The widest numbers that fills are seen as.
const WIDEST: u64 = 8;

/// Bytes that are written: `size` of them from a place of a block on, all in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) block: BlockId,
    pub(crate) at: TermId,
    pub(crate) size: TermId,
}

impl Written {
    /// As bytes that might be copied.
    fn as_stretch(self) -> Stretch {
        let Written { block, at, size } = self;
        Stretch { source: block, from: at, target: block, to: at, size }
    }

    fn end(self, names: &mut Names<'_>) -> TermId {
        names.terms.add(self.at, self.size)
    }

    /// How wide the numbers may be that are written side by side, by the forms of place and size.
    fn widths(self, names: &Names<'_>) -> Vec<u64> {
        let fits = |width: &u64| {
            is_multiple(names, self.at, *width) && is_multiple(names, self.size, *width)
        };
        let widest = [WIDEST, 4, 2, 1].into_iter().find(fits).expect("all are multiples of one");
        // Records of two numbers are as wide as the widest.
        match widest {
            WIDEST => vec![WIDEST, WIDEST / 2],
            narrower => vec![narrower],
        }
    }
}

/// What is remembered of a block that lies elsewhere than what is written.
pub(crate) fn left_elsewhere(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    written: Written,
) -> (Contents, Option<Zero>) {
    if !reasoner.arrays.are_remembered() || reasoner.names.holds_address(written.at) {
        return (Contents::default(), None);
    }
    let block = std::sync::Arc::clone(state.block(written.block));
    let stretch = written.as_stretch();
    let mut contents = Contents::default();
    for &element in &block.contents.elements {
        if is_left(reasoner, state, stretch, (element.at, element.size)) {
            contents.elements.push(element);
        }
    }
    let zeros = match reasoner.arrays.have_laws() && is_all_zero(&reasoner.names, &block) {
        true => zeros_of(&mut reasoner.names, written, block.size),
        false => Vec::new(),
    };
    for extent in block.contents.extents.iter().chain(&zeros) {
        if extent.beside.is_none() {
            contents.extents.extend(parts_elsewhere(reasoner, state, extent, written));
        }
    }
    contents.extents.truncate(MOST_EXTENTS);
    let zero = block.zero.filter(|zero| is_left(reasoner, state, stretch, (zero.at, zero.size)));
    (contents, zero)
}

/// All bytes of a block that are zero because nothing was written yet.
fn zeros_of(names: &mut Names<'_>, written: Written, size: TermId) -> Vec<Extent> {
    let nothing = names.terms.bit_vector(0, 8);
    let start = names.terms.bit_vector(0, names.pointer_bits());
    let widths = written.widths(names);
    widths.into_iter().filter_map(|width| filled(names, (start, size), width, nothing)).collect()
}

/// The parts of an extent before and behind what is written.
fn parts_elsewhere(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    written: Written,
) -> Vec<Extent> {
    let end = written.end(&mut reasoner.names);
    let mut parts = Vec::new();
    for (place, is_before) in [(written.at, true), (end, false)] {
        let names = &mut reasoner.names;
        // No element may be cut in two.
        let distance = names.terms.subtract(place, extent.from);
        let begins = names.terms.unsigned_less_equal(extent.from, place);
        let ends = names.terms.unsigned_less_equal(place, extent.to);
        let is_within = names.terms.and(begins, ends);
        if is_multiple(names, distance, extent.stride) && prove(reasoner, state, is_within) {
            let part = match is_before {
                true => Extent { to: place, ..extent.clone() },
                false => Extent { from: place, ..extent.clone() },
            };
            parts.push(part);
        }
    }
    if parts.is_empty() && is_elsewhere(reasoner, state, extent, (written.at, end)) {
        parts.push(extent.clone());
    }
    parts.retain(|part| part.from != part.to);
    parts
}

/// Whether all elements of an extent lie before what is written, or behind it.
fn is_elsewhere(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    (at, end): (TermId, TermId),
) -> bool {
    let names = &mut reasoner.names;
    let length = names.terms.subtract(extent.to, extent.from);
    let is_before = names.terms.unsigned_less_equal(extent.to, at);
    let is_behind = names.terms.unsigned_less_equal(end, extent.from);
    // The last element may go on behind the bound otherwise.
    let is_whole = is_multiple(names, length, extent.stride);
    is_whole && prove(reasoner, state, is_before) || prove(reasoner, state, is_behind)
}

/// What is known of bytes that have all become the same one.
pub(crate) fn extents_of_fill(
    reasoner: &mut Reasoner<'_>,
    written: Written,
    byte: TermId,
) -> Vec<Extent> {
    let names = &mut reasoner.names;
    if !reasoner.arrays.have_laws() || names.holds_address(byte) || names.holds_address(written.at)
    {
        return Vec::new();
    }
    let bounds = (written.at, written.end(names));
    let widths = written.widths(names);
    widths.into_iter().filter_map(|width| filled(names, bounds, width, byte)).collect()
}

/// Bytes as numbers side by side, if their value is told.
fn filled(
    names: &mut Names<'_>,
    (from, to): (TermId, TermId),
    width: u64,
    byte: TermId,
) -> Option<Extent> {
    let value = match names.constant(byte) {
        Some(byte) => {
            let all = (0..width).fold(0, |value, _| value << 8 | byte);
            names.terms.bit_vector(all, 8 * width as u32)
        }
        None if width == 1 => byte,
        None => return None,
    };
    let here = names.here(width);
    let law = vec![names.terms.equal(here, value)];
    Some(Extent { from, to, stride: width, size: width, beside: None, law })
}
