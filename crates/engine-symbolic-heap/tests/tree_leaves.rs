//! Trees whose leaves are all one block: what is proved of them, and what never is.

mod common;

use common::{holds, is_never_proved};

const NODE: &str = "struct tree { struct tree *left, *right; int key; };";

/// Trees whose leaves are `NIL`, an object or a block of the heap.
const WORK: &str = "
static struct tree *grow(void) {
    struct tree *root = NIL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int(); struct tree **place = &root, *fresh;
        while (*place != NIL) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
        fresh = malloc(sizeof *fresh); fresh->left = fresh->right = NIL; fresh->key = key; RARE
        *place = fresh;
    }
    return root;
}
static void destroy(struct tree *t) { if (t != NIL) { destroy(t->left); destroy(t->right); free(t); } }
";

fn with_object(rare: &str, main: &str) -> String {
    let work = WORK.replace("NIL", "&nil").replace("RARE", rare);
    let objects = "static struct tree nil = { &nil, &nil, 0 }, two;";
    format!(
        "{NODE}{objects}{work}int main(void) {{ struct tree *root = grow(), *t; {main} return 0; }}"
    )
}

fn with_block(main: &str) -> String {
    let work = WORK.replace("NIL", "nil").replace("RARE", "");
    let make =
        "nil = malloc(sizeof *nil); nil->left = nil->right = nil; nil->key = 0; root = grow();";
    format!(
        "{NODE}static struct tree *nil;{work}int main(void) {{ struct tree *root, *t; {make} {main} return 0; }}"
    )
}

#[test]
fn trees_that_end_in_an_object_are_walked_and_freed() {
    holds(&with_object("", "destroy(root);"));
    holds(&with_object(
        "",
        "t = root; while (t != &nil && t->key != 7) t = 7 < t->key ? t->left : t->right; destroy(root);",
    ));
}

#[test]
fn trees_that_end_in_a_block_are_walked_and_freed() {
    holds(&with_block("destroy(root); free(nil);"));
    holds(&with_block(
        "for (t = root; t != nil; t = t->left) t->key = 1; destroy(root); free(nil);",
    ));
}

#[test]
fn nodes_may_know_their_parents_and_the_root_the_sentinel() {
    holds(
        "struct knot { struct knot *left, *right, *up; int key; };
        static struct knot nil = { &nil, &nil, &nil, 0 };
        int main(void) {
            struct knot *root = &nil, *at, *above, *fresh;
            while (__VERIFIER_nondet_int()) {
                fresh = malloc(sizeof *fresh); fresh->left = fresh->right = &nil;
                fresh->key = __VERIFIER_nondet_int();
                above = &nil; at = root;
                while (at != &nil) { above = at; at = fresh->key < at->key ? at->left : at->right; }
                fresh->up = above;
                if (above == &nil) root = fresh;
                else if (fresh->key < above->key) above->left = fresh; else above->right = fresh;
            }
            at = root;
            while (at != &nil) {
                if (at->left != &nil) at = at->left;
                else if (at->right != &nil) at = at->right;
                else {
                    above = at->up;
                    if (above != &nil) { if (above->left == at) above->left = &nil; else above->right = &nil; }
                    free(at); at = above;
                }
            }
            return 0;
        }",
    );
}

#[test]
fn another_leaf_somewhere_is_seen() {
    for rare in [
        "if (key == 12345) fresh->right = 0;",
        "if (key == 12345) fresh->right = &two;",
        "if (key == 7 && root != &nil && root->left != &nil) fresh->right = root->left;",
        "if (key == 7) nil.left = fresh;",
    ] {
        is_never_proved(&with_object(
            rare,
            "destroy(root); if (nil.left != &nil) nil.left->key = 1;",
        ));
    }
    for change in [
        "t = root; if (t != &nil && t->left != &nil && t->left->right != &nil && t->left->right->left == &nil) t->left->right->left = 0;",
        "if (root != &nil && root->left != &nil && root->right == &nil) root->right = root->left;",
        "nil.left = root; if (root != &nil) { for (t = root; t->left != &nil;) t = t->left; free(t->left->left); }",
    ] {
        is_never_proved(&with_object("", &format!("{change} destroy(root);")));
    }
}

#[test]
fn a_sentinel_that_is_written_through_a_leaf_has_changed() {
    is_never_proved(&with_object(
        "",
        "for (t = root; t != &nil; t = t->right) t->left->key = 1;
        if (nil.key != 0) { int *none = 0; *none = 1; } destroy(root);",
    ));
}

#[test]
fn a_sentinel_is_freed_once_and_last() {
    for main in [
        "free(nil); if (root != nil) { for (t = root; t->left != nil;) t = t->left; t->left->key = 1; }",
        "destroy(root); free(nil); free(nil);",
        "destroy(root); nil = 0;",
        "if (root != nil) { for (t = root; t->left != nil;) t = t->left; free(t->left); } destroy(root); free(nil);",
        "if (root != nil) { for (t = root; t->left != nil;) t = t->left; t = t->left; destroy(root); free(t); } free(nil);",
    ] {
        is_never_proved(&with_block(main));
    }
}

#[test]
fn a_sentinel_that_only_the_tree_leads_to_is_lost_with_it() {
    is_never_proved(&with_block("t = nil; nil = 0; if (root == t) { free(t); return 0; } t = 0;"));
    is_never_proved(&with_block(
        "t = nil; nil = 0; while (root != t) { struct tree *x = root; root = root->left; x->left = t; } t = 0; root = 0;",
    ));
}

#[test]
fn a_parent_that_the_sentinel_keeps_may_be_gone() {
    is_never_proved(
        "struct knot { struct knot *left, *right, *up; int key; };
        static struct knot nil = { &nil, &nil, &nil, 0 };
        static void destroy(struct knot *at) { if (at != &nil) { destroy(at->left); destroy(at->right); free(at); } }
        int main(void) {
            struct knot *root = &nil, *at, *above, *fresh;
            while (__VERIFIER_nondet_int()) {
                fresh = malloc(sizeof *fresh); fresh->left = fresh->right = &nil;
                fresh->key = __VERIFIER_nondet_int();
                above = &nil; at = root;
                while (at != &nil) { above = at; at = fresh->key < at->key ? at->left : at->right; }
                fresh->up = above; nil.up = above;
                if (above == &nil) root = fresh;
                else if (fresh->key < above->key) above->left = fresh; else above->right = fresh;
            }
            destroy(root);
            if (nil.up != &nil) nil.up->key = 1;
            return 0;
        }",
    );
}

#[test]
fn trees_with_two_sentinels_are_not_mixed() {
    is_never_proved(&with_block(
        "t = nil; t->left = t->right = 0; nil = malloc(sizeof *nil); nil->left = nil->right = 0; nil->key = 0;
        if (root == t) root = nil; destroy(root); free(t); free(nil);",
    ));
}
