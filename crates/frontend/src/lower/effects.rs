//! Whether evaluating an expression writes anything, so that an operand evaluated before it must
//! be kept safe.

use rucc_ast::UnaryOp;
use rucc_sema::{ExprId, ExprKind};

use super::function::FunctionLowering;

impl FunctionLowering<'_, '_> {
    /// Whether evaluating `id` may write a variable or memory.
    pub(crate) fn has_effects(&mut self, id: ExprId) -> bool {
        if let Some(&known) = self.effects.get(&id) {
            return known;
        }
        let answer = self.look_for_effects(id);
        self.effects.insert(id, answer);
        answer
    }

    fn look_for_effects(&mut self, id: ExprId) -> bool {
        match self.unit.unit.tast[id].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::Decl(_) => false,
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                ..
            } => true,
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Convert { operand, .. }
            | ExprKind::Member { base: operand, .. } => self.has_effects(operand),
            ExprKind::Subscript { base: lhs, index: rhs }
            | ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Comma { lhs, rhs } => self.has_effects(lhs) || self.has_effects(rhs),
            ExprKind::Cond { cond, then, otherwise } => {
                self.has_effects(cond) || self.has_effects(then) || self.has_effects(otherwise)
            }
            // Calls, assignments, statement expressions, builtins.
            _ => true,
        }
    }
}
