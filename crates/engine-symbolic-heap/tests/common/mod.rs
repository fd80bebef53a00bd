//! Asking the engine alone about a small program.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_symbolic_heap::{PathTurns, SymbolicHeapEngine};
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

/// Units of work for what is not to be proved: it uses all of them up.
const SOME_WORK: u64 = 300_000;

/// Units of work for what is to be proved.
const MUCH_WORK: u64 = 10_000_000;

#[allow(dead_code, reason = "not every test file needs it")]
fn answer(body: &str) -> Verdict {
    answer_with(PathTurns::First, body)
}

/// The answer, where paths have their turn first or last.
#[allow(dead_code, reason = "not every test file needs it")]
fn answer_with(paths: PathTurns, body: &str) -> Verdict {
    answer_in(SOME_WORK, paths, body)
}

/// The same, with so much work: a busy machine needs more time for it, but comes to the same answer.
fn answer_in(most_work: u64, paths: PathTurns, body: &str) -> Verdict {
    let settings = Settings::new(DataModel::Lp64);
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &settings).expect("the test program is correct C").program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let deadline = Deadline::after(Duration::from_secs(1200));
    let mut engine = SymbolicHeapEngine::default();
    engine.settings.time = Duration::from_secs(600);
    engine.settings.most_work = most_work;
    engine.settings.paths = paths;
    let finding = engine.run(&task, &Run::alone(&deadline));
    conclude(&task, finding, &deadline)
}

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn holds(body: &str) {
    let verdict = answer_in(MUCH_WORK, PathTurns::First, body);
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

/// Proved without a look at single paths, which would decide what is bounded.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn summaries_prove(body: &str) {
    let verdict = answer_in(MUCH_WORK, PathTurns::Last, body);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}\n{body}");
}

/// Not proved, though no path is looked at before, which would find the fault.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn is_never_proved_by_summaries(body: &str) {
    let verdict = answer_with(PathTurns::Last, body);
    assert!(!matches!(verdict, Verdict::Holds(_)), "a wrong proof\n{body}");
}
