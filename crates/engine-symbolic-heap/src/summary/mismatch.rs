//! Why two states do not match: where they differ in shape.

use std::fmt;

use crate::heap::block::{BlockId, End};

/// Where a value stands in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Global(usize),
    Register(usize, usize),
    Held(usize),
    Result,
    Cell {
        block: BlockId,
        offset: u64,
        size: u64,
    },
    End {
        block: BlockId,
        end: End,
    },
    Size {
        block: BlockId,
    },
    /// Where an extent begins or ends: that is so many times a number.
    Bound {
        block: BlockId,
        extent: usize,
        side: Side,
        step: u64,
    },
    /// Where a row begins or ends, or a slot is: that is so many times a number.
    Place {
        block: BlockId,
        end: End,
        step: u64,
    },
    /// Where so many zeros are: that is so many times a number.
    Zero {
        block: BlockId,
        size: u64,
        step: u64,
    },
}

/// A bound of an extent, or of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    From,
    To,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::From, Side::To];

    /// Where a row tells of it.
    pub(crate) fn end(self) -> End {
        match self {
            Side::From => End::From,
            Side::To => End::To,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Global(slot) => write!(f, "global {slot}"),
            Position::Register(frame, slot) => write!(f, "variable {slot} of frame {frame}"),
            Position::Held(index) => write!(f, "value {index} that callers hold"),
            Position::Result => write!(f, "the result of a call"),
            Position::Cell { block, offset, size } => write!(f, "{block} +{offset}/{size}"),
            Position::End { block, end } => write!(f, "the end {end:?} of {block}"),
            Position::Size { block } => write!(f, "the size of {block}"),
            Position::Bound { block, extent, side, .. } => {
                write!(f, "bound {side:?} of extent {extent} of {block}")
            }
            Position::Place { block, end, .. } => write!(f, "the place {end:?} of {block}"),
            Position::Zero { block, size, .. } => write!(f, "the place of {size} zeros in {block}"),
        }
    }
}

/// Why one state does not describe another: a difference of shape, or, in the last variants, of what
/// is said of one shape. Blocks are named by the known side,
/// then by the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// The call stacks.
    Stacks,
    /// What callers hold that are cut off.
    Callers,
    /// The two were to be matched, but one of them is matched to another block.
    Partners(BlockId, BlockId),
    /// One is a node's own, the other is not, or not of the same list.
    Owners(BlockId, BlockId),
    /// One stands for something that the other cannot be.
    Roles(BlockId, BlockId),
    /// What prototype of memory they are, whether they are alive, or their sizes.
    Forms(BlockId, BlockId),
    /// How their nodes are linked.
    Links(BlockId, BlockId),
    /// The known list is sorted, the new node has no number there.
    Order(BlockId),
    /// The new side has nothing there.
    Unset(Position),
    /// Bytes that were written in other pieces, or never.
    Bytes(Position),
    /// An address on one side, a number or another address on the other.
    Values(Position),
    /// Blocks that nothing leads to were left over.
    LeftOver,
    /// Of one shape, but the known number does not describe the new one.
    Numbers(Position),
    /// Bytes of the known block may be anything in the new one.
    Arbitrary(BlockId),
    /// The new side has nodes that the known list or tree does not describe.
    Prototypes(BlockId, BlockId),
    /// Known lists have numbers in common that those of the new side do not.
    Spellings,
    /// The new path condition does not imply the known one.
    Condition,
}

impl Mismatch {
    /// Where the states differ, if it is the place of a value.
    pub(crate) fn position(&self) -> Option<Position> {
        match *self {
            Mismatch::Unset(position)
            | Mismatch::Bytes(position)
            | Mismatch::Values(position)
            | Mismatch::Numbers(position) => Some(position),
            Mismatch::Stacks
            | Mismatch::Callers
            | Mismatch::Partners(..)
            | Mismatch::Owners(..)
            | Mismatch::Roles(..)
            | Mismatch::Forms(..)
            | Mismatch::Links(..)
            | Mismatch::Order(_)
            | Mismatch::LeftOver
            | Mismatch::Arbitrary(_)
            | Mismatch::Prototypes(..)
            | Mismatch::Spellings
            | Mismatch::Condition => None,
        }
    }
}

/// Whether something matches.
pub(crate) type Matched = Result<(), Mismatch>;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Stacks => write!(f, "the call stacks differ"),
            Mismatch::Callers => write!(f, "what callers hold differs"),
            Mismatch::Partners(a, b) => write!(f, "{a} and {b} are matched to other blocks"),
            Mismatch::Owners(a, b) => write!(f, "one of {a} and {b} is a node's own"),
            Mismatch::Roles(a, b) => write!(f, "{a} cannot stand for {b}"),
            Mismatch::Forms(a, b) => write!(f, "{a} and {b} are of different kinds or sizes"),
            Mismatch::Links(a, b) => write!(f, "the nodes of {a} and {b} are linked differently"),
            Mismatch::Order(a) => write!(f, "{a} is sorted by what the new node does not have"),
            Mismatch::Unset(position) => write!(f, "{position} is not set on the new side"),
            Mismatch::Bytes(position) => write!(f, "{position} is written in other pieces"),
            Mismatch::Values(position) => write!(f, "{position} holds different addresses"),
            Mismatch::LeftOver => write!(f, "blocks are left over"),
            Mismatch::Numbers(position) => write!(f, "{position} holds different numbers"),
            Mismatch::Arbitrary(a) => write!(f, "bytes of {a} may be anything on the new side"),
            Mismatch::Prototypes(a, b) => write!(f, "{b} has nodes that {a} does not have"),
            Mismatch::Spellings => write!(f, "lists do not have the same numbers"),
            Mismatch::Condition => write!(f, "the path condition says less"),
        }
    }
}
