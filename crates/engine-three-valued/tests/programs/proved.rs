//! Programs that shape classes prove, through the gate.

use std::time::Duration;

use heapwright_engine::Deadline;
use heapwright_engine_three_valued::{Outcome, ThreeValuedEngine, refine_shapes};
use heapwright_property::Property;
use heapwright_verdict::Verdict;

fn holds(property: Property, body: &str) -> Vec<String> {
    match crate::verdict(property, body) {
        Verdict::Holds(proof) => proof.invariants().to_vec(),
        other => panic!("{other:?}"),
    }
}

const LINKS_CANCEL: &str = "int main(void) {
    struct node *list = build();
    while (list) {
        if (list->next && list->next->prev != list) reach_error();
        list = list->next;
    }
}";

#[test]
fn links_of_a_doubly_linked_list_cancel() {
    let diary = holds(Property::UnreachCall, LINKS_CANCEL);
    let title = "doubly linked list (next at byte 0, prev at byte 8)";
    let names_it = |line: &String| line.contains(title);
    assert!(diary.iter().any(names_it), "{diary:#?}");
}

#[test]
fn a_list_is_built_and_released() {
    holds(Property::ValidMemsafety, "int main(void) { release(build()); }");
    holds(Property::ValidMemcleanup, "int main(void) { release(build()); }");
}

#[test]
fn an_insertion_in_the_middle_keeps_a_list_without_cycles() {
    holds(
        Property::UnreachCall,
        "int main(void) {
            struct node *list = build(), *at = list, *fresh = malloc(sizeof *fresh);
            while (at->next && __VERIFIER_nondet_int()) at = at->next;
            fresh->prev = at; fresh->next = at->next; at->next = fresh;
            struct node *slow = list, *fast = list;
            while (fast && fast->next) {
                slow = slow->next; fast = fast->next->next;
                if (fast && fast == slow) reach_error();
            }
        }",
    );
}

#[test]
fn a_rotation_in_a_tree_with_parent_links_keeps_them() {
    holds(
        Property::UnreachCall,
        "struct tree { struct tree *left, *right, *up; };
        static struct tree *leaf(void) {
            struct tree *t = malloc(sizeof *t); t->left = 0; t->right = 0; t->up = 0; return t;
        }
        static struct tree *pick(struct tree *t) {
            while (__VERIFIER_nondet_int()) {
                if (__VERIFIER_nondet_int()) { if (t->left) t = t->left; }
                else { if (t->right) t = t->right; }
            }
            return t;
        }
        int main(void) {
            struct tree *root = leaf();
            while (__VERIFIER_nondet_int()) {
                struct tree *at = pick(root);
                if (!at->left) { at->left = leaf(); at->left->up = at; }
                else if (!at->right) { at->right = leaf(); at->right->up = at; }
            }
            struct tree *a = root, *b = a->right;
            if (!b) return 0;
            a->right = b->left;
            if (a->right) a->right->up = a;
            b->left = a; a->up = b; b->up = 0; root = b;
            struct tree *t = pick(root);
            if (t->left && t->left->up != t) reach_error();
            if (t->right && t->right->up != t) reach_error();
        }",
    );
}

#[test]
fn a_pointer_to_a_pointer_walks_along_a_list() {
    holds(
        Property::ValidMemsafety,
        "struct node *first;
        int main(void) {
            first = build();
            struct node **at = &first;
            while (*at && __VERIFIER_nondet_int()) at = &(*at)->next;
            struct node *gone = *at;
            if (gone) { *at = gone->next; free(gone); }
            release(first); first = 0;
        }",
    );
}

#[test]
fn a_tree_whose_parts_change_places_loses_none() {
    holds(
        Property::ValidMemsafety,
        "struct tree { struct tree *left, *right; } *root;
         static struct tree *leaf(void) {
             struct tree *fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; return fresh;
         }
         static struct tree *pick(struct tree *t) {
             while (__VERIFIER_nondet_int()) {
                 if (__VERIFIER_nondet_int()) { if (t->left) t = t->left; }
                 else { if (t->right) t = t->right; }
             }
             return t;
         }
         int main(void) {
             root = leaf();
             while (__VERIFIER_nondet_int()) {
                 struct tree *at = pick(root);
                 if (!at->left) at->left = leaf(); else if (!at->right) at->right = leaf();
             }
             struct tree *at = pick(root), *left = at->left;
             at->left = at->right; at->right = left;
             return 0;
         }",
    );
}

/// The first time at the head is claimed as well as those behind.
#[test]
fn a_program_that_begins_with_a_loop() {
    holds(
        Property::ValidMemsafety,
        "static int count(void) { static int calls; return ++calls; }
        int main(void) {
            while (__VERIFIER_nondet_int()) { count(); if (count() > 5) reach_error(); }
        }",
    );
}

/// Both pointers are compared on the way to the alarm, and one of them is enough to rule it out.
#[test]
fn a_pointer_that_is_looked_at_in_vain_is_not_tracked() {
    let body = "
        int main(void) {
            struct node *list = build(), *other = build();
            int met = 0;
            while (__VERIFIER_nondet_int()) { met++; }
            if (other == list) { met = 0; }
            if (!list) { reach_error(); }
            return met;
        }";
    let task = crate::task(Property::UnreachCall, body);
    let deadline = Deadline::after(Duration::from_secs(60));
    let refined = refine_shapes(&task, &ThreeValuedEngine::default(), &deadline);
    assert_eq!(refined.outcome, Outcome::Proved { is_checked: true });
    let diary = refined.diary.lines().join("\n");
    assert!(diary.contains("main/list") && !diary.contains("main/other"), "{diary}");
}
