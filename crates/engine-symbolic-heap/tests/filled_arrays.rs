//! Writes of many bytes: fills, copies of a part, and what they leave of an array.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LIBRARY: &str = "
extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern unsigned __VERIFIER_nondet_uint(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)
";

/// A block of `n` bytes that are all three, and an array of `n` numbers; `k` and `m` are less.
fn blocks(rest: &str) -> String {
    format!(
        "{LIBRARY}
        int main(void) {{
            unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
            if (n < 4 || n > 1000 || k >= n || m >= n) return 0;
            char *s = malloc(n); int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
            memset(s, 3, n);
            {rest}
            free(s); free(a); free(b); return 0;
        }}"
    )
}

fn proved(rest: &str) {
    summaries_prove(&blocks(rest));
}

fn not_proved(rest: &str) {
    is_never_proved_by_summaries(&blocks(rest));
}

#[test]
fn a_fill_is_everywhere_and_leaves_what_is_elsewhere() {
    proved("assert(s[k] == 3);");
    proved("memset(s, 7, k); if (m < k) assert(s[m] == 7); else assert(s[m] == 3);");
    proved("memset(a, 0, n * sizeof *a); for (unsigned i = 0; i < n; i++) assert(a[i] == 0);");
    not_proved("memset(s, 7, n - 1); assert(s[k] == 7);");
    not_proved("memset(s + 1, 7, n - 1); assert(s[k] == 7);");
    not_proved("memset(s, 7, k); assert(s[0] == 7);");
    not_proved("memset(s, 7, k); if (m <= k) assert(s[m] == 7);");
    not_proved("if (m < n - k) { memset(s + k, 7, m); assert(s[k] == 3); }");
    not_proved("if (m < n - k) { memset(s + k, 7, m); if (m > 0) assert(s[k + m - 1] == 3); }");
    not_proved("memset(s, 200, n); assert(s[k] == 200);");
    not_proved("int c = __VERIFIER_nondet_int(); memset(s, c, n); assert(s[k] == c);");
}

#[test]
fn a_fill_of_numbers_is_not_cut_in_two() {
    let every = |value: &str| format!("for (unsigned i = 0; i < n; i++) assert({value});");
    not_proved(&format!("memset(a, 1, n * sizeof *a); {}", every("a[i] == 1")));
    not_proved(&format!(
        "memset(a, 0, n * sizeof *a); memset(a, 1, k); {}",
        every("a[i] == 0 || a[i] == 0x01010101")
    ));
    not_proved(&format!(
        "memset(a, 0, n * sizeof *a); memset((char *)a + 2, 1, 4 * k); {}",
        every("a[i] == 0 || a[i] == 0x01010101")
    ));
    not_proved(&format!(
        "memset(a, 0, n * sizeof *a); memset(a, 1, k * 4); {}",
        every("a[i] == 0")
    ));
}

#[test]
fn a_part_is_copied_from_where_it_begins() {
    let full = "for (unsigned i = 0; i < n; i++) a[i] = 5;";
    let check = "for (unsigned i = 0; i + 1 < n; i++) assert(a[i] == 5);";
    not_proved(&format!("{full} a[n - 1] = 6; memmove(a, a + 1, (n - 1) * sizeof *a); {check}"));
    not_proved(&format!("{full} a[0] = 6; memmove(a + 1, a, (n - 1) * sizeof *a); {check}"));
    not_proved(&format!(
        "{full} memmove((char *)a + 1, a, (n - 1) * sizeof *a); a[0] = 4; {check}"
    ));
    let both = "for (unsigned i = 0; i < n; i++) a[i] = b[i] = 5;";
    let check = "for (unsigned i = 0; i < n; i++) assert(b[i] == 5);";
    proved(&format!("{both} memcpy(b + 1, a + 1, (n - 1) * sizeof *a); {check}"));
    not_proved(&format!("{both} a[1] = 6; memcpy(b + 1, a + 1, (n - 1) * sizeof *a); {check}"));
    not_proved(&format!("{both} a[n - 1] = 6; memcpy(b + 1, a + 1, (n - 1) * sizeof *a); {check}"));
    not_proved(&format!("{both} b[0] = 6; memcpy(b + 1, a + 1, (n - 1) * sizeof *a); {check}"));
}
