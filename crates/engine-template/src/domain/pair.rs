//! Pairs of values: which value of one number goes with which of another, where both have few.
//!
//! State machines need this: in state `s` the flag is `f`.

use super::set::ValueSet;
use super::state::steering;
use super::{Domain, Row, Scope};

pub(super) struct Pairs;

/// Variables that are paired.
const MOST_VARIABLES: usize = 8;

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
        let mut flags = steering(scope);
        flags.truncate(MOST_VARIABLES);
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for (at, &a) in flags.iter().enumerate() {
            for &b in &flags[at + 1..] {
                rows.push(Box::new(ValueSet::new(scope, vec![a, b], MOST_PAIRS)));
            }
        }
        rows
    }
}
