//! The byte-precise concrete memory: blocks with bytes, lives, addresses and provenance.
//!
//! A pointer is a number and, where the program made it from a block, that block: it compares as a
//! number and is followed as a block, so that an access past the end of one block can never land in
//! another unseen. What the program does wrong comes back as a [`MemoryFault`], what the machine
//! cannot give as a [`MemoryLimit`]; neither is a panic.

mod access;
mod address;
mod bits;
mod block;
mod fault;
mod memory;
mod pages;
mod reachability;
mod restore;
mod reuse;
mod size_class;
mod storage;
mod transfer;
mod value;

pub use crate::access::UninitialisedBytes;
pub use crate::block::{BlockId, BlockKind, BlockRecord, Life, Origin};
pub use crate::fault::{Access, BlockSummary, FaultKind, MemoryFault, MemoryLimit};
pub use crate::memory::{Allocation, Contents, Memory};
pub use crate::value::Value;
