//! Operations on structures keep the heaps that these describe: of all heaps of up to three blocks.

mod common;

use common::{Lists, Random, lists, weakened};
use heapwright_three_valued::{
    Coerced, Kleene, Rule, Structure, blur, canonical_names, coerce, definition_rules, describes,
    embeds, focus_target, focus_unary, join, nodes_of, sort_named,
};

const MOST_BLOCKS: usize = 3;

/// The heaps of a list that a structure describes.
fn models(structure: &Structure, heaps: &[Structure]) -> Vec<usize> {
    (0..heaps.len()).filter(|&index| embeds(&heaps[index], structure)).collect()
}

fn random_structure(lists: &Lists, random: &mut Random) -> Structure {
    let heap = blur(&lists.random_heap(random, 4), &lists.vocabulary);
    weakened(&heap, lists, random)
}

fn rules(lists: &Lists) -> Vec<Rule> {
    let mut rules = vec![Rule::Unique(lists.x), Rule::Function(lists.next)];
    rules.extend(definition_rules(&lists.vocabulary));
    rules
}

#[test]
fn focus_on_a_predicate_keeps_exactly_the_heaps() {
    let (lists, mut random) = (lists(), Random::new(5));
    let heaps = lists.heaps(MOST_BLOCKS);
    for _ in 0..60 {
        let structure = random_structure(&lists, &mut random);
        let before = models(&structure, &heaps);
        for node in nodes_of(structure.blocks()) {
            let focused = focus_unary(&structure, lists.reached, node);
            let mut after: Vec<usize> = focused.iter().flat_map(|it| models(it, &heaps)).collect();
            after.sort_unstable();
            after.dedup();
            assert_eq!(after, before);
        }
    }
}

#[test]
fn focus_on_a_link_keeps_exactly_the_heaps_and_makes_it_definite() {
    let (lists, mut random) = (lists(), Random::new(6));
    let heaps = lists.heaps(MOST_BLOCKS);
    for _ in 0..60 {
        let structure = random_structure(&lists, &mut random);
        let before = models(&structure, &heaps);
        let singles = structure.blocks() & !structure.summaries();
        for node in nodes_of(singles) {
            let focused = focus_target(&structure, lists.next, node);
            for it in &focused {
                let row = it.binary(lists.next, node);
                assert_eq!((row.must().count_ones(), row.half()), (1, 0));
            }
            let mut after: Vec<usize> = focused.iter().flat_map(|it| models(it, &heaps)).collect();
            after.sort_unstable();
            after.dedup();
            assert_eq!(after, before);
        }
    }
}

#[test]
fn coerce_keeps_exactly_the_heaps() {
    let (lists, mut random) = (lists(), Random::new(7));
    let heaps = lists.heaps(MOST_BLOCKS);
    let rules = rules(&lists);
    let mut sharpened = 0;
    for _ in 0..150 {
        let structure = random_structure(&lists, &mut random);
        let mut sharp = structure.clone();
        let before = models(&structure, &heaps);
        match coerce(&mut sharp, &lists.vocabulary, &rules) {
            Coerced::Possible { .. } => assert_eq!(models(&sharp, &heaps), before),
            Coerced::Impossible { .. } => assert_eq!(before, []),
        }
        sharpened += usize::from(sharp != structure);
    }
    assert!(sharpened > 75, "coerce changed only {sharpened} structures");
}

#[test]
fn every_rule_is_true_of_every_heap() {
    let lists = lists();
    for mut heap in lists.heaps(MOST_BLOCKS) {
        let before = heap.clone();
        let coerced = coerce(&mut heap, &lists.vocabulary, &rules(&lists));
        assert_eq!((coerced, &heap), (Coerced::Possible { rounds: 1 }, &before));
    }
}

#[test]
fn a_rule_that_a_heap_breaks_refutes_it() {
    let lists = lists();
    // Two nodes that x points to.
    let mut heap = lists.heaps(2).pop().expect("there are heaps");
    heap.set_unary(lists.x, 2, Kleene::True);
    heap.set_unary(lists.x, 3, Kleene::True);
    let coerced = coerce(&mut heap, &lists.vocabulary, &rules(&lists));
    assert_eq!(coerced, Coerced::Impossible { rule: 0 });
}

#[test]
fn blur_loses_no_heap_and_gives_one_node_a_name() {
    let (lists, mut random) = (lists(), Random::new(8));
    let heaps = lists.heaps(MOST_BLOCKS);
    for _ in 0..80 {
        let structure = random_structure(&lists, &mut random);
        let blurred = blur(&structure, &lists.vocabulary);
        let after = models(&blurred, &heaps);
        assert!(models(&structure, &heaps).iter().all(|heap| after.contains(heap)));
        assert_eq!(blur(&blurred, &lists.vocabulary), blurred);
    }
}

#[test]
fn nodes_in_the_order_of_their_names_mean_the_same() {
    let (lists, mut random) = (lists(), Random::new(10));
    let heaps = lists.heaps(MOST_BLOCKS);
    for _ in 0..80 {
        let heap = lists.random_heap(&mut random, 4);
        let structure = weakened(&heap, &lists, &mut random);
        let (sorted, names) = sort_named(&structure, &lists.vocabulary);
        assert_eq!(models(&sorted, &heaps), models(&structure, &heaps));
        assert_eq!(names, canonical_names(&sorted, &lists.vocabulary));
        assert!(names.is_sorted());
    }
}

#[test]
fn a_join_describes_both_and_equal_names_are_compared_node_by_node() {
    let (lists, mut random) = (lists(), Random::new(9));
    let mut joined = 0;
    for _ in 0..2_000 {
        let left = blur(&lists.random_heap(&mut random, 4), &lists.vocabulary);
        let right = blur(&lists.random_heap(&mut random, 4), &lists.vocabulary);
        let Some(both) = join(&left, &right, &lists.vocabulary) else { continue };
        joined += 1;
        assert!(describes(&both, &left, &lists.vocabulary));
        assert!(describes(&both, &right, &lists.vocabulary));
        assert!(embeds(&left, &both) && embeds(&right, &both));
    }
    assert!(joined > 100, "only {joined} pairs had the same names");
}
