//! What a linker would see of a file: external names that it defines, and those that it uses.

use std::collections::BTreeSet;

use rucc_base::Idx;
use rucc_sema::{Base, Const, DeclId, DeclKind, Definition, Expr, ExprKind, Linkage};

use crate::syntax::Unit;

/// The external names of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    pub defined: BTreeSet<String>,
    /// Used and not defined, those of the C library among them.
    pub needed: BTreeSet<String>,
}

pub(crate) fn symbols(unit: &Unit) -> Symbols {
    let counts = unit.tast.counts();
    let external = |id: DeclId| {
        let decl = &unit.tast[id];
        let name = decl.name.filter(|_| decl.linkage == Linkage::External)?;
        Some(unit.names.resolve(name).to_owned())
    };
    let is_defined = |id: &DeclId| {
        let decl = &unit.tast[*id];
        match decl.kind {
            DeclKind::Function => decl.body.is_some(),
            DeclKind::Object => decl.state != Definition::Declared,
            DeclKind::Type => false,
        }
    };
    let declarations = (0..counts.decls).map(Idx::from_usize);
    let defined: BTreeSet<String> = declarations.filter(is_defined).filter_map(external).collect();
    // Operands that are never evaluated count as well: a file too much does no harm.
    let expressions = (0..counts.exprs).map(Idx::<Expr>::from_usize);
    let used = expressions.filter_map(|id| match unit.tast[id].kind {
        ExprKind::Decl(decl) => Some(decl),
        ExprKind::Const(constant) => match unit.tast[constant] {
            Const::Address(address) => match address.base {
                Base::Decl(decl) => Some(decl),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let used = used.filter_map(external).filter(|name| !defined.contains(name));
    Symbols { needed: used.collect(), defined }
}
