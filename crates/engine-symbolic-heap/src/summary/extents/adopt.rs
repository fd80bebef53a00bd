//! Extents that only one of two states has where these meet: on the other side they are empty, and a bound moves with a counter.
//!
//! A bound that is a counter's number on both sides is that counter. Where there are several such counters, there is an extent for each: the
//! next round shows which it was. Where there is none, the bound is a number of its own, of which laws tell what it is.

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, Life};
use crate::heap::contents::{Beside, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
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
    let counters = joined.clone();
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
    for pair in found.extents.iter().filter(|pair| !pair.is_whole) {
        let shorter = shortened(reasoner, (sides, found), pair, &counters);
        add_new(general, pair.known.0, shorter);
    }
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
    ) -> Vec<TermId> {
        let [known, new] = [known, new].map(|place| names.terms.subtract(place, within));
        let indices = (index_at(names, known, stride), index_at(names, new, stride));
        let (Some(known), Some(new)) = indices else { return Vec::new() };
        let bits = names.pointer_bits();
        let mut values = Vec::new();
        for counter in self.counters {
            if names.terms.width(counter.value) > bits || values.len() >= MOST_COUNTERS {
                continue;
            }
            let counter = counter.extended(names, bits);
            if counter.known == known && counter.new == new && !values.contains(&counter.value) {
                values.push(counter.value);
            }
        }
        if values.is_empty() {
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
    let ends = match (names.constant(extent.from), names.constant(extent.to)) {
        (Some(_), _) => vec![(extent.from, extent.to, true)],
        (None, Some(_)) => vec![(extent.to, extent.from, false)],
        // A loop that runs downwards leaves extents behind that end where it began.
        (None, None) => vec![(extent.to, extent.from, false), (extent.from, extent.to, true)],
    };
    let mut extents = Vec::new();
    for (fixed, moving, is_from) in ends {
        let Some(said) = said_by(names, known, fixed) else { continue };
        // A member of a record does not begin where the record does.
        let within = names.constant(fixed).map_or(0, |told| told % u128::from(stride));
        let within = names.terms.bit_vector(within, names.pointer_bits());
        for bound in bounds.between(names, (said, moving), (stride, within)) {
            let (from, to) = if is_from { (said, bound) } else { (bound, said) };
            extents.push(Extent { from, to, stride, size, beside, law: law.clone() });
        }
    }
    extents
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
