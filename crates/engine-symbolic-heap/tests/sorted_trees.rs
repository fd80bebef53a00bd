//! Search trees: what is proved of the order of their keys, and what never is.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// Whether what takes minutes in a build for tests is asked too.
#[allow(clippy::print_stderr, reason = "what is left out is told")]
fn is_long() -> bool {
    let is_long = std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_some();
    if !is_long {
        eprintln!("skipped: HEAPWRIGHT_LONG_TESTS=1 proves this too");
    }
    is_long
}

/// Puts keys into a tree in some way, looks at it, and frees it.
fn program(insert: &str, look: &str) -> String {
    format!(
        "struct tree {{ struct tree *left, *right; int key; }};
        static void release(struct tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        static void below(struct tree *at, int bound) {{
            if (!at) return;
            if (at->key >= bound) reach_error();
            below(at->left, bound); below(at->right, bound);
        }}
        static void above(struct tree *at, int bound) {{
            if (!at) return;
            if (at->key <= bound) reach_error();
            above(at->left, bound); above(at->right, bound);
        }}
        int main(void) {{
            struct tree *root = 0, **link, *fresh, *at, *up; int key;
            while (__VERIFIER_nondet_int()) {{
                key = __VERIFIER_nondet_int();
                {insert}
            }}
            {look}
            release(root);
            return 0;
        }}"
    )
}

const FRESH: &str =
    "fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; fresh->key = key;";

/// By a pointer to the link, with some condition to go on and some to go left.
fn by_link(goes_on: &str, goes_left: &str) -> String {
    format!(
        "link = &root;
        while (*link && {goes_on}) link = {goes_left} ? &(*link)->left : &(*link)->right;
        if (!*link) {{ {FRESH} *link = fresh; }}"
    )
}

const OTHER: &str = "(*link)->key != key";
const LESS: &str = "key < (*link)->key";

#[test]
fn what_is_on_the_left_is_less_and_what_is_on_the_right_is_greater() {
    let look = "if (root && root->left && root->left->key >= root->key) reach_error();
        if (root && root->right && root->right->key <= root->key) reach_error();";
    summaries_prove(&program(&by_link(OTHER, LESS), look));
    if is_long() {
        let look = "if (root) { below(root->left, root->key); above(root->right, root->key); }";
        summaries_prove(&program(&by_link(OTHER, LESS), look));
    }
}

#[test]
fn a_parent_and_a_cursor_do_as_well_as_a_link() {
    let insert = format!(
        "up = 0; at = root;
        while (at && at->key != key) {{ up = at; if (key < at->key) at = at->left; else at = at->right; }}
        if (!at) {{
            {FRESH}
            if (!up) root = fresh; else if (key < up->key) up->left = fresh; else up->right = fresh;
        }}"
    );
    let look = "if (root && root->left && root->left->key >= root->key) reach_error();";
    if is_long() {
        summaries_prove(&program(&insert, look));
    }
}

#[test]
fn a_tree_may_be_sorted_the_other_way_round() {
    let look = "if (root && root->left && root->left->key <= root->key) reach_error();";
    if is_long() {
        summaries_prove(&program(&by_link(OTHER, "key > (*link)->key"), look));
    }
}

#[test]
fn where_keys_may_come_twice_they_are_not_less() {
    let twice = by_link("1", LESS);
    let loose = "if (root && root->left && root->left->key > root->key) reach_error();";
    if is_long() {
        summaries_prove(&program(&twice, loose));
    }
    let strict = "if (root) above(root->right, root->key);";
    is_never_proved_by_summaries(&program(&twice, strict));
}

#[test]
fn one_key_on_the_wrong_side_spoils_all() {
    let look = "if (root) { below(root->left, root->key); above(root->right, root->key); }";
    for (goes_on, goes_left) in [
        (OTHER, "(key < (*link)->key || key == 7)"),
        (OTHER, "(key < (*link)->key && (*link)->key != 1000)"),
        (OTHER, "__VERIFIER_nondet_int()"),
        (OTHER, "(unsigned)key < (unsigned)(*link)->key"),
        (OTHER, "(char)key < (char)(*link)->key"),
        ("(*link)->key != key && __VERIFIER_nondet_int()", LESS),
    ] {
        is_never_proved_by_summaries(&program(&by_link(goes_on, goes_left), look));
    }
}

#[test]
fn a_key_that_is_changed_afterwards_may_be_anywhere() {
    let inserted = by_link(OTHER, LESS);
    let look = "if (root && root->left && root->left->key >= root->key) reach_error();";
    for change in [
        "if (root && root->left) root->left->key++;",
        "if (root && root->left && root->left->right) root->left->right->key = root->key;",
        "if (root && root->left) { at = root->left; root->left = root->right; root->right = at; }",
    ] {
        let check = "if (root) below(root->left, root->key);";
        is_never_proved_by_summaries(&program(&format!("{inserted} {change}"), check));
    }
    // What is not changed for the worse stays in order.
    let better =
        "if (root && root->left) { at = root->left; if (!at->left && at->key > -9) at->key--; }";
    if is_long() {
        summaries_prove(&program(&inserted, &format!("{better} {look}")));
    }
}
