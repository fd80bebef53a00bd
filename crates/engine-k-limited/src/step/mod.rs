//! One edge of the program: the states that it leads to, or why it is not known to be right.
//!
//! Reading order: this file (what each operation does), `memory` (accesses), `branch` (tests), `call`.

mod branch;
mod call;
mod memory;

use heapwright_engine::Task;
use heapwright_graph_text::{Root, Spot, State, Targets};
use heapwright_memory::FaultKind;
use heapwright_program::analysis::Charts;
use heapwright_program::{
    Edge, EdgeId, Expression, ExpressionId, Failure, Halt, ObjectId, Operation, Program,
    ScalarType, VariableId, VariableKind, divisions_of, expressions_of,
};
use heapwright_property::Part;

use crate::alarm::{Alarm, Doubt};
use crate::value::{Value, Values};

pub(crate) type Stepped = Result<Vec<State>, Doubt>;

/// Nodes of a graph between two loop heads.
const MOST_NODES: usize = 60;

/// Makes steps of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stepper<'a> {
    pub(crate) task: &'a Task,
    pub(crate) charts: &'a Charts,
}

impl<'a> Stepper<'a> {
    pub(crate) fn program(&self) -> &'a Program {
        &self.task.program
    }

    /// The edges that leave a place.
    pub(crate) fn outgoing(&self, spot: &Spot) -> &'a [EdgeId] {
        &self.charts.of_function(spot.function).outgoing[spot.location]
    }

    /// Whether states meet here: at the heads of loops.
    pub(crate) fn is_cut(&self, spot: &Spot) -> bool {
        self.charts.is_head(spot.function, spot.location)
    }

    /// The state before the first step.
    pub(crate) fn start(&self) -> Option<State> {
        let program = self.program();
        let mut state = State::at_start(program)?;
        for (id, variable) in program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                let value = self.value(&state, initial);
                self.set(&mut state, id, value);
            }
        }
        Some(state)
    }

    /// The states that an edge leads to. None: no execution passes it from here, or all end there.
    pub(crate) fn step(&self, state: State, id: EdgeId) -> Result<Vec<State>, Alarm> {
        let body = self.program().functions[state.spot.function].body.as_ref();
        let edge = &body.expect("a state is in a body").edges[id];
        let raise = |doubt| Alarm { doubt, place: edge.place };
        if state.graph.nodes.len() > MOST_NODES {
            return Err(raise(Doubt::not_carried("so many blocks apart")));
        }
        let mut found = Vec::new();
        for state in self.settled(state, &edge.operation) {
            self.divisions(&state, &edge.operation).map_err(raise)?;
            found.extend(self.operation(state, edge, id).map_err(raise)?);
        }
        Ok(found)
    }

    /// Where somebody asks about divisions by zero, every divisor is known not to be.
    fn divisions(&self, state: &State, operation: &Operation) -> Result<(), Doubt> {
        let asked = self.task.part_of(FaultKind::DivisionByZero);
        let asked = asked.filter(|&part| self.task.specification.asks(part));
        let may_be_zero =
            |(_, divisor): (ExpressionId, ExpressionId)| match self.value(state, divisor) {
                Value::Number(bits) => bits == 0,
                Value::Pointer(_) | Value::Anything => true,
            };
        match asked {
            Some(part) if divisions_of(self.program(), operation).into_iter().any(may_be_zero) => {
                Err(Doubt::Violation(part))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The states in which every pointer that an operation reads leads to one definite place.
    fn settled(&self, state: State, operation: &Operation) -> Vec<State> {
        let expressions = &self.program().expressions;
        let mut states = vec![state];
        for root in expressions_of(operation) {
            expressions.visit(root, &mut |_, node| {
                if let Expression::Variable(variable) = node {
                    let settle = |state: State| state.settled(Root::Variable(variable));
                    states = std::mem::take(&mut states).into_iter().flat_map(settle).collect();
                }
            });
        }
        states
    }

    fn operation(&self, mut state: State, edge: &Edge, id: EdgeId) -> Stepped {
        let before = std::mem::replace(&mut state.spot.location, edge.target);
        match &edge.operation {
            Operation::Skip => Ok(vec![state]),
            Operation::Assume { condition, holds } => Ok(self.assume(state, *condition, *holds)),
            Operation::Assign { target, value } => {
                let value = self.value(&state, *value);
                Ok(vec![self.with(state, *target, value)])
            }
            Operation::Input { target, .. } => Ok(vec![self.with(state, *target, Value::Anything)]),
            Operation::Load { target, access } => self.load(state, *target, access),
            Operation::Store { access, value } => self.store(state, access, *value),
            Operation::Copy { target, source, size, initialises } => {
                self.copy(state, (*target, *initialises), *source, *size)
            }
            Operation::Disjoint { left, right, size } => {
                self.disjoint(state, [*left, *right], *size)
            }
            Operation::Fill { target, byte, size, initialises } => {
                self.fill(state, (*target, *initialises), *byte, *size)
            }
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(state, *target, (*storage, *size, *zeroed))
            }
            Operation::Free { address } => self.free(state, *address),
            Operation::Enter { size: Some(_), .. } => {
                Err(Doubt::not_carried("memory of `alloca`, arrays of variable size"))
            }
            Operation::Enter { object, size: None } => {
                self.end_object(&mut state, *object);
                state.objects.insert(*object);
                Ok(vec![state])
            }
            Operation::Leave { object } => {
                self.end_object(&mut state, *object);
                Ok(vec![state])
            }
            Operation::Call { callee, arguments, .. } => {
                state.spot.location = before;
                self.call(state, id, *callee, arguments)
            }
            Operation::Return { value } => Ok(self.return_from(state, *value)),
            // What is lost or left when the program ends is not asked of this engine.
            Operation::Halt(
                Halt::AssumptionFailed | Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort,
            ) => Ok(Vec::new()),
            Operation::Fail(failure) => self.fail(failure),
            Operation::BlockSize { .. } => {
                Err(Doubt::not_carried("the size of a block, as `realloc` asks for it"))
            }
            Operation::Unsupported { construct } => Err(Doubt::not_carried(construct)),
        }
    }

    fn fail(&self, failure: &Failure) -> Stepped {
        let specification = &self.task.specification;
        match failure {
            Failure::Assertion { .. } => {
                match specification.assertions && specification.asks(Part::UnreachCall) {
                    true => Err(Doubt::Violation(Part::UnreachCall)),
                    // The execution ends, in a way that nobody asks about.
                    false => Ok(Vec::new()),
                }
            }
            Failure::Size { .. } | Failure::Usage { .. } => Err(Doubt::Violation(Part::ValidDeref)),
            Failure::Overflow { .. } => Err(Doubt::Violation(Part::NoOverflow)),
        }
    }

    pub(crate) fn value(&self, state: &State, id: ExpressionId) -> Value {
        Values { program: self.program(), state }.of(id)
    }

    /// The state in which a variable has a value.
    fn with(&self, mut state: State, target: VariableId, value: Value) -> State {
        self.set(&mut state, target, value);
        state
    }

    fn set(&self, state: &mut State, target: VariableId, value: Value) {
        match self.program().variables[target].scalar {
            ScalarType::Pointer => {
                let root = Root::Variable(target);
                state.graph.roots.remove(&root);
                let held = value.target().map(|target| (root, Targets::from([target])));
                state.graph.roots.extend(held);
            }
            ScalarType::Bool | ScalarType::Integer { .. } => {
                state.numbers.remove(&target);
                state.numbers.extend(value.number().map(|bits| (target, bits)));
            }
            ScalarType::Float(_) => {}
        }
    }

    fn end_object(&self, state: &mut State, object: ObjectId) {
        state.objects.remove(&object);
        let size = self.program().objects[object].size.unwrap_or(0);
        state.graph.end_object(object, size);
    }
}
