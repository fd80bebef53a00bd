//! What each operation does to a state.

use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{
    Access, EdgeId, ExpressionId, Halt, InputSource, ObjectId, Operation, Place, ScalarType,
    Storage, VariableId,
};
use imbl::OrdMap;

use crate::access::Use;
use crate::condition::{Feasible, Possible};
use crate::context::Context;
use crate::outcome::Outcome;
use crate::state::{Block, BlockId, BlockKind, DrawnTerm, Life, Rest, Role, State};

impl Context<'_> {
    /// Executes the edges that leave the current location.
    pub(crate) fn step(&mut self, mut state: State) -> Vec<Outcome> {
        self.statistics.steps += 1;
        let (function, location) = (state.frame().function, state.frame().location);
        let edges = self.outgoing(function, location).to_vec();
        let Some(&first) = edges.first() else {
            return vec![Outcome::Lost(Reason::new("a location without a way on"))];
        };
        let edge = self.edge(function, first);
        if let Some(segment) = self.ambiguous(&mut state, &edge.operation) {
            return self.unfold(state, segment).into_iter().map(Outcome::Again).collect();
        }
        if let Operation::Assume { condition, .. } = edge.operation {
            return self.branch(state, function, &edges, condition);
        }
        if let Some(lost) = self.check_arithmetic(&mut state, &edge.operation, edge.place) {
            if let Some(fatal) = lost.1 {
                return vec![fatal];
            }
            let mut outcomes = self.execute(state, first, edge);
            outcomes.extend(lost.0);
            return outcomes;
        }
        self.execute(state, first, edge)
    }

    fn branch(
        &mut self,
        mut state: State,
        function: heapwright_program::FunctionId,
        edges: &[EdgeId],
        condition: ExpressionId,
    ) -> Vec<Outcome> {
        let term = self.evaluate(&mut state, condition);
        let target = |context: &Self, wanted: bool| {
            edges
                .iter()
                .map(|&edge| context.edge(function, edge))
                .find(|edge| {
                    matches!(edge.operation, Operation::Assume { holds, .. } if holds == wanted)
                })
                .map(|edge| edge.target)
                .expect("assumptions come in pairs")
        };
        match self.feasible(&state, term) {
            Feasible::One(truth) => {
                state.frame_mut().location = target(self, truth);
                vec![Outcome::Continues(state)]
            }
            Feasible::Both { on_true, on_false } => {
                self.statistics.forks += 1;
                state.depth += 1;
                let mut other = state.clone();
                self.assume(&mut state, term, on_true);
                state.frame_mut().location = target(self, true);
                let negation = self.terms.not(term);
                self.assume(&mut other, negation, on_false);
                other.frame_mut().location = target(self, false);
                vec![Outcome::Continues(state), Outcome::Continues(other)]
            }
        }
    }

    /// Divisions whose divisor can be zero.
    fn check_arithmetic(
        &mut self,
        state: &mut State,
        operation: &Operation,
        place: Place,
    ) -> Option<(Vec<Outcome>, Option<Outcome>)> {
        use heapwright_program::{BinaryOperator, Expression};
        let Operation::Assign { value, .. } = operation else { return None };
        let expressions = &self.program().expressions;
        let Expression::Binary {
            operator: BinaryOperator::Divide | BinaryOperator::Remainder,
            right,
            ..
        } = expressions.get(*value)
        else {
            return None;
        };
        if !expressions.type_of(right).is_integer() {
            return None;
        }
        let divisor = self.evaluate(state, right);
        let zero = self.terms.bit_vector(0, self.terms.width(divisor));
        let is_zero = self.terms.equal(divisor, zero);
        match self.possible(state, is_zero) {
            Possible::No => None,
            Possible::Perhaps => {
                let reason = Reason::at("whether a divisor is zero", place);
                Some((vec![Outcome::Lost(reason)], None))
            }
            Possible::Yes(model) => {
                let mut faulty = state.clone();
                self.assume(&mut faulty, is_zero, Some(model));
                let kind = FaultKind::DivisionByZero;
                let fault = Outcome::Fault { state: faulty, kind, place };
                let not_zero = self.terms.not(is_zero);
                match self.possible(state, not_zero) {
                    Possible::No => Some((Vec::new(), Some(fault))),
                    possible => {
                        let model = possible.model();
                        self.assume(state, not_zero, model);
                        Some((vec![fault], None))
                    }
                }
            }
        }
    }

    fn execute(
        &mut self,
        mut state: State,
        id: EdgeId,
        edge: &heapwright_program::Edge,
    ) -> Vec<Outcome> {
        let place = edge.place;
        let target = edge.target;
        // A call moves the location itself; everything else goes on behind the edge.
        let moved = |mut state: State| {
            state.frame_mut().location = target;
            Outcome::Continues(state)
        };
        match &edge.operation {
            Operation::Skip => vec![moved(state)],
            Operation::Assume { .. } => unreachable!("assumptions are branches"),
            Operation::Assign { target, value } => {
                let value = self.evaluate(&mut state, *value);
                self.set(&mut state, *target, value);
                vec![moved(state)]
            }
            Operation::Input { target, source } => {
                self.input(&mut state, *target, source, place);
                vec![moved(state)]
            }
            Operation::Load { target, access } => self.load(state, *target, access, place, &moved),
            Operation::Store { access, value } => self.store(state, access, *value, place, &moved),
            Operation::Copy { target, source, size } => {
                self.copy_operation(state, (*target, *source, *size), place, &moved)
            }
            Operation::Fill { target, byte, size } => {
                self.fill_operation(state, (*target, *byte, *size), place, &moved)
            }
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(state, *target, *storage, (*size, *zeroed), &moved)
            }
            Operation::Free { address } => self.free(state, *address, place, &moved),
            Operation::BlockSize { target, address } => {
                self.block_size(state, *target, *address, place, &moved)
            }
            Operation::Enter { object, size } => {
                self.enter(&mut state, *object, *size);
                vec![moved(state)]
            }
            Operation::Leave { object } => {
                self.leave(&mut state, *object);
                vec![moved(state)]
            }
            Operation::Call { target: result, callee, arguments } => {
                self.call(state, id, *result, callee, arguments, place)
            }
            Operation::Return { value } => self.return_from(state, *value, place),
            Operation::Halt(halt) => match halt {
                Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort => {
                    vec![Outcome::Ends { state, place }]
                }
                Halt::AssumptionFailed => vec![Outcome::Blocked],
            },
            Operation::Fail(_) => {
                vec![Outcome::Fault { state, kind: FaultKind::AssertionFailed, place }]
            }
            Operation::Unsupported { construct } => {
                vec![Outcome::Lost(Reason::at(format!("not modelled: {construct}"), place))]
            }
        }
    }

    /// Gives a variable of the current frame, or a global, a value.
    pub(crate) fn set(&mut self, state: &mut State, variable: VariableId, value: TermId) {
        let slot = self.slot(variable);
        if self.is_global(variable) {
            Arc::make_mut(&mut state.globals)[slot] = Some(value);
        } else {
            Arc::make_mut(&mut state.frame_mut().registers)[slot] = Some(value);
        }
    }

    fn input(&mut self, state: &mut State, target: VariableId, source: &InputSource, place: Place) {
        let ty = self.program().variables[target].scalar;
        let bits = self.bits(ty);
        let value = self.fresh("input", bits);
        let drawn = match source {
            InputSource::Nondeterministic(name) => {
                DrawnTerm::Nondeterministic { name: Arc::from(name.as_str()), ty, value, place }
            }
            InputSource::Uninitialised => {
                DrawnTerm::Variable { variable: Some(target), ty, value, place }
            }
        };
        state.drawn.push_back(drawn);
        let value = self.value_of_bytes(value, ty);
        self.set(state, target, value);
    }

    fn load(
        &mut self,
        mut state: State,
        target: VariableId,
        access: &Access,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, access.address);
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.model()),
        };
        let resolved = self.resolve(state, pointer, size, Use::Read, place);
        let mut outcomes = resolved.other;
        for (mut state, block, offset) in resolved.valid {
            let bytes = self.read_value(&mut state, block, offset, access, size);
            self.set(&mut state, target, bytes);
            outcomes.push(moved(state));
        }
        outcomes
    }

    fn read_value(
        &mut self,
        state: &mut State,
        block: BlockId,
        offset: u64,
        access: &Access,
        size: u64,
    ) -> TermId {
        let width = self.bits(access.ty);
        let Some(range) = access.bits else {
            // An extended float's value is narrower than its storage.
            let stored = u64::from(width).div_ceil(8).min(size);
            let bytes = self.read(state, block, offset, stored);
            return self.value_of_bytes(bytes, access.ty);
        };
        let bytes = self.read_wide(state, block, offset, size);
        let (low, high) = (u32::from(range.offset), u32::from(range.offset + range.width) - 1);
        let field = self.terms.extract(bytes, high, low);
        let value = self.resize(field, access.ty.is_signed(), width);
        self.value_of_bytes(value, access.ty)
    }

    /// Bytes of a bit-field's storage.
    fn read_wide(&mut self, state: &mut State, block: BlockId, offset: u64, size: u64) -> TermId {
        self.read(state, block, offset, size.min(16))
    }

    fn store(
        &mut self,
        mut state: State,
        access: &Access,
        value: ExpressionId,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, access.address);
        let value = self.evaluate(&mut state, value);
        let value = self.bytes_of_value(value, access.ty);
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.model()),
        };
        let resolved = self.resolve(state, pointer, size, Use::Write, place);
        let mut outcomes = resolved.other;
        for (mut state, block, offset) in resolved.valid {
            match access.bits {
                None => self.write(&mut state, block, offset, value),
                Some(range) => {
                    let old = self.read_wide(&mut state, block, offset, size);
                    let new = self.insert_bits(old, value, range);
                    self.write(&mut state, block, offset, new);
                }
            }
            outcomes.push(moved(state));
        }
        outcomes
    }

    /// `old` with a bit-field replaced by the low bits of `value`.
    fn insert_bits(
        &mut self,
        old: TermId,
        value: TermId,
        range: heapwright_program::BitRange,
    ) -> TermId {
        let total = self.terms.width(old);
        let (low, width) = (u32::from(range.offset), u32::from(range.width));
        let value = self.resize(value, false, width.max(self.terms.width(value)));
        let mut result = self.terms.extract(value, width - 1, 0);
        if low > 0 {
            let below = self.terms.extract(old, low - 1, 0);
            result = self.terms.concat(result, below);
        }
        if low + width < total {
            let above = self.terms.extract(old, total - 1, low + width);
            result = self.terms.concat(above, result);
        }
        result
    }

    fn copy_operation(
        &mut self,
        mut state: State,
        (target, source, size): (ExpressionId, ExpressionId, ExpressionId),
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let target = self.evaluate(&mut state, target);
        let source = self.evaluate(&mut state, source);
        let size = self.evaluate(&mut state, size);
        let cases = match self.split(state, size) {
            Ok(cases) => cases,
            Err(text) => return vec![Outcome::Lost(Reason::at(text, place))],
        };
        let mut outcomes = Vec::new();
        for (state, size) in cases {
            // Nothing is touched then, whatever the pointers are.
            if size == 0 {
                outcomes.push(moved(state));
                continue;
            }
            let from = self.resolve(state, source, size, Use::Read, place);
            outcomes.extend(from.other);
            for (state, source_block, source_offset) in from.valid {
                let to = self.resolve(state, target, size, Use::Write, place);
                outcomes.extend(to.other);
                for (mut state, target_block, target_offset) in to.valid {
                    let from = (source_block, source_offset);
                    self.copy(&mut state, from, (target_block, target_offset), size);
                    outcomes.push(moved(state));
                }
            }
        }
        outcomes
    }

    fn fill_operation(
        &mut self,
        mut state: State,
        (target, byte, size): (ExpressionId, ExpressionId, ExpressionId),
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let target = self.evaluate(&mut state, target);
        let byte = self.evaluate(&mut state, byte);
        let byte = self.resize(byte, false, 8);
        let size = self.evaluate(&mut state, size);
        let cases = match self.split(state, size) {
            Ok(cases) => cases,
            Err(text) => return vec![Outcome::Lost(Reason::at(text, place))],
        };
        let mut outcomes = Vec::new();
        for (state, size) in cases {
            if size == 0 {
                outcomes.push(moved(state));
                continue;
            }
            let to = self.resolve(state, target, size, Use::Write, place);
            outcomes.extend(to.other);
            for (mut state, block, offset) in to.valid {
                self.fill(&mut state, block, offset, byte, size);
                outcomes.push(moved(state));
            }
        }
        outcomes
    }

    /// Adds a block to the state.
    pub(crate) fn new_block(
        &mut self,
        state: &mut State,
        kind: BlockKind,
        size: TermId,
        rest: Rest,
    ) -> BlockId {
        let id = BlockId::from_index(state.next_block as usize);
        state.next_block += 1;
        let serial = match kind {
            BlockKind::Heap | BlockKind::Stack => {
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
            role: Role::Region,
        };
        state.blocks.insert(id, Arc::new(block));
        id
    }

    fn allocate(
        &mut self,
        mut state: State,
        target: VariableId,
        storage: Storage,
        (size, zeroed): (ExpressionId, bool),
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let size = self.evaluate(&mut state, size);
        let size = self.resize(size, false, self.pointer_bits());
        let rest = if zeroed { Rest::Zero } else { Rest::Uninitialised };
        let mut outcomes = Vec::new();
        if storage == Storage::Heap && self.task.malloc_may_fail {
            let mut failed = state.clone();
            let serial = failed.next_serial;
            failed.next_serial += 1;
            failed.drawn.push_back(DrawnTerm::AllocationFailed { serial });
            let null = self.terms.bit_vector(0, self.pointer_bits());
            self.set(&mut failed, target, null);
            failed.depth += 1;
            outcomes.push(moved(failed));
        }
        let kind = match storage {
            Storage::Heap => BlockKind::Heap,
            Storage::Alloca => BlockKind::Stack,
        };
        let block = self.new_block(&mut state, kind, size, rest);
        if storage == Storage::Alloca {
            state.frame_mut().allocas.push_back(block);
        }
        let pointer = self.pointer_to(block);
        self.set(&mut state, target, pointer);
        outcomes.push(moved(state));
        outcomes
    }

    fn free(
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

    fn block_size(
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
                None => context.terms.bit_vector(0, context.pointer_bits()),
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
        let Some((block, offset)) = self.pointer(pointer) else {
            return self.free_number(state, pointer, place, go_on);
        };
        let Some(target) = state.blocks.get(&block).map(Arc::clone) else {
            return vec![Outcome::Lost(Reason::at("a pointer to an unknown block", place))];
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
        let zero = self.terms.bit_vector(0, self.pointer_bits());
        let at_start = self.terms.equal(offset, zero);
        match self.feasible(&state, at_start) {
            Feasible::One(true) => vec![go_on(self, state, Some(block))],
            Feasible::One(false) => {
                vec![Outcome::Fault { state, kind: FaultKind::InvalidFree, place }]
            }
            Feasible::Both { on_true, on_false } => {
                let mut faulty = state.clone();
                let inside = self.terms.not(at_start);
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
        let zero = self.terms.bit_vector(0, self.terms.width(pointer));
        let is_null = self.terms.equal(pointer, zero);
        match self.feasible(&state, is_null) {
            Feasible::One(true) => vec![go_on(self, state, None)],
            Feasible::One(false) => {
                let text = "a free of a pointer whose value is not known to come from a block";
                let lost = Outcome::Lost(Reason::at(text, place));
                vec![Outcome::Fault { state, kind: FaultKind::InvalidFree, place }, lost]
            }
            Feasible::Both { on_true, on_false } => {
                let mut faulty = state.clone();
                let not_null = self.terms.not(is_null);
                self.assume(&mut faulty, not_null, on_false);
                let mut valid = state;
                self.assume(&mut valid, is_null, on_true);
                let text = "a free of a pointer whose value is not known to come from a block";
                vec![
                    go_on(self, valid, None),
                    Outcome::Fault { state: faulty, kind: FaultKind::InvalidFree, place },
                    Outcome::Lost(Reason::at(text, place)),
                ]
            }
        }
    }

    fn enter(&mut self, state: &mut State, object: ObjectId, size: Option<ExpressionId>) {
        let bits = self.pointer_bits();
        let size = match (size, self.program().objects[object].size) {
            (Some(size), _) => {
                let size = self.evaluate(state, size);
                self.resize(size, false, bits)
            }
            (None, Some(size)) => self.terms.bit_vector(u128::from(size), bits),
            (None, None) => self.terms.bit_vector(0, bits),
        };
        self.leave(state, object);
        let block = self.new_block(state, BlockKind::Stack, size, Rest::Uninitialised);
        state.frame_mut().objects.insert(object, block);
    }

    fn leave(&mut self, state: &mut State, object: ObjectId) {
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

    /// The type of a parameter or variable, as a term is made for it.
    pub(crate) fn scalar_of(&self, variable: VariableId) -> ScalarType {
        self.program().variables[variable].scalar
    }
}
