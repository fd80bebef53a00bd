//! Storage graphs: nodes that stand for blocks of the heap, and where pointers lead.
//!
//! A node stands for at most one block, or for any number of them. A word that is not listed may hold
//! anything, so that nothing is lost by forgetting one; nobody follows such a pointer. Two bits for each
//! node and offset tell more of the links, which are the listed words of nodes: `shared`, that a block may
//! have two links at this offset to it; `cyclic`, that links at this offset may form a cycle within the
//! node. Method: Jones, Muchnick, POPL 1979; sharing bits after Chase, Wegman, Zadeck, PLDI 1990.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{IdVec, define_id};
use heapwright_program::{FunctionId, ObjectId, VariableId};

define_id!(
    /// A node of a storage graph.
    NodeId,
    "n"
);

/// A place outside of the heap that holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    Variable(VariableId),
    /// The word at an offset of a static or local object.
    Word(ObjectId, u64),
}

/// What a pointer leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block {
    Object(ObjectId),
    Node(NodeId),
}

/// What a pointer can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Null,
    /// Not null, and into memory that is gone.
    Wild,
    Function(FunctionId),
    /// So many bytes behind the start of a block.
    In(Block, i64),
}

impl Target {
    /// Where a pointer into a block leads.
    pub fn place(self) -> Option<(Block, i64)> {
        match self {
            Target::In(block, offset) => Some((block, offset)),
            Target::Null | Target::Wild | Target::Function(_) => None,
        }
    }

    pub fn node(self) -> Option<NodeId> {
        match self {
            Target::In(Block::Node(node), _) => Some(node),
            Target::In(Block::Object(_), _) => None,
            Target::Null | Target::Wild | Target::Function(_) => None,
        }
    }

    /// The same place of another node.
    pub fn in_node(self, node: NodeId) -> Target {
        match self.place() {
            Some((_, offset)) => Target::In(Block::Node(node), offset),
            None => self,
        }
    }
}

pub type Targets = BTreeSet<Target>;

/// Words of a node whose contents are known are among the first so many.
pub const MOST_WORDS: u64 = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Each block has at least so many bytes.
    pub size: u64,
    pub is_many: bool,
    /// What aligned words hold, by offset.
    pub words: BTreeMap<u64, Targets>,
    pub shared: BTreeSet<u64>,
    pub cyclic: BTreeSet<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub roots: BTreeMap<Root, Targets>,
    pub nodes: IdVec<NodeId, Node>,
}

impl Graph {
    /// Adds a new block, of zeros or of anything.
    pub fn allocate(&mut self, size: u64, zeros: Option<u64>) -> NodeId {
        let word = zeros.unwrap_or(1);
        let count = if zeros.is_some() { (size / word).min(MOST_WORDS) } else { 0 };
        let words = (0..count).map(|index| (index * word, Targets::from([Target::Null])));
        self.nodes.push(Node { size, words: words.collect(), ..Node::default() })
    }

    /// What a word of a single block holds from now on.
    pub fn store(&mut self, node: NodeId, offset: u64, held: Targets) {
        debug_assert!(!self.nodes[node].is_many, "a store to no definite block");
        let nodes: BTreeSet<NodeId> = held.iter().filter_map(|target| target.node()).collect();
        self.nodes[node].words.insert(offset, held);
        for node in nodes {
            match self.links_to(node, offset) {
                0 | 1 => self.nodes[node].shared.remove(&offset),
                _ => self.nodes[node].shared.insert(offset),
            };
        }
    }

    /// How many links there may be at this offset to the blocks of a node; two for any number.
    pub fn links_to(&self, node: NodeId, offset: u64) -> usize {
        let leads = |from: &&Node| from.leads(offset, node);
        self.nodes.iter().filter(leads).map(|from| if from.is_many { 2 } else { 1 }).sum()
    }

    /// In a graph that is a memory, with a node for each block, it is the number of links that tells whether
    /// one is shared.
    pub fn count_links(&mut self) {
        let offsets: BTreeSet<u64> =
            self.nodes.iter().flat_map(|node| node.words.keys().copied()).collect();
        for node in self.nodes.iter_mut() {
            node.shared.clone_from(&offsets);
        }
    }

    /// Whether a block of the node may have two links at this offset to it.
    pub fn may_share(&self, node: NodeId, offset: u64) -> bool {
        self.nodes[node].shared.contains(&offset) && self.links_to(node, offset) > 1
    }

    /// Whether links at this offset may form a cycle among the blocks of these nodes.
    pub fn may_cycle(&self, among: &[NodeId], offset: u64) -> bool {
        let leads = |from: NodeId, to: NodeId| {
            let node = &self.nodes[from];
            let is_within = from == to && node.is_many;
            node.leads(offset, to) && (!is_within || node.cyclic.contains(&offset))
        };
        let mut left = among.to_vec();
        // Ends because each round takes away nodes that lead to none of the others.
        loop {
            let before = left.len();
            let rest = left.clone();
            left.retain(|from| rest.iter().any(|to| leads(*from, *to)));
            if left.len() == before {
                return before > 0;
            }
        }
    }

    /// A block of the heap is gone.
    pub fn release(&mut self, gone: NodeId) {
        let size = self.nodes[gone].size;
        self.nodes[gone] = Node::default();
        self.disown(Block::Node(gone), size);
    }

    /// The life of an object ends.
    pub fn end_object(&mut self, gone: ObjectId, size: u64) {
        self.roots.retain(|root, _| !matches!(root, Root::Word(object, _) if *object == gone));
        self.disown(Block::Object(gone), size);
    }

    /// Pointers into a block that is gone are wild. One that lies outside of it may even be null.
    fn disown(&mut self, gone: Block, size: u64) {
        let is_kept = |targets: &mut Targets| {
            let count = targets.len();
            let mut is_within = true;
            targets.retain(|target| match target.place() {
                Some((block, offset)) if block == gone => {
                    is_within &= u64::try_from(offset).is_ok_and(|offset| offset <= size);
                    false
                }
                Some(_) | None => true,
            });
            if targets.len() < count {
                targets.insert(Target::Wild);
            }
            is_within
        };
        self.roots.retain(|_, targets| is_kept(targets));
        for node in self.nodes.iter_mut() {
            node.words.retain(|_, targets| is_kept(targets));
        }
    }

    /// A link of a single block leads to this one of its targets. Where blocks are not shared at its offset,
    /// no other link there leads to the same block.
    pub fn follow(&mut self, node: NodeId, offset: u64, target: Target) -> Target {
        let is_only = target.node().is_some_and(|to| !self.may_share(to, offset));
        let target = self.single(target);
        for held in self.nodes.iter_mut().filter_map(|node| node.words.get_mut(&offset)) {
            held.retain(|other| !is_only || other.node() != target.node());
        }
        self.store(node, offset, Targets::from([target]));
        target
    }

    /// Makes the target of a pointer a single block: one of many is taken out of its node.
    pub fn single(&mut self, target: Target) -> Target {
        match target.node() {
            Some(node) if self.nodes[node].is_many => target.in_node(self.take_out(node)),
            _ => target,
        }
    }

    /// One of the blocks of a node gets a node of its own. What led to the node may lead to it now, but it has
    /// a link to itself only where there may be cycles. (Sagiv, Reps, Wilhelm, TOPLAS 1998.)
    fn take_out(&mut self, many: NodeId) -> NodeId {
        let single = self.nodes.next_id();
        let mut taken = Node { is_many: false, ..self.nodes[many].clone() };
        let cyclic = std::mem::take(&mut taken.cyclic);
        for (_, held) in taken.words.iter_mut().filter(|(offset, _)| cyclic.contains(offset)) {
            also_to(held, many, single);
        }
        let words = self.nodes.iter_mut().flat_map(|node| node.words.values_mut());
        for held in words.chain(self.roots.values_mut()) {
            also_to(held, many, single);
        }
        self.nodes.push(taken)
    }

    /// The nodes that pointers lead to, in the order in which they are found, with their distance from
    /// the roots: 0 for what a root leads to.
    pub fn reached(&self) -> Vec<(NodeId, usize)> {
        let mut found: Vec<(NodeId, usize)> = Vec::new();
        let mut is_found = IdVec::filled(false, self.nodes.len());
        let mut find = |targets: &Targets, distance: usize, found: &mut Vec<(NodeId, usize)>| {
            for node in targets.iter().filter_map(|target| target.node()) {
                if !std::mem::replace(&mut is_found[node], true) {
                    found.push((node, distance));
                }
            }
        };
        for targets in self.roots.values() {
            find(targets, 0, &mut found);
        }
        let mut next = 0;
        while let Some(&(node, distance)) = found.get(next) {
            for targets in self.nodes[node].words.values() {
                find(targets, distance + 1, &mut found);
            }
            next += 1;
        }
        found
    }
}

impl Node {
    /// Whether the word at this offset may lead to a node.
    pub fn leads(&self, offset: u64, to: NodeId) -> bool {
        let held = self.words.get(&offset);
        held.is_some_and(|held| held.iter().any(|target| target.node() == Some(to)))
    }
}

/// Where a pointer may lead to one node, it may lead to the other, too.
fn also_to(targets: &mut Targets, one: NodeId, other: NodeId) {
    let more: Vec<Target> = targets
        .iter()
        .filter(|target| target.node() == Some(one))
        .map(|target| target.in_node(other))
        .collect();
    targets.extend(more);
}

#[cfg(test)]
mod tests;
