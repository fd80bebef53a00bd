//! What a search comes to know on its way: it decides nothing of what holds, only what is tried next
//! and which neighbours are taken for nodes of one list.

pub(crate) mod variants;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::heap::block::{Block, Field, Origin};
use crate::heap::tree::TreeLinks;
use crate::learnt::variants::SeenVariants;

/// States that stay apart by which lists are empty, beyond which it is worth while to join them.
const MANY_EMPTIES: u64 = 64;

/// What was seen so far.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    /// Whether anything came of what payload constants are taken for, or would have come of it under a later policy.
    payload_matters: Cell<bool>,
    /// Whether two blocks of the heap were ever there at one time. Otherwise there is nothing to fold.
    pub(crate) has_lists: bool,
    /// Whether there were several pointers in a block that may be an array.
    pub(crate) has_pointers: bool,
    /// The most states that arrived from one.
    pub(crate) widest: usize,
    /// The most blocks of the heap that a state had after all was folded that can be.
    pub(crate) largest: u32,
    /// How often states stayed apart because one has a list where the other has null.
    pub(crate) empties: u64,
    pub(crate) trees: KnownTrees,
    /// What blocks had at the places of links.
    pub(crate) variants: SeenVariants,
    /// Places whose blocks were nodes of one list.
    pub(crate) lists: KnownLists,
}

impl Learnt {
    /// An answer that depends on what payload constants are taken for; it is remembered whether any was yes.
    pub(crate) fn by_payload(&self, answer: bool) -> bool {
        if answer {
            self.payload_matters.set(true);
        }
        answer
    }

    /// Whether many states stayed apart by which lists are empty.
    pub(crate) fn has_many_empties(&self) -> bool {
        self.empties >= MANY_EMPTIES
    }

    /// Whether another policy for payload constants, as single numbers or as prototypes, may give another result.
    pub(crate) fn does_payload_matter(&self) -> bool {
        self.payload_matters.get()
    }
}

/// Where blocks were made that were found to be neighbours in a list, and by which link of the first.
/// A list that is still short shows less: a head with one node looks like an owner and its block, until
/// a longer list has shown that both are nodes of one.
#[derive(Debug, Default)]
pub(crate) struct KnownLists {
    neighbours: BTreeSet<(Origin, Origin, u64)>,
}

impl KnownLists {
    pub(crate) fn learn(&mut self, (a, b): (&Block, &Block), next: u64) {
        for first in a.origins() {
            for second in b.origins().iter().filter(|&&second| second != first) {
                self.neighbours.insert((first, *second, next));
            }
        }
    }

    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (Origin, Origin, u64)> + '_ {
        self.neighbours.iter().copied()
    }

    pub(crate) fn expect(&mut self, first: Origin, second: Origin, next: u64) {
        self.neighbours.insert((first, second, next));
    }

    /// How much is known.
    pub(crate) fn count(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether a single block is known to be the neighbour of another by this link.
    pub(crate) fn know(&self, (a, b): (&Block, &Block), next: Field) -> bool {
        let Field::Cell(next) = next else { return false };
        a.origins().iter().any(|&first| {
            b.origins().iter().any(|&second| self.neighbours.contains(&(first, second, next)))
        })
    }
}

/// Blocks that are nodes of trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeType {
    pub(crate) size: u64,
    pub(crate) links: TreeLinks,
    pub(crate) origins: BTreeSet<Origin>,
}

/// What an exploration knows of trees, and what it sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTrees {
    pub(crate) types: Vec<TreeType>,
    pub(crate) edges: BTreeMap<Class, BTreeSet<Edge>>,
    pub(crate) back_and_forth: BTreeMap<Class, BTreeSet<BackAndForth>>,
    pub(crate) held_twice: BTreeMap<Class, BTreeSet<HeldTwice>>,
}

impl KnownTrees {
    /// Whether blocks of a size point to each other at more than one offset.
    pub(crate) fn is_linked_in_several_ways(&self, size: u64) -> bool {
        self.edges.iter().filter(|(class, _)| class.size == size).any(|(_, edges)| {
            let first = edges.first().map(|edge| edge.offset);
            edges.iter().any(|edge| Some(edge.offset) != first)
        })
    }
}

/// Blocks of one size that point to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class {
    pub(crate) size: u64,
    /// Where in a block the others point to.
    pub(crate) head: u64,
}

/// Some block of one origin points to one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: Origin,
    pub(crate) offset: u64,
    pub(crate) to: Origin,
}

/// Two links that lead back and forth between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BackAndForth {
    pub(crate) origin: Origin,
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// A block of this origin was held at two places, by links at these offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HeldTwice {
    pub(crate) origin: Origin,
    pub(crate) low: u64,
    pub(crate) high: u64,
}
