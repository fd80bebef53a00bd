//! Small programs with lists of any length: what must be proved, what must be refuted, and what
//! must never be called correct.

mod common;

use common::{holds, is_never_proved, is_never_proved_by_summaries, violates};

const BUILD: &str = "
static struct node *build(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head; fresh->value = 7; head = fresh;
    }
    return head;
}
static void drop(struct node *head) {
    while (head) { struct node *next = head->next; free(head); head = next; }
}
";

#[test]
fn a_list_of_any_length_is_built_walked_and_freed() {
    holds(&format!(
        "{BUILD} int main(void) {{ struct node *head = build(); int sum = 0;
        for (struct node *at = head; at; at = at->next) sum++;
        drop(head); return 0; }}"
    ));
}

#[test]
fn every_node_keeps_the_value_that_it_was_given() {
    holds(&format!(
        "{BUILD} int main(void) {{ struct node *head = build();
        for (struct node *at = head; at; at = at->next) if (at->value != 7) reach_error();
        drop(head); return 0; }}"
    ));
}

#[test]
fn values_in_nodes_stay_in_their_range() {
    holds(&format!(
        "{BUILD} int main(void) {{ struct node *head = 0;
        while (__VERIFIER_nondet_int()) {{
            int value = __VERIFIER_nondet_int();
            if (value < 10 || value > 20) continue;
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head; fresh->value = value; head = fresh;
        }}
        for (struct node *at = head; at; at = at->next)
            if (at->value < 10 || at->value > 20) reach_error();
        drop(head); return 0; }}"
    ));
}

#[test]
fn a_list_is_reversed_in_place() {
    holds(&format!(
        "{BUILD} int main(void) {{ struct node *head = build(), *back = 0;
        while (head) {{ struct node *next = head->next; head->next = back; back = head; head = next; }}
        drop(back); return 0; }}"
    ));
}

#[test]
fn a_doubly_linked_list_is_walked_both_ways() {
    holds(
        "int main(void) { struct pair *head = 0;
        while (__VERIFIER_nondet_int()) {
            struct pair *fresh = malloc(sizeof *fresh);
            fresh->next = head; fresh->previous = 0;
            if (head) head->previous = fresh;
            head = fresh;
        }
        struct pair *last = 0;
        for (struct pair *at = head; at; at = at->next) last = at;
        while (last) { struct pair *before = last->previous; free(last); last = before; }
        return 0; }",
    );
}

#[test]
fn a_node_in_the_middle_is_removed() {
    holds(&format!(
        "{BUILD} int main(void) {{ struct node *head = build();
        struct node **link = &head;
        struct node *at = head, *before = 0;
        while (at && __VERIFIER_nondet_int()) {{ before = at; at = at->next; }}
        if (at) {{ if (before) before->next = at->next; else head = at->next; free(at); }}
        (void)link; drop(head); return 0; }}"
    ));
}

#[test]
fn a_walk_of_two_steps_at_a_time_runs_off_the_end() {
    violates(
        "valid-deref",
        &format!(
            "{BUILD} int main(void) {{ struct node *head = build();
            for (struct node *at = head; at; ) at = at->next->next;
            drop(head); return 0; }}"
        ),
    );
}

#[test]
fn a_forgotten_tail_is_a_leak() {
    violates(
        "valid-memtrack",
        &format!(
            "{BUILD} int main(void) {{ struct node *head = build();
            if (head) head->next = 0;
            drop(head); return 0; }}"
        ),
    );
}

#[test]
fn a_node_freed_twice_is_found() {
    violates(
        "valid-free",
        &format!(
            "{BUILD} int main(void) {{ struct node *head = build();
            struct node *rest = head ? head->next : 0;
            free(head); drop(rest); free(head); return 0; }}"
        ),
    );
}

#[test]
fn an_index_that_may_be_too_large_is_found() {
    violates(
        "valid-deref",
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int();
        if (i < 0 || i > 4) return 0; a[i] = 1; return 0; }",
    );
}

#[test]
fn a_symbolic_size_bounds_its_block() {
    holds(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 8) return 0;
        char *p = malloc(n); p[n - 1] = 1; free(p); return 0; }",
    );
}

/// Bugs that need more nodes than a short search looks at: no abstraction may hide them.
#[test]
fn deep_bugs_are_not_proved_away() {
    for bug in [
        // The fortieth node is freed and used.
        "int main(void) { struct node *head = build(); int n = 0;
        for (struct node *at = head; at; at = at->next) if (++n == 40) { free(at); at->value = 1; }
        drop(head); return 0; }",
        // A node with another value is there after thirty rounds only.
        "int main(void) { struct node *head = 0; int n = 0;
        while (__VERIFIER_nondet_int()) { struct node *fresh = malloc(sizeof *fresh);
            fresh->value = n < 30 ? 1 : 2; n++; fresh->next = head; head = fresh; }
        for (struct node *at = head; at; at = at->next) if (at->value == 2) reach_error();
        drop(head); return 0; }",
        // The list is cut, and the rest lost, if it is long.
        "int main(void) { struct node *head = build(); int n = 0;
        for (struct node *at = head; at; at = at->next) if (++n == 35) at->next = 0;
        drop(head); return 0; }",
        // The last two nodes of a long list are the same one in two lists.
        "int main(void) { struct node *head = build(); struct node *other = head; int n = 0;
        while (other && ++n < 33) other = other->next;
        drop(head); if (n == 33 && other) drop(other); return 0; }",
    ] {
        is_never_proved(&format!("{BUILD} {bug}"));
    }
}

#[test]
fn loads_that_start_a_loop_are_executed_on_unfolded_nodes() {
    is_never_proved(&format!(
        "{BUILD} int main(void) {{ struct node *head = build(); struct node *at = head;
        if (head) do {{ at = at->next; }} while (at->next);
        drop(head); return 0; }}"
    ));
}

/// The first and the last node of a list may be one node, whatever was asked about their addresses.
#[test]
fn the_ends_of_a_list_need_not_lie_apart() {
    for question in ["address % 3 == 1", "address > 100000000", "(address & 32) != 0"] {
        is_never_proved_by_summaries(&format!(
            "int main(void) {{ struct pair *head = 0, *tail = 0;
            do {{
                struct pair *fresh = malloc(sizeof *fresh);
                fresh->next = head; fresh->previous = 0; fresh->value = 0;
                if (head) head->previous = fresh; else tail = fresh;
                head = fresh;
            }} while (!head->next || !head->next->next || __VERIFIER_nondet_int());
            while (__VERIFIER_nondet_int()) {{
                if (head->next == tail) {{ free(head); free(tail); return 0; }}
                struct pair *next = head->next; free(head); head = next; head->previous = 0;
            }}
            unsigned long address = (unsigned long)head; int answers = 0;
            if ({question}) answers++;
            address = (unsigned long)tail->previous;
            if ({question}) answers++;
            if (head->next == tail) {{
                int number = __VERIFIER_nondet_int(); if (number == 5) reach_error(); }}
            while (head) {{ struct pair *next = head->next; free(head); head = next; }}
            return answers; }}"
        ));
    }
}
