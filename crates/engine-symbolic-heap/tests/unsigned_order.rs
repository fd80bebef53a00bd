//! Lists and trees that are sorted by numbers without a sign: what is proved of their order, and what never is.

mod common;

use common::{holds, is_never_proved_by_summaries, summaries_prove};

/// Puts nodes with keys of some type into a list where `goes_on` stops, and looks at each two neighbours.
fn program(key: &str, (goes_on, is_kept_out): (&str, &str), is_wrong: &str) -> String {
    format!(
        "struct entry {{ {key} key; struct entry *next; }};
        int main(void) {{
            struct entry *head = 0, *fresh, *at, *before;
            while (__VERIFIER_nondet_int()) {{
                {key} key = __VERIFIER_nondet_int();
                before = 0; at = head;
                while (at && {goes_on}) {{ before = at; at = at->next; }}
                if (at && {is_kept_out}) continue;
                fresh = malloc(sizeof *fresh); fresh->key = key; fresh->next = at;
                if (before) before->next = fresh; else head = fresh;
            }}
            for (at = head; at && at->next; at = at->next) if ({is_wrong}) reach_error();
            while (head) {{ at = head->next; free(head); head = at; }}
            return 0;
        }}"
    )
}

const UP: (&str, &str) = ("at->key < key", "0");
const DOWN: (&str, &str) = ("at->key > key", "0");
const SET: (&str, &str) = ("at->key < key", "at->key == key");
const FALLS: &str = "at->key > at->next->key";
const GROWS: &str = "at->key < at->next->key";
const IS_NOT_LESS: &str = "at->key >= at->next->key";

#[test]
fn keys_without_a_sign_are_sorted() {
    holds(&program("unsigned", UP, FALLS));
    holds(&program("unsigned", DOWN, GROWS));
    holds(&program("unsigned", SET, IS_NOT_LESS));
}

#[test]
fn small_keys_without_a_sign_are_sorted() {
    holds(&program("unsigned char", DOWN, GROWS));
    holds(&program("unsigned short", SET, IS_NOT_LESS));
}

#[test]
fn a_search_tree_of_keys_without_a_sign_has_the_least_at_its_left() {
    summaries_prove(&search_tree("unsigned"));
}

/// Keys are compared as numbers of some type where they are put in, and without a sign where they are looked at.
fn search_tree(put_in_as: &str) -> String {
    format!(
        "struct tree {{ struct tree *left, *right; unsigned key; }};
        static void release(struct tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        int main(void) {{
            struct tree *root = 0, **link;
            while (__VERIFIER_nondet_int()) {{
                unsigned key = __VERIFIER_nondet_int();
                link = &root;
                while (*link) {{
                    int is_less = ({put_in_as}) key < ({put_in_as}) (*link)->key;
                    if (is_less) link = &(*link)->left; else link = &(*link)->right;
                }}
                *link = malloc(sizeof **link);
                (*link)->left = 0; (*link)->right = 0; (*link)->key = key;
            }}
            if (root && root->left && root->key < root->left->key) reach_error();
            release(root);
            return 0;
        }}"
    )
}

#[test]
fn one_sign_is_not_taken_for_the_other() {
    let as_signed = ("(int) at->key < (int) key", "0");
    is_never_proved_by_summaries(&program("unsigned", as_signed, FALLS));
    let as_unsigned = ("(unsigned) at->key < (unsigned) key", "0");
    is_never_proved_by_summaries(&program("int", as_unsigned, FALLS));
    is_never_proved_by_summaries(&program("signed char", as_unsigned, FALLS));
    is_never_proved_by_summaries(&search_tree("int"));
}

#[test]
fn keys_that_wrap_are_not_sorted() {
    is_never_proved_by_summaries(&program("unsigned", ("at->key - 1 < key - 1", "0"), FALLS));
    is_never_proved_by_summaries(&program("unsigned", UP, IS_NOT_LESS));
    is_never_proved_by_summaries(&program("unsigned", DOWN, FALLS));
    let loose = ("at->key <= key", "at->key == key");
    is_never_proved_by_summaries(&program("unsigned char", loose, IS_NOT_LESS));
}
