//! Trees whose nodes are related to those below them: what is proved of heaps and colours, and what never is.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// Puts numbers into a heap in some way, walks down to any leaf, and frees it.
fn heap(functions: &str, round: &str, check: &str) -> String {
    format!(
        "struct heap {{ struct heap *left, *right; int key; }};
        static void release(struct heap *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        {functions}
        int main(void) {{
            struct heap *root = 0, **link, *fresh, *at, *child; int key, other;
            while (__VERIFIER_nondet_int()) {{ {round} }}
            at = root;
            while (at) {{
                child = __VERIFIER_nondet_int() ? at->left : at->right;
                if (child && {check}) reach_error();
                at = child;
            }}
            release(root);
            return 0;
        }}"
    )
}

const FRESH: &str =
    "fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; fresh->key = key;";

const ABOVE: &str = "child->key > at->key";

/// Down to some leaf, where `sinks` says what becomes of the keys on the way.
fn sift(sinks: &str) -> String {
    format!(
        "key = __VERIFIER_nondet_int();
        link = &root;
        while (*link) {{
            at = *link;
            {sinks}
            link = __VERIFIER_nondet_int() ? &at->left : &at->right;
        }}
        {FRESH} *link = fresh;"
    )
}

const SWAP: &str = "if (key > at->key) { other = at->key; at->key = key; key = other; }";

/// A function that melds two heaps, with some condition to exchange them.
fn meld(exchanges: &str) -> String {
    format!(
        "static struct heap *meld(struct heap *a, struct heap *b) {{
            struct heap *t;
            if (!a) return b;
            if (!b) return a;
            if ({exchanges}) {{ t = a; a = b; b = t; }}
            t = a->right;
            a->right = a->left;
            a->left = meld(t, b);
            return a;
        }}"
    )
}

#[test]
fn keys_that_sink_leave_a_heap() {
    summaries_prove(&heap("", &sift(SWAP), ABOVE));
}

#[test]
fn melding_keeps_a_heap() {
    let round = format!("key = __VERIFIER_nondet_int(); {FRESH} root = meld(root, fresh);");
    summaries_prove(&heap(&meld("a->key < b->key"), &round, ABOVE));
}

const LESS: &str = "a->key < b->key";

fn melded() -> String {
    format!("key = __VERIFIER_nondet_int(); {FRESH} root = meld(root, fresh);")
}

/// Melds a number into a heap, or takes out the root.
fn melded_and_taken_out(check: &str) -> String {
    format!(
        "if (root && __VERIFIER_nondet_int()) {{
            at = root;
            root = meld(at->left, at->right);
            if (root && {check}) reach_error();
            free(at);
        }} else {{ {} }}",
        melded()
    )
}

#[test]
fn the_greatest_is_taken_out_first() {
    let round = melded_and_taken_out("root->key > at->key");
    summaries_prove(&heap(&meld(LESS), &round, ABOVE));
    let wrong = melded_and_taken_out("root->key >= at->key");
    is_never_proved_by_summaries(&heap(&meld(LESS), &wrong, ABOVE));
}

#[test]
fn the_least_may_be_at_the_top() {
    let swap = SWAP.replace('>', "<").replace("at-<", "at->");
    summaries_prove(&heap("", &sift(&swap), "child->key < at->key"));
    is_never_proved_by_summaries(&heap("", &sift(&swap), ABOVE));
}

#[test]
fn where_numbers_may_be_equal_they_are_not_greater() {
    is_never_proved_by_summaries(&heap("", &sift(SWAP), "child->key >= at->key"));
    is_never_proved_by_summaries(&heap(&meld(LESS), &melded(), "child->key >= at->key"));
}

#[test]
fn one_step_that_is_left_out_spoils_all() {
    for sinks in [
        "",
        "if (key > at->key && key != 7) { other = at->key; at->key = key; key = other; }",
        "if (key > at->key && at->left) { other = at->key; at->key = key; key = other; }",
        "if (key > at->key) at->key = key;  key = __VERIFIER_nondet_int();",
        "if (key > at->key) { other = at->key; key = other; }  at->key--;",
        "if (key < at->key) { other = at->key; at->key = key; key = other; }",
        "if ((unsigned)key > (unsigned)at->key) { other = at->key; at->key = key; key = other; }",
        "if ((char)key > (char)at->key) { other = at->key; at->key = key; key = other; }",
        "if (key > at->key + 1) { other = at->key; at->key = key; key = other; }",
    ] {
        is_never_proved_by_summaries(&heap("", &sift(sinks), ABOVE));
    }
    for exchanges in [
        "0",
        "a->key > b->key",
        "a->key < b->key && a->left",
        "a->key < b->key && b->key != 1000",
        "(unsigned)a->key < (unsigned)b->key",
        "a->key + 1 < b->key",
    ] {
        is_never_proved_by_summaries(&heap(&meld(exchanges), &melded(), ABOVE));
    }
}

#[test]
fn a_number_that_is_changed_afterwards_may_be_anything() {
    let (sunk, melded) = (sift(SWAP), melded());
    for change in [
        "if (root) root->key--;",
        "if (root && root->left) root->left->key++;",
        "if (root && root->left && root->left->right) root->left->right->key = root->key + 1;",
        "at = root; while (at && at->left) at = at->left; if (at) at->key = __VERIFIER_nondet_int();",
        "if (root && root->left) { at = root->left; fresh = at; fresh->key = 2147483647; }",
        "if (root && root->left) { other = root->key; root->key = root->left->key; root->left->key = other; }",
        "if (root && root->left && root->left->left) { at = root->left; root->left = at->left; at->left = root; root = at; }",
    ] {
        is_never_proved_by_summaries(&heap("", &format!("{sunk} {change}"), ABOVE));
    }
    let change = "if (root && root->right) root->right->key = root->right->key + 1;";
    is_never_proved_by_summaries(&heap(&meld(LESS), &format!("{melded} {change}"), ABOVE));
}

#[test]
fn a_number_that_nobody_wrote_may_be_anything() {
    let forgotten = sift(SWAP).replace("fresh->key = key;", "");
    is_never_proved_by_summaries(&heap("", &forgotten, ABOVE));
    let sometimes = sift(SWAP).replace("fresh->key = key;", "if (key != 5) fresh->key = key;");
    is_never_proved_by_summaries(&heap("", &sometimes, ABOVE));
}

#[test]
fn one_node_in_the_depth_is_enough() {
    let deep = "if (root && root->left && root->left->left && root->left->left->right)
        root->left->left->right->key = __VERIFIER_nondet_int();";
    is_never_proved_by_summaries(&heap("", &format!("{} {deep}", sift(SWAP)), ABOVE));
}

#[test]
fn what_a_node_has_bounds_nothing_beside_it() {
    // The left child and the right one are not compared.
    let beside = "at->left && at->right && at->left->key < at->right->key";
    is_never_proved_by_summaries(&heap("", &sift(SWAP), beside));
}

/// Grows a tree in which `red` says which nodes are red, and checks its colours.
fn colours(grow: &str, wrong: &str) -> String {
    format!(
        "struct tree {{ struct tree *left, *right; int red; }};
        static struct tree *grow(int may_be_red) {{
            struct tree *t;
            if (!__VERIFIER_nondet_int()) return 0;
            t = malloc(sizeof *t);
            {grow}
            return t;
        }}
        static void check(struct tree *t) {{
            if (!t) return;
            if ({wrong}) reach_error();
            check(t->left); check(t->right);
        }}
        static void release(struct tree *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        int main(void) {{ struct tree *t = grow(0); check(t); release(t); return 0; }}"
    )
}

const RED: &str = "t->red = may_be_red && __VERIFIER_nondet_int();";
const RED_OVER_RED: &str = "t->red && (t->left && t->left->red || t->right && t->right->red)";

#[test]
fn no_red_node_has_a_red_child() {
    let grow = format!("{RED} t->left = grow(!t->red); t->right = grow(!t->red);");
    summaries_prove(&colours(&grow, RED_OVER_RED));
}

#[test]
fn colours_that_are_handed_down_wrongly_are_seen() {
    for below in [
        "t->left = grow(!t->red); t->right = grow(1);",
        "t->left = grow(t->red); t->right = grow(!t->red);",
        "t->left = grow(!t->red); t->right = grow(!t->red); if (t->right) t->right->red = 1;",
        "t->left = grow(!t->red); t->right = grow(!t->red); if (t->left && t->left->left) t->left->left->red = 2;",
        "t->left = grow(!t->red); t->right = grow(!t->red); t->red = 1;",
    ] {
        is_never_proved_by_summaries(&colours(&format!("{RED} {below}"), RED_OVER_RED));
    }
    let grow = format!("{RED} t->left = grow(!t->red); t->right = grow(!t->red);");
    // A black node may have black children.
    let black = "!t->red && t->left && !t->left->red";
    is_never_proved_by_summaries(&colours(&grow, black));
}

/// Puts a node at some leaf, and lets its number climb as long as some condition says so.
fn climb(climbs: &str) -> String {
    format!(
        "struct heap {{ struct heap *left, *right, *up; int key; }};
        static void release(struct heap *at) {{
            if (at) {{ release(at->left); release(at->right); free(at); }}
        }}
        int main(void) {{
            struct heap *root = 0, **link, *fresh, *at, *up, *child; int other;
            while (__VERIFIER_nondet_int()) {{
                fresh = malloc(sizeof *fresh);
                fresh->left = 0; fresh->right = 0; fresh->key = __VERIFIER_nondet_int();
                up = 0; link = &root;
                while (*link) {{ up = *link; link = __VERIFIER_nondet_int() ? &up->left : &up->right; }}
                *link = fresh; fresh->up = up; at = fresh;
                while (at->up && {climbs}) {{
                    other = at->key; at->key = at->up->key; at->up->key = other; at = at->up;
                }}
            }}
            at = root;
            while (at) {{
                child = __VERIFIER_nondet_int() ? at->left : at->right;
                if (child && child->key > at->key) reach_error();
                at = child;
            }}
            release(root);
            return 0;
        }}"
    )
}

#[test]
fn a_number_that_climbs_too_little_or_too_far_spoils_all() {
    for climbs in [
        "0",
        "at->key < at->up->key",
        "at->up->up && at->key > at->up->key",
        "at->key > at->up->key + 1",
    ] {
        is_never_proved_by_summaries(&climb(climbs));
    }
}

#[test]
fn numbers_that_climb_keep_a_heap() {
    summaries_prove(&climb("at->key > at->up->key"));
}
