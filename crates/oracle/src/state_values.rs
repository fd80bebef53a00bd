//! The values of a state, numbered, so that one after the other can be changed.

use heapwright_interpreter::{BlockIdentity, Snapshot, ValueState};

/// A variable of the innermost calls first, then globals, then cells of blocks.
pub(crate) fn value_number(snapshot: &mut Snapshot, number: usize) -> Option<&mut ValueState> {
    let frames = snapshot.frames.iter_mut().rev();
    let variables = frames.flat_map(|frame| frame.variables.iter_mut().map(|(_, value)| value));
    let globals = snapshot.globals.iter_mut().map(|(_, value)| value);
    let blocks = snapshot.blocks.iter_mut().filter(|block| match block.identity {
        BlockIdentity::Heap | BlockIdentity::Local { .. } | BlockIdentity::Static(_) => true,
        BlockIdentity::Alloca { .. } => true,
        BlockIdentity::Given(_) => false,
    });
    let cells = blocks.flat_map(|block| block.cells.iter_mut().map(|cell| &mut cell.value));
    variables.chain(globals).chain(cells).nth(number)
}
