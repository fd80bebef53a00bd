//! Wrong programs, each for a choice of the abstraction that could hide its fault: none may be proved, and
//! the gate must not have to say so.

use heapwright_engine::{Deadline, Engine, Finding, Run};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_property::Property;

fn is_never_proved(property: Property, body: &str) {
    let task = crate::task(property, body);
    let deadline = Deadline::after(std::time::Duration::from_secs(20));
    let finding = ThreeValuedEngine::default().run(&task, &Run::alone(&deadline));
    if let Finding::Proved(proof) = finding {
        panic!("a wrong proof: {}", proof.summary());
    }
}

fn error_is_reachable(body: &str) {
    is_never_proved(Property::UnreachCall, body);
}

fn is_unsafe(body: &str) {
    is_never_proved(Property::ValidMemsafety, body);
}

#[test]
fn a_link_of_the_third_node_is_wrong() {
    error_is_reachable(
        "int main(void) {
            struct node *list = build(), *p = list; int i = 0;
            while (p) { if (i == 3) p->prev = 0; i++; p = p->next; }
            for (p = list; p && p->next; p = p->next) if (p->next->prev != p) reach_error();
        }",
    );
}

#[test]
fn uninitialised_links_are_anything() {
    error_is_reachable(
        "int main(void) {
            struct node *p = malloc(sizeof *p); if (p->next) reach_error();
        }",
    );
    error_is_reachable(
        "int main(void) {
            struct node *p = malloc(sizeof *p); if (!p->next) reach_error();
        }",
    );
    is_unsafe(
        "int main(void) {
            struct node *p = malloc(sizeof *p); if (p->next) p->next->prev = 0; free(p);
        }",
    );
}

#[test]
fn a_new_block_may_have_the_address_of_a_freed_one() {
    error_is_reachable(
        "int main(void) {
            struct node *a = malloc(sizeof *a); free(a);
            struct node *b = malloc(sizeof *b); if (a == b) reach_error();
        }",
    );
}

#[test]
fn one_past_the_end_may_be_the_start_of_another_block() {
    error_is_reachable(
        "int main(void) {
            struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
            if (a + 1 != b) reach_error();
        }",
    );
}

#[test]
fn nodes_of_other_sizes_are_not_accessed_beyond_their_end() {
    is_unsafe(
        "int main(void) {
            struct node *p = malloc(8); p->next = 0; p->prev = 0; free(p);
        }",
    );
}

#[test]
fn a_number_in_the_place_of_a_link() {
    is_unsafe(
        "union word { struct node *link; long number; };
        int main(void) {
            union word *w = malloc(sizeof *w); w->link = malloc(sizeof(struct node));
            w->link->next = 0; w->link->prev = 0;
            w->number = 1;
            w->link->next = 0;
        }",
    );
    is_unsafe(
        "struct node *first;
        int main(void) {
            first = malloc(sizeof *first);
            *(long *)&first = 8;
            first->next = 0;
        }",
    );
}

#[test]
fn a_node_is_freed_twice_or_used_after_that() {
    is_unsafe("int main(void) { struct node *p = build(); release(p); release(p); }");
    is_unsafe(
        "int main(void) {
            struct node *p = build(), *q = p->next; release(p); if (q) q->next = 0;
        }",
    );
    is_unsafe(
        "int main(void) {
            struct node *p = build(); struct node *q = p;
            while (q->next) q = q->next;
            if (q != p) q->next = p->next;
            release(p);
        }",
    );
}

#[test]
fn the_rest_of_a_list_is_lost() {
    is_unsafe("int main(void) { struct node *p = build(); free(p); }");
    is_unsafe(
        "int main(void) {
            struct node *p = build(); if (p->next && p->next->next) p->next = 0; release(p);
        }",
    );
    is_never_proved(
        Property::ValidMemcleanup,
        "struct node *kept; int main(void) { kept = build(); }",
    );
}

#[test]
fn blocks_of_a_callers_object_that_is_gone() {
    is_unsafe(
        "static struct node **wrong(void) { struct node *local = build(); return &local; }
        int main(void) { struct node **p = wrong(); release(*p); }",
    );
}

#[test]
fn a_static_object_does_not_keep_its_first_value() {
    error_is_reachable(
        "struct node *first; struct node **where = &first;
        int main(void) {
            struct node fresh; fresh.next = 0; fresh.prev = 0;
            *where = &fresh;
            if (first) reach_error();
        }",
    );
    error_is_reachable(
        "long word;
        int main(void) {
            struct node **p = (struct node **)&word; word = 5;
            if (*p) reach_error();
        }",
    );
}

#[test]
fn rotation_that_forgets_a_parent() {
    error_is_reachable(
        "struct tree { struct tree *left, *right, *up; };
        static struct tree *leaf(void) {
            struct tree *t = malloc(sizeof *t); t->left = 0; t->right = 0; t->up = 0; return t;
        }
        int main(void) {
            struct tree *root = leaf(), *at = root;
            while (__VERIFIER_nondet_int()) {
                at->right = leaf(); at->right->up = at;
                at->left = leaf(); at->left->up = at;
                at = at->right;
            }
            struct tree *a = root, *b = a->right;
            if (!b) return 0;
            a->right = b->left;
            b->left = a; a->up = b; b->up = 0; root = b;
            if (a->right && a->right->up != a) reach_error();
        }",
    );
}

#[test]
fn a_shared_leaf_is_no_tree() {
    error_is_reachable(
        "struct tree { struct tree *left, *right; };
        int main(void) {
            struct tree *leaf = malloc(sizeof *leaf); leaf->left = 0; leaf->right = 0;
            struct tree *top = leaf;
            while (__VERIFIER_nondet_int()) {
                struct tree *t = malloc(sizeof *t); t->left = top; t->right = leaf; top = t;
            }
            if (top->left && top->left->left && top->left->right == top->right) reach_error();
        }",
    );
}

#[test]
fn numbers_with_many_values_are_any_number() {
    error_is_reachable(
        "int main(void) {
            int i = 0;
            while (__VERIFIER_nondet_int()) i++;
            if (i == 77) reach_error();
        }",
    );
    error_is_reachable(
        "int main(void) {
            unsigned char c = 0; int n = 0;
            while (__VERIFIER_nondet_int()) { c++; n = c == 0; }
            if (n) reach_error();
        }",
    );
}

#[test]
fn offsets_wrap_around() {
    error_is_reachable(
        "int main(void) {
            struct node *p = malloc(sizeof *p);
            char *far = (char *)p + 0x7fffffffffffffff;
            far = far + 0x7fffffffffffffff; far = far + 2;
            if (far == (char *)p) reach_error();
        }",
    );
}

/// A tree of any size, and a walk to any node of it.
const TREE: &str = "
    struct tree { struct tree *left, *right; };
    static struct tree *leaf(void) {
        struct tree *fresh = malloc(sizeof *fresh); fresh->left = 0; fresh->right = 0; return fresh;
    }
    static struct tree *pick(struct tree *t) {
        while (__VERIFIER_nondet_int()) {
            if (__VERIFIER_nondet_int()) { if (t->left) t = t->left; } else { if (t->right) t = t->right; }
        }
        return t;
    }
    struct tree *root;
    static void grow(void) {
        root = leaf();
        while (__VERIFIER_nondet_int()) {
            struct tree *at = pick(root);
            if (!at->left) at->left = leaf(); else if (!at->right) at->right = leaf();
        }
    }
";

#[test]
fn a_part_of_a_tree_is_cut_off() {
    is_unsafe(&format!(
        "{TREE} int main(void) {{ grow(); struct tree *at = pick(root); at->left = 0; return 0; }}"
    ));
}

#[test]
fn a_part_of_a_tree_is_lost_when_another_takes_its_place() {
    is_unsafe(&format!(
        "{TREE} int main(void) {{
            grow(); struct tree *at = pick(root), *below = at->left;
            if (below) {{ at->left = below->right; below->right = at->right; at->right = below; }}
            if (below && below->left) at->right = below->left;
            return 0;
        }}"
    ));
}

#[test]
fn a_tree_is_turned_so_that_it_hangs_below_itself() {
    is_unsafe(&format!(
        "{TREE} int main(void) {{
            grow(); struct tree *at = pick(root), *below = pick(at);
            if (below != at) {{ struct tree *left = at->left; at->left = below; below->left = left; }}
            return 0;
        }}"
    ));
}

#[test]
fn what_is_passed_or_returned_as_another_type() {
    error_is_reachable(
        "static long large(void) { return 4294967296L; }
        int main(void) {
            int (*f)(void) = (int (*)(void))large; int x = f(); if (x == 0) reach_error();
        }",
    );
    error_is_reachable(
        "static int take(x) int x; { if (x == 0) reach_error(); return 0; }
        int main(void) { take(4294967296L); }",
    );
    error_is_reachable(
        "static void take(int x) { if (x == 0) reach_error(); }
        int main(void) {
            void (*f)(long) = (void (*)(long))take; f(4294967296L);
        }",
    );
    error_is_reachable(
        "static int negative(void) { return -1; }
        int main(void) {
            unsigned char (*f)(void) = (unsigned char (*)(void))negative;
            if (f() < 256) reach_error();
        }",
    );
}

/// The variable is an object, so that what `malloc` gives is in a temporary as well, and stays there. On the way to the
/// end no loop head is passed.
#[test]
fn a_block_is_lost_but_for_a_dead_temporary() {
    let body = "int mark;
    int main(void) {
        if (__VERIFIER_nondet_int() == 77) {
            char *p = malloc(3); mark = *(unsigned char *)&p; p = 0;
        }
        reach_error();
    }";
    is_unsafe(body);
    let task = crate::task(Property::ValidMemsafety, body);
    let deadline = Deadline::after(std::time::Duration::from_secs(20));
    let finding = ThreeValuedEngine::default().glance().run(&task, &Run::alone(&deadline));
    assert!(!matches!(finding, Finding::Proved(_)));
}
