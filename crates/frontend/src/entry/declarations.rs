//! What a file declares: functions that callers may call, and what belongs to the user.

use std::collections::BTreeSet;

use rucc_sema::{DeclId, DeclKind, Expr, ExprKind, Linkage};
use rucc_types::{Qualifiers, TypeId, TypeKind};

use crate::syntax::Unit;

/// The definition of a function in a unit.
pub(super) fn definition(unit: &Unit, name: &str) -> Option<DeclId> {
    unit.tast.top_level().iter().copied().find(|&id| {
        let decl = &unit.tast[id];
        decl.kind == DeclKind::Function
            && decl.body.is_some()
            && decl.name.is_some_and(|symbol| unit.names.resolve(symbol) == name)
    })
}

/// The functions that callers outside may call: those of the user's own files that are not static,
/// and static ones that no function names.
pub(super) fn defined_here(unit: &Unit) -> Vec<String> {
    let named = named_functions(unit);
    let is_called_from_outside = |&id: &DeclId| {
        let decl = &unit.tast[id];
        let name = decl.name.map_or("", |name| unit.names.resolve(name));
        decl.kind == DeclKind::Function
            && decl.body.is_some()
            && is_of_user(unit, id)
            && (decl.linkage == Linkage::External || !named.contains(name))
            && name != "main"
    };
    let functions = unit.tast.top_level().iter().copied().filter(is_called_from_outside);
    let name = |id: DeclId| unit.tast[id].name.map(|name| unit.names.resolve(name).to_owned());
    functions.filter_map(name).collect()
}

/// The functions that some expression names.
fn named_functions(unit: &Unit) -> BTreeSet<&str> {
    let expressions = 0..unit.tast.counts().exprs;
    let named = expressions.filter_map(|index| {
        match unit.tast[<rucc_base::Idx<Expr>>::from_usize(index)].kind {
            ExprKind::Decl(decl) => unit.tast[decl].name.map(|name| unit.names.resolve(name)),
            _ => None,
        }
    });
    named.collect()
}

pub(super) fn is_of_user(unit: &Unit, id: DeclId) -> bool {
    let span = unit.tast.decl_span(id);
    let place = if span.is_dummy() { None } else { unit.sources.presumed(span.lo) };
    place.is_some_and(|place| !place.name.starts_with("/usr/") && !place.name.starts_with('<'))
}

/// What a function gives.
pub(super) fn result_type(unit: &Unit, decl: DeclId) -> TypeId {
    let TypeKind::Function(function) = unit.kind(unit.tast[decl].ty) else {
        unreachable!("a function")
    };
    unit.types.signature(function).ret
}

/// Whether objects of this type must not be written.
pub(super) fn is_constant(unit: &Unit, ty: TypeId) -> bool {
    match unit.kind(ty) {
        TypeKind::Array { elem, .. } => is_constant(unit, elem),
        _ => unit.types.quals(unit.types.canonical(ty)).has(Qualifiers::CONST),
    }
}

/// Whether a declaration is of a function that other files may define.
pub(super) fn is_external(unit: &Unit, id: DeclId) -> bool {
    let decl = &unit.tast[id];
    decl.kind == DeclKind::Function && decl.linkage == Linkage::External && decl.body.is_none()
}
