//! What a program tells of its arrays without being run: how far apart elements are, and where arrays are made that grow.

use std::collections::BTreeSet;

use heapwright_base::IdVec;
use heapwright_program::{
    BinaryOperator, Expression, ExpressionId, FunctionId, Operation, Program,
};

/// Distances of elements that are looked at.
const MOST_STRIDES: usize = 6;

/// The farthest that elements are apart.
const LONGEST_STRIDE: u64 = 128;

#[derive(Debug)]
pub(crate) struct LayoutFacts {
    /// Constants by which the program multiplies what is no constant, as it does with an index: no more than a few, in order.
    pub(crate) strides: Vec<u64>,
    /// Functions that ask how large a block is: what they make takes its place.
    replaces: IdVec<FunctionId, bool>,
}

impl LayoutFacts {
    pub(crate) fn of(program: &Program) -> LayoutFacts {
        let expressions = &program.expressions;
        let factors = expressions.ids().filter_map(|id| factor(program, id));
        let mut strides: Vec<u64> = factors.collect::<BTreeSet<u64>>().into_iter().collect();
        strides.truncate(MOST_STRIDES);
        let asks = |operation: &Operation| matches!(operation, Operation::BlockSize { .. });
        let replaces = program.functions.iter().map(|function| {
            let edges = function.body.iter().flat_map(|body| body.edges.iter());
            edges.into_iter().any(|edge| asks(&edge.operation))
        });
        LayoutFacts { strides, replaces: replaces.collect() }
    }

    /// Whether what a function makes takes the place of another block: an array that grows.
    pub(crate) fn replaces(&self, function: FunctionId) -> bool {
        self.replaces[function]
    }
}

/// What a number is multiplied by that is no constant.
fn factor(program: &Program, id: ExpressionId) -> Option<u64> {
    let Expression::Binary { operator: BinaryOperator::Multiply, left, right } =
        program.expressions.get(id)
    else {
        return None;
    };
    let constant = |id: ExpressionId| match program.expressions.get(id) {
        Expression::Constant { ty, bits } if ty.is_integer() => u64::try_from(bits).ok(),
        _ => None,
    };
    let factor = match (constant(left), constant(right)) {
        (Some(factor), None) | (None, Some(factor)) => factor,
        (Some(_), Some(_)) | (None, None) => return None,
    };
    (2..=LONGEST_STRIDE).contains(&factor).then_some(factor)
}
