//! Wrong programs whose faults lie in addresses: offsets, order, equality, lives. None may be proved.

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

fn memory_is_not_safe(body: &str) {
    is_never_proved(Property::ValidMemsafety, body);
}

#[test]
fn a_pointer_does_not_come_back_after_four_gibibytes() {
    memory_is_not_safe(
        "int main(void) {
                char *p = malloc(16); char *q = p;
                int k = rare() ? 4 : 0;
                for (int i = 0; i < k; i++) q += 0x40000000;
                *q = 1; free(p); return 0;
            }",
    );
}

#[test]
fn what_is_freed_is_the_start_and_not_the_start_and_four_gibibytes() {
    memory_is_not_safe(
        "int main(void) {
                char *p = malloc(16); char *q = p;
                if (rare()) { q += 0x7fffffff; q += 0x7fffffff; q += 2; }
                free(q); return 0;
            }",
    );
}

#[test]
fn a_size_is_not_cut_to_half_its_bits() {
    memory_is_not_safe(
        "int main(void) {
                unsigned long n = rare() ? 0x100000010UL : 16;
                char *p = malloc(16); memset(p, 0, n); free(p); return 0;
            }",
    );
}

#[test]
fn a_distance_is_positive_beyond_two_gibibytes() {
    error_is_reachable(
        "int main(void) {
                char *p = malloc(0x90000000UL), *e = p + 0x88000000UL;
                long d = e - p; free(p);
                if (d > 0 && rare()) reach_error();
            }",
    );
}

#[test]
fn the_place_before_a_block_is_lower() {
    error_is_reachable(
        "int main(void) {
                char *p = malloc(4), *q = p - 1; int less = q < p; free(p);
                if (less && rare()) reach_error();
            }",
    );
}

#[test]
fn a_pointer_that_is_moved_far_may_wrap_around() {
    error_is_reachable(
        "int main(void) {
                char *p = malloc(4); long d = __VERIFIER_nondet_long();
                int wraps = d > 0 && p + d < p; free(p);
                if (wraps) reach_error();
            }",
    );
}

#[test]
fn a_pointer_less_its_own_address_is_null() {
    error_is_reachable(
        "int main(void) {
                char *p = malloc(4), *q = p - (long)p; int is_null = !q; free(p);
                if (is_null && rare()) reach_error();
            }",
    );
}

#[test]
fn a_negative_number_makes_the_same_pointer_in_any_width() {
    error_is_reachable(
        "int main(void) {
                if ((char *)(-1) == (char *)(-1L) && rare()) reach_error();
            }",
    );
}

#[test]
fn lives_of_a_local_may_have_different_addresses() {
    error_is_reachable(
        "long previous;
            int main(void) {
                for (int i = 0; i < 2; i++) {
                    int y; long a = (long)&y;
                    if (i > 0 && a != previous) reach_error();
                    previous = a;
                }
            }",
    );
}

#[test]
fn lives_of_a_local_may_have_one_address() {
    error_is_reachable(
        "int *previous;
            int main(void) {
                for (int i = 0; i < 3; i++) {
                    int y = i;
                    if (i > 0 && &y == previous) reach_error();
                    previous = &y;
                }
            }",
    );
}

#[test]
fn locals_of_calls_may_have_different_addresses() {
    error_is_reachable(
        "static long f(int d) { int y = d; return (long)&y; }
            int main(void) {
                long a = 0;
                for (int i = 0; i < 3; i++) { long b = f(i); if (i > 0 && a != b) reach_error(); a = b; }
            }",
    );
}

#[test]
fn a_new_block_may_have_the_place_of_a_freed_one() {
    error_is_reachable(
        "int main(void) {
                char *p = malloc(16); free(p);
                char *q = malloc(16); int is_same = q == p; free(q);
                if (is_same) reach_error();
            }",
    );
}

#[test]
fn a_new_node_may_have_the_place_of_a_freed_one() {
    error_is_reachable(
        "int main(void) {
                struct node *head = 0, *old = 0;
                for (int i = 0; i < 3; i++) {
                    struct node *n = malloc(sizeof *n);
                    if (n == old) reach_error();
                    n->next = head; head = n;
                    if (i == 0) { old = head; head = head->next; free(old); }
                }
            }",
    );
}

#[test]
fn the_end_of_an_array_may_be_the_start_of_another() {
    error_is_reachable(
        "int main(void) {
                if (array + 4 == other || other + 4 == array) reach_error();
            }",
    );
}

#[test]
fn equal_literals_may_be_one() {
    error_is_reachable(
        "int main(void) { const char *p = \"abc\", *q = \"abc\"; if (p == q) reach_error(); }",
    );
}

#[test]
fn a_literal_may_be_the_end_of_another() {
    error_is_reachable(
        "int main(void) { const char *p = \"xabc\", *q = \"abc\"; if (p + 1 == q) reach_error(); }",
    );
}

#[test]
fn the_order_of_two_objects_is_open() {
    error_is_reachable("int main(void) { if (array < other) { if (rare()) reach_error(); } }");
}

#[test]
fn the_order_of_two_objects_is_open_the_other_way_round() {
    error_is_reachable("int main(void) { if (array > other) { if (rare()) reach_error(); } }");
}

#[test]
fn a_pointer_far_behind_a_block_does_not_hold_it() {
    memory_is_not_safe(
        "char *global;
            int main(void) { global = malloc(4); global += rare() ? 5 : 0; return 0; }",
    );
}
