//! Arrays of pointers, each to blocks of its own: one element that is lost, freed twice, shared, overwritten or never set.

use crate::{right, wrong};

/// Many blocks of four bytes, one for each element.
fn vectors(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "int main(void) {{ int n = N; if (n <= 0 || n > 1000) return 0; int **a = malloc(n * sizeof *a), j = N, i;
             for (i = 0; i < n; i++) a[i] = malloc(4); {program} }}"
        )]);
    }
}

/// A table of lists.
fn tables(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "struct l {{ struct l *n; int k; }};
             int main(void) {{ int n = N; if (n <= 0 || n > 1000) return 0; struct l **b = calloc(n, sizeof *b), *x; int i, j = N;
             while (N) {{ unsigned h = __VERIFIER_nondet_uint() % (unsigned)n; x = malloc(sizeof *x); x->k = 0; x->n = b[h]; b[h] = x; }}
             {program} }}"
        )]);
    }
}

#[test]
fn elements_are_lost() {
    let programs = [
        "for (i = 0; i < n; i++) if (n != 777 || i != 500) free(a[i]); free(a);",
        "for (i = 0; i < n - (n == 777); i++) free(a[i]); free(a);",
        "if (n == 777) a[500] = 0; for (i = 0; i < n; i++) free(a[i]); free(a);",
        "if (j >= 0 && j < n) { int *t = a[j]; a[j] = a[n - 1]; if (n != 777) a[n - 1] = t; else free(t); }
         for (i = 0; i < n - (n == 777); i++) free(a[i]); if (n != 777) free(a); else { if (j != n - 1) free(a[n - 1]); free(a); }",
        "int **c = malloc(n * sizeof *c); for (i = 0; i < n; i++) { c[i] = a[i]; a[i] = 0; } if (n == 777) c[3] = 0;
         for (i = 0; i < n; i++) free(c[i]); free(a); free(c);",
    ];
    vectors(&programs, wrong);
    let programs = [
        "for (i = 0; i < n; i++) while (b[i] && !(n == 777 && i == 500)) { x = b[i]; b[i] = x->n; free(x); } free(b);",
        "if (n == 777 && j == 500) b[j] = 0; for (i = 0; i < n; i++) while (b[i]) { x = b[i]; b[i] = x->n; free(x); } free(b);",
        "for (i = 0; i < n; i++) { x = b[i]; free(x); } free(b);",
        "for (i = 1; i < n; i++) while (b[i]) { x = b[i]; b[i] = x->n; free(x); } free(b);",
    ];
    tables(&programs, wrong);
}

#[test]
fn elements_are_used_when_they_are_gone() {
    let programs = [
        "for (i = 0; i < n; i++) { free(a[i]); if (n == 777 && i == 500) free(a[i]); } free(a);",
        "if (n == 777) { free(a[500]); a[500] = 0; } for (i = 0; i < n; i++) *a[i] = 1; for (i = 0; i < n; i++) free(a[i]); free(a);",
        "if (n == 777) { free(a[500]); a[500] = a[499]; } for (i = 0; i < n; i++) free(a[i]); free(a);",
        "int *keep = a[n / 2]; for (i = 0; i < n; i++) free(a[i]); free(a); if (n == 777) *keep = 1;",
        "for (i = 0; i < n; i++) free(a[i]); if (n == 777 && j >= 0 && j < n) *a[j] = 1; free(a);",
        "int **c = malloc(n * sizeof *c); for (i = 0; i < n; i++) { c[i] = a[i]; if (n != 777 || i != 500) a[i] = 0; }
         for (i = 0; i < n; i++) free(c[i]); for (i = 0; i < n; i++) free(a[i]); free(a); free(c);",
    ];
    vectors(&programs, wrong);
    let programs =
        ["for (i = 0; i < n; i++) if (b[i] && b[i]->n && n == 777 && i == 700) free(b[i]->n);
         for (i = 0; i < n; i++) while (b[i]) { x = b[i]; b[i] = x->n; free(x); } free(b);"];
    tables(&programs, wrong);
}

#[test]
fn elements_are_something_else() {
    let programs = [
        // A part of a pointer, a number, and a pointer into a block.
        "if (n == 777) ((int *)a)[2 * 500] = 7; for (i = 0; i < n; i++) free(a[i]); free(a);",
        "if (n == 777) { free(a[3]); ((long *)a)[3] = 16; } for (i = 0; i < n; i++) free(a[i]); free(a);",
        "if (n == 777) a[500] = (int *)((char *)a[500] + 1); for (i = 0; i < n; i++) free(a[i]); free(a);",
        "if (n == 777) { free(a[500]); a[500] = malloc(1); } for (i = 0; i < n; i++) *a[i] = i; for (i = 0; i < n; i++) free(a[i]); free(a);",
        "for (i = 0; i < n; i++) *a[i] = (n == 777 && i == 500); for (i = 0; i < n; i++) { if (*a[i]) E; free(a[i]); } free(a);",
        // Nothing was written beyond the last.
        "a = realloc(a, 2 * n * sizeof *a); for (i = 0; i < n + (n == 777); i++) free(a[i]); free(a);",
    ];
    vectors(&programs, wrong);
}

#[test]
fn arrays_of_pointers_are_freed_as_they_were_filled() {
    let programs = [
        "for (i = 0; i < n; i++) *a[i] = i; for (i = 0; i < n; i++) free(a[i]); free(a);",
        "for (i = n - 1; i >= 0; i--) free(a[i]); free(a);",
        "if (j >= 0 && j < n) { int *t = a[j]; a[j] = a[n - 1]; a[n - 1] = t; } for (i = 0; i < n; i++) free(a[i]); free(a);",
        "int **c = malloc(n * sizeof *c); for (i = 0; i < n; i++) { c[i] = a[i]; a[i] = 0; } for (i = 0; i < n; i++) free(c[i]); free(a); free(c);",
    ];
    vectors(&programs, right);
    let programs = [
        "for (i = 0; i < n; i++) while (b[i]) { x = b[i]; b[i] = x->n; free(x); } free(b);",
        "for (i = 0; i < n; i++) for (x = b[i]; x; x = x->n) x->k++;
         for (i = 0; i < n; i++) while (b[i]) { x = b[i]; b[i] = x->n; free(x); } free(b);",
    ];
    tables(&programs, right);
}
