//! Folding and unfolding lose nothing, and unfolding adds nothing either.

use std::sync::Arc;

use heapwright_engine::Task;
use heapwright_logic::TermId;

use super::{DEFINITIONS, claim, is_in, samples, with_definitions};
use crate::abstraction::entail::entails;
use crate::abstraction::normalise::normalise;
use crate::analysis::search::Search;
use crate::definition::members::{Member, members};
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::reasoning::path_condition::Possible;
use crate::summary::fold::{fold, unfold};
use crate::summary::user::small_heaps::write_member;

/// A state in which the first global variables hold the root of a heap and one of its nodes.
pub(super) fn exact(search: &mut Search<'_>, member: &Member, cursor: Option<usize>) -> State {
    let names = &mut search.reasoner.names;
    let mut state = names.start.clone().expect("a start").as_ref().clone();
    let heap = write_member(names, &mut state, member);
    let variable = |name: &str| {
        let found = names.program().variables.enumerated();
        let found = found.filter(|(_, item)| item.name == name && item.function.is_none());
        found.map(|(id, _)| names.facts.slot(id)).next().expect("a global variable")
    };
    let (head, tail) = (variable("head"), variable("tail"));
    let held = cursor.map_or(heap.nodes[0], |cursor| heap.nodes[cursor]);
    let globals = Arc::make_mut(&mut state.globals);
    globals[head] = Some(names.address(heap.nodes[0]));
    globals[tail] = Some(names.address(held));
    state
}

/// Whether the laws of the numbers in a state can hold together.
pub(super) fn is_possible(search: &mut Search<'_>, state: &State) -> bool {
    !matches!(search.reasoner.possible(state, TermId::TRUE), Possible::No)
}

pub(super) fn text(search: &mut Search<'_>, state: &State) -> String {
    search.reasoner.names.describe(state)
}

pub(super) fn folded(search: &mut Search<'_>, heap: &State) -> State {
    let mut state = heap.clone();
    fold(&mut search.domain(), &mut state);
    search.reasoner.names.expect_well_formed(&state);
    state
}

/// What a state is reduced to where states meet: numbers that nothing tells of are gone.
pub(super) fn reduced(search: &mut Search<'_>, heap: &State) -> State {
    let mut state = heap.clone();
    normalise(&mut search.domain(), &mut state);
    state
}

/// The instances of a state, and what stands for the nodes above holes.
fn instances(state: &State) -> Vec<BlockId> {
    let found = state.blocks.iter().filter(|(_, block)| block.instance().is_some());
    found.flat_map(|(&id, block)| std::iter::once(id).chain(block.partner())).collect()
}

/// What was tried.
#[derive(Debug, Default)]
struct Tried {
    heaps: u32,
    instances: u32,
    holes: u32,
    peers: u32,
    samples: u32,
}

fn try_heap(task: &Task, search: &mut Search<'_>, heap: &State, tried: &mut Tried) {
    tried.heaps += 1;
    let folded = folded(search, heap);
    let of_heap = claim(task, &text(search, heap));
    let of_folded = claim(task, &text(search, &folded));
    let here = samples(task, &of_heap, 0);
    for state in &here {
        assert!(is_in(task, state, &of_folded), "folding keeps\n{}", text(search, &folded));
    }
    // A node that a peer stands for is matched before the nodes above it are looked at.
    let has_peer = folded.blocks.values().any(|block| block.is_peer());
    let entailed = if has_peer { &folded } else { heap };
    let known = reduced(search, &folded);
    let is_entailed = entails(&mut search.domain(), &known, entailed);
    assert_eq!(is_entailed, Ok(()), "{}", text(search, &known));
    for id in instances(&folded) {
        tried.instances += 1;
        tried.holes += u32::from(folded.block(id).end(crate::heap::block::End::Next).is_some());
        tried.peers += u32::from(folded.block(id).is_peer());
        let cases = unfold(&mut search.reasoner, folded.clone(), id);
        let cases: Vec<String> = cases.iter().map(|case| text(search, case)).collect();
        let claims: Vec<_> = cases.iter().map(|case| claim(task, case)).collect();
        for state in here.iter().chain(&samples(task, &of_folded, 2)) {
            tried.samples += 1;
            let is_kept = claims.iter().any(|claim| is_in(task, state, claim));
            let folded = text(search, &folded);
            assert!(is_kept, "unfolding keeps\n{folded}\n{}", cases.join("\n"));
        }
        for (case, claim) in cases.iter().zip(&claims) {
            for state in samples(task, claim, 1) {
                tried.samples += 1;
                let folded = text(search, &folded);
                assert!(is_in(task, &state, &of_folded), "unfolding adds\n{folded}\n{case}");
            }
        }
    }
}

#[test]
fn what_is_folded_and_unfolded_keeps_its_meaning() {
    let mut tried = Tried::default();
    for (name, definitions) in DEFINITIONS {
        let before = tried.instances;
        with_definitions(definitions, |task, search, definitions| {
            for predicate in 0..definitions.predicates.len() {
                for member in members(definitions, predicate, 4, 12) {
                    let last = member.nodes.len() - 1;
                    for cursor in [None, Some(last)] {
                        let heap = exact(search, &member, cursor);
                        if !is_possible(search, &heap) {
                            continue;
                        }
                        try_heap(task, search, &heap, &mut tried);
                    }
                }
            }
        });
        assert!(tried.instances > before, "nothing is folded: {name}");
    }
    assert!(tried.holes > 20 && tried.peers > 5, "{tried:?}");
}

#[test]
fn texts_of_instances_are_read_again() {
    for (_, definitions) in DEFINITIONS {
        with_definitions(definitions, |_, search, definitions| {
            for member in members(definitions, 0, 4, 8) {
                let last = member.nodes.len() - 1;
                let heap = exact(search, &member, Some(last));
                let folded = folded(search, &heap);
                let text = text(search, &folded);
                let read = search.reasoner.names.parse_state(&text).expect("a state");
                assert_eq!(search.reasoner.names.describe(&read), text);
                let heap = heapwright_heap_text::parse(&text).expect("a heap");
                assert_eq!(heap.to_string(), remarkless(&text));
            }
        });
    }
}

fn remarkless(text: &str) -> String {
    let line = |line: &str| format!("{}\n", line.split(" //").next().unwrap_or(line));
    text.lines().map(line).collect()
}
