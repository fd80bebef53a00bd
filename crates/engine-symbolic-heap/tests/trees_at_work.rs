//! Trees whose nodes own lists and rings, and trees that are reached by pointers to links.

mod common;

use common::{holds, is_never_proved, summaries_prove};

/// Nodes that own rings, or lists; a tree is built at its leaves and taken apart leaf by leaf.
fn owners_of(make: &str, release: &str) -> String {
    format!(
        "struct item {{ struct item *next; int value; }};
        struct owner {{ struct owner *left; struct owner *right; struct item *items; }};
        static struct item *items(void) {{ {make} }}
        static struct owner *owner(void) {{
            struct owner *fresh = malloc(sizeof *fresh);
            fresh->left = fresh->right = 0; fresh->items = items(); return fresh;
        }}
        int main(void) {{
            struct owner *root = owner(), *at, *up; struct item *item;
            while (__VERIFIER_nondet_int()) {{
                at = root;
                while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
                if (!at->left && __VERIFIER_nondet_int()) at->left = owner();
                else if (!at->right && __VERIFIER_nondet_int()) at->right = owner();
            }}
            while (root) {{
                up = 0; at = root;
                while (at->left || at->right) {{ up = at; at = at->left ? at->left : at->right; }}
                if (up) {{ if (at == up->left) up->left = 0; else up->right = 0; }} else root = 0;
                {release}
                free(at);
            }}
            return 0;
        }}"
    )
}

const A_LIST: &str = "struct item *first = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *fresh = malloc(sizeof *fresh); fresh->value = 1;
        fresh->next = first; first = fresh;
    }
    return first;";
const A_RING: &str =
    "struct item *first = malloc(sizeof *first); first->next = first; first->value = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *fresh = malloc(sizeof *fresh); fresh->value = 1;
        fresh->next = first->next; first->next = fresh;
    }
    return first;";
const FREE_LIST: &str =
    "while (at->items) { item = at->items->next; free(at->items); at->items = item; }";
const FREE_RING: &str = "while (at->items->next != at->items) {
        item = at->items->next; at->items->next = item->next; free(item);
    }
    free(at->items);";

#[test]
fn what_is_made_between_a_test_and_a_link_may_take_a_loop() {
    summaries_prove(&owners_of(A_LIST, FREE_LIST));
    summaries_prove(&owners_of(A_RING, FREE_RING));
}

#[test]
fn lists_and_rings_of_tree_nodes_are_freed_as_what_they_are() {
    is_never_proved(&owners_of(A_LIST, FREE_RING));
    is_never_proved(&owners_of(A_RING, FREE_LIST));
    is_never_proved(&owners_of(A_LIST, ""));
    is_never_proved(&owners_of(A_RING, "free(at->items);"));
}

/// Insertion with a pointer to the link where the new node goes.
fn inserting(descend: &str, insert: &str) -> String {
    format!(
        "struct entry {{ int key; struct entry *left; struct entry *right; }};
        static void drop(struct entry *entry) {{
            if (!entry) return;
            drop(entry->left); drop(entry->right); free(entry);
        }}
        int main(void) {{
            struct entry *root = 0;
            while (__VERIFIER_nondet_int()) {{
                int key = __VERIFIER_nondet_int();
                struct entry **link = &root, *fresh;
                {descend}
                {insert}
            }}
            drop(root);
            return 0;
        }}"
    )
}

const DESCEND: &str = "while (*link) link = key < (*link)->key ? &(*link)->left : &(*link)->right;";
const INSERT: &str = "fresh = malloc(sizeof *fresh); fresh->key = key;
    fresh->left = fresh->right = 0; *link = fresh;";

#[test]
fn a_pointer_to_a_link_finds_the_place_of_a_key() {
    holds(&inserting(DESCEND, INSERT));
    holds(&inserting(
        "while (*link && (*link)->key != key)
             link = key < (*link)->key ? &(*link)->left : &(*link)->right;
         if (*link) continue;",
        INSERT,
    ));
}

#[test]
fn a_link_that_holds_a_node_is_not_overwritten() {
    is_never_proved(&inserting(
        "while (*link && (*link)->key != key)
             link = key < (*link)->key ? &(*link)->left : &(*link)->right;",
        INSERT,
    ));
    let unlinked =
        "fresh = malloc(sizeof *fresh); fresh->key = key; fresh->left = 0; *link = fresh;";
    is_never_proved(&inserting(DESCEND, unlinked));
    let twice = "fresh = malloc(sizeof *fresh); fresh->key = key; fresh->left = *link;
        fresh->right = root; *link = fresh;";
    is_never_proved(&inserting(DESCEND, twice));
}

/// The new node is put in first, and gets its ring then.
fn rings_below(left: &str, right: &str) -> String {
    format!(
        "struct item {{ struct item *next; }};
        struct owner {{ struct owner *left; struct owner *right; struct item *items; }};
        static struct owner *bare(void) {{
            struct owner *fresh = malloc(sizeof *fresh); fresh->left = fresh->right = 0;
            fresh->items = malloc(sizeof(struct item)); fresh->items->next = fresh->items;
            return fresh;
        }}
        int main(void) {{
            struct owner *root = bare(), *at, *up; struct item *item;
            while (__VERIFIER_nondet_int()) {{
                at = root;
                while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
                if ({left}) {{
                    at->left = bare();
                    while (__VERIFIER_nondet_int()) {{
                        item = malloc(sizeof *item);
                        item->next = at->left->items->next; at->left->items->next = item;
                    }}
                }}
                if ({right}) {{
                    at->right = bare();
                    while (__VERIFIER_nondet_int()) {{
                        item = malloc(sizeof *item);
                        item->next = at->right->items->next; at->right->items->next = item;
                    }}
                }}
            }}
            while (root) {{
                up = 0; at = root;
                while (at->left || at->right) {{ up = at; at = at->left ? at->left : at->right; }}
                if (up) {{ if (at == up->left) up->left = 0; else up->right = 0; }} else root = 0;
                {FREE_RING}
                free(at);
            }}
            return 0;
        }}"
    )
}

#[test]
fn what_was_put_in_is_worked_on() {
    let (left, right) =
        ("!at->left && __VERIFIER_nondet_int()", "!at->right && __VERIFIER_nondet_int()");
    summaries_prove(&rings_below(left, right));
    is_never_proved(&rings_below(left, "__VERIFIER_nondet_int()"));
    is_never_proved(&rings_below("!at->right && __VERIFIER_nondet_int()", right));
}
