//! Extents of two states: which stands for which, and what of its law holds there.

use heapwright_logic::TermId;

use crate::heap::block::BlockId;
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove, step_behind};
use crate::summary::extents::adopt::is_vacuous_at_start;
use crate::summary::extents::laws::holds_throughout;
use crate::summary::matched::{ExtentMatch, Match, Sides};
use crate::summary::matching::match_terms;
use crate::summary::mismatch::{Position, Side};
use crate::summary::zeros::index_at;

/// Compares the extents of all blocks that are matched. Bounds that differ are noted as numbers.
pub(crate) fn match_extents(reasoner: &mut Reasoner<'_>, sides: Sides<'_>, found: &mut Match) {
    if found.is_one_state() {
        return;
    }
    let mut pairs = Vec::new();
    for (&id, block) in &sides.0.blocks {
        let Some(&other) = found.blocks.get(&id).filter(|_| !block.contents.extents.is_empty())
        else {
            continue;
        };
        let new = &sides.1.block(other).contents.extents;
        let mut taken = vec![false; new.len()];
        for (index, extent) in block.contents.extents.iter().enumerate() {
            if let Some(chain) = chain_within(reasoner, sides, extent, new, found) {
                pairs.push(((id, index), chain, true));
                continue;
            }
            let partner = match extent.is_beside(id) {
                true => neighbours(&mut reasoner.names, extent, new, (&mut taken, found)),
                false => partner(&mut reasoner.names, extent, new, (&mut taken, found)),
            };
            let bounds = partner.map(|at| (new[at].from, new[at].to));
            let is_bounded = match_bounds(reasoner, sides, (id, index), bounds, found);
            pairs.push(((id, index), partner.into_iter().collect(), is_bounded));
        }
    }
    // Names of bounds are matched by now.
    for (known, partners, is_bounded) in pairs {
        let extent = &sides.0.block(known.0).contents.extents[known.1];
        let others = &sides.1.block(found.blocks[&known.0]).contents.extents;
        let mut law = if is_bounded { extent.law.clone() } else { Vec::new() };
        for &at in &partners {
            law.retain(|&conjunct| is_law_of(reasoner, sides, found, &others[at], conjunct));
        }
        let is_whole = law.len() == extent.law.len();
        found.extents.push(ExtentMatch { known, new: partners, law, is_whole });
    }
}

/// New extents side by side that reach from where a known one begins to where it ends, or further, if the names of its bounds are matched.
fn chain_within(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    extent: &Extent,
    new: &[Extent],
    found: &Match,
) -> Option<Vec<usize>> {
    let names = reasoner.names.terms.free_variables(&[extent.from, extent.to]);
    if !names.iter().all(|name| found.variables.contains_key(name)) {
        return None;
    }
    let [mut from, to] =
        [extent.from, extent.to].map(|at| reasoner.names.terms.substitute(at, &found.variables));
    let (mut chain, start) = (Vec::new(), from);
    // A bound that is told may be one that is about to move with a counter.
    let is_told = reasoner.names.constant(extent.to).is_some();
    if is_vacuous_at_start(&reasoner.names, extent) {
        let first = step_behind(&mut reasoner.names, from, extent.stride);
        if is_at_end(reasoner, sides.1, (first, to), is_told) {
            return Some(chain);
        }
    }
    // Ends because no extent comes twice.
    while !is_at_end(reasoner, sides.1, (from, to), is_told) {
        let fits: Vec<usize> = (0..new.len())
            .filter(|at| {
                !chain.contains(at)
                    && extent.is_like(&new[*at])
                    && are_beside_the_same(extent, &new[*at], found)
                    && is_step(&mut reasoner.names, (start, new[*at].from), extent.stride)
            })
            .collect();
        let beside = fits.iter().find(|at| is_one_place(reasoner, sides.1, new[**at].from, from));
        let Some(&next) = beside else {
            // Of neighbours, it is known by now where they begin.
            let ends = |reasoner: &mut Reasoner<'_>, at: usize| {
                !is_told
                    || extent.beside.is_some() && is_one_place(reasoner, sides.1, new[at].to, to)
            };
            let mut is_last = |at: &&usize| {
                ends(reasoner, **at) && spans(reasoner, sides.1, &new[**at], (from, to))
            };
            let last = fits.iter().find(|at| is_last(at))?;
            chain.push(*last);
            return Some(chain);
        };
        chain.push(next);
        from = new[next].to;
    }
    Some(chain)
}

/// Whether a place has come to where an extent ends, or beyond.
fn is_at_end(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (place, end): (TermId, TermId),
    exactly: bool,
) -> bool {
    if exactly {
        return is_one_place(reasoner, state, place, end);
    }
    let is_at_end = reasoner.names.terms.unsigned_less_equal(end, place);
    prove(reasoner, state, is_at_end)
}

/// Whether an extent has all places from one on and before another: a stack that has become smaller obeys as it did.
fn spans(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    (from, to): (TermId, TermId),
) -> bool {
    let terms = &mut reasoner.names.terms;
    let begins = terms.unsigned_less_equal(extent.from, from);
    let ends = terms.unsigned_less_equal(to, extent.to);
    let spans = terms.and(begins, ends);
    prove(reasoner, state, spans)
}

/// Whether a place is one of those that are counted from another, by its form.
fn is_step(names: &mut Names<'_>, (start, place): (TermId, TermId), stride: u64) -> bool {
    let distance = names.terms.subtract(place, start);
    is_multiple(names, distance, stride)
}

fn is_one_place(reasoner: &mut Reasoner<'_>, state: &State, one: TermId, other: TermId) -> bool {
    let is_one = reasoner.names.terms.equal(one, other);
    prove(reasoner, state, is_one)
}

/// The new extent that may stand for a known one: one with the same law first.
fn partner(
    names: &mut Names<'_>,
    extent: &Extent,
    new: &[Extent],
    (taken, found): (&mut [bool], &Match),
) -> Option<usize> {
    let law: Vec<TermId> =
        extent.law.iter().map(|&one| names.terms.substitute(one, &found.variables)).collect();
    for is_strict in [true, false] {
        let fits = |(at, other): &(usize, &Extent)| {
            !taken[*at]
                && extent.is_like(other)
                && are_beside_the_same(extent, other, found)
                && (!is_strict || law.iter().all(|one| other.law.contains(one)))
        };
        if let Some((at, _)) = new.iter().enumerate().find(fits) {
            taken[at] = true;
            return Some(at);
        }
    }
    None
}

/// The same of neighbours in one array: one that begins or ends where the known one does.
fn neighbours(
    names: &mut Names<'_>,
    extent: &Extent,
    new: &[Extent],
    (taken, found): (&mut [bool], &Match),
) -> Option<usize> {
    let [from, to] =
        [extent.from, extent.to].map(|at| names.terms.substitute(at, &found.variables));
    let fits = |(at, other): &(usize, &Extent)| {
        !taken[*at]
            && extent.is_like(other)
            && are_beside_the_same(extent, other, found)
            && (other.from == from || other.to == to)
    };
    let (at, _) = new.iter().enumerate().find(fits)?;
    taken[at] = true;
    Some(at)
}

fn are_beside_the_same(known: &Extent, new: &Extent, found: &Match) -> bool {
    match (known.beside, new.beside) {
        (Some(a), Some(b)) => {
            // Distances are constants.
            found.blocks.get(&a.block) == Some(&b.block) && a.distance == b.distance
        }
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Matches the bounds of an extent with those of its partner, or with an empty one. Says whether there is one.
fn match_bounds(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (block, extent): (BlockId, usize),
    partner: Option<(TermId, TermId)>,
    found: &mut Match,
) -> bool {
    let known = &sides.0.block(block).contents.extents[extent];
    let empty = match known.is_beside(block) {
        true => place_of_new(&mut reasoner.names, [known.from, known.to], found),
        false => None,
    };
    let constant = |place: TermId| reasoner.names.constant(place).map(|_| place);
    let constant = constant(known.from).or_else(|| constant(known.to));
    let (from, to) = match (partner, empty.or(constant)) {
        (Some(bounds), _) => bounds,
        (None, Some(place)) => (place, place),
        (None, None) => return false,
    };
    for (side, a, b) in [(Side::From, known.from, from), (Side::To, known.to, to)] {
        let stride = known.stride;
        let indices =
            (index_at(&mut reasoner.names, a, stride), index_at(&mut reasoner.names, b, stride));
        let (a, b, step) = match indices {
            (Some(a), Some(b)) => (a, b, stride),
            (_, _) => (a, b, 1),
        };
        if !is_matched(reasoner, sides, (a, b), found) {
            found.differing.push((Position::Bound { block, extent, side, step }, a, b));
        }
    }
    true
}

/// The first of two known places that is told by numbers which are matched, by names of the new side.
fn place_of_new(names: &mut Names<'_>, places: [TermId; 2], found: &Match) -> Option<TermId> {
    places.into_iter().find_map(|place| {
        let free = names.terms.free_variables(&[place]);
        let is_matched = free.iter().all(|name| found.variables.contains_key(name));
        (!free.is_empty() && is_matched).then(|| names.terms.substitute(place, &found.variables))
    })
}

/// Whether a known number stands for a new one, by its form or by what follows on the new side.
fn is_matched(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (a, b): (TermId, TermId),
    found: &mut Match,
) -> bool {
    let names = reasoner.names.terms.free_variables(&[a]);
    if names.iter().all(|name| found.variables.contains_key(name)) {
        let meant = reasoner.names.terms.substitute(a, &found.variables);
        let is_it = reasoner.names.terms.equal(meant, b);
        return prove(reasoner, sides.1, is_it);
    }
    match_terms(&mut reasoner.names, (a, b), found)
}

/// Whether a conjunct of a known law holds of all elements of a new extent.
fn is_law_of(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    new: &Extent,
    conjunct: TermId,
) -> bool {
    let names = reasoner.names.outer_names_of_law(conjunct);
    if !names.iter().all(|name| found.variables.contains_key(name)) {
        return false;
    }
    let wanted = reasoner.names.terms.substitute(conjunct, &found.variables);
    holds_throughout(reasoner, sides.1, new, wanted)
}
