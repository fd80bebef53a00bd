//! Joining: rows of both sides become one, and rows that only the new side has are empty on the known side.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::row::Row;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::matched::{Chains, Joined, Manner, Match, Sides};
use crate::summary::zeros::{index_at, times};

/// Lets a row of the general state describe what the new side's has as well.
pub(super) fn join_row(
    domain: &mut Domain<'_, '_>,
    (sides, found): (Sides<'_>, &Match),
    chains: Chains,
    manner: Manner,
    general: &mut State,
) -> Option<()> {
    let mut row = general.block(chains.known).row().expect("a row").clone();
    let new = sides.1.block(chains.new).row().expect("a row");
    row.origins = row.origins.union(new.origins.clone());
    for prototype in &new.prototypes {
        domain.add_prototype(sides, found, &mut row.prototypes, prototype, manner)?;
    }
    general.block_mut(chains.known).role = row.into();
    Some(())
}

/// Gives the general state a row that only the new side has: on the known side it is empty. Its bounds by names of the known side, one
/// of which becomes a number that differs.
pub(crate) fn adopt_row(
    domain: &mut Domain<'_, '_>,
    (sides, found): (Sides<'_>, &Match),
    (id, array): (BlockId, BlockId),
    joined: &mut Vec<Joined>,
    general: &mut State,
) -> Option<()> {
    let block = sides.1.block(id);
    let new = block.row().expect("a row").clone();
    let mut prototypes = Vec::new();
    for prototype in &new.prototypes {
        // What it is by names of the known side.
        let manner = Manner { depth: 0, widens: false, shapes: true };
        domain.add_prototype(sides, found, &mut prototypes, prototype, manner)?;
    }
    let names = &mut domain.reasoner.names;
    let back = known_names(names, found);
    let (from, to) = match (said_by(names, &back, new.from), said_by(names, &back, new.to)) {
        (Some(from), _) => (from, bound(names, new.stride, (from, new.to), joined)?),
        (None, Some(to)) => (bound(names, new.stride, (to, new.from), joined)?, to),
        (None, None) => return None,
    };
    let array = names.pointer_to(array);
    let role = Row { array, from, to, prototypes, ..new }.into();
    let id = general.new_block_id();
    general.blocks.insert(id, Arc::new(Block { role, ..block.as_ref().clone() }));
    Some(())
}

/// A bound that is one place on the known side and another one on the new side.
fn bound(
    names: &mut Names<'_>,
    stride: u64,
    (known, new): (TermId, TermId),
    joined: &mut Vec<Joined>,
) -> Option<TermId> {
    let (known, new) = (index_at(names, known, stride)?, index_at(names, new, stride)?);
    let same = joined.iter().find(|number| (number.known, number.new) == (known, new));
    let value = match same {
        Some(number) => number.value,
        None => {
            let value = names.fresh("bound", names.pointer_bits());
            joined.push(Joined { value, known, new });
            value
        }
    };
    Some(times(names, value, stride))
}

/// From numbers of the new side to variables of the known one that stand for them.
fn known_names(names: &Names<'_>, found: &Match) -> BTreeMap<TermId, TermId> {
    let mut back = BTreeMap::new();
    for (&a, &b) in &found.variables {
        if names.terms.as_variable(b).is_some() && !names.blocks_of_addresses.contains_key(&b) {
            back.entry(b).or_insert(a);
        }
    }
    back
}

/// A place by names of the known side, if all of its names have one.
fn said_by(
    names: &mut Names<'_>,
    back: &BTreeMap<TermId, TermId>,
    place: TermId,
) -> Option<TermId> {
    let free = names.terms.free_variables(&[place]);
    let is_said = free.iter().all(|name| back.contains_key(name));
    is_said.then(|| names.terms.substitute(place, back))
}

/// Whether a row begins or ends at a number that has just been joined, and nothing tells which it is: what is before and behind it would be
/// forgotten.
pub(crate) fn has_loose_rows(names: &Names<'_>, state: &State, joined: &[Joined]) -> bool {
    let rows = state.blocks.values().filter_map(|block| block.row());
    let bounds: Vec<TermId> = rows.flat_map(|row| [row.from, row.to]).collect();
    let held = names.terms.free_variables(&state.held_by_members(names));
    let loose = names.terms.free_variables(&bounds);
    let is_loose =
        |name: &TermId| !held.contains(name) && joined.iter().any(|number| number.value == *name);
    !bounds.is_empty() && loose.iter().any(is_loose)
}
