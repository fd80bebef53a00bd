//! Lists with links in more than one place: skip lists and elements of two nodes; and traps that must
//! not be proved.

mod common;

use common::{holds, is_never_proved};

/// A list with a second level; `LAST` is what the program does with it.
fn skip_list(last: &str) -> String {
    format!(
        "struct item {{ struct item *next; struct item *fast; }};
        int main(void) {{
            struct item *tail = malloc(sizeof *tail); tail->next = tail->fast = 0;
            struct item *head = malloc(sizeof *head); head->next = head->fast = tail;
            while (__VERIFIER_nondet_int()) {{
                struct item *a = head, *b;
                while (a->fast != tail && __VERIFIER_nondet_int()) a = a->fast;
                b = a;
                while (b->next != a->fast && __VERIFIER_nondet_int()) b = b->next;
                struct item *fresh = malloc(sizeof *fresh);
                fresh->next = b->next; b->next = fresh;
                if (__VERIFIER_nondet_int()) {{ fresh->fast = a->fast; a->fast = fresh; }}
            }}
            {last}
            return 0;
        }}"
    )
}

#[test]
fn a_skip_list_is_built_and_freed() {
    holds(&skip_list("while (head) { tail = head; head = head->next; free(tail); }"));
}

#[test]
fn freeing_a_skip_list_by_its_fast_links_loses_nodes() {
    is_never_proved(&skip_list(
        "while (head) { struct item *old = head; head = head == tail ? 0 : head->fast; free(old); }",
    ));
}

#[test]
fn a_skip_list_whose_slow_node_is_freed_is_used() {
    is_never_proved(&skip_list(
        "if (head->next != tail) free(head->next);
        while (head) { tail = head; head = head->next; free(tail); }",
    ));
}

/// Nodes go on by the one link or by the other.
fn either(insert: &str) -> String {
    format!(
        "struct entry {{ struct entry *left; struct entry *right; }};
        int main(void) {{
            struct entry *head = 0;
            while (__VERIFIER_nondet_int()) {{
                struct entry *fresh = malloc(sizeof *fresh);
                fresh->left = fresh->right = 0;
                {insert}
                head = fresh;
            }}
            while (head) {{
                struct entry *next = head->left ? head->left : head->right;
                free(head); head = next;
            }}
            return 0;
        }}"
    )
}

#[test]
fn a_list_by_either_of_two_links_that_forgets_one() {
    is_never_proved(&either(
        "if (__VERIFIER_nondet_int()) fresh->left = head; \
         else if (__VERIFIER_nondet_int()) fresh->right = head;",
    ));
}

/// A red node is always followed by a black one; `BLACK` follows the red one.
fn red_and_black(black: &str, last: &str) -> String {
    format!(
        "struct entry {{ struct entry *next; int is_red; }};
        int main(void) {{
            struct entry *head = malloc(sizeof *head), *end = head;
            head->next = 0; head->is_red = 0;
            while (__VERIFIER_nondet_int()) {{
                end->next = malloc(sizeof *end); end = end->next; end->next = 0;
                if (__VERIFIER_nondet_int()) end->is_red = 0;
                else {{
                    end->is_red = 1;
                    {black}
                }}
            }}
            {last}
            while (head) {{ end = head->next; free(head); head = end; }}
            return 0;
        }}"
    )
}

const ALWAYS_BLACK: &str =
    "end->next = malloc(sizeof *end); end = end->next; end->next = 0; end->is_red = 0;";

const SOMETIMES_BLACK: &str = "if (__VERIFIER_nondet_int()) { end->next = malloc(sizeof *end); \
                               end = end->next; end->next = 0; end->is_red = 0; }";

const CHECK: &str = "for (end = head; end; end = end->next)
                if (end->is_red) { end = end->next; if (end->is_red) { *(int *)0 = 1; } }";

#[test]
fn red_nodes_are_followed_by_black_ones() {
    holds(&red_and_black(ALWAYS_BLACK, CHECK));
}

#[test]
fn red_nodes_are_not_always_followed_by_black_ones() {
    is_never_proved(&red_and_black(SOMETIMES_BLACK, CHECK));
}

#[test]
fn a_black_node_behind_a_red_one_is_lost() {
    is_never_proved(&red_and_black(
        ALWAYS_BLACK,
        "for (end = head; end; end = end->next)
            if (end->is_red && __VERIFIER_nondet_int()) end->next = end->next->next;",
    ));
}

/// Every second node shares its block with the one before it.
fn sharing(drop: &str) -> String {
    format!(
        "struct entry {{ struct entry *next; int *block; int shares; }};
        int main(void) {{
            struct entry *head = 0;
            while (__VERIFIER_nondet_int()) {{
                struct entry *first = malloc(sizeof *first), *second = malloc(sizeof *second);
                first->block = malloc(sizeof(int)); *first->block = 1;
                second->block = first->block;
                second->shares = 1; first->shares = 0;
                second->next = head; first->next = second; head = first;
            }}
            while (head) {{
                struct entry *next = head->next;
                {drop}
                free(head); head = next;
            }}
            return 0;
        }}"
    )
}

#[test]
fn two_nodes_share_a_block() {
    holds(&sharing("if (head->shares) free(head->block);"));
}

#[test]
fn a_shared_block_is_freed_twice() {
    is_never_proved(&sharing("free(head->block);"));
}

#[test]
fn a_shared_block_is_used_after_it_was_freed() {
    is_never_proved(&sharing(
        "if (!head->shares) free(head->block); else if (*head->block == 2) return 1;",
    ));
}
