//! What recursive functions return, and how it goes with what they were given.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LIST: &str = "
    static struct node *push(struct node *l) { struct node *x = malloc(sizeof *x); x->next = l; x->value = 1; return x; }
    static void drop(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }";

/// Proved with the first text, never with the others in its place.
fn only_with(first: &str, others: &[&str], program: &dyn Fn(&str) -> String) {
    summaries_prove(&format!("{LIST}{}", program(first)));
    for other in others {
        is_never_proved_by_summaries(&format!("{LIST}{}", program(other)));
    }
}

/// A list of `n` nodes, where `n` is any number, and what is done with it.
fn with_list(functions: &str, body: &str) -> String {
    format!(
        "{functions} int main(void) {{
            int n = __VERIFIER_nondet_int(), i; struct node *l = 0;
            for (i = 0; i < n; i++) l = push(l);
            if (n < 0) n = 0;
            {body} drop(l); return 0; }}"
    )
}

#[test]
fn a_length_is_how_many_nodes_were_made() {
    only_with(
        "return l ? 1 + len(l->next) : 0;",
        &[
            "return l ? 1 + len(l->next) : 1;",
            "return l && l->next ? 1 + len(l->next) : 0;",
            // One node only is counted twice, or not at all.
            "static int k; if (!l) return 0; if (++k == 77) return 2 + len(l->next);
            return 1 + len(l->next);",
            "if (!l) return 0; if (__VERIFIER_nondet_int() == 987) return len(l->next);
            return 1 + len(l->next);",
            "if (!l) return 0; int n = len(l->next); return n == 1000 ? n : n + 1;",
        ],
        &|length| {
            let function = format!("static int len(struct node *l) {{ {length} }}");
            with_list(&function, "if (len(l) != n) reach_error();")
        },
    );
}

#[test]
fn a_length_that_wraps_is_not_how_many_nodes_there_are() {
    let program = |ty: &str, body: &str| {
        let function =
            format!("static {ty} len(struct node *l) {{ return l ? 1 + len(l->next) : 0; }}");
        format!("{LIST}{}", with_list(&function, body))
    };
    summaries_prove(&program("long", "if (len(l) != n) reach_error();"));
    for narrow in ["unsigned char", "short"] {
        is_never_proved_by_summaries(&program(narrow, "if (len(l) != n) reach_error();"));
        is_never_proved_by_summaries(&program(narrow, "if (!len(l) && l) reach_error();"));
    }
}

#[test]
fn a_length_is_as_it_was_whatever_becomes_of_the_list() {
    // The callee takes a node, so that fewer are left than its result says.
    const TAKE: &str = "static int take(struct node *l) {
        if (!l->next) return 1;
        if (!l->next->next) { free(l->next); l->next = 0; return 2; }
        return 1 + take(l->next); }
        static int len(struct node *l) { return l ? 1 + len(l->next) : 0; }";
    only_with(
        "if (l && l->next) { int k = take(l); if (k != n) reach_error(); }",
        &[
            "if (l && l->next) { take(l); if (len(l) != n) reach_error(); }",
            "if (l && l->next) { int k = take(l); if (len(l) != k) reach_error(); }",
            "if (l && l->next) { int k = take(l); if (k != n - 1) reach_error(); }",
        ],
        &|body| with_list(TAKE, body),
    );
    const ADD: &str = "static int add(struct node *l) {
        if (!l->next) { l->next = push(0); return 1; }
        return 1 + add(l->next); }
        static int len(struct node *l) { return l ? 1 + len(l->next) : 0; }";
    only_with(
        "if (l) { int k = add(l); if (len(l) != n + 1 || k != n) reach_error(); }",
        &[
            "if (l) { add(l); if (len(l) != n) reach_error(); }",
            "if (l) { int k = add(l); if (len(l) != k) reach_error(); }",
        ],
        &|body| with_list(ADD, body),
    );
}

#[test]
fn lengths_are_kept_or_add_up() {
    const REVERSE: &str = "static struct node *reverse(struct node *l, struct node *done) {
        if (!l) return done; struct node *n = l->next; l->next = done; return reverse(n, l); }";
    const LEN: &str = "static unsigned len(struct node *l) { return l ? 1 + len(l->next) : 0; }";
    only_with(
        "l = reverse(l, 0); if (len(l) != n) reach_error();",
        &[
            "l = reverse(l, push(0)); if (len(l) != n) reach_error();",
            "l = reverse(l, 0); if (len(l) != n + 1) reach_error();",
        ],
        &|body| with_list(&format!("{LEN}{REVERSE}"), body),
    );
    const COPY: &str = "static struct node *copy(struct node *l) {
        if (!l) return 0; struct node *x = push(0); x->next = copy(l->next); return x; }
        static struct node *most(struct node *l) {
        if (!l || !l->next) return 0; struct node *x = push(0); x->next = most(l->next); return x; }";
    only_with(
        "struct node *m = copy(l); if (len(m) != n || len(l) != len(m)) reach_error(); drop(m);",
        &["struct node *m = most(l); if (len(m) != n) reach_error(); drop(m);"],
        &|body| with_list(&format!("{LEN}{COPY}"), body),
    );
    const APPEND: &str = "static struct node *append(struct node *a, struct node *b) {
        if (!a) return b; a->next = append(a->next, b); return a; }";
    only_with(
        "l = append(l, push(push(0))); if (len(l) != n + 2) reach_error();",
        &[
            "l = append(l, push(push(0))); if (len(l) != n + 1) reach_error();",
            "l = append(l, push(push(0))); if (len(l) != n + 3) reach_error();",
        ],
        &|body| with_list(&format!("{LEN}{APPEND}"), body),
    );
}

#[test]
fn two_lists_are_not_mixed_up() {
    const LEN: &str = "static unsigned len(struct node *l) { return l ? 1 + len(l->next) : 0; }";
    only_with(
        "if (len(a) != x || len(b) != y) reach_error();",
        &[
            "if (len(b) != x) reach_error();",
            "unsigned one = len(a); if (len(b) != one) reach_error();",
        ],
        &|body| {
            format!(
                "{LEN} int main(void) {{ struct node *a = 0, *b = 0; unsigned x = 0, y = 0;
                while (__VERIFIER_nondet_int()) {{
                    if (__VERIFIER_nondet_int()) {{ a = push(a); x++; }}
                    else {{ b = push(b); y++; }} }}
                {body} drop(a); drop(b); return 0; }}"
            )
        },
    );
}

#[test]
fn results_are_sums_of_arguments() {
    let ask = |function: &str, body: &str| {
        format!(
            "{function} int main(void) {{ unsigned n = __VERIFIER_nondet_int();
            unsigned m = __VERIFIER_nondet_int(); {body} return 0; }}"
        )
    };
    let is_it = "if (f(n) != n) reach_error();";
    only_with(
        "if (x == 0) return 0; return f(x - 1) + 1;",
        &[
            "if (x == 0) return 1; return f(x - 1) + 1;",
            "if (x == 0) return 0; return f(x - 1) + 2;",
            "if (x == 0) return 0; unsigned r = f(x - 1); return r == 5000 ? r : r + 1;",
            "if (x == 0) return 0; if (x == 123456) return f(x - 1); return f(x - 1) + 1;",
            "if (x == 0) return 0; return (unsigned char) (f(x - 1) + 1);",
        ],
        &|body| ask(&format!("static unsigned f(unsigned x) {{ {body} }}"), is_it),
    );
    // The parameter is changed before the return, and counts as it was.
    only_with(
        "if (x == 0) return 0; x--; return f(x) + 1;",
        &[
            "if (x == 0) return 0; x--; return f(x) + x;",
            "if (x == 0) return 0; x--; f(x); return x;",
        ],
        &|body| ask(&format!("static unsigned f(unsigned x) {{ {body} }}"), is_it),
    );
    only_with(
        "if (f(n) != 2 * n) reach_error();",
        &["if (f(n) != 2 * n + 1) reach_error();", "if (f(n) != n) reach_error();"],
        &|body| {
            ask(
                "static unsigned f(unsigned x) { if (x == 0) return 0; return f(x - 1) + 2; }",
                body,
            )
        },
    );
    only_with(
        "if (f(n, m) != n + m) reach_error();",
        &[
            "if (f(n, m) != n - m) reach_error();",
            "if (f(n, m) != n + n) reach_error();",
            "if (f(n, m) + f(m, n) != 2 * n) reach_error();",
        ],
        &|body| {
            ask(
                "static unsigned f(unsigned x, unsigned y) { if (x == 0) return y; return f(x - 1, y + 1); }",
                body,
            )
        },
    );
}

#[test]
fn a_result_may_be_an_argument() {
    only_with(
        "return k;",
        &["return d;", "return k + 1;", "return d == -5 ? k : keep(k, d - 1) + 1;"],
        &|end| {
            format!(
                "static int keep(int k, int d) {{ if (d <= 0) {{ {end} }} return keep(k, d - 1); }}
                int main(void) {{ int k = __VERIFIER_nondet_int();
                if (keep(k, __VERIFIER_nondet_int()) != k) reach_error(); return 0; }}"
            )
        },
    );
}

#[test]
fn functions_that_call_each_other() {
    only_with(
        "if (even(l) == odd(l)) reach_error();",
        &[
            "if (even(l) == odd(l ? l->next : 0)) reach_error();",
            "if (even(l) != (n & 1)) reach_error();",
        ],
        &|body| {
            with_list(
                "static int odd(struct node *l);
                static int even(struct node *l) { return l ? odd(l->next) : 1; }
                static int odd(struct node *l) { return l ? even(l->next) : 0; }",
                body,
            )
        },
    );
    only_with(
        "return x ? even(x - 1) : 0;",
        &[
            "return x ? even(x - 1) : 1;",
            "return x ? x == 4001 ? 0 : even(x - 1) : 0;",
            "return x ? even(x - 2) : 0;",
        ],
        &|odd| {
            format!(
                "static int odd(unsigned x);
                static int even(unsigned x) {{ return x ? odd(x - 1) : 1; }}
                static int odd(unsigned x) {{ {odd} }}
                int main(void) {{ unsigned n = __VERIFIER_nondet_int();
                if (odd(n) != n % 2) reach_error(); return 0; }}"
            )
        },
    );
}

#[test]
fn calls_in_a_row_have_their_own_arguments() {
    // Each node of the tree of calls is counted once.
    only_with(
        "return 1 + f(x - 1) + f(x - 1) - f(x - 1);",
        &["return 1 + f(x - 1) + f(x - 1);", "return 1 + f(x - 1) + f(x - 1) - f(x - 2);"],
        &|more| {
            format!(
                "static int f(int x) {{ if (x <= 0) return 0; {more} }}
                int main(void) {{ int n = __VERIFIER_nondet_int();
                if (n > 0 && f(n) != n) reach_error(); return 0; }}"
            )
        },
    );
}

#[test]
fn what_is_freed_is_counted() {
    only_with(
        "if (release(l) != n) reach_error(); l = 0;",
        &[
            "if (release(l) != n + 1) reach_error(); l = 0;",
            "if (release(l) != n) reach_error();",
            "struct node *m = l; if (release(l ? l->next : 0) != n) reach_error(); free(m); l = 0;",
        ],
        &|body| {
            with_list(
                "static int release(struct node *l) { if (!l) return 0;
                struct node *next = l->next; free(l); return 1 + release(next); }",
                body,
            )
        },
    );
}

#[test]
fn ones_are_summed_up() {
    only_with(
        "x->value = 1;",
        &["x->value = 2;", "x->value = i == 50;", "x->value = i != 4000;"],
        &|value| {
            format!(
                "static int sum(struct node *l) {{ return l ? l->value + sum(l->next) : 0; }}
                int main(void) {{ int n = __VERIFIER_nondet_int(), i; struct node *l = 0;
                for (i = 0; i < n; i++) {{ struct node *x = push(l); {value} l = x; }}
                if (n < 0) n = 0;
                if (sum(l) != n) reach_error(); drop(l); return 0; }}"
            )
        },
    );
}

/// What only `main` has at the start is no part of a call.
#[test]
fn main_may_take_further_arguments() {
    summaries_prove(
        "static int f(int x) { if (x <= 0) return 0; return f(x - 1) + 1; }
        int main() { int n = __VERIFIER_nondet_int();
        if (n > 0 && f(n) != n) reach_error(); return 0; }",
    );
}

#[test]
fn calls_are_counted_in_a_global() {
    only_with(
        "count++;",
        &["count += x & 1;", "if (x != 30000) count++;", "count++; if (count == 90000) count = 0;"],
        &|step| {
            format!(
                "static unsigned count;
                static void walk(unsigned x) {{ if (!x) return; {step} walk(x - 1); }}
                int main(void) {{ unsigned n = __VERIFIER_nondet_int();
                count = 3; walk(n); if (count != n + 3) reach_error(); return 0; }}"
            )
        },
    );
}
