//! A concrete state as texts see it: a call stack with values, and blocks with bytes.
//!
//! What a state is taken from does not matter: a running machine, or a state that was written down.

use heapwright_program::{FunctionId, LocationId, ObjectId, Program, VariableId};

pub(crate) use heapwright_memory::Life;

/// Index into [`Concrete::blocks`].
pub type Block = usize;

/// A concrete state between two edges.
pub trait Concrete {
    fn program(&self) -> &Program;
    /// The calls under way, outermost first; callers are behind their calls.
    fn stack(&self) -> Vec<(FunctionId, LocationId)>;
    /// What a variable of a frame holds, or a global one. `None` if it has no value yet.
    fn variable(&self, frame: usize, variable: VariableId) -> Option<Held>;
    /// The block of a local object of a frame, if it is alive.
    fn object(&self, frame: usize, object: ObjectId) -> Option<Block>;
    fn blocks(&self) -> &[ConcreteBlock];
    /// A byte of a live block, if it is initialised.
    fn byte(&self, block: Block, offset: u64) -> Option<u8>;
    /// As many bytes as a pointer has, if they are initialised.
    fn word(&self, block: Block, offset: u64) -> Option<Held>;
}

/// Bits, and the block that they were made from if they are a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub bits: u128,
    pub block: Option<Block>,
}

/// What is known of a block besides its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConcreteBlock {
    pub identity: Identity,
    pub life: Life,
    pub base: u64,
    pub size: u64,
}

impl ConcreteBlock {
    #[must_use]
    pub fn is_live_heap(&self) -> bool {
        self.identity == Identity::Heap && self.life == Life::Alive
    }
}

/// What of a program a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Heap,
    Stack,
    /// A static object or a string literal.
    Object(ObjectId),
    Function(FunctionId),
    /// Neither the program's nor made by it: arguments, streams.
    Foreign,
}

/// A pointer's worth of bytes of a block, or fewer: little endian; `None` where one is unknown.
pub(crate) fn bits_of(state: &dyn Concrete, block: Block, offset: u64, size: u64) -> Option<Held> {
    if size == state.program().model.pointer_size()
        && let Some(held) = state.word(block, offset)
    {
        return Some(held);
    }
    let mut bits = 0u128;
    for index in (0..size.min(16)).rev() {
        bits = bits << 8 | u128::from(state.byte(block, offset + index)?);
    }
    Some(Held { bits, block: None })
}
