//! Unfolding: an element comes out of a row, and becomes a slot between the rows before and behind it.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Prototype};
use crate::heap::names::Names;
use crate::heap::prototype::Neighbours;
use crate::heap::row::{Row, Slot};
use crate::heap::state::State;
use crate::reasoning::places::step_behind;
use crate::summary::list::unfold::node_with;

/// Takes the element out that is at a place of a row: one state for each prototype.
pub(crate) fn unfold_row(
    names: &mut Names<'_>,
    state: &State,
    id: BlockId,
    place: TermId,
) -> Vec<State> {
    let block = Arc::clone(state.block(id));
    let row = block.row().expect("a row");
    let prototypes = row.prototypes.iter();
    prototypes
        .map(|prototype| take_out(names, state.clone(), (id, &block, row), (place, prototype)))
        .collect()
}

fn take_out(
    names: &mut Names<'_>,
    mut state: State,
    (id, block, row): (BlockId, &Block, &Row),
    (place, prototype): (TermId, &Prototype),
) -> State {
    let behind = step_behind(names, place, row.stride);
    let parts = [(row.from, place), (behind, row.to)];
    state.blocks.remove(&id);
    for (from, to) in parts.into_iter().filter(|(from, to)| from != to) {
        let part = Row { from, to, ..row.clone() };
        let id = state.new_block_id();
        state.blocks.insert(id, Arc::new(Block { role: part.into(), ..block.clone() }));
    }
    let slot = state.new_block_id();
    state.blocks.insert(slot, Arc::new(block.clone()));
    // Elements have no links to those beside them.
    let null = names.terms.bit_vector(0, names.pointer_bits());
    let neighbours = Neighbours { next: null, previous: null };
    let mut element = node_with(names, &mut state, slot, prototype, neighbours, None);
    element.role = Slot { array: row.array, at: place }.into();
    state.blocks.insert(slot, Arc::new(element));
    state.model = None;
    state
}
