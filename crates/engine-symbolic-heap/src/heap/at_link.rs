//! What the nodes of one prototype have at the links of their tree, where nodes are told apart by that.
//!
//! Nodes of an expression are a number, or lead to one operand, or to two, and a tag says which. Where the links of a number would be there may
//! be other bytes, since such nodes are unions.

/// What a node has in the bytes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AtLink {
    /// A link to a node below, or the hole.
    Below,
    /// Null.
    Leaf,
    /// No link: what the prototype says of these bytes.
    Bytes,
}

impl AtLink {
    const ALL: [AtLink; 3] = [AtLink::Below, AtLink::Leaf, AtLink::Bytes];

    /// As it is written in texts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            AtLink::Below => "below",
            AtLink::Leaf => "leaf",
            AtLink::Bytes => "bytes",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<AtLink> {
        AtLink::ALL.into_iter().find(|at| at.word() == word)
    }
}
