//! Order through recursion: what a callee makes goes back beside a node that waits; what is proved of it, and what never is.

mod common;

use common::{holds, is_never_proved_by_summaries, summaries_prove};

const LIST: &str = "
    static struct node *random_list(void) {
        struct node *list = 0, *fresh;
        while (__VERIFIER_nondet_int()) {
            fresh = malloc(sizeof *fresh); fresh->value = __VERIFIER_nondet_int();
            fresh->next = list; list = fresh;
        }
        return list;
    }
    static void finish(struct node *list) {
        struct node *at;
        for (at = list; at && at->next; at = at->next) if (at->value > at->next->value) reach_error();
        while (list) { at = list->next; free(list); list = at; }
    }";

/// Sorts by putting each node where it belongs, from behind. `comes_here`: when it comes first.
fn insertion(comes_here: &str, then: &str) -> String {
    format!(
        "{LIST}
        static struct node *put(struct node *list, struct node *fresh) {{
            if (!list || {comes_here}) {{ fresh->next = list; return fresh; }}
            list->next = put(list->next, fresh); {then}
            return list;
        }}
        static struct node *sort(struct node *list) {{
            return list ? put(sort(list->next), list) : 0;
        }}
        int main(void) {{ finish(sort(random_list())); return 0; }}"
    )
}

/// Sorts both halves and merges them. `comes_first`: when the first node of the first list does.
fn merging(comes_first: &str) -> String {
    format!(
        "{LIST}
        static struct node *merge(struct node *one, struct node *other) {{
            if (!one) return other;
            if (!other) return one;
            if ({comes_first}) {{ one->next = merge(one->next, other); return one; }}
            other->next = merge(one, other->next);
            return other;
        }}
        static struct node *sort(struct node *list) {{
            struct node *middle = list, *end, *half;
            if (!list || !list->next) return list;
            end = list->next;
            while (end && end->next) {{ middle = middle->next; end = end->next->next; }}
            half = middle->next; middle->next = 0;
            return merge(sort(list), sort(half));
        }}
        int main(void) {{ finish(sort(random_list())); return 0; }}"
    )
}

/// A search tree into which keys are put by recursion, and whose keys are compared with those above them.
fn search_tree(insert: &str) -> String {
    format!(
        "struct tree {{ struct tree *left, *right; int key; }};
        static struct tree *insert(struct tree *at, int key) {{
            if (!at) {{
                at = malloc(sizeof *at); at->left = 0; at->right = 0; at->key = key;
                return at;
            }}
            {insert}
            return at;
        }}
        static void check(struct tree *at, long low, long high) {{
            if (!at) return;
            if (at->key < low || at->key > high) reach_error();
            check(at->left, low, at->key); check(at->right, at->key, high);
        }}
        static void release(struct tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        int main(void) {{
            struct tree *root = 0;
            while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
            check(root, -2147483648L, 2147483647L);
            release(root);
            return 0;
        }}"
    )
}

#[test]
fn nodes_are_put_in_by_recursion() {
    holds(&insertion("fresh->value <= list->value", ""));
}

#[test]
fn halves_are_sorted_and_merged() {
    summaries_prove(&merging("one->value <= other->value"));
}

#[test]
fn keys_are_put_into_a_tree_by_recursion() {
    summaries_prove(&search_tree(
        "if (key < at->key) at->left = insert(at->left, key);
        else at->right = insert(at->right, key);",
    ));
}

#[test]
fn nodes_that_come_too_early_or_change_are_not_in_order() {
    is_never_proved_by_summaries(&insertion("fresh->value >= list->value", ""));
    is_never_proved_by_summaries(&insertion("fresh->value - 1 <= list->value", ""));
    let rare = "fresh->value <= list->value || fresh->value == 77";
    is_never_proved_by_summaries(&insertion(rare, ""));
    let change = "if (list->value == 77) list->value += 2;";
    is_never_proved_by_summaries(&insertion("fresh->value <= list->value", change));
    let change = "if (list->next->value == 77) list->next->value = 0;";
    is_never_proved_by_summaries(&insertion("fresh->value <= list->value", change));
}

#[test]
fn lists_that_are_merged_by_something_else_are_not_in_order() {
    is_never_proved_by_summaries(&merging("one->value >= other->value"));
    is_never_proved_by_summaries(&merging("one->value <= other->value || one->value == 77"));
    is_never_proved_by_summaries(&merging("__VERIFIER_nondet_int()"));
}

#[test]
fn keys_on_the_wrong_side_are_not_in_order() {
    for insert in [
        "if (key < at->key || key == 77) at->left = insert(at->left, key);
        else at->right = insert(at->right, key);",
        "if (key < at->key) at->left = insert(at->left, key);
        else at->right = insert(at->right, key - 1);",
        "if (key < at->key) at->left = insert(at->left, key);
        else at->right = insert(at->right, key);
        if (at->key == 77) at->key = 78;",
        "if (key < at->key) at->left = insert(at->left, key);
        else at->right = insert(at->right, key);
        if (key == 77) at->key = key;",
        // A bound from further out is not kept.
        "if (key < at->key) at->left = insert(at->left, key);
        else at->right = insert(at->right, at->key == 77 ? 2147483647 : key);",
    ] {
        is_never_proved_by_summaries(&search_tree(insert));
    }
}
