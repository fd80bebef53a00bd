//! What blocks had at the places of pointers while no trees were folded, and with which constants: whether a tree of them would have nodes
//! that are worth telling apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::heap::at_link::AtLink;
use crate::heap::language::MOST_PROTOTYPES;
use crate::precision::LearntTree;

/// Blocks of one size, by what is at the places of pointers in them.
type Variants = BTreeMap<Vec<AtLink>, Constants>;

/// At the offsets at which all blocks had a constant that the program names: which ones.
pub(crate) type Constants = BTreeMap<u64, BTreeSet<u128>>;

/// Constants at one offset; with more, they are just numbers.
const MOST_CONSTANTS: usize = 4;

/// Words of blocks that are looked at.
pub(crate) const MOST_WORDS: u64 = 8;

/// What single blocks had in their words, by the size of blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenVariants {
    /// Bytes of a word.
    word: u64,
    seen: BTreeMap<u64, Variants>,
}

/// Whether variants of nodes are worth telling apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    Nothing,
    /// A program may know one link by the other, or change what all nodes have: a tree is made a list perhaps.
    Perhaps,
    /// A constant goes with the links, or links are no links in some nodes, or a node has all links or none.
    Much,
}

impl SeenVariants {
    /// A block of so many words.
    pub(crate) fn note(&mut self, word: u64, at: Vec<AtLink>, constants: &Constants) {
        let size = word * at.len() as u64;
        self.word = word;
        add(self.seen.entry(size).or_default(), at, constants);
    }

    /// Adds what another search has seen.
    pub(crate) fn learn(&mut self, other: &SeenVariants) {
        self.word = self.word.max(other.word);
        for (&size, variants) in &other.seen {
            let known = self.seen.entry(size).or_default();
            for (at, constants) in variants {
                add(known, at.clone(), constants);
            }
        }
    }

    /// Whether what is at a link of such trees goes with something that a program can look at.
    pub(crate) fn worth(&self, trees: &[LearntTree]) -> Worth {
        trees.iter().map(|tree| self.worth_of(tree)).max().unwrap_or(Worth::Nothing)
    }

    fn worth_of(&self, tree: &LearntTree) -> Worth {
        let offsets = &tree.links.children;
        let Some(seen) = self.seen.get(&tree.size) else { return Worth::Nothing };
        if offsets.iter().any(|at| at % self.word != 0) {
            return Worth::Nothing;
        }
        let mut variants = Variants::new();
        for (at, constants) in seen {
            let links = offsets.iter().map(|offset| at[(offset / self.word) as usize]);
            let others = constants.iter().filter(|(offset, _)| !tree.links.has(**offset));
            let others = others.map(|(&offset, values)| (offset, values.clone())).collect();
            add(&mut variants, links.collect(), &others);
        }
        if !(2..=MOST_PROTOTYPES).contains(&variants.len()) {
            return Worth::Nothing;
        }
        let has_bytes = variants.keys().any(|at| at.contains(&AtLink::Bytes));
        let has = |at: &[AtLink], wanted: AtLink| at.contains(&wanted);
        let has_all_or_none =
            variants.keys().all(|at| has(at, AtLink::Below) != has(at, AtLink::Leaf));
        match has_bytes || has_all_or_none || differ_by_a_constant(&variants) {
            true => Worth::Much,
            false => Worth::Perhaps,
        }
    }
}

/// What has the same at its links has constants at the offsets at which all of it has one.
fn add(variants: &mut Variants, at: Vec<AtLink>, constants: &Constants) {
    let known = variants.entry(at).or_insert_with(|| constants.clone());
    known.retain(|offset, values| {
        values.extend(constants.get(offset).into_iter().flatten());
        constants.contains_key(offset) && values.len() <= MOST_CONSTANTS
    });
}

/// Whether two variants have constants at an offset, and none in common.
fn differ_by_a_constant(variants: &Variants) -> bool {
    let mut pairs = variants
        .values()
        .enumerate()
        .flat_map(|(index, one)| variants.values().skip(index + 1).map(move |other| (one, other)));
    pairs.any(|(one, other)| {
        one.iter().any(|(offset, values)| {
            other.get(offset).is_some_and(|others| values.is_disjoint(others))
        })
    })
}
