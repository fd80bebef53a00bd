//! Which blocks are nodes of trees, and by which links.
//!
//! Seen over a whole exploration, a block that was made at one place points to blocks that were made
//! at others: a graph of places, with offsets as labels. A list goes round in it by one label; a
//! tree goes round by two. So the nodes of a list that own lists are no tree, since what is owned
//! never leads back to an owner; nor are the two links of a doubly linked list, which lead back and
//! forth between the same two nodes. A parent link is one that leads back where two others lead. If two
//! links are seen to lead to one node, as in a list with shortcuts, it was no tree after all; this is
//! looked at only where no lists are made of such nodes, since those may seem to share what they do not.
//!
//! This is a guess. Whether blocks form a tree is checked where they are folded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::OrdMap;

use crate::heap::block::{Block, BlockId, BlockKind, End, Field, Life, Origin};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::tree::TreeLinks;
use crate::learnt::{BackAndForth, Class, Edge, HeldTwice, Learnt, TreeType};
use crate::precision::LearntTree;
use crate::summary::list::links::offsets_in_prototypes;
use crate::summary::tree::allocation_graph::trees_of;

/// How the nodes of one block are linked to each other.
#[derive(Debug, Default)]
struct Linked {
    is_tree: bool,
    /// None for a single node.
    head: Option<u64>,
    onward: Vec<u64>,
    back: Vec<u64>,
}

impl Linked {
    /// Links that lead back and forth. The nodes of a chain that goes on elsewhere in each node do
    /// not tell which belong together.
    fn pairs(&self) -> Vec<(u64, u64)> {
        match (self.onward.as_slice(), self.back.as_slice()) {
            (onward, [back]) if self.is_tree || onward.len() == 1 => {
                onward.iter().filter(|next| *next != back).map(|&next| (next, *back)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The offsets in nodes that a field of their block tells of.
    fn offsets(&self, field: Field) -> Vec<u64> {
        match field {
            Field::Cell(offset) => vec![offset],
            Field::End(End::Next) => self.onward.clone(),
            // A sentinel is no node.
            Field::End(End::Leaf) => Vec::new(),
            Field::End(
                End::Previous
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
                | End::Array
                | End::From
                | End::To,
            ) => self.back.clone(),
        }
    }
}

/// Lets trees of these types be folded.
pub(crate) fn expect_trees(names: &mut Names<'_>, learnt: &mut Learnt, trees: &[LearntTree]) {
    for LearntTree { size, links, origins } in trees {
        let origins = origins.iter().map(|calls| names.origin_of_calls(calls.clone())).collect();
        learnt.trees.types.push(TreeType { size: *size, links: links.clone(), origins });
    }
}

/// The types of trees that were seen so far.
pub(crate) fn learnt_trees(names: &Names<'_>, learnt: &Learnt) -> Vec<LearntTree> {
    let mut trees = Vec::new();
    let is_second_look = !learnt.trees.types.is_empty();
    let (no_pairs, no_others) = (BTreeSet::new(), BTreeSet::new());
    for (class, edges) in &learnt.trees.edges {
        let pairs = learnt.trees.back_and_forth.get(class).unwrap_or(&no_pairs);
        let held_twice = learnt.trees.held_twice.get(class).filter(|_| is_second_look);
        let held_twice = held_twice.unwrap_or(&no_others);
        for (links, origins) in trees_of(*class, edges, pairs, held_twice) {
            let origins = origins.iter().map(|&origin| names.calls_of(origin)).collect();
            trees.push(LearntTree { size: class.size, links, origins });
        }
    }
    if trees.is_empty() && !learnt.trees.types.iter().any(|tree| is_seen_shared(learnt, tree)) {
        // An exploration that soon ended has seen nothing against them.
        trees.extend(learnt.trees.types.iter().map(|tree| named(names, tree)));
    }
    trees
}

/// Whether two links were seen to lead to one node.
fn is_seen_shared(learnt: &Learnt, tree: &TreeType) -> bool {
    let class = Class { size: tree.size, head: tree.links.head };
    let is_link = |offset: u64| tree.links.children.contains(&offset);
    learnt.trees.held_twice.get(&class).is_some_and(|held| {
        held.iter().any(|held| {
            tree.origins.contains(&held.origin) && is_link(held.low) && is_link(held.high)
        })
    })
}

fn named(names: &Names<'_>, tree: &TreeType) -> LearntTree {
    let origins = tree.origins.iter().map(|&origin| names.calls_of(origin)).collect();
    LearntTree { size: tree.size, links: tree.links.clone(), origins }
}

/// The links of a block that may be a node of a tree.
pub(crate) fn tree_links(names: &Names<'_>, learnt: &Learnt, block: &Block) -> Option<TreeLinks> {
    let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
    if let Some(tree) = block.tree() {
        return Some(tree.links.clone());
    }
    let known = tree_type(names, learnt, block).filter(|_| block.is_single() && is_live_heap);
    known.map(|tree| tree.links.clone())
}

fn tree_type<'l>(names: &Names<'_>, learnt: &'l Learnt, block: &Block) -> Option<&'l TreeType> {
    if learnt.trees.types.is_empty() {
        return None;
    }
    let size = names.constant(block.size)?;
    learnt
        .trees
        .types
        .iter()
        .find(|tree| u128::from(tree.size) == size && tree.origins.contains(&block.origin))
}

/// Whether a link between two blocks is one of a tree, and so none of a list.
pub(crate) fn is_link_of_tree(
    names: &Names<'_>,
    learnt: &Learnt,
    (from, to): (&Block, &Block),
    field: Field,
) -> bool {
    let Field::Cell(offset) = field else { return false };
    let links = |block: &Block| tree_links(names, learnt, block);
    !learnt.trees.types.is_empty()
        && links(from).is_some_and(|links| links.has(offset))
        && links(from) == links(to)
}

/// Notes how the blocks of a state point to each other.
pub(crate) fn learn_trees(names: &mut Names<'_>, learnt: &mut Learnt, state: &State) {
    learn_from(names, learnt, &state.blocks);
    learn_sharing(names, learnt, state);
}

/// Notes which single blocks are held by two cells of others of their size.
fn learn_sharing(names: &mut Names<'_>, learnt: &mut Learnt, state: &State) {
    let pointer_size = names.model().pointer_size();
    let mut held: BTreeMap<(BlockId, u64), Vec<u64>> = BTreeMap::new();
    for (&id, block) in &state.blocks {
        if block.kind != BlockKind::Heap || !block.is_single() {
            continue;
        }
        for (&offset, cell) in block.cells.iter().filter(|(_, cell)| cell.size == pointer_size) {
            let Some((target, head)) = names.pointer(cell.value) else { continue };
            let Some(head) = names.constant(head) else { continue };
            let is_like = |other: &Arc<Block>| other.size == block.size;
            if target != id && state.blocks.get(&target).is_some_and(is_like) {
                held.entry((target, head as u64)).or_default().push(offset);
            }
        }
    }
    for ((target, head), offsets) in held {
        let block = state.block(target);
        let Some(size) = names.constant(block.size) else { continue };
        let origin = block.origin;
        let twice = learnt.trees.held_twice.entry(Class { size: size as u64, head }).or_default();
        for (index, &one) in offsets.iter().enumerate() {
            for &other in &offsets[index + 1..] {
                let (low, high) = (one.min(other), one.max(other));
                twice.insert(HeldTwice { origin, low, high });
            }
        }
    }
}

fn learn_from(names: &mut Names<'_>, learnt: &mut Learnt, blocks: &OrdMap<BlockId, Arc<Block>>) {
    for (&id, block) in blocks {
        learn_block(names, learnt, blocks, id, block);
        for prototype in block.prototypes() {
            learn_from(names, learnt, &prototype.blocks);
        }
    }
}

fn learn_block(
    names: &mut Names<'_>,
    learnt: &mut Learnt,
    blocks: &OrdMap<BlockId, Arc<Block>>,
    id: BlockId,
    block: &Arc<Block>,
) {
    if block.kind != BlockKind::Heap || block.life != Life::Alive {
        return;
    }
    let Some(size) = names.constant(block.size) else { return };
    let from: Vec<Origin> = block.origins().iter().copied().collect();
    let Some(linked) = linked(names, block) else { return };
    if let Some(head) = linked.head {
        let class = Class { size: size as u64, head };
        for &offset in linked.onward.iter().chain(&linked.back) {
            note_edges(learnt, class, &from, offset, &from);
        }
        for (next, back) in linked.pairs() {
            note_back_and_forth(learnt, class, &from, next, back);
        }
    }
    for (field, value) in block.fields() {
        if names.terms.width(value) != names.pointer_bits() {
            continue;
        }
        let Some((target, head)) = names.pointer(value) else { continue };
        let Some(head) = names.constant(head) else { continue };
        let Some(other) = blocks.get(&target) else { continue };
        let first = other.peer_of().and_then(|first| blocks.get(&first)).unwrap_or(other);
        if target == id || first.size != block.size || first.kind != BlockKind::Heap {
            continue;
        }
        let class = Class { size: size as u64, head: head as u64 };
        let to: Vec<Origin> = first.origins().iter().copied().collect();
        for offset in linked.offsets(field) {
            note_edges(learnt, class, &from, offset, &to);
        }
        let Field::Cell(key) = field else { continue };
        if !other.is_single() {
            continue;
        }
        for (&back, cell) in other.cells.iter().filter(|(back, _)| **back != key) {
            if let Some((origin, at)) = names.pointer(cell.value)
                && origin == id
                && names.constant(at) == Some(head)
            {
                note_back_and_forth(learnt, class, &from, key, back);
            }
        }
    }
}

/// How the nodes are linked that a block stands for; none for a stand-in.
fn linked(names: &mut Names<'_>, block: &Block) -> Option<Linked> {
    if let Some(segment) = block.segment() {
        return Some(Linked {
            is_tree: false,
            head: Some(segment.head),
            onward: offsets_in_prototypes(names, &segment.prototypes, |its| its.next),
            back: offsets_in_prototypes(names, &segment.prototypes, |its| its.previous),
        });
    }
    if let Some(tree) = block.tree() {
        return Some(Linked {
            is_tree: true,
            head: Some(tree.links.head),
            onward: tree.links.children.clone(),
            back: tree.links.parent.into_iter().collect(),
        });
    }
    block.is_single().then(Linked::default)
}

fn note_edges(learnt: &mut Learnt, class: Class, from: &[Origin], offset: u64, to: &[Origin]) {
    let edges = learnt.trees.edges.entry(class).or_default();
    for &from in from {
        edges.extend(to.iter().map(|&to| Edge { from, offset, to }));
    }
}

fn note_back_and_forth(learnt: &mut Learnt, class: Class, from: &[Origin], one: u64, other: u64) {
    let pairs = learnt.trees.back_and_forth.entry(class).or_default();
    let (low, high) = (one.min(other), one.max(other));
    pairs.extend(from.iter().map(|&origin| BackAndForth { origin, low, high }));
}
