//! Library functions that are operations of the program: memory, ends of the program, and the
//! functions that verification tasks are written with. A program that defines one of these names
//! itself gets its own function.

use heapwright_program::{
    BinaryOperator, ExpressionId, Failure, Halt, InputSource, Operation, ScalarType, Storage,
    VariableId,
};
use rucc_sema::{ExprId, ExprKind};

use super::function::FunctionLowering;
use super::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    Allocate {
        storage: Storage,
        zeroed: bool,
    },
    /// `malloc`, of which C leaves open what it gives for no bytes at all.
    Malloc,
    Free,
    BlockSize,
    Copy {
        may_overlap: bool,
    },
    /// Two ranges of bytes share none, or all.
    Disjoint,
    Fill,
    Abort,
    Exit,
    ImmediateExit,
    AssertionFailed,
    Assume,
    Nondeterministic,
    /// A function that does nothing of interest and gives nothing back.
    Nothing,
    /// A function whose arguments matter only for what evaluating them does: any random number may
    /// come, whatever the seed.
    Seed,
    /// `setjmp`, which gives 0 when it is called. It gives something else only where `longjmp`
    /// jumps to it, and that is not modelled: no execution that gets so far is answered for.
    SetJump,
    /// A function whose effect on control flow is not modelled.
    Unsupported,
    /// A model says that the library is used as it must not be.
    Misuse,
    /// A model says that it does not know what happens here.
    Unmodelled,
}

/// What a model draws from the environment: an input under the name behind the prefix.
const INPUT: &str = "__heapwright_input_";

/// Whether an allocation of no bytes gives null: a choice of the implementation.
const CHOOSE_NULL: &str = "__heapwright_choose_null";

impl Intrinsic {
    /// The intrinsic that a function name without a body means.
    pub(crate) fn named(name: &str) -> Option<Intrinsic> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let allocate = |storage, zeroed| Intrinsic::Allocate { storage, zeroed };
        Some(match plain {
            "malloc" => Intrinsic::Malloc,
            "__heapwright_malloc" => allocate(Storage::Heap, false),
            "__heapwright_zeroed" => allocate(Storage::Heap, true),
            "__heapwright_permanent" => allocate(Storage::Permanent, false),
            "__heapwright_misuse" => Intrinsic::Misuse,
            "__heapwright_unmodelled" => Intrinsic::Unmodelled,
            "alloca" | "__alloca" => allocate(Storage::Alloca, false),
            "free" | "cfree" | "__heapwright_free" => Intrinsic::Free,
            "__heapwright_block_size" => Intrinsic::BlockSize,
            "memcpy" | "__memcpy_chk" => Intrinsic::Copy { may_overlap: false },
            "memmove" | "__memmove_chk" | "__heapwright_copy" => {
                Intrinsic::Copy { may_overlap: true }
            }
            "__heapwright_disjoint" => Intrinsic::Disjoint,
            "memset" | "__memset_chk" | "__heapwright_fill" => Intrinsic::Fill,
            "abort" | "trap" => Intrinsic::Abort,
            "exit" => Intrinsic::Exit,
            "_exit" | "_Exit" => Intrinsic::ImmediateExit,
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => {
                Intrinsic::AssertionFailed
            }
            "__VERIFIER_assume" => Intrinsic::Assume,
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "__VERIFIER_plot" => {
                Intrinsic::Nothing
            }
            "srand" | "srandom" | "srand48" => Intrinsic::Seed,
            "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => Intrinsic::SetJump,
            "longjmp" | "siglongjmp" | "_longjmp" | "__longjmp_chk" | "vfork" | "fork"
            | "pthread_create" | "pthread_exit" => Intrinsic::Unsupported,
            CHOOSE_NULL | "__heapwright_choose_block" => Intrinsic::Nondeterministic,
            _ if plain.starts_with("__VERIFIER_nondet_") || plain.starts_with(INPUT) => {
                Intrinsic::Nondeterministic
            }
            _ => return None,
        })
    }
}

impl FunctionLowering<'_, '_> {
    pub(crate) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        name: &str,
        arguments: &[ExprId],
        ty: rucc_types::TypeId,
        is_needed: bool,
    ) -> Value {
        match intrinsic {
            Intrinsic::AssertionFailed => {
                let text = self.assertion_text(arguments);
                self.emit_last(Operation::Fail(Failure::Assertion { text }));
                self.unreachable_value(ty)
            }
            Intrinsic::Misuse => {
                let text = self.assertion_text(arguments);
                self.emit_last(Operation::Fail(Failure::Usage { text }));
                self.unreachable_value(ty)
            }
            Intrinsic::Unmodelled => {
                let text = self.assertion_text(arguments);
                self.unsupported(text);
                self.dummy(ty)
            }
            Intrinsic::SetJump => self.set_jump(arguments, ty),
            Intrinsic::Unsupported => {
                self.unsupported(format!("`{name}`"));
                self.dummy(ty)
            }
            Intrinsic::Assume => {
                self.assume(arguments);
                self.dummy(ty)
            }
            Intrinsic::Seed => {
                for &argument in arguments {
                    self.effect(argument);
                }
                self.dummy(ty)
            }
            Intrinsic::Nondeterministic => {
                for &argument in arguments {
                    self.effect(argument);
                }
                self.nondeterministic(name.strip_prefix(INPUT).unwrap_or(name), ty)
            }
            Intrinsic::Allocate { .. }
            | Intrinsic::Malloc
            | Intrinsic::Free
            | Intrinsic::BlockSize
            | Intrinsic::Copy { .. }
            | Intrinsic::Disjoint
            | Intrinsic::Fill
            | Intrinsic::Abort
            | Intrinsic::Exit
            | Intrinsic::ImmediateExit
            | Intrinsic::Nothing => {
                let values = self.arguments(arguments);
                self.memory_intrinsic(intrinsic, name, &values, ty, is_needed)
            }
        }
    }

    fn memory_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        name: &str,
        values: &[ExpressionId],
        ty: rucc_types::TypeId,
        is_needed: bool,
    ) -> Value {
        match (intrinsic, values) {
            (Intrinsic::Allocate { storage, zeroed }, &[size, ..]) => {
                self.allocate(storage, size, zeroed, ty)
            }
            (Intrinsic::Malloc, &[size, ..]) => {
                if self.integer(size).is_some_and(|size| size != 0) {
                    self.allocate(Storage::Heap, size, false, ty)
                } else {
                    self.allocate_perhaps_nothing(size, ty)
                }
            }
            (Intrinsic::Free, &[address, ..]) => {
                let address = self.convert(address, ScalarType::Pointer);
                self.emit(Operation::Free { address });
                Value::Nothing
            }
            (Intrinsic::BlockSize, &[address, ..]) => {
                let target = self.temporary(self.unit.model().size_type());
                self.emit(Operation::BlockSize { target, address });
                Value::Scalar(self.variable(target))
            }
            (Intrinsic::Disjoint, &[left, right, size, ..]) => {
                self.disjoint(left, right, size);
                Value::Nothing
            }
            (Intrinsic::Copy { may_overlap }, &[target, source, size, ..]) => {
                let (target, size) = self.kept(target, size, is_needed);
                if !may_overlap {
                    self.disjoint(target, source, size);
                }
                self.emit(Operation::Copy { target, source, size, initialises: false });
                Value::Scalar(target)
            }
            (Intrinsic::Fill, &[target, byte, size, ..]) => {
                let (target, size) = self.kept(target, size, is_needed);
                let byte = self.convert(byte, ScalarType::BYTE);
                self.emit(Operation::Fill { target, byte, size, initialises: false });
                Value::Scalar(target)
            }
            (Intrinsic::Abort, _) => {
                self.emit_last(Operation::Halt(Halt::Abort));
                self.unreachable_value(ty)
            }
            (Intrinsic::Exit, &[status, ..]) => {
                let status = self.run_handlers(status);
                self.emit_last(Operation::Halt(Halt::Exit(status)));
                self.unreachable_value(ty)
            }
            (Intrinsic::ImmediateExit, &[status, ..]) => {
                self.emit_last(Operation::Halt(Halt::ImmediateExit(status)));
                self.unreachable_value(ty)
            }
            (Intrinsic::Nothing, _) => self.dummy(ty),
            _ => {
                self.unsupported(format!("a call of `{name}` with too few arguments"));
                self.dummy(ty)
            }
        }
    }

    /// Target and size of a block operation, in their types and safe to use afterwards.
    fn kept(
        &mut self,
        target: ExpressionId,
        size: ExpressionId,
        is_needed: bool,
    ) -> (ExpressionId, ExpressionId) {
        let target = self.convert(target, ScalarType::Pointer);
        let target = if is_needed { self.stable(target) } else { target };
        let size_type = self.unit.model().size_type();
        (target, self.convert(size, size_type))
    }

    pub(crate) fn allocate(
        &mut self,
        storage: Storage,
        size: ExpressionId,
        zeroed: bool,
        ty: rucc_types::TypeId,
    ) -> Value {
        let size_type = self.unit.model().size_type();
        let size = self.convert(size, size_type);
        if let Storage::Alloca = storage {
            self.check_stack_size(size);
        }
        let target = self.allocated(ty);
        self.emit(Operation::Allocate { target, storage, size, zeroed });
        self.allocated_value(target, ty)
    }

    /// An allocation of a size that may be 0: then it is null, or a block without bytes.
    fn allocate_perhaps_nothing(&mut self, size: ExpressionId, ty: rucc_types::TypeId) -> Value {
        let size_type = self.unit.model().size_type();
        let size = self.convert(size, size_type);
        let target = self.allocated(ty);
        let (null, block, end) = (self.new_location(), self.new_location(), self.new_target());
        if self.integer(size).is_none() {
            let empty = self.new_location();
            let zero = self.constant(size_type, 0);
            let is_empty = self.binary(BinaryOperator::Equal, size, zero);
            let is_empty = self.truth(is_empty);
            self.emit_unwritten_branch(is_empty, empty, block);
            self.continue_at(empty);
        }
        let chosen = self.temporary(ScalarType::Bool);
        let source = InputSource::Nondeterministic(CHOOSE_NULL.to_owned());
        self.emit(Operation::Input { target: chosen, source });
        let is_null = self.variable(chosen);
        self.emit_unwritten_branch(is_null, null, block);
        self.continue_at(null);
        let value = self.constant(ScalarType::Pointer, 0);
        self.emit(Operation::Assign { target, value });
        self.jump_to(end);
        self.continue_at(block);
        self.emit(Operation::Allocate { target, storage: Storage::Heap, size, zeroed: false });
        self.jump_to(end);
        self.continue_at(end.location);
        self.allocated_value(target, ty)
    }

    fn allocated(&mut self, ty: rucc_types::TypeId) -> VariableId {
        match self.unit.scalar(ty) {
            Some(ScalarType::Pointer) => self.typed_temporary(ty),
            // Called without a declaration: C made the result an `int`.
            Some(_) | None => self.temporary(ScalarType::Pointer),
        }
    }

    fn allocated_value(&mut self, target: VariableId, ty: rucc_types::TypeId) -> Value {
        let pointer = self.variable(target);
        Value::Scalar(match self.unit.scalar(ty) {
            Some(scalar) => self.convert(pointer, scalar),
            None => pointer,
        })
    }

    fn assume(&mut self, arguments: &[ExprId]) {
        let Some(&condition) = arguments.first() else {
            self.unsupported("an assumption without a condition");
            return;
        };
        let (holds, fails) = (self.new_location(), self.new_location());
        self.branch(condition, holds, fails);
        self.continue_at(fails);
        self.emit_last(Operation::Halt(Halt::AssumptionFailed));
        self.continue_at(holds);
    }

    /// Writes the buffer, whatever is in it then.
    fn set_jump(&mut self, arguments: &[ExprId], ty: rucc_types::TypeId) -> Value {
        let Some(&buffer) = arguments.first() else {
            self.unsupported("`setjmp` without a buffer");
            return self.dummy(ty);
        };
        let pointee = self.pointee(self.c_type(buffer));
        let values = self.arguments(arguments);
        let size = self.dynamic_size(pointee);
        let byte = self.constant(ScalarType::BYTE, 0);
        self.emit(Operation::Fill { target: values[0], byte, size, initialises: false });
        self.dummy(ty)
    }

    fn nondeterministic(&mut self, name: &str, ty: rucc_types::TypeId) -> Value {
        let Some(scalar) = self.unit.scalar(ty) else {
            self.unsupported(format!("`{name}` of a type that is no scalar"));
            return self.dummy(ty);
        };
        let target = self.typed_temporary(ty);
        let source = InputSource::Nondeterministic(name.to_owned());
        self.emit(Operation::Input { target, source });
        let value = self.variable(target);
        if name.ends_with("_bool") && scalar != ScalarType::Bool {
            // Declared with a wider type, it still gives 0 or 1.
            let one = self.constant(scalar, 1);
            return Value::Scalar(self.binary(BinaryOperator::BitAnd, value, one));
        }
        Value::Scalar(value)
    }

    /// The text of a failed `assert`, where it is a string literal.
    fn assertion_text(&self, arguments: &[ExprId]) -> String {
        let tast = &self.unit.unit.tast;
        let mut expression = arguments.first().copied();
        while let Some(id) = expression {
            match tast[id].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
                    expression = Some(operand);
                }
                ExprKind::Str(string) => {
                    let bytes = tast[string].bytes(&self.unit.unit.target);
                    return String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned();
                }
                _ => break,
            }
        }
        "assertion".to_owned()
    }

    /// A value for code that control does not reach.
    fn unreachable_value(&mut self, ty: rucc_types::TypeId) -> Value {
        match self.unit.scalar(ty) {
            Some(scalar) => Value::Scalar(self.constant(scalar, 0)),
            None => Value::Nothing,
        }
    }
}
