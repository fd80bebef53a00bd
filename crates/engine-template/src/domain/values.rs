//! Value sets: the few values that a flag or a state number has.

use super::set::ValueSet;
use super::{Domain, Row, Scope};
use crate::ssa::formula::ValueKind;

pub(super) struct Values;

/// A variable with more values is no flag.
const MOST_VALUES: usize = 24;

impl Domain for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn summary(&self) -> &'static str {
        "the values of a number that has few"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for (index, variable) in scope.first() {
            if matches!((variable.source, variable.kind), (Some(_), ValueKind::Number { .. })) {
                rows.push(Box::new(ValueSet::new(scope, vec![index], MOST_VALUES)));
            }
        }
        rows
    }
}
