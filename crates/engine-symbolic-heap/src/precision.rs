//! Precision: what a search for invariants tells apart. It is fixed before the search begins and is
//! part of the certificate, since it decides how a state is folded that arrives somewhere.

use std::collections::BTreeSet;
use std::fmt;

use heapwright_program::{FunctionId, LocationId};

use crate::heap::tree::TreeLinks;

/// What is told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Precision {
    pub(crate) payload: Payload,
    pub(crate) cursors: Cursors,
    pub(crate) sorting: Sorting,
    /// Trees that may be folded.
    pub(crate) trees: Vec<LearntTree>,
    pub(crate) points: AbstractionPoints,
    pub(crate) arrays: Arrays,
    pub(crate) relations: Relations,
    pub(crate) counts: Counts,
    pub(crate) callers: Callers,
    pub(crate) empties: Empties,
    pub(crate) arguments: Arguments,
    pub(crate) copies: Copies,
    pub(crate) variants: Variants,
    pub(crate) keys: Keys,
    pub(crate) measuring: Measuring,
}

impl Precision {
    /// Lists only, whose states meet at loop heads.
    pub(crate) fn for_lists(payload: Payload) -> Precision {
        Precision {
            payload,
            cursors: Cursors::Folded,
            sorting: Sorting::Unseen,
            trees: Vec::new(),
            points: AbstractionPoints::LoopHeads,
            arrays: Arrays::Smashed,
            relations: Relations::Unseen,
            counts: Counts::Joined,
            callers: Callers::Alike,
            empties: Empties::Apart,
            arguments: Arguments::Forgotten,
            copies: Copies::Unseen,
            variants: Variants::Alike,
            keys: Keys::Alike,
            measuring: Measuring::Unseen,
        }
    }

    /// Whether it tells more of numbers apart than is usual, or how lists are sorted.
    pub(crate) fn sees_more_of_numbers(&self) -> bool {
        let sees_sorted_lists = self.sorting.is_seen() && self.trees.is_empty();
        self.relations.are_seen() || self.counts == Counts::Apart || sees_sorted_lists
    }

    /// Whether it sees how numbers in nodes of trees compare, or how large trees are.
    pub(crate) fn sees_more_of_trees(&self) -> bool {
        let is_measuring = self.measuring == Measuring::Seen;
        (self.sorting.is_seen() || is_measuring) && !self.trees.is_empty()
    }

    /// Single paths, each exactly.
    pub(crate) fn for_paths() -> Precision {
        Precision { arrays: Arrays::Split, ..Precision::for_lists(Payload::Numbers) }
    }
}

/// What different constants in nodes are taken for. They may be payload by which a program tells its
/// nodes apart, or just numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Nodes with different constants are not in one segment: their order is kept.
    Apart,
    /// They are different prototypes of one segment.
    Prototypes,
    /// They are numbers in a range.
    Numbers,
    /// Nodes with different constants are not in one segment, unless two neighbours always come
    /// together and are one element of it.
    Elements,
    /// They are different prototypes of one segment, which knows which prototypes may follow which.
    Sequences,
}

/// What becomes of a node of a tree to which a variable points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cursors {
    /// It is the root of all that is below it, and what is known of its links is forgotten.
    Folded,
    /// It stays a single node if it is one and a link of it is null, or leads to a single node: a
    /// program may have looked for that, to put something there.
    Apart,
    /// It stays a single node if it is one and something else leads to it as well: what the program compared its number with
    /// on its way down is not forgotten.
    Single,
}

/// Whether segments and trees tell how their nodes are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sorting {
    Unseen,
    /// Segments from the first node to the last, trees from left to right.
    Seen,
    /// The same of segments, but of trees how each node is related to those below it.
    Downwards,
}

impl Sorting {
    /// Whether numbers in nodes are compared.
    pub(crate) fn is_seen(self) -> bool {
        match self {
            Sorting::Unseen => false,
            Sorting::Seen | Sorting::Downwards => true,
        }
    }
}

/// Where states meet within a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AbstractionPoints {
    #[default]
    LoopHeads,
    /// Loop heads and the ends of branches: fewer paths, but what branches tell apart is lost.
    Joins,
}

/// What becomes of an access whose offset or size has too many values to be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrays {
    /// It is not followed.
    Split,
    /// What is read is arbitrary, and what is written makes all bytes arbitrary that it may reach.
    Smashed,
    /// The same, wherever an offset among numbers has more than one value; but where a zero was
    /// written is remembered.
    Texts,
    /// Also what all elements of a stretch have in common.
    Laws,
    /// Also the blocks that elements lead to, if each has its own.
    Rows,
}

impl Arrays {
    /// Whether accesses with too many values are followed.
    pub(crate) fn are_smashed(self) -> bool {
        match self {
            Arrays::Split => false,
            Arrays::Smashed | Arrays::Texts | Arrays::Laws | Arrays::Rows => true,
        }
    }

    /// Whether zeros and single elements are remembered at places that are numbers.
    pub(crate) fn are_remembered(self) -> bool {
        match self {
            Arrays::Split | Arrays::Smashed => false,
            Arrays::Texts | Arrays::Laws | Arrays::Rows => true,
        }
    }

    /// Whether it is remembered what elements of a stretch have in common.
    pub(crate) fn have_laws(self) -> bool {
        match self {
            Arrays::Split | Arrays::Smashed | Arrays::Texts => false,
            Arrays::Laws | Arrays::Rows => true,
        }
    }

    /// Whether elements may be pointers.
    pub(crate) fn have_rows(self) -> bool {
        match self {
            Arrays::Split | Arrays::Smashed | Arrays::Texts | Arrays::Laws => false,
            Arrays::Rows => true,
        }
    }
}

/// What is kept of how numbers go with each other where states meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Relations {
    /// Which is at most which. Blocks of different sizes and pointers to different places of a block
    /// are different shapes.
    #[default]
    Unseen,
    /// Also which is less than which, and which is a multiple of which. Sizes of blocks of numbers,
    /// and places in them, are numbers like others.
    Seen,
    /// Also that no list is so long that its length would wrap: a number that goes with the length is not zero, then, but
    /// there is more to be compared.
    Lengths,
    /// Also where texts end.
    Texts,
}

impl Relations {
    pub(crate) fn are_seen(self) -> bool {
        match self {
            Relations::Unseen => false,
            Relations::Seen | Relations::Lengths | Relations::Texts => true,
        }
    }
}

/// What becomes of states in which a variable has different small constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counts {
    /// They are numbers like others.
    #[default]
    Joined,
    /// Those of flags stay apart: variables that never get anything but constants.
    Flags,
    /// They stay apart, so that short loops are run round by round: over the bytes of a literal, say, or
    /// the few links of a node.
    Apart,
}

/// What is said by who calls for a block to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Callers {
    /// Nothing: what one operation makes may be nodes of one list, whoever calls for it.
    #[default]
    Alike,
    /// Which list a node is of: all blocks may come from one function of the program's own.
    Apart,
}

/// What becomes of states of which one has a list where the other has null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Empties {
    /// They are different shapes: what else is known may depend on it.
    #[default]
    Apart,
    /// They are joined, with lists that may be empty: there are fewer shapes.
    Joined,
}

/// What is kept of what recursive functions were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// What callers hold for themselves.
    #[default]
    Forgotten,
    /// Numbers, and the lengths of lists, as they were when the call began. Laws may speak of their lowest bits alone.
    Held,
}

/// Whether segments tell which numbers they have that other segments have as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Copies {
    #[default]
    Unseen,
    Seen,
}

impl Copies {
    pub(crate) fn are_seen(self) -> bool {
        match self {
            Copies::Unseen => false,
            Copies::Seen => true,
        }
    }
}

/// Whether nodes of lists are told apart by which of their numbers a variable holds as well, and which are known not to be held
/// by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keys {
    #[default]
    Alike,
    /// In states, which are not joined then; but neighbours are folded, so that each node of a list has the one or the other.
    InStates,
    /// Neighbours are not folded either.
    Apart,
}

impl Keys {
    /// Whether states are not joined in which nodes differ by it.
    pub(crate) fn keep_states_apart(self) -> bool {
        match self {
            Keys::Alike => false,
            Keys::InStates | Keys::Apart => true,
        }
    }

    /// Whether neighbours are not folded that differ by it.
    pub(crate) fn keep_neighbours_apart(self) -> bool {
        match self {
            Keys::Alike | Keys::InStates => false,
            Keys::Apart => true,
        }
    }
}

/// Whether a tree tells which of the links of its nodes lead on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Variants {
    /// Any link of any node may.
    #[default]
    Alike,
    /// Nodes are of different prototypes if other links of them lead on; where others have links, some may have other bytes.
    Apart,
}

/// Whether a tree tells how many nodes it has, and how high it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Measuring {
    #[default]
    Unseen,
    Seen,
}

/// Blocks that are nodes of trees, by names that do not depend on an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LearntTree {
    pub(crate) size: u64,
    pub(crate) links: TreeLinks,
    /// The calls that were active when nodes were made.
    pub(crate) origins: BTreeSet<Vec<(FunctionId, LocationId)>>,
}

#[cfg(test)]
impl LearntTree {
    /// Of nodes of some size, with links at their start; made nowhere.
    pub(crate) fn of_two_links(size: u64) -> LearntTree {
        let links = TreeLinks { children: vec![0, 8], parent: None, head: 0 };
        LearntTree { size, links, origins: BTreeSet::new() }
    }
}

impl fmt::Display for LearntTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LearntTree { size, links, origins } = self;
        write!(f, "trees of nodes of {size} bytes, {links}, made at {} places", origins.len())
    }
}
