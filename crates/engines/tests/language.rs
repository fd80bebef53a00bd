//! Facts of C that every engine has to honour. A wrong program whose fault rests on one of them is
//! proved by no engine, a right one that looks like it is refuted by none and proved by some.

use std::time::Duration;

use heapwright_engine::{Deadline, Run, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *); extern void *alloca(size_t);
extern void *memcpy(void *, const void *, size_t); extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t); extern char *strcpy(char *, const char *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct pair { int a, b; };
static int rare(void) { return __VERIFIER_nondet_int() == 987654321; }
";

/// What each engine alone says of a program.
fn verdicts(body: &str) -> Vec<(&'static str, Verdict)> {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect(body).program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let all = engines(&EngineOptions::default());
    let asked = all.iter().map(|engine| {
        let deadline = Deadline::after(Duration::from_secs(5));
        let finding = engine.run(&task, &Run::alone(&deadline));
        (engine.name(), conclude(&task, finding, &deadline))
    });
    asked.collect()
}

fn never_proved(programs: &[&str]) {
    for program in programs {
        for (engine, verdict) in verdicts(program) {
            assert!(!matches!(verdict, Verdict::Holds(_)), "{engine} proves {program}");
        }
    }
}

/// Not proved, and some engine shows the violation.
fn refuted(programs: &[&str]) {
    for program in programs {
        let verdicts = verdicts(program);
        let is_proved = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Holds(_)));
        let is_refuted = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Violated(_)));
        assert!(!is_proved && is_refuted, "{verdicts:?}: {program}");
    }
}

fn proved(programs: &[&str]) {
    for program in programs {
        let verdicts = verdicts(program);
        let is_proved = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Holds(_)));
        let is_refuted = verdicts.iter().any(|(_, it)| matches!(it, Verdict::Violated(_)));
        assert!(is_proved && !is_refuted, "{verdicts:?}: {program}");
    }
}

#[test]
fn constants_are_written_by_their_initialisers_alone() {
    refuted(&[
        "static const int k = 5; int main(void) { int *p = (int *)&k; if (rare()) *p = 6; return 0; }",
        "int main(void) { const int k = 5; int *p = (int *)&k; if (rare()) *p = 6; return 0; }",
        "static const struct pair k = {1, 2};
         int main(void) { int *p = (int *)&k.b; if (rare()) *p = 6; return 0; }",
        "static void f(const int x) { int *p = (int *)&x; if (rare()) *p = 1; }
         int main(void) { f(3); return 0; }",
        "int main(void) { int *p = (int *)&(const int){4}; if (rare()) *p = 1; return 0; }",
        "static const char k[8] = \"abc\"; int main(void) { memset((void *)k, 0, rare() ? 8 : 0);
         return 0; }",
    ]);
    never_proved(&[
        "static void set(int *p, int n) { if (n > 0) set(p, n - 1); else if (rare()) *p = 1; }
         int main(void) { const int x = 3; int n = __VERIFIER_nondet_int(); set((int *)&x, n);
         return 0; }",
    ]);
    proved(&[
        "static int k = 5; int main(void) { const int *p = &k; *(int *)p = 6;
         if (k != 6) reach_error(); return 0; }",
        "static int f(const struct pair x) { const struct pair *p = &x; return p->b; }
         int main(void) { struct pair t = {1, 2}; if (f(t) != 2) reach_error(); return 0; }",
        "int main(void) { int sum = 0; for (int i = 0; i < 3; i++) { const int a[2] = {i, i};
         const int *p = a; sum += p[1]; } if (sum != 3) reach_error(); return 0; }",
    ]);
}

#[test]
fn no_array_has_a_negative_length_and_no_object_is_too_large() {
    refuted(&[
        "int main(void) { int n = rare() ? -5 : 5; int a[n]; a[0] = 1; return 0; }",
        "int main(void) { unsigned n = rare() ? 0 : 5; int a[n]; a[0] = 1; return 0; }",
        "int main(void) { int n = rare() ? -1 : 3; int a[2][n]; a[1][0] = 1; return 0; }",
        "int main(void) { unsigned long n = rare() ? (1UL << 62) + 1 : 3; int a[n]; a[0] = 1;
         return 0; }",
        "int main(void) { long n = 3, m = 2; if (rare()) { n = 1L << 33; m = 1L << 33; }
         int a[n][m]; return sizeof a == 3; }",
        "int main(void) { int n = rare() ? -7 : 7; char *p = alloca(n); p[0] = 1; return 0; }",
    ]);
    proved(&[
        "int main(void) { int n = rare() ? 0 : 5; int a[n]; if (n) a[4] = 1; return 0; }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 4) return 0; int a[n];
         a[n - 1] = 1; return 0; }",
        "int main(void) { int n = rare() ? 0 : 4; char *p = alloca(n); if (n) p[3] = 1; return 0; }",
    ]);
}

#[test]
fn copies_do_not_overlap_in_part() {
    refuted(&[
        "int main(void) { char b[8] = \"abcdefg\"; memcpy(b + 2, b, rare() ? 3 : 2); return 0; }",
        "int main(void) { char *b = malloc(8); memset(b, 1, 8); char *c = rare() ? b + 3 : b + 4;
         memcpy(c, b, 4); free(b); return 0; }",
        "int main(void) { int m[4] = {1, 2, 3, 4}; struct pair *p = (struct pair *)m;
         struct pair *q = (struct pair *)(m + (rare() ? 1 : 2)); *p = *q; return 0; }",
        "int main(void) { char b[9] = \"abcdefg\"; char *c = b + 4; if (rare()) c = b + 1;
         strcpy(b, c); return 0; }",
    ]);
    proved(&[
        "int main(void) { char b[8] = \"abcdefg\"; memmove(b + 2, b, rare() ? 3 : 2); return 0; }",
        "int main(void) { char b[8] = \"abcdefg\"; int i = rare() ? 4 : 3; memcpy(b + i, b, 3);
         return 0; }",
        "int main(void) { struct pair a[2] = {{1, 2}, {3, 4}}; int i = rare(); a[i] = a[0];
         if (a[0].a != 1) reach_error(); return 0; }",
    ]);
}

#[test]
fn a_volatile_object_may_change_at_every_read() {
    never_proved(&[
        "volatile int x; int main(void) { int a = x, b = x; if (a != b) reach_error(); return 0; }",
        "int main(void) { volatile int x = 0; if (x) reach_error(); return 0; }",
        "struct s { volatile int f; }; int main(void) { struct s s = {0}; if (s.f) reach_error();
         return 0; }",
        "static int y = 5; int main(void) { int *volatile p = &y; *p = 1; return 0; }",
        "int main(void) { int y = 0; if (*(volatile int *)&y) reach_error(); return 0; }",
        "struct s { volatile int f; }; int main(void) { struct s s = {0}, t; t = s;
         if (t.f) reach_error(); return 0; }",
    ]);
    // Nobody has to change it by magic here.
    refuted(&[
        "int main(void) { volatile int x = 0; x = rare(); if (x) reach_error(); return 0; }",
    ]);
    proved(&["volatile int x; int main(void) { x = 1; if (x < 0) x = 2; return 0; }"]);
}

#[test]
fn a_variable_without_a_value_has_any() {
    refuted(&[
        "int main(void) { if (rare()) goto out; int x = 5; out: if (x != 0 && x != 5) reach_error();
         return 0; }",
        "int main(void) { switch (__VERIFIER_nondet_int()) { int x = 5;
         case 1: if (x != 0 && x != 5) reach_error(); } return 0; }",
        "int main(void) { for (int i = 0; i < 2; i++) { if (i == 1) goto in; int x = 5;
         in: if (x != 5) reach_error(); } return 0; }",
        "int main(void) { int k = 0; again:; int x; if (k == 1) { if (x != 7) reach_error(); return 0; }
         x = 7; k = 1; goto again; }",
        "int main(void) { int k = 0; again:; int x[2]; if (k == 1) { if (x[0] != 7) reach_error();
         return 0; } x[0] = 7; k = 1; goto again; }",
    ]);
    proved(&[
        "int main(void) { int k = 0; int x = 7; again: if (k == 1) { if (x != 7) reach_error();
         return 0; } k = 1; goto again; }",
    ]);
}
