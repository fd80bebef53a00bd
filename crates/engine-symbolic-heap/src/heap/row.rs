//! Rows: a stretch of an array whose elements are pointers, each to blocks of its own; and slots, single elements of it.
//!
//! A row is to an array what a segment is to a list: what an element can be is told by prototypes, whose node is the
//! element itself. A slot is an element that came out of a row. Both are blocks of the state that nothing points to: what is in
//! them is what is in the array, at places that are numbers. Of these bytes the array itself tells nothing.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, End, Life, Origin, Prototype};
use crate::heap::names::Names;
use crate::heap::role::Summary;
use crate::heap::state::State;

/// All elements at places from `from` on and before `to`, which lie in this order in the array; there may be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// A pointer to the start of the array.
    pub(crate) array: TermId,
    /// As wide as a pointer.
    pub(crate) from: TermId,
    /// Some multiple of the stride behind it.
    pub(crate) to: TermId,
    /// Bytes of an element, a power of two: they lie side by side.
    pub(crate) stride: u64,
    /// Every element is of one of these prototypes.
    pub(crate) prototypes: Vec<Arc<Prototype>>,
    /// Where what elements own was made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

/// One element of an array, with cells of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// A pointer to the start of the array.
    pub(crate) array: TermId,
    /// As wide as a pointer.
    pub(crate) at: TermId,
}

impl Slot {
    pub(crate) fn end(&self, end: End) -> Option<TermId> {
        match end {
            End::Array => Some(self.array),
            End::From => Some(self.at),
            End::Next
            | End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::To => None,
        }
    }

    pub(crate) fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Array => Some(&mut self.array),
            End::From => Some(&mut self.at),
            End::Next
            | End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_)
            | End::To => None,
        }
    }
}

impl Summary for Row {
    fn prototypes(&self) -> &[Arc<Prototype>] {
        &self.prototypes
    }

    fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>] {
        &mut self.prototypes
    }

    fn end(&self, end: End) -> Option<TermId> {
        match end {
            End::Array => Some(self.array),
            End::From => Some(self.from),
            End::To => Some(self.to),
            End::Next
            | End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_) => None,
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Array => Some(&mut self.array),
            End::From => Some(&mut self.from),
            End::To => Some(&mut self.to),
            End::Next
            | End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Argument(_)
            | End::HoleArgument(_) => None,
        }
    }

    fn end_size(&self, _: End) -> Option<u64> {
        None
    }

    fn origins(&self) -> &OrdSet<Origin> {
        &self.origins
    }

    fn peer(&self) -> Option<BlockId> {
        None
    }

    fn peer_mut(&mut self) -> Option<&mut BlockId> {
        None
    }

    fn is_well_formed(&self) -> bool {
        self.stride.is_power_of_two() && !self.prototypes.is_empty()
    }

    fn words_of_line(&self, _: &dyn Fn(BlockId) -> String) -> Vec<String> {
        vec![format!("row by {}", self.stride)]
    }
}

impl Row {
    /// Whether elements own live blocks of the heap, which are lost with the row.
    pub(crate) fn owns_blocks(&self) -> bool {
        let is_live_heap =
            |block: &Arc<Block>| block.kind == BlockKind::Heap && block.life == Life::Alive;
        self.prototypes.iter().any(|prototype| prototype.blocks.values().any(is_live_heap))
    }
}

impl State {
    /// The rows and slots of an array, in order of their birth.
    pub(crate) fn elements_of(&self, names: &Names<'_>, array: BlockId) -> Vec<BlockId> {
        let elements = self.elements(names).into_iter();
        elements.filter(|(of, _)| *of == array).map(|(_, id)| id).collect()
    }

    /// All rows and slots, with their arrays.
    pub(crate) fn elements(&self, names: &Names<'_>) -> Vec<(BlockId, BlockId)> {
        let elements = self.blocks.iter().filter(|(_, block)| block.kind == BlockKind::Elements);
        elements.filter_map(|(&id, block)| Some((array_of(names, block)?, id))).collect()
    }

    /// Whether there are rows or slots of some array.
    pub(crate) fn has_elements(&self) -> bool {
        self.blocks.values().any(|block| block.kind == BlockKind::Elements)
    }
}

/// The array that a row or a slot is in.
pub(crate) fn array_of(names: &Names<'_>, block: &Block) -> Option<BlockId> {
    names.blocks_of_addresses.get(&block.end(End::Array)?).copied()
}

/// A live block for elements of an array, without a role yet.
pub(crate) fn elements_block(names: &mut Names<'_>, origin: Origin, bytes: u64) -> Block {
    let size = names.terms.bit_vector(u128::from(bytes), names.pointer_bits());
    Block {
        kind: BlockKind::Elements,
        life: Life::Alive,
        size,
        cells: imbl::OrdMap::new(),
        rest: DefaultBytes::Uninitialised,
        zero: None,
        contents: crate::heap::contents::Contents::default(),
        serial: u64::MAX,
        origin,
        role: crate::heap::role::Role::default(),
    }
}
