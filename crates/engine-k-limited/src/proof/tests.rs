//! Certificates that were changed by hand: the check must refuse what is too sharp.

use std::time::Duration;

use heapwright_engine::{Deadline, Proof, Task};
use heapwright_frontend::{Settings, Source, load};
use heapwright_graph_text::text;
use heapwright_oracle::{Budget, Effort, Examination, examine};
use heapwright_program::DataModel;
use heapwright_program::analysis::Charts;
use heapwright_property::{Part, Specification};

use crate::analysis::{Explored, explore};
use crate::proof::GraphProof;
use crate::step::Stepper;

/// A list is built and freed; a third link leads to a block that is shared.
const LIST: &str = "
extern void *malloc(unsigned long); extern void free(void *); extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; struct node *common; };
int main(void) {
    struct node *top = 0, *common = malloc(sizeof *common);
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = top; fresh->common = common; top = fresh;
    }
    if (top) common = top->common;
    while (top) { struct node *next = top->next; free(top); top = next; }
    free(common);
}";

fn task() -> Task {
    let source = Source::new("test.c", LIST.to_owned());
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let parts = vec![Part::ValidDeref, Part::ValidFree];
    Task::new(program, Specification { parts, ..Specification::everyday() }, false)
}

fn deadline() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn proof(task: &Task) -> GraphProof {
    let charts = &Charts::of(&task.program);
    match explore(Stepper { task, charts }, 1, &deadline()) {
        Explored::Everything(states) => GraphProof::of(task, 1, &states),
        other => panic!("{other:?}"),
    }
}

fn is_accepted(task: &Task, certificate: String) -> bool {
    GraphProof { certificate, ..proof(task) }.check(task, &deadline()).is_ok()
}

/// How many of these changes, each of them made alone, are refused.
fn refused(task: &Task, changed: impl Iterator<Item = String>) -> (usize, usize) {
    let accepted: Vec<bool> = changed.map(|text| is_accepted(task, text)).collect();
    (accepted.iter().filter(|it| !**it).count(), accepted.len())
}

#[test]
fn what_was_found_is_accepted_and_reads_as_it_was_written() {
    let task = task();
    let text = proof(&task).certificate;
    assert_eq!(text::write(&text::read(&text).expect("well written")), text);
    assert!(is_accepted(&task, text));
}

#[test]
fn a_state_that_is_missing_is_noticed() {
    let task = task();
    let text = proof(&task).certificate;
    let states: Vec<&str> = text.split_inclusive("end\n").collect();
    let without = |gone: usize| -> String {
        let kept = states.iter().enumerate().filter(|(index, _)| *index != gone);
        kept.map(|(_, state)| *state).collect()
    };
    let (refused, all) = refused(&task, (0..states.len()).map(without));
    // Others may describe it as well: the check compares more than states of one outline.
    assert!(all > 2 && refused > all / 2, "{refused} of {all}");
    for place in states.iter().map(|state| state.lines().next().expect("a place")) {
        let kept = states.iter().filter(|state| state.lines().next() != Some(place));
        assert!(!is_accepted(&task, kept.copied().collect()), "{place}");
    }
}

#[test]
fn a_word_that_may_hold_less_is_noticed() {
    let task = task();
    let text = proof(&task).certificate;
    let places = text.match_indices(" null").chain(text.match_indices(" many"));
    let changed = places.map(|(at, word)| format!("{}{}", &text[..at], &text[at + word.len()..]));
    let (refused, all) = refused(&task, changed);
    assert!(all > 2 && refused > all / 2, "{refused} of {all}");
}

#[test]
fn a_bit_that_is_needed_is_missed() {
    let task = task();
    let text = proof(&task).certificate;
    let places = text.match_indices(" shared 8");
    let changed = places.map(|(at, word)| format!("{}{}", &text[..at], &text[at + word.len()..]));
    let (refused, all) = refused(&task, changed);
    assert!(all > 0 && refused > 0, "{refused} of {all}");
}

#[test]
fn what_is_no_text_is_refused() {
    let task = task();
    let text = proof(&task).certificate;
    for wrong in ["end\n", "state f0\n", "state f0 L0\nvariable v0: n7+0\nend\n", "state f0 L0\n"] {
        assert!(!is_accepted(&task, format!("{text}{wrong}")), "{wrong}");
    }
    assert!(!is_accepted(&task, String::new()));
}

/// What the oracle finds out about a certificate without any check of it.
fn examined(task: &Task, certificate: String) -> Examination {
    let proof = GraphProof { certificate, ..proof(task) };
    let mut evidence = proof.evidence(task, &deadline());
    let budget = Budget::of(Effort::Default, Duration::from_secs(5));
    examine(task, evidence.as_mut(), &budget, &deadline())
}

#[test]
fn the_oracle_runs_from_small_states_and_finds_what_is_too_sharp_or_wrong() {
    let task = task();
    let text = proof(&task).certificate;
    let examination = examined(&task, text.clone());
    assert!(examination.refutation.is_none(), "{:?}", examination.refutation);
    assert!(examination.contained > 10 && examination.small_states > 10, "{examination:?}");
    let sharper = text.replace(" null", "");
    assert!(examined(&task, sharper).refutation.is_some());
    // A block that is gone, where it is not: only a run from such a state shows it.
    let rougher = text.replacen("link 0: null", "link 0: null wild", 1);
    assert!(examined(&task, rougher).refutation.is_some());
}
