//! Operations on the life of blocks: allocation, release, scopes.

use std::sync::Arc;

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{ExpressionId, ObjectId, Place, Storage, VariableId};
use imbl::OrdMap;

use crate::execution::expression::{evaluate, resize};
use crate::execution::outcome::Outcome;
use crate::execution::step::set;
use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, Life};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::role::Role;
use crate::heap::state::{DrawnTerm, State};
use crate::reasoning::Reasoner;
use crate::summary::fold::unfold;

/// Adds a block to the state.
pub(crate) fn new_block(
    names: &mut Names<'_>,
    state: &mut State,
    kind: BlockKind,
    size: TermId,
    rest: DefaultBytes,
) -> BlockId {
    let id = state.new_block_id();
    let serial = match kind {
        BlockKind::Heap | BlockKind::Stack | BlockKind::Constant => {
            state.next_serial += 1;
            state.next_serial - 1
        }
        BlockKind::Static | BlockKind::String | BlockKind::Function(_) | BlockKind::Elements => {
            u64::MAX
        }
    };
    let block = Block {
        kind,
        life: Life::Alive,
        size,
        cells: OrdMap::new(),
        rest,
        zero: None,
        contents: Contents::default(),
        serial,
        origin: names.origin(state),
        role: Role::default(),
    };
    state.blocks.insert(id, Arc::new(block));
    id
}

pub(crate) fn allocate(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    target: VariableId,
    storage: Storage,
    (size, zeroed): (ExpressionId, bool),
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let size = evaluate(reasoner, &mut state, size);
    let bits = reasoner.names.pointer_bits();
    let size = resize(&mut reasoner.names, size, false, bits);
    let rest = if zeroed { DefaultBytes::Zero } else { DefaultBytes::Uninitialised };
    let mut outcomes = Vec::new();
    if storage == Storage::Heap && reasoner.names.task().malloc_may_fail {
        let mut failed = state.clone();
        let serial = failed.next_serial;
        failed.next_serial += 1;
        failed.drawn.push_back(DrawnTerm::AllocationFailed { serial });
        let null = reasoner.names.terms.bit_vector(0, reasoner.names.pointer_bits());
        set(&mut reasoner.names, &mut failed, target, null);
        failed.depth += 1;
        outcomes.push(moved(failed));
    }
    let kind = match storage {
        Storage::Heap => BlockKind::Heap,
        // No frame knows a permanent one, so that no return ends it.
        Storage::Alloca | Storage::Permanent => BlockKind::Stack,
    };
    let block = new_block(&mut reasoner.names, &mut state, kind, size, rest);
    if storage == Storage::Alloca {
        state.frame_mut().allocas.push_back(block);
    }
    let pointer = reasoner.names.pointer_to(block);
    set(&mut reasoner.names, &mut state, target, pointer);
    outcomes.push(moved(state));
    outcomes
}

pub(crate) fn free(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    address: ExpressionId,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let pointer = evaluate(reasoner, &mut state, address);
    with_heap_start(reasoner, state, pointer, place, &mut |_, mut state, block| {
        if let Some(block) = block {
            // Nobody can read it any more.
            let freed = state.block_mut(block);
            freed.life = Life::Freed;
            freed.cells.clear();
            freed.zero = None;
            state.forget_contents(block);
        }
        moved(state)
    })
}

pub(crate) fn block_size(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    target: VariableId,
    address: ExpressionId,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    let pointer = evaluate(reasoner, &mut state, address);
    with_heap_start(reasoner, state, pointer, place, &mut |names, mut state, block| {
        let size = match block {
            Some(block) => state.block(block).size,
            None => names.terms.bit_vector(0, names.pointer_bits()),
        };
        set(names, &mut state, target, size);
        moved(state)
    })
}

/// Goes on with the heap block that a pointer points to the start of, or with none for null.
fn with_heap_start(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    place: Place,
    go_on: &mut dyn FnMut(&mut Names<'_>, State, Option<BlockId>) -> Outcome,
) -> Vec<Outcome> {
    let Some((block, offset)) = reasoner.names.pointer(pointer) else {
        return free_number(reasoner, state, pointer, place, go_on);
    };
    let Some(target) = state.blocks.get(&block).map(Arc::clone) else {
        return vec![Outcome::Unknown(Reason::at("a pointer to an unknown block", place))];
    };
    if !target.is_single() {
        return unfold(reasoner, state, block).into_iter().map(Outcome::Again).collect();
    }
    let kind = match (target.kind, target.life) {
        (BlockKind::Heap, Life::Alive) => None,
        (BlockKind::Heap, Life::Freed | Life::OutOfScope) => Some(FaultKind::DoubleFree),
        (_, _) => Some(FaultKind::InvalidFree),
    };
    if let Some(kind) = kind {
        return vec![Outcome::Fault { state, kind, place }];
    }
    let zero = reasoner.names.terms.bit_vector(0, reasoner.names.pointer_bits());
    let at_start = reasoner.names.terms.equal(offset, zero);
    let (valid, faulty) = reasoner.split_by(state, at_start);
    let valid = valid.map(|state| go_on(&mut reasoner.names, state, Some(block)));
    let fault = |state| Outcome::Fault { state, kind: FaultKind::InvalidFree, place };
    valid.into_iter().chain(faulty.map(fault)).collect()
}

fn free_number(
    reasoner: &mut Reasoner<'_>,
    state: State,
    pointer: TermId,
    place: Place,
    go_on: &mut dyn FnMut(&mut Names<'_>, State, Option<BlockId>) -> Outcome,
) -> Vec<Outcome> {
    let zero = reasoner.names.terms.bit_vector(0, reasoner.names.terms.width(pointer));
    let is_null = reasoner.names.terms.equal(pointer, zero);
    let (null, faulty) = reasoner.split_by(state, is_null);
    let mut outcomes: Vec<Outcome> =
        null.map(|state| go_on(&mut reasoner.names, state, None)).into_iter().collect();
    if let Some(state) = faulty {
        outcomes.push(Outcome::Fault { state, kind: FaultKind::InvalidFree, place });
        let text = "a free of a pointer whose value is not known to come from a block";
        outcomes.push(Outcome::Unknown(Reason::at(text, place)));
    }
    outcomes
}

pub(crate) fn enter(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    object: ObjectId,
    size: Option<ExpressionId>,
) {
    let bits = reasoner.names.pointer_bits();
    let size = match (size, reasoner.names.program().objects[object].size) {
        (Some(size), _) => {
            let size = evaluate(reasoner, state, size);
            resize(&mut reasoner.names, size, false, bits)
        }
        (None, Some(size)) => reasoner.names.terms.bit_vector(u128::from(size), bits),
        (None, None) => reasoner.names.terms.bit_vector(0, bits),
    };
    leave(state, object);
    let is_constant = reasoner.names.program().objects[object].is_constant;
    let kind = if is_constant { BlockKind::Constant } else { BlockKind::Stack };
    let block = new_block(&mut reasoner.names, state, kind, size, DefaultBytes::Uninitialised);
    state.frame_mut().objects.insert(object, block);
}

pub(crate) fn leave(state: &mut State, object: ObjectId) {
    if let Some(block) = state.frame_mut().objects.remove(&object) {
        kill(state, block);
    }
}

/// Ends the life of a stack block.
pub(crate) fn kill(state: &mut State, block: BlockId) {
    let target = state.block_mut(block);
    target.life = Life::OutOfScope;
    target.cells.clear();
    target.zero = None;
    state.forget_contents(block);
}
