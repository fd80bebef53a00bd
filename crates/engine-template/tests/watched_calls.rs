//! Contexts and summaries are read on the calls of runs: those of a right proof hold there, and those of
//! another program, which has the same functions and other numbers, do not.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Proof, Run, Task};
use heapwright_engine_template::{CallStyle, Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_oracle::{Budget, Effort, Examination, Problem, examine};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int calls;
";

fn task(body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    Task { program, specification, malloc_may_fail: false }
}

fn proved(task: &Task) -> Box<dyn Proof> {
    let settings = Settings { calls: CallStyle::Summaries, most_copies: 1, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(60));
    match (TemplateEngine { settings }).run(task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => proof,
        other => panic!("not proved: {other:?}"),
    }
}

/// Runs of `other` beside what the proof of `task` says.
fn examined(task: &Task, other: &Task) -> Examination {
    let mut evidence = proved(task).evidence(task, &Deadline::never());
    let budget = Budget::of(Effort::Default, Duration::from_secs(1));
    examine(other, evidence.as_mut(), &budget, &Deadline::never())
}

/// The name of the place where a run of `other` is not as the proof of `task` says, and the row.
#[track_caller]
fn refuted(task: &Task, other: &Task) -> (String, String) {
    let refutation = examined(task, other).refutation.expect("the proof is about another program");
    match refutation.problem {
        Problem::NotContained { cut, why } => (cut, why),
        problem => panic!("{problem}"),
    }
}

/// Counts down from a number between 0 and `most`, and gives `result` at the end.
fn count_down(most: u32, result: i32, step: u32) -> Task {
    task(&format!(
        "static int down(int n) {{ calls = {step}; if (n <= 0) return {result}; return down(n - 1); }}
        int main(void) {{
            int n = __VERIFIER_nondet_int();
            if (n < 0 || n > {most}) return 0;
            int r = down(n);
            if (r < -1000 || calls > 2000) reach_error();
            return 0;
        }}"
    ))
}

#[test]
fn calls_of_the_program_itself_are_as_they_are_claimed() {
    let task = count_down(9, 3, 5);
    let examination = examined(&task, &task);
    assert!(examination.refutation.is_none(), "{:?}", examination.refutation);
    assert_eq!(examination.unclear, 0, "{examination:?}");
    assert_eq!(examination.cut_points_exercised, 3, "the entry, and behind both calls");
}

#[test]
fn a_wrong_summary_is_refuted_behind_a_call() {
    let (place, row) = refuted(&count_down(9, 3, 5), &count_down(9, 4000, 5));
    assert!(place.starts_with("behind the call of `down`"), "{place}: {row}");
}

#[test]
fn what_a_summary_says_of_global_variables_is_read_too() {
    let (place, row) = refuted(&count_down(9, 3, 5), &count_down(9, 3, 1999));
    assert!(row.contains("calls"), "{place}: {row}");
}

#[test]
fn a_wrong_context_is_refuted_at_the_entry() {
    let (place, row) = refuted(&count_down(9, 3, 5), &count_down(1_000, 3, 5));
    assert_eq!(place, "the entry of `down`", "{row}");
}
