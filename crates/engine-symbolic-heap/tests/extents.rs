//! Arrays of any length, and what all of their elements have in common.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// Two arrays of `n` numbers; `rest` is what happens to them.
fn program(rest: &str) -> String {
    format!(
        "extern unsigned __VERIFIER_nondet_uint(void);
        #define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
        int main(void) {{
            unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
            if (n < 2 || n > 1000) return 0;
            int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
            {rest}
            free(a); free(b); return 0;
        }}"
    )
}

fn proved(rest: &str) {
    summaries_prove(&program(rest));
}

fn not_proved(rest: &str) {
    is_never_proved_by_summaries(&program(rest));
}

const FILL: &str = "for (unsigned i = 0; i < n; i++) a[i] = 7;";
const ALL_SEVEN: &str = "for (unsigned i = 0; i < n; i++) assert(a[i] == 7);";

#[test]
fn what_a_loop_has_written_everywhere_is_everywhere() {
    proved(&format!("{FILL} {ALL_SEVEN}"));
    proved(&format!("{FILL} if (k < n) assert(a[k] == 7);"));
    not_proved(&format!("{FILL} a[n - 1] = 8; {ALL_SEVEN}"));
    not_proved(&format!("{FILL} if (k < n) a[k] = 8; {ALL_SEVEN}"));
    not_proved(&format!("{FILL} ((char *)a)[k % (4 * n)] = 1; {ALL_SEVEN}"));
    not_proved(&format!(
        "a[n - 1] = 0; for (unsigned i = 0; i + 1 < n; i++) a[i] = 7; {ALL_SEVEN}"
    ));
}

#[test]
fn elements_are_on_a_line() {
    let check = |value: &str| {
        format!(
            "for (unsigned i = 0; i < n; i++) a[i] = {value};
            for (unsigned i = 0; i < n; i++) assert(a[i] == 3 * (int)i + 1);"
        )
    };
    proved(&check("3 * (int)i + 1"));
    not_proved(&check("i == 700 ? 0 : 3 * (int)i + 1"));
    not_proved(&check("(signed char)(3 * (int)i + 1)"));
}

#[test]
fn a_copy_is_the_same_until_one_of_the_two_is_changed() {
    let copy = "for (unsigned i = 0; i < n; i++) a[i] = (int)__VERIFIER_nondet_uint();
        for (unsigned i = 0; i < n; i++) b[i] = a[i];";
    let same = "for (unsigned i = 0; i < n; i++) assert(a[i] == b[i]);";
    proved(&format!("{copy} {same}"));
    not_proved(&format!("{copy} a[n / 2]++; {same}"));
    not_proved(&format!("{copy} b[0] = 0; {same}"));
    not_proved(&format!("{copy} if (k < n) a[k] = b[n - 1 - k]; {same}"));
}

#[test]
fn a_maximum_is_no_less_than_any_element() {
    let maximum = |compare: &str| {
        format!(
            "int max = 0;
            for (unsigned i = 0; i < n; i++) a[i] = (int)__VERIFIER_nondet_uint();
            for (unsigned i = 0; i < n; i++) if ({compare}) max = a[i];
            for (unsigned i = 0; i < n; i++) assert(a[i] <= max);"
        )
    };
    proved(&maximum("a[i] > max"));
    not_proved(&maximum("i != 500 && a[i] > max"));
    not_proved(&maximum("a[i] < max"));
}

#[test]
fn so_many_bytes_are_left_behind_a_cursor() {
    let clear = |start: &str| {
        format!("char *p = (char *)a; unsigned left = 4 * n; {start} while (left--) *p++ = 0;")
    };
    proved(&clear(""));
    proved(&clear("p++; left--;"));
    not_proved(&clear("p++;"));
}
