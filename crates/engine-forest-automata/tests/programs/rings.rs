//! Rings alone and in other structures, links that lead up, and places that are told apart by their distance: what is
//! proved, and wrong programs beside it.

use std::time::Duration;

use crate::never_proved::is_not_proved;
use crate::proved::holds_within;

fn holds(body: &str) {
    holds_within(body, Duration::from_secs(60));
}

/// A ring of one node or more; `GO_ON` is done with a pointer into it. Then it is freed.
fn ring(go_on: &str) -> String {
    "struct item { struct item *next; int key; };
    int main(void) {
        struct item *at = malloc(sizeof *at), *fresh;
        at->next = at;
        while (__VERIFIER_nondet_int()) { fresh = malloc(sizeof *fresh); fresh->next = at->next; at->next = fresh; }
        GO_ON
        while (at->next != at) { fresh = at->next; at->next = fresh->next; free(fresh); }
        free(at); return 0; }"
        .replace("GO_ON", go_on)
}

#[test]
fn a_ring_is_held_by_any_of_its_nodes() {
    holds(&ring("while (__VERIFIER_nondet_int()) at = at->next;"));
}

#[test]
fn nodes_are_taken_out_of_a_ring_while_it_turns() {
    holds(&ring(
        "while (at->next != at) { fresh = at->next; at->next = fresh->next; free(fresh); at = at->next; }",
    ));
}

#[test]
fn a_ring_that_is_cut_is_lost() {
    is_not_proved(&ring("while (__VERIFIER_nondet_int()) at = at->next; at->next = at;"));
}

#[test]
fn a_shorter_ring_leaves_nodes_out() {
    is_not_proved(&ring(
        "fresh = at; while (__VERIFIER_nondet_int()) at = at->next; at->next = fresh;",
    ));
}

#[test]
fn a_node_of_a_ring_is_freed_twice() {
    is_not_proved(&ring(
        "while (__VERIFIER_nondet_int()) at = at->next; fresh = at->next; if (fresh != at) free(fresh);",
    ));
}

/// A list of owners, each of which has a ring of nodes with links both ways; `INSERT` puts a node into the ring.
const OWNERS: &str = "
struct link { struct link *next, *prev; };
struct owner { struct link head; struct owner *next, *prev; };
int main(void) {
    struct owner *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct owner *o = malloc(sizeof *o);
        o->next = o->prev = 0; o->head.next = o->head.prev = &o->head;
        while (__VERIFIER_nondet_int()) { struct link *n = malloc(sizeof *n); INSERT n = 0; }
        if (!first) first = o; else { last->next = o; o->prev = last; }
        last = o;
    }
    while (first) {
        struct owner *o = first; first = first->next;
        FREE
        free(o);
    }
    return 0;
}";
const AT_HEAD: &str =
    "n->next = o->head.next; n->next->prev = n; n->prev = &o->head; o->head.next = n;";
const AT_END: &str =
    "n->next = &o->head; n->prev = o->head.prev; n->prev->next = n; o->head.prev = n;";
const FORTH: &str = "struct link *n = o->head.next; while (n != &o->head) { struct link *m = n; n = n->next; free(m); }";
const BACK: &str = "struct link *n = o->head.prev; while (n != &o->head) { struct link *m = n; n = n->prev; free(m); }";

fn owners(insert: &str, free: &str) -> String {
    OWNERS.replace("INSERT", insert).replace("FREE", free)
}

#[test]
fn owners_of_rings() {
    holds(&owners(AT_HEAD, FORTH));
    holds_within(&owners(AT_END, FORTH), Duration::from_secs(180));
}

#[test]
fn nodes_are_put_behind_the_last_of_an_owned_ring() {
    is_not_proved(&owners(&AT_END.replace("n->prev->next = n;", ""), FORTH));
    is_not_proved(&owners(&AT_END.replace("o->head.prev = n;", ""), FORTH));
}

#[test]
fn the_last_node_of_an_owned_ring_is_left_out() {
    let insert = "n->next = o->head.next; n->prev = &o->head; o->head.next = n;";
    is_not_proved(&owners(insert, BACK));
}

#[test]
fn an_owned_ring_whose_links_back_leave_nodes_out() {
    let insert = "n->next = o->head.next; n->prev = &o->head; o->head.prev = n; o->head.next = n;";
    is_not_proved(&owners(insert, BACK));
}

#[test]
fn the_link_back_from_the_last_node_of_an_owned_ring_is_null() {
    let insert = "n->next = &o->head; n->prev = 0; o->head.prev->next = n; o->head.prev = n;";
    let free = format!(
        "struct link *l = o->head.prev; if (l != &o->head) l->prev->next = &o->head; {{ {FORTH} }}"
    );
    is_not_proved(&owners(insert, &free));
}

#[test]
fn an_owned_ring_that_leads_to_the_one_of_the_owner_before() {
    let insert =
        "n->next = last ? last->head.next : &o->head; n->prev = &o->head; o->head.next = n;";
    is_not_proved(&owners(insert, FORTH));
}

#[test]
fn the_first_node_of_an_owned_ring_is_kept() {
    let free = FORTH.replace("o->head.next;", "o->head.next; if (n != &o->head) n = n->next;");
    is_not_proved(&owners(AT_HEAD, &free));
}

/// The cursor runs off the end of the list, whose first node is held by links back alone.
#[test]
fn the_rest_of_a_list_is_held_by_links_back() {
    holds(
        "int main(void) {
        struct node *last = malloc(sizeof *last), *at; last->next = last->prev = 0;
        while (__VERIFIER_nondet_int()) {
            at = malloc(sizeof *at); at->prev = last; at->next = 0; last->next = at; last = at; }
        at = last; while (at) at = at->prev;
        while (last) { at = last->prev; free(last); last = at; } return 0; }",
    );
}

/// Nobody holds the root: each node is held by the one below it, and cut off from it before it is freed.
fn climbing(free: &str) -> String {
    "struct tree { struct tree *left, *right, *up; };
    int main(void) {
        struct tree *at = malloc(sizeof *at), *n; at->left = at->right = at->up = 0;
        while (__VERIFIER_nondet_int()) {
            n = at; while (n->left && n->right) n = __VERIFIER_nondet_int() ? n->left : n->right;
            struct tree *m = malloc(sizeof *m); m->left = m->right = 0; m->up = n;
            if (n->left) n->right = m; else n->left = m; }
        while (at) {
            if (at->left) at = at->left; else if (at->right) at = at->right;
            else { n = at->up; FREE at = n; } }
        return 0; }"
        .replace("FREE", free)
}

#[test]
fn a_tree_is_freed_along_links_up() {
    holds(&climbing("if (n) { if (n->left == at) n->left = 0; else n->right = 0; } free(at);"));
}

#[test]
fn a_tree_is_freed_wrongly_along_links_up() {
    is_not_proved(&climbing("if (n) n->left = 0; free(at);"));
    is_not_proved(&climbing(
        "if (n) { if (n->left == at) n->right = 0; else n->left = 0; } free(at);",
    ));
    is_not_proved(&climbing("free(at);"));
    is_not_proved(&climbing("if (n) { n->left = n->right = 0; } free(at);"));
}

#[test]
fn one_link_back_is_null() {
    is_not_proved(
        "int main(void) { struct node *at = build();
        while (at->next) { at = at->next; if (__VERIFIER_nondet_int()) at->prev = 0; }
        while (at) { struct node *before = at->prev; free(at); at = before; } return 0; }",
    );
}

#[test]
fn one_link_back_leads_to_its_own_node() {
    is_not_proved(
        "int main(void) { struct node *at = build(); int once = 1;
        while (at->next) { at = at->next; if (once && __VERIFIER_nondet_int()) { at->prev = at; once = 0; } }
        while (at && at->prev != at) { struct node *before = at->prev; free(at); at = before; }
        if (at) free(at); return 0; }",
    );
}

#[test]
fn links_far_outside_of_a_node_hold_nothing() {
    is_not_proved(
        "int main(void) { struct node *at = malloc(sizeof *at); at->next = at->prev = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = 0;
            n->prev = (struct node *) ((char *) at + 4096); at = n; }
        while (at) { struct node *before = at->prev; free(at);
            at = before ? (struct node *) ((char *) before - 4096) : 0; } return 0; }",
    );
    is_not_proved(
        "int main(void) { struct node *first = build(), *at = first;
        while (at->next) { at = at->next; at->prev = (struct node *) ((char *) at->prev + 4096); }
        first = 0;
        while (at) { struct node *before = at->prev; free(at);
            at = before ? (struct node *) ((char *) before - 4096) : 0; } return 0; }",
    );
}

/// A tree in which every node leads to the root; `HANG` sets the links of a new node, `END` frees what there is.
fn rooted(hang: &str, end: &str) -> String {
    "struct tree { struct tree *left, *right, *root; };
    int main(void) {
        struct tree *tree = 0, **at;
        while (__VERIFIER_nondet_int()) {
            at = &tree;
            while (*at) at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
            struct tree *n = malloc(sizeof *n); *at = n; n->left = n->right = 0; HANG }
        END
        return 0; }"
        .replace("HANG", hang)
        .replace("END", end)
}
const LEAVES_FIRST: &str = "while (tree) { at = &tree;
    while ((*at)->left || (*at)->right) at = (*at)->left ? &(*at)->left : &(*at)->right;
    free(*at); *at = 0; }";

#[test]
fn every_node_leads_to_the_root() {
    holds(&rooted("n->root = tree;", LEAVES_FIRST));
}

#[test]
fn a_node_keeps_a_root_that_is_gone() {
    let end = format!(
        "if (tree && tree->left) {{ struct tree *l = tree->left; free(tree); tree = l; tree->root->left = 0; }} {LEAVES_FIRST}"
    );
    is_not_proved(&rooted("n->root = tree;", &end));
}

#[test]
fn a_node_does_not_lead_to_the_root() {
    let end = format!("if (tree && tree->left) tree->left->root->root = 0; {LEAVES_FIRST}");
    is_not_proved(&rooted("n->root = 0; if (__VERIFIER_nondet_int()) n->root = tree;", &end));
}

#[test]
fn a_tree_is_not_held_by_one_node_that_leads_to_its_root() {
    let end = "if (tree) { struct tree *l = tree->left; tree = l; }".to_owned() + LEAVES_FIRST;
    is_not_proved(&rooted("n->root = tree;", &end));
}

/// A list that is built by two nodes at a time, `MORE`, and walked so.
fn even(more: &str) -> String {
    "struct item { struct item *next; };
    static struct item *push(struct item *top) {
        struct item *n = malloc(sizeof *n); n->next = top; return n; }
    int main(void) {
        struct item *top = 0;
        while (__VERIFIER_nondet_int()) { top = push(top); top = push(top); }
        MORE
        while (top) {
            struct item *n = top->next, *m = n->next;
            free(top); free(n); top = m; }
        return 0; }"
        .replace("MORE", more)
}

#[test]
fn lists_of_even_length() {
    holds(&even(""));
    holds(&even("while (__VERIFIER_nondet_int()) { top = push(top); top = push(top); }"));
}

#[test]
fn lists_of_odd_length() {
    is_not_proved(&even("top = push(top);"));
    is_not_proved(&even("if (__VERIFIER_nondet_int()) top = push(top);"));
    is_not_proved(&even("while (__VERIFIER_nondet_int()) top = push(top);"));
    is_not_proved(&even(
        "struct item *at = top; while (at && __VERIFIER_nondet_int()) at = at->next;
        if (at) at->next = push(at->next);",
    ));
}

#[test]
fn lists_of_three_more_each_time() {
    is_not_proved(&even(
        "while (__VERIFIER_nondet_int()) { top = push(top); top = push(top); top = push(top); }",
    ));
}
