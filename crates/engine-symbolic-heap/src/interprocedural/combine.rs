//! Putting the state in which a call returns together with the rest that waited for it.
//!
//! All names of the exit are replaced by new ones, so nothing is taken for the same that only has
//! the same name. Then the rest's blocks are those that stand at their position in the list, and its
//! numbers are equal to those there.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::execution::call::reinterpret;
use crate::execution::expression::value_of_bytes;
use crate::execution::step::{scalar_of, set};
use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::state::{DrawnTerm, State};
use crate::interprocedural::localise::HeapFrame;
use crate::no_proof::NoProof;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};

const NOT_FOUND_AGAIN: &str = "a block of a caller that is not found again behind a call";

/// From the names of a state to those of another.
#[derive(Default)]
struct Renaming {
    blocks: BTreeMap<BlockId, BlockId>,
    /// Addresses and numbers.
    terms: BTreeMap<TermId, TermId>,
}

/// The state behind a call that returned. None if the rest contradicts this exit.
pub(crate) fn combine(
    reasoner: &mut Reasoner<'_>,
    waiting: &HeapFrame,
    exit: &State,
) -> Result<Option<State>, NoProof> {
    let outside = exit.outside.clone().expect("callers that were cut off");
    let mut state = waiting.rest.clone();
    state.model = None;
    assert!(
        state.static_blocks == exit.static_blocks
            && state.function_blocks == exit.function_blocks
            && waiting.held.len() == outside.held.len(),
        "an exit of this call"
    );
    let mut shared = find_shared(&mut reasoner.names, &mut state, waiting, exit)?;
    let Shared { of_exit, of_rest, equal, kept } = &mut shared;
    new_numbers(&mut reasoner.names, exit, of_exit)?;
    rename_rest(&mut reasoner.names, &mut state, of_rest);
    for (&id, block) in exit.blocks.iter().filter(|(id, _)| !kept.contains(id)) {
        let renamed = reasoner.names.renamed_block(block, &of_exit.blocks, &of_exit.terms);
        state.blocks.insert(of_exit.blocks[&id], Arc::new(renamed));
    }
    let renamed = |names: &mut Names<'_>, term| names.terms.substitute(term, &of_exit.terms);
    let globals: Vec<Option<TermId>> = exit
        .globals
        .iter()
        .map(|value| value.map(|value| renamed(&mut reasoner.names, value)))
        .collect();
    state.globals = Arc::new(globals);
    for &fact in &exit.condition {
        let fact = renamed(&mut reasoner.names, fact);
        // A constant of the rest may be no number that the exit tells of.
        if reasoner.names.truth(fact) == Some(false) {
            return Ok(None);
        }
        assume(&mut reasoner.names, &mut state, fact, None);
    }
    let is_sure = equal.is_empty();
    for &mut (name, value) in equal {
        let value = renamed(&mut reasoner.names, value);
        let fact = reasoner.names.terms.equal(name, value);
        if reasoner.names.truth(fact) == Some(false) {
            return Ok(None);
        }
        assume(&mut reasoner.names, &mut state, fact, None);
    }
    if !is_sure && matches!(reasoner.possible(&state, TermId::TRUE), Possible::No) {
        return Ok(None);
    }
    let result = outside.result.map(|result| renamed(&mut reasoner.names, result));
    take_result(&mut reasoner.names, &mut state, waiting, result);
    reasoner.names.expect_well_formed(&state);
    Ok(Some(state))
}

/// What the rest and the exit of a call have in common.
#[derive(Default)]
struct Shared {
    of_exit: Renaming,
    of_rest: Renaming,
    /// Numbers of the rest, and what the callee has made of them.
    equal: Vec<(TermId, TermId)>,
    /// Blocks of the exit that are as they were.
    kept: FxHashSet<BlockId>,
}

/// Finds blocks and numbers of the rest again in the exit, by their places in the lists of both.
fn find_shared(
    names: &mut Names<'_>,
    state: &mut State,
    waiting: &HeapFrame,
    exit: &State,
) -> Result<Shared, NoProof> {
    let outside = exit.outside.as_ref().expect("callers that were cut off");
    let mut of_exit = new_blocks(names, state, exit);
    let mut of_rest = Renaming::default();
    let mut equal: Vec<(TermId, TermId)> = Vec::new();
    let mut kept: FxHashSet<BlockId> = FxHashSet::default();
    let mut shared: Vec<(BlockId, TermId, BlockId)> = Vec::new();
    for (&name, &value) in waiting.held.iter().zip(&outside.held) {
        if let Some(&id) = names.blocks_of_addresses.get(&name) {
            // The callee has found that a list is empty, whose name the rest has too.
            if names.constant(value) == Some(0) && !state.blocks.contains_key(&id) {
                of_rest.terms.insert(name, value);
                continue;
            }
            let found = names.pointer(value).filter(|_| names.terms.as_variable(value).is_some());
            let Some((block, _)) = found.filter(|(id, _)| exit.blocks.contains_key(id)) else {
                return Err(NoProof::because(NOT_FOUND_AGAIN));
            };
            if state.blocks.contains_key(&id) {
                // The callee did not use it: it is as it was.
                if !kept.insert(block) {
                    return Err(NoProof::because(NOT_FOUND_AGAIN));
                }
                of_exit.blocks.insert(block, id);
                of_exit.terms.insert(names.address(block), name);
            } else {
                shared.push((id, name, block));
            }
        } else if is_name_for(names, exit, (name, value)) && !of_exit.terms.contains_key(&value) {
            of_exit.terms.insert(value, name);
        } else {
            equal.push((name, value));
        }
    }
    for (id, name, block) in shared {
        if kept.contains(&block) {
            return Err(NoProof::because(NOT_FOUND_AGAIN));
        }
        of_rest.blocks.insert(id, of_exit.blocks[&block]);
        of_rest.terms.insert(name, names.address(of_exit.blocks[&block]));
    }
    Ok(Shared { of_exit, of_rest, equal, kept })
}

/// Whether a number of the rest can stand for a name of the exit, wherever that is. What blocks tell stays in plain words.
fn is_name_for(names: &Names<'_>, exit: &State, (number, name): (TermId, TermId)) -> bool {
    let is_plain = names.terms.as_variable(number).is_some() || names.constant(number).is_some();
    let is_in = |block: &Arc<Block>| names.terms.free_variables(&block.all_terms()).contains(&name);
    names.terms.as_variable(name).is_some() && (is_plain || !exit.blocks.values().any(is_in))
}

/// New numbers for the exit's blocks, but those that every state has.
fn new_blocks(names: &mut Names<'_>, state: &mut State, exit: &State) -> Renaming {
    let mut renaming = Renaming::default();
    for (&id, block) in &exit.blocks {
        let new = if block.is_of_program() { id } else { state.new_block_id() };
        renaming.blocks.insert(id, new);
        renaming.terms.insert(names.address(id), names.address(new));
    }
    renaming
}

/// New names for the numbers of the exit that have none yet.
fn new_numbers(
    names: &mut Names<'_>,
    exit: &State,
    renaming: &mut Renaming,
) -> Result<(), NoProof> {
    let mut values = exit.held_by_variables();
    for block in exit.blocks.values() {
        values.extend(block.all_terms());
    }
    values.extend(exit.condition.iter().copied());
    for name in names.terms.free_variables(&values) {
        let is_no_name = names.stand_ins.contains(&name) || names.words_of_laws.contains(&name);
        if renaming.terms.contains_key(&name) || is_no_name {
            continue;
        }
        // It would become the address of some other block.
        if names.blocks_of_addresses.contains_key(&name) {
            return Err(NoProof::because("a pointer to an unknown block behind a call"));
        }
        let new = match names.terms.sort(name) {
            Sort::Boolean => names.fresh_truth("after"),
            _ => names.fresh("after", names.terms.width(name)),
        };
        renaming.terms.insert(name, new);
    }
    Ok(())
}

/// The rest, by the new names of blocks that it shares with the exit.
fn rename_rest(names: &mut Names<'_>, state: &mut State, renaming: &Renaming) {
    names.replace(state, &renaming.terms);
    let name = |id: BlockId| renaming.blocks.get(&id).copied().unwrap_or(id);
    for frame in state.frames.iter_mut() {
        frame.objects = frame.objects.iter().map(|(&object, &id)| (object, name(id))).collect();
        frame.allocas = frame.allocas.iter().map(|&id| name(id)).collect();
    }
    // The ends of a segment are on one side of the cut.
    debug_assert!({
        let shared: FxHashSet<BlockId> = renaming.blocks.keys().copied().collect();
        state.blocks.values().all(|b| b.partner().is_none_or(|id| !shared.contains(&id)))
    });
}

fn take_result(
    names: &mut Names<'_>,
    state: &mut State,
    waiting: &HeapFrame,
    result: Option<TermId>,
) {
    let Some(target) = waiting.target else { return };
    let ty = scalar_of(names, target);
    let callee = &names.program().functions[waiting.function];
    let value = match (result, callee.result) {
        (Some(value), Some(from)) => reinterpret(names, value, from, ty),
        _ => {
            let value = names.fresh("result", names.bits(ty));
            let (variable, place) = (None, callee.place);
            state.drawn.push_back(DrawnTerm::Variable { variable, ty, value, place });
            value_of_bytes(names, value, ty)
        }
    };
    set(names, state, target, value);
}
