//! Arrays that are gone through by pointers or from the end: how many elements a cursor has passed, and where a loop began.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// An array of `n` numbers; `rest` is what happens to it.
fn array(rest: &str) -> String {
    format!(
        "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
        int main(void) {{
            int n = __VERIFIER_nondet_int();
            if (n < 2 || n > 1000) return 0;
            int *a = malloc(n * sizeof *a);
            {rest}
            free(a); return 0;
        }}"
    )
}

fn proved(rest: &str) {
    summaries_prove(&array(rest));
}

fn not_proved(rest: &str) {
    is_never_proved_by_summaries(&array(rest));
}

#[test]
fn a_pointer_that_goes_through_an_array_counts_elements() {
    let check = "for (int *p = a; p != a + n; ++p) assert(*p == 3);";
    proved(&format!("for (int *p = a; p < a + n; p++) *p = 3; {check}"));
    not_proved(&format!("for (int *p = a; p < a + n; p++) *p = p == a + 700 ? 4 : 3; {check}"));
    not_proved(&format!("a[n - 1] = 4; for (int *p = a; p < a + n - 1; p++) *p = 3; {check}"));
    not_proved(&format!("for (int *p = a; p <= a + n; p++) *p = 3; {check}"));
}

#[test]
fn the_end_of_an_array_is_told_by_a_pointer() {
    let rest = |end: &str, last: &str| {
        format!(
            "int *e = a + n{end}; n = 0;
            for (int *p = a; p < e; p++) *p = 3;
            for (int *p = a; p < e{last}; p++) assert(*p == 3);"
        )
    };
    proved(&rest("", ""));
    not_proved(&rest(" - 1", " + 1"));
    not_proved(&rest("", " + 1"));
}

#[test]
fn a_cursor_that_takes_half_a_step_counts_bytes() {
    let walk = |step: &str| {
        format!(
            "for (int i = 0; i < n; i++) a[i] = 0;
            char *p = (char *)a, *e = (char *)(a + n);
            while (p < e) {{ *p = 1; p += {step}; }}
            for (int i = 0; i < n; i++) assert(a[i] == 1);"
        )
    };
    not_proved(&walk("__VERIFIER_nondet_int() ? 4 : 2"));
    not_proved(&walk("8"));
}

#[test]
fn a_loop_that_runs_downwards_has_passed_what_lies_behind() {
    let check = "for (int i = 0; i < n; i++) assert(a[i] == 7);";
    proved(&format!("for (int i = n - 1; i >= 0; i--) a[i] = 7; {check}"));
    proved(&format!("int i = n; while (i-- > 0) a[i] = 7; i = 0; {check}"));
    not_proved(&format!("a[0] = 0; for (int i = n - 1; i > 0; i--) a[i] = 7; {check}"));
    not_proved(&format!("a[n - 1] = 0; for (int i = n - 2; i >= 0; i--) a[i] = 7; {check}"));
    not_proved(&format!("for (int i = n - 1; i >= -1; i--) a[i] = 7; {check}"));
    not_proved(&format!("for (int i = n - 1; i >= 0; i--) a[i] = i == 500 ? 0 : 7; {check}"));
}

#[test]
fn least_and_most_are_found_together() {
    let bounds = |compare: &str| {
        format!(
            "for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
            int low = a[0], high = a[0];
            for (int i = 1; i < n; i++) {{ if (a[i] < low) low = a[i]; if ({compare}) high = a[i]; }}
            for (int i = 0; i < n; i++) assert(low <= a[i] && a[i] <= high);"
        )
    };
    proved(&bounds("a[i] > high"));
    not_proved(&bounds("i != 500 && a[i] > high"));
}
