//! Folding: a tree that stands in a heap becomes one block.
//!
//! A single node stays as it is, and so does one that leads out of the tree at once: a program is at
//! work there. From two blocks on, they are one.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::OrdSet;

use crate::heap::at_link::AtLink;
use crate::heap::block::{Block, BlockId, Prototype};
use crate::heap::contents::Contents;
use crate::heap::downward::Downward;
use crate::heap::incoming::{Referrers, is_held_by_variable};
use crate::heap::measures::{Measures, Stored};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::prototype::Fragment;
use crate::heap::state::State;
use crate::heap::tree::{InOrder, Tree, TreeLinks};
use crate::precision::{Cursors, Variants};
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Key, Refused};
use crate::summary::matched::Manner;
use crate::summary::matched::Match;
use crate::summary::prototypes::Own;
use crate::summary::refusal::Refusal;
use crate::summary::tree::discover::{FoundTree, Leaf, TreeSearch, parent_of, tree_below};
use crate::summary::tree::downward::related_tree;
use crate::summary::tree::learn::tree_links;
use crate::summary::tree::measures::{forget_outside, free_stored, measured_tree};
use crate::summary::tree::order::{forget_comparisons, sorted_tree};
use crate::summary::tree::variants::at_links;

impl Candidate for FoundTree {
    fn owned(&self) -> usize {
        FoundTree::owned(self)
    }

    fn key(&self) -> Key {
        key_of_root(self.root)
    }

    fn fold(&self, domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), Refusal> {
        fold_tree(domain, state, self)
    }
}

fn key_of_root(root: BlockId) -> Key {
    Key { blocks: [root; 4], field: None }
}

/// A tree that can be folded: the one that owns least.
pub(crate) fn find_tree(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<FoundTree> {
    let roots: Vec<(BlockId, TreeLinks)> = state
        .blocks
        .iter()
        .filter(|(id, _)| !refused.contains(&key_of_root(**id)))
        .filter_map(|(&id, block)| {
            Some((id, tree_links(&domain.reasoner.names, domain.learnt, block)?))
        })
        .collect();
    if roots.is_empty() {
        return None;
    }
    let referrers = domain.reasoner.names.referrers(state);
    let mut best: Option<FoundTree> = None;
    for (root, links) in roots {
        let is_kept = match domain.precision.cursors {
            Cursors::Folded => false,
            Cursors::Apart => {
                is_at_work(&mut domain.reasoner.names, state, &referrers, root, &links)
            }
            Cursors::Single => is_way_point(state, &referrers, root),
        };
        if is_kept {
            continue;
        }
        let learnt = &*domain.learnt;
        let is_node = |names: &Names<'_>, block: &_| {
            tree_links(names, learnt, block).as_ref() == Some(&links)
        };
        let search = TreeSearch {
            state,
            referrers: &referrers,
            links: &links,
            is_node: &is_node,
            leaf: Leaf::Any,
            variants: domain.precision.variants,
        };
        let Some(tree) = tree_below(&mut domain.reasoner.names, &search, root) else { continue };
        let is_large = match tree.hole {
            Some(hole) => hole.depth >= 2,
            None => tree.blocks.len() >= 2,
        };
        if is_large && best.as_ref().is_none_or(|best| tree.owned() < best.owned()) {
            best = Some(tree);
        }
    }
    best
}

/// Makes a tree one block, if the prototypes of its nodes allow it.
pub(crate) fn fold_tree(
    domain: &mut Domain<'_, '_>,
    state: &mut State,
    tree: &FoundTree,
) -> Result<(), Refusal> {
    let refusal = Refusal::OtherPrototypes(tree.root, tree.root);
    let (order, downward, measures) = facts_of_tree(domain, state, tree).ok_or(refusal)?;
    let compared: Vec<Place> = order.map(|sorted| sorted.order.place()).into_iter().collect();
    let compared = [compared, downward.iter().map(|one| one.place).collect()].concat();
    let whole = measures.as_ref().and_then(|measures| measures.whole.as_ref());
    let stored = whole.map_or(&[][..], |whole| &whole.stored);
    let told = (compared.as_slice(), stored);
    let mut prototypes = common_prototypes_of_tree(domain, state, (tree, told)).ok_or(refusal)?;
    if measures.is_some() {
        forget_outside(&domain.reasoner.names, &mut prototypes);
    }
    let links = &tree.links;
    let parent = parent_of(state.block(tree.root), links);
    let mut root = emptied(state, tree.root);
    let hole = tree.hole.map(|hole| hole.value);
    let above = tree.hole.and_then(|hole| links.parent.map(|_| hole.above));
    let mut origins = OrdSet::new();
    for (id, _) in &tree.blocks {
        origins = origins.union(state.block(*id).origins());
    }
    let links = links.clone();
    let (leaf, may_be_empty) = (tree.leaf, false);
    let role = Tree {
        links,
        hole,
        leaf,
        parent,
        above,
        may_be_empty,
        order,
        downward,
        measures,
        prototypes,
        origins,
    };
    root.role = role.into();
    let mut stand_in = above.map(|above| emptied(state, above));
    if let Some(stand_in) = &mut stand_in {
        stand_in.make_peer_of(tree.root);
    }
    for id in &tree.filled {
        state.blocks.remove(id);
    }
    for (id, owned) in &tree.blocks {
        state.blocks.remove(id);
        for id in owned {
            state.blocks.remove(id);
        }
    }
    state.blocks.insert(tree.root, Arc::new(root));
    if let (Some(above), Some(stand_in)) = (above, stand_in) {
        state.blocks.insert(above, Arc::new(stand_in));
    }
    Ok(())
}

/// How the nodes of a tree are sorted, how they are related to those below, and how many they are.
type Facts = (Option<InOrder>, Vec<Downward>, Option<Measures>);

/// Where nodes tell what is at their links, that is all, and a leaf is null; nothing if they cannot.
fn facts_of_tree(
    domain: &mut Domain<'_, '_>,
    state: &mut State,
    tree: &FoundTree,
) -> Option<Facts> {
    match domain.precision.variants {
        Variants::Alike => Some((
            sorted_tree(domain.reasoner, domain.precision, state, tree),
            related_tree(domain.reasoner, domain.precision, state, tree),
            measured_tree(domain.reasoner, domain.precision, state, tree),
        )),
        Variants::Apart if !can_tell_links(state, tree) => None,
        Variants::Apart => Some((None, Vec::new(), None)),
    }
}

/// A block of which nothing is said but where it was made, and how large it is.
fn emptied(state: &State, id: BlockId) -> Block {
    let mut block = state.block(id).as_ref().clone();
    block.cells.clear();
    block.zero = None;
    block.contents = Contents::default();
    block
}

/// The prototypes of all nodes, if they are not too many; without what the tree says of places at which numbers are compared, or are measures.
fn common_prototypes_of_tree(
    domain: &mut Domain<'_, '_>,
    state: &State,
    (tree, (compared, stored)): (&FoundTree, (&[Place], &[Stored])),
) -> Option<Vec<Arc<Prototype>>> {
    let mut prototypes: Vec<Arc<Prototype>> = Vec::new();
    let found = Match::of_one_state();
    // Blocks that stand for many nodes come first, the root last: a program may be at work on
    // it, and then it must not make a prototype of its own.
    let mut blocks: Vec<&(BlockId, BTreeSet<BlockId>)> = tree.blocks.iter().collect();
    blocks.sort_by_key(|(id, _)| (*id == tree.root, state.block(*id).is_single()));
    let referrers = domain.reasoner.names.referrers(state);
    for (id, owned) in blocks {
        let is_cursor = *id == tree.root && is_cursor(state, &referrers, *id);
        let manner = Manner { depth: 0, widens: false, shapes: !is_cursor };
        let mut of_node = prototypes_of_tree_node(
            &mut domain.reasoner.names,
            state,
            *id,
            (&tree.links, domain.precision.variants, stored),
            (owned, Own::BlocksAndNumbers),
        );
        for &place in compared {
            forget_comparisons(&domain.reasoner.names, place, &mut of_node);
        }
        for prototype in of_node {
            let is_first = prototypes.is_empty();
            if is_first {
                prototypes.push(prototype);
            } else if domain
                .add_prototype((state, state), &found, &mut prototypes, &prototype, manner)
                .is_none()
            {
                return None;
            }
        }
    }
    Some(prototypes)
}

/// Whether a block is a single node to which a variable points, and a link of it is null or leads
/// to a single node: there the program may put something, or has just done so.
fn is_at_work(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    id: BlockId,
    links: &TreeLinks,
) -> bool {
    if !is_cursor(state, referrers, id) {
        return false;
    }
    let cells = &state.block(id).cells;
    links.children.iter().filter_map(|offset| cells.get(offset)).any(|cell| {
        let below = names.pointer(cell.value).and_then(|(below, _)| state.blocks.get(&below));
        names.constant(cell.value) == Some(0) || below.is_some_and(|block| block.is_single())
    })
}

/// Whether a block is a single node to which a variable points, beside the link or the variable that leads to it from above.
fn is_way_point(state: &State, referrers: &Referrers, id: BlockId) -> bool {
    is_cursor(state, referrers, id) && referrers.get(&id).is_some_and(|holders| holders.len() > 1)
}

/// Whether a block is a single node to which a variable points.
fn is_cursor(state: &State, referrers: &Referrers, id: BlockId) -> bool {
    state.block(id).is_single() && is_held_by_variable(state, referrers, id)
}

/// Whether the links of nodes can be told: a link to what may be empty leads on in some heaps and is null in others, and so is one
/// to a leaf that is a block.
fn can_tell_links(state: &State, tree: &FoundTree) -> bool {
    let is_there = |(id, _): &(BlockId, _)| !state.block(*id).may_be_empty();
    tree.leaf.is_none() && tree.blocks.iter().all(is_there)
}

/// The prototypes of a block that stands for a tree, or the prototype of a single node.
pub(crate) fn prototypes_of_tree_node(
    names: &mut Names<'_>,
    state: &State,
    id: BlockId,
    (links, variants, stored): (&TreeLinks, Variants, &[Stored]),
    (owned, own): (&BTreeSet<BlockId>, Own),
) -> Vec<Arc<Prototype>> {
    let block = state.block(id);
    if let Some(tree) = block.tree() {
        return tree.prototypes.clone();
    }
    let mut node = block.as_ref().clone();
    free_stored(names, &mut node, stored);
    let told = match variants {
        Variants::Alike => Vec::new(),
        Variants::Apart => at_links(names, state, id, links),
    };
    for (index, offset) in links.offsets().enumerate() {
        if told.get(index) != Some(&AtLink::Bytes) {
            node.cells.remove(&offset);
        }
    }
    let mut blocks = vec![(id, Arc::new(node))];
    blocks.extend(owned.iter().map(|&id| (id, Arc::clone(state.block(id)))));
    let is_own = |of: BlockId| own == Own::BlocksAndNumbers && (of == id || owned.contains(&of));
    let outer = names.names_outside(state, &is_own).into_iter().collect();
    let condition = state.condition.iter().copied().collect();
    vec![Arc::new(names.close(&Fragment { blocks, condition, links: told }, &outer))]
}
