//! One edge of the program, from the states of a certificate on.

use heapwright_program::{
    BinaryOperator, Callee, Edge, EdgeId, Expression, ExpressionId, Failure, Halt, ObjectKind,
    Operation, Program, ScalarType, VariableId, VariableKind, divisions_of,
};
use heapwright_property::{Part, Specification};

use crate::certificate::{Claims, Numeral};
use crate::heap::Heap;
use crate::leaks;
use crate::number::Number;
use crate::sharpen::sharpen_since;
use crate::state::{Pointer, Slot, Spot, State};
use crate::truth::Truth;
use crate::value::{Value, Values};

/// What is asked, of which program.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    pub program: &'q Program,
    pub specification: &'q Specification,
    pub malloc_may_fail: bool,
}

/// Why a step is not safe: what may go wrong, or what this check does not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    Violation(Part),
    UnknownStored,
    /// A block of a size, or a link at a place, that the certificate does not speak of.
    NotSpokenOf,
    NotCarried(&'static str),
}

impl std::fmt::Display for Objection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Objection::Violation(part) => write!(f, "{part} may be violated"),
            Objection::UnknownStored => f.write_str("an unknown pointer is stored"),
            Objection::NotSpokenOf => f.write_str("the certificate does not speak of such blocks"),
            Objection::NotCarried(what) => write!(f, "not carried: {what}"),
        }
    }
}

pub(crate) type Stepped = Result<Vec<State>, Objection>;

/// Makes steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stepper<'s> {
    pub(crate) question: Question<'s>,
    pub(crate) claims: &'s Claims,
}

impl<'s> Stepper<'s> {
    pub(crate) fn value(&self, state: &State, id: ExpressionId) -> Value {
        Values { program: self.question.program, claims: self.claims, state }.of(id)
    }

    /// The state before the first step.
    pub(crate) fn start(&self) -> Option<State> {
        let program = self.question.program;
        let main = program.function_named("main")?;
        let function = &program.functions[main];
        let entry = function.body.as_ref()?.entry;
        let meaning = &self.claims.meaning;
        let mut state = State {
            spot: Spot { calls: Vec::new(), function: main, location: entry },
            pointers: std::collections::BTreeMap::new(),
            numbers: std::collections::BTreeMap::new(),
            data: std::collections::BTreeMap::new(),
            objects: std::collections::BTreeSet::new(),
            heap: Heap::new(meaning.unary.len(), meaning.binary.len(), 0),
        };
        for pointer in 0..meaning.pointers {
            crate::update::point(&mut state.heap, meaning, pointer, crate::heap::NULL);
        }
        state.heap = self.claims.with_constants(state.heap).ok()?;
        for (id, variable) in program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                let value = self.value(&state, initial);
                self.set(&mut state, id, value);
            }
        }
        for &parameter in &function.parameters {
            self.set(&mut state, parameter, Value::Open);
        }
        Some(state)
    }

    pub(crate) fn set(&self, state: &mut State, target: VariableId, value: Value) {
        match self.question.program.variables[target].scalar {
            ScalarType::Pointer => {
                state.pointers.insert(Slot::Variable(target), value.pointer());
            }
            ScalarType::Bool | ScalarType::Integer { .. } => {
                state.numbers.remove(&target);
                state.numbers.extend(value.number().map(|bits| (target, bits)));
                self.set_datum(state, target, value);
            }
            ScalarType::Float(_) => {}
        }
    }

    /// A variable has the number of a block; one that is tracked and may have any has that of a new node.
    fn set_datum(&self, state: &mut State, target: VariableId, value: Value) {
        state.data.remove(&target);
        let ty = self.question.program.variables[target].scalar;
        if self.claims.order.is_none_or(|order| order.ty != ty) {
            return;
        }
        match value {
            Value::Datum(node) => {
                state.data.insert(target, node);
            }
            Value::Number(_) => {}
            Value::Open | Value::Pointer(_) => {
                let is_tracked = self.claims.numeral(Numeral::Variable(target)).is_some();
                if is_tracked
                    && let Ok((heap, node)) = self.claims.with_number(&state.heap, Number::Some)
                {
                    state.heap = heap;
                    state.data.insert(target, node);
                }
            }
        }
    }

    /// A division by zero counts like a failed assertion before it.
    fn divisions(&self, state: &State, edge: &Edge) -> Result<(), Objection> {
        let Question { program, specification, .. } = self.question;
        let is_asked = specification.assertions && specification.asks(Part::UnreachCall);
        let may_be_zero = |(_, divisor): (ExpressionId, ExpressionId)| {
            self.value(state, divisor).number().is_none_or(|bits| bits == 0)
        };
        match is_asked && divisions_of(program, &edge.operation).into_iter().any(may_be_zero) {
            true => Err(Objection::Violation(Part::UnreachCall)),
            false => Ok(()),
        }
    }

    /// Where an edge leads.
    pub(crate) fn step(&self, mut state: State, id: EdgeId) -> Stepped {
        let body = self.question.program.functions[state.spot.function].body.as_ref();
        let edge: &Edge = &body.expect("a state is in a body").edges[id];
        self.divisions(&state, edge)?;
        let before = std::mem::replace(&mut state.spot.location, edge.target);
        match &edge.operation {
            Operation::Skip => Ok(vec![state]),
            Operation::Assume { condition, holds } => Ok(self.assume(state, *condition, *holds)),
            Operation::Assign { target, value } => {
                let value = self.value(&state, *value);
                self.set(&mut state, *target, value);
                Ok(vec![state])
            }
            Operation::Input { target, .. } => {
                self.set(&mut state, *target, Value::Open);
                Ok(vec![state])
            }
            Operation::Load { target, access } => self.load(state, *target, access),
            Operation::Store { access, value } => self.store(state, access, *value),
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(&state, *target, (*storage, *size, *zeroed))
            }
            Operation::Free { address } => self.free(state, *address),
            Operation::Enter { size: Some(_), .. } => {
                Err(Objection::NotCarried("an object of dynamic size"))
            }
            Operation::Enter { object, size: None } => {
                state.end(*object);
                state.objects.insert(*object);
                Ok(vec![state])
            }
            Operation::Leave { object } => {
                state.end(*object);
                Ok(vec![state])
            }
            Operation::Call { callee, arguments, .. } => {
                state.spot.location = before;
                self.call(state, id, *callee, arguments)
            }
            Operation::Return { value } => self.return_from(state, *value),
            Operation::Halt(Halt::AssumptionFailed) => Ok(Vec::new()),
            Operation::Halt(Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort) => {
                leaks::at_end(self, &state)?;
                Ok(Vec::new())
            }
            Operation::Fail(failure) => self.fail(failure),
            Operation::Copy { .. }
            | Operation::Fill { .. }
            | Operation::Disjoint { .. }
            | Operation::BlockSize { .. } => Err(Objection::NotCarried("ranges of bytes")),
            Operation::Unsupported { .. } => Err(Objection::NotCarried("an operation")),
        }
    }

    fn fail(&self, failure: &Failure) -> Stepped {
        let specification = self.question.specification;
        match failure {
            Failure::Assertion { .. } => {
                let is_asked = specification.assertions && specification.asks(Part::UnreachCall);
                match is_asked {
                    true => Err(Objection::Violation(Part::UnreachCall)),
                    false => Ok(Vec::new()),
                }
            }
            Failure::Size { .. } | Failure::Usage { .. } => {
                Err(Objection::Violation(Part::ValidDeref))
            }
            Failure::Overflow { .. } => Err(Objection::Violation(Part::NoOverflow)),
        }
    }

    fn assume(&self, state: State, condition: ExpressionId, holds: bool) -> Vec<State> {
        if let Some(bits) = self.value(&state, condition).number() {
            return if (bits != 0) == holds { vec![state] } else { Vec::new() };
        }
        let states = self.compare(state, condition, holds);
        states.into_iter().map(|state| self.assumed(state, condition, holds)).collect()
    }

    /// The states in which the numbers of two blocks compare as an undecided condition says.
    fn compare(&self, state: State, condition: ExpressionId, holds: bool) -> Vec<State> {
        let program = self.question.program;
        let values = Values { program, claims: self.claims, state: &state };
        let Expression::Binary { operator, left, right } = program.expressions.get(condition)
        else {
            return vec![state];
        };
        let nodes = (values.node(left), values.node(right));
        let (Some(order), (Some(left), Some(right))) = (self.claims.meaning.order, nodes) else {
            return vec![state];
        };
        let (yes, no) = (Some(Truth::Yes), Some(Truth::No));
        let ways = match (operator, holds) {
            (BinaryOperator::Less, true) => vec![(yes, no)],
            (BinaryOperator::Less, false) => vec![(None, yes)],
            (BinaryOperator::LessEqual, true) => vec![(yes, None)],
            (BinaryOperator::LessEqual, false) => vec![(no, yes)],
            (BinaryOperator::Equal, true) | (BinaryOperator::NotEqual, false) => vec![(yes, yes)],
            (BinaryOperator::Equal, false) | (BinaryOperator::NotEqual, true) => {
                vec![(yes, no), (no, yes)]
            }
            (
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::BitAnd
                | BinaryOperator::BitOr
                | BinaryOperator::BitXor
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight
                | BinaryOperator::OffsetPointer
                | BinaryOperator::PointerDifference,
                _,
            ) => return vec![state],
        };
        let mut found = Vec::new();
        for (ascends, descends) in ways {
            let mut heap = state.heap.clone();
            let mut is_possible = true;
            for (from, to, value) in [(left, right, ascends), (right, left, descends)] {
                let Some(value) = value else { continue };
                is_possible &= heap.binary[order][from][to].allows(value);
                heap.binary[order][from][to] = value;
            }
            let meaning = &self.claims.meaning;
            if is_possible && sharpen_since(&mut heap, meaning, &state.heap).is_ok() {
                found.push(State { heap, ..state.clone() });
            }
        }
        found
    }

    fn assumed(&self, mut state: State, condition: ExpressionId, holds: bool) -> State {
        let expressions = &self.question.program.expressions;
        match expressions.get(condition) {
            Expression::Binary { operator, left, right } => {
                let are_equal = match operator {
                    BinaryOperator::Equal => holds,
                    BinaryOperator::NotEqual => !holds,
                    _ => false,
                };
                if are_equal {
                    self.learn(&mut state, left, right);
                    self.learn(&mut state, right, left);
                }
            }
            Expression::Convert { operand, .. } if !holds => {
                if let Expression::Variable(variable) = expressions.get(operand) {
                    let is_pointer = self.question.program.variables[variable].scalar.is_pointer();
                    let zero = match is_pointer {
                        true => Value::Pointer(Pointer::Null),
                        false => Value::Number(0),
                    };
                    self.set(&mut state, variable, zero);
                }
            }
            Expression::Convert { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. } => {}
        }
        state
    }

    /// A variable that equals something: an equal address need not be the same pointer, unless it is null.
    fn learn(&self, state: &mut State, one: ExpressionId, other: ExpressionId) {
        let Expression::Variable(variable) = self.question.program.expressions.get(one) else {
            return;
        };
        let held = state.pointers.get(&Slot::Variable(variable)).copied();
        let is_open = held.is_none_or(|held| held == Pointer::Unknown);
        match self.value(state, other) {
            value @ Value::Number(_) => {
                let block = state.data.get(&variable).copied();
                self.set(state, variable, value);
                state.data.extend(block.map(|block| (variable, block)));
            }
            value @ Value::Pointer(Pointer::Null) if is_open => self.set(state, variable, value),
            Value::Pointer(_) | Value::Open | Value::Datum(_) => {}
        }
    }

    fn call(
        &self,
        mut state: State,
        edge: EdgeId,
        callee: Callee,
        arguments: &[ExpressionId],
    ) -> Stepped {
        let program = self.question.program;
        let callee = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.value(&state, pointer).pointer() {
                Pointer::Function(function) => function,
                Pointer::Null
                | Pointer::Wild
                | Pointer::Unknown
                | Pointer::Block { .. }
                | Pointer::Object { .. } => {
                    return Err(Objection::NotCarried("a call through an unknown pointer"));
                }
            },
        };
        let function = &program.functions[callee];
        if self.question.specification.error_functions.contains(&function.name) {
            return Err(Objection::Violation(Part::UnreachCall));
        }
        let Some(body) = &function.body else {
            return Err(Objection::NotCarried("a call of a function without a body"));
        };
        if arguments.len() != function.parameters.len() || function.varargs.is_some() {
            return Err(Objection::NotCarried("a call with further arguments"));
        }
        let under_way = state.spot.calls.iter().map(|call| call.0).chain([state.spot.function]);
        if under_way.into_iter().any(|caller| caller == callee) {
            return Err(Objection::NotCarried("recursion"));
        }
        let value = |(argument, parameter): (&ExpressionId, &VariableId)| {
            let is_same =
                program.expressions.type_of(*argument) == program.variables[*parameter].scalar;
            if is_same { self.value(&state, *argument) } else { Value::Open }
        };
        let values: Vec<Value> = arguments.iter().zip(&function.parameters).map(value).collect();
        for (&parameter, value) in function.parameters.iter().zip(values) {
            self.set(&mut state, parameter, value);
        }
        state.spot.calls.push((state.spot.function, edge));
        state.spot.function = callee;
        state.spot.location = body.entry;
        Ok(vec![state])
    }

    fn return_from(&self, mut state: State, value: Option<ExpressionId>) -> Stepped {
        let program = self.question.program;
        let value = value.map_or(Value::Open, |value| self.value(&state, value));
        let left = state.spot.function;
        let is_its = |variable: &VariableId| program.variables[*variable].function == Some(left);
        state.pointers.retain(|slot, _| !matches!(slot, Slot::Variable(it) if is_its(it)));
        state.numbers.retain(|variable, _| !is_its(variable));
        state.data.retain(|variable, _| !is_its(variable));
        let Some((caller, edge)) = state.spot.calls.pop() else {
            leaks::at_end(self, &state)?;
            return Ok(Vec::new());
        };
        let body = program.functions[caller].body.as_ref().expect("it calls");
        state.spot.function = caller;
        state.spot.location = body.edges[edge].target;
        if let Operation::Call { target: Some(target), .. } = &body.edges[edge].operation {
            // As another type, the same bits are another value.
            let is_same = program.functions[left].result == Some(program.variables[*target].scalar);
            self.set(&mut state, *target, if is_same { value } else { Value::Open });
        }
        Ok(vec![state])
    }

    /// Whether a slot can hold a pointer that keeps a block. What a temporary holds may have been of use before.
    pub(crate) fn keeps(&self, slot: Slot) -> bool {
        let variables = &self.question.program.variables;
        match slot {
            Slot::Variable(id) => variables[id].kind != VariableKind::Temporary,
            Slot::Cell(object, _) => {
                !matches!(self.question.program.objects[object].kind, ObjectKind::String { .. })
            }
        }
    }
}
