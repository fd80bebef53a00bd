//! Statements to control flow.

use heapwright_program::{
    BinaryOperator, ExpressionId, FunctionId, Operation, ScalarType, Type, VariableKind,
};
use rucc_sema::{CaseList, DeclId, DeclKind, ExprId, Stmt, StmtId};

use super::function::{FunctionLowering, Target};
use super::linker::Entity;
use super::unit::UnitLowering;
use super::value::Value;

impl FunctionLowering<'_, '_> {
    /// Lowers a function definition.
    pub(crate) fn lower(mut self, id: DeclId) {
        let decl = self.unit.unit.tast[id].clone();
        self.set_place(self.unit.unit.tast.definition_span(id));
        self.unit.linker.program.functions[self.function].place = {
            let span = self.unit.unit.tast.definition_span(id);
            self.unit.place(span)
        };
        // The scope of the parameters; the scope around it stays empty.
        self.enter_scope();
        self.declare_parameters(&decl);
        let parameters: Vec<DeclId> = self.unit.unit.tast[decl.params].to_vec();
        self.refuse_record_of_main(decl.ty);
        self.set_up_arguments(&parameters);
        let body = decl.body.expect("a function definition has a body");
        self.statement(body);
        if self.is_reachable() {
            self.fall_off_the_end();
        }
        self.refuse_alloca_before_handlers();
        self.finish();
    }

    /// Control reaches the closing brace.
    fn fall_off_the_end(&mut self) {
        let result = self.unit.linker.program.functions[self.function].result;
        let is_main = self.unit.linker.program.functions[self.function].name == "main";
        let value = result.map(|scalar| {
            if is_main {
                return self.constant(scalar, 0);
            }
            // Undefined only if the caller uses it, so an arbitrary value is right.
            let value = self.temporary(scalar);
            self.havoc(value);
            self.variable(value)
        });
        self.return_value(value);
    }

    pub(crate) fn statement(&mut self, id: StmtId) {
        let before = self.set_place(self.unit.unit.tast.stmt_span(id));
        match self.unit.unit.tast[id] {
            Stmt::Empty => {}
            Stmt::Error => self.unsupported("a statement that does not compile"),
            Stmt::Expr(expression) => self.effect(expression),
            Stmt::Block(statements) => {
                self.enter_scope();
                for index in 0..self.unit.unit.tast[statements].len() {
                    self.statement(self.unit.unit.tast[statements][index]);
                }
                self.leave_scope();
            }
            Stmt::Decls(declarations) => {
                for index in 0..self.unit.unit.tast[declarations].len() {
                    self.declaration(self.unit.unit.tast[declarations][index]);
                }
            }
            Stmt::If { cond, then, otherwise } => self.if_statement(cond, then, otherwise),
            Stmt::While { cond, body } => self.loop_statement(Some(cond), None, body, true),
            Stmt::DoWhile { body, cond } => self.loop_statement(Some(cond), None, body, false),
            Stmt::For { init, cond, step, body } => {
                self.enter_scope();
                if let Some(init) = init {
                    self.statement(init);
                }
                self.loop_statement(cond, step, body, true);
                self.leave_scope();
            }
            Stmt::Switch { cond, body, cases, default } => {
                self.switch_statement(cond, body, cases, default.is_some());
            }
            Stmt::Case { case, body } => {
                self.place_case(case);
                self.statement(body);
            }
            Stmt::Default { body } => {
                let target = self.new_target();
                self.jump_to(target);
                self.note_declared(target.location);
                self.continue_at(target.location);
                *self.defaults.last_mut().expect("default stands in a switch") = Some(target);
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                self.place_label(label);
                self.statement(body);
            }
            Stmt::Goto(label) => self.jump_to_label(label),
            Stmt::IndirectGoto(_) => {
                self.unsupported("computed goto");
                self.end_here();
            }
            Stmt::Asm(asm) => self.assembly(asm),
            Stmt::Break => {
                let target = *self.breaks.last().expect("break stands in a loop or switch");
                self.jump_to(target);
            }
            Stmt::Continue => {
                let target = *self.continues.last().expect("continue stands in a loop");
                self.jump_to(target);
            }
            Stmt::Return(value) => self.return_statement(value),
        }
        self.restore_place(before);
    }

    /// Ends control here after an unsupported operation.
    fn end_here(&mut self) {
        self.emit_last(Operation::Halt(heapwright_program::Halt::Abort));
    }

    fn if_statement(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let (then_start, else_start) = (self.new_location(), self.new_location());
        self.branch(condition, then_start, else_start);
        let end = self.new_target();
        self.continue_at(then_start);
        self.statement(then);
        self.jump_to(end);
        self.continue_at(else_start);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.jump_to(end);
        self.continue_at(end.location);
    }

    /// `while`, `for` (the condition first) and `do` (the body first).
    fn loop_statement(
        &mut self,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        tests_first: bool,
    ) {
        let (head, again, end) = (self.new_target(), self.new_target(), self.new_target());
        self.jump_to(head);
        self.continue_at(head.location);
        if tests_first {
            self.loop_test(condition, end);
        }
        self.breaks.push(end);
        self.continues.push(again);
        self.statement(body);
        self.breaks.pop();
        self.continues.pop();
        self.jump_to(again);
        self.continue_at(again.location);
        if !tests_first {
            self.loop_test(condition, end);
        }
        if let Some(step) = step {
            let before = self.set_place(self.unit.unit.tast.expr_span(step));
            self.effect(step);
            self.restore_place(before);
        }
        self.jump_to(head);
        self.continue_at(end.location);
    }

    /// Goes on where the condition holds, and to `end` where it does not.
    fn loop_test(&mut self, condition: Option<ExprId>, end: Target) {
        let Some(condition) = condition else { return };
        let inside = self.new_location();
        self.branch(condition, inside, end.location);
        self.continue_at(inside);
    }

    fn switch_statement(&mut self, value: ExprId, body: StmtId, cases: CaseList, default: bool) {
        let value = self.scalar_value(value);
        let value = self.stable(value);
        let scalar = self.type_of(value);
        let end = self.new_target();
        for case in cases.iter() {
            let rucc_sema::Case { low, high, .. } = self.unit.unit.tast[case];
            let (hit, miss) = (self.new_location(), self.new_location());
            self.case_test(value, scalar, (low, high), hit, miss);
            self.continue_at(hit);
            self.jump_to_case(case);
            self.continue_at(miss);
        }
        let otherwise = self.new_target();
        self.jump_to(otherwise);
        self.breaks.push(end);
        self.defaults.push(None);
        self.statement(body);
        self.breaks.pop();
        let placed = self.defaults.pop().flatten();
        self.jump_to(end);
        self.continue_at(otherwise.location);
        match placed {
            Some(target) if default => self.jump_to(target),
            Some(_) | None => self.jump_to(end),
        }
        self.continue_at(end.location);
    }

    fn case_test(
        &mut self,
        value: ExpressionId,
        scalar: ScalarType,
        (low, high): (i128, i128),
        hit: heapwright_program::LocationId,
        miss: heapwright_program::LocationId,
    ) {
        let low_value = self.constant(scalar, low as u128);
        if low == high {
            let equal = self.binary(BinaryOperator::Equal, value, low_value);
            self.emit_branch(equal, hit, miss);
            return;
        }
        let above = self.new_location();
        let at_least = self.binary(BinaryOperator::LessEqual, low_value, value);
        self.emit_branch(at_least, above, miss);
        self.continue_at(above);
        let high_value = self.constant(scalar, high as u128);
        let at_most = self.binary(BinaryOperator::LessEqual, value, high_value);
        self.emit_branch(at_most, hit, miss);
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        let mut result = None;
        if let Some(expression) = value {
            match (self.value(expression), self.result_pointer) {
                (Value::Aggregate(source), Some(pointer)) => {
                    let target = self.variable(pointer);
                    self.copy(target, source, self.unit.unit.tast[expression].ty);
                }
                (Value::Scalar(value), _) => result = Some(value),
                (Value::Aggregate(_) | Value::Nothing, _) => {}
            }
        }
        let declared = self.unit.linker.program.functions[self.function].result;
        let result = match (declared, result) {
            (Some(scalar), Some(value)) => Some(self.convert(value, scalar)),
            (Some(scalar), None) => {
                // `return;` in a function with a result: the caller must not use it.
                let value = self.temporary(scalar);
                self.havoc(value);
                Some(self.variable(value))
            }
            (None, _) => None,
        };
        self.return_value(result);
    }

    fn assembly(&mut self, id: rucc_sema::AsmId) {
        let tast = &self.unit.unit.tast;
        let asm = tast[id];
        let is_barrier = tast[asm.template].elements.iter().all(|&c| c == 0 || c == 32)
            && tast[asm.outputs].is_empty()
            && tast[asm.labels].is_empty();
        if !is_barrier {
            self.unsupported("inline assembly");
        }
    }

    fn declaration(&mut self, id: DeclId) {
        let decl = self.unit.unit.tast[id].clone();
        let before = self.set_place(self.unit.unit.tast.decl_span(id));
        self.check_bounds(decl.ty);
        match decl.kind {
            DeclKind::Object if UnitLowering::is_static(&decl) => {
                if decl.state != rucc_sema::Definition::Declared {
                    self.unit.static_entity(id);
                }
            }
            DeclKind::Object => self.local_declaration(id, &decl),
            DeclKind::Function | DeclKind::Type => {}
        }
        if decl.cleanup.is_some() {
            self.unsupported("the cleanup attribute");
        }
        self.restore_place(before);
    }

    fn local_declaration(&mut self, id: DeclId, decl: &rucc_sema::Decl) {
        let name = self.unit.name(decl);
        match self.unit.scalar(decl.ty) {
            Some(scalar) if !self.unit.taken.contains(&id) => {
                let ty = self.unit.ty(decl.ty);
                let variable = match self.locals.get(&id) {
                    Some(Entity::Variable(known)) => *known,
                    Some(Entity::Object(_)) | None => {
                        self.new_variable(name, ty, scalar, VariableKind::Local)
                    }
                };
                self.in_scope(variable);
                self.locals.insert(id, Entity::Variable(variable));
                self.initialise_variable(variable, decl);
            }
            Some(_) | None => {
                let size = self.unit.size_of(decl.ty);
                let object = match size {
                    Some(_) => self.new_object_of(name, decl.ty, decl),
                    None => {
                        let alignment = self.unit.alignment_of(decl.ty);
                        let object = self.new_object(name, decl.ty, None, alignment);
                        let is_constant = self.unit.is_constant(decl.ty);
                        self.unit.linker.program.objects[object].is_constant = is_constant;
                        object
                    }
                };
                self.locals.insert(id, Entity::Object(object));
                if size.is_none() {
                    let bytes = self.checked_size(decl.ty);
                    self.emit(Operation::Enter { object, size: Some(bytes) });
                }
                self.initialise_object(object, decl);
            }
        }
    }

    pub(crate) fn pointer_to(&mut self, ty: rucc_types::TypeId) -> heapwright_program::TypeId {
        let target = self.unit.ty(ty);
        self.unit.linker.program.types.intern(Type::Pointer(target))
    }

    pub(crate) fn function_of(&mut self, decl: DeclId) -> FunctionId {
        self.unit.function(decl)
    }
}
