//! A state of a run as a reader of the source sees it.

use std::sync::Arc;

use serde::Serialize;

use crate::step::Span;

/// Calls, variables and memory between two steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct State {
    /// The calls of the user's functions, outermost first.
    pub frames: Vec<Frame>,
    pub globals: Vec<Variable>,
    /// In the order in which they were made. A block that did not change is shared between states.
    pub blocks: Vec<Arc<Block>>,
}

impl State {
    #[must_use]
    pub fn block(&self, serial: u64) -> Option<&Arc<Block>> {
        self.blocks.iter().find(|block| block.serial == serial)
    }

    /// Variables of the innermost call first, then of its callers, then globals.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        let locals = self.frames.iter().rev().flat_map(|frame| &frame.variables);
        locals.chain(&self.globals)
    }
}

/// A call under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    pub place: Option<Span>,
    /// Those that have a value.
    pub variables: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    pub name: String,
    pub value: Value,
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The same in every run with the same inputs.
    pub serial: u64,
    /// `node #3`, `buffer`: how sentences call it.
    pub name: String,
    /// `struct node`, `char[10]`; none where it is not known.
    pub ty: Option<String>,
    pub storage: Storage,
    pub life: Life,
    pub size: u64,
    pub cells: Vec<Cell>,
    pub allocated: Option<Span>,
    pub released: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    Heap,
    Stack,
    Static,
    String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Life {
    Alive,
    Freed,
    OutOfScope,
}

/// A field, an array element, or bytes without a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// `next`, `key.low`, `[3]`; `+8` where no type is known.
    pub name: String,
    pub offset: u64,
    pub size: u64,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Value {
    Number {
        text: String,
    },
    Null,
    /// Into a block that is alive.
    Pointer {
        block: u64,
        offset: i64,
    },
    /// Into a block that is not.
    Dangling {
        block: u64,
        offset: i64,
    },
    Function {
        name: String,
    },
    /// A pointer that belongs to no block.
    Address {
        text: String,
    },
    Uninitialised,
}

impl Value {
    /// The block that the value points into, and where.
    #[must_use]
    pub fn target(&self) -> Option<(u64, i64)> {
        match self {
            Value::Pointer { block, offset } | Value::Dangling { block, offset } => {
                Some((*block, *offset))
            }
            Value::Number { .. }
            | Value::Null
            | Value::Function { .. }
            | Value::Address { .. }
            | Value::Uninitialised => None,
        }
    }
}
