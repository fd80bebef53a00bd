//! Neighbours in an array that are in order: sorts that leave out a pair, writes that put one out of order, bytes that were never
//! written, the ends of the array, and indices that wrap.

use crate::{right, wrong};

/// An array of any length, filled with inputs; the check of its order; and a sort.
const ARRAY: &str = "static int any(void) { int n = N; if (n < 3 || n > 1000) exit(0); return n; }
static int *input(int n) { int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = N; return a; }
static void sorted(int *a, int n) { for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) E; }
static void sort(int *a, int n) { for (int i = 1; i < n; i++) { int x = a[i], j = i;
  while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } }
";

fn with_array(programs: &[&str], ask: fn(&[&str])) {
    let programs: Vec<String> = programs
        .iter()
        .map(|program| {
            format!(
                "{ARRAY}int main(void) {{ int n = any(), k = N; int *a = input(n); {program} free(a); return 0; }}"
            )
        })
        .collect();
    ask(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn sorts_that_leave_a_pair_out() {
    with_array(
        &[
            "for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 1 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } sorted(a, n);",
            "for (int i = 2; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } sorted(a, n);",
            "for (int i = 1; i < n - 1; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } sorted(a, n);",
            "for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x + 1; } sorted(a, n);",
            "for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] < x) { a[j] = a[j - 1]; j--; } a[j] = x; } sorted(a, n);",
            "for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; if (RARE) break; } a[j] = x; } sorted(a, n);",
            "for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } if (j != 77) a[j] = x; else a[j] = 0; } sorted(a, n);",
            "for (int i = 1; i < n; i++) { unsigned x = a[i]; int j = i; while (j > 0 && (unsigned)a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } sorted(a, n);",
        ],
        wrong,
    );
}

#[test]
fn order_that_a_write_ends() {
    with_array(
        &[
            "sort(a, n); if (k >= 0 && k < n) a[k] = 5; sorted(a, n);",
            "sort(a, n); a[n - 1] = a[0]; sorted(a, n);",
            "sort(a, n); a[0] = a[1] + 1; sorted(a, n);",
            "sort(a, n); if (k > 0 && k < n - 1) a[k] = a[k + 1] == a[k - 1] ? 0 : a[k]; sorted(a, n);",
            "sort(a, n); if (k > 0 && k < n) { int h = a[k]; a[k] = a[k - 1]; a[k - 1] = h; } sorted(a, n);",
            "sort(a, n); int *p = a + n / 2; *p = -*p; sorted(a, n);",
            "sort(a, n); ((char *)a)[n] = 1; sorted(a, n);",
            "sort(a, n); *(short *)((char *)a + 2) = 9; sorted(a, n);",
            "sort(a, n); memset(a + 1, 0, 4); sorted(a, n);",
            "int *b = input(n); sort(a, n); memcpy(a + 1, b, 4); free(b); sorted(a, n);",
            "sort(a, n); for (int i = 0; i < n; i++) a[i] = -a[i]; sorted(a, n);",
            "sort(a, n); for (int i = 0; i < n; i++) if (RARE) a[i]++; sorted(a, n);",
        ],
        wrong,
    );
}

#[test]
fn order_beyond_what_was_sorted() {
    with_array(
        &[
            "sort(a, n - 1); sorted(a, n);",
            "sort(a + 1, n - 1); sorted(a, n);",
            "if (k > 1 && k < n) { sort(a, k); sort(a + k, n - k); sorted(a, n); }",
            "int *b = malloc(4 * n); for (int i = 0; i < n - 1; i++) b[i] = i; int h = b[n - 1]; if (h < b[n - 2]) E; free(b);",
            "sort(a, n); if (a[n - 1] < a[n]) E;",
            "sort(a, n); if (a[0] > a[n - 1] || a[0] == 7) E;",
            "sort(a, n); for (int i = 1; i < n; i++) if (a[i - 1] >= a[i]) E;",
            "sort(a, n); for (int i = 1; i < n; i++) if ((unsigned)a[i - 1] > (unsigned)a[i]) E;",
            "for (unsigned char i = 1; i < n; i++) { int x = a[i]; unsigned char j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; if (i == 255) break; } sorted(a, n);",
            "for (int i = n - 2; i >= 0; i--) { int x = a[i], j = i; while (j < n - 2 && a[j + 1] < x) { a[j] = a[j + 1]; j++; } a[j] = x; } sorted(a, n);",
        ],
        wrong,
    );
}

#[test]
fn order_that_is_there() {
    with_array(
        &[
            "sort(a, n); sorted(a, n);",
            "sort(a, n); sorted(a, n - 1);",
            "sort(a, n); a[n - 1] = 2147483647; sorted(a, n);",
            "sort(a, n); if (k > 0 && k < n) a[k] = a[k - 1]; sorted(a, n);",
        ],
        right,
    );
}

#[test]
fn an_index_that_has_no_room() {
    wrong(&[
        "static void walk(int *a, int i) { for (; i >= 0; i--) a[i] = i; }
         int main(void) { int n = N; if (n < 1 || n > 1000) n = 1; int *a = malloc(n * sizeof *a); walk(a, n); free(a); }",
        "static void walk(int *a, int i) { for (; i >= -1; i--) a[i] = i; }
         int main(void) { int n = N; if (n < 1 || n > 1000) n = 1; int *a = malloc(n * sizeof *a); walk(a, n - 1); free(a); }",
        "static void walk(long *a, int i) { for (; i >= 0; i--) a[i] = i; }
         int main(void) { int n = N; if (n < 2 || n > 1000) n = 2; int *a = malloc(n * sizeof *a); walk((long *)a, n / 2); free(a); }",
        "static void walk(char *a, unsigned i) { for (; i + 1 > 0; i--) a[i] = 1; }
         int main(void) { unsigned n = (unsigned)N; char *a = malloc(n & 1023); walk(a, (n & 1023) - 1); if ((n & 1023) == 5) a[5] = 1; free(a); }",
    ]);
}
