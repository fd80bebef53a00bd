//! Pointers in an array at offsets that are told, as slots like those at places that are numbers.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, BlockKind, Cell, DefaultBytes, Life};
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::row::{Slot, elements_block};
use crate::heap::state::State;

/// Blocks up to this size are records, whose pointers are told apart one by one.
const LARGEST_RECORD: u128 = 64;

/// Whether a block has pointers that may be elements of an array which grows.
pub(crate) fn has_pointers(names: &Names<'_>, block: &Block) -> bool {
    let mut pointers = block.cells.values().filter(|cell| names.holds_address(cell.value));
    let is_array = match names.constant(block.size) {
        None => pointers.nth(1).is_some(),
        Some(_) if names.replaces(block.origin) => pointers.next().is_some(),
        Some(size) => size > LARGEST_RECORD && is_being_filled(names, block),
    };
    is_array && block.life == Life::Alive && block.is_single()
}

/// Pointers side by side from which on they are taken for those of an array.
const FEW: usize = 4;

/// Whether a block has many pointers side by side.
fn is_being_filled(names: &Names<'_>, block: &Block) -> bool {
    let width = names.model().pointer_size();
    let (mut run, mut end) = (0, None);
    block.cells.iter().any(|(&offset, cell)| {
        let is_pointer = cell.size == width && names.holds_address(cell.value);
        let goes_on = end == Some(offset);
        run = if is_pointer { 1 + if goes_on { run } else { 0 } } else { 0 };
        end = is_pointer.then_some(offset + width);
        run >= FEW
    })
}

/// Makes slots of all pointers in arrays: those whose size is not told, or that have many pointers, and those that have slots or rows
/// already.
pub(super) fn slots_of_arrays(names: &mut Names<'_>, state: &mut State) {
    let arrays: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| block.life == Life::Alive && block.kind != BlockKind::Elements)
        .filter(|(_, block)| block.is_single() && !block.cells.is_empty())
        .map(|(&id, _)| id)
        .collect();
    for id in arrays {
        let is_of_any_size = names.constant(state.block(id).size).is_none();
        let block = state.block(id);
        let is_array =
            is_of_any_size || names.replaces(block.origin) || is_being_filled(names, block);
        if (is_array || !state.elements_of(names, id).is_empty())
            && let Some(changed) = cells_as_slots(names, state, id, &|_, _| true)
        {
            *state = changed;
        }
    }
}

/// The pointers among the bytes of a span as slots of their own, if a block is an array and has any.
pub(crate) fn cells_as_slots(
    names: &mut Names<'_>,
    state: &State,
    array: BlockId,
    is_within: &dyn Fn(u64, u64) -> bool,
) -> Option<State> {
    let block = state.block(array);
    let width = names.model().pointer_size();
    let is_array = names.constant(block.size).is_none_or(|size| size > LARGEST_RECORD)
        || names.replaces(block.origin);
    let holds =
        |offset: u64, cell: &Cell| names.holds_address(cell.value) && is_within(offset, cell.size);
    let pointers: Vec<(u64, TermId)> = block
        .cells
        .iter()
        .filter(|(offset, cell)| holds(**offset, cell))
        .map(|(&offset, cell)| (offset, cell.value))
        .collect();
    let are_elements = pointers.iter().all(|(offset, value)| {
        offset % width == 0 && u64::from(names.terms.width(*value)) == 8 * width
    });
    if pointers.is_empty() || !is_array || !are_elements {
        return None;
    }
    let mut state = state.clone();
    let offsets: Vec<u64> = pointers.iter().map(|&(offset, _)| offset).collect();
    for (offset, value) in pointers {
        state.block_mut(array).cells.remove(&offset);
        let at = names.terms.bit_vector(u128::from(offset), names.pointer_bits());
        put_slot(names, &mut state, (array, at), (width, value));
    }
    zeros_as_extents(names, &mut state, array, (width, &offsets)).then_some(state)
}

/// Bytes that are zero because nothing was written yet become extents: of bytes that slots have, an array tells nothing. Whether
/// all bytes that no cell covers are zero, or arbitrary.
fn zeros_as_extents(
    names: &mut Names<'_>,
    state: &mut State,
    array: BlockId,
    (width, slots): (u64, &[u64]),
) -> bool {
    let block = state.block(array);
    let is_zero = match block.rest {
        DefaultBytes::Uninitialised => return true,
        DefaultBytes::Zero => true,
        DefaultBytes::Initial(object) => names.is_zeroed(object),
    };
    let are_zero = block.cells.values().all(|cell| names.constant(cell.value) == Some(0));
    if !is_zero || !are_zero {
        return false;
    }
    let here = names.here(width);
    let nothing = names.terms.bit_vector(0, 8 * width as u32);
    let law = vec![names.terms.equal(here, nothing)];
    let place = |names: &mut Names<'_>, offset: u64| {
        names.terms.bit_vector(u128::from(offset), names.pointer_bits())
    };
    let size = block.size;
    let mut extents = Vec::new();
    let mut start = 0;
    for &slot in slots {
        let (from, to) = (place(names, start), place(names, slot));
        if from != to {
            let law = law.clone();
            extents.push(Extent { from, to, stride: width, size: width, beside: None, law });
        }
        start = slot + width;
    }
    let from = place(names, start);
    extents.push(Extent { from, to: size, stride: width, size: width, beside: None, law });
    let target = state.block_mut(array);
    target.cells.clear();
    target.rest = DefaultBytes::Uninitialised;
    target.contents.extents.extend(extents);
    true
}

/// Adds a slot to an array.
pub(crate) fn put_slot(
    names: &mut Names<'_>,
    state: &mut State,
    (array, at): (BlockId, TermId),
    (size, value): (u64, TermId),
) {
    let origin = state.block(array).origin;
    let mut block = elements_block(names, origin, size);
    block.cells.insert(0, Cell { size, value });
    block.role = Slot { array: names.pointer_to(array), at }.into();
    let id = state.new_block_id();
    state.blocks.insert(id, Arc::new(block));
}
