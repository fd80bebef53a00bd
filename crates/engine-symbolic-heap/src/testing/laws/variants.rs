//! The laws of folding, unfolding and joining, for trees whose nodes are told apart by what is at their links.

use std::cell::Cell;

use super::heaps::Plan;
use super::models::is_model;
use super::{Round, segments, try_law};
use crate::abstraction::entail::{Join, entails, join};
use crate::heap::at_link::AtLink;
use crate::heap::block::{self, BlockId, DefaultBytes};
use crate::heap::state::State;
use crate::precision::Variants;
use crate::summary::fold::unfold;

/// The kinds of links that trees of a state tell of.
fn told(state: &State) -> Vec<AtLink> {
    let trees = state.blocks.values().filter_map(|block| block.tree());
    let prototypes = trees.flat_map(|tree| &tree.prototypes);
    prototypes.flat_map(|prototype| prototype.links.iter().copied()).collect()
}

/// A heap with a tree, where the links of some nodes without children are overwritten or were never written; and what it is folded to.
fn heap(round: &mut Round<'_, '_>, plan: &Plan) -> (State, State) {
    round.search.precision.variants = Variants::Apart;
    let mut heap = round.heap(plan);
    let blocks: Vec<BlockId> = heap.blocks.keys().copied().collect();
    for id in blocks {
        let links = [8, 16];
        let names = &round.search.reasoner.names;
        let is_null = |offset: &u64| {
            let cell = heap.block(id).cells.get(offset);
            cell.is_some_and(|cell| cell.size == 8 && names.constant(cell.value) == Some(0))
        };
        if !links.iter().all(is_null) || round.random.below(2) == 0 {
            continue;
        }
        let number = round.search.reasoner.names.terms.bit_vector(5, 64);
        let way = round.random.below(3);
        let block = heap.block_mut(id);
        block.rest = DefaultBytes::Uninitialised;
        for offset in links {
            match way {
                0 => drop(block.cells.remove(&offset)),
                1 => block.cells.get_mut(&offset).expect("it is there").value = number,
                _ if offset == 8 => drop(block.cells.remove(&offset)),
                _ => {}
            }
        }
    }
    let folded = round.folded(&heap);
    (heap, folded)
}

#[test]
fn trees_of_variants_are_folded_and_unfolded() {
    let seen = [Cell::new(0), Cell::new(0), Cell::new(0)];
    try_law(400, |round| {
        let plan = Plan::of_tree(&mut round.random);
        let (heap, mut state) = heap(round, &plan);
        for at in told(&state) {
            let index = at as usize;
            seen[index].set(seen[index].get() + 1);
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
    let seen = seen.map(|count| count.get());
    assert!(seen.iter().all(|&count| count > 20), "{seen:?} links");
}

#[test]
fn what_two_trees_of_variants_become_describes_both() {
    let joined = Cell::new(0);
    try_law(400, |round| {
        let plan = Plan::of_tree(&mut round.random);
        let ((first, known), (second, new)) = (heap(round, &plan), heap(round, &plan));
        let general = match join(&mut round.search.domain(), &known, &new, false) {
            Join::Apart => return,
            Join::Covers => known.clone(),
            Join::General(general) => *general,
        };
        joined.set(joined.get() + usize::from(!told(&general).is_empty()));
        for (name, heap) in [("known", &first), ("new", &second)] {
            round.expect_model("the general one", ("general", &general), (name, heap));
        }
        for (name, state) in [("known", &known), ("new", &new)] {
            if entails(&mut round.search.domain(), &general, state).is_err() {
                round.broken("the general one covers", &[("general", &general), (name, state)]);
            }
        }
    });
    assert!(joined.get() > 10, "only {} joins of trees of variants", joined.get());
}

#[test]
fn a_link_that_no_prototype_has_is_no_model() {
    let refused = Cell::new(0);
    try_law(400, |round| {
        let plan = Plan::of_tree(&mut round.random);
        let (heap, folded) = heap(round, &plan);
        let has_some = told(&folded).contains(&AtLink::Below);
        if !has_some || told(&folded).contains(&AtLink::Bytes) {
            return;
        }
        // A leaf becomes a number, which no node of this tree has there.
        let number = round.search.reasoner.names.terms.bit_vector(5, 64);
        let names = &round.search.reasoner.names;
        let inner = heap.blocks.keys().filter(|id| !folded.blocks.contains_key(*id));
        let leaf = inner.copied().find_map(|id| {
            let mut cells = heap.block(id).cells.iter();
            let is_leaf = |offset: u64, cell: &block::Cell| {
                (8..=16).contains(&offset)
                    && cell.size == 8
                    && names.constant(cell.value) == Some(0)
            };
            cells.find(|(at, cell)| is_leaf(**at, cell)).map(|(&at, _)| (id, at))
        });
        let Some((node, link)) = leaf else { return };
        let mut changed = heap.clone();
        changed.block_mut(node).cells.get_mut(&link).expect("it is there").value = number;
        if is_model(round.search, &folded, &changed) {
            round.broken("another link", &[("folded", &folded), ("changed", &changed)]);
        }
        refused.set(refused.get() + 1);
    });
    assert!(refused.get() > 10, "only {} leaves were changed", refused.get());
}
