//! The base shape domain: what a pointer variable or a pointer field may point to.
//!
//! A row is a disjunction of equalities with addresses of abstract objects or null (FMCAD'18,
//! section IV-A). Rows about fields of abstract objects describe linked structures of any length.
//! The guards of section IV-B are those of the variables: see `Version::guards`.

use super::set::ValueSet;
use super::{Domain, Row, Scope};

pub(super) struct Shape;

/// Addresses inside of objects that a row may name besides the objects themselves.
const INNER_ADDRESSES: usize = 16;

impl Domain for Shape {
    fn name(&self) -> &'static str {
        "shape"
    }

    fn summary(&self) -> &'static str {
        "the objects that a pointer may point to"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let most = scope.objects.len() + 1 + INNER_ADDRESSES;
        let row = |pointer| Box::new(ValueSet::new(scope, vec![pointer], most)) as Box<dyn Row>;
        let changes = |pointer: &usize| scope.variables[*pointer].source.is_some();
        scope.pointers().into_iter().filter(changes).map(row).collect()
    }
}
