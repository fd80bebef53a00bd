//! Laws of the operations on states, tried on random small heaps.
//!
//! A heap is an exact state: every block is itself, every value a constant. What a state stands for is
//! written down a second time in `models`, so the laws do not rest on the code that they are about.
//! A broken law is told as the texts of the states.

mod copies;
mod downward_trees;
mod heaps;
mod leaves;
mod measured_trees;
mod models;
mod predicates;
mod sorted_trees;
mod tree_models;
mod trees;
mod variants;

use heapwright_base::DenseId;

use self::heaps::{Plan, Random};
use self::models::is_model;
use crate::abstraction::entail::{Join, entails, join};
use crate::abstraction::normalise::{Lost, normalise};
use crate::analysis::search::Search;
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::precision::{Copies, Cursors, Keys, Measuring, Payload, Sorting, Variants};
use crate::summary::fold::{fold, unfold};
use crate::summary::tree::learn::{expect_trees, learn_trees, learnt_trees};
use crate::testing::program::with_search;

/// Heaps that are tried; more with `HEAPWRIGHT_LONG_TESTS`.
fn rounds(normal: u64) -> u64 {
    if std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_some() { 40 * normal } else { normal }
}

const MARKS: [Payload; 5] =
    [Payload::Apart, Payload::Prototypes, Payload::Numbers, Payload::Elements, Payload::Sequences];

/// One round of a law: what is random in it.
struct Round<'c, 't> {
    search: &'c mut Search<'t>,
    random: Random,
    seed: u64,
    knows_trees: bool,
}

impl Round<'_, '_> {
    fn heap(&mut self, plan: &Plan) -> State {
        if let Some(tree) = &plan.tree
            && !self.knows_trees
        {
            self.knows_trees = true;
            let lesson = self.search.reasoner.names.parse_state(&tree.lesson()).expect("a heap");
            learn_trees(&mut self.search.reasoner.names, &mut self.search.learnt, &lesson);
            let learnt = learnt_trees(&self.search.reasoner.names, &self.search.learnt);
            assert_eq!(learnt.len(), 1, "a tree: {learnt:?}");
            expect_trees(&mut self.search.reasoner.names, &mut self.search.learnt, &learnt);
        }
        let text = plan.heap(&mut self.random);
        self.search
            .reasoner
            .names
            .parse_state(&text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn folded(&mut self, heap: &State) -> State {
        let mut folded = heap.clone();
        fold(&mut self.search.domain(), &mut folded);
        folded
    }

    /// The normal form, unless something is lost.
    fn normal(&mut self, heap: &State) -> Option<State> {
        let mut normal = heap.clone();
        (normalise(&mut self.search.domain(), &mut normal) == Lost::Nothing).then_some(normal)
    }

    /// A panic that shows states.
    fn broken(&mut self, law: &str, states: &[(&str, &State)]) -> ! {
        let mut text =
            format!("{law}; seed {}, marks {:?}\n", self.seed, self.search.precision.payload);
        for (name, state) in states {
            text.push_str(&format!(
                "\n== state {name}\n{}",
                self.search.reasoner.names.describe(state)
            ));
        }
        panic!("{text}");
    }

    fn expect_model(&mut self, law: &str, abstraction: (&str, &State), heap: (&str, &State)) {
        if !is_model(self.search, abstraction.1, heap.1) {
            self.broken(law, &[abstraction, heap]);
        }
    }
}

/// Tries a law on many heaps, each time with a search of its own.
fn try_law(normal: u64, law: impl Fn(&mut Round<'_, '_>)) {
    for seed in 0..rounds(normal) {
        with_search(|search| {
            let mut random = Random::new(seed);
            search.precision.payload = MARKS[random.below(MARKS.len())];
            search.precision.cursors =
                [Cursors::Folded, Cursors::Apart, Cursors::Single][random.below(3)];
            search.precision.sorting =
                [Sorting::Unseen, Sorting::Seen, Sorting::Downwards][random.below(3)];
            search.precision.copies = [Copies::Unseen, Copies::Seen][random.below(2)];
            search.precision.keys = match seed % 6 {
                2 => Keys::InStates,
                5 => Keys::Apart,
                _ => Keys::Alike,
            };
            if seed % 3 == 1 {
                search.precision.measuring = Measuring::Seen;
            }
            if seed % 4 == 0 {
                search.precision.variants = Variants::Apart;
            }
            law(&mut Round { search, random, seed, knows_trees: false });
        });
    }
}

fn segments(state: &State) -> Vec<BlockId> {
    let is_of_segment = |id: &BlockId| !state.block(*id).is_single();
    state.blocks.keys().copied().filter(is_of_segment).collect()
}

#[test]
fn an_exact_heap_is_a_model_of_itself() {
    try_law(200, |round| {
        let plan = Plan::new(&mut round.random);
        let heap = round.heap(&plan);
        round.expect_model("a heap is its own model", ("heap", &heap), ("heap", &heap));
    });
}

#[test]
fn the_meaning_tells_heaps_apart() {
    let mut apart = 0;
    for seed in 0..200 {
        with_search(|search| {
            let mut random = Random::new(seed);
            let plan = Plan::new(&mut random);
            let mut round = Round { search, random, seed, knows_trees: false };
            let (heap, mut other) = (round.heap(&plan), round.heap(&plan));
            fold(&mut round.search.domain(), &mut other);
            apart += usize::from(!is_model(round.search, &other, &heap));
        });
    }
    assert!(apart > 50, "only {apart} of 200 pairs are told apart");
}

#[test]
fn folding_keeps_the_heap() {
    let folded = std::cell::Cell::new(0);
    let (trees, holes) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    try_law(800, |round| {
        let plan = Plan::new(&mut round.random);
        let heap = round.heap(&plan);
        let abstraction = round.folded(&heap);
        for block in abstraction.blocks.values() {
            let Some(tree) = block.tree() else { continue };
            trees.set(trees.get() + 1);
            holes.set(holes.get() + usize::from(tree.hole.is_some()));
        }
        folded.set(folded.get() + usize::from(!segments(&abstraction).is_empty()));
        round.expect_model("folding keeps", ("folded", &abstraction), ("heap", &heap));
    });
    assert!(folded.get() > 100, "only {} heaps were folded", folded.get());
    assert!(trees.get() > 60 && holes.get() > 10, "{} trees, {} holes", trees.get(), holes.get());
}

#[test]
fn normalising_keeps_the_heap_or_tells_what_is_lost() {
    try_law(300, |round| {
        let plan = Plan::new(&mut round.random);
        let heap = round.heap(&plan);
        let mut normal = heap.clone();
        let lost = normalise(&mut round.search.domain(), &mut normal);
        match (lost, is_model(round.search, &normal, &heap)) {
            (Lost::Nothing, true) | (Lost::Block, false) => {}
            (Lost::Nothing, false) | (Lost::Block, true) => {
                round.broken("normalising", &[("normal", &normal), ("heap", &heap)]);
            }
        }
    });
}

#[test]
fn unfolding_keeps_the_heap_in_one_of_its_cases() {
    let unfolded = std::cell::Cell::new(0);
    try_law(300, |round| {
        let plan = Plan::new(&mut round.random);
        let heap = round.heap(&plan);
        let mut state = round.folded(&heap);
        for _ in 0..4 {
            let ends = segments(&state);
            if ends.is_empty() {
                return;
            }
            let end = ends[round.random.below(ends.len())];
            let cases = unfold(&mut round.search.reasoner, state.clone(), end);
            unfolded.set(unfolded.get() + 1);
            let fitting = cases.iter().find(|case| is_model(round.search, case, &heap));
            match fitting {
                Some(case) => state = case.clone(),
                None => {
                    let law = format!("unfolding b{} keeps", end.index());
                    round.broken(&law, &[("folded", &state), ("heap", &heap)]);
                }
            }
        }
    });
    assert!(unfolded.get() > 200, "only {} unfoldings", unfolded.get());
}

#[test]
fn what_two_states_become_describes_both() {
    let joined = std::cell::Cell::new(0);
    try_law(600, |round| {
        let plan = Plan::mostly_orderly(&mut round.random);
        let other = plan.varied(&mut round.random);
        let (first, second) = (round.heap(&plan), round.heap(&other));
        let (known, new) = (round.folded(&first), round.folded(&second));
        let widens = round.random.below(2) == 0;
        match join(&mut round.search.domain(), &known, &new, widens) {
            Join::Apart => {}
            Join::Covers => {
                round.expect_model("what covers", ("known", &known), ("new", &second));
            }
            Join::General(general) => {
                joined.set(joined.get() + 1);
                for (name, heap) in [("known", &first), ("new", &second)] {
                    round.expect_model("the general one", ("general", &general), (name, heap));
                }
                for (name, state) in [("known", &known), ("new", &new)] {
                    if entails(&mut round.search.domain(), &general, state).is_err() {
                        let states = [("general", &*general), (name, state)];
                        round.broken("the general one covers", &states);
                    }
                }
            }
        }
    });
    assert!(joined.get() > 50, "only {} pairs were joined", joined.get());
}

#[test]
fn covering_is_reflexive_and_transitive_and_means_what_it_says() {
    let chains = std::cell::Cell::new(0);
    try_law(300, |round| {
        let plan = Plan::mostly_orderly(&mut round.random);
        let other = plan.varied(&mut round.random);
        let (heap, other) = (round.heap(&plan), round.heap(&other));
        // States are compared without garbage.
        let (Some(folded), Some(other)) = (round.normal(&heap), round.normal(&other)) else {
            return;
        };
        let mut states = vec![folded, other];
        // The same heap, folded to different degrees.
        for _ in 0..3 {
            let state = states[round.random.below(states.len())].clone();
            let ends = segments(&state);
            if !ends.is_empty() {
                let end = ends[round.random.below(ends.len())];
                states.extend(unfold(&mut round.search.reasoner, state, end));
            }
        }
        let mut covers = vec![vec![false; states.len()]; states.len()];
        for (a, known) in states.iter().enumerate() {
            for (b, new) in states.iter().enumerate() {
                covers[a][b] = entails(&mut round.search.domain(), known, new).is_ok();
                let holds = !covers[a][b]
                    || !is_model(round.search, new, &heap)
                    || is_model(round.search, known, &heap);
                if !holds {
                    let states = [("known", known), ("new", new), ("heap", &heap)];
                    round.broken("what is covered is described", &states);
                }
            }
            if !covers[a][a] {
                round.broken("a state covers itself", &[("state", known)]);
            }
        }
        for (a, b, c) in triples(states.len()) {
            if covers[a][b] && covers[b][c] {
                chains.set(chains.get() + usize::from(a != b && b != c));
                if !covers[a][c] {
                    let [a, b, c] = [a, b, c].map(|index| &states[index]);
                    round.broken("covering is transitive", &[("a", a), ("b", b), ("c", c)]);
                }
            }
        }
    });
    assert!(chains.get() > 50, "only {} chains", chains.get());
}

fn triples(count: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..count).flat_map(move |a| (0..count).flat_map(move |b| (0..count).map(move |c| (a, b, c))))
}
