//! Certificates: proofs are confirmed by the walk that shares no encoding with them.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
";

/// What the summary of a checked proof says of its certificate.
fn summary(property: Property, body: &str) -> String {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    let task = Task { program, specification, malloc_may_fail: false };
    let settings = Settings { most_copies: 3, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(120));
    let engine = TemplateEngine { settings };
    let Finding::Proved(proof) = engine.run(&task, &Run::alone(&deadline)) else {
        panic!("no proof");
    };
    proof.check(&task, &deadline).expect("the proof holds");
    proof.summary()
}

fn is_confirmed(property: Property, body: &str) {
    let summary = summary(property, body);
    assert!(summary.ends_with("certificate confirmed independently"), "{summary}");
}

#[test]
fn a_program_without_loops() {
    is_confirmed(
        Property::ValidMemsafety,
        "int main(void) {
            int *p = malloc(sizeof *p); *p = __VERIFIER_nondet_int();
            if (*p > 3) *p = 3;
            free(p);
        }",
    );
}

#[test]
fn a_loop_with_a_bound_from_outside() {
    is_confirmed(
        Property::UnreachCall,
        "int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            if (n < 0) return 0;
            while (i < n) i++;
            if (i != n) reach_error();
        }",
    );
}

#[test]
fn loops_in_each_other() {
    is_confirmed(
        Property::UnreachCall,
        "int main(void) {
            int rounds = 0, i;
            while (__VERIFIER_nondet_int()) {
                for (i = 0; i < 100; i++) if (i > 100) reach_error();
                if (i != 100) reach_error();
                if (rounds < 5) rounds++;
                if (rounds > 5) reach_error();
            }
        }",
    );
}

#[test]
fn values_in_a_list_of_any_length() {
    is_confirmed(
        Property::UnreachCall,
        "int main(void) {
            struct node *head = 0, *p;
            while (__VERIFIER_nondet_int()) {
                p = malloc(sizeof *p); p->next = head; p->value = 7; head = p;
            }
            for (p = head; p; p = p->next) if (p->value != 7) reach_error();
        }",
    );
}

#[test]
fn calls_with_loops_of_their_own() {
    is_confirmed(
        Property::UnreachCall,
        "static int up_to(int n) { int i = 0; while (i < n) i++; return i; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 0 || n > 1000) return 0;
            if (up_to(n) != n) reach_error();
            if (up_to(5) != 5) reach_error();
        }",
    );
}

#[test]
fn a_proof_with_summaries_says_that_it_is_not_confirmed() {
    let summary = summary(
        Property::UnreachCall,
        "static int down(int n) { if (n <= 0) return 0; return down(n - 1); }
        int main(void) { if (down(__VERIFIER_nondet_int()) != 0) reach_error(); }",
    );
    assert!(summary.contains("not confirmed independently: functions are summarised"), "{summary}");
}
