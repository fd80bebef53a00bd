//! Lists whose nodes own blocks and lists: what must be proved, and traps that must not be.

mod common;

use common::{holds, is_never_proved};

/// A list of nodes, each with a block of its own.
const OWNERS: &str = "
struct owner { struct owner *next; int *mine; };
static struct owner *build(void) {
    struct owner *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct owner *fresh = malloc(sizeof *fresh);
        fresh->mine = malloc(sizeof(int)); *fresh->mine = 3;
        fresh->next = head; head = fresh;
    }
    return head;
}
static void drop(struct owner *head) {
    while (head) {
        struct owner *next = head->next;
        free(head->mine); free(head); head = next;
    }
}
";

#[test]
fn every_node_owns_a_block() {
    holds(&format!("{OWNERS} int main(void) {{ drop(build()); return 0; }}"));
}

#[test]
fn some_nodes_own_a_block() {
    holds(
        "struct owner { int tag; struct owner *next; int *mine; };
        int main(void) {
            struct owner *head = 0;
            while (__VERIFIER_nondet_int()) {
                struct owner *fresh = malloc(sizeof *fresh);
                fresh->mine = 0;
                if (__VERIFIER_nondet_int()) fresh->mine = malloc(sizeof(int));
                fresh->next = head; head = fresh;
            }
            while (head) {
                struct owner *next = head->next;
                if (head->mine) { *head->mine = 1; free(head->mine); }
                free(head); head = next;
            }
            return 0;
        }",
    );
}

#[test]
fn every_node_owns_a_list() {
    holds(
        "struct row { struct row *down; struct node *first; int many; };
        int main(void) {
            struct row *top = 0;
            while (__VERIFIER_nondet_int()) {
                struct row *row = malloc(sizeof *row);
                row->first = 0;
                while (__VERIFIER_nondet_int()) {
                    struct node *fresh = malloc(sizeof *fresh);
                    fresh->next = row->first; row->first = fresh;
                }
                row->down = top; top = row;
            }
            while (top) {
                struct row *down = top->down;
                struct node *at = top->first;
                while (at) { struct node *next = at->next; free(at); at = next; }
                free(top); top = down;
            }
            return 0;
        }",
    );
}

#[test]
fn owned_blocks_point_back_to_their_node() {
    holds(
        "struct child; struct owner { struct owner *next; struct child *child; };
        struct child { struct owner *parent; int age; int size; };
        int main(void) {
            struct owner *head = 0;
            while (__VERIFIER_nondet_int()) {
                struct owner *fresh = malloc(sizeof *fresh);
                fresh->child = malloc(sizeof *fresh->child);
                fresh->child->parent = fresh;
                fresh->next = head; head = fresh;
            }
            while (head) {
                struct owner *next = head->next;
                if (head->child->parent != head) reach_error();
                free(head->child); free(head); head = next;
            }
            return 0;
        }",
    );
}

#[test]
fn all_nodes_share_a_block() {
    let shared = |release: &str| {
        format!(
            "struct owner {{ struct owner *next; int *shared; }};
            int main(void) {{
                int *one = malloc(sizeof *one); *one = 5;
                struct owner *head = 0;
                while (__VERIFIER_nondet_int()) {{
                    struct owner *fresh = malloc(sizeof *fresh);
                    fresh->shared = one; fresh->next = head; head = fresh;
                }}
                while (head) {{
                    struct owner *next = head->next;
                    if (*head->shared != 5) reach_error();
                    {release} free(head); head = next;
                }}
                free(one);
                return 0;
            }}"
        )
    };
    holds(&shared(""));
    is_never_proved(&shared("free(head->shared);"));
}

/// A block that a variable holds as well is not its node's alone.
#[test]
fn what_others_hold_is_not_owned() {
    for trap in [
        "struct owner *head = build(); int *mine = head ? head->mine : 0;
        free(mine); drop(head);",
        "struct owner *head = build(); int *mine = 0;
        for (struct owner *at = head; at; at = at->next) if (__VERIFIER_nondet_int()) mine = at->mine;
        drop(head); if (mine) *mine = 1;",
        "struct owner *head = build(); int *mine = 0;
        for (struct owner *at = head; at; at = at->next) {
            if (mine && mine == at->mine) reach_error();
            if (__VERIFIER_nondet_int()) { free(at->mine); mine = at->mine; at->mine = malloc(4); }
            else if (mine && __VERIFIER_nondet_int()) at->mine = mine;
        }
        drop(head);",
        // Two nodes that follow each other share their block.
        "struct owner *head = 0; int *last = malloc(4);
        while (__VERIFIER_nondet_int()) {
            struct owner *fresh = malloc(sizeof *fresh);
            fresh->mine = last; if (__VERIFIER_nondet_int()) last = malloc(4);
            fresh->next = head; head = fresh;
        }
        drop(head);",
        // What the first node owns is lost, and no other.
        "struct owner *head = build(); if (head) head->mine = malloc(4); drop(head);",
        // One of many.
        "struct owner *head = build();
        for (struct owner *at = head; at; at = at->next)
            if (__VERIFIER_nondet_int()) { at->mine = 0; break; }
        drop(head);",
        "struct owner *head = build();
        for (struct owner *at = head; at; at = at->next) if (at->next && __VERIFIER_nondet_int()) {
            free(at->mine); at->mine = at->next->mine; break; }
        drop(head);",
    ] {
        is_never_proved(&format!("{OWNERS} int main(void) {{ {trap} return 0; }}"));
    }
}

/// Nodes that all have one number are not nodes that have any number each.
#[test]
fn a_number_of_all_nodes_is_not_one_of_each() {
    let lists = |other: &str| {
        format!(
            "static struct node *head;
            static int small(int n) {{ return n < 0 || n > 9 ? 4 : n; }}
            int main(void) {{
                int n = small(__VERIFIER_nondet_int()), length = 0;
                if (!__VERIFIER_nondet_int()) while (__VERIFIER_nondet_int()) {{
                    struct node *fresh = malloc(sizeof *fresh);
                    fresh->value = n; fresh->next = head; head = fresh;
                }} else while (__VERIFIER_nondet_int()) {{
                    struct node *fresh = malloc(sizeof *fresh);
                    fresh->value = {other}; fresh->next = head; head = fresh;
                }}
                n = 0;
                while (__VERIFIER_nondet_int()) n = 1;
                if (head) n = head->value;
                for (struct node *at = head; at; at = at->next) {{
                    if (length < 60) length++;
                    if (at->value != n && length == 60) reach_error();
                }}
                return 0;
            }}"
        )
    };
    holds(&lists("n"));
    is_never_proved(&lists("small(__VERIFIER_nondet_int())"));
}

/// A last node that points to itself keeps its name.
#[test]
fn the_last_node_points_to_itself() {
    let list = |check: &str| {
        format!(
            "static struct node *head;
            int main(void) {{
                while (__VERIFIER_nondet_int()) {{
                    struct node *fresh = malloc(sizeof *fresh);
                    fresh->next = head ? head : fresh; head = fresh;
                }}
                if (head && head->next != head) {{ {check} }}
                while (head) {{
                    struct node *next = head->next == head ? 0 : head->next;
                    free(head); head = next;
                }}
                return 0;
            }}"
        )
    };
    holds(&list("if (head->next->next == head) reach_error();"));
    is_never_proved(&list("if (head->next->next == head->next) reach_error();"));
}
