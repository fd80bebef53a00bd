//! Rows about links: lists that are freed, back pointers, order; and programs in which one node of many
//! is wrong, none of which may be proved.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Part, Property, Specification};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct node { struct node *next; struct node *prev; int value; unsigned size; };
static struct node *build(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head; fresh->prev = 0; head = fresh;
    }
    return head;
}
static void destroy(struct node *list) {
    while (list) { struct node *next = list->next; free(list); list = next; }
}
";

/// Accesses, calls of `free` and assertions.
fn task(body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let mut specification = Specification::of_property(Property::UnreachCall);
    specification.parts = vec![Part::UnreachCall, Part::ValidDeref, Part::ValidFree];
    Task { program, specification, malloc_may_fail: false }
}

fn find(task: &Task, rounds: u32, seconds: u64) -> Finding {
    let domains = ["shape", "intervals", "links", "neighbours"].map(str::to_owned).to_vec();
    let time = Duration::from_secs(600);
    let settings =
        Settings { domains: Some(domains), most_copies: rounds, time, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(seconds));
    TemplateEngine { settings }.run(task, &Run::alone(&deadline))
}

/// The proof is checked, and its claims are confirmed by the walk that shares no encoding.
fn is_proved(body: &str) {
    let task = task(body);
    let Finding::Proved(proof) = find(&task, 1, 600) else { panic!("no proof") };
    proof.check(&task, &Deadline::never()).expect("the proof holds");
    let summary = proof.summary();
    assert!(summary.ends_with("certificate confirmed independently"), "{summary}");
}

fn is_never_proved(body: &str) {
    for rounds in [1, 2] {
        let task = task(body);
        if let Finding::Proved(proof) = find(&task, rounds, 20) {
            panic!("a wrong proof: {} {:?}", proof.summary(), proof.invariants());
        }
    }
}

#[test]
fn a_list_is_freed() {
    is_proved("int main(void) { destroy(build()); }");
    is_never_proved("int main(void) { struct node *l = build(); destroy(l); destroy(l); }");
    is_never_proved(
        "int main(void) { struct node *l = build(); destroy(l); if (l) l->value = 1; }",
    );
}

#[test]
fn rings_do_not_end() {
    is_never_proved(
        "int main(void) {
            struct node *l = build(), *t = l;
            while (t && t->next) t = t->next;
            if (t) t->next = l;
            destroy(l);
        }",
    );
    is_never_proved(
        "int main(void) {
            struct node *l = build(), *t = l;
            while (t && __VERIFIER_nondet_int()) t = t->next;
            if (t) t->next = t;
            destroy(l);
        }",
    );
}

#[test]
fn two_lists_share_a_node() {
    is_never_proved(
        "int main(void) {
            struct node *a = build(), *b = build(), *t = a;
            while (t && __VERIFIER_nondet_int()) t = t->next;
            if (b && t) b->next = t->next;
            destroy(a); destroy(b);
        }",
    );
    is_never_proved(
        "int main(void) {
            struct node *a = build(), *b = a;
            while (b && __VERIFIER_nondet_int()) b = b->next;
            destroy(a); destroy(b);
        }",
    );
}

#[test]
fn a_node_in_the_middle_is_freed() {
    is_never_proved(
        "int main(void) {
            struct node *l = build(), *t = l;
            while (t && __VERIFIER_nondet_int()) t = t->next;
            if (t) free(t);
            destroy(l);
        }",
    );
    is_never_proved(
        "int main(void) {
            struct node *l = build(), *t = l;
            while (t && t->next) {
                if (__VERIFIER_nondet_int()) free(t->next);
                t = t->next;
            }
        }",
    );
}

#[test]
fn a_node_is_taken_out() {
    is_never_proved(
        "int main(void) {
            struct node *l = build();
            if (l && l->next) {
                struct node *old = l->next;
                free(old);
                l->next = old;
            }
            destroy(l);
        }",
    );
}

#[test]
fn nodes_of_two_sites() {
    is_proved(
        "int main(void) {
            struct node *l = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *n;
                if (__VERIFIER_nondet_int()) n = malloc(sizeof *n); else n = malloc(sizeof *n);
                n->next = l; l = n;
            }
            destroy(l);
        }",
    );
    is_never_proved(
        "int main(void) {
            struct node *l = 0, *old = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
                n->next = l; m->next = l; l = n; old = m;
            }
            destroy(l); destroy(old);
        }",
    );
}

#[test]
fn a_freed_block_and_a_new_one() {
    // The new block may have the old one's address; the old pointer is stale all the same.
    is_never_proved(
        "int main(void) {
            struct node *old = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *n = malloc(sizeof *n);
                if (old && __VERIFIER_nondet_int()) old->value = 1;
                free(n);
                old = n;
            }
        }",
    );
    is_never_proved(
        "int main(void) {
            struct node *l = build();
            while (l) {
                struct node *next = l->next;
                free(l);
                struct node *n = malloc(sizeof *n);
                if (n == l) reach_error();
                free(n);
                l = next;
            }
            struct node *a = malloc(sizeof *a); int *p = &a->value; free(a); *p = 1;
        }",
    );
}

#[test]
fn links_that_nobody_has_set() {
    is_never_proved(
        "int main(void) {
            struct node *l = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *n = malloc(sizeof *n);
                if (l || __VERIFIER_nondet_int()) n->next = l;
                l = n;
            }
            destroy(l);
        }",
    );
}

#[test]
fn back_pointers() {
    let list = "int main(void) {
        struct node *l = 0, *last = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n);
            n->next = 0; n->prev = last;
            if (last) last->next = n; else l = n;
            last = n;
        }";
    is_proved(&format!(
        "{list} for (struct node *t = l; t && t->next; t = t->next)
                if (t->next->prev != t) reach_error();
            destroy(l); }}"
    ));
    // One node in the middle is taken out, and who comes behind it still points there.
    is_never_proved(&format!(
        "{list} struct node *c = l;
            while (c && c->next && __VERIFIER_nondet_int()) c = c->next;
            if (c && c->next) {{ struct node *o = c->next; c->next = o->next; free(o); }}
            for (struct node *t = l; t && t->next; t = t->next)
                if (t->next->prev != t) reach_error(); }}"
    ));
}

#[test]
fn order_along_links() {
    let list = |value: &str| {
        format!(
            "int main(void) {{
                struct node *l = 0; int v = 0; unsigned u = 0;
                while (__VERIFIER_nondet_int()) {{
                    struct node *n = malloc(sizeof *n);
                    {value}
                    n->next = l; l = n;
                }}
                for (struct node *t = l; t && t->next; t = t->next)"
        )
    };
    // Without a sign, -1 is the greatest number.
    is_never_proved(&format!(
        "{} if (t->size < t->next->size) reach_error(); }}",
        list("if (v < 1000) v++; n->size = v - 2;")
    ));
    // Once the counter wraps around, the order is lost.
    is_never_proved(&format!(
        "{} if (t->size < t->next->size) reach_error(); }}",
        list("u += 0x40000000; n->size = u;")
    ));
    // Equal neighbours.
    is_never_proved(&format!(
        "{} if (t->value <= t->next->value) reach_error(); }}",
        list("if (v < 3) v++; n->value = v;")
    ));
}

#[test]
fn functions_that_call_themselves() {
    is_never_proved(
        "static void drop(struct node *l) { if (l) { drop(l->next); free(l); } }
        int main(void) {
            struct node *a = build(), *b = a;
            while (b && __VERIFIER_nondet_int()) b = b->next;
            drop(b); drop(a);
        }",
    );
}
