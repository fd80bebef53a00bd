//! `main` with parameters, where the environment is modelled: they are inputs.
//!
//! The parameters themselves stay unread, since nobody knows who passes them; what the program calls
//! by their names is set up here. `argc` is any number from 1 on; `argv` points to that many texts
//! and a null pointer. Where the program reads `argv` at constant positions only, just those texts
//! are made; otherwise all of them are, and more than a few are not modelled.

use heapwright_program::{
    BinaryOperator, ExpressionId, InputSource, Operation, ScalarType, Storage, VariableKind,
};
use rucc_sema::{Const, Conversion, DeclId, Expr, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

use super::function::FunctionLowering;
use super::linker::Entity;
use crate::settings::World;

/// Linux lets the arguments have fewer than this by far.
const MOST_ARGUMENTS: u128 = 65_535;

/// So many texts are made where all are needed.
const ALL_TEXTS: u64 = 3;

/// What a program does with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Nothing,
    /// Reads it at constant positions, all below this one.
    Below(u64),
    Anything,
}

impl FunctionLowering<'_, '_> {
    /// Who starts a program expects a number from `main`, and gives no place for a record.
    pub(crate) fn refuse_record_of_main(&mut self, ty: TypeId) {
        let is_main = self.unit.linker.program.functions[self.function].name == "main";
        let TypeKind::Function(function) = self.unit.unit.kind(ty) else { return };
        let result = self.unit.unit.types.signature(function).ret;
        if is_main && matches!(self.unit.unit.kind(result), TypeKind::Record(_)) {
            self.unsupported("`main` that returns a record");
        }
    }

    /// Gives the parameters of `main` their values; those that nobody names are left alone.
    pub(crate) fn set_up_arguments(&mut self, parameters: &[DeclId]) {
        let is_main = self.unit.linker.program.functions[self.function].name == "main";
        if !is_main || self.unit.linker.world == World::Real {
            return;
        }
        let uses: Vec<Use> = parameters.iter().map(|&parameter| self.use_of(parameter)).collect();
        if uses.iter().all(|usage| *usage == Use::Nothing) {
            return;
        }
        if self.is_named_twice() {
            self.unsupported("`main` that is called by the program");
            return;
        }
        if parameters.len() > 2 && uses[2..].iter().any(|usage| *usage != Use::Nothing) {
            self.unsupported("the third parameter of `main`");
        }
        let count = self.argument_count();
        self.give(parameters[0], count);
        if let (Some(&vector), Some(&usage)) = (parameters.get(1), uses.get(1))
            && usage != Use::Nothing
        {
            let value = self.argument_vector(count, usage);
            self.give(vector, value);
        }
    }

    /// From 1 to the most.
    fn argument_count(&mut self) -> ExpressionId {
        let target = self.temporary(ScalarType::INT);
        let source = InputSource::Nondeterministic("argc".to_owned());
        self.emit(Operation::Input { target, source });
        let drawn = self.variable(target);
        let less = self.constant(ScalarType::INT, 1);
        let most = self.constant(ScalarType::INT, MOST_ARGUMENTS);
        for (small, large, bound) in [(drawn, less, less), (most, drawn, most)] {
            let is_beyond = self.binary(BinaryOperator::Less, small, large);
            let (beyond, within) = (self.new_location(), self.new_target());
            self.emit_unwritten_branch(is_beyond, beyond, within.location);
            self.continue_at(beyond);
            self.emit(Operation::Assign { target, value: bound });
            self.jump_to(within);
            self.continue_at(within.location);
        }
        drawn
    }

    fn argument_vector(&mut self, count: ExpressionId, usage: Use) -> ExpressionId {
        let size_type = self.unit.model().size_type();
        let pointer_size = self.unit.model().pointer_size();
        let room = self.convert(count, size_type);
        let one = self.size_constant(1);
        let room = self.binary(BinaryOperator::Add, room, one);
        let width = self.size_constant(pointer_size);
        let size = self.binary(BinaryOperator::Multiply, room, width);
        let target = self.temporary(ScalarType::Pointer);
        let storage = Storage::Permanent;
        self.emit(Operation::Allocate { target, storage, size, zeroed: false });
        let vector = self.variable(target);
        let texts = match usage {
            Use::Nothing => 0,
            Use::Below(position) => position,
            Use::Anything => ALL_TEXTS,
        };
        let end = self.new_target();
        for position in 0..texts {
            let number = self.constant(ScalarType::INT, u128::from(position));
            let is_there = self.binary(BinaryOperator::Less, number, count);
            let (text, null) = (self.new_location(), self.new_location());
            self.emit_unwritten_branch(is_there, text, null);
            self.continue_at(null);
            let nothing = self.constant(ScalarType::Pointer, 0);
            self.set_argument(vector, position, nothing);
            self.jump_to(end);
            self.continue_at(text);
            let text = self.library("__heapwright_text", ScalarType::Pointer);
            self.set_argument(vector, position, text);
        }
        if usage == Use::Anything {
            let number = self.constant(ScalarType::INT, u128::from(texts));
            let is_more = self.binary(BinaryOperator::Less, number, count);
            let (more, null) = (self.new_location(), self.new_location());
            self.emit_unwritten_branch(is_more, more, null);
            self.continue_at(more);
            self.unsupported("more than two arguments of a program that goes through them all");
            self.jump_to(end);
            self.continue_at(null);
            let nothing = self.constant(ScalarType::Pointer, 0);
            self.set_argument(vector, texts, nothing);
        }
        self.jump_to(end);
        self.continue_at(end.location);
        vector
    }

    fn set_argument(&mut self, vector: ExpressionId, position: u64, value: ExpressionId) {
        let offset = position * self.unit.model().pointer_size();
        let address = self.offset_pointer(vector, i128::from(offset));
        let root = self.unit.linker.program.types.of_scalar(ScalarType::Pointer);
        let place = self.whole_place(address, root);
        self.store(&place, ScalarType::Pointer, value);
    }

    /// Calls one of our models that takes nothing.
    fn library(&mut self, name: &str, result: ScalarType) -> ExpressionId {
        use heapwright_program::Callee;
        let function = self.unit.library_function(name, Some(result), &[]);
        let target = self.temporary(result);
        let callee = Callee::Direct(function);
        self.emit(Operation::Call { target: Some(target), callee, arguments: Vec::new() });
        self.variable(target)
    }

    /// From here on the parameter's name means a local variable, or the object that it was copied
    /// to, with this value.
    fn give(&mut self, parameter: DeclId, value: ExpressionId) {
        let decl = self.unit.unit.tast[parameter].clone();
        let Some(scalar) = self.unit.scalar(decl.ty) else {
            self.unsupported("a parameter of `main` that is no scalar");
            return;
        };
        let value = self.convert(value, scalar);
        match self.locals.get(&parameter).copied() {
            Some(Entity::Object(object)) => {
                let place = self.initial_place(object);
                self.store(&place, scalar, value);
            }
            Some(Entity::Variable(_)) | None => {
                let ty = self.unit.ty(decl.ty);
                let name = self.unit.name(&decl).to_owned();
                let variable = self.new_variable(&name, ty, scalar, VariableKind::Local);
                self.emit(Operation::Assign { target: variable, value });
                self.locals.insert(parameter, Entity::Variable(variable));
            }
        }
    }

    /// How the unit uses a parameter, whatever function it stands in.
    fn use_of(&self, parameter: DeclId) -> Use {
        let tast = &self.unit.unit.tast;
        let names = |id: ExprId| matches!(tast[id].kind, ExprKind::Decl(decl) if decl == parameter);
        let mut named = 0;
        let mut read = 0;
        let mut bound = 0;
        let mut dropped = 0;
        for index in 0..tast.counts().exprs {
            let id = <rucc_base::Idx<Expr>>::from_usize(index);
            if names(id) {
                named += 1;
            }
            if self.is_dropped(id).is_some_and(names) {
                dropped += 1;
            }
            if let ExprKind::Subscript { base, index } = tast[id].kind
                && names(self.without_conversions(base))
                && let Some(position) = self.constant_position(index)
                && self.is_only_read(id)
            {
                read += 1;
                bound = bound.max(position + 1);
            }
        }
        match named - dropped {
            0 => Use::Nothing,
            used if used == read => Use::Below(bound),
            _ => Use::Anything,
        }
    }

    /// What `(void)x` and the like evaluate and drop.
    fn is_dropped(&self, id: ExprId) -> Option<ExprId> {
        let expression = self.unit.unit.tast[id];
        match expression.kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => {
                Some(self.without_conversions(operand))
            }
            ExprKind::Cast(operand)
                if matches!(self.unit.kind(expression.ty), rucc_types::TypeKind::Void) =>
            {
                Some(self.without_conversions(operand))
            }
            _ => None,
        }
    }

    /// Whether the element is loaded, and neither written nor its address taken.
    fn is_only_read(&self, element: ExprId) -> bool {
        let tast = &self.unit.unit.tast;
        let mut loads = 0;
        for index in 0..tast.counts().exprs {
            let id = <rucc_base::Idx<Expr>>::from_usize(index);
            if let ExprKind::Convert { kind: Conversion::Lvalue, operand } = tast[id].kind
                && operand == element
            {
                loads += 1;
            }
        }
        loads > 0
    }

    fn without_conversions(&self, mut expression: ExprId) -> ExprId {
        let tast = &self.unit.unit.tast;
        while let ExprKind::Convert { operand, .. } = tast[expression].kind {
            expression = operand;
        }
        expression
    }

    fn constant_position(&self, expression: ExprId) -> Option<u64> {
        let tast = &self.unit.unit.tast;
        match tast[self.without_conversions(expression)].kind {
            ExprKind::Const(constant) => match tast[constant] {
                Const::Int(value) => u64::try_from(value).ok().filter(|&value| value < 16),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the program itself calls `main`.
    pub(super) fn is_named_twice(&self) -> bool {
        let tast = &self.unit.unit.tast;
        (0..tast.counts().exprs).any(|index| {
            let id = <rucc_base::Idx<Expr>>::from_usize(index);
            match tast[id].kind {
                ExprKind::Decl(decl) => {
                    tast[decl].kind == rucc_sema::DeclKind::Function
                        && self.unit.name(&tast[decl]) == "main"
                }
                _ => false,
            }
        })
    }
}
