//! Lists that have the same numbers: copies, and what is no copy any more.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LISTS: &str = "
#define assert(c) do { if (!(c)) reach_error(); } while (0)
typedef struct node node;
static node *made(int value, node *next) {
    node *x = malloc(sizeof *x); x->value = value; x->next = next; return x; }
static node *build(void) {
    node *l = 0; while (__VERIFIER_nondet_int()) l = made(__VERIFIER_nondet_int(), l); return l; }
static void drop(node *l) { while (l) { node *n = l->next; free(l); l = n; } }
static node *copy_of(node *l) {
    node *k = 0, **t = &k;
    for (; l; l = l->next) { *t = made(l->value, 0); t = &(*t)->next; }
    return k; }
static void compare(node *a, node *b) {
    while (a) { assert(b); assert(a->value == b->value); a = a->next; b = b->next; }
    assert(!b); }
";

/// A list `l` and its copy `k`, of which something is done before they are compared and freed.
fn copied(meanwhile: &str) -> String {
    compared(&format!("k = copy_of(l); {meanwhile}"))
}

/// A list `l`, and something that makes `k` of it.
fn compared(making: &str) -> String {
    with("", &format!("node *l = build(), *k = 0; {making} compare(l, k); drop(l); drop(k);"))
}

fn with(functions: &str, main: &str) -> String {
    format!("{LISTS} {functions} int main(void) {{ {main} return 0; }}")
}

fn proved(program: &str) {
    summaries_prove(program);
}

fn not_proved(program: &str) {
    is_never_proved_by_summaries(program);
}

#[test]
fn a_copy_has_the_numbers_of_its_original() {
    proved(&copied(""));
}

#[test]
fn numbers_that_are_changed_are_not_the_same() {
    let at_some = |list: &str, change: &str| {
        copied(&format!(
            "node *c = {list}; while (c && __VERIFIER_nondet_int()) c = c->next; if (c) {{ {change} }}"
        ))
    };
    not_proved(&at_some("l", "c->value = 0;"));
    not_proved(&at_some("k", "c->value++;"));
    not_proved(&at_some("k", "((char *)&c->value)[1] = 1;"));
    not_proved(&at_some("k", "if (c->next) c->value = c->next->value;"));
    not_proved(&copied("node *c = k; while (c && c->next) c = c->next; if (c) c->value++;"));
}

#[test]
fn copies_that_leave_out_or_add_are_no_copies() {
    let over = |what: &str| {
        compared(&format!(
            "node **t = &k; int at = __VERIFIER_nondet_int(); for (node *c = l; c; c = c->next) {{ {what} }}"
        ))
    };
    let put = "*t = made(c->value, 0); t = &(*t)->next;";
    not_proved(&over(&format!("if (at-- == 3) continue; {put}")));
    not_proved(&over(&format!("if (!c->next) break; {put}")));
    not_proved(&over(&format!("{put} if (at-- == 3) {{ {put} }}")));
    not_proved(&over("*t = made(at-- == 3 ? 7 : c->value, 0); t = &(*t)->next;"));
    not_proved(&over("*t = made((short)c->value, 0); t = &(*t)->next;"));
    not_proved(&compared("k = copy_of(l ? l->next : l);"));
    not_proved(&copied("k = made(1, k);"));
    not_proved(&copied("node **e = &k; while (*e) e = &(*e)->next; *e = made(1, 0);"));
}

#[test]
fn lists_of_one_length_need_not_have_the_same_numbers() {
    not_proved(&compared(
        "node *o = 0; for (node *c = l; c; c = c->next) o = made(__VERIFIER_nondet_int(), o);
         k = copy_of(o); drop(o);",
    ));
    not_proved(&compared("for (node *c = l; c; c = c->next) k = made(c->value, k);"));
    not_proved(&copied(
        "node *r = 0; while (k) { node *n = k->next; k->next = r; r = k; k = n; } k = r;",
    ));
}

#[test]
fn nodes_that_change_places_make_another_list() {
    not_proved(&copied(
        "node **c = &k; while (*c && __VERIFIER_nondet_int()) c = &(*c)->next;
         if (*c && (*c)->next) {
             node *x = *c, *y = x->next; x->next = y->next; y->next = x; *c = y; }",
    ));
    not_proved(&copied(
        "node **p = &l, **q = &k;
         while (*p && __VERIFIER_nondet_int()) p = &(*p)->next;
         while (*q && __VERIFIER_nondet_int()) q = &(*q)->next;
         if (*p && *q) { node *x = *p, *y = *q; *p = x->next; *q = y->next; free(x); free(y); }",
    ));
    let shifted = "node *l = build(), *k = copy_of(l);
        for (node *a = l, *b = k; a && b && b->next; a = a->next, b = b->next)
            assert(a->value == b->next->value);
        drop(l); drop(k);";
    not_proved(&with("", shifted));
}

#[test]
fn copies_of_one_list_have_the_same_numbers() {
    let copies = |meanwhile: &str| {
        with(
            "",
            &format!(
                "node *l = build(), *k = copy_of(l); {meanwhile} node *m = copy_of(l); drop(l);
                 compare(m, k); drop(m); drop(k);"
            ),
        )
    };
    proved(&copies(""));
    not_proved(&copies(
        "node *c = l; while (c && __VERIFIER_nondet_int()) c = c->next; if (c) c->value = 3;",
    ));
}

#[test]
fn functions_that_call_themselves_copy_too() {
    let recursive = |value: &str, next: &str| {
        with(
            &format!(
                "static node *again(node *l) {{
                    if (!l) return 0;
                    node *x = made({value}, 0); x->next = again({next}); return x; }}"
            ),
            "node *l = build(), *k = again(l); compare(l, k); drop(l); drop(k);",
        )
    };
    not_proved(&recursive("l->value ? l->value : __VERIFIER_nondet_int()", "l->next"));
    not_proved(&recursive(
        "l->value",
        "l->next && __VERIFIER_nondet_int() ? l->next->next : l->next",
    ));
    let touched = with(
        "static void touch(node *l) {
            if (!l) return; if (__VERIFIER_nondet_int() == 4) l->value = 1; touch(l->next); }",
        "node *l = build(), *k = copy_of(l); touch(k); compare(l, k); drop(l); drop(k);",
    );
    not_proved(&touched);
}

#[test]
fn several_numbers_of_a_node_are_copied() {
    let program = |value: &str, other: &str| {
        format!(
            "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
            extern long __VERIFIER_nondet_long(void);
            struct two {{ long other; struct two *next; int value; }};
            int main(void) {{
                struct two *l = 0, *k = 0, **t = &k, *x;
                while (__VERIFIER_nondet_int()) {{
                    x = malloc(sizeof *x); x->next = l; l = x;
                    x->value = __VERIFIER_nondet_int(); x->other = __VERIFIER_nondet_long(); }}
                for (struct two *c = l; c; c = c->next) {{
                    x = malloc(sizeof *x); x->next = 0; *t = x; t = &x->next;
                    x->value = {value}; x->other = {other}; }}
                struct two *a = l, *b = k;
                while (a) {{
                    assert(b); assert(a->value == b->value && a->other == b->other);
                    a = a->next; b = b->next; }}
                assert(!b);
                while (l) {{ x = l->next; free(l); l = x; }}
                while (k) {{ x = k->next; free(k); k = x; }}
                return 0; }}"
        )
    };
    proved(&program("c->value", "c->other"));
    not_proved(&program("c->value", "(int)c->other"));
    not_proved(&program("c->other", "c->other"));
    not_proved(&program("c->value", "c->value"));
}

#[test]
fn lists_that_are_linked_back_are_copied() {
    let program = |meanwhile: &str| {
        format!(
            "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
            static struct pair *put(struct pair *end, int value) {{
                struct pair *x = malloc(sizeof *x);
                x->value = value; x->next = 0; x->previous = end; if (end) end->next = x; return x; }}
            static struct pair *begin(struct pair *l) {{
                while (l && l->previous) l = l->previous; return l; }}
            int main(void) {{
                struct pair *e = 0, *f = 0, *l, *k;
                while (__VERIFIER_nondet_int()) e = put(e, __VERIFIER_nondet_int());
                l = begin(e);
                for (struct pair *c = l; c; c = c->next) f = put(f, c->value);
                k = begin(f);
                {meanwhile}
                while (l) {{
                    assert(k); assert(l->value == k->value);
                    struct pair *x = l->next, *y = k->next; free(l); free(k); l = x; k = y; }}
                assert(!k);
                return 0; }}"
        )
    };
    not_proved(&program(
        "struct pair *c = f; while (c && __VERIFIER_nondet_int()) c = c->previous; if (c) c->value++;",
    ));
    not_proved(&program("if (f) f->value++;"));
}

#[test]
fn a_word_may_be_one_number() {
    // While the end of the copy is held, the original is a word and one number more.
    let lists = |what: &str| {
        with(
            "",
            &format!(
                "node *l = build(), *k = 0, *e = 0;
                 for (node *c = l; c; c = c->next) {{
                     node *x = made(c->value, 0); if (e) e->next = x; else k = x; e = x; }}
                 {what} if (e) e->value = 0; drop(l); drop(k);"
            ),
        )
    };
    not_proved(&lists("if (l && l->next) assert(l->next->next);"));
    not_proved(&lists("if (l && l->next && l->next->next) assert(l->next->next->next);"));
    not_proved(&lists("if (k && k != e) assert(k->next != e);"));
    not_proved(&lists("if (k && k->next) assert(k->next != e);"));
}

#[test]
fn lists_that_are_linked_back_are_compared_from_behind() {
    let program = |value: &str| {
        format!(
            "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
            static struct pair *put(struct pair *end, int value) {{
                struct pair *x = malloc(sizeof *x);
                x->value = value; x->next = 0; x->previous = end; if (end) end->next = x; return x; }}
            int main(void) {{
                struct pair *e = 0, *f = 0, *l = 0, *k = 0;
                while (__VERIFIER_nondet_int()) {{ e = put(e, __VERIFIER_nondet_int()); if (!l) l = e; }}
                for (struct pair *c = l; c; c = c->next) {{ f = put(f, {value}); if (!k) k = f; }}
                struct pair *a = l, *b = k;
                while (a && a->next) a = a->next;
                while (b && b->next) b = b->next;
                while (a) {{
                    assert(b); assert(a->value == b->value); a = a->previous; b = b->previous; }}
                assert(!b);
                while (l) {{ a = l->next; free(l); l = a; }}
                while (k) {{ b = k->next; free(k); k = b; }}
                return 0; }}"
        )
    };
    not_proved(&program("c->next && c->next->next ? c->value : 0"));
    not_proved(&program("c->previous ? c->value : 1"));
}
