//! Pairs of values: which value of one number goes with which of another, where both have few.
//!
//! State machines need this: in state `s` the flag is `f`.

use super::set::ValueSet;
use super::{Domain, Row, Scope};
use crate::ssa::formula::ValueKind;

pub(super) struct Pairs;

/// More pairs are too many to tell apart.
const MOST_PAIRS: usize = 48;

impl Domain for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn summary(&self) -> &'static str {
        "the pairs of values of two numbers that have few"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let is_flag = |kind| matches!(kind, ValueKind::Number { .. } | ValueKind::Boolean);
        let mut changing = scope.positions(is_flag);
        changing.retain(|&number| scope.variables[number].source.is_some());
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for (at, &a) in changing.iter().enumerate() {
            for &b in &changing[at + 1..] {
                if scope.is_one_summary(a, b) {
                    rows.push(Box::new(ValueSet::new(scope, vec![a, b], MOST_PAIRS)));
                }
            }
        }
        rows
    }
}
