//! A machine's state, byte by byte, as long as nothing is known of its types.
//!
//! Blocks that did not change since the last capture are shared with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId, BlockKind, BlockRecord, Life, Memory, Origin, Value};
use heapwright_program::{FunctionId, Place, Program, VariableId, VariableKind};

/// Bytes of a block that are looked at; the rest of a larger one is not shown.
const MOST_BYTES: u64 = 4096;

#[derive(Clone, Debug, Default)]
pub(crate) struct RawState {
    pub(crate) frames: Vec<RawFrame>,
    pub(crate) globals: Vec<(VariableId, RawValue)>,
    pub(crate) blocks: Vec<Arc<RawBlock>>,
}

#[derive(Clone, Debug)]
pub(crate) struct RawFrame {
    pub(crate) function: FunctionId,
    pub(crate) place: Place,
    pub(crate) variables: Vec<(VariableId, RawValue)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawValue {
    Bits(u128),
    Pointer { block: u64, offset: i64 },
    Function(FunctionId),
    Uninitialised,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawBlock {
    pub(crate) serial: u64,
    pub(crate) kind: BlockKind,
    pub(crate) origin: Origin,
    pub(crate) life: Life,
    pub(crate) size: u64,
    /// The first bytes; those that have no value are `None`.
    pub(crate) bytes: Vec<Option<u8>>,
    /// Pointers that were stored as such, by their offsets.
    pub(crate) pointers: BTreeMap<u64, RawValue>,
    pub(crate) allocated: Place,
    pub(crate) released: Option<Place>,
}

/// Which variables of which call have a value: `false` for one that was declared without.
pub(crate) type Assigned = BTreeMap<(usize, VariableId), bool>;

/// The state of a machine now.
pub(crate) fn capture(machine: &Machine<'_>, assigned: &Assigned, before: &RawState) -> RawState {
    let program = machine.program();
    let frames = machine.frames().into_iter().enumerate();
    let users = frames.filter(|(_, frame)| is_users(program, frame.function));
    let frames = users.map(|(number, frame)| {
        let of_frame = assigned.range((number, first_variable())..(number + 1, first_variable()));
        let variables = of_frame.map(|(&(_, id), &has_value)| {
            let value = match has_value {
                true => variable(machine, number, id),
                false => RawValue::Uninitialised,
            };
            (id, value)
        });
        RawFrame { function: frame.function, place: frame.place, variables: variables.collect() }
    });
    RawState {
        frames: frames.collect(),
        globals: globals(machine),
        blocks: blocks(machine.memory(), program, before),
    }
}

fn first_variable() -> VariableId {
    heapwright_base::DenseId::from_index(0)
}

/// Whether a function is the user's, and no model.
pub(crate) fn is_users(program: &Program, function: FunctionId) -> bool {
    let file = program.functions[function].place.file;
    program.files.get(file).is_some_and(|file| !file.is_model)
}

fn globals(machine: &Machine<'_>) -> Vec<(VariableId, RawValue)> {
    let program = machine.program();
    let is_shown = |id: &VariableId| {
        let variable = &program.variables[*id];
        let file = program.files.get(variable.place.file);
        matches!(variable.kind, VariableKind::Global { .. })
            && variable.place.line > 0
            && file.is_some_and(|file| !file.is_model)
    };
    let ids = program.variables.enumerated().map(|(id, _)| id).filter(is_shown);
    ids.map(|id| (id, variable(machine, 0, id))).collect()
}

pub(crate) fn variable(machine: &Machine<'_>, frame: usize, id: VariableId) -> RawValue {
    let value = machine.variable(frame, id);
    match machine.program().variables[id].scalar.is_pointer() {
        true => pointer(machine.memory(), value),
        false => RawValue::Bits(value.wide()),
    }
}

fn pointer(memory: &Memory, value: Value) -> RawValue {
    let Some(id) = value.block() else { return RawValue::Bits(u128::from(value.low)) };
    let record = memory.block(id);
    match record.origin {
        Origin::Function(function) => RawValue::Function(function),
        Origin::Object(_) | Origin::Anonymous => RawValue::Pointer {
            block: record.serial,
            offset: value.low.wrapping_sub(record.base) as i64,
        },
    }
}

fn blocks(memory: &Memory, program: &Program, before: &RawState) -> Vec<Arc<RawBlock>> {
    let known: BTreeMap<u64, &Arc<RawBlock>> =
        before.blocks.iter().map(|block| (block.serial, block)).collect();
    let shown = memory.blocks().filter(|(_, record)| is_shown(program, record));
    shown
        .map(|(id, record)| {
            let block = raw_block(memory, id, record, known.get(&record.serial).copied());
            match known.get(&record.serial) {
                Some(old) if ***old == block => Arc::clone(old),
                Some(_) | None => Arc::new(block),
            }
        })
        .collect()
}

fn is_shown(program: &Program, record: &BlockRecord) -> bool {
    match (record.kind, record.origin) {
        (BlockKind::Function, _) => false,
        (BlockKind::Heap, _) | (BlockKind::Stack, Origin::Anonymous) => true,
        (_, Origin::Object(object)) => {
            let file = program.files.get(program.objects[object].place.file);
            file.is_some_and(|file| !file.is_model)
        }
        (_, Origin::Function(_) | Origin::Anonymous) => false,
    }
}

fn raw_block(
    memory: &Memory,
    id: BlockId,
    record: &BlockRecord,
    before: Option<&Arc<RawBlock>>,
) -> RawBlock {
    // Nobody may read a dead block any more: it is shown as it was.
    let (bytes, pointers) = match (record.life, before) {
        (Life::Alive, _) => contents(memory, id, record.size),
        (Life::Freed | Life::OutOfScope, Some(old)) => (old.bytes.clone(), old.pointers.clone()),
        (Life::Freed | Life::OutOfScope, None) => (Vec::new(), BTreeMap::new()),
    };
    RawBlock {
        serial: record.serial,
        kind: record.kind,
        origin: record.origin,
        life: record.life,
        size: record.size,
        bytes,
        pointers,
        allocated: record.allocated,
        released: record.released,
    }
}

fn contents(memory: &Memory, id: BlockId, size: u64) -> (Vec<Option<u8>>, BTreeMap<u64, RawValue>) {
    let bytes = memory.bytes(id);
    let count = size.min(MOST_BYTES).min(bytes.len() as u64);
    let byte = |offset: u64| memory.is_initialised(id, offset).then(|| bytes[offset as usize]);
    let width = memory.model().pointer_size();
    let stored = (0..count).step_by(width as usize).filter_map(|offset| {
        let value = memory.stored_pointer(id, offset)?;
        Some((offset, pointer(memory, value)))
    });
    ((0..count).map(byte).collect(), stored.collect())
}
