//! Wrong programs whose faults lie in values that could be taken for others: equal names, missing
//! values, parts of values. None may be proved.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
struct part { int f; int pad; };
int array[4], other[4];
static int rare(void) { return __VERIFIER_nondet_int() == 987654321; }
";

fn error_is_reachable(body: &str) {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    let task = Task { program, specification, malloc_may_fail: false };
    let settings = Settings { most_copies: 3, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(10));
    let finding = TemplateEngine { settings }.run(&task, &Run::alone(&deadline));
    if let Finding::Proved(proof) = finding {
        panic!("a wrong proof: {}", proof.summary());
    }
}

#[test]
fn two_parts_of_one_word_are_two() {
    error_is_reachable(
        "int main(void) {
                struct part *a = malloc(16), *b = a + 1; int o = 0, key = __VERIFIER_nondet_int();
                a->f = 1; b->f = 2;
                while (1) {
                    int j = 0;
                    while (j < 1000) { j++; if (__VERIFIER_nondet_int()) { a->f = 1; b->f = 2; } }
                    if (a->f == b->f) return 0;
                    o++;
                    if (o >= 3 && key == 1234567) reach_error();
                }
            }",
    );
}

#[test]
fn variables_of_one_name_in_nested_loops_are_two() {
    error_is_reachable(
        "int main(void) {
                for (int o = 0; o < 100; o++) {
                    int x = __VERIFIER_nondet_int();
                    for (int j = 0; j < 100; j++) {
                        int y = x, x = __VERIFIER_nondet_int();
                        if (x != y && rare()) reach_error();
                    }
                }
            }",
    );
}

#[test]
fn parts_of_one_word_differ_behind_recursive_calls() {
    error_is_reachable(
        "static void touch(struct part *l, int n) { if (n > 0) touch(l, n - 1); else l->f = __VERIFIER_nondet_int(); }
            int main(void) {
                struct part *a = malloc(16), *b = a + 1; a->f = 0; b->f = 0;
                touch(b, 100); int was = b->f;
                touch(a, 100);
                if (a->f != was && rare()) reach_error();
            }",
    );
}

#[test]
fn a_jump_over_a_declaration_gives_no_value() {
    error_is_reachable(
        "int main(void) {
                if (__VERIFIER_nondet_int()) goto behind;
                int x = 0;
            behind:
                if (x != 0 && rare()) reach_error();
            }",
    );
}

#[test]
fn a_jump_over_a_pointer_gives_no_address() {
    error_is_reachable(
        "int main(void) {
                if (__VERIFIER_nondet_int()) goto behind;
                int *p = 0;
            behind:
                if (p == array && rare()) reach_error();
            }",
    );
}

#[test]
fn a_case_behind_a_declaration_gives_no_value() {
    error_is_reachable(
        "int main(void) {
                switch (__VERIFIER_nondet_int()) {
                    case 0: ; int x = 5;
                    case 1: if (x != 5) reach_error();
                }
            }",
    );
}

#[test]
fn a_jump_into_a_block_gives_no_elements() {
    error_is_reachable(
        "int main(void) {
                if (__VERIFIER_nondet_int()) goto inside;
                { int a[4] = { 1, 2, 3, 4 }; inside: if (a[2] != 3 && rare()) reach_error(); }
            }",
    );
}

#[test]
fn half_a_copy_changes_half_a_number() {
    error_is_reachable(
        "int main(void) {
                int a = 0x01020304, b = 0; memcpy(&b, &a, 2);
                if (b == 0x0304 && rare()) reach_error();
            }",
    );
}

#[test]
fn a_byte_changes_bit_fields() {
    error_is_reachable(
        "struct bits { unsigned a : 3; unsigned b : 5; };
            int main(void) {
                struct bits x; x.a = 1; x.b = 2; *(unsigned char *)&x = 0xff;
                if (x.a == 7 && rare()) reach_error();
            }",
    );
}

#[test]
fn a_part_of_an_array_is_filled() {
    error_is_reachable(
        "int main(void) {
                int a[4] = { 1, 1, 1, 1 }; memset(a + 1, 0, 8);
                for (int i = 0; i < 4; i++) if (a[i] == 0 && rare()) reach_error();
            }",
    );
}

#[test]
fn a_short_lies_across_two_numbers() {
    error_is_reachable(
        "int main(void) {
                int x[2] = { 0, 0 }; *(short *)((char *)x + 2) = 1;
                if (x[0] == 0x10000 && rare()) reach_error();
            }",
    );
}

#[test]
fn what_one_new_block_held_another_does_not_lack() {
    error_is_reachable(
        "int main(void) {
                for (int i = 0; i < 3; i++) {
                    int *p = malloc(4);
                    if (i == 2 && *p == 77) reach_error();
                    *p = 77; free(p);
                }
            }",
    );
}
