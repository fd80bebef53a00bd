//! Zones: intervals, and an upper bound for the difference of any two numbers.

use super::bound::bounds;
use super::interval::{interval_sums, truth_values};
use super::{Domain, Row, Scope};

pub(super) struct Zones;

impl Domain for Zones {
    fn name(&self) -> &'static str {
        "zones"
    }

    fn summary(&self) -> &'static str {
        "intervals, and bounds for the difference of any two numbers"
    }

    fn includes(&self) -> &'static [&'static str] {
        &["intervals"]
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let pairs = scope.pairs(&scope.numbers()).into_iter();
        let differences = |(a, b)| [vec![(a, false), (b, true)], vec![(b, false), (a, true)]];
        let mut sums = interval_sums(scope);
        sums.extend(pairs.flat_map(differences));
        let mut rows = bounds(scope, sums);
        rows.extend(truth_values(scope));
        rows
    }
}
