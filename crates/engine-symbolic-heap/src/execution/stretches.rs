//! Operations that move many bytes: copies and fills, of a size that may not be told.

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{ExpressionId, Place};

use crate::execution::access::{
    Use, address_among_many, resolve, resolve_any_stretch, resolve_stretch, split,
};
use crate::execution::carried::{
    Stretch, carried, carried_contents, put_carried, put_carried_contents,
};
use crate::execution::elements::{move_elements, moving_elements};
use crate::execution::elsewhere::{Written, extents_of_fill, left_elsewhere};
use crate::execution::expression::{evaluate, resize};
use crate::execution::outcome::Outcome;
use crate::execution::smash::{Span, holds_numbers, smashed};
use crate::execution::transfer::{pointer_wide, write_anywhere};
use crate::heap::block::{BlockId, Zero};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::places::{plain_place, prove};
use crate::summary::fold::unfold;

pub(crate) fn copy_operation(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    (target, source, size): (ExpressionId, ExpressionId, ExpressionId),
    usage: Use,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let [target, source, size] = evaluate_all(reasoner, &mut state, [target, source, size]);
    let cases = match sizes(reasoner, &state, size) {
        Ok(_) if has_elements(&mut reasoner.names, &state, source) => {
            return copy_stretch(reasoner, state, (target, source, size), usage, place, moved);
        }
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
                let to = (target_block, target_offset);
                let remembered = remembered_in(reasoner, &state, from, to, size);
                reasoner.names.copy(&mut state, from, to, size);
                put_carried_contents(&mut state, target_block, remembered);
                outcomes.push(moved(state));
            }
        }
    }
    outcomes
}

/// What is remembered at places that are numbers, of bytes that are copied from a place that is told to another.
fn remembered_in(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (source, from): (BlockId, u64),
    (target, to): (BlockId, u64),
    size: u64,
) -> (Contents, Option<Zero>) {
    let block = state.block(source);
    if !reasoner.arrays.are_remembered() || block.contents.is_empty() && block.zero.is_none() {
        return (Contents::default(), None);
    }
    let [from, to, size] = [from, to, size].map(|number| pointer_wide(&mut reasoner.names, number));
    carried_contents(reasoner, state, Stretch { source, from, target, to, size })
}

/// Whether a pointer leads to an array of which rows and slots tell.
fn has_elements(names: &mut Names<'_>, state: &State, pointer: TermId) -> bool {
    let array = names.pointer(pointer).map(|(array, _)| array);
    array.is_some_and(|array| state.has_elements() && !state.elements_of(names, array).is_empty())
}

/// One state for each size, if they are told apart.
fn sizes(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    size: TermId,
) -> Result<Vec<(State, u64)>, &'static str> {
    if reasoner.arrays.are_remembered() && reasoner.names.constant(size).is_none() {
        return Err("a size that is not told");
    }
    split(reasoner, state.clone(), size)
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
    let cases = match sizes(reasoner, &state, size) {
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
    let from = resolve_any_stretch(reasoner, state, source, size, Use::Read, place);
    outcomes.extend(from.other);
    let Some((state, block, _)) = from.smashed else { return outcomes };
    let to = resolve_stretch(reasoner, state, target, size, usage, place);
    outcomes.extend(to.other);
    let Some((state, other, span)) = to.smashed else { return outcomes };
    let [from, to] = [source, target].map(|pointer| match reasoner.names.pointer(pointer) {
        Some((_, offset)) => offset,
        None => unreachable!("it was found to be a pointer"),
    });
    let [from, to, size] = [from, to, size].map(|place| match reasoner.arrays.are_remembered() {
        true => plain_place(reasoner, &state, place),
        false => place,
    });
    let moving = match reasoner.arrays.have_rows() {
        true => moving_elements(reasoner, &state, (block, from), size),
        false => Some(Vec::new()),
    };
    let Some(moving) = moving.filter(|moving| moving.is_empty() || block != other) else {
        outcomes.push(address_among_many(place));
        return outcomes;
    };
    let bytes = Stretch { source: block, from, target: other, to, size };
    let along = carried(reasoner, &state, bytes);
    let elsewhere = left_elsewhere(reasoner, &state, Written { block: other, at: to, size });
    let left = smashed(&reasoner.names, (state, other, span), along.is_some());
    outcomes.push(match left.zip(along) {
        Some((mut state, along)) => {
            let distance = reasoner.names.terms.subtract(to, from);
            put_carried_contents(&mut state, other, elsewhere);
            put_carried(&mut state, other, along);
            move_elements(&mut reasoner.names, &mut state, &moving, (other, distance));
            moved(state)
        }
        None => address_among_many(place),
    });
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
    let Some((mut state, block, span)) = to.smashed else { return outcomes };
    let size = plain_place(reasoner, &state, size);
    if is_whole(reasoner, &state, (block, target), size)
        && reasoner.names.constant(byte) == Some(0)
        && holds_numbers(&reasoner.names, state.block(block), span)
    {
        reasoner.names.zero_whole(&mut state, block);
        outcomes.push(moved(state));
        return outcomes;
    }
    let at = reasoner.names.pointer(target).map_or(target, |(_, offset)| offset);
    let written = Written { block, at: plain_place(reasoner, &state, at), size };
    let (mut contents, zero) = left_elsewhere(reasoner, &state, written);
    contents.extents.extend(extents_of_fill(reasoner, written, byte));
    let stretch = (state, block, span);
    let filled = |mut state: State| {
        put_carried_contents(&mut state, block, (contents.clone(), zero));
        moved(state)
    };
    outcomes.push(write_anywhere(&reasoner.names, stretch, is_number, place, &filled));
    outcomes
}

/// Whether so many bytes at a pointer are all that a block has.
fn is_whole(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (block, pointer): (BlockId, TermId),
    size: TermId,
) -> bool {
    let offset = reasoner.names.pointer(pointer).map(|(_, offset)| offset);
    let is_at_start = offset.is_some_and(|offset| reasoner.names.constant(offset) == Some(0));
    is_at_start && {
        let is_all = reasoner.names.terms.equal(size, state.block(block).size);
        prove(reasoner, state, is_all)
    }
}
