//! Comparing: a known tree covers a new one, or single nodes that form one.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Prototype};
use crate::heap::names::Names;
use crate::heap::role::Summary;
use crate::heap::state::State;
use crate::heap::tree::{InOrder, Tree};
use crate::reasoning::Reasoner;
use crate::summary::domain::Domain;
use crate::summary::matched::Manner;
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::matching::{match_values, pair, referrers_beside};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::prototypes::Own;
use crate::summary::tree::discover::{
    FoundTree, Leaf, TreeSearch, can_be_node, parent_of, tree_below,
};
use crate::summary::tree::downward::{join_downward, match_downward, match_ends_downward};
use crate::summary::tree::fold::prototypes_of_tree_node;
use crate::summary::tree::measures::{
    forget_outside, join_measures, match_measures, match_measures_of_trees,
};
use crate::summary::tree::order::{forget_comparisons, read_in_order};
use crate::summary::tree::shared_measures::tell_laws;
use crate::summary::tree::variants::variants_of;

/// Whether a tree covers the new side's tree or nodes.
pub(crate) fn is_tree_covered(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    chains: Chains,
    depth: u32,
) -> Result<bool, Mismatch> {
    let tree = sides.0.block(chains.known).tree().expect("a tree");
    let (prototypes, nodes) = match_tree(&mut domain.reasoner.names, sides, found, tree, chains)?;
    let mut is_covered = match_order(domain.reasoner, sides, found, (tree, &nodes), chains)?;
    is_covered &= match_downward(domain.reasoner, sides, found, (tree, nodes.as_ref()), chains)?;
    is_covered &= match_measures(domain.reasoner, sides, found, (tree, nodes.as_ref()), chains)?;
    is_covered &= tree.may_be_empty || !sides.1.block(chains.new).may_be_empty();
    for prototype in prototypes {
        // All are compared: names may be learnt from each.
        is_covered &= domain.is_covered(sides, found, &tree.prototypes, &prototype, depth);
    }
    Ok(is_covered)
}

/// Whether the new side's tree or nodes are sorted as a tree is. Where they are nodes, matches their numbers.
fn match_order(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    (tree, nodes): (&Tree, &Option<FoundTree>),
    chains: Chains,
) -> Result<bool, Mismatch> {
    let Some(known) = tree.order else { return Ok(true) };
    let Some(new) = common_order(reasoner, sides.1, known, (chains.new, nodes.as_ref())) else {
        return Ok(false);
    };
    if nodes.is_some() {
        match_numbers(&mut reasoner.names, sides, (chains, known, new), found)?;
    }
    Ok(new.order == known.order)
}

/// How the new side's tree or nodes are sorted, if it is as the known tree, or less strictly.
fn common_order(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    known: InOrder,
    (id, nodes): (BlockId, Option<&FoundTree>),
) -> Option<InOrder> {
    let order = known.order;
    [order, order.loosened()].into_iter().find_map(|order| match nodes {
        Some(nodes) => read_in_order(reasoner, state, nodes, order),
        None => {
            let sorted = state.block(id).tree()?.order?;
            sorted.order.implies(order).then_some(InOrder { order, ..sorted })
        }
    })
}

/// Matches the numbers by which trees are sorted. Where one is next to the hole on one side only, the hole is elsewhere.
fn match_numbers(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (chains, known, new): (Chains, InOrder, InOrder),
    found: &mut Match,
) -> Matched {
    let is_alike = match (known.gap, new.gap) {
        (Some(known), Some(new)) => known.is_like(new),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !is_alike {
        return Err(Mismatch::Order(chains.known));
    }
    for ((end, x), (_, y)) in known.ends().zip(new.ends()) {
        let position = Position::End { block: chains.known, end };
        match_values(names, sides, position, (x, y), found)?;
    }
    Ok(())
}

/// Lets a tree of the general state cover the new side's tree or nodes as well.
pub(crate) fn join_tree(
    domain: &mut Domain<'_, '_>,
    (sides, found): (Sides<'_>, &Match),
    chains: Chains,
    manner: Manner,
    general: &mut State,
) -> Option<()> {
    // Not that of the known state: what its ends hold may be general already.
    let mut tree = general.block(chains.known).tree().expect("a tree").clone();
    let mut found_again = found.clone();
    let matched = match_tree(&mut domain.reasoner.names, sides, &mut found_again, &tree, chains);
    let (prototypes, nodes) = matched.ok()?;
    tree.order = tree.order.and_then(|known| {
        let new = (chains.new, nodes.as_ref());
        let common = common_order(domain.reasoner, sides.1, known, new)?;
        Some(InOrder { order: common.order, ..known })
    });
    let new = (chains.new, nodes.as_ref());
    join_downward(domain.reasoner, sides.1, &mut tree.downward, new);
    join_measures(domain.reasoner, sides.1, &mut tree.measures, new);
    for prototype in prototypes {
        domain.add_prototype(sides, found, &mut tree.prototypes, &prototype, manner)?;
    }
    let sorted = tree.order.map(|sorted| sorted.order.place());
    for place in sorted.into_iter().chain(tree.downward.iter().map(|one| one.place)) {
        forget_comparisons(&domain.reasoner.names, place, &mut tree.prototypes);
    }
    tree.may_be_empty |= sides.1.block(chains.new).may_be_empty();
    if !tree.is_well_formed() {
        return None;
    }
    if let Some(measures) = &tree.measures {
        forget_outside(&domain.reasoner.names, &mut tree.prototypes);
        tell_laws(&mut domain.reasoner.names, general, measures);
    }
    tree.origins = tree.origins.union(sides.1.block(chains.new).origins());
    general.block_mut(chains.known).role = tree.into();
    Some(())
}

/// The prototypes of the new side's nodes where the known side has a tree, and the nodes if it has none.
fn match_tree(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    tree: &Tree,
    chains: Chains,
) -> Result<(Vec<Arc<Prototype>>, Option<FoundTree>), Mismatch> {
    let (new, a, b) = (sides.1, chains.known, chains.new);
    if let Some(tree) = new.block(b).tree() {
        return Ok((tree.prototypes.clone(), None));
    }
    let nodes = nodes_of_new(names, sides, found, tree, b).ok_or(Mismatch::Roles(a, b))?;
    match_leaf(names, sides, found, (tree.leaf, nodes.leaf), a)?;
    match_hole(names, sides, found, tree, (a, &nodes))?;
    let mut prototypes = Vec::new();
    for (id, owned) in &nodes.blocks {
        if *id != b {
            found.absorbed.insert(*id);
        }
        found.absorbed.extend(owned.iter().copied());
        // There is one of each: their numbers are as good as the state's.
        prototypes.extend(prototypes_of_tree_node(
            names,
            new,
            *id,
            (&tree.links, variants_of(tree), &[]),
            (owned, Own::Blocks),
        ));
    }
    found.absorbed.extend(nodes.filled.iter().copied());
    Ok((prototypes, Some(nodes)))
}

fn nodes_of_new(
    names: &mut Names<'_>,
    (_, new): Sides<'_>,
    found: &Match,
    tree: &Tree,
    b: BlockId,
) -> Option<FoundTree> {
    let referrers = referrers_beside(names, new, found, b);
    let links = &tree.links;
    let is_node = |_: &Names<'_>, block: &Block| can_be_node(block, links);
    let leaf = leaf_of_new(names, found, tree);
    let variants = variants_of(tree);
    let referrers = &referrers;
    let search = TreeSearch { state: new, referrers, links, is_node: &is_node, leaf, variants };
    tree_below(names, &search, b)
}

/// What leaves hold on the new side, where a known tree may cover nodes.
fn leaf_of_new(names: &mut Names<'_>, found: &Match, tree: &Tree) -> Leaf {
    let Some(leaf) = tree.leaf else { return Leaf::Null };
    let partner = names.pointer(leaf).and_then(|(known, offset)| {
        let offset = names.constant(offset)?;
        Some(names.link(found.partner(known)?, offset as u64))
    });
    // If nothing else tells which block is the sentinel's partner, more than one link does.
    partner.map_or(Leaf::Any, Leaf::Sentinel)
}

/// Matches what leaves hold, if it is not null.
fn match_leaf(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    leaves: (Option<TermId>, Option<TermId>),
    known: BlockId,
) -> Matched {
    let position = Position::End { block: known, end: End::Leaf };
    match leaves {
        (None, None) => Ok(()),
        (Some(leaf), Some(other)) => match_values(names, sides, position, (leaf, other), found),
        (Some(_), None) | (None, Some(_)) => Err(Mismatch::Unset(position)),
    }
}

/// What the root of a tree has as its parent, and what the new side's single node has.
pub(crate) fn match_parent(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (id, y): (BlockId, &Block),
    tree: &Tree,
    found: &mut Match,
) -> Matched {
    let Some(parent) = tree.parent else { return Ok(()) };
    let position = Position::End { block: id, end: End::Previous };
    let other = parent_of(y, &tree.links).ok_or(Mismatch::Unset(position))?;
    match_values(names, sides, position, (parent, other), found)
}

/// Matches what the hole holds.
fn match_hole(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    tree: &Tree,
    (a, nodes): (BlockId, &FoundTree),
) -> Matched {
    match (tree.hole, &nodes.hole) {
        (None, None) => {}
        (Some(x), Some(hole)) => {
            let position = Position::End { block: a, end: End::Next };
            match_values(names, sides, position, (x, hole.value), found)?;
            if let Some(above) = tree.above {
                pair(sides, found, above, hole.above)?;
            }
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(Mismatch::Links(a, nodes.root));
        }
    }
    Ok(())
}

/// Matches a known tree with the new side's tree or single node.
pub(crate) fn match_tree_block(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (BlockId, BlockId),
    found: &mut Match,
) -> Matched {
    let (x, y) = (Arc::clone(sides.0.block(a)), Arc::clone(sides.1.block(b)));
    let known = x.tree().expect("a tree");
    let Some(new) = y.tree() else {
        // Which of its links leads on is seen when the nodes below it are looked at.
        found.segments.push(Chains { known: a, new: b, links: None });
        return match_parent(names, sides, (a, &y), known, found);
    };
    if known.links != new.links || known.hole.is_some() != new.hole.is_some() {
        return Err(Mismatch::Links(a, b));
    }
    if let (Some(known), Some(new)) = (known.above, new.above) {
        pair(sides, found, known, new)?;
    }
    let chains = Chains { known: a, new: b, links: None };
    found.segments.push(chains);
    for end in [End::Next, End::Previous] {
        let Some(value) = x.end(end) else { continue };
        let position = Position::End { block: a, end };
        let other = y.end(end).ok_or(Mismatch::Unset(position))?;
        match_values(names, sides, position, (value, other), found)?;
    }
    match_leaf(names, sides, found, (known.leaf, new.leaf), a)?;
    match_ends_downward(names, sides, (known, new), chains, found)?;
    match_measures_of_trees(names, sides, (known, new), chains, found)?;
    match (known.order, new.order) {
        (Some(known), Some(new)) if new.order.implies(known.order.loosened()) => {
            match_numbers(names, sides, (chains, known, new), found)
        }
        // Where the order cannot be kept, it is given up later.
        (_, _) => Ok(()),
    }
}
