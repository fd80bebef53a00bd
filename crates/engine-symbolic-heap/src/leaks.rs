//! Which heap blocks nothing points to any more.

use heapwright_logic::TermId;
use heapwright_program::VariableKind;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::state::{BlockId, BlockKind, Frame, Life, Role, State};

impl Context<'_> {
    /// Live heap blocks that no variable and no live block reaches.
    pub(crate) fn lost_blocks(&mut self, state: &State) -> Vec<BlockId> {
        let mut reached: FxHashSet<BlockId> = FxHashSet::default();
        let mut work: Vec<BlockId> = Vec::new();
        let mut roots: Vec<TermId> = state.globals.iter().flatten().copied().collect();
        roots.extend(state.held_outside());
        let frames: Vec<_> = state.frames.iter().cloned().collect();
        for frame in &frames {
            roots.extend(self.held_by(frame));
        }
        for (&id, block) in &state.blocks {
            let is_root = block.life == Life::Alive && block.kind != BlockKind::Heap;
            if is_root && reached.insert(id) {
                work.push(id);
            }
        }
        self.reach(state, &roots, &mut reached, &mut work);
        while let Some(id) = work.pop() {
            if let Role::LastOf(first) = state.block(id).role
                && reached.insert(first)
            {
                work.push(first);
            }
            let values = state.block(id).all_values();
            self.reach(state, &values, &mut reached, &mut work);
        }
        state
            .blocks
            .iter()
            .filter(|(id, block)| {
                block.kind == BlockKind::Heap
                    && block.life == Life::Alive
                    && !matches!(block.role, Role::LastOf(_))
                    && !reached.contains(id)
            })
            .map(|(&id, _)| id)
            .collect()
    }

    /// The values that a frame's variables hold. A temporary of the lowering counts only while it
    /// will be read: the program has no such variable.
    fn held_by(&mut self, frame: &Frame) -> Vec<TermId> {
        let variables = self.variables_of(frame.function);
        let mut held = Vec::new();
        for (&variable, value) in variables.iter().zip(frame.registers.iter()) {
            let Some(value) = value else { continue };
            let is_temporary = self.program().variables[variable].kind == VariableKind::Temporary;
            if !is_temporary || self.is_live(frame.function, frame.location, variable) {
                held.push(*value);
            }
        }
        held
    }

    /// Every block whose address occurs in a value counts as reached: a pointer may be hidden in
    /// arithmetic, and an alarm that is none is worse than none.
    fn reach(
        &mut self,
        state: &State,
        values: &[TermId],
        reached: &mut FxHashSet<BlockId>,
        work: &mut Vec<BlockId>,
    ) {
        for variable in self.terms.free_variables(values) {
            let Some(&block) = self.blocks_of_addresses.get(&variable) else { continue };
            let is_alive = state.blocks.get(&block).is_some_and(|block| block.life == Life::Alive);
            if is_alive && reached.insert(block) {
                work.push(block);
            }
        }
    }

    /// Live heap blocks.
    pub(crate) fn unfreed_blocks(state: &State) -> Vec<BlockId> {
        state
            .blocks
            .iter()
            .filter(|(_, block)| block.kind == BlockKind::Heap && block.life == Life::Alive)
            .map(|(&id, _)| id)
            .collect()
    }
}
