//! Why neighbours are not folded into one block.

use std::fmt;

use crate::heap::block::BlockId;

/// Why two blocks stay two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It cannot be a node of a list: not on the heap, not alive, or the same block.
    NoNode(BlockId),
    /// The link is one of a tree.
    LinkOfTree,
    /// Their sizes differ, and the first does not come again along the list.
    OtherForm(BlockId, BlockId),
    /// They do not hold their neighbours in the same way.
    NoLinks(BlockId, BlockId),
    /// They were made at different places that do not come again along the list.
    OtherOrigin(BlockId, BlockId),
    /// One of them owns the other.
    OwnsNeighbour(BlockId, BlockId),
    /// Something else than its neighbours points to it, and it would lose its name.
    HeldFromOutside(BlockId),
    /// It belongs to an element of several nodes, or is none.
    PartOfElement(BlockId),
    /// The program has compared the number of the first one, at which it is.
    ComparedCursor(BlockId),
    /// What their nodes own is nested too deep.
    NestedTooDeep(BlockId, BlockId),
    /// The number of one of them, or of all its nodes, is what a variable holds, or is known not to be, and that of the other is not.
    OtherKeys(BlockId, BlockId),
    /// Their nodes cannot be told by a few prototypes.
    OtherPrototypes(BlockId, BlockId),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoNode(id) => write!(f, "{id} is no node"),
            Refusal::LinkOfTree => write!(f, "the link is one of a tree"),
            Refusal::OtherForm(a, b) => write!(f, "{a} and {b} have different sizes"),
            Refusal::NoLinks(a, b) => write!(f, "{a} and {b} are not linked alike"),
            Refusal::OtherOrigin(a, b) => write!(f, "{a} and {b} were made at different places"),
            Refusal::OwnsNeighbour(a, b) => write!(f, "one of {a} and {b} owns the other"),
            Refusal::HeldFromOutside(id) => write!(f, "{id} is held from outside"),
            Refusal::PartOfElement(id) => write!(f, "{id} is a part of an element"),
            Refusal::ComparedCursor(id) => write!(f, "{id} has a number that was compared"),
            Refusal::NestedTooDeep(a, b) => {
                write!(f, "{a} and {b} own lists that are nested too deep")
            }
            Refusal::OtherKeys(a, b) => write!(f, "{a} and {b} are told apart by a variable"),
            Refusal::OtherPrototypes(a, b) => write!(f, "{a} and {b} have too little in common"),
        }
    }
}
