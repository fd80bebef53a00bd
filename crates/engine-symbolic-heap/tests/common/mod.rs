//! Asking the engine alone about a small program.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_symbolic_heap::SymbolicHeapEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
struct pair { struct pair *next; struct pair *previous; int value; };
";

fn answer(body: &str) -> Verdict {
    answer_after(heapwright_engine_symbolic_heap::Settings::default().first_look, body)
}

/// The answer, after a look at single paths.
fn answer_after(first_look: Duration, body: &str) -> Verdict {
    let usual = heapwright_engine_symbolic_heap::Settings::default().summary_first_look;
    answer_in(first_look, usual, body)
}

/// The same, with so much time for each way to find invariants before the next is tried, and seven
/// times as much in all.
fn answer_in(first_look: Duration, for_each_way: Duration, body: &str) -> Verdict {
    let settings = Settings::new(DataModel::Lp64);
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &settings).expect("the test program is correct C").program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let time = 7 * for_each_way;
    let deadline = Deadline::after(2 * time);
    let mut engine = SymbolicHeapEngine::default();
    engine.settings.time = time;
    engine.settings.first_look = first_look;
    engine.settings.summary_first_look = for_each_way;
    let finding = engine.run(&task, &Run::alone(&deadline));
    conclude(&task, finding, &deadline)
}

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn holds(body: &str) {
    let verdict = answer(body);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn violates(part: &str, body: &str) {
    match answer(body) {
        Verdict::Violated(violation) => assert_eq!(violation.part().name(), part),
        verdict @ (Verdict::Holds(_) | Verdict::Unknown(_)) => panic!("{verdict:?}"),
    }
}

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn is_never_proved(body: &str) {
    assert!(!matches!(answer(body), Verdict::Holds(_)), "a wrong proof");
}

/// Proved, where many shapes take their time; a busy machine may need more of it.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn holds_in_time(body: &str) {
    let verdict = answer_in(Duration::ZERO, Duration::from_secs(30), body);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}

/// Proved without a look at single paths, which would decide what is bounded.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn summaries_prove(body: &str) {
    let verdict = answer_after(Duration::ZERO, body);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}\n{body}");
}

/// Not proved, though no path is looked at before, which would find the fault.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn is_never_proved_by_summaries(body: &str) {
    let verdict = answer_after(Duration::ZERO, body);
    assert!(!matches!(verdict, Verdict::Holds(_)), "a wrong proof\n{body}");
}
