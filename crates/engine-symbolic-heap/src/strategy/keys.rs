//! Whether a program looks for keys: it compares a number that it reads from memory with one that it has.

use heapwright_program::Program;

use crate::strategy::copies::Read;

/// Whether a number that was read from memory is compared, for equality, with one that is no constant.
pub(crate) fn compares_keys(program: &Program) -> bool {
    let read = Read::of(program);
    let expressions = &program.expressions;
    let mut all = expressions.ids().map(|id| expressions.get(id));
    all.any(|expression| read.is_comparison_with_held(expression))
}
