//! The instructions of the compiled form: sixteen bytes each, registers by number.
//!
//! Most operations become one instruction. Arithmetic that programs do all the time has an
//! instruction for its kind, and one with a constant operand (`…Immediate`); the rest goes through
//! `Binary`, `Unary` and `Convert`, which carry the kind.

use heapwright_memory::FaultKind;
use heapwright_program::{BinaryOperator, UnaryOperator};

use crate::kind::Kind;

/// A register of the current frame.
pub(crate) type Register = u32;

/// The register of a call whose result nobody wants.
pub(crate) const NO_REGISTER: Register = u32::MAX;

/// What one step does. Branch targets are numbers of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip] // One line each: this is a table.
pub(crate) enum Instruction {
    Nothing,
    Move { target: Register, source: Register },
    Constant { target: Register, value: i32 },
    /// A constant that does not fit, or an address.
    Pool { target: Register, index: u32 },
    GetGlobal { target: Register, global: u32 },
    SetGlobal { global: u32, source: Register },

    AddI32 { target: Register, left: Register, right: Register },
    AddU32 { target: Register, left: Register, right: Register },
    AddI64 { target: Register, left: Register, right: Register },
    AddU64 { target: Register, left: Register, right: Register },
    SubtractI32 { target: Register, left: Register, right: Register },
    SubtractU32 { target: Register, left: Register, right: Register },
    SubtractI64 { target: Register, left: Register, right: Register },
    SubtractU64 { target: Register, left: Register, right: Register },
    MultiplyI32 { target: Register, left: Register, right: Register },
    MultiplyU32 { target: Register, left: Register, right: Register },
    MultiplyI64 { target: Register, left: Register, right: Register },
    MultiplyU64 { target: Register, left: Register, right: Register },
    AddI32Immediate { target: Register, left: Register, value: i32 },
    AddU32Immediate { target: Register, left: Register, value: i32 },
    AddI64Immediate { target: Register, left: Register, value: i32 },
    AddU64Immediate { target: Register, left: Register, value: i32 },
    MultiplyI32Immediate { target: Register, left: Register, value: i32 },
    MultiplyI64Immediate { target: Register, left: Register, value: i32 },
    /// Closed under the canonical form, so one for all narrow kinds.
    And { target: Register, left: Register, right: Register },
    Or { target: Register, left: Register, right: Register },
    Xor { target: Register, left: Register, right: Register },
    AndImmediate { target: Register, left: Register, value: i32 },
    /// Brings the lowest bits into the canonical form of a kind.
    Extend { kind: Kind, target: Register, source: Register },
    Binary {
        operator: BinaryOperator, kind: Kind, target: Register, left: Register, right: Register,
    },
    Unary { operator: UnaryOperator, kind: Kind, target: Register, source: Register },
    Convert { from: Kind, to: Kind, target: Register, source: Register },

    PointerAdd { target: Register, pointer: Register, offset: Register },
    PointerAddImmediate { target: Register, pointer: Register, offset: i32 },
    /// `pointer + index * scale`, the product being one of offsets.
    PointerAddScaled { scale: u16, target: Register, pointer: Register, index: Register },
    PointerDifference { target: Register, left: Register, right: Register },
    IntegerToPointer { target: Register, source: Register },
    /// Only where looks at addresses are marked; elsewhere no instruction is needed.
    AddressToInteger { target: Register, source: Register },

    /// Before two pointers are compared: is it the implementation that decides?
    CompareAddresses { left: Register, right: Register },
    Equal { target: Register, left: Register, right: Register },
    NotEqual { target: Register, left: Register, right: Register },
    LessSigned { target: Register, left: Register, right: Register },
    LessEqualSigned { target: Register, left: Register, right: Register },
    LessUnsigned { target: Register, left: Register, right: Register },
    LessEqualUnsigned { target: Register, left: Register, right: Register },
    EqualImmediate { target: Register, left: Register, value: i32 },
    NotEqualImmediate { target: Register, left: Register, value: i32 },

    Jump { target: u32 },
    BranchEqual { left: Register, right: Register, target: u32 },
    BranchNotEqual { left: Register, right: Register, target: u32 },
    BranchLessSigned { left: Register, right: Register, target: u32 },
    BranchLessEqualSigned { left: Register, right: Register, target: u32 },
    BranchLessUnsigned { left: Register, right: Register, target: u32 },
    BranchLessEqualUnsigned { left: Register, right: Register, target: u32 },
    BranchEqualImmediate { left: Register, value: i32, target: u32 },
    BranchNotEqualImmediate { left: Register, value: i32, target: u32 },
    BranchLessSignedImmediate { left: Register, value: i32, target: u32 },
    BranchAtLeastSignedImmediate { left: Register, value: i32, target: u32 },
    BranchLessUnsignedImmediate { left: Register, value: i32, target: u32 },
    BranchAtLeastUnsignedImmediate { left: Register, value: i32, target: u32 },

    LoadI8 { target: Register, base: Register, offset: i32 },
    LoadU8 { target: Register, base: Register, offset: i32 },
    LoadI16 { target: Register, base: Register, offset: i32 },
    LoadU16 { target: Register, base: Register, offset: i32 },
    LoadI32 { target: Register, base: Register, offset: i32 },
    LoadU32 { target: Register, base: Register, offset: i32 },
    Load64 { target: Register, base: Register, offset: i32 },
    LoadPointer { target: Register, base: Register, offset: i32 },
    /// Bit-fields, truth values and whatever is wider than 64 bits.
    LoadOther { target: Register, base: Register, access: u32 },
    Store8 { base: Register, offset: i32, source: Register },
    Store16 { base: Register, offset: i32, source: Register },
    Store32 { base: Register, offset: i32, source: Register },
    Store64 { base: Register, offset: i32, source: Register },
    StorePointer { base: Register, offset: i32, source: Register },
    Store8Immediate { base: Register, offset: i32, value: i32 },
    Store32Immediate { base: Register, offset: i32, value: i32 },
    Store64Immediate { base: Register, offset: i32, value: i32 },
    StoreOther { base: Register, source: Register, access: u32 },

    Copy { target: Register, source: Register, size: Register },
    Disjoint { left: Register, right: Register, size: Register },
    Fill { target: Register, byte: Register, size: Register },
    /// The local object in the register may be written from now on, or may not.
    Protect { register: Register, is_protected: bool },
    AllocateHeap { zeroed: bool, target: Register, size: Register },
    /// Until the function returns, or the program ends.
    AllocateStack { zeroed: bool, is_permanent: bool, target: Register, size: Register },
    Free { address: Register },
    BlockSize { target: Register, address: Register },
    Enter { register: Register, object: u32 },
    EnterDynamic { register: Register, object: u32, size: Register },
    Leave { register: Register },
    Input { target: Register, input: u32 },

    Call { site: u32 },
    CallIndirect { site: u32, pointer: Register },
    CallLibrary { site: u32 },
    Return { source: Register },
    ReturnNothing,

    Exit { status: Register },
    ExitImmediately { status: Register },
    Abort,
    /// Of the task, or a location's only condition.
    AssumptionFailed,
    Fail { kind: FaultKind, text: u32 },
    ErrorReached { function: u32 },
    Unsupported { text: u32 },
    /// `main` or a handler has returned: run the next handler, or end.
    Finish,
    /// The outermost call of a state in the middle has returned.
    Returned,
}

impl Instruction {
    /// Where control may go other than to the next instruction.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        use Instruction as I;
        match self {
            I::Jump { target }
            | I::BranchEqual { target, .. }
            | I::BranchNotEqual { target, .. }
            | I::BranchLessSigned { target, .. }
            | I::BranchLessEqualSigned { target, .. }
            | I::BranchLessUnsigned { target, .. }
            | I::BranchLessEqualUnsigned { target, .. }
            | I::BranchEqualImmediate { target, .. }
            | I::BranchNotEqualImmediate { target, .. }
            | I::BranchLessSignedImmediate { target, .. }
            | I::BranchAtLeastSignedImmediate { target, .. }
            | I::BranchLessUnsignedImmediate { target, .. }
            | I::BranchAtLeastUnsignedImmediate { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The branch that is taken exactly when this one is not; `None` for anything but a branch.
    pub(crate) fn negated(self) -> Option<Instruction> {
        use Instruction as I;
        Some(match self {
            I::BranchEqual { left, right, target } => I::BranchNotEqual { left, right, target },
            I::BranchNotEqual { left, right, target } => I::BranchEqual { left, right, target },
            I::BranchLessSigned { left, right, target } => {
                I::BranchLessEqualSigned { left: right, right: left, target }
            }
            I::BranchLessEqualSigned { left, right, target } => {
                I::BranchLessSigned { left: right, right: left, target }
            }
            I::BranchLessUnsigned { left, right, target } => {
                I::BranchLessEqualUnsigned { left: right, right: left, target }
            }
            I::BranchLessEqualUnsigned { left, right, target } => {
                I::BranchLessUnsigned { left: right, right: left, target }
            }
            I::BranchEqualImmediate { left, value, target } => {
                I::BranchNotEqualImmediate { left, value, target }
            }
            I::BranchNotEqualImmediate { left, value, target } => {
                I::BranchEqualImmediate { left, value, target }
            }
            I::BranchLessSignedImmediate { left, value, target } => {
                I::BranchAtLeastSignedImmediate { left, value, target }
            }
            I::BranchAtLeastSignedImmediate { left, value, target } => {
                I::BranchLessSignedImmediate { left, value, target }
            }
            I::BranchLessUnsignedImmediate { left, value, target } => {
                I::BranchAtLeastUnsignedImmediate { left, value, target }
            }
            I::BranchAtLeastUnsignedImmediate { left, value, target } => {
                I::BranchLessUnsignedImmediate { left, value, target }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_sixteen_bytes() {
        assert_eq!(size_of::<Instruction>(), 16);
    }
}
