//! Matching two states: which block and which value of one stands where in the other.
//!
//! The walk goes block by block from the variables on. A variable of the known state stands for
//! whatever the new one has in its place. Numbers that cannot be matched are noted, and so are
//! segments whose nodes may be of more prototypes; any other difference is a difference of shape.

use std::sync::Arc;

use heapwright_logic::{Sort, Term, TermId};

use crate::heap::block::{Block, BlockId, End, Field};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::names::Names;
use crate::heap::prototype::level;
use crate::heap::state::State;
use crate::precision::Relations;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::summary::arrays::{are_places_of_arrays, match_arrays};
use crate::summary::cursors::match_counted;
use crate::summary::list::empty::{match_null, may_be_null};
use crate::summary::list::facts::fact_of;
use crate::summary::list::links::Links;
use crate::summary::matched::{Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::predicate::predicate_of;
use crate::summary::zeros::match_zeros;

/// Matches two states at the same place; the prototypes of segments are still to be compared.
pub(crate) fn match_states(
    names: &mut Names<'_>,
    (known, new): Sides<'_>,
    relations: Relations,
) -> Result<Match, Mismatch> {
    if known.frames.len() != new.frames.len() {
        return Err(Mismatch::Stacks);
    }
    let sides = (known, new);
    let mut found = Match { relations, ..Match::default() };
    let functions = known.function_blocks.iter().zip(new.function_blocks.iter());
    let objects = known.static_blocks.iter().zip(new.static_blocks.iter());
    for (a, b) in functions.chain(objects) {
        if let (Some(a), Some(b)) = (a, b) {
            pair(sides, &mut found, *a, *b)?;
        }
    }
    match_slots(names, sides, (&known.globals, &new.globals), Position::Global, &mut found)?;
    match_outside(names, sides, &mut found)?;
    for (index, (a, b)) in known.frames.iter().zip(new.frames.iter()).enumerate() {
        if a.function != b.function
            || a.location != b.location
            || a.target != b.target
            || a.allocas.len() != b.allocas.len()
            || !a.objects.keys().eq(b.objects.keys())
        {
            return Err(Mismatch::Stacks);
        }
        let position = |slot| Position::Register(index, slot);
        match_slots(names, sides, (&a.registers, &b.registers), position, &mut found)?;
        for (x, y) in a.objects.values().zip(b.objects.values()) {
            pair(sides, &mut found, *x, *y)?;
        }
        for (x, y) in a.allocas.iter().zip(b.allocas.iter()) {
            pair(sides, &mut found, *x, *y)?;
        }
    }
    match_pending(names, sides, &mut found)?;
    Ok(found)
}

/// Whether no block of either state was left over: it would be forgotten, or made up.
pub(crate) fn is_complete((known, new): Sides<'_>, found: &Match) -> bool {
    new.blocks.keys().all(|&block| found.has_new(block))
        && known.blocks.keys().all(|&block| found.has_known(block))
}

pub(crate) fn match_pending(names: &mut Names<'_>, sides: Sides<'_>, found: &mut Match) -> Matched {
    while let Some((a, b)) = found.pending.pop() {
        match_blocks(names, sides, (a, b), found)?;
    }
    Ok(())
}

pub(crate) fn pair((known, new): Sides<'_>, found: &mut Match, a: BlockId, b: BlockId) -> Matched {
    // What each node has for itself is never what others hold as well, be it other nodes of
    // the same inner list.
    let is_own = found.opened_blocks.contains(&a);
    if is_own != found.opened_blocks.contains(&b) || level(a) != level(b) {
        return Err(Mismatch::Owners(a, b));
    }
    if found.one_state && !is_own {
        return if a == b { Ok(()) } else { Err(Mismatch::Partners(a, b)) };
    }
    match (found.blocks.get(&a), found.back.get(&b)) {
        _ if found.empty.contains(&a) => Err(Mismatch::Partners(a, b)),
        (Some(&partner), _) if partner == b => Ok(()),
        (None, None) => {
            found.blocks.insert(a, b);
            found.back.insert(b, a);
            found.pending.push((a, b));
            Ok(())
        }
        // A single node is the first and the last of what stands for it.
        (None, Some(&other))
            if known.blocks.get(&a).is_some_and(|a| a.partner() == Some(other))
                && new.blocks.get(&b).is_some_and(|b| b.is_single()) =>
        {
            found.blocks.insert(a, b);
            found.pending.push((a, b));
            Ok(())
        }
        (_, _) => Err(Mismatch::Partners(a, b)),
    }
}

fn match_slots(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (known, new): (&[Option<TermId>], &[Option<TermId>]),
    position: impl Fn(usize) -> Position,
    found: &mut Match,
) -> Matched {
    for (slot, (a, b)) in known.iter().zip(new).enumerate() {
        match (a, b) {
            (Some(a), Some(b)) => {
                match_values(names, sides, position(slot), (*a, *b), found)?;
            }
            // Nothing is known of a value that is not there.
            (None, _) => {}
            (Some(_), None) => return Err(Mismatch::Unset(position(slot))),
        }
    }
    Ok(())
}

/// What callers hold whose frames are cut off.
fn match_outside(names: &mut Names<'_>, sides: Sides<'_>, found: &mut Match) -> Matched {
    let (a, b) = match (&sides.0.outside, &sides.1.outside) {
        (Some(a), Some(b)) => (Arc::clone(a), Arc::clone(b)),
        (None, None) => return Ok(()),
        (Some(_), None) | (None, Some(_)) => return Err(Mismatch::Callers),
    };
    if a.function != b.function || a.held.len() != b.held.len() {
        return Err(Mismatch::Callers);
    }
    for (index, (&x, &y)) in a.held.iter().zip(&b.held).enumerate() {
        match_values(names, sides, Position::Held(index), (x, y), found)?;
    }
    match_slots(names, sides, (&[a.result], &[b.result]), |_| Position::Result, found)
}

fn match_blocks(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (BlockId, BlockId),
    found: &mut Match,
) -> Matched {
    let (known, new) = sides;
    let (Some(x), Some(y)) = (known.blocks.get(&a), new.blocks.get(&b)) else {
        return Err(Mismatch::Roles(a, b));
    };
    let (x, y) = (Arc::clone(x), Arc::clone(y));
    if x.kind != y.kind || x.life != y.life || !match_arrays(names, (a, &x, &y), found) {
        return Err(Mismatch::Forms(a, b));
    }
    if let Some(first) = x.peer_of() {
        let other = y.peer_of().or_else(|| y.is_single().then_some(b));
        return pair(sides, found, first, other.ok_or(Mismatch::Roles(a, b))?);
    }
    if !y.is_single() && !y.has_role_of(&x) {
        return Err(Mismatch::Roles(a, b));
    }
    match predicate_of(&x) {
        Some(summary) => summary.match_blocks(names, sides, (a, b), found),
        None => match_cells(names, sides, (a, &x, &y), found),
    }
}

/// Whether two values look like a match at first sight.
pub(crate) fn may_match(
    names: &mut Names<'_>,
    found: &Match,
    (known, new): (TermId, TermId),
) -> bool {
    match (names.pointer(known), names.pointer(new)) {
        (Some((a, _)), Some((b, _))) => match (found.partner(a), found.back.get(&b)) {
            (Some(partner), _) => partner == b,
            (None, other) => other.is_none(),
        },
        (None, None) => names.terms.is_constant(known) == names.terms.is_constant(new),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The ends of a segment, and those of the new side's segment or single node.
pub(crate) fn match_ends(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (id, x, y): (BlockId, &Block, &Block),
    links: Option<(BlockId, Links)>,
    found: &mut Match,
) -> Matched {
    let fact = |end: End| fact_of(end).zip(x.segment());
    let is_unsaid = |names: &Names<'_>, end: End| {
        fact(end).is_some_and(|(fact, segment)| !fact.can_be_said_of(names, segment, y))
    };
    // Where the new side is a segment too, the fact is given up later.
    if links.is_some() && x.ends().any(|(end, _)| is_unsaid(names, end)) {
        return Err(Mismatch::Order(id));
    }
    for (end, known) in x.ends() {
        if is_unsaid(names, end) {
            continue;
        }
        let other = match (links, fact(end)) {
            (None, _) => y.end(end),
            (Some(_), Some((fact, segment))) => fact.end_of_node(names, segment, y),
            (Some((at, links)), None) if end == End::Next => {
                sides.1.block(at).field(Field::Cell(links.next))
            }
            (Some((_, links)), None) => {
                links.previous.and_then(|previous| y.field(Field::Cell(previous)))
            }
        };
        let position = Position::End { block: id, end };
        let other = other.ok_or(Mismatch::Unset(position))?;
        match_values(names, sides, position, (known, other), found)?;
    }
    Ok(())
}

fn match_cells(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (id, x, y): (BlockId, &Block, &Block),
    found: &mut Match,
) -> Matched {
    match_zeros(names, (id, x, y), found);
    for (&offset, a) in &x.cells {
        let position = Position::Cell { block: id, offset, size: a.size };
        match y.cells.get(&offset) {
            Some(b) if a.size == b.size => {
                match_values(names, sides, position, (a.value, b.value), found)?;
            }
            _ if y.has_cells_in(offset, a.size) => return Err(Mismatch::Bytes(position)),
            _ => match names.default_value(y, offset, a.size) {
                Some(b) => match_values(names, sides, position, (a.value, b), found)?,
                None if !names.holds_address(a.value) => found.forgotten.push((id, offset)),
                None => return Err(Mismatch::Bytes(position)),
            },
        }
    }
    for (&offset, b) in y.cells.iter().filter(|(offset, _)| !x.cells.contains_key(*offset)) {
        let position = Position::Cell { block: id, offset, size: b.size };
        if x.has_cells_in(offset, b.size) {
            return Err(Mismatch::Bytes(position));
        }
        match names.default_value(x, offset, b.size) {
            Some(a) => match_values(names, sides, position, (a, b.value), found)?,
            // What the known block never read is arbitrary there: any number is covered.
            None if !names.holds_address(b.value) => {}
            None => return Err(Mismatch::Bytes(position)),
        }
    }
    Ok(())
}

pub(crate) fn match_values(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    position: Position,
    (a, b): (TermId, TermId),
    found: &mut Match,
) -> Matched {
    if names.terms.sort(a) != names.terms.sort(b) {
        return Err(Mismatch::Values(position));
    }
    if let Sort::BitVector(_) = names.terms.sort(a) {
        match (names.pointer(a), names.pointer(b)) {
            (Some((block, offset)), Some((other, other_offset))) => {
                pair(sides, found, block, other)?;
                let offsets = (offset, other_offset);
                if match_terms(names, offsets, found) || match_counted(names, offsets, found) {
                    return Ok(());
                }
                if are_places_of_arrays(names, sides, (block, other), found) {
                    found.differing.push((position, a, b));
                    return Ok(());
                }
                // Pointers into one block at different offsets are different shapes.
                return Err(Mismatch::Values(position));
            }
            (None, None) => {}
            (Some(list), None) if may_be_null(names, sides.0, list, b) => {
                return match_null(names, sides, (position, list.0), found);
            }
            (Some(_), None) | (None, Some(_)) => return Err(Mismatch::Values(position)),
        }
    }
    if !match_terms(names, (a, b), found) {
        if names.holds_address(a) || names.holds_address(b) {
            return Err(Mismatch::Values(position));
        }
        found.differing.push((position, a, b));
    }
    Ok(())
}

/// Whether the new term has a number of a prototype further in than the known number.
fn is_deeper(names: &Names<'_>, found: &Match, (known, new): (TermId, TermId)) -> bool {
    let level = |name: &TermId| found.levels.get(name).copied().unwrap_or(0);
    !found.levels.is_empty()
        && names.terms.free_variables(&[new]).iter().any(|name| level(name) > level(&known))
}

/// Whether the new term is the known one with terms for its variables; remembers which.
pub(crate) fn match_terms(
    names: &mut Names<'_>,
    (a, b): (TermId, TermId),
    found: &mut Match,
) -> bool {
    if names.terms.sort(a) != names.terms.sort(b) {
        return false;
    }
    match (names.terms.node(a), names.terms.node(b)) {
        (Term::Variable(_), _) if !names.blocks_of_addresses.contains_key(&a) => {
            if found.one_state && !found.opened.contains(&a) {
                return a == b;
            }
            if let Some(&known) = found.variables.get(&a) {
                return known == b;
            }
            // An address must not hide in a number, nor a number that each node has for itself
            // in one that all nodes share.
            let fits = !names.holds_address(b) && !is_deeper(names, found, (a, b));
            if fits {
                found.variables.insert(a, b);
            }
            fits
        }
        (x, y) => {
            if x.children().as_slice().is_empty() {
                return a == b && !names.blocks_of_addresses.contains_key(&a);
            }
            let same_kind = x.map_children(|_| TermId::TRUE) == y.map_children(|_| TermId::TRUE);
            same_kind
                && x.children()
                    .into_iter()
                    .zip(y.children())
                    .all(|(a, b)| match_terms(names, (a, b), found))
        }
    }
}

/// Whether the new condition implies conjuncts of the known one under the match.
pub(crate) fn implies(
    reasoner: &mut Reasoner<'_>,
    known: &[TermId],
    new: &State,
    found: &Match,
) -> bool {
    known.iter().all(|&conjunct| is_implied(reasoner, conjunct, new, found))
}

pub(crate) fn is_implied(
    reasoner: &mut Reasoner<'_>,
    conjunct: TermId,
    new: &State,
    found: &Match,
) -> bool {
    // Variables without a partner belong to values that the new state does not have; addresses
    // are matched by block, not by number.
    let free = reasoner.names.terms.free_variables(&[conjunct]);
    let is_matched = free.iter().all(|variable| {
        let is_outer = found.is_one_state() && !found.opened.contains(variable);
        (is_outer || found.variables.contains_key(variable))
            && !reasoner.names.blocks_of_addresses.contains_key(variable)
    });
    if !is_matched {
        return false;
    }
    let wanted = reasoner.names.terms.substitute(conjunct, &found.variables);
    if reasoner.names.truth(wanted) == Some(true) || new.condition.contains(&wanted) {
        return true;
    }
    let negation = reasoner.names.terms.not(wanted);
    matches!(reasoner.possible(new, negation), Possible::No)
}

/// Who holds whom. What is matched for itself is not the node's own, though nothing else may be
/// seen to hold it: the node of an opened prototype is held by its list.
pub(crate) fn referrers_beside(
    names: &mut Names<'_>,
    new: &State,
    found: &Match,
    node: BlockId,
) -> Referrers {
    let mut referrers = names.referrers(new);
    for &matched in found.back.keys().filter(|&&matched| matched != node) {
        referrers.entry(matched).or_default().push(Referrer::Root);
    }
    referrers
}

pub(crate) fn known_conjuncts(known: &State) -> Vec<TermId> {
    known.condition.iter().copied().collect()
}
