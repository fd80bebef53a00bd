//! From a pointer to bytes: which block, which offset, and what is wrong with it.

use std::sync::Arc;

use heapwright_engine::Reason;
use heapwright_logic::{Model, TermId};
use heapwright_memory::FaultKind;
use heapwright_program::Place;

use crate::execution::contents::{Spot, contents_after_write, put_contents};
use crate::execution::elements::{Touched, is_clear_of_elements, touched};
use crate::execution::locate::locate;
use crate::execution::outcome::Outcome;
use crate::execution::smash::{Span, behind_links, holds_numbers, is_wide, span};
use crate::heap::block::{Block, BlockId, BlockKind, Life};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::Arrays;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::summary::fold::unfold;
use crate::summary::row::cells::cells_as_slots;
use crate::summary::row::slots::note_bounds;

/// A valid access, or what else can happen; both, where it depends.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// A state for each offset that the access can have.
    pub(crate) valid: Vec<(State, BlockId, u64)>,
    /// A state in which the access is in bounds, at one of many offsets.
    pub(crate) smashed: Option<(State, BlockId, Span)>,
    pub(crate) other: Vec<Outcome>,
}

impl Resolved {
    /// In bounds, somewhere in a span.
    fn smash(
        &mut self,
        reasoner: &mut Reasoner<'_>,
        (state, block, span): (State, BlockId, Span),
        offset: TermId,
    ) {
        let span = behind_links(reasoner, (&state, block), offset, span);
        self.smashed = Some((state, block, span));
    }
}

/// What is done with the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    /// The write that gives a constant its value.
    Initialise,
}

impl Use {
    pub(crate) fn of_write(initialises: bool) -> Use {
        if initialises { Use::Initialise } else { Use::Write }
    }
}

/// Finds the `size` bytes that a pointer points to.
pub(crate) fn resolve(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    size: u64,
    usage: Use,
    place: Place,
) -> Resolved {
    let mut resolved = Resolved::default();
    let located = locate(reasoner, &state, pointer, size);
    let Some((state, block, offset)) =
        resolve_block(reasoner, state, pointer, usage, place, &mut resolved)
    else {
        return resolved;
    };
    let access = (state, block, offset, size);
    let Some(state) = resolve_element(reasoner, access, usage, place, &mut resolved) else {
        return resolved;
    };
    let length = state.block(block).size;
    if let (Some(offset), Some(length)) =
        (reasoner.names.constant(offset), reasoner.names.constant(length))
    {
        let in_bounds = offset.checked_add(u128::from(size)).is_some_and(|end| end <= length);
        if in_bounds && located.agrees_with(block, offset as u64) {
            resolved.valid.push((state, block, offset as u64));
        } else if in_bounds {
            let text = "whether an address is allocated: the solver does not find its cell";
            resolved.other.push(Outcome::Unknown(Reason::at(text, place)));
        } else {
            let kind = FaultKind::OutOfBounds;
            resolved.other.push(Outcome::Fault { state, kind, place });
        }
        return resolved;
    }
    let bits = reasoner.names.pointer_bits();
    let size = reasoner.names.terms.bit_vector(u128::from(size), bits);
    let valid = keep_in_bounds(reasoner, state, (block, offset), size, place, &mut resolved);
    let Some(valid) = valid else { return resolved };
    let whole = reasoner.arrays.are_smashed().then(|| valid.clone());
    let span = span(&mut reasoner.names, &valid, (offset, size), valid.block(block));
    if reasoner.arrays.have_rows()
        && reasoner.names.constant(offset).is_none()
        && let Some(state) =
            cells_as_slots(&mut reasoner.names, &valid, block, &|at, size| span.meets(at, size))
    {
        resolved.other.push(Outcome::Again(state));
        return resolved;
    }
    let most = most_places(reasoner, &valid, (block, offset), span);
    match (split_into(reasoner, valid, offset, most), whole) {
        (Ok(cases), _) => {
            let cases = cases.into_iter().map(|(state, offset)| (state, block, offset));
            resolved.valid.extend(cases);
        }
        (Err(_), Some(state)) => resolved.smash(reasoner, (state, block, span), offset),
        (Err(text), None) => resolved.other.push(Outcome::Unknown(Reason::at(text, place))),
    }
    resolved
}

/// Finds as many bytes as `size` says, where that is not told, and which no row or slot has. With arrays that are smashed only.
pub(crate) fn resolve_stretch(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    size: TermId,
    usage: Use,
    place: Place,
) -> Resolved {
    let mut resolved = resolve_any_stretch(reasoner, state, pointer, size, usage, place);
    let Some((state, block, _)) = &resolved.smashed else { return resolved };
    let elements = elements_of(reasoner, state, *block);
    let offset = reasoner.names.pointer(pointer).map(|(_, offset)| offset);
    let is_clear = elements.is_empty()
        || offset.is_some_and(|at| is_clear_of_elements(reasoner, state, (at, size), &elements));
    if !is_clear {
        resolved.smashed = None;
        resolved.other.push(address_among_many(place));
    }
    resolved
}

/// The same, whatever rows and slots it has.
pub(crate) fn resolve_any_stretch(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    size: TermId,
    usage: Use,
    place: Place,
) -> Resolved {
    let mut resolved = Resolved::default();
    let Some((state, block, offset)) =
        resolve_block(reasoner, state, pointer, usage, place, &mut resolved)
    else {
        return resolved;
    };
    let valid = keep_in_bounds(reasoner, state, (block, offset), size, place, &mut resolved);
    let Some(state) = valid else { return resolved };
    let span = span(&mut reasoner.names, &state, (offset, size), state.block(block));
    resolved.smash(reasoner, (state, block, span), offset);
    resolved
}

/// How many places of an access are told apart.
fn most_places(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (block, offset): (BlockId, TermId),
    span: Span,
) -> usize {
    let block = state.block(block);
    match reasoner.arrays {
        Arrays::Texts | Arrays::Laws | Arrays::Rows
            if holds_numbers(&reasoner.names, block, span) && !is_short_literal(block, span) =>
        {
            1
        }
        Arrays::Split | Arrays::Smashed | Arrays::Texts | Arrays::Laws | Arrays::Rows => {
            most_values(reasoner, state, offset)
        }
    }
}

/// Whether a few bytes are meant that never change: what they are is worth telling apart, as in the mode of a stream.
fn is_short_literal(block: &Block, span: Span) -> bool {
    block.kind == BlockKind::String && span.length() <= GLANCE as u64
}

/// The rows and slots of a block.
fn elements_of(reasoner: &Reasoner<'_>, state: &State, block: BlockId) -> Vec<BlockId> {
    match reasoner.arrays.have_rows() {
        true => state.elements_of(&reasoner.names, block),
        false => Vec::new(),
    }
}

/// Finds bytes in an array that has rows and slots. The state in which they are in none of these, if it goes on with that, or if there are
/// none.
fn resolve_element(
    reasoner: &mut Reasoner<'_>,
    (mut state, block, offset, bytes): (State, BlockId, TermId, u64),
    usage: Use,
    place: Place,
    resolved: &mut Resolved,
) -> Option<State> {
    let elements = elements_of(reasoner, &state, block);
    if elements.is_empty() {
        return Some(state);
    }
    note_bounds(&mut reasoner.names, &mut state);
    let size = reasoner.names.terms.bit_vector(u128::from(bytes), reasoner.names.pointer_bits());
    let mut state = keep_in_bounds(reasoner, state, (block, offset), size, place, resolved)?;
    let spot = Spot { block, at: offset, size: bytes };
    match touched(reasoner, &state, spot, &elements) {
        Touched::Nothing => return Some(state),
        Touched::Slot(slot, within) => {
            // What extents say of the array is of these bytes too.
            if usage != Use::Read {
                let left = contents_after_write(reasoner, &state, spot, None);
                state.forget_contents(block);
                put_contents(&mut state, left);
            }
            resolved.valid.push((state, slot, within));
        }
        Touched::Again(states) => resolved.other.extend(states.into_iter().map(Outcome::Again)),
        Touched::Unclear => resolved.other.push(address_among_many(place)),
    }
    None
}

/// An access that may touch an address, nobody knows at which of many places.
pub(crate) fn address_among_many(place: Place) -> Outcome {
    Outcome::Unknown(Reason::at("a symbolic offset or size with too many values", place))
}

/// Finds the block that a pointer points to, and what the offset in it is; or what else happens.
fn resolve_block(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    usage: Use,
    place: Place,
    resolved: &mut Resolved,
) -> Option<(State, BlockId, TermId)> {
    let Some((block, offset)) = reasoner.names.pointer(pointer) else {
        resolve_number(reasoner, state, pointer, place, resolved);
        return None;
    };
    let Some(target) = state.blocks.get(&block).map(Arc::clone) else {
        let reason = Reason::at("a pointer to a block that the state does not have", place);
        resolved.other.push(Outcome::Unknown(reason));
        return None;
    };
    if !target.is_single() {
        // The same edge is tried again on the node that comes out.
        let unfolded = unfold(reasoner, state, block);
        resolved.other.extend(unfolded.into_iter().map(Outcome::Again));
        return None;
    }
    if let Some(kind) = fault_of(&target, usage) {
        resolved.other.push(Outcome::Fault { state, kind, place });
        return None;
    }
    Some((state, block, offset))
}

/// What is wrong with every access of this kind to a block.
fn fault_of(target: &Block, usage: Use) -> Option<FaultKind> {
    match (target.kind, target.life) {
        (BlockKind::Function(_), _) => Some(FaultKind::WildDereference),
        (_, Life::Freed | Life::OutOfScope) => Some(FaultKind::DanglingDereference),
        (BlockKind::String | BlockKind::Constant, Life::Alive) if usage == Use::Write => {
            Some(FaultKind::ReadOnlyWrite)
        }
        (_, Life::Alive) => None,
    }
}

/// A pointer that is no block's by its form: null, a number, an arbitrary value.
fn resolve_number(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    place: Place,
    resolved: &mut Resolved,
) {
    if let Some(bits) = reasoner.names.constant(pointer) {
        let kind =
            if bits < 4096 { FaultKind::NullDereference } else { FaultKind::WildDereference };
        resolved.other.push(Outcome::Fault { state, kind, place });
        return;
    }
    // Null first: it is the value that a replay reproduces most surely.
    let bits = reasoner.names.terms.width(pointer);
    let zero = reasoner.names.terms.bit_vector(0, bits);
    let is_null = reasoner.names.terms.equal(pointer, zero);
    if let Possible::Yes(model) = reasoner.possible(&state, is_null) {
        let mut faulty = state;
        assume(&mut reasoner.names, &mut faulty, is_null, Some(model));
        let kind = FaultKind::NullDereference;
        resolved.other.push(Outcome::Fault { state: faulty, kind, place });
    } else {
        let kind = FaultKind::WildDereference;
        resolved.other.push(Outcome::Fault { state, kind, place });
    }
    // It may still point to some block by its value, which we do not follow.
    let text = "a pointer whose value is not known to come from a block";
    resolved.other.push(Outcome::Unknown(Reason::at(text, place)));
}

/// The state in which an access is in bounds, if there is one; the others are at fault.
fn keep_in_bounds(
    reasoner: &mut Reasoner<'_>,
    state: State,
    (block, offset): (BlockId, TermId),
    size: TermId,
    place: Place,
    resolved: &mut Resolved,
) -> Option<State> {
    let length = state.block(block).size;
    let mut state = state;
    note_room(&mut reasoner.names, &mut state, block);
    let in_bounds = in_bounds(&mut reasoner.names, offset, length, size);
    let out_of_bounds = reasoner.names.terms.not(in_bounds);
    match reasoner.possible(&state, out_of_bounds) {
        Possible::No => {}
        Possible::Yes(model) => {
            let mut faulty = state.clone();
            assume(&mut reasoner.names, &mut faulty, out_of_bounds, Some(model));
            let kind = FaultKind::OutOfBounds;
            resolved.other.push(Outcome::Fault { state: faulty, kind, place });
        }
        Possible::Perhaps => {
            let reason = Reason::at("whether an access is in bounds", place);
            resolved.other.push(Outcome::Unknown(reason));
        }
    }
    let mut valid = state;
    match reasoner.possible(&valid, in_bounds) {
        Possible::No => return None,
        Possible::Yes(model) => assume(&mut reasoner.names, &mut valid, in_bounds, Some(model)),
        Possible::Perhaps => assume(&mut reasoner.names, &mut valid, in_bounds, None),
    }
    Some(valid)
}

/// Where a zero is, a block has not ended yet.
fn note_room(names: &mut Names<'_>, state: &mut State, block: BlockId) {
    let target = state.block(block);
    let Some(zero) = target.zero else { return };
    let length = target.size;
    let size = names.terms.bit_vector(u128::from(zero.size), names.pointer_bits());
    let is_inside = in_bounds(names, zero.at, length, size);
    if names.truth(is_inside).is_none() && !state.condition.contains(&is_inside) {
        assume(names, state, is_inside, None);
    }
}

/// `0 <= offset` and `offset + size <= length`, without overflow.
pub(crate) fn in_bounds(
    names: &mut Names<'_>,
    offset: TermId,
    length: TermId,
    size: TermId,
) -> TermId {
    let room = names.terms.unsigned_less_equal(size, length);
    let last = names.terms.subtract(length, size);
    let fits = names.terms.unsigned_less_equal(offset, last);
    names.terms.and(room, fits)
}

/// Values of a term that are told apart if they need not be, and its range does not tell that they are
/// few.
const GLANCE: usize = 8;

/// How many values of an offset or size are told apart.
fn most_values(reasoner: &mut Reasoner<'_>, state: &State, term: TermId) -> usize {
    let all = reasoner.services.settings.splits;
    match reasoner.arrays {
        Arrays::Split => all,
        Arrays::Smashed | Arrays::Texts | Arrays::Laws | Arrays::Rows
            if is_wide(&mut reasoner.names, state, term) =>
        {
            GLANCE.min(all)
        }
        Arrays::Smashed | Arrays::Texts | Arrays::Laws | Arrays::Rows => all,
    }
}

/// One state for each value that a term can have, with that value.
pub(crate) fn split(
    reasoner: &mut Reasoner<'_>,
    state: State,
    term: TermId,
) -> Result<Vec<(State, u64)>, &'static str> {
    let most = most_values(reasoner, &state, term);
    split_into(reasoner, state, term, most)
}

/// The same, if there are no more than so many.
fn split_into(
    reasoner: &mut Reasoner<'_>,
    state: State,
    term: TermId,
    most: usize,
) -> Result<Vec<(State, u64)>, &'static str> {
    if let Some(bits) = reasoner.names.constant(term) {
        return Ok(vec![(state, bits as u64)]);
    }
    let mut cases = Vec::new();
    let mut rest = state;
    // Ends because each round excludes a value, or by the limit.
    loop {
        let model = match &rest.model {
            Some(model) => Arc::clone(model),
            None => match reasoner.possible(&rest, TermId::TRUE) {
                Possible::Yes(model) => model,
                Possible::No => break,
                Possible::Perhaps => return Err("the values of a symbolic offset or size"),
            },
        };
        if cases.len() >= most {
            return Err("a symbolic offset or size with too many values");
        }
        let value = value_in(&reasoner.names, &model, term);
        let constant = reasoner.names.terms.bit_vector(value, reasoner.names.terms.width(term));
        let is_value = reasoner.names.terms.equal(term, constant);
        let mut case = rest.clone();
        assume(&mut reasoner.names, &mut case, is_value, Some(Arc::clone(&model)));
        reasoner.services.statistics.forks += 1;
        cases.push((case, value as u64));
        let differs = reasoner.names.terms.not(is_value);
        match reasoner.possible(&rest, differs) {
            Possible::No => break,
            Possible::Yes(model) => assume(&mut reasoner.names, &mut rest, differs, Some(model)),
            Possible::Perhaps => return Err("the values of a symbolic offset or size"),
        }
    }
    Ok(cases)
}

pub(crate) fn value_in(names: &Names<'_>, model: &Model, term: TermId) -> u128 {
    model.evaluate(&names.terms, term).as_bit_vector().bits()
}
