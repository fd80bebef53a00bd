//! Intervals: a lower and an upper bound for each number, signed or unsigned as its type is.

use super::bound::bounds;
use super::{Domain, Row, Scope};

pub(super) struct Intervals;

impl Domain for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn summary(&self) -> &'static str {
        "a lower and an upper bound for each number"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        bounds(scope, interval_sums(scope))
    }
}

/// Each number, and each number negated.
pub(super) fn interval_sums(scope: &Scope) -> Vec<Vec<(usize, bool)>> {
    let changes = |number: &usize| scope.variables[*number].source.is_some();
    let numbers = scope.numbers().into_iter().filter(changes);
    numbers.flat_map(|number| [vec![(number, false)], vec![(number, true)]]).collect()
}
