//! Which heap blocks nothing refers to any more.

use heapwright_logic::TermId;
use heapwright_program::VariableKind;

use crate::heap::block::{Block, BlockId, BlockKind, Life};
use crate::heap::names::Names;
use crate::heap::row::Row;
use crate::heap::state::{Frame, State};
use crate::reasoning::Reasoner;
use crate::reasoning::reference::Reached;

/// Live heap blocks that no variable and no live block certainly reaches, and lists and trees
/// whose nodes have lost some of their own.
pub(crate) fn lost_blocks(reasoner: &mut Reasoner<'_>, state: &State) -> Vec<BlockId> {
    let mut reached = Reached::default();
    let mut roots: Vec<TermId> = state.globals.iter().flatten().copied().collect();
    roots.extend(state.held_outside());
    let frames: Vec<_> = state.frames.iter().cloned().collect();
    for frame in &frames {
        roots.extend(held_by(&mut reasoner.names, frame));
    }
    for (&id, block) in &state.blocks {
        let is_root = !matches!(block.kind, BlockKind::Heap | BlockKind::Elements);
        if block.life == Life::Alive && is_root {
            reached.add(id);
        }
    }
    for root in roots {
        if let Some(id) = reasoner.variable_refers_to(state, root) {
            reached.add(id);
        }
    }
    reasoner.reach(state, &mut reached, &|_| true);
    let live = unfreed_blocks(state).into_iter();
    live.filter(|id| {
        let block = state.block(*id);
        let is_kept = reached.blocks.contains(id) && reasoner.nodes_keep_their_own(state, block);
        !is_kept && !block.is_peer()
    })
    .collect()
}

/// The values that a frame's variables hold. A temporary of the lowering counts only while it
/// will be read: the program has no such variable.
pub(crate) fn held_by(names: &mut Names<'_>, frame: &Frame) -> Vec<TermId> {
    let variables = names.facts.variables_of(frame.function);
    let mut held = Vec::new();
    for (&variable, value) in variables.iter().zip(frame.registers.iter()) {
        let Some(value) = value else { continue };
        let is_temporary = names.program().variables[variable].kind == VariableKind::Temporary;
        if !is_temporary || names.facts.is_live(frame.function, frame.location, variable) {
            held.push(*value);
        }
    }
    held
}

/// Live heap blocks, and rows whose elements own some.
pub(crate) fn unfreed_blocks(state: &State) -> Vec<BlockId> {
    let is_unfreed = |block: &Block| {
        (block.kind == BlockKind::Heap && block.life == Life::Alive)
            || block.row().is_some_and(Row::owns_blocks)
    };
    state.blocks.iter().filter(|(_, block)| is_unfreed(block)).map(|(&id, _)| id).collect()
}
