//! What all elements of a stretch of an array have in common: the one that was written last, past the end, between two
//! elements, by another name or in another width.

use crate::{right, wrong};

/// An array of any length, filled.
const ARRAY: &str = "static unsigned any(void) { unsigned n = __VERIFIER_nondet_uint() % 1000; return n + 2; }
static int *filled(unsigned n, int v) { int *a = malloc(n * sizeof *a); for (unsigned i = 0; i < n; i++) a[i] = v; return a; }
static int *ramp(unsigned n) { int *a = malloc(n * sizeof *a); for (unsigned i = 0; i < n; i++) a[i] = 2 * (int)i; return a; }
static int *input(unsigned n) { int *a = malloc(n * sizeof *a); for (unsigned i = 0; i < n; i++) a[i] = (int)__VERIFIER_nondet_uint(); return a; }
static void all(int *a, unsigned n, int v) { for (unsigned i = 0; i < n; i++) if (a[i] != v) E; }
";

fn with_array(programs: &[&str]) -> Vec<String> {
    programs.iter().map(|program| format!("{ARRAY}{program}")).collect()
}

fn wrong_arrays(programs: &[&str]) {
    let programs = with_array(programs);
    wrong(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn one_element_differs() {
    wrong_arrays(&[
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); a[n - 1] = 8; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(), k = __VERIFIER_nondet_uint(); int *a = filled(n, 7); if (k < n) a[k] = 8;
           all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); ((char *)a)[4 * (n / 2) + 1] = 1; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); *(short *)((char *)a + n) = 9; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); int *p = a + n / 2; *p = 8; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = malloc(4 * n); for (unsigned i = 0; i < n; i++) a[i] = i == RARE ? 8 : 7;
           all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = malloc(4 * n); a[0] = 7; for (unsigned i = 0; i + 1 < n; i += 2) a[i] = 7;
           for (unsigned i = 1; i < n; i += 2) a[i] = 6; all(a, n, 7); free(a); }",
    ]);
}

#[test]
fn a_bound_is_missed_by_one() {
    wrong_arrays(&[
        "int main(void) { unsigned n = any(); int *a = input(n); for (unsigned i = 0; i < n - 1; i++) a[i] = 7; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n); for (unsigned i = 1; i < n; i++) a[i] = 7; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n); for (unsigned i = n - 1; i > 0; i--) a[i] = 7; all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n); for (unsigned i = 0; i < n; i++) { if (N) break; a[i] = 7; }
           all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n); for (unsigned char i = 0; i < n && i < 255; i++) a[i] = 7;
           all(a, n, 7); free(a); }",
        "static int a[600]; int main(void) { unsigned n = any(); if (n > 600) return 0; for (unsigned i = 0; i < n; i++) a[i] = 7;
           all(a, n < 600 ? n + 1 : n, 7); }",
    ]);
}

#[test]
fn a_line_is_left() {
    wrong_arrays(&[
        "int main(void) { unsigned n = any(); int *a = ramp(n); for (unsigned i = 0; i < n; i++) if (a[i] == 40) E; free(a); }",
        "int main(void) { unsigned n = any(); int *a = ramp(n); for (unsigned i = 0; i < n; i++) if (a[i] > 2 * RARE) E; free(a); }",
        "int main(void) { unsigned n = any(); int *a = malloc(4 * n); for (unsigned i = 0; i < n; i++) a[i] = (int)(i * i);
           for (unsigned i = 0; i < n; i++) if (a[i] != (int)i) E; free(a); }",
        "int main(void) { unsigned n = any(); signed char *a = malloc(n); for (unsigned i = 0; i < n; i++) a[i] = (signed char)i;
           for (unsigned i = 0; i < n; i++) if (a[i] != (int)i) E; free(a); }",
        "int main(void) { unsigned n = any(); int *a = ramp(n); a[n - 1]++; for (unsigned i = 0; i < n; i++) if (a[i] != 2 * (int)i) E;
           free(a); }",
    ]);
}

#[test]
fn two_arrays_are_no_longer_the_same() {
    wrong_arrays(&[
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           a[n / 2] = 1; for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           b[n - 1]++; for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           for (unsigned i = 0; i < n; i++) a[i] = 3; for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[n - 1 - i];
           for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "static void change(int *p, unsigned n) { if (n) { p[n - 1] = 5; change(p, n - 1); } }
         int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           change(a, n); for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); b[0] = 0; for (unsigned i = 0; i + 1 < n; i++)
           b[i + 1] = a[i]; *(int *)((char *)b + 2) = 77; for (unsigned i = 0; i + 1 < n; i++) if (b[i + 1] != a[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           *(short *)((char *)b + n) ^= 1; for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           memset(a, 0, 4); for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
    ]);
}

#[test]
fn elements_are_changed_by_library_functions_and_calls() {
    wrong_arrays(&[
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); memset(a + n / 2, 0, 4); all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); int b[2] = { 1, 2 }; memcpy(a + n - 2, b, sizeof b); all(a, n, 7);
           free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); a = realloc(a, 4 * (n + 1)); all(a, n + 1, 7); free(a); }",
        "static void change(int *p, unsigned n) { if (n) { p[n - 1] = 5; change(p, n - 1); } }
         int main(void) { unsigned n = any(); int *a = filled(n, 7); change(a, n); all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); int max = a[0]; for (unsigned i = 0; i < n; i++) a[i] = (int)__VERIFIER_nondet_uint();
           for (unsigned i = 0; i < n; i++) if (a[i] > max) E; free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n); int max = a[0]; for (unsigned i = 0; i < n; i++) if (a[i] > max) max = a[i];
           max--; for (unsigned i = 0; i < n; i++) if (a[i] > max) E; free(a); }",
    ]);
}

#[test]
fn arrays_whose_elements_obey() {
    let programs = with_array(&[
        "int main(void) { unsigned n = any(); int *a = filled(n, 7); all(a, n, 7); free(a); }",
        "int main(void) { unsigned n = any(); int *a = ramp(n); for (unsigned i = 0; i < n; i++) if (a[i] != 2 * (int)i) E; free(a); }",
        "int main(void) { unsigned n = any(); int *a = input(n), *b = malloc(4 * n); for (unsigned i = 0; i < n; i++) b[i] = a[i];
           for (unsigned i = 0; i < n; i++) if (a[i] != b[i]) E; free(a); free(b); }",
        "int main(void) { unsigned n = any(); int *a = input(n); int max = a[0]; for (unsigned i = 0; i < n; i++) if (a[i] > max) max = a[i];
           for (unsigned i = 0; i < n; i++) if (a[i] > max) E; free(a); }",
    ]);
    right(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}
