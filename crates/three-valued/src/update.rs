//! Updates: what a statement does to the predicates, each by a formula over the structure before it.

use crate::evaluate::{Assignment, row, rows_of, truth};
use crate::formula::Formula;
use crate::structure::Structure;
use crate::vocabulary::{BinaryId, NullaryId, UnaryId};

/// New values of some predicates; the others keep theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    pub nullary: Vec<(NullaryId, Formula)>,
    /// With the node as variable 0.
    pub unary: Vec<(UnaryId, Formula)>,
    /// With the nodes as variables 0 and 1.
    pub binary: Vec<(BinaryId, Formula)>,
}

impl Update {
    /// The structure after it. All formulas speak of the structure before.
    #[must_use]
    pub fn apply(&self, before: &Structure) -> Structure {
        let mut after = before.clone();
        for (predicate, formula) in &self.nullary {
            after.set_nullary(*predicate, truth(before, formula));
        }
        for (predicate, formula) in &self.unary {
            let values = row(before, formula, Assignment::default(), 0);
            after.set_unary_row(*predicate, values);
        }
        for (predicate, formula) in &self.binary {
            for (from, values) in rows_of(before, formula).into_iter().enumerate() {
                after.set_binary_row(*predicate, from, values);
            }
        }
        after
    }
}
