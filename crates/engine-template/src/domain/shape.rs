//! The base shape domain: what a pointer variable or a pointer field may point to.
//!
//! A row is a disjunction of equalities with addresses of abstract objects or null (FMCAD'18,
//! section IV-A). Rows about fields of abstract objects describe linked structures of any length.
//! Whether an object lives is a mark that is set or not (section V-B).
//! The guards of section IV-B are those of the variables: see `Version::guards`.

use super::set::ValueSet;
use super::{Domain, Row, Scope};
use crate::ssa::formula::{LoopVariableSource, ValueKind};

pub(super) struct Shape;

/// Addresses inside of objects that a row may name besides the objects themselves.
const INNER_ADDRESSES: usize = 16;

impl Domain for Shape {
    fn name(&self) -> &'static str {
        "shape"
    }

    fn summary(&self) -> &'static str {
        "the objects that a pointer may point to, and whether objects live"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let most = scope.objects.len() + 1 + INNER_ADDRESSES;
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for (index, variable) in scope.first() {
            let most = match (variable.kind, variable.source) {
                (ValueKind::Pointer, Some(_)) => most,
                (
                    _,
                    Some(LoopVariableSource::Ended { .. } | LoopVariableSource::Allocated { .. }),
                ) => 1,
                _ => continue,
            };
            rows.push(Box::new(ValueSet::new(scope, vec![index], most)));
        }
        rows
    }
}
