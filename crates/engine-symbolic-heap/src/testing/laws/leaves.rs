//! The laws of folding, unfolding and joining, for trees whose leaves are one block.

use std::cell::Cell;

use heapwright_logic::TermId;

use super::heaps::Plan;
use super::models::is_model;
use super::{Round, segments, try_law};
use crate::abstraction::entail::{Join, entails, join};
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::summary::fold::unfold;

fn trees_with_sentinel(state: &State) -> Vec<&Tree> {
    let trees = state.blocks.values().filter_map(|block| block.tree());
    trees.filter(|tree| tree.leaf.is_some()).collect()
}

/// A heap with such a tree, and what it is folded to.
fn heap(round: &mut Round<'_, '_>, plan: &Plan) -> (State, State) {
    let heap = round.heap(plan);
    let folded = round.folded(&heap);
    (heap, folded)
}

#[test]
fn trees_with_a_sentinel_are_folded_and_unfolded_with_it() {
    let (trees, holes) = (Cell::new(0), Cell::new(0));
    try_law(300, |round| {
        let plan = Plan::of_tree_with_sentinel(&mut round.random);
        let (heap, mut state) = heap(round, &plan);
        for tree in trees_with_sentinel(&state) {
            trees.set(trees.get() + 1);
            holes.set(holes.get() + usize::from(tree.hole.is_some()));
        }
        round.expect_model("folding keeps", ("folded", &state), ("heap", &heap));
        while let Some(&tree) = segments(&state).first() {
            let cases = unfold(&mut round.search.reasoner, state.clone(), tree);
            let fitting = cases.iter().find(|case| is_model(round.search, case, &heap));
            match fitting {
                Some(case) => state = case.clone(),
                None => round.broken("unfolding keeps", &[("folded", &state), ("heap", &heap)]),
            }
        }
    });
    let (trees, holes) = (trees.get(), holes.get());
    assert!(trees > 60 && holes > 5, "{trees} trees, {holes} with holes");
}

#[test]
fn what_two_trees_with_a_sentinel_become_describes_both() {
    let joined = Cell::new(0);
    try_law(300, |round| {
        let plan = Plan::of_tree_with_sentinel(&mut round.random);
        let ((first, known), (second, new)) = (heap(round, &plan), heap(round, &plan));
        let general = match join(&mut round.search.domain(), &known, &new, false) {
            Join::Apart => return,
            Join::Covers => known.clone(),
            Join::General(general) => *general,
        };
        joined.set(joined.get() + usize::from(!trees_with_sentinel(&general).is_empty()));
        for (name, heap) in [("known", &first), ("new", &second)] {
            round.expect_model("the general one", ("general", &general), (name, heap));
        }
        for (name, state) in [("known", &known), ("new", &new)] {
            if entails(&mut round.search.domain(), &general, state).is_err() {
                round.broken("the general one covers", &[("general", &general), (name, state)]);
            }
        }
    });
    assert!(joined.get() > 20, "only {} joins of trees with a sentinel", joined.get());
}

/// The links of nodes that hold the sentinel.
fn leaves(heap: &State, folded: &State) -> Vec<(BlockId, u64)> {
    let [tree] = trees_with_sentinel(folded)[..] else { return Vec::new() };
    let holds = |id: BlockId, offset: u64| {
        heap.block(id).cells.get(&offset).is_some_and(|cell| Some(cell.value) == tree.leaf)
    };
    let nodes = heap.blocks.keys().filter(|&id| !folded.blocks.contains_key(id));
    let links = nodes.flat_map(|&id| tree.links.children.iter().map(move |&link| (id, link)));
    links.filter(|&(id, link)| holds(id, link)).collect()
}

#[test]
fn a_tree_of_which_one_leaf_is_another_is_no_model() {
    let refused = Cell::new(0);
    try_law(300, |round| {
        let plan = Plan::of_tree_with_sentinel(&mut round.random);
        let (heap, folded) = heap(round, &plan);
        let leaves = leaves(&heap, &folded);
        if leaves.is_empty() {
            return;
        }
        let (node, link) = leaves[round.random.below(leaves.len())];
        let nowhere: TermId = round.search.reasoner.names.terms.bit_vector(0, 64);
        let mut changed = heap.clone();
        changed.block_mut(node).cells.get_mut(&link).expect("it is there").value = nowhere;
        if is_model(round.search, &folded, &changed) {
            round.broken("another leaf", &[("folded", &folded), ("changed", &changed)]);
        }
        // What is folded from that is no model of the heap either.
        let other = round.folded(&changed);
        if is_model(round.search, &other, &heap) {
            round.broken("another tree", &[("folded", &other), ("heap", &heap)]);
        }
        refused.set(refused.get() + 1);
    });
    assert!(refused.get() > 50, "only {} leaves were changed", refused.get());
}
