//! Wrong programs, by what a forest could hide; none may be proved.

use heapwright_engine::Finding;

use crate::{PARTS, finding, skip_list, task};

pub(crate) fn is_not_proved(body: &str) {
    let task = task(&PARTS, body);
    assert!(!matches!(finding(&task), Finding::Proved(_)), "proved: {body}");
}

#[test]
fn a_list_may_be_empty() {
    is_not_proved(
        "int main(void) { struct node *top = 0;
        while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n); n->next = top; top = n; }
        top->prev = 0; while (top) { struct node *n = top->next; free(top); top = n; } return 0; }",
    );
}

#[test]
fn the_end_of_a_list_is_null() {
    is_not_proved(
        "int main(void) { struct node *head = build(), *at = head;
        while (at) at = at->next->next; release(head); return 0; }",
    );
}

#[test]
fn the_rest_of_a_list_is_lost() {
    is_not_proved(
        "int main(void) { struct node *head = build(); head->next = 0; release(head); return 0; }",
    );
}

#[test]
fn a_list_is_lost_when_the_program_ends() {
    is_not_proved("int main(void) { build(); return 0; }");
}

#[test]
fn a_list_that_nobody_reads_is_lost_at_an_exit() {
    is_not_proved(
        "extern void exit(int); int main(void) { struct node *head = build(); exit(0); release(head); }",
    );
}

#[test]
fn a_list_is_freed_twice() {
    is_not_proved(
        "int main(void) { struct node *head = build(); release(head); release(head); return 0; }",
    );
}

#[test]
fn a_back_link_leads_to_a_freed_node() {
    is_not_proved(
        "int main(void) { struct node *head = build(); struct node *next = head->next; free(head);
        if (next) next->prev->next = 0; release(next); return 0; }",
    );
}

#[test]
fn a_back_link_is_wrong_in_one_node() {
    is_not_proved(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next && __VERIFIER_nondet_int()) at = at->next;
        at->prev = 0; at = head;
        while (at->next) { at->next->prev->prev = 0; at = at->next; }
        release(head); return 0; }",
    );
}

#[test]
fn a_circle_is_not_a_list() {
    is_not_proved(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next) at = at->next;
        at->next = head; release(head); return 0; }",
    );
}

#[test]
fn two_lists_share_their_end() {
    is_not_proved(
        "int main(void) { struct node *one = build(), *other = build(), *at = one;
        while (at->next) at = at->next;
        at->next = other; release(one); release(other); return 0; }",
    );
}

#[test]
fn two_nodes_lead_to_one() {
    is_not_proved(
        "int main(void) { struct node *shared = malloc(sizeof *shared), *top = 0;
        shared->next = shared->prev = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = top; n->prev = shared; top = n; }
        while (top) { struct node *n = top->next; free(top->prev); free(top); top = n; }
        return 0; }",
    );
}

#[test]
fn a_node_is_freed_while_the_list_holds_it() {
    is_not_proved(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next && __VERIFIER_nondet_int()) at = at->next;
        free(at); release(head); return 0; }",
    );
}

#[test]
fn a_subtree_is_lost() {
    is_not_proved(
        "int main(void) { struct node *root = malloc(sizeof *root); root->next = root->prev = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *at = root;
            while (at->next && at->prev) at = __VERIFIER_nondet_int() ? at->next : at->prev;
            struct node *n = malloc(sizeof *n); n->next = n->prev = 0;
            if (at->next) at->prev = n; else at->next = n; }
        release(root); return 0; }",
    );
}

#[test]
fn a_pointer_to_a_dead_local_is_left_in_a_list() {
    is_not_proved(
        "static void hang(struct node *at) { struct node local; local.next = 0; at->prev = &local; }
        int main(void) { struct node *head = build(), *at = head;
        while (at->next) { hang(at); at = at->next; }
        if (head->next) head->prev->next = 0;
        release(head); return 0; }",
    );
}

#[test]
fn an_access_behind_the_end_of_a_node() {
    is_not_proved(
        "int main(void) { struct node *head = build(), *at = head;
        while (at->next) { ((struct node **) at)[2] = 0; at = at->next; } release(head); return 0; }",
    );
}

#[test]
fn numbers_in_nodes_are_not_all_the_same() {
    is_not_proved(
        "struct item { struct item *next; int key; };
        int main(void) { struct item *top = 0; int key = 0;
        while (__VERIFIER_nondet_int()) {
            struct item *n = malloc(sizeof *n); n->next = top; n->key = key; top = n; key = key + 1; }
        struct item *at = top;
        while (at) { if (at->key == 5) reach_error(); at = at->next; }
        while (top) { struct item *n = top->next; free(top); top = n; } return 0; }",
    );
}

#[test]
fn one_node_of_another_colour() {
    is_not_proved(
        "struct item { struct item *next; int red; };
        int main(void) { struct item *top = 0;
        while (__VERIFIER_nondet_int()) {
            struct item *n = malloc(sizeof *n); n->next = top; n->red = 0; top = n;
            if (__VERIFIER_nondet_int()) top->red = 1; }
        struct item *at = top;
        while (at) { if (at->red && at->next && at->next->red) reach_error(); at = at->next; }
        while (top) { struct item *n = top->next; free(top); top = n; } return 0; }",
    );
}

#[test]
fn a_node_of_a_tree_whose_parent_is_gone() {
    is_not_proved(
        "struct tree { struct tree *left, *right, *up; };
        int main(void) { struct tree *root = malloc(sizeof *root); root->left = root->right = root->up = 0;
        while (__VERIFIER_nondet_int()) {
            struct tree *at = root;
            while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
            struct tree *n = malloc(sizeof *n); n->left = n->right = 0; n->up = at;
            if (at->left) at->right = n; else at->left = n; }
        struct tree *left = root->left, *right = root->right;
        free(root);
        if (left) left->up->left = 0;
        return 0; }",
    );
}

#[test]
fn a_level_of_a_skip_list_leaves_nodes_out() {
    is_not_proved(&skip_list("a3->n3 = fresh; fresh->n3 = list->tail;", "list->head->n3"));
}

#[test]
fn a_skip_list_is_freed_along_the_wrong_level() {
    is_not_proved(&skip_list("fresh->n3 = a3->n3; a3->n3 = fresh;", "list->head->n2"));
}

#[test]
fn the_highest_level_of_a_skip_list_leads_to_a_node_that_has_none() {
    is_not_proved(&skip_list("a3->n3 = fresh;", "list->head->n1"));
}

#[test]
fn the_highest_level_of_a_skip_list_leads_back() {
    is_not_proved(&skip_list(
        "fresh->n3 = a3; a3->n3 = fresh; free(list->tail);",
        "list->head->n1",
    ));
}

#[test]
fn a_level_of_a_skip_list_is_cut_off() {
    is_not_proved(&skip_list(
        "fresh->n3 = a3->n3; a3->n3 = fresh; a2->n1 = fresh->n3; a1->n1 = fresh->n3;",
        "list->head->n1",
    ));
}

#[test]
fn the_last_node_that_all_lead_to_is_freed_first() {
    is_not_proved(
        "int main(void) { struct node *last = malloc(sizeof *last), *top = last;
        last->next = 0; last->prev = last;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = top; n->prev = last; top = n; }
        if (top != last) { free(top->prev); top->next->prev->next = 0; }
        while (top) { struct node *at = top; top = top->next; free(at); }
        return 0; }",
    );
}

#[test]
fn the_last_node_that_all_lead_to_is_lost() {
    is_not_proved(
        "int main(void) { struct node *last = malloc(sizeof *last), *top = last;
        last->next = 0; last->prev = last;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = top; n->prev = last; top = n; }
        while (top != last) { struct node *at = top; top = top->next; free(at); }
        return 0; }",
    );
}
