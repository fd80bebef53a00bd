//! Signed overflow as a question and as an assumption, asked of every engine alone: a wrong program is
//! proved by none, a right twin is refuted by none and proved by some.

use std::time::Duration;

use heapwright_engine::{Deadline, Run, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::{DataModel, SignedOverflow};
use heapwright_property::{Property, Specification};
use heapwright_verdict::{Verdict, conclude};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *); extern int abs(int);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void); extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void); extern void reach_error(void);
struct node { struct node *next; int value; };
";

/// What each engine alone says of a program.
fn verdicts(
    body: &str,
    specification: &Specification,
    signed_overflow: SignedOverflow,
) -> Vec<(&'static str, Verdict)> {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let settings = Settings { signed_overflow, ..Settings::new(DataModel::Lp64) };
    let program = load(&[source], &settings).expect(body).program;
    let task = Task::new(program, specification.clone(), false);
    let all = engines(&EngineOptions::default());
    let asked = all.iter().map(|engine| {
        let deadline = Deadline::after(Duration::from_secs(5));
        let finding = engine.run(&task, &Run::alone(&deadline));
        (engine.name(), conclude(&task, finding, &deadline))
    });
    asked.collect()
}

fn expect(verdicts: &[(&'static str, Verdict)], program: &str, wants_proof: bool) {
    let is_proved = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Holds(_)));
    let is_refuted = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Violated(_)));
    assert_eq!((is_proved, is_refuted), (wants_proof, !wants_proof), "{verdicts:?}: {program}");
}

fn asked(program: &str) -> Vec<(&'static str, Verdict)> {
    let specification = Specification::of_property(Property::NoOverflow);
    verdicts(program, &specification, SignedOverflow::Fails)
}

fn overflows(programs: &[&str]) {
    for program in programs {
        expect(&asked(program), program, false);
    }
}

fn fits(programs: &[&str]) {
    for program in programs {
        expect(&asked(program), program, true);
    }
}

#[test]
fn one_input_of_many_overflows() {
    overflows(&[
        "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 == 3; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); return -x == 3; }",
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n\
         if (y == 0) return 0; return x / y == 3; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 46341) return 0; return x * x; }",
        "int main(void) { unsigned short a = __VERIFIER_nondet_ushort(); return a * a == 3; }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 31) return 0;\n\
         return 1 << n; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); return abs(x) == 3; }",
        "int main(void) { long x = __VERIFIER_nondet_long(); x -= 5; return x == 3; }",
    ]);
}

#[test]
fn what_is_tested_first_fits() {
    fits(&[
        "int main(void) { int x = __VERIFIER_nondet_int(); return x < 2147483647 && x + 1 == 3; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > -5) return -x; return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n\
         if (y == 0 || y == -1) return 0; return x / y == 3; }",
        "int main(void) { int x = __VERIFIER_nondet_int();\n\
         if (x < 0 || x > 46340) return 0; return x * x; }",
        "int main(void) { short a = __VERIFIER_nondet_short(); return a * a == 3; }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 30) return 0;\n\
         return 1 << n; }",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); x = x * x + 1; return x == 3; }",
    ]);
}

#[test]
fn counters_of_loops_have_limits() {
    overflows(&[
        "int main(void) { int i = 2147483600; while (__VERIFIER_nondet_int()) i++; return 0; }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5) return 0;\n\
         while (n != 0) { n--; if (n < -2147483640) n -= 100; } return 0; }",
    ]);
    fits(&[
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; return 0; }",
        "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) if (i < 9) i++; return 0; }",
    ]);
}

/// A list whose length a number counts.
const COUNTED: &str = "int main(void) {\n\
    struct node *list = 0; int length = 0;\n\
    while (__VERIFIER_nondet_int()) {\n\
        struct node *node = malloc(sizeof *node);\n\
        node->next = list; list = node; length++;\n\
    }\n\
    while (length--) { struct node *next = list->next; free(list); list = next; }\n\
    return 0; }";

#[test]
fn the_length_of_a_list_fits_where_overflow_is_ruled_out() {
    let everyday = Specification::everyday();
    expect(&verdicts(COUNTED, &everyday, SignedOverflow::Ends), COUNTED, true);
    // Nobody has so much memory, but nobody knows.
    for (engine, verdict) in verdicts(COUNTED, &everyday, SignedOverflow::Wraps) {
        assert!(!matches!(verdict, Verdict::Holds(_)), "{engine}");
    }
    for (engine, verdict) in asked(COUNTED) {
        assert!(!matches!(verdict, Verdict::Holds(_)), "{engine}");
    }
}

#[test]
fn what_is_ruled_out_is_overflow_alone() {
    let specification = Specification::everyday();
    let ask = |program: &str, wants_proof: bool| {
        let verdicts = verdicts(program, &specification, SignedOverflow::Ends);
        expect(&verdicts, program, wants_proof);
    };
    ask("int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); }", true);
    ask("int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < 7) reach_error(); }", false);
    let unsigned = "int main(void) { unsigned x = __VERIFIER_nondet_uint();\n\
                    if (x + 1 < x) reach_error(); }";
    ask(unsigned, false);
    // It is too late to overflow after the error.
    let late = "int main(void) { int x = __VERIFIER_nondet_int();\n\
                if (x == 2147483647) { reach_error(); x++; } return 0; }";
    ask(late, false);
    let narrow = "int main(void) { short x = __VERIFIER_nondet_short(); short y = x; y++;\n\
                  if (y < x) reach_error(); }";
    ask(narrow, false);
}

#[test]
fn a_program_that_wraps_proves_nothing_of_overflow() {
    let specification = Specification::of_property(Property::NoOverflow);
    let program = "int main(void) { return 0; }";
    for mode in [SignedOverflow::Wraps, SignedOverflow::Ends] {
        for (engine, verdict) in verdicts(program, &specification, mode) {
            assert!(!matches!(verdict, Verdict::Holds(_)), "{engine}: {mode:?}");
        }
    }
}
