//! Certificates that were changed by hand: the check from text must refuse them.

use std::time::Duration;

use heapwright_engine::{Deadline, Proof, Task};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

use crate::engine::{Known, ThreeValuedEngine, decide};
use crate::model::Atlas;
use crate::proof::ShapeProof;

const LINKS_CANCEL: &str = "
extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; struct node *prev; };
int main(void) {
    struct node *head = malloc(sizeof *head), *last = head;
    head->next = 0; head->prev = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = 0; fresh->prev = last; last->next = fresh; last = fresh;
    }
    while (head) {
        if (head->next && head->next->prev != head) reach_error();
        head = head->next;
    }
}";

fn task() -> Task {
    let source = Source::new("test.c", LINKS_CANCEL.to_owned());
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    Task { program, specification, malloc_may_fail: false }
}

fn deadline() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn proof(task: &Task) -> ShapeProof {
    let run = heapwright_engine::Run::alone(&deadline());
    decide((task, &Atlas::of(task)), &ThreeValuedEngine::default(), &mut Known::default(), &run)
        .expect("a proof")
}

/// Whether the proof is still accepted with this text.
fn is_accepted(task: &Task, proof: ShapeProof, certificate: String) -> bool {
    ShapeProof { certificate, ..proof }.check(task, &deadline()).is_ok()
}

/// The text without the part that begins at `start` and ends with `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let from = text.find(start).expect(start);
    let to = from + text[from..].find(end).expect(end) + end.len();
    format!("{}{}", &text[..from], &text[to..])
}

#[test]
fn what_was_found_is_accepted() {
    let task = task();
    let proof = proof(&task);
    let text = proof.certificate.clone();
    assert!(is_accepted(&task, proof, text));
}

#[test]
fn a_state_that_is_missing_is_noticed() {
    let task = task();
    let text = proof(&task).certificate;
    let states = text.matches("state ").count();
    for index in 0..states {
        let (at, _) = text.match_indices("state ").nth(index).expect("counted");
        let changed = format!("{}{}", &text[..at], without(&text[at..], "state ", "end\n"));
        assert!(!is_accepted(&task, proof(&task), changed), "state {index}");
    }
}

#[test]
fn a_value_that_is_too_sharp_is_noticed() {
    let task = task();
    let text = proof(&task).certificate;
    let mut refused = 0;
    for (at, _) in text.match_indices("? ") {
        let changed = format!("{}{}", &text[..at], &text[at + 1..]);
        refused += usize::from(!is_accepted(&task, proof(&task), changed));
    }
    assert!(refused > 0, "no sharper value was refused");
}

#[test]
fn a_family_that_is_needed_is_missed() {
    let task = task();
    let text = proof(&task).certificate;
    let lines = text.lines().filter(|line| !line.starts_with("rule c_next"));
    let changed: String = lines.map(|line| format!("{line}\n")).collect();
    assert!(!is_accepted(&task, proof(&task), changed));
}

#[test]
fn a_rule_that_is_false_is_noticed_on_small_heaps() {
    let task = task();
    let text = proof(&task).certificate;
    let changed = text.replacen("rule ", "rule next(u, v) & block(v) -> next(v, u)\nrule ", 1);
    assert!(!is_accepted(&task, proof(&task), changed));
}

#[test]
fn every_change_of_a_predicate_is_compared_with_its_definition() {
    let task = task();
    let text = proof(&task).certificate;
    let changes: Vec<&str> = text.lines().filter(|line| line.starts_with("change ")).collect();
    assert!(changes.len() >= 4, "{changes:?}");
    for line in changes {
        let (head, _) = line.split_once(": ").expect("a change");
        let changed = text.replacen(line, &format!("{head}: c_next(v)"), 1);
        assert!(!is_accepted(&task, proof(&task), changed), "{line}");
    }
}

#[test]
fn a_predicate_that_a_new_block_changes_elsewhere_is_noticed() {
    let task = task();
    let text = proof(&task).certificate;
    let start = text.find("rule ").expect("a rule");
    let (head, tail) = text.split_at(start);
    let certificate = format!("{head}define unary only(v) = forall w: w = v\n{tail}");
    let changed = ShapeProof { certificate, ..proof(&task) };
    let refusal = changed.check(&task, &deadline()).expect_err("two blocks are two").text;
    let expected = "a predicate changes with a block that nothing leads to on a small heap";
    assert_eq!(refusal, expected);
}

/// `prev` of each block of a summary leads back, but not from every block to every other one.
#[test]
fn a_conclusion_about_a_block_and_itself_is_not_read() {
    let task = task();
    let text = proof(&task).certificate;
    let rule = "rule c_next(u) -> next(u, u)\nrule ";
    let changed = ShapeProof { certificate: text.replacen("rule ", rule, 1), ..proof(&task) };
    let refusal = changed.check(&task, &deadline()).expect_err("it is not read").text;
    assert!(refusal.contains("the conclusion is about a block and itself"), "{refusal}");
}
