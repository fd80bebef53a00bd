//! Operations on the life of blocks: allocation, release, scopes.

use std::sync::Arc;

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{ExpressionId, ObjectId, Place, Storage, VariableId};
use imbl::OrdMap;

use crate::context::Context;
use crate::execution::outcome::Outcome;
use crate::heap::block::{Block, BlockId, BlockKind, Life, Rest, Role};
use crate::heap::state::{DrawnTerm, State};
use crate::reasoning::path_condition::Feasible;

impl Context<'_> {
    /// Adds a block to the state.
    pub(crate) fn new_block(
        &mut self,
        state: &mut State,
        kind: BlockKind,
        size: TermId,
        rest: Rest,
    ) -> BlockId {
        let id = state.new_block_id();
        let serial = match kind {
            BlockKind::Heap | BlockKind::Stack | BlockKind::Constant => {
                state.next_serial += 1;
                state.next_serial - 1
            }
            BlockKind::Static | BlockKind::String | BlockKind::Function(_) => u64::MAX,
        };
        let block = Block {
            kind,
            life: Life::Alive,
            size,
            cells: OrdMap::new(),
            rest,
            serial,
            origin: self.names.origin(state),
            role: Role::Region,
        };
        state.blocks.insert(id, Arc::new(block));
        id
    }

    pub(crate) fn allocate(
        &mut self,
        mut state: State,
        target: VariableId,
        storage: Storage,
        (size, zeroed): (ExpressionId, bool),
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let size = self.evaluate(&mut state, size);
        let size = self.resize(size, false, self.names.pointer_bits());
        let rest = if zeroed { Rest::Zero } else { Rest::Uninitialised };
        let mut outcomes = Vec::new();
        if storage == Storage::Heap && self.task.malloc_may_fail {
            let mut failed = state.clone();
            let serial = failed.next_serial;
            failed.next_serial += 1;
            failed.drawn.push_back(DrawnTerm::AllocationFailed { serial });
            let null = self.names.terms.bit_vector(0, self.names.pointer_bits());
            self.set(&mut failed, target, null);
            failed.depth += 1;
            outcomes.push(moved(failed));
        }
        let kind = match storage {
            Storage::Heap => BlockKind::Heap,
            // No frame knows a permanent one, so that no return ends it.
            Storage::Alloca | Storage::Permanent => BlockKind::Stack,
        };
        let block = self.new_block(&mut state, kind, size, rest);
        if storage == Storage::Alloca {
            state.frame_mut().allocas.push_back(block);
        }
        let pointer = self.names.pointer_to(block);
        self.set(&mut state, target, pointer);
        outcomes.push(moved(state));
        outcomes
    }

    pub(crate) fn free(
        &mut self,
        mut state: State,
        address: ExpressionId,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, address);
        self.with_heap_start(state, pointer, place, &mut |context, mut state, block| {
            if let Some(block) = block {
                // Nobody can read it any more.
                let freed = state.block_mut(block);
                freed.life = Life::Freed;
                freed.cells.clear();
            }
            let _ = &context;
            moved(state)
        })
    }

    pub(crate) fn block_size(
        &mut self,
        mut state: State,
        target: VariableId,
        address: ExpressionId,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, address);
        self.with_heap_start(state, pointer, place, &mut |context, mut state, block| {
            let size = match block {
                Some(block) => state.block(block).size,
                None => context.names.terms.bit_vector(0, context.names.pointer_bits()),
            };
            context.set(&mut state, target, size);
            moved(state)
        })
    }

    /// Goes on with the heap block that a pointer points to the start of, or with none for null.
    fn with_heap_start(
        &mut self,
        state: State,
        pointer: TermId,
        place: Place,
        go_on: &mut dyn FnMut(&mut Self, State, Option<BlockId>) -> Outcome,
    ) -> Vec<Outcome> {
        let Some((block, offset)) = self.names.pointer(pointer) else {
            return self.free_number(state, pointer, place, go_on);
        };
        let Some(target) = state.blocks.get(&block).map(Arc::clone) else {
            return vec![Outcome::Unknown(Reason::at("a pointer to an unknown block", place))];
        };
        if target.role != Role::Region {
            return self.unfold(state, block).into_iter().map(Outcome::Again).collect();
        }
        let kind = match (target.kind, target.life) {
            (BlockKind::Heap, Life::Alive) => None,
            (BlockKind::Heap, Life::Freed | Life::OutOfScope) => Some(FaultKind::DoubleFree),
            (_, _) => Some(FaultKind::InvalidFree),
        };
        if let Some(kind) = kind {
            return vec![Outcome::Fault { state, kind, place }];
        }
        let zero = self.names.terms.bit_vector(0, self.names.pointer_bits());
        let at_start = self.names.terms.equal(offset, zero);
        match self.feasible(&state, at_start) {
            Feasible::One(true) => vec![go_on(self, state, Some(block))],
            Feasible::One(false) => {
                vec![Outcome::Fault { state, kind: FaultKind::InvalidFree, place }]
            }
            Feasible::Both { on_true, on_false } => {
                let mut faulty = state.clone();
                let inside = self.names.terms.not(at_start);
                self.assume(&mut faulty, inside, on_false);
                let mut valid = state;
                self.assume(&mut valid, at_start, on_true);
                let fault = Outcome::Fault { state: faulty, kind: FaultKind::InvalidFree, place };
                vec![go_on(self, valid, Some(block)), fault]
            }
        }
    }

    fn free_number(
        &mut self,
        state: State,
        pointer: TermId,
        place: Place,
        go_on: &mut dyn FnMut(&mut Self, State, Option<BlockId>) -> Outcome,
    ) -> Vec<Outcome> {
        let zero = self.names.terms.bit_vector(0, self.names.terms.width(pointer));
        let is_null = self.names.terms.equal(pointer, zero);
        match self.feasible(&state, is_null) {
            Feasible::One(true) => vec![go_on(self, state, None)],
            Feasible::One(false) => {
                let text = "a free of a pointer whose value is not known to come from a block";
                let lost = Outcome::Unknown(Reason::at(text, place));
                vec![Outcome::Fault { state, kind: FaultKind::InvalidFree, place }, lost]
            }
            Feasible::Both { on_true, on_false } => {
                let mut faulty = state.clone();
                let not_null = self.names.terms.not(is_null);
                self.assume(&mut faulty, not_null, on_false);
                let mut valid = state;
                self.assume(&mut valid, is_null, on_true);
                let text = "a free of a pointer whose value is not known to come from a block";
                vec![
                    go_on(self, valid, None),
                    Outcome::Fault { state: faulty, kind: FaultKind::InvalidFree, place },
                    Outcome::Unknown(Reason::at(text, place)),
                ]
            }
        }
    }

    pub(crate) fn enter(
        &mut self,
        state: &mut State,
        object: ObjectId,
        size: Option<ExpressionId>,
    ) {
        let bits = self.names.pointer_bits();
        let size = match (size, self.names.program().objects[object].size) {
            (Some(size), _) => {
                let size = self.evaluate(state, size);
                self.resize(size, false, bits)
            }
            (None, Some(size)) => self.names.terms.bit_vector(u128::from(size), bits),
            (None, None) => self.names.terms.bit_vector(0, bits),
        };
        self.leave(state, object);
        let is_constant = self.names.program().objects[object].is_constant;
        let kind = if is_constant { BlockKind::Constant } else { BlockKind::Stack };
        let block = self.new_block(state, kind, size, Rest::Uninitialised);
        state.frame_mut().objects.insert(object, block);
    }

    pub(crate) fn leave(&mut self, state: &mut State, object: ObjectId) {
        if let Some(block) = state.frame_mut().objects.remove(&object) {
            self.kill(state, block);
        }
    }

    /// Ends the life of a stack block.
    pub(crate) fn kill(&mut self, state: &mut State, block: BlockId) {
        let target = state.block_mut(block);
        target.life = Life::OutOfScope;
        target.cells.clear();
    }
}
