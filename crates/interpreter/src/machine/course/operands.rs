//! The operands of instructions that compute, branch, load and store.

use crate::instruction::{Instruction as I, Register};

/// How many bytes an access moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Bytes(u64),
    Pointer,
}

/// The operands of a branch.
pub(super) fn branch(instruction: I) -> Option<[Option<Register>; 2]> {
    Some(match instruction {
        I::BranchEqual { left, right, .. }
        | I::BranchNotEqual { left, right, .. }
        | I::BranchLessSigned { left, right, .. }
        | I::BranchLessEqualSigned { left, right, .. }
        | I::BranchLessUnsigned { left, right, .. }
        | I::BranchLessEqualUnsigned { left, right, .. } => [Some(left), Some(right)],
        I::BranchEqualImmediate { left, .. }
        | I::BranchNotEqualImmediate { left, .. }
        | I::BranchLessSignedImmediate { left, .. }
        | I::BranchAtLeastSignedImmediate { left, .. }
        | I::BranchLessUnsignedImmediate { left, .. }
        | I::BranchAtLeastUnsignedImmediate { left, .. } => [Some(left), None],
        _ => return None,
    })
}

/// The target and the operands of an operation that does nothing but compute.
pub(super) fn computed(instruction: I) -> Option<(Register, [Option<Register>; 2])> {
    Some(match instruction {
        I::AddI32 { target, left, right }
        | I::AddU32 { target, left, right }
        | I::AddI64 { target, left, right }
        | I::AddU64 { target, left, right }
        | I::SubtractI32 { target, left, right }
        | I::SubtractU32 { target, left, right }
        | I::SubtractI64 { target, left, right }
        | I::SubtractU64 { target, left, right }
        | I::MultiplyI32 { target, left, right }
        | I::MultiplyU32 { target, left, right }
        | I::MultiplyI64 { target, left, right }
        | I::MultiplyU64 { target, left, right }
        | I::And { target, left, right }
        | I::Or { target, left, right }
        | I::Xor { target, left, right }
        | I::Equal { target, left, right }
        | I::NotEqual { target, left, right }
        | I::LessSigned { target, left, right }
        | I::LessEqualSigned { target, left, right }
        | I::LessUnsigned { target, left, right }
        | I::LessEqualUnsigned { target, left, right } => (target, [Some(left), Some(right)]),
        I::AddI32Immediate { target, left, .. }
        | I::AddU32Immediate { target, left, .. }
        | I::AddI64Immediate { target, left, .. }
        | I::AddU64Immediate { target, left, .. }
        | I::MultiplyI32Immediate { target, left, .. }
        | I::MultiplyI64Immediate { target, left, .. }
        | I::AndImmediate { target, left, .. }
        | I::EqualImmediate { target, left, .. }
        | I::NotEqualImmediate { target, left, .. } => (target, [Some(left), None]),
        I::Move { target, source }
        | I::Extend { target, source, .. }
        | I::Unary { target, source, .. }
        | I::IntegerToPointer { target, source } => (target, [Some(source), None]),
        I::PointerAdd { target, pointer, offset } => (target, [Some(pointer), Some(offset)]),
        I::PointerAddScaled { target, pointer, index, .. } => {
            (target, [Some(pointer), Some(index)])
        }
        I::PointerAddImmediate { target, pointer, .. } => (target, [Some(pointer), None]),
        I::Constant { target, .. } | I::Pool { target, .. } => (target, [None, None]),
        _ => return None,
    })
}

/// The target, the address and the size of a load.
pub(super) fn load(instruction: I) -> Option<(Register, Register, i32, Width)> {
    let (target, base, offset, size) = match instruction {
        I::LoadI8 { target, base, offset } | I::LoadU8 { target, base, offset } => {
            (target, base, offset, Width::Bytes(1))
        }
        I::LoadI16 { target, base, offset } | I::LoadU16 { target, base, offset } => {
            (target, base, offset, Width::Bytes(2))
        }
        I::LoadI32 { target, base, offset } | I::LoadU32 { target, base, offset } => {
            (target, base, offset, Width::Bytes(4))
        }
        I::Load64 { target, base, offset } => (target, base, offset, Width::Bytes(8)),
        I::LoadPointer { target, base, offset } => (target, base, offset, Width::Pointer),
        _ => return None,
    };
    Some((target, base, offset, size))
}

/// The address, the size and the source of a store; `None` for a constant.
pub(super) fn store(instruction: I) -> Option<(Register, i32, Width, Option<Register>)> {
    Some(match instruction {
        I::Store8 { base, offset, source } => (base, offset, Width::Bytes(1), Some(source)),
        I::Store16 { base, offset, source } => (base, offset, Width::Bytes(2), Some(source)),
        I::Store32 { base, offset, source } => (base, offset, Width::Bytes(4), Some(source)),
        I::Store64 { base, offset, source } => (base, offset, Width::Bytes(8), Some(source)),
        I::StorePointer { base, offset, source } => (base, offset, Width::Pointer, Some(source)),
        I::Store8Immediate { base, offset, .. } => (base, offset, Width::Bytes(1), None),
        I::Store32Immediate { base, offset, .. } => (base, offset, Width::Bytes(4), None),
        I::Store64Immediate { base, offset, .. } => (base, offset, Width::Bytes(8), None),
        _ => return None,
    })
}
