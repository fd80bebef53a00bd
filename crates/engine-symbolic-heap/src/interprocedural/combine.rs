//! Putting the state in which a call returns together with the rest that waited for it.
//!
//! All names of the exit are replaced by new ones, so nothing is taken for the same that only has
//! the same name. Then the rest's blocks are those that stand at their position in the list, and its
//! numbers are equal to those there.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::heap::block::BlockId;
use crate::heap::state::{DrawnTerm, State};
use crate::interprocedural::localise::{Waiting, is_of_program};
use crate::no_proof::NoProof;
use crate::reasoning::path_condition::Possible;

const NOT_FOUND_AGAIN: &str = "a block of a caller that is not found again behind a call";

/// From the names of a state to those of another.
#[derive(Default)]
struct Names {
    blocks: BTreeMap<BlockId, BlockId>,
    /// Addresses and numbers.
    terms: BTreeMap<TermId, TermId>,
}

impl Context<'_> {
    /// The state behind a call that returned. None if the rest contradicts this exit.
    pub(crate) fn combine(
        &mut self,
        waiting: &Waiting,
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
        let mut of_exit = self.new_blocks(&mut state, exit);
        let mut of_rest = Names::default();
        let mut equal: Vec<(TermId, TermId)> = Vec::new();
        let mut kept: FxHashSet<BlockId> = FxHashSet::default();
        let mut shared: Vec<(BlockId, TermId, BlockId)> = Vec::new();
        for (&name, &value) in waiting.held.iter().zip(&outside.held) {
            if let Some(&id) = self.names.blocks_of_addresses.get(&name) {
                let found = self
                    .names
                    .pointer(value)
                    .filter(|_| self.names.terms.as_variable(value).is_some());
                let Some((block, _)) = found.filter(|(id, _)| exit.blocks.contains_key(id)) else {
                    return Err(NoProof::because(NOT_FOUND_AGAIN));
                };
                if state.blocks.contains_key(&id) {
                    // The callee did not use it: it is as it was.
                    if !kept.insert(block) {
                        return Err(NoProof::because(NOT_FOUND_AGAIN));
                    }
                    of_exit.blocks.insert(block, id);
                    of_exit.terms.insert(self.names.address(block), name);
                } else {
                    shared.push((id, name, block));
                }
            } else if self.names.terms.as_variable(value).is_some()
                && !of_exit.terms.contains_key(&value)
            {
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
            of_rest.terms.insert(name, self.names.address(of_exit.blocks[&block]));
        }
        self.new_numbers(exit, &mut of_exit)?;
        self.rename_rest(&mut state, &of_rest);
        for (&id, block) in exit.blocks.iter().filter(|(id, _)| !kept.contains(id)) {
            let renamed = self.names.renamed_block(block, &of_exit.blocks, &of_exit.terms);
            state.blocks.insert(of_exit.blocks[&id], Arc::new(renamed));
        }
        let renamed =
            |context: &mut Self, term| context.names.terms.substitute(term, &of_exit.terms);
        let globals: Vec<Option<TermId>> =
            exit.globals.iter().map(|value| value.map(|value| renamed(self, value))).collect();
        state.globals = Arc::new(globals);
        for &fact in &exit.condition {
            let fact = renamed(self, fact);
            self.assume(&mut state, fact, None);
        }
        let is_sure = equal.is_empty();
        for (name, value) in equal {
            let value = renamed(self, value);
            let fact = self.names.terms.equal(name, value);
            if self.names.truth(fact) == Some(false) {
                return Ok(None);
            }
            self.assume(&mut state, fact, None);
        }
        if !is_sure && matches!(self.possible(&state, TermId::TRUE), Possible::No) {
            return Ok(None);
        }
        let result = outside.result.map(|result| renamed(self, result));
        self.take_result(&mut state, waiting, result);
        self.names.expect_well_formed(&state);
        Ok(Some(state))
    }

    /// New numbers for the exit's blocks, but those that every state has.
    fn new_blocks(&mut self, state: &mut State, exit: &State) -> Names {
        let mut names = Names::default();
        for (&id, block) in &exit.blocks {
            let new = if is_of_program(block) { id } else { state.new_block_id() };
            names.blocks.insert(id, new);
            names.terms.insert(self.names.address(id), self.names.address(new));
        }
        names
    }

    /// New names for the numbers of the exit that have none yet.
    fn new_numbers(&mut self, exit: &State, names: &mut Names) -> Result<(), NoProof> {
        let mut values = exit.held_by_variables();
        for block in exit.blocks.values() {
            values.extend(block.all_terms());
        }
        values.extend(exit.condition.iter().copied());
        for name in self.names.terms.free_variables(&values) {
            if names.terms.contains_key(&name) || self.names.stand_ins.contains(&name) {
                continue;
            }
            // It would become the address of some other block.
            if self.names.blocks_of_addresses.contains_key(&name) {
                return Err(NoProof::because("a pointer to an unknown block behind a call"));
            }
            let new = match self.names.terms.sort(name) {
                Sort::Boolean => self.names.fresh_truth("after"),
                _ => self.names.fresh("after", self.names.terms.width(name)),
            };
            names.terms.insert(name, new);
        }
        Ok(())
    }

    /// The rest, by the new names of blocks that it shares with the exit.
    fn rename_rest(&mut self, state: &mut State, names: &Names) {
        self.names.replace(state, &names.terms);
        let name = |id: BlockId| names.blocks.get(&id).copied().unwrap_or(id);
        for frame in state.frames.iter_mut() {
            frame.objects = frame.objects.iter().map(|(&object, &id)| (object, name(id))).collect();
            frame.allocas = frame.allocas.iter().map(|&id| name(id)).collect();
        }
        // The ends of a segment are on one side of the cut.
        debug_assert!({
            let shared: FxHashSet<BlockId> = names.blocks.keys().copied().collect();
            state.blocks.values().all(|b| b.partner().is_none_or(|id| !shared.contains(&id)))
        });
    }

    fn take_result(&mut self, state: &mut State, waiting: &Waiting, result: Option<TermId>) {
        let Some(target) = waiting.target else { return };
        let ty = self.scalar_of(target);
        let callee = &self.names.program().functions[waiting.function];
        let value = match (result, callee.result) {
            (Some(value), Some(from)) => self.reinterpret(value, from, ty),
            _ => {
                let value = self.names.fresh("result", self.names.bits(ty));
                let (variable, place) = (None, callee.place);
                state.drawn.push_back(DrawnTerm::Variable { variable, ty, value, place });
                self.value_of_bytes(value, ty)
            }
        };
        self.set(state, target, value);
    }
}
