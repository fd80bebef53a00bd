//! What a state is reduced to at a loop head: dead variables and garbage go, chains are folded, and
//! the path condition keeps what it says of values that are still there.

use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_property::Part;
use imbl::{OrdMap, Vector};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::counts::{settle_counts, settle_result};
use crate::abstraction::garbage::lost_blocks;
use crate::abstraction::numbers::relations::bridge_laws;
use crate::abstraction::numbers::room::bridge_room;
use crate::abstraction::numbers::steps::bridge_steps;
use crate::abstraction::project::bridge_orders;
use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, Life};
use crate::heap::names::Names;
use crate::heap::row::Row;
use crate::heap::state::State;
use crate::precision::{Measuring, Precision};
use crate::reasoning::Reasoner;
use crate::summary::domain::Domain;
use crate::summary::extents::fold::{fold_extents, forget_dead_laws, prune_extents};
use crate::summary::fold::fold;
use crate::summary::row::slots::{forget_empty_rows, note_bounds, release_slots};
use crate::summary::spelling::reduce::reduce_spellings;

/// The work of reducing a state, beside questions about it.
const UNITS_OF_A_REDUCTION: u64 = 8;

/// Reduces a state; says whether a live heap block was lost on the way.
pub(crate) fn normalise(domain: &mut Domain<'_, '_>, state: &mut State) -> Lost {
    domain.reasoner.services.deadline.spend(UNITS_OF_A_REDUCTION);
    forget_dead_variables(&mut domain.reasoner.names, state);
    settle_counts(domain.reasoner, domain.precision, state);
    settle_result(domain.reasoner, domain.precision, state);
    note_bounds(&mut domain.reasoner.names, state);
    forget_empty_rows(domain.reasoner, state);
    release_slots(domain.reasoner, state);
    let lost = collect_garbage(domain.reasoner, state);
    fold_extents(domain.reasoner, state);
    // How high the parts of a tree are is told by numbers that go.
    match domain.precision.measuring {
        Measuring::Unseen => project(domain.reasoner, domain.precision, state),
        Measuring::Seen => {}
    }
    forget_arbitrary_bytes(&mut domain.reasoner.names, state);
    fold(domain, state);
    note_bounds(&mut domain.reasoner.names, state);
    prune_extents(state);
    reduce_spellings(&mut domain.reasoner.names, state);
    project(domain.reasoner, domain.precision, state);
    state.drawn = Vector::new();
    state.remainders = OrdMap::new();
    state.depth = 0;
    domain.reasoner.names.expect_well_formed(state);
    lost
}

/// Variables that will not be read again. Whether C still has them in scope matters for leaks
/// only, and there it errs on the side of an alarm.
pub(crate) fn forget_dead_variables(names: &mut Names<'_>, state: &mut State) {
    for index in 0..state.frames.len() {
        let (function, location) = (state.frames[index].function, state.frames[index].location);
        let variables = names.facts.variables_of(function);
        let dead: Vec<usize> = variables
            .iter()
            .enumerate()
            .filter(|&(slot, &variable)| {
                state.frames[index].registers[slot].is_some()
                    && !names.facts.is_live(function, location, variable)
            })
            .map(|(slot, _)| slot)
            .collect();
        if !dead.is_empty() {
            let registers = Arc::make_mut(&mut state.frames[index].registers);
            for slot in dead {
                registers[slot] = None;
            }
        }
    }
}

/// Removes blocks that nothing can reach. A live heap block that nothing certainly reaches is
/// lost: it stays as long as something says where it lies.
fn collect_garbage(reasoner: &mut Reasoner<'_>, state: &mut State) -> Lost {
    let mut lost = match reasoner.names.task().specification.asks(Part::ValidMemtrack) {
        true if !lost_blocks(reasoner, state).is_empty() => Lost::Block,
        true | false => Lost::Nothing,
    };
    let reached = reached(&mut reasoner.names, state);
    let unreached: Vec<BlockId> =
        state.blocks.keys().filter(|id| !reached.contains(id)).copied().collect();
    for id in unreached {
        let block = state.block(id);
        let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
        if (is_live_heap && !block.is_peer()) || block.row().is_some_and(Row::owns_blocks) {
            lost = Lost::Block;
        }
        state.blocks.remove(&id);
    }
    lost
}

/// Live blocks that are there without being pointed to: of the program, and of functions that have not returned.
/// Others on the stack are the environment's, such as streams, and nobody asks for them once they are forgotten.
fn roots(state: &State) -> Vec<BlockId> {
    let owned: FxHashSet<BlockId> = state
        .frames
        .iter()
        .flat_map(|frame| frame.objects.values().chain(&frame.allocas))
        .copied()
        .collect();
    let is_root = |id: &BlockId, block: &Block| match block.kind {
        BlockKind::Heap | BlockKind::Elements => false,
        // Frames that are cut off may own it.
        BlockKind::Stack => owned.contains(id) || state.outside.is_some(),
        BlockKind::Static | BlockKind::String | BlockKind::Constant | BlockKind::Function(_) => {
            true
        }
    };
    let live = state.blocks.iter().filter(|(_, block)| block.life == Life::Alive);
    live.filter(|(id, block)| is_root(id, block)).map(|(&id, _)| id).collect()
}

/// Blocks that some value may refer to, transitively, dead ones included.
fn reached(names: &mut Names<'_>, state: &State) -> FxHashSet<BlockId> {
    let mut work = roots(state);
    let mut reached: FxHashSet<BlockId> = work.iter().copied().collect();
    let mut values = state.held_by_variables();
    let elements = state.elements(names);
    loop {
        for block in names.may_refer_to(&values) {
            if state.blocks.contains_key(&block) && reached.insert(block) {
                work.push(block);
            }
        }
        let Some(id) = work.pop() else { return reached };
        let block = state.block(id);
        values = block.all_values();
        if let Some(partner) = block.partner()
            && reached.insert(partner)
        {
            work.push(partner);
        }
        if block.life == Life::Alive {
            let its = elements.iter().filter(|(array, _)| *array == id);
            work.extend(its.map(|(_, element)| *element).filter(|one| reached.insert(*one)));
        }
    }
}

/// Cells that hold an arbitrary number which occurs nowhere else are as good as never read.
fn forget_arbitrary_bytes(names: &mut Names<'_>, state: &mut State) {
    let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut values = state.held_by_variables();
    for block in state.blocks.values() {
        values.extend(block.all_terms());
    }
    values.extend(state.condition.iter().copied());
    for value in values {
        for variable in names.terms.free_variables(&[value]) {
            *counts.entry(variable).or_default() += 1;
        }
    }
    let blocks: Vec<BlockId> = state.blocks.keys().copied().collect();
    for id in blocks {
        let block = state.block(id);
        if block.rest != DefaultBytes::Uninitialised {
            continue;
        }
        let arbitrary = names.arbitrary_cells(block, &|number| counts.get(&number) == Some(&1));
        for offset in arbitrary {
            state.block_mut(id).cells.remove(&offset);
        }
    }
}

/// Drops conjuncts that speak of values which are gone.
pub(crate) fn project(reasoner: &mut Reasoner<'_>, precision: &Precision, state: &mut State) {
    let live = reasoner.names.names_outside(state, &|_| false);
    let live: FxHashSet<TermId> = live.into_iter().collect();
    bridge_orders(reasoner, precision, state, &live);
    if precision.relations.are_seen() {
        bridge_laws(reasoner, precision, state, &live);
        bridge_room(reasoner, state, &live);
    }
    bridge_steps(reasoner, precision, state, &live);
    project_prototypes(&reasoner.names, state, &live);
    forget_dead_laws(&mut reasoner.names, state, &live);
    let kept: Vector<TermId> = state
        .condition
        .iter()
        .copied()
        .filter(|&conjunct| {
            reasoner
                .names
                .terms
                .free_variables(&[conjunct])
                .iter()
                .all(|variable| live.contains(variable))
        })
        .collect();
    // The order in which facts were learnt does not matter, nor does learning one twice.
    let mut kept: Vec<TermId> = kept.into_iter().collect();
    kept.sort_unstable();
    kept.dedup();
    state.condition = kept.into_iter().collect();
}

fn project_prototypes(names: &Names<'_>, state: &mut State, live: &FxHashSet<TermId>) {
    state.change_prototypes(&mut |_, prototype| {
        let is_kept = |conjunct: &TermId| {
            let free = names.terms.free_variables(&[*conjunct]);
            free.iter().all(|name| live.contains(name) || names.stand_ins.contains(name))
        };
        if !prototype.condition.iter().all(is_kept) {
            Arc::make_mut(prototype).condition.retain(is_kept);
        }
    });
}

/// Whether garbage collection found a live heap block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    Nothing,
    Block,
}
