//! Operations become instructions.

use heapwright_base::DenseId;
use heapwright_memory::FaultKind;
use heapwright_program::{
    Access, Callee, Expression, ExpressionId, Failure, Halt, InputSource, ObjectId, Operation,
    ScalarType, Storage, VariableId,
};

use crate::compile::function::FunctionCompiler;
use crate::executable::{CallSite, CallTarget, InputSite, OtherAccess};
use crate::instruction::{Instruction, NO_REGISTER, Register};
use crate::kind::Kind;

impl FunctionCompiler<'_, '_> {
    /// Compiles an operation other than a condition; says whether the edge leads on.
    pub(super) fn operation(&mut self, operation: &Operation) -> bool {
        match operation {
            Operation::Skip => self.emit(Instruction::Nothing),
            Operation::Assume { .. } => panic!("conditions are compiled in pairs"),
            Operation::Assign { target, value } => {
                self.check_type(*target, self.type_of(*value));
                self.assign(*target, |this, register| this.into(*value, register));
            }
            Operation::Input { target, source } => self.input(*target, source),
            Operation::Load { target, access } => {
                self.check_type(*target, access.ty);
                self.assign(*target, |this, register| this.load(access, register));
            }
            Operation::Store { access, value } => {
                let constant = self.initialised(access.initialises, access.address);
                self.unlocked(constant, |this| this.store(access, *value));
            }
            Operation::Copy { target, source, size, initialises } => {
                let constant = self.initialised(*initialises, *target);
                let [target, source, size] = [*target, *source, *size].map(|e| self.operand(e));
                self.unlocked(constant, |this| {
                    this.emit(Instruction::Copy { target, source, size });
                });
            }
            Operation::Disjoint { left, right, size } => {
                let [left, right, size] = [*left, *right, *size].map(|e| self.operand(e));
                self.emit(Instruction::Disjoint { left, right, size });
            }
            Operation::Fill { target, byte, size, initialises } => {
                let constant = self.initialised(*initialises, *target);
                let [target, byte, size] = [*target, *byte, *size].map(|e| self.operand(e));
                self.unlocked(constant, |this| {
                    this.emit(Instruction::Fill { target, byte, size });
                });
            }
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(*target, *storage, *size, *zeroed);
            }
            Operation::Free { address } => {
                let address = self.operand(*address);
                self.emit(Instruction::Free { address });
            }
            Operation::BlockSize { target, address } => {
                let address = self.operand(*address);
                self.assign(*target, |this, target| {
                    this.emit(Instruction::BlockSize { target, address });
                });
            }
            Operation::Enter { object, size } => self.enter(*object, *size),
            Operation::Leave { object } => {
                let register = self.compiler.executable.object_registers[*object];
                self.emit(Instruction::Leave { register });
            }
            Operation::Call { target, callee, arguments } => {
                return self.call(*target, *callee, arguments);
            }
            Operation::Return { value } => return self.return_value(*value),
            Operation::Halt(halt) => return self.halt(*halt),
            Operation::Fail(failure) => return self.fail(failure),
            Operation::Unsupported { construct } => {
                let text = self.text(construct.clone());
                return self.end(Instruction::Unsupported { text });
            }
        }
        true
    }

    /// The register of the constant that a write to this address initialises.
    fn initialised(&self, initialises: bool, address: ExpressionId) -> Option<Register> {
        if !initialises {
            return None;
        }
        let executable = &self.compiler.executable;
        let mut start = address;
        loop {
            match executable.program.expressions.get(start) {
                Expression::Binary { left, .. } => start = left,
                Expression::ObjectAddress(object) => {
                    return Some(executable.object_registers[object]);
                }
                other => panic!("an initial write to {other:?} in {}", self.name()),
            }
        }
    }

    /// Lets a write through to a constant that is just being initialised.
    fn unlocked(&mut self, constant: Option<Register>, write: impl FnOnce(&mut Self)) {
        let Some(register) = constant else { return write(self) };
        self.emit(Instruction::Protect { register, is_protected: false });
        write(self);
        self.emit(Instruction::Protect { register, is_protected: true });
    }

    fn end(&mut self, instruction: Instruction) -> bool {
        self.emit(instruction);
        false
    }

    fn text(&mut self, text: String) -> u32 {
        self.compiler.executable.texts.push(text);
        self.compiler.executable.texts.len() as u32 - 1
    }

    /// Types are checked here and nowhere later: a value of another type has another form.
    fn check_type(&self, target: VariableId, ty: ScalarType) {
        let variable = &self.compiler.executable.program.variables[target];
        let (name, function) = (&variable.name, self.name());
        assert_eq!(variable.scalar, ty, "the type of what {name} ({target}) gets in {function}");
    }

    fn name(&self) -> &str {
        &self.compiler.executable.program.functions[self.function].name
    }

    /// Lets `compute` write a variable, which is a register or, by way of one, a global.
    fn assign(&mut self, target: VariableId, compute: impl FnOnce(&mut Self, Register)) {
        match self.global(target) {
            None => compute(self, self.compiler.executable.registers[target]),
            Some(global) => {
                let source = self.temporary();
                compute(self, source);
                self.emit(Instruction::SetGlobal { global, source });
            }
        }
    }

    fn input(&mut self, target: VariableId, source: &InputSource) {
        let ty = self.compiler.executable.program.variables[target].scalar;
        self.compiler.executable.inputs.push(InputSite::new(source, target, ty));
        let input = self.compiler.executable.inputs.len() as u32 - 1;
        self.assign(target, |this, target| this.emit(Instruction::Input { target, input }));
    }

    fn load(&mut self, access: &Access, target: Register) {
        use Instruction as I;
        let (base, offset) = self.address(access.address);
        let base = self.operand(base);
        let kind = Kind::of(access.ty);
        if access.bits.is_some() {
            let access = self.other(access, offset);
            return self.emit(I::LoadOther { target, base, access });
        }
        let instruction = match kind {
            Kind::I8 => I::LoadI8 { target, base, offset },
            Kind::U8 => I::LoadU8 { target, base, offset },
            Kind::I16 => I::LoadI16 { target, base, offset },
            Kind::U16 => I::LoadU16 { target, base, offset },
            Kind::I32 => I::LoadI32 { target, base, offset },
            Kind::U32 | Kind::F32 => I::LoadU32 { target, base, offset },
            Kind::I64 | Kind::U64 | Kind::F64 => I::Load64 { target, base, offset },
            Kind::Pointer => I::LoadPointer { target, base, offset },
            Kind::Bool | Kind::I128 | Kind::U128 | Kind::F80 | Kind::F128 => {
                let access = self.other(access, offset);
                I::LoadOther { target, base, access }
            }
        };
        self.emit(instruction);
    }

    fn store(&mut self, access: &Access, value: ExpressionId) {
        use Instruction as I;
        let (base, offset) = self.address(access.address);
        let base = self.operand(base);
        let kind = Kind::of(access.ty);
        assert_eq!(self.type_of(value), access.ty, "{value} is stored in {}", self.name());
        if access.bits.is_none()
            && let Some(value) = self.immediate(value)
            && let Some(instruction) = self.store_immediate(kind, base, offset, value)
        {
            return self.emit(instruction);
        }
        let source = self.operand(value);
        if access.bits.is_some() {
            let access = self.other(access, offset);
            return self.emit(I::StoreOther { base, source, access });
        }
        let instruction = match kind {
            Kind::Bool | Kind::I8 | Kind::U8 => I::Store8 { base, offset, source },
            Kind::I16 | Kind::U16 => I::Store16 { base, offset, source },
            Kind::I32 | Kind::U32 | Kind::F32 => I::Store32 { base, offset, source },
            Kind::I64 | Kind::U64 | Kind::F64 => I::Store64 { base, offset, source },
            Kind::Pointer => I::StorePointer { base, offset, source },
            Kind::I128 | Kind::U128 | Kind::F80 | Kind::F128 => {
                let access = self.other(access, offset);
                I::StoreOther { base, source, access }
            }
        };
        self.emit(instruction);
    }

    fn store_immediate(
        &self,
        kind: Kind,
        base: Register,
        offset: i32,
        value: i32,
    ) -> Option<Instruction> {
        use Instruction as I;
        match kind {
            Kind::Bool | Kind::I8 | Kind::U8 => Some(I::Store8Immediate { base, offset, value }),
            Kind::I32 | Kind::U32 => Some(I::Store32Immediate { base, offset, value }),
            Kind::I64 | Kind::U64 => Some(I::Store64Immediate { base, offset, value }),
            // A constant pointer has no block, so its number is all there is.
            Kind::Pointer if self.model().pointer_size() == 4 => {
                Some(I::Store32Immediate { base, offset, value })
            }
            Kind::Pointer => Some(I::Store64Immediate { base, offset, value }),
            Kind::I16
            | Kind::U16
            | Kind::I128
            | Kind::U128
            | Kind::F32
            | Kind::F64
            | Kind::F80
            | Kind::F128 => None,
        }
    }

    fn other(&mut self, access: &Access, offset: i32) -> u32 {
        let kind = Kind::of(access.ty);
        let size = u64::from(access.ty.value_bits(self.model())).div_ceil(8);
        let other = OtherAccess { offset, kind, size, bits: access.bits };
        self.compiler.executable.accesses.push(other);
        self.compiler.executable.accesses.len() as u32 - 1
    }

    fn fail(&mut self, failure: &Failure) -> bool {
        let (kind, text) = match failure {
            Failure::Assertion { text } => (FaultKind::AssertionFailed, text),
            Failure::Size { text } => (FaultKind::InvalidSize, text),
            Failure::Usage { text } => (FaultKind::InvalidUsage, text),
            Failure::Overflow { text } => (FaultKind::SignedOverflow, text),
        };
        let text = self.text(text.clone());
        self.end(Instruction::Fail { kind, text })
    }

    fn allocate(&mut self, target: VariableId, storage: Storage, size: ExpressionId, zeroed: bool) {
        let size = self.operand(size);
        self.assign(target, |this, target| {
            this.emit(match storage {
                Storage::Heap => Instruction::AllocateHeap { zeroed, target, size },
                Storage::Alloca | Storage::Permanent => {
                    let is_permanent = storage == Storage::Permanent;
                    Instruction::AllocateStack { zeroed, is_permanent, target, size }
                }
            });
        });
    }

    fn enter(&mut self, object: ObjectId, size: Option<ExpressionId>) {
        let register = self.compiler.executable.object_registers[object];
        let item = &self.compiler.executable.program.objects[object];
        assert_ne!(register, NO_REGISTER, "{object} ({}) is no local object", item.name);
        assert!(size.is_some() || item.size.is_some(), "{object} ({}) has no size", item.name);
        let object = object.index() as u32;
        match size {
            Some(size) => {
                let size = self.operand(size);
                self.emit(Instruction::EnterDynamic { register, object, size });
            }
            None => self.emit(Instruction::Enter { register, object }),
        }
    }

    fn call(
        &mut self,
        target: Option<VariableId>,
        callee: Callee,
        arguments: &[ExpressionId],
    ) -> bool {
        let pointer = match callee {
            Callee::Indirect(pointer) => Some(self.operand(pointer)),
            Callee::Direct(_) => None,
        };
        let arguments: Vec<(Register, Kind)> = arguments
            .iter()
            .map(|&argument| (self.operand(argument), self.kind(argument)))
            .collect();
        let variables = &self.compiler.executable.program.variables;
        let mut site = CallSite {
            function: None,
            arguments,
            fits: false,
            target: NO_REGISTER,
            result: target.map(|target| variables[target].scalar),
        };
        if let Callee::Direct(function) = callee {
            let compiled = &self.compiler.executable.functions[function];
            site.function = Some(function);
            site.fits = self.compiler.executable.program.functions[function].varargs.is_none()
                && site
                    .arguments
                    .iter()
                    .map(|&(_, kind)| kind)
                    .eq(compiled.parameters.iter().copied());
        }
        match target {
            Some(target) => self.assign(target, |this, register| {
                site.target = register;
                this.emit_call(site, pointer);
            }),
            None => self.emit_call(site, pointer),
        }
        true
    }

    fn emit_call(&mut self, site: CallSite, pointer: Option<Register>) {
        let function = site.function;
        self.compiler.executable.call_sites.push(site);
        let site = self.compiler.executable.call_sites.len() as u32 - 1;
        let direct = function
            .map(|function| (function, self.compiler.executable.functions[function].target));
        let instruction = match (pointer, direct) {
            (Some(pointer), _) => Instruction::CallIndirect { site, pointer },
            (None, Some((_, CallTarget::Body(_)))) => Instruction::Call { site },
            (None, Some((_, CallTarget::Library(_)))) => Instruction::CallLibrary { site },
            (None, Some((function, CallTarget::Error))) => {
                Instruction::ErrorReached { function: function.index() as u32 }
            }
            (None, Some((function, CallTarget::Missing))) => {
                let name = &self.compiler.executable.program.functions[function].name;
                let text = missing_function(name);
                Instruction::Unsupported { text: self.text(text) }
            }
            (None, None) => panic!("a call of nothing"),
        };
        self.emit(instruction);
    }

    fn return_value(&mut self, value: Option<ExpressionId>) -> bool {
        if let Some(value) = value {
            let result = self.compiler.executable.functions[self.function].result;
            assert_eq!(Some(self.type_of(value)), result, "{} returns {value}", self.name());
        }
        let instruction = match value {
            Some(value) => Instruction::Return { source: self.operand(value) },
            None => Instruction::ReturnNothing,
        };
        self.end(instruction)
    }

    fn halt(&mut self, halt: Halt) -> bool {
        let instruction = match halt {
            Halt::Exit(status) => Instruction::Exit { status: self.operand(status) },
            Halt::ImmediateExit(status) => {
                Instruction::ExitImmediately { status: self.operand(status) }
            }
            Halt::Abort => Instruction::Abort,
            Halt::AssumptionFailed => Instruction::AssumptionFailed,
        };
        self.end(instruction)
    }
}

/// What a run says of a function that neither the program nor the library has.
pub(crate) fn missing_function(name: &str) -> String {
    format!("call of external function `{name}`")
}
