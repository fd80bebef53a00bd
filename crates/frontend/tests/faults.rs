//! Small wrong programs, and right ones that look wrong: C to fault, through front end, models and
//! interpreter. The text of each program is all there is to know about it.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::DataModel;

const HEADERS: &str = "#include <assert.h>\n#include <stdarg.h>\n#include <stdint.h>\n\
                       #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Whether the system has the headers of the C library; says so where it has not.
fn has_headers() -> bool {
    let settings = Settings::new(DataModel::Lp64);
    let found = settings.system_folders.iter().any(|folder| folder.join("stdio.h").is_file());
    if !found {
        eprintln!("skipped: there are no headers of the C library");
    }
    found
}

/// The fault that ends a program of these files, `leak`, or `exit N`.
fn ending(files: &[&str]) -> String {
    let sources: Vec<Source> = files
        .iter()
        .enumerate()
        .map(|(number, text)| Source::new(format!("file{number}.c"), format!("{HEADERS}{text}")))
        .collect();
    let settings = Settings::new(DataModel::Lp64);
    let program = match load(&sources, &settings) {
        Ok(loaded) => loaded.program,
        Err(error) => return format!("{error}"),
    };
    let environment = Environment::silent(ListedInputs::new(Vec::new()));
    let report = run(&program, &Default::default(), environment);
    match report.outcome {
        Outcome::Exited(0) if !report.leaked.is_empty() => "leak".to_owned(),
        Outcome::Exited(code) => format!("exit {code}"),
        Outcome::Fault(fault) => fault.kind.name().to_owned(),
        other => format!("{other:?}"),
    }
}

fn check(expected: &str, programs: &[&str]) {
    if !has_headers() {
        return;
    }
    for program in programs {
        assert_eq!(ending(&[program]), expected, "{program}");
    }
}

#[test]
fn accesses_beyond_a_block_are_faults() {
    check(
        "out-of-bounds",
        &[
            r#"int main(void) { char *s = "abc"; return s[4]; }"#,
            "int main(void) { int a[3]; a[3] = 1; return 0; }",
            "int main(void) { int a[3] = {0}; int i = -1; return a[i]; }",
            "int main(void) { char *p = malloc(3); p[3] = 0; free(p); return 0; }",
            "int main(void) { int *p = malloc(3); *p = 0; free(p); return 0; }",
            r#"int main(void) { char b[3]; strcpy(b, "abc"); return 0; }"#,
            r#"int main(void) { char b[3] = "abc"; return strlen(b); }"#,
            "int main(void) { char b[4], c[3]; memset(c, 0, 3); memcpy(b, c, 4); return 0; }",
            "int main(void) { char b[4]; memset(b, 0, 5); return 0; }",
            r#"int main(void) { char b[4]; sprintf(b, "%d", 12345); return 0; }"#,
            r#"struct S { int n; char d[]; }; struct S s = { 3, "abc" };
               int main(void) { return s.d[4]; }"#,
            "struct S { int n; char d[]; };
               int main(void) { struct S *s = malloc(sizeof *s + 2); s->d[2] = 1; free(s);
               return 0; }",
            "struct S { int a:3; int b:13; }; int main(void) { struct S *s = malloc(1);
               s->b = 1; free(s); return 0; }",
            "int g[2]; int h[2]; int main(void) { int *p = g; p += 2; return *p; }",
            "int f(int n, ...) { va_list a; va_start(a, n); int r = 0; for (int i = 0; i < 3;
               i++) r += va_arg(a, int); va_end(a); return r; }
               int main(void) { return f(1, 2, 3); }",
        ],
    );
}

#[test]
fn string_literals_are_not_written() {
    check("read-only-write", &[r#"int main(void) { char *s = "abc"; s[0] = 'x'; return 0; }"#]);
    // What is declared const need not be defined so.
    check(
        "exit 0",
        &["extern int *const shared; int main(void) { *(int **)&shared = 0; return 0; }"],
    );
    check(
        "read-only-write",
        &["extern const int k; int main(void) { *(int *)&k = 0; return 0; } const int k = 1;"],
    );
}

#[test]
fn what_is_dead_is_not_accessed() {
    check(
        "dangling-dereference",
        &[
            "int *f(void) { int x = 3; return &x; } int main(void) { int *p = f(); return *p; }",
            "int main(void) { int *p; { int x = 3; p = &x; } return *p; }",
            "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i;
               if (i) return *p; p = &x; } return 0; }",
            "int main(void) { int *p; { p = (int[]){1,2}; } return p[1]; }",
            "int *g; void f(void) { g = __builtin_alloca(8); *g = 1; } int main(void) { f();
               return *g; }",
            "int main(void) { int n = 3; int *p; { int a[n]; p = a; *p = 1; } return *p; }",
            "int main(void) { int *p = malloc(4); free(p); return *p; }",
            "int main(void) { int *p = malloc(4); int *q = realloc(p, 400); q[0] = 1; *p = 2;
               free(q); return 0; }",
            "struct T { int v[2]; }; struct T f(void) { struct T t = {{1,2}}; return t; }
               int *p; int main(void) { { p = f().v; } return *p; }",
            "int main(void) { int *p; goto in; { int x; in: x = 3; p = &x; } return *p; }",
            "int main(void) { int *p = 0; int k = 0; again: ; int x = k;
               if (k++ == 1) return *p; { int y = 3; p = &y; } goto again; }",
            "int main(void) { for (int i = 0; i < 1; i++) ; int *p; for (int j = 7; j < 8;
               j++) p = &j; return *p; }",
            "int main(void) { int *p; if (1) { int q = 1; p = &q; } switch (1) { case 1: ;
               int z = 3; p = &z; } return *p; }",
            "va_list *g; int f(int n, ...) { va_list a; va_start(a, n); g = &a; va_end(a);
               return 0; } int main(void) { f(1, 2); return va_arg(*g, int); }",
        ],
    );
}

#[test]
fn programs_that_look_wrong_are_fine() {
    check(
        "exit 0",
        &[
            "int main(void) { int *p; p = (int[]){1,2}; return p[1] - 2; }",
            "int main(void) { free(0); return 0; }",
            "void *g; int main(void) { g = malloc(4); return 0; }",
            "int main(void) { int a[3]; int *p = a + 3; return p - a - 3; }",
            "int main(void) { int a[3]; memcpy(a, a, 0); char *e = 0; memcpy(e, a, 0); return 0; }",
            "struct S { int a[3]; int b; }; int main(void) { struct S s = {{1,2,3},4};
               int i = 3; return s.a[i] - 4; }",
            "int main(void) { char *p = calloc(3, 2); int r = p[5]; free(p); return r; }",
            "union U { char c[8]; long l; }; int main(void) { union U u; u.l = 0; return u.c[7]; }",
            "int main(void) { int x = 5; uintptr_t u = (uintptr_t)&x; u += 4; u -= 4;
               int *p = (int *)u; return *p - 5; }",
            "int main(void) { int x = 5; int *p = &x; char b[8]; memcpy(b, &p, 8); int *q;
               memcpy(&q, b, 8); return *q - 5; }",
            "int main(void) { int *p = malloc(4); *p = 3; char b[8]; for (int i = 0; i < 8;
               i++) b[i] = ((char *)&p)[i]; int *q; for (int i = 0; i < 8;
               i++) ((char *)&q)[i] = b[i]; p = 0; int r = *q - 3; free(q); return r; }",
            "int main(void) { long *p = malloc(8); unsigned long x = (unsigned long)p ^ 0xff;
               p = 0; p = (long *)(x ^ 0xff); *p = 1; free(p); return 0; }",
            r#"int main(void) { char s[10] = "a,b"; char *t = strtok(s, ",");
               t = strtok(0, ",");
               return *t - 'b' + strcmp("a", "a") + (strchr(s, 'z') != 0) + atoi("12") - 12; }"#,
            "static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
               int main(void) { int a[4] = {3,1,2,0}; qsort(a, 4, 4, cmp); int k = 2;
               int *f = bsearch(&k, a, 4, 4, cmp); return a[0] + a[3] - 3 + (f - a) - 2; }",
            r#"int main(void) { char *s = strdup("hey"); char *n = realloc(s, 10);
               strcat(n, "you"); int r = strcmp(n, "heyyou"); free(n); return r; }"#,
            "void h(void) { } int main(void) { atexit(h); exit(0); }",
            "int main(void) { int *p = 0; int k = 0; again: ; int x;
               if (k++ == 1) { x = 9; return *p - 9; } x = 7; p = &x; goto again; }",
        ],
    );
}

#[test]
fn blocks_are_freed_once() {
    check(
        "double-free",
        &[
            "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
            "int main(void) { int *p = malloc(4); free(p); p = realloc(p, 8); return 0; }",
        ],
    );
}

#[test]
fn only_heap_blocks_are_freed() {
    check(
        "invalid-free",
        &[
            "int main(void) { int x; free(&x); return 0; }",
            "int main(void) { char *p = malloc(4); free(p + 1); return 0; }",
            r#"int main(void) { free("abc"); return 0; }"#,
            "int main(void) { free(__builtin_alloca(3)); return 0; }",
        ],
    );
}

#[test]
fn lost_blocks_are_leaks() {
    check(
        "leak",
        &[
            "int main(void) { malloc(4); return 0; }",
            "void f(void) { int *p = malloc(4); *p = 3; } int main(void) { f(); return 0; }",
            "struct n { struct n *next; };
               int main(void) { struct n *a = malloc(8), *b = malloc(8); a->next = b;
               b->next = a; a = b = 0; return 0; }",
        ],
    );
}

#[test]
fn null_is_not_accessed() {
    check(
        "null-dereference",
        &[
            "int main(void) { int *p = 0; return *p; }",
            "struct S { int a, b; }; int main(void) { struct S *p = 0; return p->b; }",
            "struct S { int a, b; }; int main(void) { struct S *p = 0, s; s = *p; return 0; }",
            "int main(void) { return strlen(0); }",
        ],
    );
}

#[test]
fn numbers_are_no_pointers() {
    check("wild-dereference", &["int main(void) { int *p = (int *)12345678; return *p; }"]);
}

#[test]
fn nothing_is_divided_by_zero() {
    check(
        "division-by-zero",
        &[
            "int main(void) { int z = 0; return 1 / z; }",
            "int main(void) { unsigned z = 0; return 1 % z; }",
        ],
    );
}

#[test]
fn quotients_fit() {
    check(
        "division-overflow",
        &["int main(void) { int m = -2147483647 - 1, o = -1; return m / o; }"],
    );
}

#[test]
fn only_functions_are_called() {
    check(
        "invalid-callee",
        &[
            "int main(void) { int (*f)(void) = 0; return f(); }",
            "int x; int main(void) { int (*f)(void) = (int (*)(void))&x; return f(); }",
        ],
    );
}

#[test]
fn recursion_ends() {
    check(
        "stack-exhausted",
        &["int f(int x) { return f(x + 1) + 1; } int main(void) { return f(0); }"],
    );
}

#[test]
fn assertions_hold() {
    check("assertion-failed", &["int main(void) { int x = 3; assert(x == 4); return 0; }"]);
}

#[test]
fn errors_are_reached() {
    check(
        "error-reached",
        &["extern void reach_error(void); int main(void) { reach_error(); return 0; }"],
    );
}

#[test]
fn files_may_disagree_about_a_function() {
    if !has_headers() {
        return;
    }
    let narrow = "long twice(int x); int main(void) { return twice(-4) != -8; }";
    assert_eq!(ending(&[narrow, "short twice(long x) { return x * 2; }"]), "exit 0");
    let more = "int first(int, int); int main(void) { return first(0, 1); }";
    assert_eq!(ending(&[more, "int first(int x) { return x; }"]), "exit 0");
    let real = "int half(int); int main(void) { return half(1); }";
    let answer = ending(&[real, "int half(double x) { return x / 2; }"]);
    assert!(answer.starts_with("Unsupported"), "{answer}");
}

#[test]
fn a_program_does_not_start_with_a_record() {
    if !has_headers() {
        return;
    }
    let program = "struct s { int a; }; struct s main(void) { struct s x = { 0 }; return x; }";
    let answer = ending(&[program]);
    assert!(answer.starts_with("Unsupported"), "{answer}");
}

#[test]
fn a_function_is_defined_once() {
    if !has_headers() {
        return;
    }
    let answer = ending(&[
        "int f(void) { return 1; } int main(void) { return f(); }",
        "int f(void) { return 2; }",
    ]);
    assert!(answer.contains("`f` is defined twice"), "{answer}");
}
