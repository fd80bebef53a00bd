//! The state of a symbolic execution: call stack, blocks with cells, path condition.
//!
//! Values are terms; a pointer is the address variable of its block plus an offset, and is
//! recognised by that form ([`crate::execution::expression`]). Everything is persistent, so that a fork costs little.

use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_engine::Signature;
use heapwright_logic::{Model, TermId};
use heapwright_program::{FunctionId, LocationId, ObjectId, Place, ScalarType, VariableId};
use imbl::{OrdMap, Vector};

use crate::heap::block::{Block, BlockId, BlockKind, Life, Prototype};
use crate::heap::names::Names;
use crate::heap::prototype::Fragment;
use crate::heap::trail::Trail;

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) location: LocationId,
    /// By the variable's slot in its function.
    pub(crate) registers: Arc<Vec<Option<TermId>>>,
    /// The blocks of the local objects that are alive.
    pub(crate) objects: OrdMap<ObjectId, BlockId>,
    pub(crate) allocas: Vector<BlockId>,
    /// Where the result goes, in the caller's frame.
    pub(crate) target: Option<VariableId>,
}

/// An input that the execution drew, to be given a value by a model.
#[derive(Clone, Debug)]
pub(crate) enum DrawnTerm {
    Nondeterministic {
        name: Arc<str>,
        ty: ScalarType,
        value: TermId,
        place: Place,
    },
    Variable {
        variable: Option<VariableId>,
        ty: ScalarType,
        value: TermId,
        place: Place,
    },
    /// The bytes of `value`, from `offset` on.
    Bytes {
        serial: u64,
        offset: u64,
        size: u64,
        value: TermId,
    },
    AllocationFailed {
        serial: u64,
    },
}

impl DrawnTerm {
    /// The variable that it gives a value, if it does.
    pub(crate) fn value(&self) -> Option<TermId> {
        match self {
            DrawnTerm::Nondeterministic { value, .. }
            | DrawnTerm::Variable { value, .. }
            | DrawnTerm::Bytes { value, .. } => Some(*value),
            DrawnTerm::AllocationFailed { .. } => None,
        }
    }
}

/// What callers whose frames are cut off still hold of a state ([`crate::interprocedural`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The function that they called.
    pub(crate) function: FunctionId,
    /// Addresses and numbers that both sides of the cut know. Nothing in the call changes them.
    pub(crate) held: Vec<TermId>,
    /// What the call gives back, once it has returned.
    pub(crate) result: Option<TermId>,
}

impl Outside {
    pub(crate) fn values(&self) -> impl Iterator<Item = TermId> + '_ {
        self.held.iter().chain(&self.result).copied()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) frames: Vector<Frame>,
    /// Not there if the frames go down to that of `main`.
    pub(crate) outside: Option<Arc<Outside>>,
    pub(crate) globals: Arc<Vec<Option<TermId>>>,
    pub(crate) blocks: OrdMap<BlockId, Arc<Block>>,
    pub(crate) static_blocks: Arc<Vec<Option<BlockId>>>,
    /// Of functions whose addresses are taken.
    pub(crate) function_blocks: Arc<Vec<Option<BlockId>>>,
    pub(crate) next_block: u32,
    pub(crate) next_serial: u64,
    /// Conjuncts.
    pub(crate) condition: Vector<TermId>,
    /// Satisfies the condition, where one is at hand.
    pub(crate) model: Option<Arc<Model>>,
    pub(crate) drawn: Vector<DrawnTerm>,
    /// What stands for remainders, by what they are, since states met last: there, names come to mean other numbers.
    pub(crate) remainders: OrdMap<TermId, TermId>,
    /// Forks and loop rounds so far: what the search goes by.
    pub(crate) depth: u32,
    /// Not a fact that states are compared by.
    pub(crate) trail: Trail,
    /// The branches of a path without summaries, from the start on. No fact either.
    pub(crate) signature: Signature,
}

/// The largest object whose members count as variables of the program, in bytes.
const LARGEST_RECORD: u128 = 128;

impl Names<'_> {
    /// Whether a block may be an object with members: small, and of a size that is told.
    pub(crate) fn is_record(&self, block: &Block) -> bool {
        let is_small = self.constant(block.size).is_some_and(|size| size <= LARGEST_RECORD);
        is_small && block.life == Life::Alive && block.is_single()
    }
}

impl State {
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a running program has a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.back_mut().expect("a running program has a frame")
    }

    /// A block number that the state does not have yet.
    pub(crate) fn new_block_id(&mut self) -> BlockId {
        let id = BlockId::from_index(self.next_block as usize);
        self.next_block += 1;
        id
    }

    /// What the variables of all frames and the globals hold, those of callers included.
    pub(crate) fn held_by_variables(&self) -> Vec<TermId> {
        let frames = self.frames.iter().flat_map(|frame| frame.registers.iter());
        let own = self.globals.iter().chain(frames).flatten().copied();
        own.chain(self.held_outside()).collect()
    }

    /// The same, and what the members of small objects hold behind that: a program may keep its counters beside a pointer.
    pub(crate) fn held_by_members(&self, names: &Names<'_>) -> Vec<TermId> {
        let mut held = self.held_by_variables();
        let records = self.blocks.values().filter(|block| names.is_record(block));
        for value in records.flat_map(|block| block.cells.values().map(|cell| cell.value)) {
            if !held.contains(&value) {
                held.push(value);
            }
        }
        held
    }

    /// What callers hold whose frames are cut off.
    pub(crate) fn held_outside(&self) -> impl Iterator<Item = TermId> + '_ {
        self.outside.iter().flat_map(|outside| outside.values())
    }

    /// Changes what is said of the nodes of all segments and trees.
    pub(crate) fn change_prototypes(
        &mut self,
        change: &mut dyn FnMut(&State, &mut Arc<Prototype>),
    ) {
        let segments: Vec<BlockId> = self
            .blocks
            .iter()
            .filter(|(_, block)| {
                block.prototypes().iter().any(|prototype| !prototype.condition.is_empty())
            })
            .map(|(&id, _)| id)
            .collect();
        for id in segments {
            let mut role = self.block(id).role.clone();
            for prototype in role.prototypes_mut() {
                change(self, prototype);
            }
            if self.block(id).role != role {
                self.block_mut(id).role = role;
            }
        }
    }

    /// Whether a block can be a node of a list.
    pub(crate) fn is_node(&self, id: BlockId) -> bool {
        let block = self.block(id);
        let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
        is_live_heap && !block.is_peer()
    }

    /// The same with the blocks of an opened prototype, and what is said of them.
    pub(crate) fn with_fragment(&self, fragment: &Fragment) -> State {
        let mut state = self.clone();
        state.blocks.extend(fragment.blocks.iter().cloned());
        state.condition.extend(fragment.condition.iter().copied());
        state.model = None;
        state
    }

    pub(crate) fn block(&self, id: BlockId) -> &Arc<Block> {
        &self.blocks[&id]
    }

    pub(crate) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        Arc::make_mut(self.blocks.get_mut(&id).expect("a block of this state"))
    }
}
