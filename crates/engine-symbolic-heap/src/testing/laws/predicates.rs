//! The laws of every predicate, on the instances that folding finds in random heaps.

use std::cell::Cell;

use super::*;
use crate::summary::predicate::{PREDICATES, Predicate, predicate_of};

/// What was tried of a predicate.
#[derive(Default)]
struct Tried {
    instances: Cell<u32>,
    peers: Cell<u32>,
    /// Unfoldings that fold again, and how many of them to what the state before entails.
    again: Cell<u32>,
    entailed: Cell<u32>,
}

fn count(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// Blocks of a state that are instances of a predicate, and their peers.
fn instances(state: &State, predicate: &dyn Predicate) -> Vec<BlockId> {
    let is_instance = |(_, block): &(&BlockId, &std::sync::Arc<_>)| predicate.describes(block);
    let found = state.blocks.iter().filter(is_instance);
    found.flat_map(|(&id, block)| std::iter::once(id).chain(block.partner())).collect()
}

/// Unfolds an instance: the heap is in one of the cases, and in what comes of folding it again.
fn unfold_and_fold(
    round: &mut Round<'_, '_>,
    states: (&State, &State),
    id: BlockId,
    tried: &Tried,
) {
    let (state, heap) = states;
    count(if state.block(id).is_peer() { &tried.peers } else { &tried.instances });
    let cases = unfold(&mut round.search.reasoner, state.clone(), id);
    let Some(case) = cases.iter().find(|case| is_model(round.search, case, heap)) else {
        round.broken("unfolding keeps", &[("folded", state), ("heap", heap)]);
    };
    let Some(again) = round.normal(case) else { return };
    round.expect_model("folding again keeps", ("again", &again), ("heap", heap));
    if predicate_of(again.block(id)).is_some() {
        count(&tried.again);
        let is_entailed = entails(&mut round.search.domain(), state, &again).is_ok();
        tried.entailed.set(tried.entailed.get() + u32::from(is_entailed));
    }
}

#[test]
fn every_predicate_keeps_its_laws() {
    // Those of users have laws of their own: which instances there are depends on their definitions. So have rows.
    let is_usual = |predicate: &&dyn Predicate| !predicate.is_of_users() && predicate.is_led_to();
    for predicate in PREDICATES.into_iter().filter(is_usual) {
        let tried = Tried::default();
        try_law(3000, |round| {
            let plan = Plan::new(&mut round.random);
            let heap = round.heap(&plan);
            let Some(state) = round.normal(&heap) else { return };
            for id in instances(&state, predicate) {
                unfold_and_fold(round, (&state, &heap), id, &tried);
            }
            if entails(&mut round.search.domain(), &state, &state).is_err() {
                round.broken("a state entails itself", &[("state", &state)]);
            }
        });
        let Tried { instances, peers, again, entailed } = tried;
        let counts = [&instances, &peers, &again, &entailed].map(Cell::get);
        let [instances, peers, again, entailed] = counts;
        assert!(instances > 100 && peers > 10, "{predicate:?}: {counts:?}");
        assert!(again > 100 && entailed * 10 > again * 9, "{predicate:?}: {counts:?}");
    }
}
