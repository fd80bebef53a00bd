//! The memory of a running machine as a graph with a node for each block.

use std::collections::BTreeMap;

use heapwright_base::DenseId;
use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId, Life, Origin, Value};
use heapwright_program::{FunctionId, ObjectId, ObjectKind};

use crate::graph::{Block, Graph, MOST_WORDS, Node, NodeId, Root, Target, Targets};
use crate::state::State;

/// The machine's state, as far as the claim asks for roots, numbers and objects.
pub fn state_of(machine: &Machine<'_>, claim: &State) -> State {
    let functions = machine.frames().into_iter().map(|frame| frame.function).collect();
    let blocks = machine.memory().live_heap().enumerate();
    let nodes = blocks.map(|(index, (block, _))| (block, NodeId::from_index(index))).collect();
    let view = View { machine, functions, nodes };
    let variables = claim.numbers.keys().copied();
    let numbers = variables.filter_map(|variable| {
        let owner = machine.program().variables[variable].function;
        Some((variable, machine.variable(view.frame_of(owner)?, variable).wide()))
    });
    let objects = claim.objects.iter().copied();
    State {
        spot: claim.spot.clone(),
        graph: view.graph(claim.graph.roots.keys().copied()),
        numbers: numbers.collect(),
        objects: objects.filter(|object| view.block_of(*object).is_some()).collect(),
    }
}

struct View<'v, 'e> {
    machine: &'v Machine<'e>,
    functions: Vec<FunctionId>,
    nodes: BTreeMap<BlockId, NodeId>,
}

impl View<'_, '_> {
    fn graph(&self, roots: impl Iterator<Item = Root>) -> Graph {
        let mut graph = Graph::default();
        let word = self.machine.program().model.pointer_size();
        for block in self.nodes.keys() {
            let size = self.machine.memory().block(*block).size;
            let offsets = (0..(size / word).min(MOST_WORDS)).map(|index| index * word);
            let words: BTreeMap<u64, Targets> =
                offsets.filter_map(|offset| Some((offset, self.held(*block, offset)?))).collect();
            graph.nodes.push(Node { size, words, ..Node::default() });
        }
        graph.count_links();
        graph.roots = roots.filter_map(|root| Some((root, self.root(root)?))).collect();
        graph
    }

    fn root(&self, root: Root) -> Option<Targets> {
        match root {
            Root::Variable(variable) => {
                let frame = self.frame_of(self.machine.program().variables[variable].function)?;
                Some(Targets::from([self.target(self.machine.variable(frame, variable))]))
            }
            Root::Word(object, offset) => self.held(self.block_of(object)?, offset),
        }
    }

    /// What a word holds, if it is initialised and no remnant of a pointer.
    fn held(&self, block: BlockId, offset: u64) -> Option<Targets> {
        let memory = self.machine.memory();
        let address = Value::pointer(memory.block(block).base + offset, block);
        Some(Targets::from([self.target(memory.plain_load_pointer(address)?)]))
    }

    fn target(&self, value: Value) -> Target {
        let Some(block) = value.block().filter(|_| value.low != 0) else {
            return if value.low == 0 { Target::Null } else { Target::Wild };
        };
        let record = self.machine.memory().block(block);
        let offset = value.low.wrapping_sub(record.base) as i64;
        match record.origin {
            _ if record.life != Life::Alive => Target::Wild,
            Origin::Function(function) => Target::Function(function),
            Origin::Object(object) => Target::In(Block::Object(object), offset),
            Origin::Anonymous => {
                let node = self.nodes.get(&block);
                node.map_or(Target::Wild, |node| Target::In(Block::Node(*node), offset))
            }
        }
    }

    /// The frame of a function that is under way; the first one for what belongs to none.
    fn frame_of(&self, function: Option<FunctionId>) -> Option<usize> {
        match function {
            None => Some(0),
            Some(function) => self.functions.iter().position(|known| *known == function),
        }
    }

    fn block_of(&self, object: ObjectId) -> Option<BlockId> {
        let item = &self.machine.program().objects[object];
        let owner = item.function.filter(|_| item.kind == ObjectKind::Local);
        self.machine.object(self.frame_of(owner)?, object)
    }
}
