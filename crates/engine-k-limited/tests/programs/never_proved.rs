//! Wrong programs, each for a choice of the abstraction that could hide its fault: none may be proved, and
//! the gate must not have to say so.

use heapwright_engine::Finding;
use heapwright_property::Part;

use crate::{finding, task};

fn is_never_proved(part: Part, body: &str) {
    if let Finding::Proved(proof) = finding(&task(&[part], body)) {
        panic!("a wrong proof: {}\n{}", proof.summary(), proof.invariants().join("\n"));
    }
}

fn error_is_reachable(body: &str) {
    is_never_proved(Part::UnreachCall, body);
}

fn access_is_invalid(body: &str) {
    is_never_proved(Part::ValidDeref, body);
}

fn free_is_invalid(body: &str) {
    is_never_proved(Part::ValidFree, body);
}

#[test]
fn a_link_of_the_third_node_is_wrong() {
    access_is_invalid(
        "int main(void) {
            struct node *list = build(), *p = list; int i = 0;
            while (p) { if (i == 3) p->prev = 0; i++; p = p->next; }
            for (p = list; p->next; p = p->next) p->next->prev->next = 0;
        }",
    );
    error_is_reachable(
        "int main(void) {
            struct node *list = build(), *p = list; int i = 0;
            while (p) { if (i == 3) p->prev = p; i++; p = p->next; }
            for (p = list; p; p = p->next) if (p->prev == p) reach_error();
        }",
    );
}

#[test]
fn uninitialised_words_are_anything() {
    error_is_reachable(
        "int main(void) { struct node *p = malloc(sizeof *p); if (p->next) reach_error(); }",
    );
    error_is_reachable(
        "int main(void) { struct node *p = malloc(sizeof *p); if (!p->next) reach_error(); }",
    );
    access_is_invalid(
        "int main(void) { struct node *p = malloc(sizeof *p); if (p->next) p->next->prev = 0; }",
    );
    access_is_invalid(
        "int main(void) { struct node local; if (local.next) local.next->prev = 0; }",
    );
    free_is_invalid("int main(void) { struct node *p; free(p); }");
    // The k-th node alone is not initialised.
    access_is_invalid(
        "int main(void) {
            struct node *top = 0; int i = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof *fresh); fresh->next = top; top = fresh;
                if (i != 7) fresh->prev = 0;
                i++;
            }
            for (; top; top = top->next) if (top->prev) top->prev->prev = 0;
        }",
    );
}

#[test]
fn a_null_cursor_is_followed() {
    access_is_invalid("int main(void) { struct node *p = build(); while (1) p = p->next; }");
    access_is_invalid(
        "int main(void) {
            struct node *p = build(); while (p->next) p = p->next->next;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *top = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof *fresh); fresh->next = top; top = fresh;
            }
            top->next = 0;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build(); int i = 0;
            while (p->next && i < 9) { p = p->next; i++; }
            if (i == 9) p = 0;
            p->prev = 0;
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
    error_is_reachable(
        "int main(void) {
            struct node *a = malloc(sizeof *a); free(a);
            struct node *b = malloc(sizeof *b); if (a != b) reach_error();
        }",
    );
}

#[test]
fn one_past_the_end_may_be_the_start_of_another_block() {
    error_is_reachable(
        "int main(void) {
            struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (a + 1 != b) reach_error();
        }",
    );
    error_is_reachable(
        "int main(void) {
            struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (a + 1 == b) reach_error();
        }",
    );
}

#[test]
fn accesses_beyond_the_end() {
    access_is_invalid("int main(void) { struct node *p = malloc(8); p->next = 0; p->prev = 0; }");
    access_is_invalid("int main(void) { struct node *p = malloc(sizeof p), one = {0}; *p = one; }");
    access_is_invalid(
        "int main(void) { size_t n = __VERIFIER_nondet_int(); char *p = malloc(n); p[0] = 1; }",
    );
    access_is_invalid(
        "int main(void) {
            size_t n = __VERIFIER_nondet_int();
            char *p = malloc(n + 8); if (p) p[40] = 1;
        }",
    );
    access_is_invalid("int main(void) { char *p = malloc(4); p[-1] = 1; }");
    access_is_invalid(
        "struct wide { struct node node; int more[4]; };
        int main(void) {
            struct wide *w = malloc(__VERIFIER_nondet_int() ? sizeof *w : sizeof(struct node));
            while (__VERIFIER_nondet_int()) w->node.next = 0;
            w->more[3] = 1;
        }",
    );
    access_is_invalid(
        "int main(void) { struct node *p = malloc(sizeof *p); memset(p, 0, sizeof *p + 1); }",
    );
    access_is_invalid("int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); a[i] = 0; }");
}

#[test]
fn a_number_in_the_place_of_a_pointer() {
    access_is_invalid(
        "union word { struct node *link; long number; };
        int main(void) {
            union word *w = malloc(sizeof *w); w->link = malloc(sizeof(struct node));
            w->number = 1; w->link->next = 0;
        }",
    );
    access_is_invalid(
        "struct node *first;
        int main(void) {
            first = malloc(sizeof *first); *(long *)&first = 8; first->next = 0;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build(); *((char *)&p->next + 3) = 1; p->next = p->next;
            if (p->next) p->next->next = 0;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build(); memset(&p->next, 1, 8); if (p->next) p->next->next = 0;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = calloc(1, 64); struct node **q = (struct node **)((char *)p + 4);
            *q = p; if (p->next) p->next->next = 0;
        }",
    );
}

#[test]
fn a_block_is_freed_twice() {
    free_is_invalid("int main(void) { struct node *p = build(); release(p); release(p); }");
    free_is_invalid(
        "int main(void) {
            struct node *p = build(), *q = p; while (q->next) q = q->next;
            free(q); release(p);
        }",
    );
    // A shared tail: two lists with one end.
    free_is_invalid(
        "int main(void) {
            struct node *tail = build(), *a = malloc(sizeof *a), *b = malloc(sizeof *b);
            a->next = tail; b->next = tail; tail = 0;
            while (__VERIFIER_nondet_int()) ;
            release(a); release(b);
        }",
    );
    free_is_invalid(
        "int main(void) {
            struct node *p = build(), *q = p; while (q->next) q = q->next;
            q->next = p; p = p->next; while (__VERIFIER_nondet_int()) ; release(p);
        }",
    );
    // Shared by a copy of bytes.
    free_is_invalid(
        "int main(void) {
            struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
            a->next = build(); a->prev = 0; memcpy(b, a, sizeof *a);
            while (__VERIFIER_nondet_int()) ;
            release(a); release(b);
        }",
    );
}

#[test]
fn shared_by_links_at_one_offset_and_at_two() {
    free_is_invalid(
        "struct tree { struct tree *left, *right; };
        int main(void) {
            struct tree *t = malloc(sizeof *t); t->left = t->right = malloc(sizeof *t);
            t->left->left = t->left->right = 0;
            while (__VERIFIER_nondet_int()) {
                struct tree *up = malloc(sizeof *up); up->left = up->right = t; t = up;
            }
            if (t->left) { free(t->right); free(t->left); }
        }",
    );
    free_is_invalid(
        "int main(void) {
            struct node *kept = build(), *top = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->next = top; fresh->prev = kept; top = fresh;
            }
            kept = 0;
            for (; top; top = top->next) free(top->prev);
        }",
    );
}

#[test]
fn memory_is_used_after_it_was_freed() {
    access_is_invalid(
        "int main(void) {
            struct node *p = build(), *q = p->next; release(p); if (q) q->next = 0;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build(), *q = p; int i = 0;
            while (q->next && __VERIFIER_nondet_int()) { q = q->next; i++; }
            if (i > 6) free(q);
            while (p) p = p->next;
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build();
            for (struct node *q = p; q; q = q->next) if (__VERIFIER_nondet_int()) free(q);
        }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *p = build(), *q = p; while (q->next) q = q->next;
            struct node *before = q->prev; free(q);
            if (before) before->next->prev = 0;
        }",
    );
}

#[test]
fn objects_are_used_after_their_life() {
    access_is_invalid(
        "static struct node **wrong(void) { struct node *local = build(); return &local; }
        int main(void) { struct node **p = wrong(); *p = 0; }",
    );
    access_is_invalid(
        "int main(void) {
            struct node *kept = 0;
            while (__VERIFIER_nondet_int()) {
                struct node local; local.next = 0; if (kept) kept->next = 0; kept = &local;
            }
        }",
    );
    access_is_invalid(
        "struct node *list;
        static void put(void) { struct node here; here.next = 0; list->next = &here; }
        int main(void) { list = build(); put(); list->next->next = 0; }",
    );
}

#[test]
fn a_free_of_what_is_no_start_of_a_heap_block() {
    free_is_invalid("int main(void) { struct node *p = build(); free(&p->prev); }");
    free_is_invalid("struct node one; int main(void) { free(&one); }");
    free_is_invalid("int main(void) { struct node local; free(&local); }");
    free_is_invalid("int main(void) { free(\"text\"); }");
    free_is_invalid("int main(void) { free((void *)main); }");
}

#[test]
fn what_must_not_be_written() {
    access_is_invalid("int main(void) { char *p = \"text\"; p[0] = 'T'; }");
    access_is_invalid("const struct node one; int main(void) { *(void **)&one = 0; }");
}

#[test]
fn a_static_object_does_not_keep_its_first_value() {
    error_is_reachable(
        "struct node *first; struct node **where = &first;
        int main(void) { struct node fresh; *where = &fresh; if (first) reach_error(); }",
    );
    error_is_reachable(
        "long word;
        int main(void) { struct node **p = (struct node **)&word; word = 5; if (*p) reach_error(); }",
    );
    access_is_invalid("struct node *table[3]; int main(void) { table[1]->next = 0; }");
}

#[test]
fn a_summary_is_walked_to_where_it_is_not() {
    // Two lists: what one cursor frees the other one never sees, and the third has lost its way.
    access_is_invalid(
        "int main(void) {
            struct node *a = build(), *b = build(), *p = a;
            while (p->next) p = p->next;
            p->next = b;
            release(b);
            for (p = a; p; p = p->next) p->prev = 0;
        }",
    );
    error_is_reachable(
        "int main(void) {
            struct node *list = build(), *p = list, *q = list;
            while (p->next && __VERIFIER_nondet_int()) p = p->next;
            while (q->next && __VERIFIER_nondet_int()) q = q->next;
            if (p == q) { if (p != list) reach_error(); }
        }",
    );
    error_is_reachable(
        "int main(void) {
            struct node *list = build(), *p = list, *q = list;
            while (p->next && __VERIFIER_nondet_int()) p = p->next;
            while (q->next && __VERIFIER_nondet_int()) q = q->next;
            if (p != q) reach_error();
        }",
    );
}

#[test]
fn a_cycle_is_closed_in_the_middle() {
    error_is_reachable(
        "int main(void) {
            struct node *list = build(), *p = list; 
            while (p->next && __VERIFIER_nondet_int()) p = p->next;
            struct node *q = p;
            while (q->next && __VERIFIER_nondet_int()) q = q->next;
            q->next = p; list = list->next;
            while (__VERIFIER_nondet_int()) if (list) list = list->next;
            if (list) if (list->next == list) reach_error();
        }",
    );
}

#[test]
fn wide_and_narrow_numbers() {
    error_is_reachable(
        "int main(void) {
            unsigned char c = 255; c++; if (c == 0) reach_error();
        }",
    );
    error_is_reachable(
        "int main(void) { unsigned __int128 a = 1, b = 0; b--; if (a < b) reach_error(); }",
    );
    error_is_reachable("int main(void) { int i = -1; if ((unsigned)i > 5u) reach_error(); }");
    error_is_reachable("int main(void) { signed char c = -1; if ((long)c == -1) reach_error(); }");
    error_is_reachable("int main(void) { if (7 / 2 == 3 && 1 << 3 == 8) reach_error(); }");
}

#[test]
fn calls_that_are_not_followed() {
    access_is_invalid(
        "extern int atexit(void (*)(void)); static struct node *list;
        static void at_end(void) { list->next = 0; }
        int main(void) { atexit(at_end); }",
    );
    access_is_invalid(
        "static void down(struct node *p, int n) { if (n) down(p->next, n - 1); else p->next->next = 0; }
        int main(void) { down(build(), 3); }",
    );
    access_is_invalid(
        "#include <stdarg.h>
        static void take(int n, ...) {
            va_list list; va_start(list, n);
            struct node *p = va_arg(list, struct node *); p->next = 0; va_end(list);
        }
        int main(void) { take(1, (struct node *)0); }",
    );
    access_is_invalid("extern struct node *unknown(void); int main(void) { unknown()->next = 0; }");
}

#[test]
fn allocations_that_fail_are_told() {
    let body = "int main(void) { struct node *p = malloc(sizeof *p); p->next = 0; }";
    let mut task = task(&[Part::ValidDeref], body);
    assert!(matches!(finding(&task), Finding::Proved(_)));
    task.malloc_may_fail = true;
    assert!(matches!(finding(&task), Finding::Open(_)));
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
