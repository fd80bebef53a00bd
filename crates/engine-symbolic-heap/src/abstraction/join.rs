//! Generalising: one state, or one prototype, that describes two of the same shape.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashMap;

use crate::abstraction::entail::{PrototypeJoin, covers_prototype, join_prototypes};
use crate::abstraction::normalise::project;
use crate::abstraction::numbers::join::{
    join_numbers, joined_number, keep_alternatives, weaken_condition,
};
use crate::heap::block::{BlockId, BlockKind, DefaultBytes, Prototype};
use crate::heap::language::{Added, MOST_PROTOTYPES};
use crate::heap::names::Names;
use crate::heap::prototype::Bank;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::range::range;
use crate::summary::cursors::{Counted, counted};
use crate::summary::domain::Domain;
use crate::summary::extents::adopt::{adopt_extents, adopt_where_empty, near_a_counter};
use crate::summary::extents::join::{join_extents, settle_bounds};
use crate::summary::matched::{Joined, Manner, Match, Sides, put};
use crate::summary::mismatch::Position;
use crate::summary::payload::{are_told_apart, policy};
use crate::summary::predicate::predicate_of;
use crate::summary::row::join::{adopt_row, has_loose_rows};
use crate::summary::spelling::join::join_spellings;
use crate::summary::zeros::{keep_zeros_inside, times};

/// A state that describes both: the known one, with variables where numbers differ and without
/// what the new path condition does not imply of `conjuncts`.
pub(crate) fn generalise(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &Match,
    conjuncts: &[TermId],
    manner: Manner,
) -> Option<State> {
    domain.reasoner.services.statistics.generalised += 1;
    let mut general = sides.0.clone();
    general.model = None;
    let mut joined = weaken_condition(domain.reasoner, sides, found, conjuncts, &mut general);
    join_values(domain.reasoner, (sides, found), &mut joined, &mut general);
    let names = &mut domain.reasoner.names;
    let numbers = (joined.as_slice(), &general);
    if manner.depth == 0 && (counters_begin(names, found) || numbers_begin(names, sides, numbers)) {
        adopt_extents(domain.reasoner, sides, found, &mut joined, &mut general);
    }
    if manner.depth == 0 {
        adopt_where_empty(domain.reasoner, sides, found, &mut general);
    }
    for &row in &found.adopted {
        adopt_row(domain, (sides, found), row, &mut joined, &mut general)?;
    }
    let widening = (manner.widens, domain.precision);
    join_numbers(domain.reasoner, sides, found, &joined, widening, &mut general);
    if manner.depth > 0 && !manner.widens {
        keep_alternatives(
            &mut domain.reasoner.names,
            sides,
            found,
            (&joined, domain.precision.keys),
            conjuncts,
            &mut general,
        );
    }
    forget_bytes(found, &mut general);
    let numbers = (joined.as_slice(), manner.widens);
    join_extents(domain.reasoner, sides, found, numbers, &mut general);
    for &chains in &found.looser {
        let summary = predicate_of(general.block(chains.known)).expect("it has prototypes");
        summary.join(domain, (sides, found), chains, manner, &mut general)?;
    }
    keep_zeros_inside(&mut domain.reasoner.names, &mut general);
    if manner.depth == 0 {
        settle_bounds(&mut domain.reasoner.names, &mut general, &joined);
        if has_loose_rows(&domain.reasoner.names, &general, &joined) {
            return None;
        }
        let names = &mut domain.reasoner.names;
        join_spellings(names, sides, (found, &joined), &mut general);
    }
    project(domain.reasoner, domain.precision, &mut general);
    Some(general)
}

/// Puts variables where numbers differ, the same for the same two.
fn join_values(
    reasoner: &mut Reasoner<'_>,
    (sides, found): (Sides<'_>, &Match),
    joined: &mut Vec<Joined>,
    general: &mut State,
) {
    let mut fresh: FxHashMap<(TermId, TermId), TermId> = FxHashMap::default();
    for &(position, a, b) in &found.differing {
        let names = &mut reasoner.names;
        // Of pointers into one block, the offsets differ.
        let (base, a, b) = match (names.pointer(a), names.pointer(b)) {
            (Some((block, a)), Some((_, b))) => {
                let Counted { known, new, step } = counted(names, found.relations, (a, b));
                (Some((block, step)), known, new)
            }
            (_, _) => (None, a, b),
        };
        let counter = match position {
            Position::Bound { .. } => near_a_counter(reasoner, sides, joined, (a, b)),
            Position::Global(_)
            | Position::Register(..)
            | Position::Held(_)
            | Position::Cell { .. }
            | Position::End { .. }
            | Position::Size { .. }
            | Position::Zero { .. }
            | Position::Place { .. }
            | Position::Result => None,
        };
        let names = &mut reasoner.names;
        // Numbers that are equal in both states stay equal.
        let value = counter.unwrap_or_else(|| {
            *fresh.entry((a, b)).or_insert_with(|| {
                let value = joined_number(names, a);
                joined.push(Joined { value, known: a, new: b });
                value
            })
        });
        let value = match base {
            Some((block, step)) => {
                let (base, place) = (names.address(block), times(names, value, step));
                names.terms.add(base, place)
            }
            None => match position {
                Position::Zero { step, .. }
                | Position::Bound { step, .. }
                | Position::Place { step, .. } => times(names, value, step),
                Position::Global(_)
                | Position::Register(..)
                | Position::Held(_)
                | Position::Cell { .. }
                | Position::End { .. }
                | Position::Size { .. }
                | Position::Result => value,
            },
        };
        put(general, position, value);
    }
}

/// Whether a variable has a constant on the known side that becomes a number. Once counters have none any more, no
/// extent begins.
fn counters_begin(names: &mut Names<'_>, found: &Match) -> bool {
    found.differing.iter().any(|&(position, known, _)| {
        let is_bound = matches!(position, Position::Bound { .. } | Position::Place { .. });
        let number = names.pointer(known).map_or(known, |(_, offset)| offset);
        !is_bound && names.constant(number).is_some()
    })
}

/// Whether a number has one value on the known side by the path condition, but several on the new side, or was told there by a number that
/// others are told by as well: a loop that runs up to it, or down from it, has passed nothing on the known side. Once it has several values
/// there, or a name of its own, no extent begins.
fn numbers_begin(
    names: &mut Names<'_>,
    (known, new): Sides<'_>,
    (joined, general): (&[Joined], &State),
) -> bool {
    let has_extents = new.blocks.values().any(|block| !block.contents.extents.is_empty());
    if !has_extents {
        return false;
    }
    let is_one = |names: &mut Names<'_>, state: &State, number: TermId| {
        let is_number = matches!(names.terms.sort(number), Sort::BitVector(_));
        is_number && {
            let range = range(names, state, number);
            range.low == range.high
        }
    };
    let begins =
        |number: &Joined| is_one(names, known, number.known) && !is_one(names, new, number.new);
    joined.iter().any(begins) || numbers_leave_others(names, joined, general)
}

/// Whether a number that has just been joined was one by which something else is told.
fn numbers_leave_others(names: &mut Names<'_>, joined: &[Joined], general: &State) -> bool {
    let mut told = general.held_by_members(names);
    told.extend(general.blocks.values().map(|block| block.size));
    let told = names.terms.free_variables(&told);
    joined.iter().filter(|number| number.value != number.known).any(|number| {
        let free = names.terms.free_variables(&[number.known]);
        free.iter().any(|name| told.contains(name))
    })
}

/// Forgets of bytes what is not known of them in the new state.
fn forget_bytes(found: &Match, general: &mut State) {
    for &(block, offset) in &found.forgotten {
        general.block_mut(block).cells.remove(&offset);
    }
    for &block in &found.unsettled {
        general.block_mut(block).rest = DefaultBytes::Uninitialised;
    }
    for &block in &found.unterminated {
        general.block_mut(block).zero = None;
    }
}

/// Adds a prototype of the new side to prototypes of the known side, if there is room; where it is now.
pub(crate) fn add_prototype(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &Match,
    prototypes: &mut Vec<Arc<Prototype>>,
    prototype: &Prototype,
    manner: Manner,
) -> Option<Added> {
    let mut general = None;
    for (index, known) in prototypes.iter().enumerate() {
        match join_prototypes(domain, sides, found, (known, prototype), manner) {
            PrototypeJoin::Covers(_) => return Some(Added { index, merged: None }),
            PrototypeJoin::General(prototype) if general.is_none() => {
                general = Some((index, prototype));
            }
            PrototypeJoin::General(_) | PrototypeJoin::Apart => {}
        }
    }
    if general.is_none() {
        let prototype =
            translated(&mut domain.reasoner.names, sides, found, prototype, manner.depth)?;
        general = cover_known_prototype(domain, sides.0, prototypes, &prototype, manner);
        if general.is_none() {
            let has_room = manner.shapes
                && prototypes.len() < MOST_PROTOTYPES
                && hold_the_same(&domain.reasoner.names, sides.0, prototypes, &prototype)
                && !are_told_apart(domain, prototypes, &prototype);
            return has_room.then(|| {
                prototypes.push(Arc::new(prototype));
                Added { index: prototypes.len() - 1, merged: None }
            });
        }
    }
    let (index, prototype) = general?;
    let prototype = Arc::new(prototype);
    match prototypes.iter().position(|known| *known == prototype) {
        Some(same) if same != index => {
            prototypes.remove(index);
            let same = if same > index { same - 1 } else { same };
            Some(Added { index: same, merged: Some(index) })
        }
        _ => {
            prototypes[index] = prototype;
            // A sequence knows prototypes by their places.
            if !policy(domain.precision).keeps_order() {
                prune_prototypes(domain, sides.0, prototypes, index, manner);
            }
            Some(Added { index, merged: None })
        }
    }
}

/// Removes prototypes that another one, which was generalised, has come to cover.
fn prune_prototypes(
    domain: &mut Domain<'_, '_>,
    state: &State,
    prototypes: &mut Vec<Arc<Prototype>>,
    general: usize,
    manner: Manner,
) {
    let found = Match::of_one_state();
    let general = Arc::clone(&prototypes[general]);
    prototypes.retain(|prototype| {
        let pair = (general.as_ref(), prototype.as_ref());
        Arc::ptr_eq(&general, prototype)
            || !covers_prototype(domain, state, &found, pair, manner.depth)
    });
}

/// A prototype that covers a known one and the new one, where the known one cannot be widened to:
/// it has one node where the new one has any number.
fn cover_known_prototype(
    domain: &mut Domain<'_, '_>,
    state: &State,
    prototypes: &[Arc<Prototype>],
    prototype: &Prototype,
    manner: Manner,
) -> Option<(usize, Prototype)> {
    let found = Match::of_one_state();
    let sides = (state, state);
    prototypes.iter().enumerate().find_map(|(index, known)| {
        match join_prototypes(domain, sides, &found, (prototype, known), manner) {
            PrototypeJoin::Covers(_) => Some((index, prototype.clone())),
            PrototypeJoin::General(general) => Some((index, general)),
            PrototypeJoin::Apart => None,
        }
    })
}

/// If some nodes hold a heap block that others do not, they are better kept apart: the block
/// would seem to be held from anywhere in the list. So are nodes that hold it in different cells:
/// where lists have levels, a node and one of a level below may both lead to the next node above.
fn hold_the_same(
    names: &Names<'_>,
    state: &State,
    prototypes: &[Arc<Prototype>],
    prototype: &Prototype,
) -> bool {
    let held_by_new = held_by_prototype(names, state, prototype);
    prototypes.iter().all(|known| held_by_prototype(names, state, known) == held_by_new)
}

/// The heap blocks of a state that nodes of a prototype hold; with the offset, where it is in the node
/// itself.
fn held_by_prototype(
    names: &Names<'_>,
    state: &State,
    prototype: &Prototype,
) -> BTreeSet<(Option<u64>, BlockId)> {
    let node = prototype.node();
    let of_node = node.cells.iter().map(|(&offset, cell)| (Some(offset), cell.value));
    let owned = prototype.blocks.values().skip(1);
    let of_owned = owned.flat_map(|block| block.all_values()).map(|value| (None, value));
    let mut held = BTreeSet::new();
    for (offset, value) in of_node.chain(of_owned) {
        for id in names.may_refer_to(&[value]) {
            if state.blocks.get(&id).is_some_and(|block| block.kind == BlockKind::Heap) {
                held.insert((offset, id));
            }
        }
    }
    held
}

/// A prototype of the new side by names of the known side. Numbers that have no name there become
/// the node's own.
fn translated(
    names: &mut Names<'_>,
    (known, new): Sides<'_>,
    found: &Match,
    prototype: &Prototype,
    depth: u32,
) -> Option<Prototype> {
    if found.is_one_state() && found.opened_blocks.is_empty() {
        return Some(prototype.clone());
    }
    let mut fragment = names.open_for_comparison(prototype, Bank::New, depth);
    fragment.condition.extend(new.condition.iter().copied());
    let mut terms = BTreeMap::new();
    for (&a, &b) in &found.variables {
        if names.terms.as_variable(b).is_some() && !names.blocks_of_addresses.contains_key(&b) {
            terms.entry(b).or_insert(a);
        }
    }
    for name in names.outer_names(prototype) {
        let Some(&block) = names.blocks_of_addresses.get(&name) else { continue };
        if found.is_one_state() && !found.opened_blocks.contains(&block) {
            continue;
        }
        let partner = *found.back.get(&block)?;
        let address = names.address(partner);
        terms.insert(name, address);
    }
    let its = names.neighbours_for_comparison(Bank::New, depth);
    let open = names.open_neighbours();
    terms.insert(its.next, open.next);
    terms.insert(its.previous, open.previous);
    let none = BTreeMap::new();
    for (_, block) in &mut fragment.blocks {
        *block = Arc::new(names.renamed_block(block, &none, &terms));
    }
    fragment.condition =
        fragment.condition.iter().map(|&c| names.terms.substitute(c, &terms)).collect();
    let outer = names.names_outside(known, &|_| false).into_iter().collect();
    Some(names.close(&fragment, &outer))
}
