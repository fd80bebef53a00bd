//! Operations that move bytes: loads, stores, copies and fills.

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{Access, BitRange, ExpressionId, Place, VariableId};

use crate::execution::access::{Use, resolve, resolve_stretch, split};
use crate::execution::contents::{Spot, contents_after_write, note_read, put_contents, recall};
use crate::execution::expression::{bytes_of_value, evaluate, resize, value_of_bytes};
use crate::execution::outcome::Outcome;
use crate::execution::smash::{Span, any_bytes, holds_numbers, smashed};
use crate::execution::step::set;
use crate::execution::texts::{put_zero, read_cases, zero_after_write};
use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::summary::fold::unfold;

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
    let resolved = resolve(reasoner, state, pointer, size, Use::Read, place);
    let mut outcomes = resolved.other;
    for (mut state, block, offset) in resolved.valid {
        // What is remembered of a place that turns out to be a constant is more than a cell tells.
        if let Some(known) = recalled(reasoner, &state, (block, pointer), access, size) {
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
    reasoner.services.statistics.elements += 1;
    let spot = Spot { block, at, size };
    if let Some(known) = recalled(reasoner, &state, (block, pointer), access, size) {
        return vec![(state, known)];
    }
    let value = any_value(&mut reasoner.names, access, size);
    let mut cases = read_cases(reasoner, state, (block, at), value);
    for (state, value) in &mut cases {
        note_read(reasoner, state, spot, *value);
    }
    cases
}

/// What is remembered of the place that a pointer points to.
fn recalled(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (block, pointer): (BlockId, TermId),
    access: &Access,
    size: u64,
) -> Option<TermId> {
    let (_, at) = reasoner.names.pointer(pointer).filter(|_| access.bits.is_none())?;
    let known = recall(reasoner, state, Spot { block, at, size })?;
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

/// An access that may touch an address, nobody knows at which of many places.
fn address_among_many(place: Place) -> Outcome {
    Outcome::Unknown(Reason::at("a symbolic offset or size with too many values", place))
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
        reasoner.services.statistics.elements += 1;
        let offset = reasoner.names.pointer(pointer).map(|(_, offset)| offset);
        let zero = offset
            .and_then(|offset| zero_after_write(reasoner, &state, (block, offset), access, value));
        let left = offset.map_or_else(Vec::new, |at| {
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
fn write_anywhere(
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

pub(crate) fn copy_operation(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    (target, source, size): (ExpressionId, ExpressionId, ExpressionId),
    usage: Use,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let [target, source, size] = evaluate_all(reasoner, &mut state, [target, source, size]);
    let cases = match split(reasoner, state.clone(), size) {
        Ok(cases) => cases,
        Err(_) if reasoner.arrays.are_smashed() => {
            return copy_stretch(reasoner, state, (target, source, size), usage, place, moved);
        }
        Err(text) => return vec![Outcome::Unknown(Reason::at(text, place))],
    };
    let mut outcomes = Vec::new();
    for (state, size) in cases {
        // Nothing is touched then, whatever the pointers are.
        if size == 0 {
            outcomes.push(moved(state));
            continue;
        }
        let from = resolve(reasoner, state, source, size, Use::Read, place);
        outcomes.extend(from.other);
        if let Some((state, block, span)) = from.smashed {
            let size = pointer_wide(&mut reasoner.names, size);
            let is_number = holds_numbers(&reasoner.names, state.block(block), span);
            let to = resolve_stretch(reasoner, state, target, size, usage, place);
            outcomes.extend(to.other);
            let written = to
                .smashed
                .map(|stretch| write_anywhere(&reasoner.names, stretch, is_number, place, moved));
            outcomes.extend(written);
        }
        for (state, source_block, source_offset) in from.valid {
            let to = resolve(reasoner, state, target, size, usage, place);
            outcomes.extend(to.other);
            if let Some((state, block, span)) = to.smashed {
                let bytes = Span::at(source_offset, size);
                let is_number = holds_numbers(&reasoner.names, state.block(source_block), bytes);
                let stretch = (state, block, span);
                outcomes.push(write_anywhere(&reasoner.names, stretch, is_number, place, moved));
            }
            for (mut state, target_block, target_offset) in to.valid {
                let from = (source_block, source_offset);
                reasoner.names.copy(&mut state, from, (target_block, target_offset), size);
                outcomes.push(moved(state));
            }
        }
    }
    outcomes
}

/// Two ranges that share no byte, or all. Ranges in different blocks are apart; what is wrong
/// with a pointer shows when it is used.
pub(crate) fn disjoint(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    (left, right, size): (ExpressionId, ExpressionId, ExpressionId),
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let [left, right, size] = evaluate_all(reasoner, &mut state, [left, right, size]);
    let (Some((here, from)), Some((there, to))) =
        (reasoner.names.pointer(left), reasoner.names.pointer(right))
    else {
        return vec![moved(state)];
    };
    // The first and the last node of a list may be one block.
    let is_plain = |block: &BlockId| state.blocks.get(block).is_none_or(|block| block.is_single());
    if let Some(folded) = [here, there].into_iter().find(|block| !is_plain(block)) {
        return unfold(reasoner, state, folded).into_iter().map(Outcome::Again).collect();
    }
    if here != there || from == to {
        return vec![moved(state)];
    }
    let overlaps = overlaps(&mut reasoner.names, from, to, size);
    fault_if(reasoner, state, overlaps, FaultKind::Overlap, place, moved)
}

/// Whether ranges of that size from two offsets of a block on share some bytes, not all.
fn overlaps(names: &mut Names<'_>, from: TermId, to: TermId, size: TermId) -> TermId {
    let size = resize(names, size, false, names.pointer_bits());
    let (forth, back) = (names.terms.subtract(to, from), names.terms.subtract(from, to));
    let is_short = [forth, back].map(|way| names.terms.unsigned_less(way, size));
    let is_near = names.terms.or(is_short[0], is_short[1]);
    let differs = names.terms.not_equal(from, to);
    names.terms.and(differs, is_near)
}

/// A fault where the condition can hold; the rest goes on.
fn fault_if(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    condition: TermId,
    kind: FaultKind,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    match reasoner.possible(&state, condition) {
        Possible::No => return vec![moved(state)],
        Possible::Yes(model) => {
            let mut faulty = state.clone();
            assume(&mut reasoner.names, &mut faulty, condition, Some(model));
            outcomes.push(Outcome::Fault { state: faulty, kind, place });
        }
        Possible::Perhaps => {
            let reason = Reason::at("whether what is copied overlaps its target", place);
            outcomes.push(Outcome::Unknown(reason));
        }
    }
    let otherwise = reasoner.names.terms.not(condition);
    match reasoner.possible(&state, otherwise) {
        Possible::No => return outcomes,
        Possible::Yes(model) => assume(&mut reasoner.names, &mut state, otherwise, Some(model)),
        Possible::Perhaps => assume(&mut reasoner.names, &mut state, otherwise, None),
    }
    outcomes.push(moved(state));
    outcomes
}

pub(crate) fn fill_operation(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    (target, byte, size): (ExpressionId, ExpressionId, ExpressionId),
    usage: Use,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let [target, byte, size] = evaluate_all(reasoner, &mut state, [target, byte, size]);
    let byte = resize(&mut reasoner.names, byte, false, 8);
    let cases = match split(reasoner, state.clone(), size) {
        Ok(cases) => cases,
        Err(_) if reasoner.arrays.are_smashed() => {
            return fill_stretch(reasoner, state, (target, byte, size), usage, place, moved);
        }
        Err(text) => return vec![Outcome::Unknown(Reason::at(text, place))],
    };
    let mut outcomes = Vec::new();
    for (state, size) in cases {
        if size == 0 {
            outcomes.push(moved(state));
            continue;
        }
        let to = resolve(reasoner, state, target, size, usage, place);
        outcomes.extend(to.other);
        let is_number = !reasoner.names.holds_address(byte);
        outcomes.extend(
            to.smashed
                .map(|stretch| write_anywhere(&reasoner.names, stretch, is_number, place, moved)),
        );
        for (mut state, block, offset) in to.valid {
            reasoner.names.fill(&mut state, block, offset, byte, size);
            outcomes.push(moved(state));
        }
    }
    outcomes
}

fn evaluate_all<const COUNT: usize>(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    expressions: [ExpressionId; COUNT],
) -> [TermId; COUNT] {
    expressions.map(|expression| evaluate(reasoner, state, expression))
}

fn pointer_wide(names: &mut Names<'_>, number: u64) -> TermId {
    let bits = names.pointer_bits();
    names.terms.bit_vector(u128::from(number), bits)
}

/// Apart from each other: nothing is moved, and so much as `size` says.
fn part_by_zero(
    reasoner: &mut Reasoner<'_>,
    state: State,
    size: TermId,
) -> (Option<State>, Option<State>) {
    let zero = pointer_wide(&mut reasoner.names, 0);
    let is_zero = reasoner.names.terms.equal(size, zero);
    let is_more = reasoner.names.terms.not(is_zero);
    let mut part = |condition| {
        let mut part = state.clone();
        match reasoner.possible(&part, condition) {
            Possible::No => return None,
            Possible::Yes(model) => {
                assume(&mut reasoner.names, &mut part, condition, Some(model));
            }
            Possible::Perhaps => assume(&mut reasoner.names, &mut part, condition, None),
        }
        Some(part)
    };
    (part(is_zero), part(is_more))
}

/// Copies so many bytes that their number is not told.
fn copy_stretch(
    reasoner: &mut Reasoner<'_>,
    state: State,
    (target, source, size): (TermId, TermId, TermId),
    usage: Use,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let bits = reasoner.names.pointer_bits();
    let size = resize(&mut reasoner.names, size, false, bits);
    let (nothing, some) = part_by_zero(reasoner, state, size);
    let mut outcomes: Vec<Outcome> = nothing.map(moved).into_iter().collect();
    let Some(state) = some else { return outcomes };
    let from = resolve_stretch(reasoner, state, source, size, Use::Read, place);
    outcomes.extend(from.other);
    let Some((state, block, span)) = from.smashed else { return outcomes };
    let is_number = holds_numbers(&reasoner.names, state.block(block), span);
    let to = resolve_stretch(reasoner, state, target, size, usage, place);
    outcomes.extend(to.other);
    outcomes
        .extend(to.smashed.map(|to| write_anywhere(&reasoner.names, to, is_number, place, moved)));
    outcomes
}

/// Sets so many bytes that their number is not told.
fn fill_stretch(
    reasoner: &mut Reasoner<'_>,
    state: State,
    (target, byte, size): (TermId, TermId, TermId),
    usage: Use,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let bits = reasoner.names.pointer_bits();
    let size = resize(&mut reasoner.names, size, false, bits);
    let (nothing, some) = part_by_zero(reasoner, state, size);
    let mut outcomes: Vec<Outcome> = nothing.map(moved).into_iter().collect();
    let Some(state) = some else { return outcomes };
    let to = resolve_stretch(reasoner, state, target, size, usage, place);
    outcomes.extend(to.other);
    let is_number = !reasoner.names.holds_address(byte);
    outcomes
        .extend(to.smashed.map(|to| write_anywhere(&reasoner.names, to, is_number, place, moved)));
    outcomes
}
