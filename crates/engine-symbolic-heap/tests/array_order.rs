//! Order within arrays of any length: what is sorted up to an index stays so, and grows.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// An array of `n` numbers that are inputs; `rest` is what happens to it.
fn program(rest: &str) -> String {
    format!(
        "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
        int main(void) {{
            int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
            if (n < 3 || n > 1000) return 0;
            int *a = malloc(n * sizeof *a);
            for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
            {rest}
            free(a); return 0;
        }}"
    )
}

fn proved(rest: &str) {
    summaries_prove(&program(rest));
}

fn not_proved(rest: &str) {
    is_never_proved_by_summaries(&program(rest));
}

const SORT: &str = "for (int i = 1; i < n; i++) {
    int x = a[i], j = i;
    while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; }
    a[j] = x;
}";
const SORTED: &str = "for (int i = 1; i < n; i++) assert(a[i - 1] <= a[i]);";

#[test]
fn insertion_sorts() {
    proved(&format!("{SORT} {SORTED}"));
    not_proved(&format!("{} {SORTED}", SORT.replace("j > 0", "j > 1")));
    not_proved(&format!("{} {SORTED}", SORT.replace("a[j] = x;", "a[j] = x + 1;")));
    not_proved(&format!("{} {SORTED}", SORT.replace("i < n", "i < n - 1")));
}

#[test]
fn a_write_into_a_sorted_array_may_end_its_order() {
    proved(&format!("{SORT} if (k > 0 && k < n) a[k] = a[k - 1]; {SORTED}"));
    not_proved(&format!("{SORT} if (k > 0 && k < n - 1) a[k] = a[k - 1] - 1; {SORTED}"));
    not_proved(&format!("{SORT} if (k >= 0 && k < n) a[k] = 7; {SORTED}"));
    not_proved(&format!("{SORT} ((char *)a)[n] = 1; {SORTED}"));
}
