//! Trees of any size: what is proved of them, and what never is.

mod common;

use common::{holds, is_never_proved};

/// Nodes with and without a link to the parent.
const TREES: &str = "
struct tree { struct tree *left; struct tree *right; };
struct knot { struct knot *left; struct knot *right; struct knot *parent; int value; };
struct item { struct item *below; struct tree *tree; };
static struct tree *leaf(void) {
    struct tree *fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; return fresh;
}
static struct tree *grow(void) {
    struct tree *root = 0, *at, *fresh;
    while (__VERIFIER_nondet_int()) {
        fresh = leaf();
        if (!root) { root = fresh; continue; }
        at = root;
        while (1) {
            if (__VERIFIER_nondet_int()) {
                if (!at->left) { at->left = fresh; break; }
                at = at->left;
            } else {
                if (!at->right) { at->right = fresh; break; }
                at = at->right;
            }
        }
    }
    return root;
}
static void drop(struct tree *root) {
    struct item *stack = 0, *top; struct tree *at;
    if (!root) return;
    stack = malloc(sizeof *stack); stack->below = 0; stack->tree = root;
    while (stack) {
        top = stack; stack = top->below; at = top->tree; free(top);
        if (at->left) { top = malloc(sizeof *top); top->below = stack; top->tree = at->left; stack = top; }
        if (at->right) { top = malloc(sizeof *top); top->below = stack; top->tree = at->right; stack = top; }
        free(at);
    }
}
static struct knot *grow_knots(void) {
    struct knot *root = 0, *at, *fresh;
    while (__VERIFIER_nondet_int()) {
        fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; fresh->parent = 0;
        fresh->value = 7;
        if (!root) { root = fresh; continue; }
        at = root;
        while (1) {
            if (__VERIFIER_nondet_int()) {
                if (!at->left) { at->left = fresh; fresh->parent = at; break; }
                at = at->left;
            } else {
                if (!at->right) { at->right = fresh; fresh->parent = at; break; }
                at = at->right;
            }
        }
    }
    return root;
}
static void drop_knots(struct knot *at) {
    struct knot *up;
    while (at) {
        if (at->left) at = at->left;
        else if (at->right) at = at->right;
        else {
            up = at->parent;
            if (up) { if (up->left == at) up->left = 0; else up->right = 0; }
            free(at);
            at = up;
        }
    }
}
";

fn proved(body: &str) {
    holds(&format!("{TREES}{body}"));
}

fn never_proved(body: &str) {
    is_never_proved(&format!("{TREES}{body}"));
}

#[test]
fn a_tree_of_any_size_is_built_and_freed() {
    proved("int main(void) { drop(grow()); return 0; }");
}

#[test]
fn a_tree_is_walked_down_while_it_is_whole() {
    proved(
        "int main(void) {
            struct tree *root = grow(), *at = root;
            while (at) { if (__VERIFIER_nondet_int()) at = at->left; else at = at->right; }
            drop(root);
            return 0;
        }",
    );
}

#[test]
fn leaves_are_freed_one_by_one() {
    proved(
        "int main(void) {
            struct tree *root = grow(), *at, *up;
            while (root) {
                up = 0; at = root;
                while (at->left || at->right) { up = at; if (at->left) at = at->left; else at = at->right; }
                if (!up) root = 0; else if (up->left == at) up->left = 0; else up->right = 0;
                free(at);
            }
            return 0;
        }",
    );
}

#[test]
fn a_tree_is_rotated_until_it_is_a_list_and_freed() {
    proved(
        "int main(void) {
            struct tree *root = grow(), *next;
            while (root) {
                if (root->left) {
                    next = root->left; root->left = next->right; next->right = root; root = next;
                } else { next = root->right; free(root); root = next; }
            }
            return 0;
        }",
    );
}

#[test]
fn nodes_that_know_their_parents_are_climbed() {
    proved(
        "int main(void) {
            struct knot *root = grow_knots(), *at = root;
            while (at && (at->left || at->right)) { if (at->left) at = at->left; else at = at->right; }
            while (at && at->parent) { if (at->value != 7) reach_error(); at = at->parent; }
            if (at != root) reach_error();
            drop_knots(root);
            return 0;
        }",
    );
}

#[test]
fn nodes_of_a_tree_own_rings() {
    proved(
        "struct owner { struct owner *left; struct owner *right; struct node *ring; };
        int main(void) {
            struct owner *root = 0, *at, *up, *fresh; struct node *n, *next;
            while (__VERIFIER_nondet_int()) {
                fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0;
                n = malloc(sizeof *n); n->next = n; fresh->ring = n;
                while (__VERIFIER_nondet_int()) {
                    n = malloc(sizeof *n); n->next = fresh->ring->next; fresh->ring->next = n;
                }
                n = 0;
                if (!root) { root = fresh; fresh = 0; continue; }
                at = root;
                while (at->left && at->right) { if (__VERIFIER_nondet_int()) at = at->left; else at = at->right; }
                if (!at->left) at->left = fresh; else at->right = fresh;
                fresh = 0; at = 0;
            }
            while (root) {
                up = 0; at = root;
                while (at->left || at->right) { up = at; if (at->left) at = at->left; else at = at->right; }
                if (!up) root = 0; else if (up->left == at) up->left = 0; else up->right = 0;
                n = at->ring->next;
                while (n != at->ring) { next = n->next; free(n); n = next; }
                free(n); n = 0; next = 0;
                free(at);
            }
            return 0;
        }",
    );
}

#[test]
fn nodes_have_three_links() {
    proved(
        "struct wide { struct wide *below[3]; };
        int main(void) {
            struct wide *root = 0, *at, *up, *fresh; int side;
            while (__VERIFIER_nondet_int()) {
                fresh = calloc(1, sizeof *fresh);
                if (!root) { root = fresh; continue; }
                at = root;
                while (1) {
                    side = __VERIFIER_nondet_int();
                    if (side < 0) side = 0;
                    if (side > 2) side = 2;
                    if (!at->below[side]) { at->below[side] = fresh; break; }
                    at = at->below[side];
                }
            }
            fresh = 0;
            while (root) {
                up = 0; at = root;
                while (at->below[0] || at->below[1] || at->below[2]) {
                    up = at;
                    if (at->below[0]) at = at->below[0];
                    else if (at->below[1]) at = at->below[1];
                    else at = at->below[2];
                }
                if (!up) root = 0;
                else if (up->below[0] == at) up->below[0] = 0;
                else if (up->below[1] == at) up->below[1] = 0;
                else up->below[2] = 0;
                free(at);
            }
            return 0;
        }",
    );
}

#[test]
fn a_list_of_trees_is_dropped_tree_by_tree() {
    proved(
        "int main(void) {
            struct item *list = 0, *fresh; struct tree *root;
            while (__VERIFIER_nondet_int()) {
                root = grow();
                fresh = malloc(sizeof *fresh); fresh->below = list; fresh->tree = root; list = fresh;
                root = 0; fresh = 0;
            }
            while (list) { fresh = list->below; drop(list->tree); free(list); list = fresh; }
            return 0;
        }",
    );
}

#[test]
fn trees_are_built_searched_and_freed_by_recursion() {
    proved(
        "static struct tree *build(void) {
            if (!__VERIFIER_nondet_int()) return 0;
            struct tree *t = malloc(sizeof *t); t->left = build(); t->right = build(); return t;
        }
        static int count(struct tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }
        static void fell(struct tree *t) { if (t) { fell(t->left); fell(t->right); free(t); } }
        int main(void) { struct tree *root = build(); count(root); fell(root); return 0; }",
    );
}

#[test]
fn a_recursion_forgets_a_side() {
    never_proved(
        "static void fell(struct tree *t) {
            if (t) { fell(t->left); if (!t->left || __VERIFIER_nondet_int()) fell(t->right); free(t); }
        }
        int main(void) { fell(grow()); return 0; }",
    );
}

#[test]
fn a_recursion_frees_too_early() {
    never_proved(
        "static void fell(struct tree *t) {
            if (t) { struct tree *right = t->right; fell(t->left); free(t); fell(right); if (right && right->left) return; }
        }
        int main(void) { fell(grow()); return 0; }",
    );
}

#[test]
fn a_subtree_that_a_rotation_loses_is_a_leak() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *next;
            if (root && root->left) { next = root->left; next->right = root; root->left = 0; root = next; }
            drop(root);
            return 0;
        }",
    );
}

#[test]
fn a_node_below_two_others_is_freed_twice() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *at = root;
            while (at && at->left) at = at->left;
            if (at && at->right) at->left = at->right;
            drop(root);
            return 0;
        }",
    );
}

#[test]
fn a_link_back_to_the_root_is_a_cycle() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *at = root;
            while (at && at->left) at = at->left;
            if (at) at->left = root;
            drop(root);
            return 0;
        }",
    );
}

#[test]
fn a_node_is_freed_while_it_is_linked() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *at = root;
            while (at && at->left && at->left->left) at = at->left;
            if (at && at->left) free(at->left);
            drop(root);
            return 0;
        }",
    );
}

#[test]
fn a_pointer_into_the_middle_outlives_the_tree() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *at = root;
            while (at && at->left && __VERIFIER_nondet_int()) at = at->left;
            drop(root);
            if (at && at->right) return 1;
            return 0;
        }",
    );
}

#[test]
fn the_right_subtrees_are_forgotten() {
    never_proved(
        "int main(void) {
            struct tree *root = grow(), *next;
            while (root) { next = root->left; free(root); root = next; }
            return 0;
        }",
    );
}

#[test]
fn a_parent_that_is_not_told_of_is_not_found() {
    never_proved(
        "int main(void) {
            struct knot *root = grow_knots(), *at = root, *next;
            if (root && root->left) {
                next = root->left; root->left = next->right; next->right = root; root->parent = next;
                next->parent = 0; root = next;
            }
            at = root;
            while (at && at->right && at->right->left) at = at->right->left;
            while (at && at->parent) {
                if (at->parent->left != at && at->parent->right != at) reach_error();
                at = at->parent;
            }
            drop_knots(root);
            return 0;
        }",
    );
}

#[test]
fn only_some_values_are_the_usual_one() {
    never_proved(
        "int main(void) {
            struct knot *root = grow_knots(), *at = root;
            while (at && at->left) { at = at->left; if (__VERIFIER_nondet_int() == 77) at->value = 8; }
            at = root;
            while (at && at->left) { if (at->value != 7) reach_error(); at = at->left; }
            drop_knots(root);
            return 0;
        }",
    );
}
