//! What an answer rests on beyond the program: said where it can matter, and only there.

use heapwright_engine::Task;
use heapwright_program::{
    BinaryOperator, Expression, Operation, Program, SignedOverflow, SourceFile, Storage,
    expressions_of,
};

/// What `--no-signed-overflow` takes for granted.
pub const NO_SIGNED_OVERFLOW: &str = "signed arithmetic does not overflow";

/// What a proof of this task takes for granted.
pub(crate) fn assumptions(task: &Task) -> Vec<String> {
    let mut assumptions = Vec::new();
    if allocates(&task.program) {
        let malloc = if task.malloc_may_fail { "malloc may fail" } else { "malloc does not fail" };
        assumptions.push(malloc.to_owned());
    }
    assumptions.push("operands are evaluated from left to right".to_owned());
    if task.program.signed_overflow == SignedOverflow::Ends {
        assumptions.push(NO_SIGNED_OVERFLOW.to_owned());
    }
    if computes_with_floats(&task.program) {
        // Not so with `-ffast-math`, with fused operations, and with the x87 for `double`.
        assumptions.push("each floating-point operation is rounded to its type".to_owned());
    }
    if task.program.files.iter().any(SourceFile::is_environment) {
        assumptions.push("the library does what models/environment says of it".to_owned());
    }
    assumptions
}

fn allocates(program: &Program) -> bool {
    operations(program)
        .any(|operation| matches!(operation, Operation::Allocate { storage: Storage::Heap, .. }))
}

fn computes_with_floats(program: &Program) -> bool {
    let mut found = false;
    for root in operations(program).flat_map(expressions_of) {
        program.expressions.visit(root, &mut |_, node| {
            found |= match node {
                Expression::Binary { operator, left, .. } => {
                    let is_rounded = matches!(
                        operator,
                        BinaryOperator::Add
                            | BinaryOperator::Subtract
                            | BinaryOperator::Multiply
                            | BinaryOperator::Divide
                    );
                    is_rounded && program.expressions.type_of(left).is_float()
                }
                Expression::Constant { .. }
                | Expression::Variable(_)
                | Expression::ObjectAddress(_)
                | Expression::FunctionAddress(_)
                | Expression::Unary { .. }
                | Expression::Convert { .. } => false,
            };
        });
    }
    found
}

fn operations(program: &Program) -> impl Iterator<Item = &Operation> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| &body.edges).map(|edge| &edge.operation)
}
