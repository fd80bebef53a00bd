//! Small states: memories of a few blocks that a claimed forest stands for, for the oracle to run from.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, ValueState,
};
use heapwright_memory::Life;
use heapwright_program::{FunctionId, ObjectId, ObjectKind, Program, VariableId};

use crate::automaton::Value;
use crate::forest::{Base, BlockId, Body, Cells, Forest};
use crate::unfold::opened;

/// Forests that are looked at for one claim, and memories of one claim that are kept.
const MOST_TRIED: usize = 400;
const MOST_KEPT: usize = 8;

/// States that the claims stand for, with so many blocks more than they name, or one less.
#[must_use]
pub fn small_states(claims: &[Forest], more: usize, program: &Program) -> Vec<Snapshot> {
    let memories = claims.iter().flat_map(|claim| memories(claim, 2 * more));
    memories.filter_map(|memory| written(&memory, program)).collect()
}

fn memories(claim: &Forest, more: usize) -> Vec<Forest> {
    let most = claim.blocks.len() + more;
    let mut pending = vec![claim.clone()];
    let mut kept = Vec::new();
    let mut tried = 0;
    while let Some(forest) = pending.pop() {
        tried += 1;
        if tried > MOST_TRIED || kept.len() >= MOST_KEPT {
            break;
        }
        let closed = forest.blocks.iter().find(|(_, body)| matches!(body, Body::Closed { .. }));
        match closed {
            Some((block, _)) => {
                let is_small = |it: &Forest| it.blocks.len() <= most;
                pending.extend(opened(&forest, *block).into_iter().filter(is_small));
            }
            None if forest.blocks.len() + 1 >= most => kept.push(forest),
            None => {}
        }
    }
    kept
}

/// A memory as data for the interpreter; `None` where something cannot be written down.
fn written(memory: &Forest, program: &Program) -> Option<Snapshot> {
    let names = memory.blocks.keys().enumerate().map(|(index, block)| (*block, index)).collect();
    let mut writer =
        Writer { program, snapshot: Snapshot::default(), names, objects: BTreeMap::new() };
    let calls = memory.spot.calls.iter();
    let points = calls.map(|(caller, edge)| (*caller, FramePoint::Calling(*edge)));
    let innermost = (memory.spot.function, FramePoint::At(memory.spot.location));
    let frame = |(function, point)| FrameState { function, point, variables: Vec::new() };
    writer.snapshot.frames = points.chain([innermost]).map(frame).collect();
    for body in memory.blocks.values() {
        writer.block(BlockIdentity::Heap, body.size());
    }
    for object in objects_of(memory) {
        writer.object(object)?;
    }
    for (block, body) in &memory.blocks {
        let Body::Open { cells, .. } = body else { return None };
        writer.put(writer.names[block], cells)?;
    }
    for (object, cells) in &memory.objects {
        if let Some(block) = writer.objects.get(object) {
            writer.put(*block, cells)?;
        }
    }
    for (variable, held) in &memory.variables {
        if let Some(value) = writer.value(*held) {
            writer.set(*variable, value)?;
        }
    }
    Some(writer.snapshot)
}

/// The objects that something is known of, or that pointers lead to.
fn objects_of(memory: &Forest) -> BTreeSet<ObjectId> {
    let cells = memory.blocks.values().flat_map(|body| match body {
        Body::Open { cells, .. } => cells.values().map(|cell| cell.holds).collect(),
        Body::Closed { .. } => Vec::new(),
    });
    let led_to = memory.roots().chain(cells).filter_map(|value| match value {
        Value::Object(object, _) => Some(object),
        Value::Any | Value::Bits(_) | Value::Function(_) | Value::To(..) => None,
    });
    memory.objects.keys().copied().chain(led_to).collect()
}

struct Writer<'p> {
    program: &'p Program,
    snapshot: Snapshot,
    /// Where blocks of the heap and objects are among the blocks.
    names: BTreeMap<BlockId, usize>,
    objects: BTreeMap<ObjectId, usize>,
}

impl Writer<'_> {
    fn block(&mut self, identity: BlockIdentity, size: u64) {
        let (life, cells, base) = (Life::Alive, Vec::new(), None);
        self.snapshot.blocks.push(BlockState { identity, life, size, cells, base });
    }

    fn frame_of(&self, function: FunctionId) -> Option<usize> {
        self.snapshot.frames.iter().position(|frame| frame.function == function)
    }

    /// The bytes of an object are arbitrary but for cells that are listed. Constants are left as they are.
    fn object(&mut self, object: ObjectId) -> Option<()> {
        let item = &self.program.objects[object];
        let identity = match &item.kind {
            ObjectKind::Static { .. } if item.is_constant => return Some(()),
            ObjectKind::Static { .. } | ObjectKind::External => BlockIdentity::Static(object),
            ObjectKind::Local => {
                BlockIdentity::Local { frame: self.frame_of(item.function?)?, object }
            }
            ObjectKind::String { .. } => return None,
        };
        self.objects.insert(object, self.snapshot.blocks.len());
        self.block(identity, item.size?);
        Some(())
    }

    /// Nothing is written for what may be anything.
    fn value(&self, value: Value<Base>) -> Option<ValueState> {
        match value {
            Value::Any | Value::To(Base::Up(..), _) => None,
            Value::Bits(bits) => Some(ValueState::Bits(bits)),
            Value::Function(function) => Some(ValueState::Function(function)),
            Value::To(Base::Block(block), offset) => {
                Some(ValueState::Pointer { block: self.names[&block], offset })
            }
            Value::Object(object, offset) => {
                Some(ValueState::Pointer { block: *self.objects.get(&object)?, offset })
            }
        }
    }

    fn put(&mut self, block: usize, cells: &Cells) -> Option<()> {
        for (offset, cell) in cells {
            let value = self.value(cell.holds)?;
            if cell.width > 8 && cell.holds != Value::NULL {
                return None;
            }
            let into = &mut self.snapshot.blocks[block].cells;
            let mut at = *offset;
            // Runs of zeros are written in words.
            while at < offset + cell.width {
                let width = (offset + cell.width - at).min(8);
                into.push(CellState { offset: at, width, value: value.clone() });
                at += width;
            }
        }
        Some(())
    }

    fn set(&mut self, variable: VariableId, value: ValueState) -> Option<()> {
        let variables = match self.program.variables[variable].function {
            None => &mut self.snapshot.globals,
            Some(function) => {
                let frame = self.frame_of(function)?;
                &mut self.snapshot.frames[frame].variables
            }
        };
        variables.push((variable, value));
        Some(())
    }
}
