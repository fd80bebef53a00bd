//! A look over a unit before lowering: whose address is taken, what is defined.
//!
//! A scalar whose address nobody takes becomes a variable; everything else lives in memory. The
//! tree's arenas are scanned flat, unevaluated operands included, which errs on the side of memory.

use rucc_ast::UnaryOp;
use rucc_base::Idx;
use rucc_sema::{Base, Const, DeclId, DeclKind, Definition, Expr, ExprId, ExprKind, Linkage, Tast};
use rustc_hash::FxHashSet;

use super::handlers::registers_handlers;
use super::linker::Survey;
use crate::syntax::Unit;

/// The declarations of a unit whose address is taken.
pub(crate) fn address_taken(unit: &Unit) -> FxHashSet<DeclId> {
    let tast = &unit.tast;
    let mut taken = FxHashSet::default();
    for index in 0..tast.counts().exprs {
        match tast[Idx::<Expr>::from_usize(index)].kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => {
                designated(tast, operand, &mut taken);
            }
            ExprKind::Const(constant) => {
                if let Const::Address(address) = tast[constant]
                    && let Base::Decl(decl) = address.base
                {
                    taken.insert(decl);
                }
            }
            _ => {}
        }
    }
    taken
}

/// The declarations that an lvalue under `&` may designate.
fn designated(tast: &Tast, expression: ExprId, taken: &mut FxHashSet<DeclId>) {
    match tast[expression].kind {
        ExprKind::Decl(decl) | ExprKind::CompoundLiteral(decl) => {
            taken.insert(decl);
        }
        ExprKind::Comma { rhs, .. } => designated(tast, rhs, taken),
        ExprKind::Cond { then, otherwise, .. } => {
            designated(tast, then, taken);
            designated(tast, otherwise, taken);
        }
        ExprKind::Cast(operand) | ExprKind::Convert { operand, .. } => {
            designated(tast, operand, taken);
        }
        ExprKind::Member { base, .. } => designated(tast, base, taken),
        _ => {}
    }
}

/// Adds what a unit says about external names.
pub(crate) fn add_unit(survey: &mut Survey, unit: &Unit, taken: &FxHashSet<DeclId>) {
    survey.registers_handlers |= registers_handlers(unit);
    for index in 0..unit.tast.counts().decls {
        let id: DeclId = Idx::from_usize(index);
        let decl = &unit.tast[id];
        let (Linkage::External, Some(name)) = (decl.linkage, decl.name) else { continue };
        let name = unit.names.resolve(name);
        match decl.kind {
            DeclKind::Function if decl.body.is_some() => {
                survey.defined_functions.insert(name.to_owned());
            }
            DeclKind::Object => {
                if taken.contains(&id) {
                    survey.address_taken.insert(name.to_owned());
                }
                if decl.state != Definition::Declared {
                    survey.defined_objects.insert(name.to_owned());
                }
            }
            DeclKind::Function | DeclKind::Type => {}
        }
    }
}
