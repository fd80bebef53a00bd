//! Access paths: which objects, or null, a linked structure surely leads to (thesis, 3.5 and 3.6).
//!
//! A row for a pointer field `f` of an object `o` has, for each destination `d`, the objects `O`
//! that a path from `o` along `f` to `d` may pass through. The thesis says "there is a path" by a
//! formula without order (3.21) that gets stronger when `O` grows, so that a join may lose what was
//! covered. Here the recursion (3.20) is unrolled instead, as often as there are objects in `O`:
//! that is exact, and grows with `O`. A destination that some model does not reach is dropped.
//! A path goes on only through the witness of an object: of other blocks the fields are not known.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{TermId, Terms};

use super::{Domain, Point, Row, Scope, Version};
use crate::ssa::formula::{AbstractObjectId, LoopVariableSource, ValueKind};
use crate::ssa::pointer::{PointerLayout, PointerTarget};

pub(super) struct AccessPaths;

impl Domain for AccessPaths {
    fn name(&self) -> &'static str {
        "access-paths"
    }

    fn summary(&self) -> &'static str {
        "the objects that chains of pointer fields surely lead to"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for start in scope.pointers() {
            let Some(LoopVariableSource::Field { offset, .. }) = scope.variables[start].source
            else {
                continue;
            };
            let fields = fields_at(scope, offset);
            let pointers = scope.pointers;
            rows.push(Box::new(AccessPath { start, fields, pointers, reached: Reached::Bottom }));
        }
        rows
    }
}

/// The pointer fields at this offset, by object.
fn fields_at(scope: &Scope, wanted: u64) -> BTreeMap<AbstractObjectId, usize> {
    let mut fields = BTreeMap::new();
    for (index, variable) in scope.first() {
        if let Some(LoopVariableSource::Field { object, offset }) = variable.source
            && offset == wanted
            && variable.kind == ValueKind::Pointer
        {
            fields.insert(object, index);
        }
    }
    fields
}

/// By destination: the objects passed through.
type Destinations = BTreeMap<PointerTarget, BTreeSet<AbstractObjectId>>;

#[derive(Clone, Debug)]
enum Reached {
    Bottom,
    /// None left is top.
    Through(Destinations),
}

#[derive(Clone, Debug)]
struct AccessPath {
    start: usize,
    /// The same field of every object.
    fields: BTreeMap<AbstractObjectId, usize>,
    pointers: PointerLayout,
    reached: Reached,
}

struct Path<'a> {
    field: usize,
    target: PointerTarget,
    through: &'a BTreeSet<AbstractObjectId>,
    steps: usize,
}

/// More objects on a path make its formula too large.
const MOST_PASSED: usize = 4;

impl AccessPath {
    /// What a point's chain leads to, each with the objects before it.
    fn walk(&self, point: &Point) -> Destinations {
        let mut destinations = Destinations::new();
        let mut passed = BTreeSet::new();
        let mut next = point.values[self.start];
        // Ends because each round passes through an object that was not passed before.
        loop {
            destinations.entry(self.pointers.target_of(next)).or_insert_with(|| passed.clone());
            let entered = point.witnesses.enumerated().find(|(_, witness)| **witness == next);
            let Some((object, _)) = entered else { return destinations };
            match self.fields.get(&object) {
                Some(&field) if passed.insert(object) && point.guards[field] => {
                    next = point.values[field];
                }
                Some(_) | None => return destinations,
            }
        }
    }

    /// Whether the chain from a field gets to the target in so many steps through these objects.
    fn leads(&self, terms: &mut Terms, version: &Version, path: &Path<'_>) -> TermId {
        let value = version.values[path.field];
        let mut ways = vec![self.pointers.is_target(terms, value, path.target)];
        if path.steps > 0 {
            for object in path.through {
                let Some(&field) = self.fields.get(object) else { continue };
                let enters = terms.equal(value, version.witnesses[*object]);
                let rest = Path { field, steps: path.steps - 1, ..*path };
                let further = self.leads(terms, version, &rest);
                ways.push(terms.all(&[enters, version.guards[field], further]));
            }
        }
        terms.any(&ways)
    }
}

impl Row for AccessPath {
    fn variables(&self) -> Vec<usize> {
        vec![self.start]
    }

    fn is_universal(&self) -> bool {
        false
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        let Reached::Through(destinations) = &self.reached else { return TermId::FALSE };
        let mut paths = Vec::new();
        for (&target, through) in destinations {
            let path = Path { field: self.start, target, through, steps: through.len() };
            paths.push(self.leads(terms, version, &path));
        }
        terms.all(&paths)
    }

    fn covers(&self, point: &Point) -> bool {
        let Reached::Through(destinations) = &self.reached else { return false };
        let walked = self.walk(point);
        destinations.iter().all(|(target, through)| {
            walked.get(target).is_some_and(|passed| passed.is_subset(through))
        })
    }

    fn join(&mut self, point: &Point) {
        let walked = self.walk(point);
        self.reached = Reached::Through(match &self.reached {
            Reached::Bottom => walked,
            Reached::Through(old) => old
                .iter()
                .filter_map(|(target, through)| {
                    let passed = walked.get(target)?;
                    let all: BTreeSet<_> = through.union(passed).copied().collect();
                    (all.len() <= MOST_PASSED).then_some((*target, all))
                })
                .collect(),
        });
    }

    fn is_top(&self) -> bool {
        matches!(&self.reached, Reached::Through(destinations) if destinations.is_empty())
    }

    fn forget(&mut self) {
        self.reached = Reached::Through(Destinations::new());
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        let Reached::Through(destinations) = &self.reached else { return Vec::new() };
        let name = scope.name(self.start);
        let text = |(target, through): (&PointerTarget, &BTreeSet<AbstractObjectId>)| {
            let target = scope.target_text(*target);
            let objects: Vec<&str> =
                through.iter().map(|object| scope.objects[*object].name.as_str()).collect();
            if objects.is_empty() {
                format!("{name} == {target}")
            } else {
                format!("{name} leads to {target} through {}", objects.join(", "))
            }
        };
        destinations.iter().map(text).collect()
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
