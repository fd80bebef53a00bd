//! Engines against each other and against compiled programs, a bounded piece of what the command
//! does at length.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_difftest::engines::{self, Pool, Settings, Table};
use heapwright_difftest::native::{Inputs, Native, Outcome};
use heapwright_difftest::process::Scratch;
use heapwright_generators::Family;

const SHARE: Duration = Duration::from_millis(40);

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn run(pool: &Pool, settings: &Settings) -> Table {
    engines::run(pool, settings, &|_, _| {}).unwrap()
}

fn assert_agreement(table: &Table) {
    assert!(table.disagreements.is_empty() && table.panics.is_empty(), "{}", table.text());
}

/// Small programs with inputs: long ones without take some engines more than their share.
const SMALL: [Family; 8] = [
    Family::Lists,
    Family::Owners,
    Family::Marks,
    Family::Recursion,
    Family::Trees,
    Family::Arrays,
    Family::Tables,
    Family::Traps,
];

#[test]
fn no_engine_proves_what_another_refutes() {
    let pool = Pool::new(&SMALL, &[examples()], 25).unwrap();
    let settings = Settings { count: 60, seed: 1, share: SHARE, runs: 16, ..Settings::default() };
    let table = run(&pool, &settings);
    assert_agreement(&table);
    assert!(table.failing > 10, "programs with violations are rare:\n{}", table.text());
}

#[test]
fn no_trap_is_proved_away() {
    let pool = Pool::new(&[Family::Traps], &[], 0).unwrap();
    let settings = Settings { count: 100, seed: 1, share: SHARE, runs: 16, ..Settings::default() };
    assert_agreement(&run(&pool, &settings));
}

#[test]
fn what_is_proved_of_mutants_is_quiet_when_compiled() {
    if let Err(reason) = Native::detect(1) {
        return skip(&reason);
    }
    let pool = Pool::new(&[], &[examples()], 100).unwrap().usual();
    let native_seeds = 8;
    let settings = Settings {
        count: 60,
        seed: 1,
        share: SHARE,
        runs: 16,
        native_seeds,
        ..Settings::default()
    };
    assert_agreement(&run(&pool, &settings));
}

#[test]
fn a_seed_gives_the_same_subject_again() {
    let pool = || Pool::new(&Family::ALL, &[examples()], 50).unwrap();
    let (one, other) = (pool(), pool());
    for seed in 0..100 {
        assert_eq!(one.subject(seed).text, other.subject(seed).text);
    }
}

#[test]
fn a_campaign_goes_on_where_it_was() {
    let scratch = Scratch::new("resume").unwrap();
    let pool = Pool::new(&[Family::Arithmetic], &[], 0).unwrap();
    let share = Duration::from_millis(2);
    let out = Some(scratch.path("out"));
    let settings = Settings { count: 3, share, runs: 1, out, ..Settings::default() };
    assert_eq!(run(&pool, &settings).programs, 3);
    let again = run(&pool, &settings);
    assert_eq!(again.programs, 3);
    let journal = std::fs::read_to_string(scratch.path("out").join("journal.txt")).unwrap();
    assert_eq!(journal.lines().count(), 6, "{journal}");
    assert_eq!(run(&pool, &Settings { count: 5, ..settings }).programs, 5);
}

const PRELUDE: &str =
    "#include <stdlib.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

fn judge(body: &str) -> Option<Outcome> {
    let native = match Native::detect(32) {
        Ok(native) => native,
        Err(reason) => {
            skip(&reason);
            return None;
        }
    };
    let inputs = Inputs { constants: vec![987_654_321], lists: vec![vec![5, 6, 7]] };
    Some(native.judge(&format!("{PRELUDE}{body}"), &inputs).unwrap())
}

fn assert_shown(body: &str, what: &str) {
    match judge(body) {
        Some(Outcome::Violation(shown)) => {
            assert!(shown.what.contains(what), "{}\n{}", shown.what, shown.report);
        }
        Some(other) => panic!("{other:?} for {body}"),
        None => {}
    }
}

#[test]
fn compiled_programs_show_violations_on_rare_inputs() {
    let rare = "__VERIFIER_nondet_int() == 987654321";
    let body = format!(
        "int main(void) {{ int *p = malloc(4); if ({rare}) free(p); *p = 1; free(p); return 0; }}"
    );
    assert_shown(&body, "heap-use-after-free");
    let body =
        format!("int main(void) {{ int *p = malloc(4); if ({rare}) p = 0; free(p); return 0; }}");
    assert_shown(&body, "leak");
    let body = format!("int main(void) {{ assert(!({rare})); return 0; }}");
    assert_shown(&body, "assertion");
}

#[test]
fn compiled_programs_take_inputs_that_were_worked_out() {
    let body = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        assert(!(a == 5 && b == 6 && __VERIFIER_nondet_int() == 7)); return 0; }";
    assert_shown(body, "assertion");
}

#[test]
fn overflow_division_and_abort_are_no_violations() {
    for body in [
        "int main(void) { int x = 0x7fffffff; x++; return x == 0; }",
        "int main(void) { volatile int z = 0; return 1 / z; }",
        "int main(void) { abort(); }",
        "int main(void) { int *p = malloc(4); free(p); return 0; }",
    ] {
        if let Some(outcome) = judge(body) {
            assert_eq!(outcome, Outcome::Quiet, "{body}");
        }
    }
}

/// Written past the capture of the test harness, so that nobody takes a skipped test for a passed
/// one.
fn skip(reason: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "SKIPPED: {reason}").unwrap();
}
