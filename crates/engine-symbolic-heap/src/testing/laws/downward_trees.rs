//! The laws of folding, unfolding and joining, for trees whose nodes are related to those below them.

use std::cell::Cell;

use super::heaps::Plan;
use super::models::is_model;
use super::{Round, segments, try_law};
use crate::abstraction::entail::{Join, entails, join};
use crate::heap::downward::{Downward, Relation};
use crate::heap::state::State;
use crate::precision::{Payload, Sorting};
use crate::summary::fold::unfold;

fn related(state: &State) -> Vec<Downward> {
    let trees = state.blocks.values().filter_map(|block| block.tree());
    trees.flat_map(|tree| tree.downward.iter().cloned()).collect()
}

fn plan(round: &mut Round<'_, '_>) -> Plan {
    round.search.precision.payload = Payload::Numbers;
    round.search.precision.sorting = Sorting::Downwards;
    Plan::of_falling_tree(&mut round.random)
}

/// A heap with such a tree, and what it is folded to.
fn heap(round: &mut Round<'_, '_>, plan: &Plan) -> (State, State) {
    let heap = round.heap(plan);
    let folded = round.folded(&heap);
    (heap, folded)
}

#[test]
fn related_trees_are_folded_and_unfolded_with_their_numbers() {
    let (trees, holes, colours) = (Cell::new(0), Cell::new(0), Cell::new(0));
    try_law(300, |round| {
        let plan = plan(round);
        let (heap, mut state) = heap(round, &plan);
        for one in related(&state) {
            trees.set(trees.get() + 1);
            holes.set(holes.get() + usize::from(one.above_hole.is_some()));
            let alternates = one.relations.contains(&Relation::NonzeroOverZero);
            colours.set(colours.get() + usize::from(alternates));
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
    let (trees, holes, colours) = (trees.get(), holes.get(), colours.get());
    assert!(trees > 100 && holes > 20 && colours > 20, "{trees} trees, {holes} holes, {colours}");
}

#[test]
fn what_two_related_trees_become_describes_both() {
    let joined = Cell::new(0);
    try_law(200, |round| {
        let plan = plan(round);
        let ((first, known), (second, new)) = (heap(round, &plan), heap(round, &plan));
        let general = match join(&mut round.search.domain(), &known, &new, false) {
            Join::Apart => return,
            Join::Covers => known.clone(),
            Join::General(general) => *general,
        };
        joined.set(joined.get() + usize::from(!related(&general).is_empty()));
        for (name, heap) in [("known", &first), ("new", &second)] {
            round.expect_model("the general one", ("general", &general), (name, heap));
        }
        for (name, state) in [("known", &known), ("new", &new)] {
            if entails(&mut round.search.domain(), &general, state).is_err() {
                round.broken("the general one covers", &[("general", &general), (name, state)]);
            }
        }
    });
    assert!(joined.get() > 20, "only {} joins of related trees", joined.get());
}

#[test]
fn a_tree_with_two_numbers_exchanged_is_no_model() {
    let refused = Cell::new(0);
    try_law(200, |round| {
        let plan = plan(round);
        let (heap, folded) = heap(round, &plan);
        let falls = |one: &Downward| one.relations.contains(&Relation::Greater);
        if !related(&folded).iter().any(falls) {
            return;
        }
        let nodes: Vec<_> = heap
            .blocks
            .iter()
            .filter_map(|(&id, block)| {
                Some((id, block.cells.get(&0).filter(|cell| cell.size == 4)?.value))
            })
            .collect();
        let (one, other) = (round.random.below(nodes.len()), round.random.below(nodes.len()));
        let mut changed = heap.clone();
        for (a, b) in [(one, other), (other, one)] {
            let cell = changed.block_mut(nodes[a].0).cells.get_mut(&0).expect("it is there");
            cell.value = nodes[b].1;
        }
        let is_changed = nodes[one].1 != nodes[other].1;
        if is_changed && is_model(round.search, &folded, &changed) {
            round.broken("exchanged numbers", &[("folded", &folded), ("changed", &changed)]);
        }
        refused.set(refused.get() + usize::from(is_changed));
    });
    assert!(refused.get() > 20, "only {} exchanges", refused.get());
}
