//! Variants: nodes of one tree that are told apart by which of their links lead on.
//!
//! An expression is a number, or leads to one operand, or to two, and its tag says which; a node of a full tree has both children or none. A
//! program that has looked at the tag, or at one link, follows others without a question. So each prototype says what its nodes have at
//! each link, and a node that comes out of the tree has just that. A link of a union may be something else: a number, a pointer
//! to a block of another size, or nothing that was written, as the prototype says.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::heap::at_link::AtLink;
use crate::heap::block::{Block, BlockId, BlockKind, Cell, Life};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::tree::{Tree, TreeLinks};
use crate::learnt::Learnt;
use crate::learnt::variants::{Constants, MOST_WORDS};
use crate::precision::Variants;
use crate::summary::payload::is_payload_constant;
use crate::summary::tree::discover::link_value;
use crate::summary::tree::unfold::Link;

/// What single nodes are compared by that a tree may cover.
pub(crate) fn variants_of(tree: &Tree) -> Variants {
    if tree.tells_links() { Variants::Apart } else { Variants::Alike }
}

/// What a single node has at its links.
pub(crate) fn at_links(
    names: &mut Names<'_>,
    state: &State,
    node: BlockId,
    links: &TreeLinks,
) -> Vec<AtLink> {
    let block = state.block(node);
    links.children.iter().map(|&offset| at_link(names, state, block, offset)).collect()
}

fn at_link(names: &mut Names<'_>, state: &State, block: &Block, offset: u64) -> AtLink {
    let Some(value) = link_value(names, block, offset) else { return AtLink::Bytes };
    if names.constant(value) == Some(0) {
        return AtLink::Leaf;
    }
    let target = names.pointer(value).and_then(|(target, _)| state.blocks.get(&target));
    let is_no_node = target.is_some_and(|target| target.size != block.size);
    match names.holds_address(value) && !is_no_node {
        true => AtLink::Below,
        false => AtLink::Bytes,
    }
}

/// Whether a single node has no link at an offset, where that is allowed; nor a part of one.
pub(crate) fn has_no_link(
    names: &mut Names<'_>,
    variants: Variants,
    (state, block): (&State, &Block),
    offset: u64,
) -> bool {
    match variants {
        Variants::Alike => false,
        Variants::Apart => {
            let end = offset + names.model().pointer_size();
            let is_there = |at: u64, cell: &Cell| at < end && offset < at + cell.size;
            let mut there = block.cells.iter().filter(|(at, cell)| is_there(**at, cell));
            let is_whole = link_value(names, block, offset).is_some();
            (is_whole || there.all(|(_, cell)| !names.holds_address(cell.value)))
                && at_link(names, state, block, offset) == AtLink::Bytes
        }
    }
}

/// What the links of a node may be that comes out, if its prototype tells. `open`: what one of those is that lead on, if the tree has a hole.
pub(crate) fn told_choices(links: &[AtLink], open: &[Link]) -> Vec<Vec<Link>> {
    let usual = |at: &AtLink| match at {
        AtLink::Below => Link::Below,
        AtLink::Leaf => Link::Leaf,
        AtLink::Bytes => Link::Bytes,
    };
    let closed: Vec<Link> = links.iter().map(usual).collect();
    if open.is_empty() {
        return vec![closed];
    }
    let mut choices = Vec::new();
    for &open in open {
        for index in (0..links.len()).filter(|&index| links[index] == AtLink::Below) {
            let mut choice = closed.clone();
            choice[index] = open;
            choices.push(choice);
        }
    }
    choices
}

/// Notes what single blocks have in their words, if they may be nodes of trees: blocks like them are linked in more than one way, and they
/// lead to another block, or another leads to them.
pub(crate) fn note_variants(names: &mut Names<'_>, learnt: &mut Learnt, state: &State) {
    let may_be_node = |names: &Names<'_>, learnt: &Learnt, block: &Block| {
        let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
        let size = names.constant(block.size).filter(|_| is_live_heap && block.is_single())?;
        learnt.trees.is_linked_in_several_ways(size as u64).then_some(size as u64)
    };
    let nodes: Vec<(BlockId, u64)> = state
        .blocks
        .iter()
        .filter_map(|(&id, block)| Some((id, may_be_node(names, learnt, block)?)))
        .collect();
    if nodes.len() < 2 {
        return;
    }
    let mut below = FxHashSet::default();
    for block in state.blocks.values().filter(|block| block.kind == BlockKind::Heap) {
        for (_, value) in block.fields() {
            below.extend(names.pointer(value).map(|(id, _)| id));
        }
    }
    let word = names.model().pointer_size();
    for (id, size) in
        nodes.into_iter().filter(|(_, size)| size % word == 0 && size / word <= MOST_WORDS)
    {
        let block = Arc::clone(state.block(id));
        let at: Vec<AtLink> =
            (0..size / word).map(|index| at_link(names, state, &block, index * word)).collect();
        if !below.contains(&id) && !at.contains(&AtLink::Below) {
            continue;
        }
        let named = block.cells.iter().filter(|(_, cell)| is_payload_constant(names, cell.value));
        let constants: Constants = named
            .filter_map(|(&offset, cell)| Some((offset, names.constant(cell.value)?)))
            .map(|(offset, value)| (offset, BTreeSet::from([value])))
            .collect();
        learnt.variants.note(word, at, &constants);
    }
}
