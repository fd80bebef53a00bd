//! Coverage: whether one abstract state describes all that another does.
//!
//! The states are matched; then the new path condition must imply the known one, and every prototype of
//! node of a new segment must be covered by some prototype of the known segment in its place.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::abstraction::join::generalise;
use crate::abstraction::lend::{lacks_lists, lend};
use crate::abstraction::quick_reject::have_like_outlines;
use crate::heap::block::Prototype;
use crate::heap::names::Names;
use crate::heap::prototype::{Bank, Fragment};
use crate::heap::state::State;
use crate::precision::{Arguments, Counts, Empties, Precision};
use crate::summary::domain::Domain;
use crate::summary::extents::matching::match_extents;
use crate::summary::keys::differ_by_keys;
use crate::summary::matched::Manner;
use crate::summary::matched::{Match, Sides};
use crate::summary::matching::{
    implies, is_complete, known_conjuncts, match_pending, match_states, pair,
};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::payload::{differ_by_constants, excludes_a_constant};
use crate::summary::predicate::predicate_of;
use crate::summary::row::matching::match_elements;
use crate::summary::spelling::matching::are_spelt_alike;

/// Constants up to this one are counts of short loops.
pub(crate) const LARGEST_COUNT: u128 = 16;

/// The same where arrays of lists are walked through: which lists are empty makes no other shapes, so there is one for
/// each count.
const LARGEST_COUNT_OF_LISTS: u128 = 64;

/// The work of comparing two states that look alike at first sight.
const UNITS_OF_A_COMPARISON: u64 = 4;

/// How a known state relates to a new one.
pub(crate) enum Join {
    /// It covers the new one.
    Covers,
    /// The same shape: this describes both.
    General(Box<State>),
    Apart,
}

/// How a prototype relates to another.
pub(crate) enum PrototypeJoin {
    /// It covers the new one; this was learnt of names outside.
    Covers(Box<Match>),
    General(Prototype),
    Apart,
}

/// Relates a known state to a new one at the same place. `widens`: widen at once.
pub(crate) fn join(domain: &mut Domain<'_, '_>, known: &State, new: &State, widens: bool) -> Join {
    match join_one_way(domain, (known, new), widens) {
        // One node may be covered by a chain of any length, but cannot be widened to one.
        Join::Apart => match join_one_way(domain, (new, known), widens) {
            Join::Covers => Join::General(Box::new(new.clone())),
            Join::Apart => join_with_empty_lists(domain, (known, new), widens),
            related => related,
        },
        related => related,
    }
}

/// Relates two states of which one has lists where the other has null.
fn join_with_empty_lists(domain: &mut Domain<'_, '_>, sides: Sides<'_>, widens: bool) -> Join {
    match domain.precision.empties {
        Empties::Apart => {
            if !domain.learnt.has_many_empties() && lacks_lists(&mut domain.reasoner.names, sides) {
                domain.learnt.empties += 1;
            }
            Join::Apart
        }
        Empties::Joined => {
            let lent = lend(&mut domain.reasoner.names, sides);
            let Some((known, new)) = lent else { return Join::Apart };
            for (known, new) in [(&known, &new), (&new, &known)] {
                match join_one_way(domain, (known, new), widens) {
                    Join::Covers => return Join::General(Box::new(known.clone())),
                    Join::General(general) => return Join::General(general),
                    Join::Apart => {}
                }
            }
            Join::Apart
        }
    }
}

fn join_one_way(domain: &mut Domain<'_, '_>, sides: Sides<'_>, widens: bool) -> Join {
    let (known, new) = sides;
    let Ok(found) = compare(domain, sides) else { return Join::Apart };
    if found.is_exact() && implies(domain.reasoner, &known_conjuncts(known), new, &found) {
        return Join::Covers;
    }
    if differ_by_constants(domain, known, &found)
        || differ_by_counts(&domain.reasoner.names, domain.precision, (known, &found))
        || differ_by_keys(domain, sides, &found)
        || differ_by_results(&domain.reasoner.names, domain.precision, &found)
        || found.mixes_ends()
        || found.has_other_lengths
        || differ_by_places(&found)
    {
        return Join::Apart;
    }
    match generalise(
        domain,
        sides,
        &found,
        &known_conjuncts(known),
        Manner { depth: 0, widens, shapes: true },
    ) {
        Some(general) => {
            domain.reasoner.names.expect_well_formed(&general);
            Join::General(Box::new(general))
        }
        None => Join::Apart,
    }
}

/// Whether rows begin or end elsewhere, or only one side has them, though all else is the same: an element at which the program is has been looked at, or not yet.
fn differ_by_places(found: &Match) -> bool {
    let is_row = |position: &Position| matches!(position, Position::Place { .. });
    let is_place =
        |position: &Position| is_row(position) || matches!(position, Position::Bound { .. });
    let differ =
        !found.adopted.is_empty() || found.differing.iter().any(|(position, ..)| is_row(position));
    differ && found.differing.iter().all(|(position, ..)| is_place(position))
}

/// Whether a variable has different small constants on the two sides, which are told apart.
fn differ_by_counts(
    names: &Names<'_>,
    precision: &Precision,
    (known, found): (&State, &Match),
) -> bool {
    let largest = match precision.empties {
        Empties::Apart => LARGEST_COUNT,
        Empties::Joined => LARGEST_COUNT_OF_LISTS,
    };
    let is_small = |value| names.constant(value).is_some_and(|value| value <= largest);
    match precision.counts {
        Counts::Joined => false,
        Counts::Flags => found
            .differing
            .iter()
            .any(|&(position, a, b)| is_small(a) && is_small(b) && is_flag(names, known, position)),
        Counts::Apart => found.differing.iter().any(|&(position, known, new)| {
            matches!(position, Position::Register(..)) && is_small(known) && is_small(new)
        }),
    }
}

/// Whether a call returns the same number for all that it is given on one side only.
fn differ_by_results(names: &Names<'_>, precision: &Precision, found: &Match) -> bool {
    let is_constant = |value| names.constant(value).is_some();
    match precision.arguments {
        Arguments::Forgotten => false,
        Arguments::Held => found.differing.iter().any(|&(position, known, new)| {
            matches!(position, Position::Result) && is_constant(known) != is_constant(new)
        }),
    }
}

/// Whether a value is that of a variable which never gets anything but constants.
fn is_flag(names: &Names<'_>, known: &State, position: Position) -> bool {
    let Position::Register(frame, slot) = position else { return false };
    let variables = names.facts.variables_of(known.frames[frame].function);
    variables.iter().any(|&id| names.facts.slot(id) == slot && names.facts.flags[id])
}

/// Whether the known state describes all that the new one does, or why not.
pub(crate) fn entails(domain: &mut Domain<'_, '_>, known: &State, new: &State) -> Matched {
    let found = compare(domain, (known, new))?;
    if let Some(&(position, ..)) = found.differing.first() {
        return Err(Mismatch::Numbers(position));
    }
    if let Some(&(block, _)) = found.forgotten.first() {
        return Err(Mismatch::Arbitrary(block));
    }
    if let Some(&block) = found.unterminated.first().or(found.unsettled.first()) {
        return Err(Mismatch::Arbitrary(block));
    }
    if !found.adopted.is_empty() {
        return Err(Mismatch::LeftOver);
    }
    if let Some(extent) = found.extents.iter().find(|extent| !extent.is_whole) {
        return Err(Mismatch::Arbitrary(extent.known.0));
    }
    if let Some(chains) = found.looser.first() {
        return Err(Mismatch::Prototypes(chains.known, chains.new));
    }
    if found.has_other_spellings {
        return Err(Mismatch::Spellings);
    }
    if implies(domain.reasoner, &known_conjuncts(known), new, &found) {
        Ok(())
    } else {
        Err(Mismatch::Condition)
    }
}

fn compare(domain: &mut Domain<'_, '_>, sides: Sides<'_>) -> Result<Match, Mismatch> {
    have_like_outlines(&mut domain.reasoner.names, sides)?;
    domain.reasoner.services.deadline.spend(UNITS_OF_A_COMPARISON);
    let mut found = match_states(&mut domain.reasoner.names, sides, domain.precision.relations)?;
    match_elements(domain.reasoner, sides, &mut found)?;
    compare_segments(domain, sides, &mut found, 0)?;
    if !is_complete(sides, &found) {
        return Err(Mismatch::LeftOver);
    }
    match_extents(domain.reasoner, sides, &mut found);
    found.has_other_spellings = !are_spelt_alike(domain.reasoner, sides, &mut found);
    Ok(found)
}

/// Compares the prototypes of all segments and trees that were matched.
fn compare_segments(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    depth: u32,
) -> Matched {
    // Comparing prototypes may match more blocks, and more segments with them.
    while let Some(chains) = found.segments.pop() {
        let summary = predicate_of(sides.0.block(chains.known)).expect("it has prototypes");
        let is_covered = summary.entails(domain, sides, found, chains, depth)?;
        if !is_covered {
            found.looser.push(chains);
        }
        match_pending(&mut domain.reasoner.names, sides, found)?;
    }
    Ok(())
}

pub(crate) fn is_prototype_covered(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    known: &[Arc<Prototype>],
    new: &Prototype,
    depth: u32,
) -> bool {
    if known.iter().any(|known| is_same_prototype(&domain.reasoner.names, found, known, new)) {
        return true;
    }
    for known in known {
        if let PrototypeJoin::Covers(inner) =
            join_prototypes_at(domain, sides, found, (known, new), depth, None)
        {
            found.learn(&inner);
            return true;
        }
    }
    false
}

/// Whether a prototype of a state covers another one of it.
pub(crate) fn covers_prototype(
    domain: &mut Domain<'_, '_>,
    state: &State,
    found: &Match,
    prototypes: (&Prototype, &Prototype),
    depth: u32,
) -> bool {
    let relation = join_prototypes_at(domain, (state, state), found, prototypes, depth, None);
    matches!(relation, PrototypeJoin::Covers(_))
}

/// Whether two prototypes are the same by their form alone.
fn is_same_prototype(names: &Names<'_>, found: &Match, known: &Prototype, new: &Prototype) -> bool {
    known == new && (found.is_one_state() || names.outer_names(known).is_empty())
}

/// Relates a known prototype to a new one, and generalises it in some manner.
pub(crate) fn join_prototypes(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &Match,
    prototypes: (&Prototype, &Prototype),
    manner: Manner,
) -> PrototypeJoin {
    join_prototypes_at(domain, sides, found, prototypes, manner.depth, Some(manner))
}

fn join_prototypes_at(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &Match,
    (known_prototype, new_prototype): (&Prototype, &Prototype),
    depth: u32,
    manner: Option<Manner>,
) -> PrototypeJoin {
    if is_same_prototype(&domain.reasoner.names, found, known_prototype, new_prototype) {
        return PrototypeJoin::Covers(Box::new(found.inner()));
    }
    if known_prototype.links != new_prototype.links {
        return PrototypeJoin::Apart;
    }
    let a = domain.reasoner.names.open_for_comparison(known_prototype, Bank::Known, depth);
    let b = domain.reasoner.names.open_for_comparison(new_prototype, Bank::New, depth);
    domain.reasoner.services.deadline.spend((a.blocks.len() + b.blocks.len()) as u64);
    let known = sides.0.with_fragment(&a);
    let new = sides.1.with_fragment(&b);
    let inner_sides = (&known, &new);
    let mut inner = found.inner();
    let own = numbers_of(&domain.reasoner.names, known_prototype, &a);
    let own_of_new = numbers_of(&domain.reasoner.names, new_prototype, &b);
    inner.levels.extend(own.iter().chain(&own_of_new).map(|&number| (number, depth + 1)));
    inner.opened.extend(own);
    inner.opened_blocks.extend(a.blocks.iter().chain(&b.blocks).map(|(id, _)| *id));
    let its = domain.reasoner.names.neighbours_for_comparison(Bank::Known, depth);
    let of_new = domain.reasoner.names.neighbours_for_comparison(Bank::New, depth);
    inner.variables.insert(its.next, of_new.next);
    inner.variables.insert(its.previous, of_new.previous);
    let Ok(()) = match_fragments(domain, inner_sides, &mut inner, (&a, &b), depth) else {
        return PrototypeJoin::Apart;
    };
    if inner.is_exact() && implies(domain.reasoner, &a.condition, &new, &inner) {
        return PrototypeJoin::Covers(Box::new(inner));
    }
    let Some(manner) = manner else { return PrototypeJoin::Apart };
    if differ_by_constants(domain, &known, &inner)
        || excludes_a_constant(domain, &a.condition, &new, &inner)
        || inner.mixes_ends()
    {
        return PrototypeJoin::Apart;
    }
    let general = generalise(domain, inner_sides, &inner, &a.condition, manner.deeper());
    let Some(general) = general else {
        return PrototypeJoin::Apart;
    };
    let blocks = a.blocks.iter().map(|(id, _)| (*id, Arc::clone(general.block(*id)))).collect();
    let condition = general.condition.iter().copied().collect();
    let outer = domain.reasoner.names.names_outside(sides.0, &|_| false).into_iter().collect();
    let open = domain.reasoner.names.open_neighbours();
    let fragment = Fragment { blocks, condition, links: a.links };
    let fragment = domain.reasoner.names.with_neighbours(&fragment, its, open);
    let prototype = domain.reasoner.names.close(&fragment, &outer);
    PrototypeJoin::General(prototype)
}

/// The names that an opened prototype's own numbers got.
fn numbers_of(names: &Names<'_>, prototype: &Prototype, opened: &Fragment) -> Vec<TermId> {
    let outer = names.outer_names(prototype);
    let mut terms = opened.condition.clone();
    for (_, block) in &opened.blocks {
        terms.extend(block.all_terms());
    }
    let mut numbers = names.terms.free_variables(&terms);
    numbers.retain(|name| {
        !outer.contains(name)
            && !names.stand_ins.contains(name)
            && !names.blocks_of_addresses.contains_key(name)
    });
    numbers
}

fn match_fragments(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    (a, b): (&Fragment, &Fragment),
    depth: u32,
) -> Matched {
    pair(sides, found, a.blocks[0].0, b.blocks[0].0)?;
    match_pending(&mut domain.reasoner.names, sides, found)?;
    compare_segments(domain, sides, found, depth + 1)?;
    let all_known = a.blocks.iter().all(|(id, _)| found.has_known(*id));
    let all_new = b.blocks.iter().all(|(id, _)| found.has_new(*id));
    if all_known && all_new { Ok(()) } else { Err(Mismatch::LeftOver) }
}
