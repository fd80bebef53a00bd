//! Calls of functions that a contract speaks of: in front of each, the arguments are looked at, and a clause that they
//! break is an assertion that fails there (`entry/asked`).
//!
//! A function that calls itself is not asked again: a contract says what others promise.

use heapwright_base::DenseId;
use heapwright_program::{
    BinaryOperator, Callee, Edge, EdgeId, Failure, Function, FunctionId, LocationId, Operation,
    Program, debug_assert_well_formed,
};

use super::fit::temporary;
use crate::entry::{Asked, HARNESS_FILE};

/// Lets the calls inside the program be looked at; the harness keeps the contract by itself.
pub(crate) fn look_at_calls(program: &mut Program, asked: &[Asked]) {
    for one in asked {
        let found = (program.function_named(&one.function), program.function_named(&one.checker()));
        let (Some(function), Some(checker)) = found else { continue };
        let Some(question) = Question::new(program, one, function, checker) else { continue };
        for caller in program.functions.ids().collect::<Vec<_>>() {
            if caller != function && is_of_program(program, &program.functions[caller]) {
                question.put(program, caller);
            }
        }
    }
    debug_assert_well_formed(program, "looking at calls");
}

fn is_of_program(program: &Program, function: &Function) -> bool {
    let file = &program.files[function.place.file];
    !file.is_model && file.name != HARNESS_FILE
}

/// What is asked in front of calls of a function.
struct Question<'a> {
    asked: &'a Asked,
    function: FunctionId,
    checker: FunctionId,
    /// The place for a struct that is given back is an argument of the call, but not of the question.
    hidden: usize,
}

impl<'a> Question<'a> {
    fn new(
        program: &Program,
        asked: &'a Asked,
        function: FunctionId,
        checker: FunctionId,
    ) -> Option<Question<'a>> {
        let scalars = |id: FunctionId| {
            let parameters = program.functions[id].parameters.iter();
            parameters.map(|&parameter| program.variables[parameter].scalar).collect::<Vec<_>>()
        };
        let (given, wanted) = (scalars(function), scalars(checker));
        let hidden = given.len().checked_sub(wanted.len())?;
        (given[hidden..] == wanted).then_some(Question { asked, function, checker, hidden })
    }

    fn put(&self, program: &mut Program, caller: FunctionId) {
        let Some(body) = &program.functions[caller].body else { return };
        let is_call = |edge: &Edge| {
            let Operation::Call { callee, .. } = &edge.operation else { return false };
            *callee == Callee::Direct(self.function)
        };
        let calls = body.edges.enumerated().filter(|(_, edge)| is_call(edge));
        for call in calls.map(|(id, _)| id).collect::<Vec<_>>() {
            self.put_before(program, caller, call);
        }
    }

    /// The call becomes the question, and stands again behind the answer that nothing is broken.
    fn put_before(&self, program: &mut Program, caller: FunctionId, call: EdgeId) {
        let Some(edge) = program.functions[caller].body.as_ref().map(|body| &body.edges[call])
        else {
            return;
        };
        let edge = edge.clone();
        let Operation::Call { arguments, .. } = &edge.operation else { return };
        let count = program.functions[self.checker].parameters.len();
        let Some(arguments) = arguments.get(self.hidden..self.hidden + count) else { return };
        let arguments = arguments.to_vec();
        let Some(scalar) = program.functions[self.checker].result else { return };
        let answer = temporary(program, caller, &edge, scalar);
        let value = program.expressions.variable(answer, scalar);
        let conditions = (1u128..).zip(&self.asked.clauses).map(|(number, clause)| {
            let number = program.expressions.constant(scalar, number, program.model);
            let operator = BinaryOperator::Equal;
            let condition = program.expressions.binary(operator, value, number, program.model);
            (condition, format!("contract of {}: {clause}", self.asked.function))
        });
        let conditions: Vec<_> = conditions.collect();
        let body = program.functions[caller].body.as_mut().expect("it has the call");
        let mut place_of = || {
            let location = LocationId::from_index(body.location_count);
            body.location_count += 1;
            location
        };
        let mut here = place_of();
        let callee = Callee::Direct(self.checker);
        let question = Operation::Call { target: Some(answer), callee, arguments };
        let exit = body.exit;
        let mut edges = Vec::new();
        let asked = Edge { target: here, operation: question, ..edge.clone() };
        for (condition, text) in conditions {
            let (broken, kept) = (place_of(), place_of());
            let step = |source, target, operation| Edge { source, target, operation, ..edge };
            edges.extend([
                step(here, broken, Operation::Assume { condition, holds: true }),
                step(here, kept, Operation::Assume { condition, holds: false }),
                step(broken, exit, Operation::Fail(Failure::Assertion { text })),
            ]);
            here = kept;
        }
        body.edges[call] = asked;
        for edge in edges {
            let _: EdgeId = body.edges.push(edge);
        }
        let _: EdgeId = body.edges.push(Edge { source: here, ..edge });
    }
}
