//! What each operation does to a state.

use std::sync::Arc;

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{
    EdgeId, ExpressionId, Failure, FunctionId, Halt, InputSource, Operation, Place, ScalarType,
    VariableId,
};

use crate::execution::access::Use;
use crate::execution::call::return_from;
use crate::execution::cut_calls::CutCalls;
use crate::execution::ends::{ambiguous, unsettled};
use crate::execution::expression::{evaluate, value_of_bytes};
use crate::execution::lifetime::{allocate, block_size, enter, free, leave};
use crate::execution::outcome::Outcome;
use crate::execution::stretches::{copy_operation, disjoint, fill_operation};
use crate::execution::transfer::{load, store};
use crate::heap::names::Names;
use crate::heap::state::{DrawnTerm, State};
use crate::heap::trail::{Branch, BranchLog};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Feasible, Possible, assume};
use crate::summary::fold::unfold;

/// The work of an edge, beside questions about it.
const UNITS_OF_A_STEP: u64 = 1;

/// Executes edges.
pub(crate) struct Executor<'a, 't> {
    pub(crate) reasoner: &'a mut Reasoner<'t>,
    pub(crate) calls: &'a CutCalls,
    pub(crate) branches: &'a mut BranchLog,
}

impl Executor<'_, '_> {
    /// Executes the edges that leave the current location.
    pub(crate) fn step(&mut self, state: State) -> Vec<Outcome> {
        let outcomes = self.take_edges(state);
        for outcome in &outcomes {
            match outcome {
                Outcome::Continues(state)
                | Outcome::Again(state)
                | Outcome::Calls(state)
                | Outcome::Returns(state)
                | Outcome::Fault { state, .. }
                | Outcome::Ends { state, .. } => self.reasoner.names.expect_well_formed_step(state),
                Outcome::Blocked | Outcome::Unknown(_) => {}
            }
        }
        outcomes
    }

    fn take_edges(&mut self, mut state: State) -> Vec<Outcome> {
        self.reasoner.services.statistics.steps += 1;
        self.reasoner.services.deadline.spend(UNITS_OF_A_STEP);
        if let Some(failure) = self.reasoner.failure() {
            return vec![Outcome::Unknown(failure)];
        }
        let (function, location) = (state.frame().function, state.frame().location);
        let edges = self.reasoner.names.facts.outgoing(function, location).to_vec();
        let Some(&first) = edges.first() else {
            return vec![Outcome::Unknown(Reason::new("a location without a way on"))];
        };
        let edge = self.reasoner.names.facts.edge(function, first);
        let segment = unsettled(&self.reasoner.names, &state, &edge.operation)
            .or_else(|| ambiguous(self.reasoner, &mut state, &edge.operation));
        if let Some(segment) = segment {
            return unfold(self.reasoner, state, segment).into_iter().map(Outcome::Again).collect();
        }
        if let Operation::Assume { condition, .. } = edge.operation {
            return self.branch(state, function, &edges, condition);
        }
        if let Some(lost) = check_arithmetic(self.reasoner, &mut state, &edge.operation, edge.place)
        {
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
        function: FunctionId,
        edges: &[EdgeId],
        condition: ExpressionId,
    ) -> Vec<Outcome> {
        let term = evaluate(self.reasoner, &mut state, condition);
        match self.reasoner.feasible(&state, term) {
            Feasible::One(truth, model) => {
                state.model = state.model.take().or(model);
                self.pass(&mut state, function, edges, truth);
                vec![Outcome::Continues(state)]
            }
            Feasible::Both { on_true, on_false } => {
                self.reasoner.services.statistics.forks += 1;
                state.depth += 1;
                let mut other = state.clone();
                assume(&mut self.reasoner.names, &mut state, term, on_true);
                self.pass(&mut state, function, edges, true);
                let negation = self.reasoner.names.terms.not(term);
                assume(&mut self.reasoner.names, &mut other, negation, on_false);
                self.pass(&mut other, function, edges, false);
                vec![Outcome::Continues(state), Outcome::Continues(other)]
            }
        }
    }

    /// Takes the one of two branches whose condition has this truth.
    fn pass(&mut self, state: &mut State, function: FunctionId, edges: &[EdgeId], truth: bool) {
        let is_it = |&&edge: &&EdgeId| {
            let operation = &self.reasoner.names.facts.edge(function, edge).operation;
            matches!(operation, Operation::Assume { holds, .. } if *holds == truth)
        };
        let edge = *edges.iter().find(is_it).expect("assumptions come in pairs");
        let location = state.frame().location;
        state.frame_mut().location = self.reasoner.names.facts.edge(function, edge).target;
        state.signature = state.signature.then(function, edge);
        self.branches.passed.insert((function, edge));
        self.branches.trails.take_branch(state, Branch { function, location, truth });
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
                let value = evaluate(self.reasoner, &mut state, *value);
                set(&mut self.reasoner.names, &mut state, *target, value);
                vec![moved(state)]
            }
            Operation::Input { target, source } => {
                input(&mut self.reasoner.names, &mut state, *target, source, place);
                vec![moved(state)]
            }
            operation @ (Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Copy { .. }
            | Operation::Disjoint { .. }
            | Operation::Fill { .. }
            | Operation::Allocate { .. }
            | Operation::Free { .. }
            | Operation::BlockSize { .. }) => {
                use_memory(self.reasoner, state, operation, place, &moved)
            }
            Operation::Enter { object, size } => {
                enter(self.reasoner, &mut state, *object, *size);
                vec![moved(state)]
            }
            Operation::Leave { object } => {
                leave(&mut state, *object);
                vec![moved(state)]
            }
            Operation::Call { target: result, callee, arguments } => {
                self.call(state, id, *result, callee, arguments, place)
            }
            Operation::Return { value } => return_from(self.reasoner, state, *value, place),
            Operation::Halt(halt) => match halt {
                Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort => {
                    vec![Outcome::Ends { state, place }]
                }
                Halt::AssumptionFailed => vec![Outcome::Blocked],
            },
            Operation::Fail(failure) => {
                vec![Outcome::Fault { state, kind: fault_of(failure), place }]
            }
            Operation::Unsupported { construct } => {
                vec![Outcome::Unknown(Reason::at(format!("not modelled: {construct}"), place))]
            }
        }
    }
}

/// Divisions whose divisor can be zero.
fn check_arithmetic(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    operation: &Operation,
    place: Place,
) -> Option<(Vec<Outcome>, Option<Outcome>)> {
    use heapwright_program::{BinaryOperator, Expression};
    let Operation::Assign { value, .. } = operation else { return None };
    let expressions = &reasoner.names.program().expressions;
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
    let divisor = evaluate(reasoner, state, right);
    let zero = reasoner.names.terms.bit_vector(0, reasoner.names.terms.width(divisor));
    let is_zero = reasoner.names.terms.equal(divisor, zero);
    match reasoner.possible(state, is_zero) {
        Possible::No => None,
        Possible::Perhaps => {
            let reason = Reason::at("whether a divisor is zero", place);
            Some((vec![Outcome::Unknown(reason)], None))
        }
        Possible::Yes(model) => {
            let mut faulty = state.clone();
            assume(&mut reasoner.names, &mut faulty, is_zero, Some(model));
            let kind = FaultKind::DivisionByZero;
            let fault = Outcome::Fault { state: faulty, kind, place };
            let not_zero = reasoner.names.terms.not(is_zero);
            match reasoner.possible(state, not_zero) {
                Possible::No => Some((Vec::new(), Some(fault))),
                possible => {
                    let model = possible.model();
                    assume(&mut reasoner.names, state, not_zero, model);
                    Some((vec![fault], None))
                }
            }
        }
    }
}

/// Operations on bytes of memory, and on blocks of the heap.
fn use_memory(
    reasoner: &mut Reasoner<'_>,
    state: State,
    operation: &Operation,
    place: Place,
    moved: &dyn Fn(State) -> Outcome,
) -> Vec<Outcome> {
    match operation {
        Operation::Load { target, access } => load(reasoner, state, *target, access, place, moved),
        Operation::Store { access, value } => store(reasoner, state, access, *value, place, moved),
        Operation::Copy { target, source, size, initialises } => {
            let usage = Use::of_write(*initialises);
            copy_operation(reasoner, state, (*target, *source, *size), usage, place, moved)
        }
        Operation::Disjoint { left, right, size } => {
            disjoint(reasoner, state, (*left, *right, *size), place, moved)
        }
        Operation::Fill { target, byte, size, initialises } => {
            let usage = Use::of_write(*initialises);
            fill_operation(reasoner, state, (*target, *byte, *size), usage, place, moved)
        }
        Operation::Allocate { target, storage, size, zeroed } => {
            allocate(reasoner, state, *target, *storage, (*size, *zeroed), moved)
        }
        Operation::Free { address } => free(reasoner, state, *address, place, moved),
        Operation::BlockSize { target, address } => {
            block_size(reasoner, state, *target, *address, place, moved)
        }
        Operation::Skip
        | Operation::Assume { .. }
        | Operation::Assign { .. }
        | Operation::Input { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Call { .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => unreachable!("it uses no memory"),
    }
}

/// Gives a variable of the current frame, or a global, a value.
pub(crate) fn set(names: &mut Names<'_>, state: &mut State, variable: VariableId, value: TermId) {
    let slot = names.facts.slot(variable);
    if names.facts.is_global(variable) {
        Arc::make_mut(&mut state.globals)[slot] = Some(value);
    } else {
        Arc::make_mut(&mut state.frame_mut().registers)[slot] = Some(value);
    }
}

fn input(
    names: &mut Names<'_>,
    state: &mut State,
    target: VariableId,
    source: &InputSource,
    place: Place,
) {
    let ty = names.program().variables[target].scalar;
    let bits = names.bits(ty);
    let value = names.fresh("input", bits);
    let drawn = match source {
        InputSource::Nondeterministic(name) => {
            DrawnTerm::Nondeterministic { name: Arc::from(name.as_str()), ty, value, place }
        }
        InputSource::Uninitialised => {
            DrawnTerm::Variable { variable: Some(target), ty, value, place }
        }
    };
    state.drawn.push_back(drawn);
    let value = value_of_bytes(names, value, ty);
    set(names, state, target, value);
}

/// The type of a parameter or variable, as a term is made for it.
pub(crate) fn scalar_of(names: &Names<'_>, variable: VariableId) -> ScalarType {
    names.program().variables[variable].scalar
}

fn fault_of(failure: &Failure) -> FaultKind {
    match failure {
        Failure::Assertion { .. } => FaultKind::AssertionFailed,
        Failure::Size { .. } => FaultKind::InvalidSize,
        Failure::Usage { .. } => FaultKind::InvalidUsage,
        Failure::Overflow { .. } => FaultKind::SignedOverflow,
    }
}
