//! Segments of which an operation has to know more first: whether its two ends are one node, or whether it is empty.

use heapwright_logic::TermId;
use heapwright_program::{BinaryOperator, Expression, Operation, expressions_of};

use crate::execution::expression::{evaluate, value_of};
use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;

/// A list that may be empty, and whose name an operation does more with than to copy it. Accesses find out for
/// themselves.
pub(crate) fn unsettled(
    names: &Names<'_>,
    state: &State,
    operation: &Operation,
) -> Option<BlockId> {
    let expressions = &names.task().program.expressions;
    let only_copies = match operation {
        Operation::Assign { .. }
        | Operation::Load { .. }
        | Operation::Store { .. }
        | Operation::Copy { .. }
        | Operation::Fill { .. }
        | Operation::Free { .. }
        | Operation::BlockSize { .. }
        | Operation::Call { .. }
        | Operation::Return { .. } => true,
        Operation::Assume { .. }
        | Operation::Disjoint { .. }
        | Operation::Allocate { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Halt(_)
        | Operation::Skip
        | Operation::Input { .. }
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => false,
    };
    let mut found = None;
    for root in expressions_of(operation) {
        expressions.visit(root, &mut |id, node| {
            let Expression::Variable(variable) = node else { return };
            let Some(value) = value_of(names, state, variable) else { return };
            let is_copied = only_copies && id == root && names.terms.as_variable(value).is_some();
            if !is_copied {
                let mut lists = names.may_refer_to(&[value]);
                lists.retain(|id| state.blocks.get(id).is_some_and(|block| block.may_be_empty()));
                found = found.or(lists.first().copied());
            }
        });
    }
    found
}

/// A segment whose first and last node an operation compares: they may be the same node.
pub(crate) fn ambiguous(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    operation: &Operation,
) -> Option<BlockId> {
    let expressions = &reasoner.names.task().program.expressions;
    for root in expressions_of(operation) {
        let mut pairs = Vec::new();
        expressions.visit(root, &mut |_, node| {
            if let Expression::Binary { operator, left, right } = node
                && (operator.is_comparison() || operator == BinaryOperator::PointerDifference)
            {
                pairs.push((left, right));
            }
        });
        for (left, right) in pairs {
            let left = evaluate(reasoner, state, left);
            let right = evaluate(reasoner, state, right);
            let (Some((a, _)), Some((b, _))) =
                (pointer_of(&mut reasoner.names, left), pointer_of(&mut reasoner.names, right))
            else {
                continue;
            };
            if are_ends(state, a, b) {
                return Some(a);
            }
        }
    }
    None
}

pub(crate) fn pointer_of(names: &mut Names<'_>, term: TermId) -> Option<(BlockId, TermId)> {
    // A comparison's result is a truth value, not a bit-vector.
    match names.terms.sort(term) {
        heapwright_logic::Sort::BitVector(_) => names.pointer(term),
        _ => None,
    }
}

pub(crate) fn are_ends(state: &State, a: BlockId, b: BlockId) -> bool {
    let last_of = |id: BlockId| state.blocks.get(&id).and_then(|block| block.peer_of());
    last_of(a) == Some(b) || last_of(b) == Some(a)
}
