//! Extents that only one of two states has where these meet: on the other side they are empty, and a bound moves with a counter.
//!
//! A bound that is a counter's number on both sides is that counter. Where there are several such counters, there is an extent for each: the
//! next round shows which it was. Where there is none, the bound is a number of its own, of which laws tell what it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::mask;

use crate::heap::block::{Block, BlockId, Life};
use crate::heap::contents::{Beside, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, plain_place, prove};
use crate::reasoning::range::range;
use crate::summary::extents::join::{known_names, said_by};
use crate::summary::matched::{ExtentMatch, Joined, Match, Sides};
use crate::summary::zeros::{index_at, times};

/// Counters that a bound may be.
const MOST_COUNTERS: usize = 3;

/// Counters of which it is asked whether a bound is one of them.
const MOST_TRIED: usize = 4;

/// Gives the general state extents that only the new side has, and those that have become shorter there.
pub(crate) fn adopt_extents(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    joined: &mut Vec<Joined>,
    general: &mut State,
) {
    if found.is_one_state() {
        return;
    }
    let known = known_names(&reasoner.names, found);
    let mut back = known.clone();
    for number in joined.iter() {
        if reasoner.names.terms.as_variable(number.new).is_some() {
            back.insert(number.new, number.value);
        }
    }
    let counters = plain_counters(reasoner, sides, joined);
    let has_elements =
        sides.0.blocks.iter().filter(|(_, block)| block.is_single() && block.life == Life::Alive);
    let blocks: Vec<(BlockId, BlockId)> =
        has_elements.filter_map(|(&id, _)| Some((id, *found.blocks.get(&id)?))).collect();
    for (id, other) in blocks {
        let taken: Vec<usize> = found
            .extents
            .iter()
            .filter(|pair| pair.known.0 == id && !pair.law.is_empty())
            .flat_map(|extent| extent.new.iter().copied())
            .collect();
        let extents = sides.1.block(other).contents.extents.clone();
        for (index, extent) in extents.iter().enumerate() {
            if taken.contains(&index) && !grows_with_a_counter(&reasoner.names, extent, &counters) {
                continue;
            }
            let names = &mut reasoner.names;
            let bounds = Bounds { counters: &counters, joined };
            let adopted = adopted(names, (sides, found), (&known, &back), extent, bounds);
            add_new(general, id, adopted);
        }
    }
    for pair in found.extents.iter().filter(|pair| pair.is_whole && !pair.new.is_empty()) {
        let Some(beyond) = beyond(reasoner, sides, found, pair) else { continue };
        let bounds = Bounds { counters: &counters, joined };
        let names = &mut reasoner.names;
        let adopted = adopted(names, (sides, found), (&known, &back), &beyond, bounds);
        add_new(general, pair.known.0, adopted);
    }
    for pair in found.extents.iter().filter(|pair| !pair.is_whole) {
        let shorter = shortened(reasoner, (sides, found), pair, &counters);
        add_new(general, pair.known.0, shorter);
    }
}

/// Counters as wide as places, by the forms that places have: a loop that begins at `n - 1` begins one before `n`.
fn plain_counters(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    joined: &[Joined],
) -> Vec<Joined> {
    let bits = reasoner.names.pointer_bits();
    let is_counter = |names: &Names<'_>, number: &Joined| matches!(names.terms.sort(number.value), Sort::BitVector(width) if width <= bits);
    let mut counters = joined.to_vec();
    counters.retain(|number| is_counter(&reasoner.names, number));
    for counter in &mut counters {
        *counter = counter.extended(&mut reasoner.names, bits);
        counter.known = plain_counter(reasoner, known, counter.known);
        counter.new = plain_counter(reasoner, new, counter.new);
    }
    counters
}

/// A number by its plain form, or as the constant that the path condition says it is.
fn plain_counter(reasoner: &mut Reasoner<'_>, state: &State, number: TermId) -> TermId {
    let range = range(&mut reasoner.names, state, number);
    match range.low == range.high {
        true => {
            let bits = reasoner.names.terms.width(number);
            reasoner.names.terms.bit_vector(range.low.cast_unsigned(), bits)
        }
        false => plain_place(reasoner, state, number),
    }
}

/// Gives the general state extents of neighbours that only the new side has, where the known side tells that there are none.
pub(crate) fn adopt_where_empty(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    general: &mut State,
) {
    let has_extents = |(id, other): (&BlockId, &BlockId)| {
        let has = |block: &Arc<Block>| !block.contents.extents.is_empty();
        let is_there = sides.0.blocks.contains_key(id);
        (is_there && sides.1.blocks.get(other).is_some_and(has)).then_some((*id, *other))
    };
    let mut arrays: Vec<(BlockId, BlockId)> = found.blocks.iter().filter_map(has_extents).collect();
    if found.is_one_state() || arrays.is_empty() {
        return;
    }
    arrays.sort_unstable();
    let back = known_names(&reasoner.names, found);
    for (id, other) in arrays {
        for extent in sides.1.block(other).contents.extents.clone() {
            let Some(beside) = extent.beside.filter(|beside| beside.block == other) else {
                continue;
            };
            let (names, known) = (&mut reasoner.names, sides.0.block(id));
            if known.life != Life::Alive
                || !known.is_single()
                || names.constant(beside.distance).is_none()
            {
                continue;
            }
            let bounds = [extent.from, extent.to].map(|place| said_by(names, &back, place));
            let law: Option<Vec<TermId>> =
                extent.law.iter().map(|&conjunct| said_by(names, &back, conjunct)).collect();
            let ([Some(from), Some(to)], Some(law)) = (bounds, law) else { continue };
            let beside = Some(Beside { block: id, ..beside });
            let extent = Extent { from, to, beside, law, ..extent };
            let first = match is_vacuous_at_start(names, &extent) {
                true => names.terms.bit_vector(u128::from(extent.stride), names.pointer_bits()),
                false => from,
            };
            let is_empty = names.terms.unsigned_less_equal(to, first);
            if prove(reasoner, sides.0, is_empty) {
                add_new(general, id, vec![extent]);
            }
        }
    }
}

/// Whether an extent begins with the first element of an array and speaks of the one before each, which that has not.
pub(super) fn is_vacuous_at_start(names: &Names<'_>, extent: &Extent) -> bool {
    let bits = names.pointer_bits();
    let before = u128::from(extent.stride).wrapping_neg() & mask(bits);
    let distance = extent.beside.and_then(|beside| names.constant(beside.distance));
    names.constant(extent.from) == Some(0) && distance == Some(before)
}

/// What new extents say of neighbours behind the end of the known one for which they stand, by names of the new side.
fn beyond(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    pair: &ExtentMatch,
) -> Option<Extent> {
    let (block, index) = pair.known;
    let known = &sides.0.block(block).contents.extents[index];
    known.beside.filter(|beside| beside.block == block)?;
    let names = reasoner.names.terms.free_variables(&[known.to]);
    if !names.iter().all(|name| found.variables.contains_key(name)) {
        return None;
    }
    let from = reasoner.names.terms.substitute(known.to, &found.variables);
    let others = &sides.1.block(found.blocks[&block]).contents.extents;
    let last = &others[*pair.new.last()?];
    let distance = reasoner.names.terms.subtract(from, last.from);
    let goes_on = reasoner.names.terms.unsigned_less(from, last.to);
    let is_beyond =
        is_multiple(&reasoner.names, distance, last.stride) && prove(reasoner, sides.1, goes_on);
    is_beyond.then(|| Extent { from, ..last.clone() })
}

/// Adds extents that the block does not have: what several extents of the other side say is one.
fn add_new(general: &mut State, block: BlockId, extents: Vec<Extent>) {
    let known = &mut general.block_mut(block).contents.extents;
    for extent in extents {
        if !known.contains(&extent) {
            known.push(extent);
        }
    }
}

/// Whether an extent ends where a number is that was where it begins: what is known of one element before a loop
/// may be what is going to be known of all that the loop has passed.
fn grows_with_a_counter(names: &Names<'_>, extent: &Extent, counters: &[Joined]) -> bool {
    let index = |place: TermId| Some(names.constant(place)? / u128::from(extent.stride));
    let (Some(from), Some(to)) = (index(extent.from), index(extent.to)) else { return false };
    let is_at = |number: TermId, index: u128| names.constant(number) == Some(index);
    // Cursors count bytes.
    [1, u128::from(extent.stride)].into_iter().any(|step| {
        let is_so = |one: &Joined| is_at(one.known, from * step) && is_at(one.new, to * step);
        counters.iter().any(is_so)
    })
}

/// Where bounds come from.
struct Bounds<'j> {
    /// Numbers that have been joined before any bound.
    counters: &'j [Joined],
    /// All that have been, to which bounds are added.
    joined: &'j mut Vec<Joined>,
}

impl Bounds<'_> {
    /// Places that are one on the known side and the other on the new one, so many strides and some bytes from the start.
    fn between(
        &mut self,
        names: &mut Names<'_>,
        (known, new): (TermId, TermId),
        (stride, within): (u64, TermId),
        may_be_new: bool,
    ) -> Vec<TermId> {
        let [known, new] = [known, new].map(|place| names.terms.subtract(place, within));
        let indices = (index_at(names, known, stride), index_at(names, new, stride));
        let (Some(known), Some(new)) = indices else { return Vec::new() };
        let bits = names.pointer_bits();
        let mut values = places_by_counters(names, self.counters, (known, new));
        if values.is_empty() && may_be_new {
            let value = names.fresh("bound", bits);
            self.joined.push(Joined { value, known, new });
            values.push(value);
        }
        let places = values.into_iter().map(|value| {
            let place = times(names, value, stride);
            names.terms.add(place, within)
        });
        places.collect()
    }
}

/// How much more than a counter a bound may be: what a loop has passed begins behind the element at which it is, or that one's neighbour.
const NEAR: [i128; 4] = [0, 1, 2, -1];

/// What may be said by counters of a number that is the one on the known side and the other on the new one: it is a counter, or nearly.
fn places_by_counters(
    names: &mut Names<'_>,
    counters: &[Joined],
    (known, new): (TermId, TermId),
) -> Vec<TermId> {
    let bits = names.terms.width(known);
    let mut values = Vec::new();
    for more in NEAR {
        for counter in counters {
            let is_number =
                matches!(names.terms.sort(counter.value), Sort::BitVector(width) if width <= bits);
            if !is_number || values.len() >= MOST_COUNTERS {
                continue;
            }
            let counter = counter.extended(names, bits);
            let before = names.terms.subtract(known, counter.known);
            let after = names.terms.subtract(new, counter.new);
            let distance = names.terms.bit_vector(more.cast_unsigned(), bits);
            let value = names.terms.add(counter.value, before);
            if before == after && before == distance && !values.contains(&value) {
                values.push(value);
            }
        }
    }
    values
}

/// What is told by one counter alone of a number that is one of two on the known side and the other on the new one: where there are
/// several, it is left to laws.
pub(crate) fn near_a_counter(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    joined: &[Joined],
    pair: (TermId, TermId),
) -> Option<TermId> {
    let counters = plain_counters(reasoner, sides, joined);
    match places_by_counters(&mut reasoner.names, &counters, pair)[..] {
        [value] => Some(value),
        _ => None,
    }
}

/// Extents of the new side by names of the general state, with a bound that is the other one on the known side.
fn adopted(
    names: &mut Names<'_>,
    (sides, found): (Sides<'_>, &Match),
    (known, back): (&BTreeMap<TermId, TermId>, &BTreeMap<TermId, TermId>),
    extent: &Extent,
    mut bounds: Bounds<'_>,
) -> Vec<Extent> {
    let beside = match extent.beside {
        Some(beside) => match known_beside(names, (sides, found), beside) {
            Some(beside) => Some(beside),
            None => return Vec::new(),
        },
        None => None,
    };
    let law: Vec<TermId> =
        extent.law.iter().filter_map(|&conjunct| said_by(names, back, conjunct)).collect();
    if law.is_empty() {
        return Vec::new();
    }
    let Extent { stride, size, .. } = *extent;
    let mut extents = Vec::new();
    for (fixed, moving, is_from) in fixed_ends(names, extent) {
        let Some(said) = said_by(names, known, fixed) else { continue };
        // A member of a record does not begin where the record does.
        let within = names.constant(fixed).map_or(0, |told| told % u128::from(stride));
        let within = names.terms.bit_vector(within, names.pointer_bits());
        let empty = where_nothing_is_said(names, (said, extent), &bounds);
        // Of neighbours, what is told at both ends has mostly grown at its end.
        let may_be_new = is_from || names.constant(extent.from).is_none();
        let ends = (empty.unwrap_or(said), moving);
        for bound in bounds.between(names, ends, (stride, within), may_be_new) {
            let (from, to) = if is_from { (said, bound) } else { (bound, said) };
            extents.push(Extent { from, to, stride, size, beside, law: law.clone() });
        }
    }
    extents
}

/// The ends of an extent that may stay where they are, each with the other one, and whether it is where the extent begins.
fn fixed_ends(names: &mut Names<'_>, extent: &Extent) -> Vec<(TermId, TermId, bool)> {
    let Extent { from, to, stride, .. } = *extent;
    match (names.constant(from), names.constant(to)) {
        (Some(start), Some(_)) if extent.beside.is_some() => {
            // Nothing is said of the first element, which has none before it.
            let first = names.terms.bit_vector(start.max(u128::from(stride)), names.pointer_bits());
            vec![(from, to, true), (to, first, false)]
        }
        (Some(_), _) => vec![(from, to, true)],
        (None, Some(_)) => vec![(to, from, false)],
        // A loop that runs downwards leaves extents behind that end where it began.
        (None, None) => vec![(to, from, false), (from, to, true)],
    }
}

/// Where an extent may end on the known side though it is not empty there: the first element has none before it. It is where a counter
/// is.
fn where_nothing_is_said(
    names: &mut Names<'_>,
    (from, extent): (TermId, &Extent),
    bounds: &Bounds<'_>,
) -> Option<TermId> {
    if names.constant(from) != Some(0) || !is_vacuous_at_start(names, extent) {
        return None;
    }
    let bits = names.pointer_bits();
    let end = names.terms.bit_vector(u128::from(extent.stride), bits);
    let index = index_at(names, end, extent.stride)?;
    let begins = |counter: &Joined| {
        names.constant(counter.known).is_some()
            && names.constant(counter.known) == names.constant(index)
    };
    bounds.counters.iter().any(begins).then_some(end)
}

/// The element beside one, by blocks of the known side.
fn known_beside(
    names: &Names<'_>,
    (sides, found): (Sides<'_>, &Match),
    beside: Beside,
) -> Option<Beside> {
    let block = *found.back.get(&beside.block)?;
    let other = sides.0.block(block);
    if other.life != Life::Alive || !other.is_single() {
        return None;
    }
    names.constant(beside.distance)?;
    Some(Beside { block, ..beside })
}

/// A known extent whose law holds of some of the new extents that stand for it, but not of all: a loop that changes elements where they are
/// leaves a shorter one, which begins or ends at a counter.
fn shortened(
    reasoner: &mut Reasoner<'_>,
    (sides, found): (Sides<'_>, &Match),
    pair: &ExtentMatch,
    counters: &[Joined],
) -> Vec<Extent> {
    let (block, index) = pair.known;
    let extent = &sides.0.block(block).contents.extents[index];
    let others = &sides.1.block(found.blocks[&block]).contents.extents;
    let mut by_new_names = |term: TermId| reasoner.names.terms.substitute(term, &found.variables);
    let law: Vec<TermId> = extent.law.iter().map(|&conjunct| by_new_names(conjunct)).collect();
    let (from, to) = (by_new_names(extent.from), by_new_names(extent.to));
    let mut shorter = Vec::new();
    for &at in &pair.new {
        let other = &others[at];
        let obeys = law.iter().all(|conjunct| other.law.contains(conjunct));
        let moving = match (other.from == from, other.to == to) {
            (false, true) => other.from,
            (true, false) => other.to,
            (true, true) | (false, false) => continue,
        };
        if !obeys {
            continue;
        }
        let places = counters_at(reasoner, sides, extent, (moving, counters));
        shorter.extend(places.into_iter().map(|place| match moving == other.from {
            true => Extent { from: place, ..extent.clone() },
            false => Extent { to: place, ..extent.clone() },
        }));
    }
    shorter
}

/// Places of counters that are one place on the new side, and within a known extent on the other.
fn counters_at(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    extent: &Extent,
    (place, counters): (TermId, &[Joined]),
) -> Vec<TermId> {
    let bits = reasoner.names.pointer_bits();
    let mut places = Vec::new();
    for counter in counters.iter().take(MOST_TRIED) {
        if reasoner.names.terms.width(counter.value) > bits {
            continue;
        }
        let counter = counter.extended(&mut reasoner.names, bits);
        let [value, known, new] = [counter.value, counter.known, counter.new]
            .map(|number| times(&mut reasoner.names, number, extent.stride));
        let terms = &mut reasoner.names.terms;
        let is_it = terms.equal(new, place);
        let begins = terms.unsigned_less_equal(extent.from, known);
        let ends = terms.unsigned_less_equal(known, extent.to);
        let is_within = terms.and(begins, ends);
        if prove(reasoner, sides.1, is_it) && prove(reasoner, sides.0, is_within) {
            places.push(value);
        }
    }
    places
}
