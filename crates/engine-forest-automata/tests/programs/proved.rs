//! What is proved: lists and trees of any size, with the links that make no tree.

use heapwright_engine::{Deadline, Engine, Finding, Run};
use heapwright_engine_forest_automata::ForestEngine;
use heapwright_oracle::{Budget, Effort, examine};
use heapwright_verdict::{Verdict, conclude};
use std::time::Duration;

use crate::{PARTS, skip_list, task};

fn holds(body: &str) {
    holds_within(body, Duration::from_secs(60));
}

/// The program is proved, the check accepts the certificate, and no run disagrees with it. A busy machine may need
/// much more time than the work takes.
pub(crate) fn holds_within(body: &str, limit: Duration) {
    let task = task(&PARTS, body);
    let deadline = Deadline::after(limit);
    let proof = match ForestEngine::default().run(&task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => proof,
        other => panic!("{other:?}"),
    };
    if let Err(reason) = proof.check(&task, &Deadline::after(limit)) {
        panic!("{}\n{}", reason.text, proof.invariants().join("\n"));
    }
    let deadline = Deadline::after(limit);
    let mut evidence = proof.evidence(&task, &deadline);
    let budget = Budget::of(Effort::Default, Duration::from_secs(2));
    let found = examine(&task, evidence.as_mut(), &budget, &deadline);
    let problem = found.refutation.map(|refutation| refutation.problem);
    assert!(problem.is_none(), "{problem:?}\n{}", proof.invariants().join("\n"));
    let verdict = conclude(&task, Finding::Proved(proof), &deadline);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}

const SINGLY: &str = "
struct item { struct item *next; int key; };
static struct item *list(void) {
    struct item *top = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->next = top; top = fresh;
    }
    return top;
}";

fn singly(body: &str) {
    holds(&format!("{SINGLY}{body}"));
}

#[test]
fn a_list_is_built_and_freed() {
    singly(
        "int main(void) { struct item *top = list();
        while (top) { struct item *next = top->next; free(top); top = next; } return 0; }",
    );
}

#[test]
fn a_cursor_walks_along_a_list() {
    singly(
        "int main(void) { struct item *top = list(), *at = top;
        while (at) { at->key = 1; at = at->next; }
        while (top) { struct item *next = top->next; free(top); top = next; } return 0; }",
    );
}

#[test]
fn a_list_is_reversed() {
    singly(
        "int main(void) { struct item *top = list(), *other = 0;
        while (top) { struct item *next = top->next; top->next = other; other = top; top = next; }
        while (other) { struct item *next = other->next; free(other); other = next; } return 0; }",
    );
}

#[test]
fn a_node_in_the_middle_is_taken_out() {
    singly(
        "int main(void) { struct item *top = list(), *at = top;
        while (at) { struct item *next = at->next;
            if (next && __VERIFIER_nondet_int()) { at->next = next->next; free(next); }
            at = at->next; }
        while (top) { struct item *next = top->next; free(top); top = next; } return 0; }",
    );
}

#[test]
fn a_doubly_linked_list_is_built_and_freed() {
    holds("int main(void) { release(build()); return 0; }");
}

#[test]
fn a_doubly_linked_list_is_walked_to_its_end_and_back() {
    holds(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next) at = at->next;
        while (at->prev) at = at->prev;
        release(head); return 0; }",
    );
}

#[test]
fn back_links_lead_to_where_one_came_from() {
    holds(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next) { if (at->next->prev != at) reach_error(); at = at->next; }
        release(head); return 0; }",
    );
}

#[test]
fn a_circle_of_doubly_linked_nodes() {
    holds(
        "int main(void) { struct node *head = malloc(sizeof *head); head->next = head; head->prev = head;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head->next; fresh->prev = head; head->next->prev = fresh; head->next = fresh; }
        struct node *at = head->next;
        while (at != head) { struct node *next = at->next; free(at); at = next; }
        free(head); return 0; }",
    );
}

const TREES: &str = "
struct tree { struct tree *left; struct tree *right; struct tree *up; struct tree *root; };
static struct tree *grow(void) {
    struct tree *root = malloc(sizeof *root);
    root->left = root->right = root->up = 0; root->root = root;
    while (__VERIFIER_nondet_int()) {
        struct tree *at = root;
        while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
        struct tree *fresh = malloc(sizeof *fresh);
        fresh->left = fresh->right = 0; fresh->up = at; fresh->root = root;
        if (at->left) at->right = fresh; else at->left = fresh;
    }
    return root;
}
";

#[test]
fn a_tree_whose_nodes_know_their_parents_and_the_root() {
    holds(&format!(
        "{TREES} int main(void) {{ struct tree *at = grow(), *root = at;
        while (root) {{
            at = root;
            while (at->left || at->right) at = at->left ? at->left : at->right;
            if (at->root != root) reach_error();
            struct tree *up = at->up;
            if (!up) root = 0; else if (up->left == at) up->left = 0; else up->right = 0;
            free(at);
        }}
        return 0; }}"
    ));
}

#[test]
fn a_list_of_lists() {
    holds(
        "struct inner { struct inner *next; }; struct outer { struct outer *next; struct inner *list; };
        int main(void) { struct outer *top = 0;
        while (__VERIFIER_nondet_int()) {
            struct outer *fresh = malloc(sizeof *fresh); fresh->next = top; fresh->list = 0; top = fresh;
            while (__VERIFIER_nondet_int()) {
                struct inner *small = malloc(sizeof *small); small->next = fresh->list; fresh->list = small; } }
        while (top) { struct outer *next = top->next;
            while (top->list) { struct inner *rest = top->list->next; free(top->list); top->list = rest; }
            free(top); top = next; }
        return 0; }",
    );
}

#[test]
fn a_loop_begins_where_the_program_does() {
    holds("int main(void) { while (__VERIFIER_nondet_int()) { free(malloc(8)); } return 0; }");
}

#[test]
fn a_skip_list_of_three_levels() {
    holds(&skip_list("fresh->n3 = a3->n3; a3->n3 = fresh;", "list->head->n1"));
}

#[test]
fn a_list_whose_nodes_all_lead_to_the_last() {
    holds(
        "int main(void) { struct node *last = malloc(sizeof *last), *top = last;
        last->next = 0; last->prev = last;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = top; n->prev = last; top = n; }
        struct node *at = top;
        while (at) at = at->next;
        while (top) { at = top; top = top->next; free(at); }
        return 0; }",
    );
}
