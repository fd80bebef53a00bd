//! Trees that tell how many nodes they have and how high they are: what is proved of sizes, heights and balance, and what never is.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// Grows a tree in some way, then does something with it, and frees it.
fn tree(grows: &str, functions: &str, main: &str) -> String {
    format!(
        "typedef struct tree {{ struct tree *left, *right; int key; }} tree;
        static void release(tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        {grows}
        static unsigned long size(tree *at) {{
            return at ? 1 + size(at->left) + size(at->right) : 0;
        }}
        static unsigned long height(tree *at) {{
            unsigned long left, right;
            if (!at) return 0;
            left = height(at->left); right = height(at->right);
            return 1 + (left > right ? left : right);
        }}
        {functions}
        int main(void) {{ {main} release(root); return 0; }}"
    )
}

const ANY: &str = "static tree *grow(void) {
    tree *at;
    if (!__VERIFIER_nondet_int()) return 0;
    at = malloc(sizeof *at); at->key = 1; at->left = grow(); at->right = grow();
    return at;
}";

/// A tree in which both sides of a node are of the depths that are given.
fn full(left: &str, right: &str) -> String {
    format!(
        "static tree *grow(int depth) {{
            tree *at;
            if (depth <= 0) return 0;
            at = malloc(sizeof *at); at->key = 1;
            at->left = grow({left}); at->right = grow({right});
            return at;
        }}"
    )
}

const ANY_DEPTH: &str = "int depth = __VERIFIER_nondet_int(); tree *root; if (depth > 20) depth = 20; root = grow(depth);";

/// Asks each node whether both sides are equally high.
const LEVEL: &str = "static unsigned long level(tree *at) {
    unsigned long left, right;
    if (!at) return 0;
    left = level(at->left); right = level(at->right);
    if (left != right) reach_error();
    return left + 1;
}";

#[test]
fn a_tree_is_at_most_as_high_as_it_has_nodes() {
    let main = "tree *root = grow(); if (height(root) > size(root)) reach_error();";
    summaries_prove(&tree(ANY, "", main));
}

#[test]
fn full_trees_are_level_and_as_high_as_they_are_deep() {
    let main = format!(
        "{ANY_DEPTH} if (level(root) != (unsigned long)(depth < 0 ? 0 : depth)) reach_error();"
    );
    summaries_prove(&tree(&full("depth - 1", "depth - 1"), LEVEL, &main));
}

#[test]
fn a_tree_of_one_node_is_as_high_as_it_has_nodes() {
    let main = "tree *root = grow(); if (root && height(root) >= size(root)) reach_error();";
    is_never_proved_by_summaries(&tree(ANY, "", main));
}

#[test]
fn a_tree_with_one_side_too_short_is_not_level() {
    let main = format!("{ANY_DEPTH} level(root);");
    let grows = full("depth - 1", "depth == 3 ? depth - 2 : depth - 1");
    is_never_proved_by_summaries(&tree(&grows, LEVEL, &main));
}

#[test]
fn a_tree_that_loses_a_node_has_not_as_many() {
    let prune = "static void prune(tree *at) {
        if (!at) return;
        if (at->left && !at->left->left && !at->left->right) { free(at->left); at->left = 0; return; }
        prune(at->left);
    }";
    let main = "tree *root = grow(); unsigned long nodes = size(root); prune(root);
        if (size(root) != nodes) reach_error();";
    is_never_proved_by_summaries(&tree(ANY, prune, main));
}

/// Insertion into a tree that is balanced by heights in its nodes. `heavy` is by how much one side may be higher before it is turned.
fn balanced(heavy: &str, highest: &str) -> String {
    format!(
        "typedef struct tree {{ struct tree *left, *right; int key, high; }} tree;
        static int high(tree *at) {{ return at ? at->high : 0; }}
        static void measure(tree *at) {{ at->high = 1 + {highest}; }}
        static tree *turn_right(tree *at) {{
            tree *top = at->left; at->left = top->right; top->right = at;
            measure(at); measure(top); return top;
        }}
        static tree *turn_left(tree *at) {{
            tree *top = at->right; at->right = top->left; top->left = at;
            measure(at); measure(top); return top;
        }}
        static tree *insert(tree *at, int key) {{
            if (!at) {{
                at = malloc(sizeof *at); at->left = at->right = 0; at->key = key; at->high = 1;
                return at;
            }}
            if (key < at->key) at->left = insert(at->left, key);
            else at->right = insert(at->right, key);
            measure(at);
            if (high(at->left) > high(at->right) + {heavy}) {{
                if (high(at->left->left) < high(at->left->right)) at->left = turn_left(at->left);
                return turn_right(at);
            }}
            if (high(at->right) > high(at->left) + {heavy}) {{
                if (high(at->right->right) < high(at->right->left)) at->right = turn_right(at->right);
                return turn_left(at);
            }}
            return at;
        }}
        static void check(tree *at) {{
            if (!at) return;
            int more = high(at->left) - high(at->right);
            if (more < -1 || more > 1) reach_error();
            check(at->left); check(at->right);
        }}
        static void release(tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        int main(void) {{
            tree *root = 0;
            while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
            check(root); release(root); return 0;
        }}"
    )
}

const HIGHER: &str = "(high(at->left) > high(at->right) ? high(at->left) : high(at->right))";

#[test]
fn a_tree_that_is_turned_too_late_is_not_balanced() {
    is_never_proved_by_summaries(&balanced("2", HIGHER));
}

#[test]
fn a_tree_whose_nodes_hold_other_heights_is_not_balanced() {
    is_never_proved_by_summaries(&balanced("1", "high(at->left)"));
}
