//! Unfolding: a node comes out of a tree, at its root or above its hole.
//!
//! Each link of the node is a leaf, which is null or leads to a sentinel, or leads to a smaller tree. If there is a hole, one link is the
//! hole or leads to a smaller tree with it. Of nodes with many links it is left open which are null: there are too many ways, and
//! programs look at one link at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Prototype};
use crate::heap::names::Names;
use crate::heap::pointer::set_cell;
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::summary::list::unfold::{no_node, node_with};
use crate::summary::tree::downward::{
    RelatedNode, related_above_hole, related_root, unify_at_hole,
};
use crate::summary::tree::order::{Shares, Sharing, sharings};
use crate::summary::tree::shared_measures::{MeasuredNode, measured_root, settle_single};
use crate::summary::tree::variants::told_choices;

/// What a link of the node that comes out holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// Null, or the sentinel.
    Leaf,
    Below,
    /// Null, or a tree.
    Either,
    /// A tree with the hole.
    BelowWithHole,
    /// No link, but what the prototype has there.
    Bytes,
    Hole,
}

/// So many links are told apart by which of them are null.
pub(crate) const MOST_TOLD_APART: usize = 2;

/// Every choice of a leaf or a tree for so many links; if they are many, of nodes with so many links, none is made.
fn closed_choices(count: usize, is_left_open: bool) -> Vec<Vec<Link>> {
    if is_left_open {
        return vec![vec![Link::Either; count]];
    }
    let mut choices = vec![Vec::new()];
    for _ in 0..count {
        let extend = |choice: &Vec<Link>, link| choice.iter().copied().chain([link]).collect();
        choices = choices
            .iter()
            .flat_map(|choice| [extend(choice, Link::Leaf), extend(choice, Link::Below)])
            .collect();
    }
    choices
}

/// The same, with something else at one of the links.
fn open_choices(count: usize, is_left_open: bool, open: Link) -> Vec<Vec<Link>> {
    let insert = |index: usize| {
        closed_choices(count - 1, is_left_open).into_iter().map(move |mut choice| {
            choice.insert(index, open);
            choice
        })
    };
    (0..count).flat_map(insert).collect()
}

/// A tree from which a node is taken.
struct Source {
    block: Arc<Block>,
    tree: Tree,
}

fn source(state: &State, root: BlockId) -> Source {
    let block = Arc::clone(state.block(root));
    let tree = block.tree().expect("only trees are asked for").clone();
    Source { block, tree }
}

/// Takes out the root of a tree.
pub(crate) fn unfold_root(names: &mut Names<'_>, state: State, root: BlockId) -> Vec<State> {
    let source = source(&state, root);
    if source.tree.may_be_empty {
        return vec![no_node(names, state.clone(), root), some_node(state, root)];
    }
    let count = source.tree.links.children.len();
    let is_left_open = is_left_open(&source.tree);
    let open = match source.tree.hole {
        None => &[][..],
        Some(_) => &[Link::Hole, Link::BelowWithHole],
    };
    let choices = match source.tree.hole {
        None => closed_choices(count, is_left_open),
        Some(_) => [Link::Hole, Link::BelowWithHole]
            .into_iter()
            .flat_map(|open| open_choices(count, is_left_open, open))
            .collect(),
    };
    let mut states = Vec::new();
    for (index, prototype) in source.tree.prototypes.iter().enumerate() {
        let told = told_choices(&prototype.links, open);
        let choices = if prototype.links.is_empty() { &choices } else { &told };
        for choice in choices {
            states.extend(take_root(names, &state, root, index, choice));
        }
    }
    states
}

/// Whether it is left open which links of a node are null.
fn is_left_open(tree: &Tree) -> bool {
    let below = Tree { hole: None, above: None, order: None, ..tree.clone() };
    tree.links.children.len() > MOST_TOLD_APART && below.can_be_empty()
}

/// The tree is not empty.
fn some_node(mut state: State, root: BlockId) -> State {
    let tree = state.block(root).tree().expect("only trees are asked for").clone();
    state.block_mut(root).role = Tree { may_be_empty: false, ..tree }.into();
    state
}

/// The root keeps the block's number. It is of the prototype with this index.
fn take_root(
    names: &mut Names<'_>,
    state: &State,
    root: BlockId,
    index: usize,
    choice: &[Link],
) -> Vec<State> {
    let sorted = source(state, root).tree.order;
    let sharings = match sorted {
        Some(sorted) => sharings(sorted, choice).into_iter().map(Some).collect(),
        None => vec![None],
    };
    let mut states = Vec::new();
    for sharing in sharings {
        let mut state = state.clone();
        if let (Some(sorted), Some(sharing)) = (sorted, sharing) {
            sharing.unify(names, &mut state, sorted, choice);
        }
        if choice.contains(&Link::Hole) {
            unify_at_hole(names, &mut state, root);
        }
        settle_single(names, &mut state, root, choice);
        states.extend(take_root_so(names, state, root, index, (choice, sharing)));
    }
    states
}

fn take_root_so(
    names: &mut Names<'_>,
    mut state: State,
    root: BlockId,
    index: usize,
    (choice, sharing): (&[Link], Option<Sharing>),
) -> Option<State> {
    // Read again: names may be other ones by now.
    let source = &source(&state, root);
    let prototype = &source.tree.prototypes[index];
    let shares = sharing.zip(source.tree.order);
    let shares =
        shares.map(|(sharing, sorted)| sharing.share_out(names, &mut state, sorted, choice));
    let related = related_root(names, &mut state, &source.tree, choice);
    let given = shares.as_ref().and_then(|shares| shares.given(prototype));
    let given = given.or_else(|| related.iter().find_map(|one| one.given(prototype)));
    let measured = measured_root(names, &mut state, &source.tree, choice);
    let given = given.or_else(|| measured.as_ref().and_then(|one| one.given(prototype)));
    let nobody = names.open_neighbours();
    let mut node = node_with(names, &mut state, root, prototype, nobody, given);
    if let Some(shares) = &shares {
        shares.tell_root(names, &mut state, &mut node);
    }
    if !related.iter().all(|one| one.tell_node(names, &mut state, &mut node)) {
        return None;
    }
    if !measured.iter().all(|one| one.tell_node(names, &mut state, &mut node)) {
        return None;
    }
    if let (Some(offset), Some(parent)) = (source.tree.links.parent, source.tree.parent) {
        set_cell(&mut node, offset, parent, names);
    }
    let shared = Shared { order: shares.as_ref(), related: &related, measured: measured.as_ref() };
    add_links(names, &mut state, (root, &mut node), source, (choice, shared));
    state.blocks.insert(root, Arc::new(node));
    if let Some(above) = source.tree.above
        && choice.contains(&Link::Hole)
    {
        // The root is the node above the hole.
        state.blocks.remove(&above);
        let (old, new) = (names.address(above), names.address(root));
        names.replace(&mut state, &BTreeMap::from([(old, new)]));
    }
    Some(state)
}

/// Takes out the node above the hole, for which `above` stands.
pub(crate) fn unfold_above_hole(names: &mut Names<'_>, state: State, above: BlockId) -> Vec<State> {
    let root = state.block(above).peer_of().expect("only peers are asked for");
    let source = source(&state, root);
    let count = source.tree.links.children.len();
    let choices = open_choices(count, is_left_open(&source.tree), Link::Hole);
    let mut states = Vec::new();
    for (index, prototype) in source.tree.prototypes.iter().enumerate() {
        let told = told_choices(&prototype.links, &[Link::Hole]);
        let choices = if prototype.links.is_empty() { &choices } else { &told };
        for choice in choices {
            states.extend(take_root(names, &state, root, index, choice));
            states.extend(take_above(
                names,
                state.clone(),
                (root, above),
                &source,
                prototype,
                choice,
            ));
        }
    }
    states
}

/// The node gets the number that stood for it; what is left of the tree ends above it. How they are sorted is forgotten, and how many there are.
fn take_above(
    names: &mut Names<'_>,
    mut state: State,
    (root, above): (BlockId, BlockId),
    source: &Source,
    prototype: &Prototype,
    choice: &[Link],
) -> Option<State> {
    let links = &source.tree.links;
    let mut stand_in = state.block(above).as_ref().clone();
    let nobody = names.open_neighbours();
    let (related, downward) = related_above_hole(names, &mut state, &source.tree, choice);
    let given = related.iter().find_map(|one| one.given(prototype));
    let mut node = node_with(names, &mut state, above, prototype, nobody, given);
    if !related.iter().all(|one| one.tell_node(names, &mut state, &mut node)) {
        return None;
    }
    let new_above = state.new_block_id();
    let parent = links.parent.expect("only nodes that know their parents have a stand-in");
    let to_new_above = names.link(new_above, links.head);
    set_cell(&mut node, parent, to_new_above, names);
    let shared = Shared { order: None, related: &related, measured: None };
    add_links(names, &mut state, (above, &mut node), source, (choice, shared));
    let mut rest = source.block.as_ref().clone();
    let hole = Some(names.link(above, links.head));
    let (order, measures) = (None, None);
    let tree = source.tree.clone();
    rest.role = Tree { hole, above: Some(new_above), order, downward, measures, ..tree }.into();
    stand_in.make_peer_of(root);
    state.blocks.insert(root, Arc::new(rest));
    state.blocks.insert(above, Arc::new(node));
    state.blocks.insert(new_above, Arc::new(stand_in));
    Some(state)
}

/// What is told of the trees below a node that comes out.
#[derive(Clone, Copy)]
struct Shared<'s> {
    order: Option<&'s Shares>,
    related: &'s [RelatedNode],
    measured: Option<&'s MeasuredNode>,
}

impl Shared<'_> {
    /// A tree below the link with this index, which has this hole.
    fn below(self, source: &Source, index: usize, hole: Option<TermId>) -> Tree {
        let order = self.order.and_then(|shares| shares.below[index]);
        let downward = self.related.iter().filter_map(|one| one.below[index].clone()).collect();
        let measures = self.measured.and_then(|measured| measured.below[index].clone());
        Tree { hole, order, downward, measures, ..source.tree.clone() }
    }
}

/// Writes the links of a node to those below it, which come into the state.
fn add_links(
    names: &mut Names<'_>,
    state: &mut State,
    (id, node): (BlockId, &mut Block),
    source: &Source,
    (choice, shared): (&[Link], Shared<'_>),
) {
    let null = names.terms.bit_vector(0, names.pointer_bits());
    let leaf = source.tree.leaf.unwrap_or(null);
    for (index, (&offset, link)) in source.tree.links.children.iter().zip(choice).enumerate() {
        let value = match link {
            Link::Bytes => continue,
            Link::Leaf => leaf,
            Link::Hole => source.tree.hole.expect("a hole is chosen only where there is one"),
            Link::Below | Link::Either => {
                let may_be_empty = *link == Link::Either;
                let below = Tree { may_be_empty, ..shared.below(source, index, None) };
                new_tree(names, state, id, source, below)
            }
            Link::BelowWithHole => {
                new_tree(names, state, id, source, shared.below(source, index, source.tree.hole))
            }
        };
        set_cell(node, offset, value, names);
    }
}

/// A tree below a node; gives the link to it.
fn new_tree(
    names: &mut Names<'_>,
    state: &mut State,
    parent_node: BlockId,
    source: &Source,
    tree: Tree,
) -> TermId {
    let id = state.new_block_id();
    let links = &source.tree.links;
    let mut block = source.block.as_ref().clone();
    let parent = links.parent.map(|_| names.link(parent_node, links.head));
    let above = source.tree.above.filter(|_| tree.hole.is_some());
    if let Some(above) = above {
        state.block_mut(above).make_peer_of(id);
    }
    block.role = Tree { parent, above, ..tree }.into();
    state.blocks.insert(id, Arc::new(block));
    names.link(id, links.head)
}
