//! What can go wrong: faults of the program and limits of ours, both as values.

use std::fmt;

use heapwright_program::Place;

use crate::block::{BlockId, BlockKind, Life, Origin};

/// The kinds of fault, those of arithmetic and control included, so that there is one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    NullDereference,
    /// Through a pointer to a block that was freed or is out of scope.
    DanglingDereference,
    OutOfBounds,
    /// Through a number that lies in no block, or into a function.
    WildDereference,
    /// A write to a string literal or to an object of const type.
    ReadOnlyWrite,
    /// A copy from bytes to others that are the same in part.
    Overlap,
    /// `free` of something other than the start of a heap block.
    InvalidFree,
    DoubleFree,
    DivisionByZero,
    /// The smallest number divided by -1.
    DivisionOverflow,
    /// A signed operation whose result its type does not hold, where that is asked about.
    SignedOverflow,
    /// A call through a pointer to anything but a function.
    InvalidCallee,
    StackExhausted,
    /// An object on the stack of a size that no object has.
    InvalidSize,
    /// A library function used as its contract forbids.
    InvalidUsage,
    AssertionFailed,
    /// A call of a function that the task calls an error.
    ErrorReached,
    /// A heap block that is alive and that nothing points to.
    Leak,
}

impl FaultKind {
    pub const ALL: [FaultKind; 18] = [
        FaultKind::NullDereference,
        FaultKind::DanglingDereference,
        FaultKind::OutOfBounds,
        FaultKind::WildDereference,
        FaultKind::ReadOnlyWrite,
        FaultKind::Overlap,
        FaultKind::InvalidFree,
        FaultKind::DoubleFree,
        FaultKind::DivisionByZero,
        FaultKind::DivisionOverflow,
        FaultKind::SignedOverflow,
        FaultKind::InvalidCallee,
        FaultKind::StackExhausted,
        FaultKind::InvalidSize,
        FaultKind::InvalidUsage,
        FaultKind::AssertionFailed,
        FaultKind::ErrorReached,
        FaultKind::Leak,
    ];

    /// The name in messages and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::NullDereference => "null-dereference",
            FaultKind::DanglingDereference => "dangling-dereference",
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::WildDereference => "wild-dereference",
            FaultKind::ReadOnlyWrite => "read-only-write",
            FaultKind::Overlap => "overlap",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::DoubleFree => "double-free",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::DivisionOverflow => "division-overflow",
            FaultKind::SignedOverflow => "signed-overflow",
            FaultKind::InvalidCallee => "invalid-callee",
            FaultKind::StackExhausted => "stack-exhausted",
            FaultKind::InvalidSize => "invalid-size",
            FaultKind::InvalidUsage => "invalid-usage",
            FaultKind::AssertionFailed => "assertion-failed",
            FaultKind::ErrorReached => "error-reached",
            FaultKind::Leak => "leak",
        }
    }

    /// The kind called `name`.
    #[must_use]
    pub fn parse(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the program wanted from the memory when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Read { size: u64 },
    Write { size: u64 },
    Free,
    Call,
}

/// A block as a fault report shows it, true at the moment of the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSummary {
    pub id: BlockId,
    pub serial: u64,
    pub kind: BlockKind,
    pub life: Life,
    pub origin: Origin,
    pub size: u64,
    /// Bytes from the block's start to the address in question.
    pub offset: i64,
    pub allocated: Place,
    pub released: Option<Place>,
}

/// A fault, as far as the memory knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFault {
    pub kind: FaultKind,
    pub access: Access,
    pub address: u64,
    pub block: Option<BlockSummary>,
    /// Set where it is the memory that ran out: then the program did nothing wrong.
    pub limit: Option<MemoryLimit>,
}

/// What the memory cannot give: not a fault of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryLimit {
    /// More bytes than the settings allow.
    Bytes,
    /// More addresses than the data model has.
    AddressSpace,
}
