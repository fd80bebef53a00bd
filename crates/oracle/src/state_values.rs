//! The values of a state, numbered, so that one after the other can be changed.

use heapwright_interpreter::{BlockIdentity, Snapshot, ValueState};
use heapwright_program::{ObjectId, ObjectKind, Program};

/// A variable of the innermost calls first, then globals, then cells of blocks. Constants and literals
/// are what they are in every execution, so a state with others is none.
pub(crate) fn value_number<'s>(
    program: &Program,
    snapshot: &'s mut Snapshot,
    number: usize,
) -> Option<&'s mut ValueState> {
    let may_change = |object: ObjectId| {
        let object = &program.objects[object];
        !object.is_constant && !matches!(object.kind, ObjectKind::String { .. })
    };
    let frames = snapshot.frames.iter_mut().rev();
    let variables = frames.flat_map(|frame| frame.variables.iter_mut().map(|(_, value)| value));
    let globals = snapshot.globals.iter_mut().map(|(_, value)| value);
    let blocks = snapshot.blocks.iter_mut().filter(|block| match block.identity {
        BlockIdentity::Heap | BlockIdentity::Local { .. } | BlockIdentity::Alloca { .. } => true,
        BlockIdentity::Static(object) => may_change(object),
        BlockIdentity::Given(_) => false,
    });
    let cells = blocks.flat_map(|block| block.cells.iter_mut().map(|cell| &mut cell.value));
    variables.chain(globals).chain(cells).nth(number)
}
