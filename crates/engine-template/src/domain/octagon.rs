//! Octagons: intervals, and bounds for the sum and for the difference of any two numbers.

use super::bound::bounds;
use super::interval::{interval_sums, truth_values};
use super::{Domain, Row, Scope};

pub(super) struct Octagons;

impl Domain for Octagons {
    fn name(&self) -> &'static str {
        "octagons"
    }

    fn summary(&self) -> &'static str {
        "intervals, and bounds for the sum and the difference of any two numbers"
    }

    fn includes(&self) -> &'static [&'static str] {
        &["intervals", "zones"]
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let pairs = scope.pairs(&scope.numbers()).into_iter();
        let signs = [(false, true), (true, false), (false, false), (true, true)];
        let combinations = |(a, b)| signs.map(|(of_a, of_b)| vec![(a, of_a), (b, of_b)]);
        let mut sums = interval_sums(scope);
        sums.extend(pairs.flat_map(combinations));
        let mut rows = bounds(scope, sums);
        rows.extend(truth_values(scope));
        rows
    }
}
