//! What each operation does, and what must hold for it.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{
    Access, BinaryOperator, Callee, Edge, EdgeId, Expression, ExpressionId, Failure, FunctionId,
    Halt, InputSource, Operation, Place, ScalarType, Storage, VariableId, VariableKind,
    expressions_of,
};

use crate::claims::ObjectKey;
use crate::memory::{Event, Range};
use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer, Value};
use crate::walk::{Checker, Walked};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    /// Gives an object of const type its value.
    Initialise,
}

impl Use {
    fn of_write(initialises: bool) -> Use {
        if initialises { Use::Initialise } else { Use::Write }
    }
}

impl Checker<'_> {
    /// The state before the first edge.
    pub(crate) fn start(&mut self, main: FunctionId) -> State {
        let mut state = State {
            guard: TermId::TRUE,
            globals: Default::default(),
            frames: vec![Default::default()],
            latest: Default::default(),
            log: Rc::default(),
            result: None,
        };
        for (id, variable) in self.program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                let value = self.evaluate(&mut state, initial);
                state.globals.insert(id, value);
            }
        }
        for &parameter in &self.program.functions[main].parameters {
            let variable = &self.program.variables[parameter];
            let value = self.garbage(&variable.name, variable.scalar);
            self.assign(&mut state, parameter, value);
        }
        state
    }

    /// The state behind an edge, if one gets there.
    pub(crate) fn step(
        &mut self,
        function: FunctionId,
        id: EdgeId,
        edge: &Edge,
        mut state: State,
        walked: &mut Walked,
    ) -> Option<State> {
        let place = edge.place;
        self.divisions(&mut state, &edge.operation, place);
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume { condition, holds } => {
                let truth = self.truth(&mut state, *condition);
                let taken = if *holds { truth } else { self.terms.not(truth) };
                state.guard = self.terms.and(state.guard, taken);
            }
            Operation::Assign { target, value } => {
                let value = self.evaluate(&mut state, *value);
                self.assign(&mut state, *target, value);
            }
            Operation::Input { target, source } => {
                let variable = &self.program.variables[*target];
                let name = match source {
                    InputSource::Nondeterministic(name) => name.clone(),
                    InputSource::Uninitialised => format!("{}#none", variable.name),
                };
                let value = self.garbage(&name, variable.scalar);
                self.assign(&mut state, *target, value);
            }
            Operation::Load { target, access } => self.load(&mut state, *target, access, place),
            Operation::Store { access, value } => self.store(&mut state, access, *value, place),
            Operation::Copy { target, source, size, initialises } => {
                self.copy(&mut state, [*target, *source, *size], *initialises, place);
            }
            Operation::Disjoint { left, right, size } => {
                self.disjoint(&mut state, [*left, *right, *size], place);
            }
            Operation::Fill { target, byte, size, initialises } => {
                self.fill(&mut state, [*target, *byte, *size], *initialises, place);
            }
            Operation::Allocate { target, storage, size, zeroed } => {
                if *storage == Storage::Alloca && !self.calls.is_empty() {
                    self.not_modelled(&mut state, "alloca in a call");
                    return None;
                }
                let key = ObjectKey::Site { calls: self.calls.clone(), function, edge: id };
                self.allocate(&mut state, &key, (*target, *size, *zeroed));
            }
            Operation::Free { address } => self.free(&mut state, *address, place),
            Operation::BlockSize { .. } => {
                self.not_modelled(&mut state, "the size of a block");
                return None;
            }
            Operation::Enter { object, size } => {
                let known = self.program.objects[*object].size;
                let size = match (size, known) {
                    (Some(size), _) => {
                        let bytes = self.evaluate(&mut state, *size).bits();
                        self.resized(bytes, self.width, false)
                    }
                    (None, known) => self.offset_term(i128::from(known.unwrap_or(0))),
                };
                let key = ObjectKey::Local { calls: self.calls.clone(), object: *object };
                let id = self.object(&key);
                if known.is_none()
                    && let Some(&old) = state.latest.get(&id)
                {
                    self.end_block(&mut state, old, TermId::TRUE);
                }
                self.begin(&mut state, id, size, false);
            }
            Operation::Leave { object } => {
                let key = ObjectKey::Local { calls: self.calls.clone(), object: *object };
                let id = self.object(&key);
                if let Some(&block) = state.latest.get(&id) {
                    self.end_block(&mut state, block, TermId::TRUE);
                }
            }
            Operation::Call { target, callee, arguments } => {
                return self.call(function, id, state, (*target, *callee, arguments));
            }
            Operation::Return { value } => {
                if self.calls.is_empty() {
                    self.end(state, place);
                } else {
                    state.result = value.map(|value| self.evaluate(&mut state, value));
                    walked.returns.push(state);
                }
                return None;
            }
            Operation::Halt(Halt::AssumptionFailed) => return None,
            Operation::Halt(Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort) => {
                self.end(state, place);
                return None;
            }
            Operation::Fail(failure) => {
                self.found_failure(failure, state, place);
                return None;
            }
            Operation::Unsupported { construct } => {
                self.not_modelled(&mut state, construct);
                return None;
            }
        }
        (state.guard != TermId::FALSE).then_some(state)
    }

    /// The program is at fault; a failed assertion only where it is asked about.
    fn found_failure(&mut self, failure: &Failure, mut state: State, place: Place) {
        match failure {
            Failure::Size { text } | Failure::Usage { text } | Failure::Overflow { text } => {
                self.require(&mut state, TermId::FALSE, text.clone(), place);
            }
            Failure::Assertion { .. } if self.question.specification.assertions => {
                self.require(&mut state, TermId::FALSE, "an assertion fails", place);
            }
            Failure::Assertion { .. } => self.end(state, place),
        }
    }

    /// Nobody may get here.
    pub(crate) fn not_modelled(&mut self, state: &mut State, what: &str) {
        self.doubt(state.guard, "something that is not modelled is reached");
        self.require(state, TermId::FALSE, format!("not modelled: {what}"), self.place);
    }

    fn divisions(&mut self, state: &mut State, operation: &Operation, place: Place) {
        let expressions = &self.program.expressions;
        let mut found: Vec<(ExpressionId, ExpressionId)> = Vec::new();
        for root in expressions_of(operation) {
            expressions.visit(root, &mut |id, node| {
                if let Expression::Binary {
                    operator: BinaryOperator::Divide | BinaryOperator::Remainder,
                    left,
                    right,
                } = node
                    && expressions.type_of(id).is_integer()
                {
                    found.push((left, right));
                }
            });
        }
        for (left, right) in found {
            let is_signed = expressions.type_of(left).is_signed();
            let dividend = self.evaluate(state, left).bits();
            let divisor = self.evaluate(state, right).bits();
            let is_possible = self.is_not_zero(divisor);
            self.require(state, is_possible, "a divisor is zero", place);
            if is_signed {
                let overflows = self.terms.signed_divide_overflows(dividend, divisor);
                let does_fit = self.terms.not(overflows);
                self.require(state, does_fit, "a quotient does not fit", place);
            }
        }
    }

    /// These bytes lie in a live block that allows such a use.
    fn valid(&mut self, state: &mut State, at: Pointer, size: TermId, usage: Use, place: Place) {
        let whole = self.size_of(at.block);
        let is_large = self.terms.unsigned_less_equal(size, whole);
        let last = self.terms.subtract(whole, size);
        let starts = self.terms.unsigned_less_equal(at.offset, last);
        let none = self.has_no_block(at);
        let has_block = self.terms.not(none);
        let is_inside = self.terms.all(&[has_block, is_large, starts]);
        self.require(state, is_inside, "an access is outside of every block", place);
        if !self.question.certificate.is_lenient {
            let is_alive = self.is_alive(&state.log.clone(), at.block);
            self.require(state, is_alive, "a block is used after its end", place);
        }
        let is_forbidden = match usage {
            Use::Read => TermId::FALSE,
            Use::Initialise => self.is_some(at.block, |facts| facts.is_literal),
            Use::Write => self.is_some(at.block, |facts| facts.is_literal || facts.is_constant),
        };
        let is_allowed = self.terms.not(is_forbidden);
        self.require(state, is_allowed, "what must not be written is written", place);
    }

    /// Two ranges share no byte, or all.
    fn disjoint(
        &mut self,
        state: &mut State,
        [left, right, size]: [ExpressionId; 3],
        place: Place,
    ) {
        let size = self.size_argument(state, size);
        let left = self.evaluate(state, left).pointer();
        let right = self.evaluate(state, right).pointer();
        let is_one_block = self.terms.equal(left.block, right.block);
        let differs = self.terms.not_equal(left.offset, right.offset);
        let forth = self.terms.subtract(right.offset, left.offset);
        let back = self.terms.subtract(left.offset, right.offset);
        let is_near = [forth, back].map(|way| self.terms.unsigned_less(way, size));
        let is_near = self.terms.or(is_near[0], is_near[1]);
        let overlap = self.terms.all(&[is_one_block, differs, is_near]);
        let are_apart = self.terms.not(overlap);
        self.require(state, are_apart, "what is copied overlaps its target", place);
    }

    fn bytes_of(&self, access: &Access) -> u64 {
        access
            .bits
            .map_or_else(|| access.ty.size(self.program.model), heapwright_program::BitRange::bytes)
    }

    fn load(&mut self, state: &mut State, target: VariableId, access: &Access, place: Place) {
        let at = self.evaluate(state, access.address).pointer();
        let bytes = self.bytes_of(access);
        let size = self.offset_term(i128::from(bytes));
        self.valid(state, at, size, Use::Read, place);
        if state.guard == TermId::FALSE {
            return;
        }
        let is_pointer = access.ty.is_pointer();
        let value = self.read(&state.log.clone(), Range { at, bytes, is_pointer });
        let value = match value {
            Value::Pointer(_) => value,
            Value::Bits(bits) => Value::Bits(self.loaded(bits, access)),
        };
        self.assign(state, target, value);
    }

    fn loaded(&mut self, bytes: TermId, access: &Access) -> TermId {
        let width = access.ty.value_bits(self.program.model);
        let bits = match access.bits {
            Some(range) => {
                let low = u32::from(range.offset);
                self.terms.extract(bytes, low + u32::from(range.width) - 1, low)
            }
            None => bytes,
        };
        if access.ty == ScalarType::Bool {
            let is_set = self.is_not_zero(bits);
            return self.bit(is_set);
        }
        self.resized(bits, width, access.ty.is_signed())
    }

    fn store(&mut self, state: &mut State, access: &Access, value: ExpressionId, place: Place) {
        let value = self.evaluate(state, value);
        let at = self.evaluate(state, access.address).pointer();
        let bytes = self.bytes_of(access);
        let size = self.offset_term(i128::from(bytes));
        self.valid(state, at, size, Use::of_write(access.initialises), place);
        self.check_change(state, at, size, place);
        if state.guard == TermId::FALSE {
            return;
        }
        let value = match (value, access.bits) {
            (Value::Pointer(_), _) => value,
            (Value::Bits(bits), None) => Value::Bits(self.resized(bits, 8 * bytes as u32, false)),
            (Value::Bits(bits), Some(range)) => {
                let old = Range { at, bytes, is_pointer: false };
                let old = self.read(&state.log.clone(), old).bits();
                let (low, width) = (u32::from(range.offset), u32::from(range.width));
                let mut new = self.resized(bits, width, false);
                if low > 0 {
                    let below = self.terms.extract(old, low - 1, 0);
                    new = self.terms.concat(new, below);
                }
                if low + width < 8 * bytes as u32 {
                    let above = self.terms.extract(old, 8 * bytes as u32 - 1, low + width);
                    new = self.terms.concat(above, new);
                }
                Value::Bits(new)
            }
        };
        self.log(state, Event::Write { to: at, bytes, value });
    }

    fn size_argument(&mut self, state: &mut State, size: ExpressionId) -> TermId {
        let size = self.evaluate(state, size).bits();
        self.resized(size, self.width, false)
    }

    /// `memmove(target, source, size)`
    fn copy(
        &mut self,
        state: &mut State,
        [target, source, size]: [ExpressionId; 3],
        initialises: bool,
        place: Place,
    ) {
        let size = self.size_argument(state, size);
        let to = self.evaluate(state, target).pointer();
        let from = self.evaluate(state, source).pointer();
        if self.terms.as_constant(size).is_some_and(heapwright_logic::BitVectorValue::is_zero) {
            return;
        }
        self.valid(state, from, size, Use::Read, place);
        self.valid(state, to, size, Use::of_write(initialises), place);
        self.check_change(state, to, size, place);
        let log = Rc::clone(&state.log);
        self.log(state, Event::Copy { to, from, size, log });
    }

    /// `memset(target, byte, size)`
    fn fill(
        &mut self,
        state: &mut State,
        [target, byte, size]: [ExpressionId; 3],
        initialises: bool,
        place: Place,
    ) {
        let size = self.size_argument(state, size);
        let to = self.evaluate(state, target).pointer();
        let byte = self.evaluate(state, byte).bits();
        let byte = self.resized(byte, 8, false);
        if self.terms.as_constant(size).is_some_and(heapwright_logic::BitVectorValue::is_zero) {
            return;
        }
        self.valid(state, to, size, Use::of_write(initialises), place);
        self.check_change(state, to, size, place);
        self.log(state, Event::Fill { to, size, byte });
    }

    fn allocate(
        &mut self,
        state: &mut State,
        key: &ObjectKey,
        (target, size, is_zeroed): (VariableId, ExpressionId, bool),
    ) {
        let size = self.size_argument(state, size);
        let object = self.object(key);
        let mut pointer = self.begin(state, object, size, is_zeroed);
        if self.question.malloc_may_fail && self.objects[object].is_heap {
            let fails = self.fresh("malloc.fails", Sort::Boolean);
            let none = self.terms.bit_vector(0, BLOCK_BITS);
            // A block that nobody gets is none that can be lost.
            let block = self.terms.if_then_else(fails, pointer.block, none);
            self.log(state, Event::End { block });
            pointer.block = self.terms.if_then_else(fails, none, pointer.block);
        }
        self.assign(state, target, Value::Pointer(pointer));
    }

    fn free(&mut self, state: &mut State, address: ExpressionId, place: Place) {
        let pointer = self.evaluate(state, address).pointer();
        let is_null = self.is_null(pointer);
        let is_heap = self.is_some(pointer.block, |facts| facts.is_heap);
        let start = self.offset_term(0);
        let is_start = self.terms.equal(pointer.offset, start);
        let is_block = self.terms.and(is_heap, is_start);
        let is_valid = self.terms.or(is_null, is_block);
        self.require(state, is_valid, "what is freed is no start of a heap block", place);
        if !self.question.certificate.is_lenient {
            let is_alive = self.is_alive(&state.log.clone(), pointer.block);
            let is_valid = self.terms.or(is_null, is_alive);
            self.require(state, is_valid, "what is freed was freed before", place);
        }
        let is_freed = self.terms.not(is_null);
        self.end_block(state, pointer.block, is_freed);
    }
}

/// The function that a call names, if it names one.
pub(crate) fn named(callee: Callee) -> Option<FunctionId> {
    match callee {
        Callee::Direct(function) => Some(function),
        Callee::Indirect(_) => None,
    }
}
