//! What those who look closely are told of a search that fails, and of one that does not.

use std::cell::RefCell;

use heapwright_engine::{Attention, Deadline, Detail, Event, Gap, GapKind, Observer, Run};

use crate::no_proof::NoProof;
use crate::precision::{Payload, Precision};
use crate::settings::Settings;
use crate::strategy::search::summarise;
use crate::testing::program::task_of;

/// A list, and a counter that says as little of its length as the engine knows.
const DROPS_BY_COUNT: &str = "
    extern void *malloc(__SIZE_TYPE__); extern void free(void *);
    extern int __VERIFIER_nondet_int(void);
    struct node { struct node *next; };
    int main(void) {
        struct node *head = 0; unsigned rest = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head; head = fresh; rest = rest * 5 + 1;
        }
        while (rest) {
            struct node *next = head->next; free(head); head = next; rest = rest / 5;
        }
        return 0;
    }";

#[derive(Debug)]
struct Listener {
    attention: Attention,
    details: RefCell<Vec<Detail>>,
    gaps: RefCell<Vec<Gap>>,
}

impl Observer for Listener {
    fn notice(&self, event: &Event<'_>) {
        match event {
            Event::Failed(gap) => self.gaps.borrow_mut().push((*gap).clone()),
            Event::Detail { detail, .. } => self.details.borrow_mut().push(*detail),
            Event::TurnBegins { .. }
            | Event::TurnEnds { .. }
            | Event::Progress(_)
            | Event::Obstacle { .. }
            | Event::Learnt { .. }
            | Event::Settled { .. } => {}
        }
    }

    fn attention(&self) -> Attention {
        self.attention
    }
}

/// Searches for invariants while somebody listens.
fn listen(attention: Attention) -> (Listener, Option<NoProof>) {
    let listener = Listener { attention, details: RefCell::default(), gaps: RefCell::default() };
    let (task, never) = (task_of(DROPS_BY_COUNT), Deadline::never());
    let precision = Precision::for_lists(Payload::Numbers);
    let run = Run { observer: &listener, ..Run::alone(&never) };
    let failure = summarise(&task, &Settings::default(), &precision, &run, &never).err();
    (listener, failure.map(|failure| failure.cause))
}

#[test]
fn a_gap_has_the_state_before_and_behind_the_step_that_fails() {
    let (listener, cause) = listen(Attention::Gaps);
    let reason = cause.expect("nothing relates the counter to the list").reason();
    let gaps = listener.gaps.borrow();
    let last = gaps.last().expect("a gap");
    assert_eq!(last.reason, reason);
    let GapKind::Step { from: Some(from), to: Some(_) } = &last.kind else {
        panic!("{last:?}");
    };
    assert!(from.contains("list of 1+") || from.contains("head = 0"), "{from}");
    assert!(listener.details.borrow().is_empty(), "nobody asked for details");
}

#[test]
fn who_looks_closest_hears_of_every_state() {
    let (listener, _) = listen(Attention::Everything);
    let details = listener.details.borrow();
    for wanted in [Detail::Precision, Detail::Explored, Detail::Folded, Detail::Apart] {
        assert!(details.contains(&wanted), "{wanted:?} in {details:?}");
    }
}

#[test]
fn whoever_does_not_listen_changes_nothing() {
    let (silent, cause) = listen(Attention::Outline);
    assert!(silent.gaps.borrow().is_empty() && silent.details.borrow().is_empty());
    assert_eq!(cause, listen(Attention::Everything).1);
}
