//! Wrong programs whose faults an abstraction of the heap could hide: none may be proved.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
static struct node *build(void) {
    struct node *head = 0; int i = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head; fresh->value = i++; head = fresh;
    }
    return head;
}
";

fn is_never_proved(property: Property, body: &str) {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    let task = Task { program, specification, malloc_may_fail: false };
    let settings = Settings { most_copies: 3, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(10));
    let finding = TemplateEngine { settings }.run(&task, &Run::alone(&deadline));
    if let Finding::Proved(proof) = finding {
        panic!("a wrong proof: {}", proof.summary());
    }
}

fn error_is_reachable(body: &str) {
    is_never_proved(Property::UnreachCall, body);
}

#[test]
fn values_that_were_read_one_after_the_other_differ() {
    error_is_reachable(
        "int main(void) {
            struct node *p = build(); if (!p) return 0;
            int a = p->value; p = p->next; if (!p) return 0;
            int b = p->value; p = p->next; if (!p) return 0;
            int c = p->value; p = p->next; if (!p) return 0;
            int d = p->value;
            if (a != b && a != c && a != d && b != c && b != d && c != d) reach_error();
        }",
    );
}

#[test]
fn a_write_to_one_node_leaves_the_others() {
    error_is_reachable(
        "int main(void) {
            struct node *head = build(); if (head) head->value = 99;
            for (struct node *p = head; p; p = p->next) if (p->value != 99) reach_error();
        }",
    );
}

#[test]
fn neighbours_have_values_of_their_own() {
    error_is_reachable(
        "int main(void) {
            struct node *head = build();
            for (struct node *p = head; p && p->next; p = p->next)
                if (p->value != p->next->value) reach_error();
        }",
    );
}

#[test]
fn one_node_of_many_is_special() {
    error_is_reachable(
        "int main(void) {
            struct node *head = 0;
            for (int i = 0; i < 2000; i++) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->value = i == 1500 ? 99 : 1; fresh->next = head; head = fresh;
            }
            for (struct node *p = head; p; p = p->next) if (p->value == 99) reach_error();
        }",
    );
}

#[test]
fn bytes_of_a_struct_are_written_one_by_one() {
    error_is_reachable(
        "struct triple { int a, b, c; };
        int main(void) {
            struct triple t = {1, 2, 3}; char *p = (char *)&t;
            p[__VERIFIER_nondet_uint() % 12] = 7;
            if (t.b != 2) reach_error();
        }",
    );
    error_is_reachable(
        "union both { int whole; short half[2]; };
        int main(void) { union both x; x.whole = 0; x.half[1] = 1; if (x.whole) reach_error(); }",
    );
}

#[test]
fn a_pointer_survives_as_an_integer() {
    error_is_reachable(
        "int main(void) { int x = 1; long a = (long)&x; *(int *)a = 2; if (x == 2) reach_error(); }",
    );
}

#[test]
fn blocks_are_used_after_their_end() {
    let memory = |body: &str| is_never_proved(Property::ValidMemsafety, body);
    memory(
        "int main(void) {
            struct node *head = build(), *tail = head;
            while (tail && tail->next) tail = tail->next;
            if (tail) free(tail);
            for (struct node *p = head; p; p = p->next) p->value = 1;
        }",
    );
    memory(
        "static int *kept;
        static void f(int i) { int x = i; if (i == 50) kept = &x; }
        int main(void) { for (int i = 0; i < 100; i++) f(i); if (kept) *kept = 1; }",
    );
    memory(
        "int main(void) {
            int *p = 0;
            for (int i = 0; i < 3; i++) { int y = i; if (i == 0) p = &y; else *p = 5; }
        }",
    );
}

#[test]
fn a_block_of_many_is_not_freed() {
    is_never_proved(
        Property::ValidMemcleanup,
        "int main(void) {
            struct node *head = build();
            while (head && head->next) {
                struct node *next = head->next; free(head); head = next;
            }
        }",
    );
    is_never_proved(
        Property::ValidMemcleanup,
        "int main(void) {
            while (__VERIFIER_nondet_int()) {
                void *p = malloc(4); if (__VERIFIER_nondet_int()) free(p);
            }
        }",
    );
}

#[test]
fn a_block_is_lost() {
    let loses = |body| is_never_proved(Property::ValidMemsafety, body);
    loses("int main(void) { int *p = malloc(4); p = malloc(4); free(p); }");
    // Only a local variable of `main` knows it at the end.
    loses("int main(void) { int *p = malloc(4); *p = 1; }");
    // There is no end at which somebody could look.
    loses("int main(void) { for (;;) { int *p = malloc(4); *p = 1; } }");
    loses("static void *kept; int main(void) { kept = malloc(4); kept = 0; }");
    loses(
        "static struct node *kept;
        int main(void) { kept = malloc(sizeof *kept); kept->next = malloc(sizeof *kept);
            kept->next->next = 0; kept = kept->next; }",
    );
}
