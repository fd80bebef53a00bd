//! Lists and the numbers that count their nodes.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LIST: &str = "
    static struct node *push(struct node *l) { struct node *x = malloc(sizeof *x); x->next = l; return x; }
    static struct node *pop(struct node *l) { struct node *n = l->next; free(l); return n; }";

fn proved(body: &str) {
    summaries_prove(&format!("{LIST} int main(void) {{ {body} return 0; }}"));
}

fn not_proved(body: &str) {
    is_never_proved_by_summaries(&format!("{LIST} int main(void) {{ {body} return 0; }}"));
}

#[test]
fn as_many_nodes_are_freed_as_were_made() {
    let program = |free: &str| {
        format!(
            "int n = __VERIFIER_nondet_int(), i; struct node *l = 0;
            for (i = 0; i < n; i++) l = push(l);
            {free}"
        )
    };
    proved(&program("for (i = 0; i < n; i++) l = pop(l);"));
    proved(&program("while (n-- > 0) l = pop(l);"));
    not_proved(&program("for (i = 0; i <= n; i++) l = pop(l);"));
    not_proved(&program("for (i = 1; i < n; i++) l = pop(l);"));
}

#[test]
fn a_stack_is_as_deep_as_its_counter_says() {
    let program = |room: &str| {
        format!(
            "struct node *top = 0; signed char depth = 0;
            while (__VERIFIER_nondet_int()) {{
                if (__VERIFIER_nondet_int()) {{ {room} {{ top = push(top); depth++; }} }}
                else if (depth > 0) {{ top = pop(top); depth--; }}
            }}
            while (depth > 0) {{ top = pop(top); depth--; }}
            if (top) reach_error();"
        )
    };
    proved(&program("if (depth < 100)"));
    // It wraps: the stack is not empty where the counter is zero.
    not_proved(&program(""));
}

#[test]
fn a_counter_that_wraps_still_tells_that_there_are_nodes() {
    let program = |guard: &str| {
        format!(
            "struct node *h = 0; unsigned len = 0;
            while (__VERIFIER_nondet_int()) {{
                if (__VERIFIER_nondet_int()) {{ h = push(h); len++; }}
                else if ({guard}) {{ h = pop(h); len--; }}
            }}
            while (h) h = pop(h);"
        )
    };
    proved(&program("len"));
    not_proved(&program("len + 1 > 0"));
    not_proved(&program("len != 7"));
}

#[test]
fn lists_that_grow_together_are_as_long() {
    let program = |second: &str| {
        format!(
            "struct node *a = 0, *b = 0;
            while (__VERIFIER_nondet_int()) {{ a = push(a); {second} }}
            while (a) {{ a = pop(a); b = pop(b); }}
            if (b) reach_error();"
        )
    };
    proved(&program("b = push(b);"));
    not_proved(&program("if (__VERIFIER_nondet_int()) b = push(b);"));
    not_proved(&program("b = push(b); b = push(b);"));
}

/// A queue with a tail is empty where its number of nodes is zero: no list is so long that the number would have wrapped.
#[test]
fn a_queue_is_empty_where_its_length_says_so() {
    let program = |length: &str, push: &str, pop: &str| {
        format!(
            "struct queue {{ struct node *head, *tail; {length} len; }};
            static void put(struct queue *q) {{
                struct node *x = malloc(sizeof *x); x->next = 0;
                if (q->len == 0) q->head = x; else q->tail->next = x;
                q->tail = x; {push}
            }}
            static void take(struct queue *q) {{
                struct node *x = q->head; q->head = x->next; free(x); {pop}
            }}
            int main(void) {{
                struct queue *q = malloc(sizeof *q); q->head = q->tail = 0; q->len = 0;
                while (__VERIFIER_nondet_int()) {{
                    if (__VERIFIER_nondet_int()) put(q);
                    else if (q->len > 0) take(q);
                }}
                while (q->len > 0) take(q);
                if (q->head) reach_error();
                free(q);
                return 0;
            }}"
        )
    };
    summaries_prove(&program("unsigned long", "q->len++;", "q->len--;"));
    // A short counter wraps.
    is_never_proved_by_summaries(&program("unsigned char", "q->len++;", "q->len--;"));
    is_never_proved_by_summaries(&program("unsigned short", "q->len++;", "q->len--;"));
    // What is taken is not always counted, or counted twice.
    is_never_proved_by_summaries(&program("unsigned long", "q->len++;", "if (q->head) q->len--;"));
    is_never_proved_by_summaries(&program("unsigned long", "q->len++;", "q->len -= 2;"));
    is_never_proved_by_summaries(&program(
        "unsigned long",
        "q->len += q->len == 7 ? 2 : 1;",
        "q->len--;",
    ));
}
