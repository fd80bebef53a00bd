//! Hundreds of entailments: an instance on one side, blocks and smaller instances on the other.
//!
//! The other side is the instance unfolded a few times, often with a field changed. Which of them are valid is decided by
//! heaps that are written out and looked at by `heap-text`.

use heapwright_engine::Task;

use super::laws::{exact, is_possible, reduced, text};
use super::{DEFINITIONS, claim, is_in, samples, with_definitions};
use crate::abstraction::entail::entails;
use crate::analysis::search::Search;
use crate::definition::members::members;
use crate::heap::block::{BlockId, BlockKind};
use crate::heap::state::State;
use crate::summary::fold::unfold;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// How many entailments there were, how many of them are valid, and how many of these were found.
#[derive(Debug, Default)]
struct Counts {
    all: u32,
    valid: u32,
    found: u32,
}

/// Unfolds instances, each to a case that some heap is in.
fn unfolded(random: &mut Random, task: &Task, search: &mut Search<'_>, state: &State) -> State {
    let mut state = state.clone();
    for _ in 0..=random.below(3) {
        let instances: Vec<BlockId> = state
            .blocks
            .iter()
            .filter(|(_, block)| block.instance().is_some())
            .map(|(&id, _)| id)
            .collect();
        if instances.is_empty() {
            break;
        }
        let id = instances[random.below(instances.len())];
        let mut cases = unfold(&mut search.reasoner, state.clone(), id);
        cases.retain(|case| {
            let claim = claim(task, &text(search, case));
            // What is counted may need all its nodes.
            !samples(task, &claim, 3).is_empty()
        });
        if cases.is_empty() {
            break;
        }
        state = cases.swap_remove(random.below(cases.len()));
    }
    state
}

/// Changes what one field of one block holds.
fn changed(random: &mut Random, search: &mut Search<'_>, state: &State) -> Option<State> {
    let names = &mut search.reasoner.names;
    let heap: Vec<BlockId> = state
        .blocks
        .iter()
        .filter(|(_, block)| block.kind == BlockKind::Heap)
        .map(|(&id, _)| id)
        .collect();
    let fields: Vec<(BlockId, u64)> = heap
        .iter()
        .flat_map(|&id| state.block(id).cells.keys().map(move |&offset| (id, offset)))
        .collect();
    if fields.is_empty() {
        return None;
    }
    let (id, offset) = fields[random.below(fields.len())];
    let mut state = state.clone();
    let target = heap[random.below(heap.len())];
    let cell = state.block(id).cells[&offset];
    let value = match (cell.size, random.below(3)) {
        (8, 0) => names.terms.bit_vector(0, 64),
        (8, _) => names.address(target),
        (size, number) => names.terms.bit_vector(number as u128, 8 * size as u32),
    };
    state.block_mut(id).cells[&offset].value = value;
    (value != cell.value).then_some(state)
}

/// Asks whether a state is entailed by a known one, and looks at small heaps for the truth.
fn ask(task: &Task, search: &mut Search<'_>, (known, new): (&State, &State), counts: &mut Counts) {
    let (known_text, new_text) = (text(search, known), text(search, new));
    let (of_known, of_new) = (claim(task, &known_text), claim(task, &new_text));
    let heaps = samples(task, &of_new, 2);
    if heaps.is_empty() {
        return;
    }
    let is_valid = heaps.iter().all(|heap| is_in(task, heap, &of_known));
    let is_found = entails(&mut search.domain(), known, new).is_ok();
    assert!(is_valid || !is_found, "a wrong entailment\n{known_text}\n{new_text}");
    counts.all += 1;
    counts.valid += u32::from(is_valid);
    counts.found += u32::from(is_found);
}

#[test]
fn of_hundreds_of_entailments_none_is_wrong_and_most_are_found() {
    let mut random = Random(7);
    let mut counts = Counts::default();
    for (_, definitions) in DEFINITIONS {
        with_definitions(definitions, |task, search, definitions| {
            for round in 0..24 {
                let predicate = random.below(definitions.predicates.len());
                let members = members(definitions, predicate, 4, 40);
                let member = &members[random.below(members.len())];
                let cursor = (round % 2 == 0).then(|| random.below(member.nodes.len()));
                let heap = exact(search, member, cursor);
                if !is_possible(search, &heap) {
                    continue;
                }
                let known = reduced(search, &heap);
                let new = unfolded(&mut random, task, search, &known);
                ask(task, search, (&known, &new), &mut counts);
                if let Some(new) = changed(&mut random, search, &new) {
                    ask(task, search, (&known, &new), &mut counts);
                }
            }
        });
    }
    println!("{counts:?}");
    assert!(counts.all >= 300 && counts.valid < counts.all, "{counts:?}");
    assert!(counts.found * 10 >= counts.valid * 9, "{counts:?}");
}
