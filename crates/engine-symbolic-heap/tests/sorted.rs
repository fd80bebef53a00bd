//! Sorted lists: what is proved of the order of their nodes, and what never is.

mod common;

use common::{holds, is_never_proved_by_summaries, summaries_prove};

/// Builds a list in some way, works on it, and frees it.
fn program(build: &str, work: &str) -> String {
    format!(
        "struct entry {{ int key; struct entry *next; }};
        int main(void) {{
            struct entry *head = 0, *fresh, *at, *before, **link; int last;
            while (__VERIFIER_nondet_int()) {{
                fresh = malloc(sizeof *fresh); fresh->key = __VERIFIER_nondet_int();
                {build}
            }}
            {work}
            while (head) {{ at = head->next; free(head); head = at; }}
            return 0;
        }}"
    )
}

const BY_LINK: &str = "link = &head;
    while (*link && (*link)->key < fresh->key) link = &(*link)->next;
    fresh->next = *link; *link = fresh;";
const BY_NODES: &str = "before = 0; at = head;
    while (at && at->key < fresh->key) { before = at; at = at->next; }
    fresh->next = at; if (before) before->next = fresh; else head = fresh;";
const DOWNWARDS: &str = "link = &head;
    while (*link && (*link)->key > fresh->key) link = &(*link)->next;
    fresh->next = *link; *link = fresh;";
const SOMEWHERE: &str = "link = &head;
    while (*link && (*link)->key < fresh->key && __VERIFIER_nondet_int()) link = &(*link)->next;
    fresh->next = *link; *link = fresh;";

const ASCENDS: &str =
    "for (at = head; at && at->next; at = at->next) if (at->key > at->next->key) reach_error();";
const DESCENDS: &str =
    "for (at = head; at && at->next; at = at->next) if (at->key < at->next->key) reach_error();";
const STRICTLY: &str =
    "for (at = head; at && at->next; at = at->next) if (at->key >= at->next->key) reach_error();";

#[test]
fn nodes_that_are_put_in_by_their_keys_are_sorted() {
    holds(&program(BY_LINK, ASCENDS));
    holds(&program(BY_NODES, ASCENDS));
    holds(&program(DOWNWARDS, DESCENDS));
}

#[test]
fn a_set_has_no_key_twice() {
    let set = |equal: &str| {
        format!(
            "before = 0; at = head;
            while (at && at->key < fresh->key) {{ before = at; at = at->next; }}
            if (at && {equal}) {{ free(fresh); continue; }}
            fresh->next = at; if (before) before->next = fresh; else head = fresh;"
        )
    };
    summaries_prove(&program(&set("at->key == fresh->key"), STRICTLY));
    is_never_proved_by_summaries(&program(
        &set("at->key == fresh->key && at->key != 77"),
        STRICTLY,
    ));
    is_never_proved_by_summaries(&program(&set("at->next && at->key == fresh->key"), STRICTLY));
}

#[test]
fn keys_that_come_twice_are_taken_out() {
    let remove = |equal: &str| {
        format!(
            "for (at = head; at && at->next;)
                if ({equal}) {{ before = at->next; at->next = before->next; free(before); }}
                else at = at->next;"
        )
    };
    summaries_prove(&program(
        BY_LINK,
        &format!("{} {STRICTLY}", remove("at->next->key == at->key")),
    ));
    let once = "at->next->key == at->key && at->key != 77";
    is_never_proved_by_summaries(&program(BY_LINK, &format!("{} {STRICTLY}", remove(once))));
}

#[test]
fn keys_are_compared_with_the_one_before() {
    holds(&program(
        BY_LINK,
        "last = -2147483647 - 1;
         for (at = head; at; at = at->next) { if (at->key < last) reach_error(); last = at->key; }",
    ));
}

#[test]
fn the_order_survives_what_is_taken_out() {
    let remove = "link = &head;
        while (*link) {
            if (__VERIFIER_nondet_int()) { at = *link; *link = at->next; free(at); }
            else link = &(*link)->next;
        }";
    holds(&program(BY_LINK, &format!("{remove} {ASCENDS}")));
}

#[test]
fn a_list_is_sorted_into_another() {
    holds(
        "struct entry { int key; struct entry *next; };
        int main(void) {
            struct entry *head = 0, *other = 0, *at, **link;
            while (__VERIFIER_nondet_int()) {
                at = malloc(sizeof *at); at->key = __VERIFIER_nondet_int();
                at->next = other; other = at;
            }
            while (other) {
                at = other; other = other->next; link = &head;
                while (*link && (*link)->key < at->key) link = &(*link)->next;
                at->next = *link; *link = at;
            }
            for (at = head; at && at->next; at = at->next) if (at->key > at->next->key) reach_error();
            while (head) { at = head->next; free(head); head = at; }
            return 0;
        }",
    );
}

#[test]
fn doubly_linked_nodes_are_sorted() {
    holds(
        "struct entry { struct entry *next; struct entry *previous; int key; };
        int main(void) {
            struct entry *head = 0, *fresh, *at;
            while (__VERIFIER_nondet_int()) {
                fresh = malloc(sizeof *fresh); fresh->key = __VERIFIER_nondet_int();
                fresh->next = fresh->previous = 0;
                if (!head) { head = fresh; continue; }
                if (fresh->key <= head->key) {
                    fresh->next = head; head->previous = fresh; head = fresh; continue;
                }
                at = head;
                while (at->next && at->next->key < fresh->key) at = at->next;
                fresh->next = at->next; if (at->next) at->next->previous = fresh;
                at->next = fresh; fresh->previous = at;
            }
            for (at = head; at && at->next; at = at->next)
                if (at->key > at->next->key || at->next->previous != at) reach_error();
            while (head) { at = head->next; free(head); head = at; }
            return 0;
        }",
    );
}

#[test]
fn lists_that_are_not_sorted_are_not_proved_to_be() {
    is_never_proved_by_summaries(&program(SOMEWHERE, ASCENDS));
    is_never_proved_by_summaries(&program(BY_LINK, DESCENDS));
    is_never_proved_by_summaries(&program(BY_LINK, STRICTLY));
    is_never_proved_by_summaries(&program("fresh->next = head; head = fresh;", ASCENDS));
}

#[test]
fn keys_that_are_changed_are_not_sorted() {
    let change = "for (at = head; at; at = at->next) if (at->key == 77) at->key = 0;";
    is_never_proved_by_summaries(&program(BY_LINK, &format!("{change} {ASCENDS}")));
    let swap = "if (head && head->next) { last = head->key; head->key = head->next->key; \
                head->next->key = last; }";
    is_never_proved_by_summaries(&program(BY_LINK, &format!("{swap} {ASCENDS}")));
    let turn = "before = 0; while (head) { at = head->next; head->next = before; before = head; \
                head = at; } head = before;";
    is_never_proved_by_summaries(&program(BY_LINK, &format!("{turn} {ASCENDS}")));
}

/// Two lists are merged as a comparison says.
fn merging(comparison: &str) -> String {
    format!(
        "struct entry {{ int key; struct entry *next; }};
        static void insert(struct entry **link, int key) {{
            struct entry *fresh = malloc(sizeof *fresh); fresh->key = key;
            while (*link && (*link)->key < key) link = &(*link)->next;
            fresh->next = *link; *link = fresh;
        }}
        int main(void) {{
            struct entry *one = 0, *other = 0, *head = 0, **end = &head, *at;
            while (__VERIFIER_nondet_int()) insert(&one, __VERIFIER_nondet_int());
            while (__VERIFIER_nondet_int()) insert(&other, __VERIFIER_nondet_int());
            while (one && other) {{
                if ({comparison}) {{ *end = one; one = one->next; }}
                else {{ *end = other; other = other->next; }}
                end = &(*end)->next;
            }}
            *end = one ? one : other;
            {ASCENDS}
            while (head) {{ at = head->next; free(head); head = at; }}
            return 0;
        }}"
    )
}

#[test]
fn two_sorted_lists_are_merged() {
    summaries_prove(&merging("one->key <= other->key"));
    is_never_proved_by_summaries(&merging("one->key >= other->key"));
    is_never_proved_by_summaries(&merging("__VERIFIER_nondet_int()"));
}

/// Sorts by exchanging neighbours, with what is done at an exchange, until some condition.
fn bubbles(exchange: &str, until: &str) -> String {
    let work = format!(
        "do {{
            last = 0;
            for (at = head; at && at->next; at = at->next)
                if (at->key > at->next->key) {{
                    int key = at->key; at->key = at->next->key; at->next->key = key; {exchange}
                }}
        }} while ({until});
        {ASCENDS}"
    );
    program("fresh->next = head; head = fresh;", &work)
}

#[test]
fn neighbours_are_exchanged_until_a_flag_says_that_all_are_sorted() {
    summaries_prove(&bubbles("last = 1;", "last"));
    is_never_proved_by_summaries(&bubbles("last = 0;", "last"));
    is_never_proved_by_summaries(&bubbles("last = key != 7;", "last"));
    is_never_proved_by_summaries(&bubbles("last = 1;", "last && __VERIFIER_nondet_int()"));
}
