//! The tree below a node, as it stands in a heap.
//!
//! A block is below another if a link leads to it and nothing else does: no variable, no other
//! block, but for the parent links of what is below it and for what it owns. A link that leads
//! anywhere else is a hole, of which there may be one. Links that lead to nothing are null; or all of them lead to one block that is no
//! node, a sentinel, which more than one link of a tree of two nodes does.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, End, Field, Life};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::tree::TreeLinks;
use crate::precision::Variants;
use crate::summary::tree::variants::has_no_link;

/// A tree of single nodes and of blocks that stand for trees.
#[derive(Debug)]
pub(crate) struct FoundTree {
    pub(crate) root: BlockId,
    pub(crate) links: TreeLinks,
    /// All its blocks, the root first, with what single nodes own.
    pub(crate) blocks: Vec<(BlockId, BTreeSet<BlockId>)>,
    pub(crate) hole: Option<Hole>,
    /// What links hold that lead to no node, if it is not null.
    pub(crate) leaf: Option<TermId>,
    /// Stand-ins for the nodes above holes that are filled.
    pub(crate) filled: Vec<BlockId>,
}

/// A link that leads out of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hole {
    pub(crate) value: TermId,
    /// The block that has the link, in this field.
    pub(crate) holder: BlockId,
    pub(crate) field: Field,
    /// The node that has the link.
    pub(crate) above: BlockId,
    /// Blocks from the root to the holder, both included.
    pub(crate) depth: usize,
}

impl FoundTree {
    /// How many blocks its nodes own.
    pub(crate) fn owned(&self) -> usize {
        self.blocks.iter().map(|(_, owned)| owned.len()).sum()
    }

    fn has(&self, id: BlockId) -> bool {
        self.blocks.iter().any(|(block, _)| *block == id)
    }

    /// Whether a link that holds this leads to no node.
    pub(crate) fn is_leaf(&self, names: &Names<'_>, value: TermId) -> bool {
        match self.leaf {
            Some(leaf) => value == leaf,
            None => names.constant(value) == Some(0),
        }
    }
}

/// Where a tree is looked for.
pub(crate) struct TreeSearch<'s> {
    pub(crate) state: &'s State,
    pub(crate) referrers: &'s Referrers,
    pub(crate) links: &'s TreeLinks,
    /// Whether a block may be a node.
    pub(crate) is_node: &'s dyn Fn(&Names<'_>, &Block) -> bool,
    pub(crate) leaf: Leaf,
    /// Whether bytes of a link may be none.
    pub(crate) variants: Variants,
}

/// What the links of a tree hold that lead to no node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    /// Whatever they do hold.
    Any,
    Null,
    Sentinel(TermId),
}

/// The tree with this root, if there is one. It may be a single node.
pub(crate) fn tree_below(
    names: &mut Names<'_>,
    search: &TreeSearch<'_>,
    root: BlockId,
) -> Option<FoundTree> {
    let TreeSearch { state, links, is_node, .. } = *search;
    if !is_node(names, state.block(root)) || !has_parent_cell(names, state.block(root), links) {
        return None;
    }
    let mut depths: BTreeMap<BlockId, usize> = BTreeMap::from([(root, 1)]);
    let mut tree = FoundTree {
        root,
        links: links.clone(),
        blocks: Vec::new(),
        hole: None,
        leaf: None,
        filled: Vec::new(),
    };
    let (mut work, mut outward) = (vec![root], Vec::new());
    while let Some(id) = work.pop() {
        let owned = owned_by_node(names, search, id);
        tree.blocks.push((id, owned));
        // The first link is looked at first.
        for mut end in open_links(names, search, id)?.into_iter().rev() {
            end.depth = depths[&id];
            match below(names, search, root, &end) {
                Some(child) => {
                    depths.insert(child, end.depth + 1);
                    work.push(child);
                    tree.filled.extend(state.block(id).partner());
                }
                None => outward.push(end),
            }
        }
    }
    settle_ends(names, search, &mut tree, &outward)?;
    let is_apart = tree.blocks.iter().all(|(_, owned)| owned.iter().all(|&id| !tree.has(id)));
    is_apart.then_some(tree)
}

/// Says what the links of a tree are that lead out of it or are null: all but one are leaves.
fn settle_ends(
    names: &mut Names<'_>,
    search: &TreeSearch<'_>,
    tree: &mut FoundTree,
    outward: &[Hole],
) -> Option<()> {
    tree.leaf = leaf_of(names, search, tree, outward)?;
    for &end in outward {
        let is_of_node = end.above == end.holder && matches!(end.field, Field::Cell(_));
        if is_of_node && tree.is_leaf(names, end.value) {
            continue;
        }
        if tree.hole.is_some() || names.pointer(end.value).is_none() {
            return None;
        }
        tree.hole = Some(end);
    }
    Some(())
}

/// What all leaves of a tree hold, if it is not null; nothing at all if they hold different values.
fn leaf_of(
    names: &mut Names<'_>,
    search: &TreeSearch<'_>,
    tree: &FoundTree,
    outward: &[Hole],
) -> Option<Option<TermId>> {
    let trees = tree.blocks.iter().filter_map(|(id, _)| search.state.block(*id).tree());
    let mut told: Vec<Option<TermId>> = trees.map(|tree| tree.leaf).collect();
    told.dedup();
    let leaf = match (search.leaf, told.as_slice()) {
        (Leaf::Any, []) => sentinel_among(names, outward),
        (Leaf::Any, [leaf]) => *leaf,
        (Leaf::Null, [] | [None]) => None,
        (Leaf::Sentinel(leaf), []) => Some(leaf),
        (Leaf::Sentinel(leaf), [Some(told)]) if leaf == *told => Some(leaf),
        (_, _) => return None,
    };
    let Some(value) = leaf else { return Some(None) };
    // Nothing else is told of what it leads to, so it may be no node that goes.
    let (id, _) = names.pointer(value)?;
    let block = search.state.blocks.get(&id)?;
    let is_from_it =
        |holder: &Referrer| matches!(holder, Referrer::Block(holder, _) if *holder == id);
    let is_held_by_it =
        tree.blocks.iter().filter(|(node, _)| *node != tree.root).any(|(node, _)| {
            search.referrers.get(node).is_some_and(|holders| holders.iter().any(is_from_it))
        });
    (block.is_single() && !tree.has(id) && !is_held_by_it).then_some(leaf)
}

/// What more than one link leads to, if none is null.
fn sentinel_among(names: &Names<'_>, outward: &[Hole]) -> Option<TermId> {
    if outward.iter().any(|end| names.constant(end.value) == Some(0)) {
        return None;
    }
    let values = outward.iter().map(|end| end.value).enumerate();
    let mut again =
        values.filter(|&(index, value)| outward[..index].iter().any(|end| end.value == value));
    again.next().map(|(_, value)| value)
}

/// The links of a block, of a tree that of its hole; none if one of them is not known.
fn open_links(names: &mut Names<'_>, search: &TreeSearch<'_>, id: BlockId) -> Option<Vec<Hole>> {
    let TreeSearch { state, links, .. } = *search;
    let block = state.block(id);
    if let Some(tree) = block.tree() {
        let above = tree.above.unwrap_or(id);
        let field = Field::End(End::Next);
        let end = |value| Hole { value, holder: id, field, above, depth: 0 };
        return Some(tree.hole.map(end).into_iter().collect());
    }
    let mut ends = Vec::new();
    for &offset in &links.children {
        if has_no_link(names, search.variants, (state, block), offset) {
            continue;
        }
        let value = link_value(names, block, offset)?;
        let field = Field::Cell(offset);
        ends.push(Hole { value, holder: id, field, above: id, depth: 0 });
    }
    Some(ends)
}

/// What a single node has at a link; nothing if its bytes were not written as one.
pub(crate) fn link_value(names: &mut Names<'_>, block: &Block, offset: u64) -> Option<TermId> {
    let size = names.model().pointer_size();
    if let Some(cell) = block.cells.get(&offset) {
        return (cell.size == size).then_some(cell.value);
    }
    let is_null = block.rest == DefaultBytes::Zero && !block.has_cells_in(offset, size);
    is_null.then(|| names.terms.bit_vector(0, 8 * size as u32))
}

/// The node that a link leads to, if it is below.
fn below(
    names: &mut Names<'_>,
    search: &TreeSearch<'_>,
    root: BlockId,
    end: &Hole,
) -> Option<BlockId> {
    let TreeSearch { state, referrers, links, is_node, .. } = *search;
    let (id, head) = names.pointer(end.value)?;
    if id == root || names.constant(head) != Some(u128::from(links.head)) {
        return None;
    }
    let (top, block) = (state.block(root), state.blocks.get(&id)?);
    if !is_node(names, block) || block.size != top.size || block.rest != top.rest {
        return None;
    }
    if links.parent.is_some() {
        let wanted = names.link(end.above, links.head);
        if parent_of(block, links) != Some(wanted) {
            return None;
        }
        // The stand-in of a hole that is filled goes.
        let is_stand_in = end.above != end.holder;
        let held = referrers.get(&end.above).map_or(0, Vec::len);
        if is_stand_in && held != 1 {
            return None;
        }
    }
    is_held_from_above_only(names, search, id, end).then_some(id)
}

fn is_held_from_above_only(
    names: &mut Names<'_>,
    search: &TreeSearch<'_>,
    id: BlockId,
    end: &Hole,
) -> bool {
    let TreeSearch { state, referrers, links, .. } = *search;
    let Some(ends) = open_links(names, search, id) else { return false };
    let block = state.block(id);
    // What is below a single node points back to it. What is in the hole of a tree points to
    // the node above the hole, and must not point to the root.
    let below: Vec<BlockId> = ends
        .iter()
        .filter(|_| block.is_single())
        .filter_map(|end| names.pointer(end.value).map(|(below, _)| below))
        .filter(|below| !is_common_leaf(search, *below))
        .collect();
    let owned = owned_by_node(names, search, id);
    let others: Vec<Referrer> = referrers
        .get(&id)
        .into_iter()
        .flatten()
        .copied()
        .filter(|holder| match holder {
            Referrer::Root => true,
            // A node may point to itself, but not by a link; nor may all nodes of a tree point
            // to its root, whose name goes.
            Referrer::Block(holder, field) if *holder == id => match field {
                Some(Field::Cell(offset)) => links.has(*offset),
                Some(Field::End(_)) | None => true,
            },
            Referrer::Block(holder, Some(field))
                if below.contains(holder)
                    && parent_field(state.block(*holder), links) == Some(*field) =>
            {
                false
            }
            Referrer::Block(holder, _) => !owned.contains(holder),
        })
        .collect();
    others == [Referrer::Block(end.holder, Some(end.field))]
}

/// Whether more than one link leads to a block: if it is part of a tree, it is a sentinel, and holds what it holds as others do.
fn is_common_leaf(search: &TreeSearch<'_>, id: BlockId) -> bool {
    let TreeSearch { state, referrers, links, .. } = *search;
    let is_leaf = |holder: &Referrer| match holder {
        Referrer::Block(_, Some(Field::End(end))) => *end == End::Leaf,
        Referrer::Block(..) | Referrer::Root => false,
    };
    let is_link = |holder: &&Referrer| match holder {
        Referrer::Block(holder, Some(Field::Cell(offset))) => {
            state.block(*holder).is_single() && links.children.contains(offset)
        }
        Referrer::Block(..) | Referrer::Root => false,
    };
    let holders = referrers.get(&id).map_or(&[][..], Vec::as_slice);
    holders.iter().any(is_leaf) || holders.iter().filter(is_link).count() > 1
}

/// What a single node owns; the nodes of a tree own theirs in their prototypes.
fn owned_by_node(names: &mut Names<'_>, search: &TreeSearch<'_>, id: BlockId) -> BTreeSet<BlockId> {
    let TreeSearch { state, referrers, links, .. } = *search;
    if !state.block(id).is_single() {
        return BTreeSet::new();
    }
    let links: Vec<u64> = links
        .offsets()
        .filter(|&offset| {
            links.parent == Some(offset)
                || !has_no_link(names, search.variants, (state, state.block(id)), offset)
        })
        .collect();
    names.payload(state, referrers, id, &|offset| links.contains(&offset))
}

fn has_parent_cell(names: &Names<'_>, block: &Block, links: &TreeLinks) -> bool {
    let is_wide = |value| names.terms.width(value) == names.pointer_bits();
    links.parent.is_none() || parent_of(block, links).is_some_and(is_wide)
}

/// Where a single node or a tree has its link to the parent.
fn parent_field(block: &Block, links: &TreeLinks) -> Option<Field> {
    if block.tree().is_some() {
        return Some(Field::End(End::Previous));
    }
    links.parent.filter(|_| block.is_single()).map(Field::Cell)
}

/// What a single node or the root of a tree has as its parent.
pub(crate) fn parent_of(block: &Block, links: &TreeLinks) -> Option<TermId> {
    block.field(parent_field(block, links)?)
}

/// Whether a block can be a node of any tree with these links.
pub(crate) fn can_be_node(block: &Block, links: &TreeLinks) -> bool {
    let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
    is_live_heap && (block.is_single() || block.tree().is_some_and(|tree| tree.links == *links))
}
