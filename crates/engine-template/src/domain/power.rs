//! The power domain of symbolic loop paths over any other: one value of a row for each combination
//! of the loops that were, or were not, run on the way here (FMCAD'18, section IV-C).
//!
//! The paper takes the loop-select guards of all loops. A loop's own guard and those of the loops
//! inside of it change from one iteration to the next, so that values would be used on other paths
//! than where they were seen; only the loops before this one and around it are told apart. Conditions
//! that were decided before the loop, or that a function decides on its inputs, tell paths apart in the
//! same way. Paths appear when a model first shows them: one that was never seen stays at bottom.

use std::collections::BTreeMap;

use heapwright_logic::{TermId, Terms};

use super::{Bound, Point, Row, Scope, Split, Version};
use crate::ssa::formula::{AbstractObjectId, Spot};

#[derive(Clone, Debug)]
pub struct Power {
    /// At bottom.
    base: Box<dyn Row>,
    /// By which of the other loops were run.
    rows: BTreeMap<Vec<bool>, Box<dyn Row>>,
    is_forgotten: bool,
}

impl Power {
    pub fn over(base: Box<dyn Row>) -> Power {
        Power { base, rows: BTreeMap::new(), is_forgotten: false }
    }
}

fn path_term(terms: &mut Terms, path: &[bool], version: &Version) -> TermId {
    let mut literals = Vec::new();
    for (&taken, &guard) in path.iter().zip(&version.paths) {
        literals.push(if taken { guard } else { terms.not(guard) });
    }
    terms.all(&literals)
}

fn path_text(path: &[bool], scope: &Scope) -> String {
    let literal = |(&taken, split): (&bool, &Split)| {
        if taken { split.yes.clone() } else { split.no.clone() }
    };
    let literals: Vec<String> = path.iter().zip(&scope.paths).map(literal).collect();
    literals.join(" and ")
}

impl Row for Power {
    fn variables(&self) -> Vec<usize> {
        self.base.variables()
    }

    fn is_universal(&self) -> bool {
        self.base.is_universal()
    }

    fn blocks(&self) -> Vec<(AbstractObjectId, Spot)> {
        self.base.blocks()
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        if self.is_forgotten {
            return TermId::TRUE;
        }
        // The paths exclude each other, so the implications of all of them and the disjunction of
        // the paths seen is this disjunction.
        let mut choices = Vec::new();
        for (path, row) in &self.rows {
            let path = path_term(terms, path, version);
            let row = row.formula(terms, version);
            choices.push(terms.and(path, row));
        }
        terms.any(&choices)
    }

    fn covers(&self, point: &Point) -> bool {
        self.is_forgotten || self.rows.get(&point.paths).is_some_and(|row| row.covers(point))
    }

    fn join(&mut self, point: &Point) {
        let base = &self.base;
        self.rows.entry(point.paths.clone()).or_insert_with(|| base.clone()).join(point);
    }

    fn is_top(&self) -> bool {
        self.is_forgotten
    }

    fn forget(&mut self) {
        self.is_forgotten = true;
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        if self.is_forgotten {
            return Vec::new();
        }
        let texts: Vec<Vec<String>> = self.rows.values().map(|row| row.text(scope)).collect();
        if texts.windows(2).all(|pair| pair[0] == pair[1]) {
            return texts.into_iter().next().unwrap_or_default();
        }
        let with_path = |(path, texts): (&Vec<bool>, Vec<String>)| {
            let path = path_text(path, scope);
            texts.into_iter().map(move |text| format!("{text}, if {path}"))
        };
        self.rows.keys().zip(texts).flat_map(with_path).collect()
    }

    fn bound(&mut self, point: &Point) -> Option<&mut Bound> {
        if self.is_forgotten {
            return None;
        }
        self.rows.get_mut(&point.paths).and_then(|row| row.bound(point))
    }

    fn bounds(&self) -> Vec<&Bound> {
        if self.is_forgotten {
            return Vec::new();
        }
        self.rows.values().flat_map(|row| row.bounds()).collect()
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
