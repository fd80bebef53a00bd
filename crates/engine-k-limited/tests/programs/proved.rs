//! Right programs that storage graphs prove, through the gate: checked from text and run by the oracle.

use heapwright_property::Part;
use heapwright_verdict::{Verdict, conclude};

use crate::{PARTS, deadline, finding, task};

fn holds_for(parts: &[Part], body: &str) {
    let task = task(parts, body);
    match conclude(&task, finding(&task), &deadline()) {
        Verdict::Holds(_) => {}
        Verdict::Unknown(reasons) => panic!("not proved: {}", reasons[0].text),
        Verdict::Violated(_) => panic!("called wrong"),
    }
}

fn holds(body: &str) {
    holds_for(&PARTS, body);
}

#[test]
fn a_list_is_built_walked_and_freed() {
    holds(
        "int main(void) {
            struct node *list = build();
            for (struct node *p = list; p; p = p->next) p->prev = 0;
            release(list);
        }",
    );
}

#[test]
fn nodes_are_pushed_and_popped_at_the_head() {
    holds(
        "int main(void) {
            struct node *top = 0;
            while (__VERIFIER_nondet_int()) {
                if (__VERIFIER_nondet_int()) {
                    struct node *fresh = malloc(sizeof *fresh); fresh->next = top; top = fresh;
                } else if (top) {
                    struct node *old = top; top = top->next; free(old);
                }
            }
            release(top);
        }",
    );
}

#[test]
fn a_list_is_reversed() {
    holds(
        "int main(void) {
            struct node *list = build(), *done = 0;
            while (list) { struct node *next = list->next; list->next = done; done = list; list = next; }
            release(done);
        }",
    );
}

#[test]
fn a_node_is_put_in_and_taken_out_in_the_middle() {
    holds(
        "int main(void) {
            struct node *list = build(), *p = list;
            while (p->next && __VERIFIER_nondet_int()) p = p->next;
            struct node *fresh = malloc(sizeof *fresh); fresh->next = p->next; p->next = fresh;
            p = list;
            while (p->next && __VERIFIER_nondet_int()) p = p->next;
            if (p->next) { struct node *gone = p->next; p->next = gone->next; free(gone); }
            release(list);
        }",
    );
}

#[test]
fn a_circular_list_is_opened_and_freed() {
    holds(
        "int main(void) {
            struct node *list = malloc(sizeof *list); list->next = list;
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof *fresh); fresh->next = list->next; list->next = fresh;
            }
            struct node *p = list->next;
            while (p != list) { struct node *next = p->next; free(p); p = next; }
            free(list);
        }",
    );
}

#[test]
fn a_tree_is_searched() {
    holds(
        "struct tree { struct tree *left, *right; };
        int main(void) {
            struct tree *root = calloc(1, sizeof *root);
            while (__VERIFIER_nondet_int()) {
                struct tree **place = &root;
                struct tree *p = root;
                while (p->left && p->right) p = __VERIFIER_nondet_int() ? p->left : p->right;
                struct tree *leaf = calloc(1, sizeof *leaf);
                if (p->left) p->right = leaf; else p->left = leaf;
            }
        }",
    );
}

#[test]
fn a_list_in_an_object_with_a_header() {
    holds(
        "struct list { struct node *first, *last; };
        static void add(struct list *l) {
            struct node *fresh = malloc(sizeof *fresh); fresh->next = 0;
            if (l->last) l->last->next = fresh; else l->first = fresh;
            l->last = fresh;
        }
        int main(void) {
            struct list l; memset(&l, 0, sizeof l);
            while (__VERIFIER_nondet_int()) add(&l);
            struct list copy = l;
            release(copy.first);
        }",
    );
}

#[test]
fn an_error_behind_a_null_test_is_not_reached() {
    holds(
        "int main(void) {
            struct node *list = build();
            if (!list) reach_error();
            for (struct node *p = list; p; p = p->next) if (p->next == p) reach_error();
        }",
    );
}
