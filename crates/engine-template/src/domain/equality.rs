//! Equalities and disequalities: two variables of a kind are always equal, or never.

use heapwright_logic::{TermId, Terms};

use super::{Domain, Point, Row, Scope, Version};
use crate::ssa::formula::ValueKind;

pub(super) struct Equalities;

impl Domain for Equalities {
    fn name(&self) -> &'static str {
        "equalities"
    }

    fn summary(&self) -> &'static str {
        "which two variables are always, or never, equal"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let booleans = scope.positions(|kind| kind == ValueKind::Boolean);
        let groups = [scope.numbers(), scope.pointers(), booleans];
        let pairs = groups.iter().flat_map(|group| scope.pairs(group));
        let row = |(a, b)| Box::new(Equality { a, b, relation: Relation::Bottom }) as Box<dyn Row>;
        pairs.map(row).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Bottom,
    Equal,
    Different,
    Top,
}

#[derive(Clone, Debug)]
struct Equality {
    a: usize,
    b: usize,
    relation: Relation,
}

impl Equality {
    fn at(&self, point: &Point) -> Relation {
        let is_equal = point.values[self.a] == point.values[self.b];
        if is_equal { Relation::Equal } else { Relation::Different }
    }
}

impl Row for Equality {
    fn variables(&self) -> Vec<usize> {
        vec![self.a, self.b]
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        let (a, b) = (version.values[self.a], version.values[self.b]);
        match self.relation {
            Relation::Bottom => TermId::FALSE,
            Relation::Equal => terms.equal(a, b),
            Relation::Different => terms.not_equal(a, b),
            Relation::Top => TermId::TRUE,
        }
    }

    fn covers(&self, point: &Point) -> bool {
        self.relation == Relation::Top || self.relation == self.at(point)
    }

    fn join(&mut self, point: &Point) {
        if !self.covers(point) {
            self.relation = match self.relation {
                Relation::Bottom => self.at(point),
                Relation::Equal | Relation::Different | Relation::Top => Relation::Top,
            };
        }
    }

    fn is_top(&self) -> bool {
        self.relation == Relation::Top
    }

    fn forget(&mut self) {
        self.relation = Relation::Top;
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        let (a, b) = (scope.name(self.a), scope.name(self.b));
        match self.relation {
            Relation::Bottom | Relation::Top => Vec::new(),
            Relation::Equal => vec![format!("{a} == {b}")],
            Relation::Different => vec![format!("{a} != {b}")],
        }
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
