//! Runs with a fault end there, for questions that do not ask about faults.
//!
//! What follows a fault is undefined, and the interpreter's runs end with it. A proof that the error
//! function is not called may therefore leave such runs out; it says so among its assumptions. For
//! null pointers, the program is changed so that each access through one ends the run before it
//! happens. Blocks that are used after their end keep their contents in the formula, which has more
//! runs then. Every other invalid access must still be excluded by the proof, since the formula
//! means nothing after it.

use heapwright_base::DenseId;
use heapwright_engine::Task;
use heapwright_program::{
    BinaryOperator, Body, Edge, Expression, ExpressionId, Expressions, Halt, LocationId, Operation,
    ScalarType,
};
use heapwright_property::Part;

/// In words.
pub(crate) const ASSUMPTION: &str =
    "a run that dereferences null, or uses memory after its end, ends there";

/// The same question with such runs cut short; none if it asks about them.
pub(crate) fn without_null_accesses(task: &Task) -> Option<Task> {
    if task.specification.asks(Part::ValidDeref) {
        return None;
    }
    let mut program = task.program.clone();
    let model = program.model;
    let null = program.expressions.constant(ScalarType::Pointer, 0, model);
    for id in program.functions.ids() {
        let Some(mut body) = program.functions[id].body.take() else { continue };
        for edge in body.edges.ids() {
            let Some(base) = base(&program.expressions, &body.edges[edge].operation) else {
                continue;
            };
            let operator = BinaryOperator::NotEqual;
            let condition = program.expressions.binary(operator, base, null, model);
            guard(&mut body, edge, condition);
        }
        program.functions[id].body = Some(body);
    }
    let specification = task.specification.clone();
    Some(Task { program, specification, malloc_may_fail: task.malloc_may_fail })
}

/// The pointer that an access starts from, if it may be null.
fn base(expressions: &Expressions, operation: &Operation) -> Option<ExpressionId> {
    let access = match operation {
        Operation::Load { access, .. } | Operation::Store { access, .. } => access,
        _ => return None,
    };
    let is_pointer = expressions.type_of(access.base) == ScalarType::Pointer;
    let is_object = matches!(expressions.get(access.base), Expression::ObjectAddress(_));
    (is_pointer && !is_object).then_some(access.base)
}

/// Puts the condition before an edge.
fn guard(body: &mut Body, edge: heapwright_program::EdgeId, condition: ExpressionId) {
    let Edge { source, place, .. } = body.edges[edge].clone();
    let passes = new_location(body);
    let ends = new_location(body);
    let exit = body.exit;
    body.edges[edge].source = passes;
    let operation = |holds| Operation::Assume { condition, holds };
    body.edges.push(Edge { source, target: passes, operation: operation(true), place });
    body.edges.push(Edge { source, target: ends, operation: operation(false), place });
    let operation = Operation::Halt(Halt::AssumptionFailed);
    body.edges.push(Edge { source: ends, target: exit, operation, place });
}

fn new_location(body: &mut Body) -> LocationId {
    body.location_count += 1;
    LocationId::from_index(body.location_count - 1)
}
