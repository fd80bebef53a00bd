//! Intervals: a lower and an upper bound for each number, signed or unsigned as its type is; and
//! whether a truth value is always the same.

use super::bound::bounds;
use super::set::ValueSet;
use super::{Domain, Row, Scope};
use crate::ssa::formula::{LoopVariableSource, ValueKind};

pub(super) struct Intervals;

impl Domain for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn summary(&self) -> &'static str {
        "a lower and an upper bound for each number"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows = bounds(scope, interval_sums(scope));
        rows.extend(truth_values(scope));
        rows
    }
}

/// Rows for truth values: always true, or always false.
pub(super) fn truth_values(scope: &Scope) -> Vec<Box<dyn Row>> {
    let is_program_variable = |&index: &usize| {
        let source = scope.variables[index].source;
        matches!(source, Some(LoopVariableSource::Local(_) | LoopVariableSource::Global(_)))
    };
    let booleans = scope.positions(|kind| kind == ValueKind::Boolean).into_iter();
    let row = |index| Box::new(ValueSet::new(scope, vec![index], 1)) as Box<dyn Row>;
    booleans.filter(is_program_variable).map(row).collect()
}

/// Each number, and each number negated.
pub(super) fn interval_sums(scope: &Scope) -> Vec<Vec<(usize, bool)>> {
    let changes = |number: &usize| scope.variables[*number].source.is_some();
    let numbers = scope.numbers().into_iter().filter(changes);
    numbers.flat_map(|number| [vec![(number, false)], vec![(number, true)]]).collect()
}
