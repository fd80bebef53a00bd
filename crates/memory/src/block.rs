//! A block: what an access looks at each time (`Block`) and what only reports ask for
//! (`BlockRecord`), kept apart so that the first stays within a cache line.

use heapwright_base::define_id;
use heapwright_program::{FunctionId, ObjectId, Place};

define_id!(
    /// A block of memory. Number 0 is never given out: it stands for "no block" in a pointer.
    BlockId,
    "b"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockKind {
    /// Alive throughout.
    Static,
    /// A local object, alloca'd memory, or the further arguments of a call.
    Stack,
    /// From `malloc` until `free`.
    Heap,
    /// A string literal: alive throughout, not to be written.
    String,
    /// The address of a function: one byte that may be neither read nor written.
    Function,
}

/// Whether a block may be accessed, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Alive,
    /// `free` was called for it.
    Freed,
    /// Its scope, or the call that it belonged to, has ended.
    OutOfScope,
}

/// What of the program a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Object(ObjectId),
    Function(FunctionId),
    /// An allocation at run time, or an argument of the program.
    Anonymous,
}

/// What reports tell about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRecord {
    pub kind: BlockKind,
    pub life: Life,
    pub origin: Origin,
    /// Names this block in every run with the same inputs, and no other block.
    pub serial: u64,
    pub base: u64,
    pub size: u64,
    pub allocated: Place,
    /// Where it was freed or went out of scope.
    pub released: Option<Place>,
    /// Bytes of addresses set aside for it.
    pub(crate) extent: u64,
    /// Dead, and known to be referred to by nothing.
    pub(crate) is_forgotten: bool,
    /// A newer block lies at its address.
    pub(crate) is_superseded: bool,
}

impl BlockRecord {
    #[must_use]
    pub fn is_live_heap(&self) -> bool {
        self.kind == BlockKind::Heap && self.life == Life::Alive
    }

    /// Whether the program may read and write it, now or never again.
    #[must_use]
    pub fn holds_data(&self) -> bool {
        self.life == Life::Alive && self.kind != BlockKind::Function
    }
}

/// What an access needs of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) base: u64,
    /// Bytes that may be accessed: the size of a live block, 0 for a dead one or a function.
    pub(crate) limit: u64,
    /// Where its bytes begin in the storage.
    pub(crate) start: usize,
    /// All ones when every byte is initialised. Otherwise, for a block of at most 64 bytes, one
    /// bit a byte (bits past the end are set); for a larger one the bits are in the storage.
    pub(crate) initialised: u64,
    pub(crate) flags: u8,
}

/// The block's provenance slots mean something; without this they are stale and count as empty.
pub(crate) const HAS_POINTERS: u8 = 1;
/// Stores are faults.
pub(crate) const READ_ONLY: u8 = 2;
/// Largest block whose initialised bytes are kept in `Block::initialised`.
pub(crate) const INLINE_BYTES: u64 = 64;
/// `Block::initialised` of a block without uninitialised bytes.
pub(crate) const ALL: u64 = u64::MAX;

impl Block {
    /// The block of pointers without one: every access to it fails.
    pub(crate) const NOWHERE: Block =
        Block { base: 0, limit: 0, start: 0, initialised: ALL, flags: 0 };
}

/// The lowest `count` bits set.
#[inline]
pub(crate) const fn low_bits(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
