//! The laws of folding, unfolding and joining, for lists that have numbers in common.

use std::cell::Cell;
use std::fmt::Write;

use super::heaps::Random;
use super::models::is_model;
use super::{Round, segments, try_law};
use crate::abstraction::entail::{Join, entails, join};
use crate::heap::spelling::Piece;
use crate::heap::state::State;
use crate::precision::{Copies, Keys, Payload};
use crate::summary::fold::unfold;

/// Which lists there are, and which words each of them has, one behind the other.
#[derive(Clone)]
struct Lists {
    words: Vec<Vec<usize>>,
    /// Whether the last node of a list is held.
    holds_last: Vec<bool>,
    is_double: bool,
}

impl Lists {
    fn new(random: &mut Random) -> Lists {
        let count = 2 + random.below(2);
        let word = |random: &mut Random| random.below(3);
        let words = |random: &mut Random| {
            let length = 1 + random.below(3);
            (0..length).map(|_| word(random)).collect()
        };
        Lists {
            words: (0..count).map(|_| words(random)).collect(),
            holds_last: (0..count).map(|_| random.below(3) == 0).collect(),
            is_double: random.below(2) == 0,
        }
    }

    /// A heap with these lists, whose words have some numbers.
    fn heap(&self, random: &mut Random) -> String {
        let words: Vec<Vec<usize>> = (0..3)
            .map(|_| {
                let length = 1 + random.below(3);
                (0..length).map(|_| random.below(4)).collect()
            })
            .collect();
        let (mut text, mut blocks) = ("global head = &b90\n".to_owned(), String::new());
        let mut held = "b90: heap, 64 bytes\n".to_owned();
        let mut next = 100;
        for (list, spelt) in self.words.iter().enumerate() {
            let numbers: Vec<usize> = spelt.iter().flat_map(|&word| words[word].clone()).collect();
            let last = next + numbers.len() - 1;
            let _ = writeln!(held, "+{}/8 = &b{next}", 16 * list);
            if self.holds_last[list] {
                let _ = writeln!(held, "+{}/8 = &b{last}", 16 * list + 8);
            }
            for (index, number) in numbers.iter().enumerate() {
                let id = next + index;
                let link = if id == last { "0".to_owned() } else { format!("&b{}", id + 1) };
                let back = if index == 0 { "0".to_owned() } else { format!("&b{}", id - 1) };
                let _ = writeln!(blocks, "b{id}: heap, 24 bytes\n+0/8 = {link}\n+8/4 = {number}");
                if self.is_double {
                    let _ = writeln!(blocks, "+16/8 = {back}");
                }
            }
            next = last + 1;
        }
        text.push_str(&held);
        text + &blocks
    }
}

fn lists(round: &mut Round<'_, '_>) -> Lists {
    round.search.precision.payload = Payload::Numbers;
    round.search.precision.copies = Copies::Seen;
    // Nodes that are told apart by keys form few lists, and no precision sees both.
    round.search.precision.keys = Keys::Alike;
    Lists::new(&mut round.random)
}

/// A heap with lists, and what it is reduced to.
fn heap(round: &mut Round<'_, '_>, lists: &Lists) -> Option<(State, State)> {
    let text = lists.heap(&mut round.random);
    let heap = round.search.reasoner.names.parse_state(&text).expect("a heap");
    let normal = round.normal(&heap)?;
    Some((heap, normal))
}

fn has_word(state: &State) -> bool {
    let pieces = state.spelt().flat_map(|(_, all)| all).flat_map(|one| &one.pieces);
    pieces.into_iter().any(|piece| matches!(piece, Piece::Word(_)))
}

#[test]
fn lists_are_reduced_and_unfolded_with_the_numbers_that_they_have_in_common() {
    let spelt = Cell::new(0);
    try_law(400, |round| {
        let lists = lists(round);
        let Some((heap, mut state)) = heap(round, &lists) else { return };
        spelt.set(spelt.get() + usize::from(has_word(&state)));
        round.expect_model("reducing keeps", ("normal", &state), ("heap", &heap));
        for _ in 0..8 {
            let ends = segments(&state);
            if ends.is_empty() {
                return;
            }
            let end = ends[round.random.below(ends.len())];
            let cases = unfold(&mut round.search.reasoner, state.clone(), end);
            let fitting = cases.iter().find(|case| is_model(round.search, case, &heap));
            match fitting {
                Some(case) => state = case.clone(),
                None => round.broken("unfolding keeps", &[("before", &state), ("heap", &heap)]),
            }
            if round.random.below(3) == 0 {
                let Some(normal) = round.normal(&state) else { return };
                state = normal;
                round.expect_model("reducing keeps", ("normal", &state), ("heap", &heap));
            }
        }
    });
    assert!(spelt.get() > 30, "only {} heaps have a word", spelt.get());
}

#[test]
fn what_lists_of_two_heaps_have_in_common_describes_both() {
    let joined = Cell::new(0);
    try_law(400, |round| {
        let lists = lists(round);
        let Some((first, known)) = heap(round, &lists) else { return };
        let Some((second, new)) = heap(round, &lists) else { return };
        let general = match join(&mut round.search.domain(), &known, &new, false) {
            Join::Apart => return,
            Join::Covers => known.clone(),
            Join::General(general) => *general,
        };
        joined.set(joined.get() + usize::from(has_word(&general)));
        for (name, heap) in [("known", &first), ("new", &second)] {
            round.expect_model("the general one", ("general", &general), (name, heap));
        }
        for (name, state) in [("known", &known), ("new", &new)] {
            if entails(&mut round.search.domain(), &general, state).is_err() {
                round.broken("the general one covers", &[("general", &general), (name, state)]);
            }
        }
    });
    assert!(joined.get() > 20, "only {} joins with words", joined.get());
}

#[test]
fn lists_with_one_number_changed_are_no_model_of_one_word() {
    let refused = Cell::new(0);
    try_law(200, |round| {
        let mut lists = lists(round);
        let word = lists.words[0].clone();
        lists.words.iter_mut().for_each(|words| words.clone_from(&word));
        lists.holds_last.iter_mut().for_each(|holds| *holds = false);
        let Some((heap, normal)) = heap(round, &lists) else { return };
        if !has_word(&normal) {
            return;
        }
        let nodes: Vec<_> = heap
            .blocks
            .iter()
            .filter(|(_, block)| block.cells.get(&8).is_some_and(|cell| cell.size == 4))
            .map(|(&id, _)| id)
            .collect();
        let node = nodes[round.random.below(nodes.len())];
        let mut changed = heap.clone();
        let number = round.search.reasoner.names.terms.bit_vector(77, 32);
        changed.block_mut(node).cells.get_mut(&8).expect("it is there").value = number;
        if is_model(round.search, &normal, &changed) {
            round.broken("a changed number", &[("normal", &normal), ("changed", &changed)]);
        }
        refused.set(refused.get() + 1);
    });
    assert!(refused.get() > 50, "only {} changes", refused.get());
}
