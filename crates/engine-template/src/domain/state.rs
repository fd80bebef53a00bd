//! Control states: the tuples of values of those variables that steer a state machine.
//!
//! A variable steers if the loop's body gives it one of several constants. One row for the few that
//! have most of them; with the conditions from before the loop told apart (`power`), that is an
//! enumeration of the machine's states.

use super::set::ValueSet;
use super::{Domain, Row, Scope};
use crate::ssa::formula::ValueKind;

pub(super) struct States;

/// Variables in a tuple.
const MOST_VARIABLES: usize = 4;

/// More states are too many to tell apart.
const MOST_STATES: usize = 300;

impl Domain for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn summary(&self) -> &'static str {
        "the values that a state machine's variables have together"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut steering = steering(scope);
        steering.truncate(MOST_VARIABLES);
        if steering.len() < 2 {
            return Vec::new();
        }
        vec![Box::new(ValueSet::new(scope, steering, MOST_STATES))]
    }
}

/// Numbers and truth values of the program that get several constants, those with most first.
pub(super) fn steering(scope: &Scope) -> Vec<usize> {
    let is_flag = |kind| matches!(kind, ValueKind::Number { .. } | ValueKind::Boolean);
    let mut steering = scope.positions(is_flag);
    steering.retain(|&index| scope.summary(index).is_none());
    steering.retain(|&index| scope.variables[index].constants >= 2);
    steering.sort_by_key(|&index| std::cmp::Reverse(scope.variables[index].constants));
    steering
}
