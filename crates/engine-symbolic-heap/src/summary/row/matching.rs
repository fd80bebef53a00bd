//! Rows and slots of two states: which stands for which. They are found by their arrays and their places.

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, End};
use crate::heap::row::array_of;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::summary::matched::{Match, Sides};
use crate::summary::matching::{match_pending, match_terms, pair};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::zeros::index_at;

/// Matches the rows and slots of all arrays that are matched. Places that differ are noted as numbers, and so are rows that one
/// side does not have.
pub(crate) fn match_elements(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &mut Match,
) -> Matched {
    if !reasoner.arrays.have_rows() || found.is_one_state() {
        return Ok(());
    }
    // Elements may lead to arrays which have elements; ends because each round matches some.
    loop {
        let known = arrays(reasoner, sides.0, &|id| found.has_known(id));
        let new = arrays(reasoner, sides.1, &|id| found.has_new(id));
        let next = known
            .into_iter()
            .find(|array| found.blocks.contains_key(array))
            .or_else(|| new.into_iter().find_map(|array| found.back.get(&array).copied()));
        let Some(array) = next else { return Ok(()) };
        match_array(reasoner, sides, array, found)?;
        match_pending(&mut reasoner.names, sides, found)?;
    }
}

/// The arrays of rows and slots that are not matched yet.
fn arrays(
    reasoner: &Reasoner<'_>,
    state: &State,
    is_matched: &dyn Fn(BlockId) -> bool,
) -> Vec<BlockId> {
    let open = state.blocks.iter().filter(|(id, _)| !is_matched(**id));
    open.filter_map(|(_, block)| array_of(&reasoner.names, block)).collect()
}

fn match_array(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    array: BlockId,
    found: &mut Match,
) -> Matched {
    let mut known = sides.0.elements_of(&reasoner.names, array);
    known.retain(|id| !found.has_known(*id));
    let mut new = sides.1.elements_of(&reasoner.names, found.blocks[&array]);
    new.retain(|id| !found.has_new(*id));
    // Those that agree in both bounds come first, then those that agree in one, then any.
    for wanted in [2, 1, 0] {
        let mut index = 0;
        while index < known.len() {
            let id = known[index];
            let partner = new.iter().position(|&other| {
                let is_slot = sides.0.block(id).slot().is_some();
                is_slot == sides.1.block(other).slot().is_some()
                    && agreements(reasoner, sides, (id, other), found) >= wanted
            });
            let Some(at) = partner else {
                index += 1;
                continue;
            };
            let other = new.remove(at);
            known.remove(index);
            for (end, a, b) in places(sides, (id, other)) {
                match_place(reasoner, sides, (id, end), (a, b), found);
            }
            pair(sides, found, id, other)?;
        }
    }
    for id in known {
        is_empty(reasoner, sides, id, found)?;
    }
    for id in new {
        if sides.1.block(id).row().is_none() {
            return Err(Mismatch::LeftOver);
        }
        found.absorbed.insert(id);
        found.adopted.push((id, array));
    }
    Ok(())
}

/// The places of two rows or slots.
fn places(sides: Sides<'_>, (id, other): (BlockId, BlockId)) -> Vec<(End, TermId, TermId)> {
    let (x, y) = (sides.0.block(id), sides.1.block(other));
    let both = |end: End| Some((end, x.end(end)?, y.end(end)?));
    [End::From, End::To].into_iter().filter_map(both).collect()
}

/// In how many places two agree; in both if there is only one.
fn agreements(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    pair: (BlockId, BlockId),
    found: &Match,
) -> usize {
    let places = places(sides, pair);
    let mut count = 2 - places.len();
    for (_, a, b) in places {
        let mut scratch = found.clone();
        count += usize::from(is_one_place(reasoner, sides, (a, b), &mut scratch));
    }
    count
}

/// Whether a known place stands for a new one, by its form or by what follows on the new side.
fn is_one_place(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (a, b): (TermId, TermId),
    found: &mut Match,
) -> bool {
    match said_on_new_side(reasoner, a, found) {
        Some(meant) => {
            let is_it = reasoner.names.terms.equal(meant, b);
            prove(reasoner, sides.1, is_it)
        }
        None => match_terms(&mut reasoner.names, (a, b), found),
    }
}

/// A known place by names of the new side, if all of its names have one.
fn said_on_new_side(reasoner: &mut Reasoner<'_>, place: TermId, found: &Match) -> Option<TermId> {
    let names = reasoner.names.terms.free_variables(&[place]);
    let is_said = names.iter().all(|name| found.variables.contains_key(name));
    is_said.then(|| reasoner.names.terms.substitute(place, &found.variables))
}

/// Matches two places, or notes that they differ.
fn match_place(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (block, end): (BlockId, End),
    (a, b): (TermId, TermId),
    found: &mut Match,
) {
    let mut scratch = found.clone();
    if is_one_place(reasoner, sides, (a, b), &mut scratch) {
        *found = scratch;
        return;
    }
    let known = sides.0.block(block);
    let stride = reasoner.names.constant(known.size).map_or(1, |size| size as u64);
    let names = &mut reasoner.names;
    let (a, b, step) = match (index_at(names, a, stride), index_at(names, b, stride)) {
        (Some(a), Some(b)) => (a, b, stride),
        (_, _) => (a, b, 1),
    };
    found.differing.push((Position::Place { block, end, step }, a, b));
}

/// A known row that the new side does not have is empty there: it ends where it begins, or begins where it ends.
fn is_empty(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    id: BlockId,
    found: &mut Match,
) -> Matched {
    let row = sides.0.block(id).row().ok_or(Mismatch::LeftOver)?;
    let from = said_on_new_side(reasoner, row.from, found);
    let to = said_on_new_side(reasoner, row.to, found);
    found.empty.insert(id);
    match (from, to) {
        (Some(from), Some(to)) => {
            let is_empty = reasoner.names.terms.equal(from, to);
            // What elements own cannot be gone.
            if prove(reasoner, sides.1, is_empty) { Ok(()) } else { Err(Mismatch::LeftOver) }
        }
        (_, Some(to)) => {
            match_place(reasoner, sides, (id, End::From), (row.from, to), found);
            Ok(())
        }
        (Some(from), None) => {
            match_place(reasoner, sides, (id, End::To), (row.to, from), found);
            Ok(())
        }
        (None, None) => Err(Mismatch::LeftOver),
    }
}
