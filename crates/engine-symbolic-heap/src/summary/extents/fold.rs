//! Folding: what is known of elements becomes extents.

use std::sync::Arc;

use heapwright_logic::TermId;
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, Life};
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove};
use crate::summary::extents::cells::{MOST_CELLS, fold_cells};
use crate::summary::extents::elements::fold_elements;
use crate::summary::extents::laws::{is_surely_empty, shorten};
use crate::summary::extents::live::{say_bounds_by_live_names, say_by_live_names};
use crate::summary::extents::pairs::fold_pairs;
use crate::summary::extents::texts::settle_first_zero;

/// Smaller blocks are no arrays.
const SMALLEST: u128 = 16;

/// Makes extents of what is known of elements. Elements are not known any more then.
pub(crate) fn fold_extents(reasoner: &mut Reasoner<'_>, state: &mut State) {
    prune_extents(state);
    if reasoner.arrays.have_laws() {
        let arrays: Vec<BlockId> = state
            .blocks
            .iter()
            .filter(|(_, block)| is_array(&reasoner.names, block))
            .map(|(&id, _)| id)
            .collect();
        for &id in &arrays {
            fold_cells(reasoner, state, id);
            fold_elements(reasoner, state, id);
        }
        fold_pairs(reasoner, state, &arrays);
        for &id in &arrays {
            say_bounds_by_live_names(reasoner, state, id);
            say_by_live_names(reasoner, state, id);
            settle_first_zero(reasoner, state, id);
            unite(&mut reasoner.names, state, id);
            unite_stretches(reasoner, state, id);
        }
    }
    let forgetful: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| !block.contents.elements.is_empty())
        .map(|(&id, _)| id)
        .collect();
    for id in forgetful {
        state.block_mut(id).contents.elements.clear();
    }
}

/// Says in one extent what several say of the same elements.
fn unite(names: &mut Names<'_>, state: &mut State, id: BlockId) {
    let mut united: Vec<Extent> = Vec::new();
    for extent in &state.block(id).contents.extents {
        let is_same = |known: &&mut Extent| {
            (known.from, known.to) == (extent.from, extent.to)
                && known.is_like(extent)
                && known.beside == extent.beside
        };
        match united.iter_mut().find(is_same) {
            Some(known) => {
                known.law.extend(&extent.law);
                known.law.sort_unstable();
                known.law.dedup();
            }
            None => united.push(extent.clone()),
        }
    }
    united.retain(|extent| !is_surely_empty(names, state, extent));
    for extent in &mut united {
        shorten(names, extent);
    }
    if united != state.block(id).contents.extents {
        state.block_mut(id).contents.extents = united;
    }
}

/// Makes one extent of two that say the same, and of which one ends where the other begins, or that say it of neighbours in one array and
/// share a place.
fn unite_stretches(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let mut extents = state.block(id).contents.extents.clone();
    // Ends because each round leaves one extent less.
    while let Some((one, other, to)) = two_that_meet(reasoner, state, id, &extents) {
        extents[one].to = to;
        extents.remove(other);
    }
    if extents.len() < state.block(id).contents.extents.len() {
        state.block_mut(id).contents.extents = extents;
    }
}

/// Two extents of which the second goes on where the first is, or ends; and where they end.
fn two_that_meet(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    id: BlockId,
    extents: &[Extent],
) -> Option<(usize, usize, TermId)> {
    let alike = |one: &Extent, other: &Extent| {
        one.is_like(other) && one.beside == other.beside && one.law == other.law
    };
    for (first, one) in extents.iter().enumerate() {
        for (second, other) in extents.iter().enumerate() {
            if first == second || !alike(one, other) {
                continue;
            }
            let distance = reasoner.names.terms.subtract(other.from, one.from);
            if !is_multiple(&reasoner.names, distance, one.stride) {
                continue;
            }
            if one.to == other.from && one.beside.is_none() {
                return Some((first, second, other.to));
            }
            if !one.is_beside(id) {
                continue;
            }
            let terms = &mut reasoner.names.terms;
            let is_behind = terms.unsigned_less_equal(one.from, other.from);
            let meets = terms.unsigned_less_equal(other.from, one.to);
            let begins = terms.and(is_behind, meets);
            let goes_on = terms.unsigned_less_equal(one.to, other.to);
            let is_within = terms.unsigned_less_equal(other.to, one.to);
            if !prove(reasoner, state, begins) {
                continue;
            }
            if prove(reasoner, state, goes_on) {
                return Some((first, second, other.to));
            }
            if prove(reasoner, state, is_within) {
                return Some((first, second, one.to));
            }
        }
    }
    None
}

/// Drops extents beside blocks that have no elements any more.
pub(crate) fn prune_extents(state: &mut State) {
    let has_elements = |state: &State, id: BlockId| {
        let block = state.blocks.get(&id);
        block.is_some_and(|block| block.life == Life::Alive && block.is_single())
    };
    let is_gone = |state: &State, extent: &Extent| {
        extent.beside.is_some_and(|beside| !has_elements(state, beside.block))
    };
    let stale = |(id, block): (&BlockId, &Arc<Block>)| {
        block.contents.extents.iter().any(|one| is_gone(state, one)).then_some(*id)
    };
    let ids: Vec<BlockId> = state.blocks.iter().filter_map(stale).collect();
    for id in ids {
        let mut contents = state.block(id).contents.clone();
        contents.extents.retain(|extent| !is_gone(state, extent));
        state.block_mut(id).contents = contents;
    }
}

/// Drops what laws say of names that the state does not hold.
pub(crate) fn forget_dead_laws(names: &mut Names<'_>, state: &mut State, live: &FxHashSet<TermId>) {
    let ids: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| !block.contents.extents.is_empty())
        .map(|(&id, _)| id)
        .collect();
    for id in ids {
        let mut contents = state.block(id).contents.clone();
        for extent in &mut contents.extents {
            extent.law.retain(|&conjunct| {
                names.outer_names_of_law(conjunct).iter().all(|name| live.contains(name))
            });
        }
        contents.extents.retain(|extent| !extent.law.is_empty());
        if contents != state.block(id).contents {
            state.block_mut(id).contents = contents;
        }
    }
}

fn is_array(names: &Names<'_>, block: &Block) -> bool {
    let is_large = names.constant(block.size).is_none_or(|size| size >= SMALLEST);
    block.life == Life::Alive
        && block.is_single()
        && is_large
        && (!block.contents.is_empty() || !block.cells.is_empty())
        && block.cells.len() <= MOST_CELLS
        && block.cells.values().all(|cell| !names.holds_address(cell.value))
}
