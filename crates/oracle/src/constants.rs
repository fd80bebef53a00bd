//! The numbers that a program compares with: branches that few inputs take depend on them.

use std::collections::BTreeSet;

use heapwright_program::{Expression, Program, expressions_of};

/// More are not worth a run.
const MOST: usize = 64;

/// Each constant of a comparison in the user's own code, with its neighbours, in order.
pub(crate) fn compared_constants(program: &Program) -> Vec<u128> {
    let mut found = BTreeSet::new();
    for function in &program.functions {
        let is_model = program.files.get(function.place.file).is_some_and(|file| file.is_model);
        let Some(body) = function.body.as_ref().filter(|_| !is_model) else { continue };
        for edge in &body.edges {
            for expression in expressions_of(&edge.operation) {
                program.expressions.visit(expression, &mut |_, node| {
                    add_constants(program, node, &mut found);
                });
            }
        }
    }
    found.into_iter().take(MOST).collect()
}

fn add_constants(program: &Program, node: Expression, found: &mut BTreeSet<u128>) {
    let Expression::Binary { operator, left, right } = node else { return };
    if !operator.is_comparison() {
        return;
    }
    for operand in [left, right] {
        if let Expression::Constant { ty, bits } = program.expressions.get(operand)
            && !matches!(ty, heapwright_program::ScalarType::Float(_))
        {
            found.extend([bits.wrapping_sub(1), bits, bits.wrapping_add(1)]);
        }
    }
}
