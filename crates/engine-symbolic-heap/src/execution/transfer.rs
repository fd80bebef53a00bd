//! Operations that move the bytes of one value: loads and stores.

use heapwright_logic::TermId;
use heapwright_program::{Access, BitRange, ExpressionId, Place, VariableId};

use crate::execution::access::{Use, address_among_many, resolve};
use crate::execution::contents::{Spot, contents_after_write, note_read, put_contents, recall};
use crate::execution::elements::store_pointer;
use crate::execution::expression::{bytes_of_value, evaluate, resize, value_of_bytes};
use crate::execution::outcome::Outcome;
use crate::execution::smash::{Span, any_bytes, holds_numbers, is_all_zero, smashed};
use crate::execution::step::set;
use crate::execution::texts::{put_zero, read_cases, zero_after_write};
use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::plain_place;

pub(crate) fn load(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    target: VariableId,
    access: &Access,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let pointer = evaluate(reasoner, &mut state, access.address);
    let size = match access.bits {
        Some(bits) => bits.bytes(),
        None => access.ty.size(reasoner.names.model()),
    };
    note_element(reasoner, pointer);
    let resolved = resolve(reasoner, state, pointer, size, Use::Read, place);
    let mut outcomes = resolved.other;
    for (mut state, block, offset) in resolved.valid {
        // What is remembered of a place that turns out to be a constant is more than a cell tells.
        let told = reasoner.names.pointer(pointer).map(|(_, at)| Spot { block, at, size });
        let known = told.and_then(|spot| {
            let at = place_of(reasoner, &state, spot.at);
            recalled(reasoner, &state, Spot { at, ..spot }, access)
        });
        if let Some(known) = known {
            set(&mut reasoner.names, &mut state, target, known);
            outcomes.push(moved(state));
            continue;
        }
        let bytes = read_value(&mut reasoner.names, &mut state, block, offset, access, size);
        let offset = pointer_wide(&mut reasoner.names, offset);
        let spot = Spot { block, at: offset, size };
        for (mut state, bytes) in read_cases(reasoner, state, (block, offset), bytes) {
            if access.bits.is_none() {
                note_read(reasoner, &mut state, spot, bytes);
            }
            set(&mut reasoner.names, &mut state, target, bytes);
            outcomes.push(moved(state));
        }
    }
    if let Some((state, block, span)) = resolved.smashed {
        if !holds_numbers(&reasoner.names, state.block(block), span) {
            reasoner.services.statistics.pointers += 1;
            outcomes.push(address_among_many(place));
            return outcomes;
        }
        let cases = read_anywhere(reasoner, state, (block, pointer), access, size);
        for (mut state, bytes) in cases {
            set(&mut reasoner.names, &mut state, target, bytes);
            outcomes.push(moved(state));
        }
    }
    outcomes
}

/// An access at a place that is a number is one to an element, even if the place has few values so far.
fn note_element(reasoner: &mut Reasoner<'_>, pointer: TermId) {
    let place = reasoner.names.pointer(pointer).map(|(_, place)| place);
    if place.is_some_and(|place| reasoner.names.constant(place).is_none()) {
        reasoner.services.statistics.elements += 1;
    }
}

/// What is read at one of many places, apart from each other where that tells more.
fn read_anywhere(
    reasoner: &mut Reasoner<'_>,
    state: State,
    (block, pointer): (BlockId, TermId),
    access: &Access,
    size: u64,
) -> Vec<(State, TermId)> {
    let (Some((_, at)), None) = (reasoner.names.pointer(pointer), access.bits) else {
        return vec![(state, any_value(&mut reasoner.names, access, size))];
    };
    let at = place_of(reasoner, &state, at);
    let spot = Spot { block, at, size };
    if let Some(known) = recalled(reasoner, &state, spot, access) {
        return vec![(state, known)];
    }
    if is_all_zero(&reasoner.names, state.block(block)) {
        let bytes = u64::from(reasoner.names.bits(access.ty)).div_ceil(8).min(size);
        let nothing = reasoner.names.terms.bit_vector(0, 8 * bytes as u32);
        return vec![(state, value_of_bytes(&mut reasoner.names, nothing, access.ty))];
    }
    let value = any_value(&mut reasoner.names, access, size);
    let mut cases = read_cases(reasoner, state, (block, at), value);
    for (state, value) in &mut cases {
        note_read(reasoner, state, spot, *value);
    }
    cases
}

/// The place of an element as it is remembered.
fn place_of(reasoner: &mut Reasoner<'_>, state: &State, at: TermId) -> TermId {
    match reasoner.arrays.have_laws() {
        true => plain_place(reasoner, state, at),
        false => at,
    }
}

/// What is remembered of a place.
fn recalled(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    spot: Spot,
    access: &Access,
) -> Option<TermId> {
    let known = recall(reasoner, state, spot).filter(|_| access.bits.is_none())?;
    Some(value_of_bytes(&mut reasoner.names, known, access.ty))
}

/// What is read where any number may be.
fn any_value(names: &mut Names<'_>, access: &Access, size: u64) -> TermId {
    let width = names.bits(access.ty);
    let bytes = match access.bits {
        Some(range) => {
            let storage = any_bytes(names, size.min(16));
            return field_of(names, storage, range, access, width);
        }
        None => any_bytes(names, u64::from(width).div_ceil(8).min(size)),
    };
    value_of_bytes(names, bytes, access.ty)
}

fn read_value(
    names: &mut Names<'_>,
    state: &mut State,
    block: BlockId,
    offset: u64,
    access: &Access,
    size: u64,
) -> TermId {
    let width = names.bits(access.ty);
    let Some(range) = access.bits else {
        // An extended float's value is narrower than its storage.
        let stored = u64::from(width).div_ceil(8).min(size);
        let bytes = names.read(state, block, offset, stored);
        return value_of_bytes(names, bytes, access.ty);
    };
    let bytes = read_wide(names, state, block, offset, size);
    field_of(names, bytes, range, access, width)
}

/// The value of a bit-field in the bytes of its storage.
fn field_of(
    names: &mut Names<'_>,
    bytes: TermId,
    range: BitRange,
    access: &Access,
    width: u32,
) -> TermId {
    let (low, high) = (u32::from(range.offset), u32::from(range.offset + range.width) - 1);
    let field = names.terms.extract(bytes, high, low);
    let value = resize(names, field, access.ty.is_signed(), width);
    value_of_bytes(names, value, access.ty)
}

/// Bytes of a bit-field's storage.
fn read_wide(
    names: &mut Names<'_>,
    state: &mut State,
    block: BlockId,
    offset: u64,
    size: u64,
) -> TermId {
    names.read(state, block, offset, size.min(16))
}

pub(crate) fn store(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    access: &Access,
    value: ExpressionId,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let pointer = evaluate(reasoner, &mut state, access.address);
    let value = evaluate(reasoner, &mut state, value);
    let value = bytes_of_value(&mut reasoner.names, value, access.ty);
    let size = match access.bits {
        Some(bits) => bits.bytes(),
        None => access.ty.size(reasoner.names.model()),
    };
    let is_plain = access.bits.is_none()
        && u64::from(reasoner.names.terms.width(value)) == 8 * size
        && !reasoner.names.holds_address(value);
    let plain = is_plain.then_some(value);
    let usage = Use::of_write(access.initialises);
    note_element(reasoner, pointer);
    let resolved = resolve(reasoner, state, pointer, size, usage, place);
    let mut outcomes = resolved.other;
    for (mut state, block, offset) in resolved.valid {
        let place = pointer_wide(&mut reasoner.names, offset);
        let zero = zero_after_write(reasoner, &state, (block, place), access, value);
        let spot = Spot { block, at: place, size };
        let left = contents_after_write(reasoner, &state, spot, plain);
        match access.bits {
            None => reasoner.names.write(&mut state, block, offset, value),
            Some(range) => {
                let old = read_wide(&mut reasoner.names, &mut state, block, offset, size);
                let new = insert_bits(&mut reasoner.names, old, value, range);
                reasoner.names.write(&mut state, block, offset, new);
            }
        }
        put_zero(reasoner, &mut state, block, zero);
        put_contents(&mut state, left);
        outcomes.push(moved(state));
    }
    let is_number = !reasoner.names.holds_address(value);
    if let Some((state, block, span)) = resolved.smashed {
        let offset = reasoner.names.pointer(pointer).map(|(_, offset)| offset);
        if !is_number && access.bits.is_none() {
            reasoner.services.statistics.pointers += 1;
            let stretch = (state, block, span);
            let stored = offset
                .and_then(|at| store_pointer(reasoner, stretch, Spot { block, at, size }, value));
            outcomes.push(stored.map_or_else(|| address_among_many(place), moved));
            return outcomes;
        }
        let zero = offset
            .and_then(|offset| zero_after_write(reasoner, &state, (block, offset), access, value));
        let left = offset.map_or_else(Vec::new, |at| {
            let at = place_of(reasoner, &state, at);
            contents_after_write(reasoner, &state, Spot { block, at, size }, plain)
        });
        outcomes.push(match smashed(&reasoner.names, (state, block, span), is_number) {
            Some(mut state) => {
                put_zero(reasoner, &mut state, block, zero);
                put_contents(&mut state, left);
                moved(state)
            }
            None => address_among_many(place),
        });
    }
    outcomes
}

/// What comes of a write somewhere in a span.
pub(crate) fn write_anywhere(
    names: &Names<'_>,
    stretch: (State, BlockId, Span),
    is_number: bool,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Outcome {
    smashed(names, stretch, is_number).map_or_else(|| address_among_many(place), moved)
}

/// `old` with a bit-field replaced by the low bits of `value`.
fn insert_bits(names: &mut Names<'_>, old: TermId, value: TermId, range: BitRange) -> TermId {
    let total = names.terms.width(old);
    let (low, width) = (u32::from(range.offset), u32::from(range.width));
    let value = resize(names, value, false, width.max(names.terms.width(value)));
    let mut result = names.terms.extract(value, width - 1, 0);
    if low > 0 {
        let below = names.terms.extract(old, low - 1, 0);
        result = names.terms.concat(result, below);
    }
    if low + width < total {
        let above = names.terms.extract(old, total - 1, low + width);
        result = names.terms.concat(above, result);
    }
    result
}

pub(crate) fn pointer_wide(names: &mut Names<'_>, number: u64) -> TermId {
    let bits = names.pointer_bits();
    names.terms.bit_vector(u128::from(number), bits)
}
