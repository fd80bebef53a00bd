//! The end of a program, where the environment is modelled: handlers that it has registered are run by `exit`,
//! and by `main` once the life of its objects is over.

use heapwright_program::{Callee, ExpressionId, Operation, Storage};
use rucc_base::Idx;
use rucc_sema::{DeclKind, Expr, ExprKind};

use super::function::FunctionLowering;
use crate::settings::World;
use crate::syntax::Unit;

const REGISTER: &str = "atexit";

/// Whether a unit registers handlers.
pub(super) fn registers_handlers(unit: &Unit) -> bool {
    let tast = &unit.tast;
    (0..tast.counts().exprs).any(|index| match tast[Idx::<Expr>::from_usize(index)].kind {
        ExprKind::Decl(decl) => {
            let decl = &tast[decl];
            decl.kind == DeclKind::Function
                && decl.name.is_some_and(|name| unit.names.resolve(name) == REGISTER)
        }
        _ => false,
    })
}

impl FunctionLowering<'_, '_> {
    /// Whether anything is to be run when the program ends.
    fn has_handlers(&self) -> bool {
        let survey = &self.unit.linker.survey;
        survey.registers_handlers
            && self.unit.linker.world == World::Modelled
            && !survey.defined_functions.contains(REGISTER)
    }

    /// Runs handlers in front of an operation that ends the program with this value.
    pub(super) fn run_handlers(&mut self, value: ExpressionId) -> ExpressionId {
        if !self.has_handlers() {
            return value;
        }
        let value = self.stable(value);
        self.call_handlers();
        value
    }

    /// A return: the one from `main` ends the program.
    pub(super) fn return_value(&mut self, value: Option<ExpressionId>) {
        let is_main = self.unit.linker.program.functions[self.function].name == "main";
        let is_end = is_main && self.has_handlers();
        let value = if is_end { value.map(|value| self.stable(value)) } else { value };
        self.leave_all_scopes();
        if is_end {
            if self.is_named_twice() {
                self.unsupported("`main` that is called by the program");
            }
            self.call_handlers();
        }
        self.emit_last(Operation::Return { value });
    }

    fn call_handlers(&mut self) {
        let function = self.unit.library_function("__heapwright_run_handlers", None, &[]);
        let callee = Callee::Direct(function);
        self.emit(Operation::Call { target: None, callee, arguments: Vec::new() });
    }

    /// Memory of `alloca` would still be there for the handlers, which C does not promise.
    pub(super) fn refuse_alloca_before_handlers(&mut self) {
        let is_main = self.unit.linker.program.functions[self.function].name == "main";
        if !is_main || !self.has_handlers() {
            return;
        }
        let is_alloca = |operation: &Operation| {
            matches!(operation, Operation::Allocate { storage: Storage::Alloca, .. })
        };
        let found = self.edges.iter().find(|edge| is_alloca(&edge.operation));
        if let Some(place) = found.map(|edge| edge.place) {
            let construct = "`alloca` in a `main` behind which handlers are run".to_owned();
            self.unit.linker.unmodelled_statics.push((construct, place));
        }
    }
}
