//! Extents where states meet: laws that hold on both sides.

use std::collections::BTreeMap;

use heapwright_logic::{Term, TermId};

use crate::heap::block::{BlockId, End};
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::summary::extents::laws::{candidates_of, holds_throughout, is_surely_empty, shorten};
use crate::summary::matched::{Joined, Match, Sides};

/// Leaves of laws what holds on both sides, and adds what the new side says; where states are widened, no bounds by constants,
/// which could move forever.
pub(crate) fn join_extents(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    (joined, widens): (&[Joined], bool),
    general: &mut State,
) {
    let mut touched = Vec::new();
    for extent in &found.extents {
        let (block, index) = extent.known;
        let mut law = extent.law.clone();
        if !extent.new.is_empty() {
            let known = &sides.0.block(block).contents.extents[index];
            let all = &sides.1.block(found.blocks[&block]).contents.extents;
            let new: Vec<&Extent> = extent.new.iter().map(|&at| &all[at]).collect();
            law.extend(laws_of_both(reasoner, sides, found, (known, &new), widens));
            law.extend(bounds_by_joined(reasoner, sides, (known, &new), joined));
            law.sort_unstable();
            law.dedup();
        }
        let joined = &mut general.block_mut(block).contents.extents[index];
        joined.law = law;
        shorten(&mut reasoner.names, joined);
        touched.push(block);
    }
    for block in touched {
        general.block_mut(block).contents.extents.retain(|extent| !extent.law.is_empty());
    }
}

/// What may be said of a known extent and of the new ones that stand for it.
fn laws_of_both(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    (known, new): (&Extent, &[&Extent]),
    widens: bool,
) -> Vec<TermId> {
    let back = known_names(&reasoner.names, found);
    let mut candidates: Vec<TermId> =
        new.iter().flat_map(|extent| candidates_of(&mut reasoner.names, extent)).collect();
    // By names of the new side.
    for conjunct in candidates_of(&mut reasoner.names, known) {
        let outer = reasoner.names.outer_names_of_law(conjunct);
        if outer.is_empty() {
            candidates.push(conjunct);
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|conjunct| !widens || !is_constant_bound(&mut reasoner.names, *conjunct));
    let mut law = Vec::new();
    for conjunct in candidates {
        let Some(said) = said_by(&mut reasoner.names, &back, conjunct) else {
            continue;
        };
        let holds = new.iter().all(|extent| holds_throughout(reasoner, sides.1, extent, conjunct))
            && holds_throughout(reasoner, sides.0, known, said);
        if holds {
            law.push(said);
        }
    }
    law
}

/// Bounds of elements by numbers that have just become one.
fn bounds_by_joined(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (known, new): (&Extent, &[&Extent]),
    joined: &[Joined],
) -> Vec<TermId> {
    let here = reasoner.names.here(known.size);
    let mut law = Vec::new();
    for number in joined {
        if reasoner.names.terms.sort(number.value) != reasoner.names.terms.sort(here) {
            continue;
        }
        for is_below in [true, false] {
            let terms = &mut reasoner.names.terms;
            let [said, of_known, of_new] =
                [number.value, number.known, number.new].map(|number| match is_below {
                    true => terms.signed_less_equal(here, number),
                    false => terms.signed_less_equal(number, here),
                });
            if holds_throughout(reasoner, sides.0, known, of_known)
                && new.iter().all(|new| holds_throughout(reasoner, sides.1, new, of_new))
            {
                law.push(said);
            }
        }
    }
    law
}

/// Whether a conjunct says that an element is at most or at least a constant.
fn is_constant_bound(names: &mut Names<'_>, conjunct: TermId) -> bool {
    let place = names.place();
    let is_order = match names.terms.node(conjunct) {
        Term::Not(inner) => matches!(names.terms.node(inner), Term::Relation(..)),
        node => matches!(node, Term::Relation(..)),
    };
    is_order
        && names.outer_names_of_law(conjunct).is_empty()
        && !names.terms.free_variables(&[conjunct]).contains(&place)
}

/// From numbers of the new side to variables of the known one that stand for them.
pub(super) fn known_names(names: &Names<'_>, found: &Match) -> BTreeMap<TermId, TermId> {
    let mut back = BTreeMap::new();
    for (&a, &b) in &found.variables {
        if names.terms.as_variable(b).is_some() && !names.blocks_of_addresses.contains_key(&b) {
            back.entry(b).or_insert(a);
        }
    }
    back
}

/// A conjunct by other names, if all of its names have one.
pub(super) fn said_by(
    names: &mut Names<'_>,
    back: &BTreeMap<TermId, TermId>,
    conjunct: TermId,
) -> Option<TermId> {
    let outer = names.outer_names_of_law(conjunct);
    let is_said = outer.iter().all(|name| back.contains_key(name));
    is_said.then(|| names.terms.substitute(conjunct, back))
}

/// A bound that is the same as what numbers tell that variables hold.
fn told_bound(
    names: &mut Names<'_>,
    state: &State,
    bounds: &[TermId],
    held: &[TermId],
) -> Option<(TermId, TermId)> {
    for &conjunct in &state.condition {
        let Term::Equal(a, b) = names.terms.node(conjunct) else { continue };
        for (one, other) in [(a, b), (b, a)] {
            let free = names.terms.free_variables(&[other]);
            let (base, offset) = names.terms.split_offset(one);
            if let Some(bound) = base.filter(|base| bounds.contains(base))
                && free.iter().all(|name| held.contains(name))
                && (is_index(names, other) || !is_bound_of_row(names, state, bound))
            {
                let offset = names.terms.constant(offset);
                return Some((bound, names.terms.subtract(other, offset)));
            }
        }
    }
    None
}

/// Whether a term is a number of a variable, or so much more: rows are gone through one element after the other.
fn is_index(names: &mut Names<'_>, term: TermId) -> bool {
    let Some(base) = names.terms.split_offset(term).0 else { return true };
    match names.terms.node(base) {
        Term::Variable(_) => true,
        Term::SignExtend { term, .. } | Term::ZeroExtend { term, .. } => {
            let base = names.terms.split_offset(term).0;
            base.is_none_or(|base| names.terms.as_variable(base).is_some())
        }
        _ => false,
    }
}

fn is_bound_of_row(names: &Names<'_>, state: &State, bound: TermId) -> bool {
    let rows = state.blocks.values().filter_map(|block| block.row());
    let places: Vec<TermId> = rows.flat_map(|row| [row.from, row.to]).collect();
    names.terms.free_variables(&places).contains(&bound)
}

/// Says bounds by numbers that variables hold, where the state knows that they are the same. Extents with other bounds that have just
/// been joined go: these would move on, and who looks for such an extent does not find where it ends.
pub(crate) fn settle_bounds(names: &mut Names<'_>, state: &mut State, joined: &[Joined]) {
    let places: Vec<TermId> = state
        .blocks
        .values()
        .flat_map(|block| {
            let bounds = [End::From, End::To].into_iter().filter_map(|end| block.end(end));
            block.contents.places().chain(bounds).collect::<Vec<_>>()
        })
        .collect();
    if places.is_empty() {
        return;
    }
    let held = names.terms.free_variables(&state.held_by_members(names));
    let mut bounds = names.terms.free_variables(&places);
    bounds.retain(|bound| !held.contains(bound));
    // Of two bounds that are the same, one may be told by the other: ends because each round replaces one.
    while let Some((bound, term)) = told_bound(names, state, &bounds, &held) {
        names.replace(state, &BTreeMap::from([(bound, term)]));
        bounds.retain(|other| *other != bound);
    }
    let is_held = |names: &Names<'_>, extent: &Extent| {
        let bounds = names.terms.free_variables(&[extent.from, extent.to]);
        let moves = |name: &TermId| joined.iter().any(|number| number.value == *name);
        bounds.iter().all(|name| held.contains(name) || !moves(name))
    };
    let ids: Vec<BlockId> = state.blocks.keys().copied().collect();
    for id in ids {
        let mut extents: Vec<Extent> = Vec::new();
        for extent in &state.block(id).contents.extents {
            // Those of which the bounds were two names of one number are the same now.
            let is_kept = is_held(names, extent)
                && !is_surely_empty(names, state, extent)
                && !extents.contains(extent);
            if is_kept {
                extents.push(extent.clone());
            }
        }
        if extents.len() < state.block(id).contents.extents.len() {
            state.block_mut(id).contents.extents = extents;
        }
    }
}
