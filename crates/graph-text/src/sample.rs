//! Small states: memories of a few blocks that a claimed graph describes, for the oracle to run from.
//!
//! Every listed word gets one of its targets, in all ways or in many; what the graph describes is kept. How
//! blocks are taken out of nodes does not matter here, so that a slip there shows.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{DenseId, IdVec};
use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, ValueState,
};
use heapwright_memory::Life;
use heapwright_program::{FunctionId, ObjectId, ObjectKind, Program, VariableId};

use crate::describes::describes;
use crate::graph::{Block, Graph, Node, NodeId, Root, Target, Targets};
use crate::state::State;

/// Memories that are tried of one graph, and those of them that are kept.
const MOST_TRIED: usize = 400;
const MOST_KEPT: usize = 12;
/// An address at which nothing lies.
const NOWHERE: u128 = 0x40;

/// States that the claims describe, with so many blocks for each node that may have many.
pub fn small_states(claims: &[State], many: usize, program: &Program) -> Vec<Snapshot> {
    let memories = claims.iter().flat_map(|claim| memories(claim, many));
    memories.filter_map(|memory| write(&memory, program)).collect()
}

/// What holds a pointer.
#[derive(Clone, Copy)]
enum Holder {
    Root(Root),
    Word(NodeId, u64),
}

fn memories(claim: &State, many: usize) -> Vec<State> {
    let nodes = claim.graph.nodes.enumerated();
    let blocks: Vec<NodeId> = nodes
        .flat_map(|(id, node)| std::iter::repeat_n(id, if node.is_many { many } else { 1 }))
        .collect();
    let blocks: IdVec<NodeId, NodeId> = blocks.into_iter().collect();
    let spread = |targets: &Targets| -> Vec<Target> {
        let to = |target: &Target| match target.node() {
            None => vec![*target],
            Some(node) => {
                let places = blocks.enumerated().filter(|(_, from)| **from == node);
                places.map(|(block, _)| target.in_node(block)).collect()
            }
        };
        targets.iter().flat_map(to).collect()
    };
    let roots = claim.graph.roots.iter().map(|(root, held)| (Holder::Root(*root), spread(held)));
    let words = blocks.enumerated().flat_map(|(block, from)| {
        let words = claim.graph.nodes[*from].words.iter();
        words.map(move |(offset, held)| (Holder::Word(block, *offset), held))
    });
    let words = words.map(|(holder, held)| (holder, spread(held)));
    let choices: Vec<(Holder, Vec<Target>)> = roots.chain(words).collect();
    let count = choices.iter().fold(1usize, |count, it| count.saturating_mul(it.1.len()));
    let stride = (count / MOST_TRIED).max(1) | 1;
    let numbers = (0..count).step_by(stride).take(MOST_TRIED);
    let memory = |number| memory(claim, &blocks, &choices, number);
    let is_its = |memory: &State| describes(claim, memory) == Some(true);
    numbers.map(memory).filter(is_its).take(MOST_KEPT).collect()
}

/// The memory with this number.
fn memory(
    claim: &State,
    blocks: &IdVec<NodeId, NodeId>,
    choices: &[(Holder, Vec<Target>)],
    mut number: usize,
) -> State {
    let size = |node: &NodeId| claim.graph.nodes[*node].size;
    let block = |node| Node { size: size(node), ..Node::default() };
    let mut graph = Graph { nodes: blocks.iter().map(block).collect(), roots: BTreeMap::new() };
    for (holder, targets) in choices {
        let held = Targets::from([targets[number % targets.len()]]);
        number /= targets.len();
        match holder {
            Holder::Root(root) => graph.roots.insert(*root, held),
            Holder::Word(block, offset) => graph.nodes[*block].words.insert(*offset, held),
        };
    }
    graph.count_links();
    State { graph, ..claim.clone() }
}

/// A memory as data for the interpreter; `None` where something cannot be written down.
fn write(memory: &State, program: &Program) -> Option<Snapshot> {
    let mut writer = Writer { program, snapshot: Snapshot::default(), objects: BTreeMap::new() };
    let calls = memory.spot.calls.iter();
    let points = calls.map(|(caller, edge)| (*caller, FramePoint::Calling(*edge)));
    let innermost = (memory.spot.function, FramePoint::At(memory.spot.location));
    let frames = points.chain([innermost]);
    let frame = |(function, point)| FrameState { function, point, variables: Vec::new() };
    writer.snapshot.frames = frames.map(frame).collect();
    for node in memory.graph.nodes.iter() {
        writer.block(BlockIdentity::Heap, node.size);
    }
    let held = memory.graph.nodes.iter().flat_map(|node| node.words.values());
    let targets: BTreeSet<Target> =
        held.chain(memory.graph.roots.values()).flatten().copied().collect();
    let roots = memory.graph.roots.keys().filter_map(|root| match root {
        Root::Word(object, _) => Some(*object),
        Root::Variable(_) => None,
    });
    let led_to = targets.iter().filter_map(|target| match target {
        Target::In(Block::Object(object), _) => Some(*object),
        Target::In(Block::Node(_), _) | Target::Null | Target::Wild | Target::Function(_) => None,
    });
    for object in roots.chain(led_to).chain(memory.objects.iter().copied()) {
        writer.object(object)?;
    }
    for (id, node) in memory.graph.nodes.enumerated() {
        for (offset, held) in &node.words {
            writer.put(id.index(), *offset, held)?;
        }
    }
    for (root, held) in &memory.graph.roots {
        match root {
            Root::Word(object, offset) => writer.put(writer.objects[object], *offset, held)?,
            Root::Variable(variable) => {
                let value = writer.value(*held.first()?);
                writer.set(*variable, value)?;
            }
        }
    }
    for (variable, bits) in &memory.numbers {
        writer.set(*variable, ValueState::Bits(*bits))?;
    }
    Some(writer.snapshot)
}

struct Writer<'p> {
    program: &'p Program,
    snapshot: Snapshot,
    /// Where objects are among the blocks.
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

    /// The bytes of an object are arbitrary but for the words that are listed. Literals are left out.
    fn object(&mut self, object: ObjectId) -> Option<()> {
        let item = &self.program.objects[object];
        let identity = match &item.kind {
            ObjectKind::Static { .. } | ObjectKind::External => BlockIdentity::Static(object),
            ObjectKind::Local => {
                BlockIdentity::Local { frame: self.frame_of(item.function?)?, object }
            }
            ObjectKind::String { .. } => return None,
        };
        if !self.objects.contains_key(&object) {
            self.objects.insert(object, self.snapshot.blocks.len());
            self.block(identity, item.size?);
        }
        Some(())
    }

    fn value(&self, target: Target) -> ValueState {
        match target {
            Target::Null => ValueState::Bits(0),
            Target::Wild => ValueState::Bits(NOWHERE),
            Target::Function(function) => ValueState::Function(function),
            Target::In(Block::Node(node), offset) => {
                ValueState::Pointer { block: node.index(), offset }
            }
            Target::In(Block::Object(object), offset) => {
                ValueState::Pointer { block: self.objects[&object], offset }
            }
        }
    }

    fn put(&mut self, block: usize, offset: u64, held: &Targets) -> Option<()> {
        let value = self.value(*held.first()?);
        let width = self.program.model.pointer_size();
        // Words come in ascending order.
        self.snapshot.blocks[block].cells.push(CellState { offset, width, value });
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
