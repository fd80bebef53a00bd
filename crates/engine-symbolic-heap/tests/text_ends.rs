//! Texts that are copied into blocks which are just large enough: where a walk along a text has found its end, the next one will find it.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LIBRARY: &str = "
extern size_t strlen(const char *); extern char *strcpy(char *, const char *);
extern unsigned __VERIFIER_nondet_uint(void); extern char __VERIFIER_nondet_char(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)
";

/// A text of any length; `rest` is what happens to it.
fn text(rest: &str) -> String {
    format!(
        "{LIBRARY}
        int main(void) {{
            unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
            if (n > 1000 || k > n) return 0;
            char *s = malloc(n + 1);
            for (unsigned i = 0; i < n; i++) s[i] = __VERIFIER_nondet_char();
            s[n] = 0;
            {rest}
            free(s); return 0;
        }}"
    )
}

#[test]
fn a_text_fits_into_a_block_that_is_just_large_enough() {
    let by_hand = |room: &str, change: &str| {
        text(&format!(
            "size_t length = 0; while (s[length]) length++;
            char *d = malloc(length{room}), *q = d, *p = s; {change}
            while ((*q++ = *p++));
            free(d);"
        ))
    };
    summaries_prove(&by_hand(" + 1", ""));
    is_never_proved_by_summaries(&by_hand("", ""));
    is_never_proved_by_summaries(&by_hand(" + 1", "*q++ = 'x';"));
    is_never_proved_by_summaries(&by_hand(" + 1", "s[length] = 'x';"));
    is_never_proved_by_summaries(&by_hand(" + 1", "if (k < length) s[k] = 0; s[length] = 'x';"));
    let library = |room: &str, change: &str| {
        text(&format!("char *d = malloc(strlen(s){room}); {change} strcpy(d, s); free(d);"))
    };
    is_never_proved_by_summaries(&library("", ""));
    is_never_proved_by_summaries(&library(" + 1", "s[strlen(s)] = 'x'; s[n] = 0;"));
}

#[test]
fn a_zero_that_was_found_is_the_first_only_if_all_before_it_were_looked_at() {
    // Every other character is looked at.
    is_never_proved_by_summaries(&text(
        "size_t length = 0; while (length < n && s[length]) length += 2;
        if (length < n) { char *d = malloc(length / 2 + 1), *q = d, *p = s; while ((*q++ = *p++)); free(d); }",
    ));
    // What was passed is changed afterwards.
    is_never_proved_by_summaries(&text(
        "size_t length = strlen(s); if (length > 0) s[length - 1] = 0; assert(strlen(s) == length);",
    ));
}
