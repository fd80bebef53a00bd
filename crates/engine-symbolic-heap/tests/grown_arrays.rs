//! Arrays that grow by `realloc`, are copied whole or in part, hold records, or are used as stacks.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LIBRARY: &str = "
extern void *realloc(void *, size_t); extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
#define assert(c) do { if (!(c)) reach_error(); } while (0)
";

/// A vector with its length and its capacity; `rest` is what happens when some ones have been pushed.
fn vector(rest: &str) -> String {
    format!(
        "{LIBRARY}
        struct v {{ int *a; int n, cap; }};
        static void push(struct v *v, int x) {{
            if (v->n == v->cap) {{ v->cap *= 2; v->a = realloc(v->a, v->cap * sizeof(int)); }}
            v->a[v->n++] = x;
        }}
        int main(void) {{
            struct v v; int i; v.n = 0; v.cap = 4; v.a = malloc(4 * sizeof(int));
            while (__VERIFIER_nondet_int() && v.n < 10000) push(&v, 1);
            {rest}
            free(v.a); return 0;
        }}"
    )
}

/// Two arrays of `n` numbers, the first full of sevens.
fn copy(rest: &str) -> String {
    format!(
        "{LIBRARY}
        int main(void) {{
            int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(), i;
            if (n < 2 || n > 1000 || k < 0 || k > n) return 0;
            int *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
            for (i = 0; i < n; i++) a[i] = 7;
            {rest}
            free(a); free(b); return 0;
        }}"
    )
}

/// Records side by side.
fn records(rest: &str) -> String {
    format!(
        "{LIBRARY}
        struct p {{ int x, y; }};
        int main(void) {{
            int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(), i;
            if (n < 2 || n > 1000 || k < 0 || k >= n) return 0;
            struct p *p = malloc(n * sizeof *p);
            for (i = 0; i < n; i++) {{ p[i].x = 1; p[i].y = 2; }}
            {rest}
            free(p); return 0;
        }}"
    )
}

const ALL_ONE: &str = "for (i = 0; i < v.n; i++) assert(v.a[i] == 1);";

#[test]
fn a_vector_keeps_its_elements_when_it_grows() {
    summaries_prove(&vector(ALL_ONE));
    summaries_prove(&vector("assert(v.n <= v.cap);"));
    is_never_proved_by_summaries(&vector(&format!("push(&v, 2); {ALL_ONE}")));
    is_never_proved_by_summaries(&vector(&format!("v.n++; if (v.n <= v.cap) {ALL_ONE}")));
}

#[test]
fn a_stack_that_becomes_smaller_keeps_what_is_left() {
    summaries_prove(&vector(&format!("if (v.n > 0) v.n--; {ALL_ONE}")));
    is_never_proved_by_summaries(&vector(&format!(
        "if (v.n > 0) {{ v.n--; v.a[v.n] = 2; v.n++; }} {ALL_ONE}"
    )));
}

#[test]
fn a_vector_of_pointers_owns_what_was_pushed() {
    let program = |end: &str| {
        format!(
            "{LIBRARY}
            struct v {{ int **a; size_t n, cap; }};
            int main(void) {{
                struct v v = {{0, 0, 0}};
                while (__VERIFIER_nondet_int() && v.n < 100000) {{
                    if (v.n == v.cap) {{ v.cap = v.cap ? 2 * v.cap : 4; v.a = realloc(v.a, v.cap * sizeof *v.a); }}
                    v.a[v.n++] = malloc(sizeof(int));
                }}
                for (size_t i = 0; i < v.n{end}; i++) free(v.a[i]);
                free(v.a); return 0;
            }}"
        )
    };
    summaries_prove(&program(""));
    is_never_proved_by_summaries(&program(" - (v.n > 50)"));
}

#[test]
fn only_what_is_copied_is_known_of_the_copy() {
    let all_seven = "for (i = 0; i < n; i++) assert(b[i] == 7);";
    summaries_prove(&copy(&format!("memcpy(b, a, n * sizeof *a); {all_seven}")));
    is_never_proved_by_summaries(&copy(&format!("memcpy(b, a, k * sizeof *a); {all_seven}")));
    is_never_proved_by_summaries(&copy(
        "for (i = 0; i < n; i++) a[i] = -1; memcpy(b, a, n * sizeof *a - 1);
        for (i = 0; i < n; i++) assert(b[i] == -1);",
    ));
    summaries_prove(&copy(
        "memcpy(b + 1, a, (n - 1) * sizeof *a); for (i = 1; i < n; i++) assert(b[i] == 7);",
    ));
}

#[test]
fn elements_that_move_are_at_other_places() {
    let numbers = "for (i = 0; i < n; i++) a[i] = i;";
    is_never_proved_by_summaries(&copy(&format!(
        "{numbers} memcpy(b, a + 1, (n - 1) * sizeof *a);
        for (i = 0; i < n - 1; i++) assert(b[i] == i);"
    )));
    is_never_proved_by_summaries(&copy(&format!(
        "{numbers} memmove(a + 1, a, (n - 1) * sizeof *a);
        for (i = 0; i < n; i++) assert(a[i] == i);"
    )));
    is_never_proved_by_summaries(&copy(&format!(
        "{numbers} for (i = 0; i < n; i++) b[i] = i - 5; memcpy(b, a, k * sizeof *a);
        for (i = 1; i < n; i++) assert(b[i - 1] <= b[i]);"
    )));
}

#[test]
fn members_of_records_are_told_apart() {
    let all_x = "for (i = 0; i < n; i++) assert(p[i].x == 1);";
    summaries_prove(&records(&format!("p[k].y = 5; {all_x}")));
    is_never_proved_by_summaries(&records(&format!("p[k].x = 5; {all_x}")));
    is_never_proved_by_summaries(&records(&format!("((int *)p)[k] = 5; {all_x}")));
    is_never_proved_by_summaries(&records(&format!(
        "for (i = 0; i < n; i += 2) p[i].x = 3; {all_x}"
    )));
}

#[test]
fn room_is_known_when_the_capacity_is_not() {
    let program = |bound: &str| {
        format!(
            "{LIBRARY}
            int main(void) {{
                unsigned cap = 10, n = 0, i; long *a = malloc(cap * sizeof(long));
                while (__VERIFIER_nondet_int() && n < 100000) {{
                    if (n == cap) {{ cap += 10; a = realloc(a, cap * sizeof(long)); }}
                    a[n++] = 1;
                }}
                for (i = 0; i {bound} n; i++) a[i] = 2;
                free(a); return 0;
            }}"
        )
    };
    summaries_prove(&program("<"));
    is_never_proved_by_summaries(&program("<="));
}
