//! The laws of folding, unfolding and joining, for trees that tell how many nodes they have and how high they are.

use std::cell::Cell;

use super::heaps::Plan;
use super::models::{Walk, is_model};
use super::{Round, segments, try_law};
use crate::abstraction::entail::{Join, entails, join};
use crate::analysis::search::Search;
use crate::heap::block::{BlockId, Cell as Bytes};
use crate::heap::measures::{Measures, Siblings};
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::precision::{Measuring, Payload, Sorting, Variants};
use crate::summary::fold::unfold;

/// How many nodes there are, and how high they stand.
type Measured = (u128, u128);

impl Walk<'_> {
    /// The same of a tree that is seen as a whole: one without a hole at its root, another where its hole is.
    pub(super) fn is_measured_if_known(
        &mut self,
        search: &mut Search<'_>,
        tree: &Tree,
        (parent, node, root): (Option<BlockId>, BlockId, BlockId),
        hole: Option<(usize, bool)>,
    ) -> bool {
        match hole {
            Some((index, true)) => self.is_measured(search, tree, root, Some((node, index))),
            None if parent.is_none() && tree.hole.is_none() => {
                self.is_measured(search, tree, root, None)
            }
            Some((_, false)) | None => true,
        }
    }

    /// Whether an exact tree has the measures that are told; its hole is at the link of a node with this index.
    fn is_measured(
        &mut self,
        search: &mut Search<'_>,
        tree: &Tree,
        root: BlockId,
        hole: Option<(BlockId, usize)>,
    ) -> bool {
        let Some(measures) = &tree.measures else { return true };
        let most = self.heap.blocks.len();
        let Some((size, height)) = self.measure(search, (tree, measures), (root, most), hole)
        else {
            return false;
        };
        let told = [
            (Some(measures.size), size),
            (measures.whole.as_ref().map(|whole| whole.height), height),
        ];
        told.into_iter().all(|(term, number)| {
            let number = search.reasoner.names.terms.bit_vector(number, 64);
            term.is_none_or(|term| self.value(search, term, number))
        })
    }

    fn measure(
        &self,
        search: &mut Search<'_>,
        (tree, measures): (&Tree, &Measures),
        (node, levels): (BlockId, usize),
        hole: Option<(BlockId, usize)>,
    ) -> Option<Measured> {
        let levels = levels.checked_sub(1)?;
        let (mut size, mut heights) = (1, Vec::new());
        for (index, offset) in tree.links.children.iter().enumerate() {
            if hole == Some((node, index)) {
                continue;
            }
            let value = self.heap.block(node).cells.get(offset)?.value;
            let below = match self.is_leaf(search, tree, value) {
                true => (0, 0),
                false => {
                    let (below, _) = search.reasoner.names.pointer(value)?;
                    self.measure(search, (tree, measures), (below, levels), hole)?
                }
            };
            size += below.0;
            heights.push(below.1);
        }
        let highest = heights.iter().copied().max().unwrap_or(0);
        let lowest = heights.iter().copied().min().unwrap_or(0);
        let whole = measures.whole.as_ref().filter(|_| hole.is_none());
        let is_kept = whole.is_none_or(|whole| {
            let are_near = match whole.siblings {
                Siblings::Any => true,
                Siblings::Balanced => highest - lowest <= 1,
                Siblings::Level => highest == lowest,
            };
            let (size, height) = (
                search.reasoner.names.terms.bit_vector(size, 64),
                search.reasoner.names.terms.bit_vector(highest + 1, 64),
            );
            are_near
                && whole.stored.iter().all(|one| {
                    let number = one.number(&mut search.reasoner.names.terms, (size, height));
                    self.number(one.place, node).is_none_or(|exact| exact == number)
                })
        });
        is_kept.then_some((size, highest + 1))
    }
}

fn measured(state: &State) -> Vec<Measures> {
    let trees = state.blocks.values().filter_map(|block| block.tree());
    trees.filter_map(|tree| tree.measures.clone()).collect()
}

fn plan(round: &mut Round<'_, '_>) -> Plan {
    round.search.precision.payload = Payload::Numbers;
    round.search.precision.sorting = Sorting::Unseen;
    round.search.precision.variants = Variants::Alike;
    round.search.precision.measuring = Measuring::Seen;
    Plan::of_measured_tree(&mut round.random)
}

/// A heap with such a tree, and what it is folded to.
fn heap(round: &mut Round<'_, '_>, plan: &Plan) -> (State, State) {
    let heap = round.heap(plan);
    let folded = round.folded(&heap);
    (heap, folded)
}

#[test]
fn measured_trees_are_folded_and_unfolded_with_their_measures() {
    let (trees, holes, kept) = (Cell::new(0), Cell::new(0), Cell::new(0));
    try_law(300, |round| {
        let plan = plan(round);
        let (heap, mut state) = heap(round, &plan);
        for one in measured(&state) {
            trees.set(trees.get() + 1);
            holes.set(holes.get() + usize::from(one.whole.is_none()));
            let is_kept = one.whole.is_some_and(|whole| !whole.stored.is_empty());
            kept.set(kept.get() + usize::from(is_kept));
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
    let (trees, holes, kept) = (trees.get(), holes.get(), kept.get());
    assert!(trees > 100 && holes > 20 && kept > 50, "{trees} trees, {holes} holes, {kept} kept");
}

#[test]
fn what_two_measured_trees_become_describes_both() {
    let joined = Cell::new(0);
    try_law(200, |round| {
        let plan = plan(round);
        let ((first, known), (second, new)) = (heap(round, &plan), heap(round, &plan));
        let general = match join(&mut round.search.domain(), &known, &new, false) {
            Join::Apart => return,
            Join::Covers => known.clone(),
            Join::General(general) => *general,
        };
        joined.set(joined.get() + usize::from(!measured(&general).is_empty()));
        for (name, heap) in [("known", &first), ("new", &second)] {
            round.expect_model("the general one", ("general", &general), (name, heap));
        }
        for (name, state) in [("known", &known), ("new", &new)] {
            if entails(&mut round.search.domain(), &general, state).is_err() {
                round.broken("the general one covers", &[("general", &general), (name, state)]);
            }
        }
    });
    assert!(joined.get() > 20, "only {} joins of measured trees", joined.get());
}

#[test]
fn a_tree_with_a_wrong_measure_in_a_node_is_no_model() {
    let refused = Cell::new(0);
    try_law(200, |round| {
        let plan = plan(round);
        let (heap, folded) = heap(round, &plan);
        let is_kept = |one: &Measures| one.whole.as_ref().is_some_and(|it| !it.stored.is_empty());
        if !measured(&folded).iter().any(is_kept) {
            return;
        }
        let has_number =
            |id: &&BlockId| heap.block(**id).cells.get(&0).is_some_and(|it| it.size == 4);
        let nodes: Vec<BlockId> = heap.blocks.keys().filter(has_number).copied().collect();
        let mut changed = heap.clone();
        let node = changed.block_mut(nodes[round.random.below(nodes.len())]);
        let value = round.search.reasoner.names.terms.bit_vector(77, 32);
        node.cells.insert(0, Bytes { size: 4, value });
        if is_model(round.search, &folded, &changed) {
            round.broken("a wrong measure", &[("folded", &folded), ("changed", &changed)]);
        }
        refused.set(refused.get() + 1);
    });
    assert!(refused.get() > 20, "only {} changes", refused.get());
}
