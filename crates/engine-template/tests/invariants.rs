//! The engine on whole programs: what it finds, and what it must not claim.

use heapwright_engine::{Deadline, Engine, Finding, Proof, Run, Task, replay_violates};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    extern void *malloc(unsigned long);
    extern void free(void *);
    #define NULL ((void *)0)
    struct node { int val; struct node *next; };
";

fn task(source: &str, property: Property) -> Task {
    let text = format!("{PRELUDE}{source}");
    let sources = [Source::new("test.c", text.into_bytes())];
    let program = load(&sources, &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    Task { program, specification, malloc_may_fail: false }
}

fn find(task: &Task, settings: Settings) -> Finding {
    let deadline = Deadline::never();
    TemplateEngine { settings }.run(task, &Run::alone(&deadline))
}

/// With few rounds: enough for all programs here.
fn settings() -> Settings {
    Settings { most_copies: 4, ..Settings::default() }
}

fn only(domains: &[&str]) -> Settings {
    let domains = Some(domains.iter().map(|&name| name.to_owned()).collect());
    Settings { domains, most_copies: 1, ..Settings::default() }
}

/// The proof, checked again.
fn proved(source: &str, settings: Settings) -> Box<dyn Proof> {
    let task = task(source, Property::UnreachCall);
    match find(&task, settings) {
        Finding::Proved(proof) => {
            proof.check(&task, &Deadline::never()).expect("a proof that holds");
            proof
        }
        Finding::Refuted(inputs) => panic!("refuted with {inputs:?}"),
        Finding::Open(reasons) => panic!("open: {reasons:?}"),
    }
}

fn is_proved(source: &str, settings: Settings) -> bool {
    let finding = find(&task(source, Property::UnreachCall), settings);
    assert!(!matches!(finding, Finding::Refuted(_)), "a correct program");
    matches!(finding, Finding::Proved(_))
}

fn refuted(source: &str) {
    let task = task(source, Property::UnreachCall);
    match find(&task, settings()) {
        Finding::Refuted(inputs) => assert!(replay_violates(&task, &inputs)),
        Finding::Proved(proof) => panic!("proved: {}", proof.summary()),
        Finding::Open(reasons) => panic!("open: {reasons:?}"),
    }
}

/// A list of numbers from 10 to 20, each changed again and again: FMCAD'18, listing 1.
const RUNNING_EXAMPLE: &str = "
    int main(void) {
        struct node *p, *list = malloc(sizeof *list);
        struct node *tail = list;
        list->next = NULL;
        list->val = 10;
        while (__VERIFIER_nondet_int()) {
            int x = __VERIFIER_nondet_int();
            if (x < 10 || x > 20) continue;
            p = malloc(sizeof *p);
            tail->next = p;
            p->next = NULL;
            p->val = x;
            tail = p;
        }
        while (1) {
            for (p = list; p != NULL; p = p->next) {
                if (!(p->val <= 20 && p->val >= 10)) reach_error();
                if (p->val < 20) p->val++;
                else p->val /= 2;
            }
        }
    }
";

#[test]
fn the_running_example_has_the_invariants_of_the_paper() {
    let proof = proved(RUNNING_EXAMPLE, only(&["shape", "intervals"]));
    let invariants = proof.invariants();
    // Object 0 is allocated before the first loop, object 1 in it.
    let first = [
        "tail == &dynamic_object$0 || tail == &dynamic_object$1",
        "dynamic_object$0.next@8:ptr == NULL || dynamic_object$0.next@8:ptr == &dynamic_object$1",
        "dynamic_object$1.next@8:ptr == NULL || dynamic_object$1.next@8:ptr == &dynamic_object$1",
        "dynamic_object$0.val@0:i32 <= 10",
        "dynamic_object$0.val@0:i32 >= 10",
        "dynamic_object$1.val@0:i32 <= 20",
        "dynamic_object$1.val@0:i32 >= 10",
    ];
    let second = [
        "dynamic_object$0.val@0:i32 <= 20",
        "dynamic_object$0.val@0:i32 >= 10",
        "dynamic_object$1.val@0:i32 <= 20",
        "dynamic_object$1.val@0:i32 >= 10",
    ];
    for (lines, wanted) in [(&invariants[0], &first[..]), (&invariants[1], &second[..])] {
        let lines: Vec<&str> = lines.lines().skip(1).map(str::trim).collect();
        assert_eq!(lines, wanted);
    }
}

#[test]
fn loop_paths_tell_whether_the_list_is_longer_than_one() {
    let proof = proved(RUNNING_EXAMPLE, only(&["shape", "intervals"]));
    let inner = &proof.invariants()[2];
    assert!(inner.lines().any(|line| {
        line.trim().starts_with("p == NULL, if") && line.contains("was not repeated")
    }));
}

#[test]
fn neither_shapes_nor_numbers_alone_suffice() {
    assert!(!is_proved(RUNNING_EXAMPLE, only(&["shape"])));
    assert!(!is_proved(RUNNING_EXAMPLE, only(&["intervals"])));
}

#[test]
fn smallest_and_greatest_of_a_list_are_related_to_its_elements() {
    let source = "
        int main(void) {
            struct node *l = NULL;
            int min = 0x7fffffff, max = -0x7fffffff;
            while (__VERIFIER_nondet_int()) {
                struct node *p = malloc(sizeof *p);
                p->val = __VERIFIER_nondet_int();
                p->next = l;
                l = p;
                if (min > p->val) min = p->val;
                if (max < p->val) max = p->val;
            }
            for (struct node *i = l; i; i = i->next)
                if (i->val < min || i->val > max) reach_error();
        }
    ";
    proved(source, settings());
    assert!(!is_proved(source, only(&["shape", "intervals"])));
}

#[test]
fn a_counter_stops_at_a_bound_that_is_not_known() {
    proved(
        "int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            if (n < 0) return 0;
            while (i < n) i++;
            if (i != n) reach_error();
        }",
        settings(),
    );
}

#[test]
fn a_machine_of_few_states_needs_pairs_of_values() {
    proved(
        "int main(void) {
            int state = 1, flag = 0;
            while (__VERIFIER_nondet_int()) {
                if (state == 1) { state = 5; flag = 7; }
                else if (state == 5) { if (flag != 7) reach_error(); state = 3; flag = 2; }
                else if (state == 3) { if (flag != 2) reach_error(); state = 1; flag = 9; }
            }
        }",
        settings(),
    );
}

#[test]
fn an_error_after_three_rounds_is_found() {
    refuted(
        "int main(void) {
            int i = 0;
            while (__VERIFIER_nondet_int() == 42 && i < 3) i++;
            if (i == 3) reach_error();
        }",
    );
}

#[test]
fn a_wrong_element_of_a_list_is_found() {
    refuted(
        "int main(void) {
            struct node *l = NULL;
            while (__VERIFIER_nondet_int()) {
                struct node *p = malloc(sizeof *p);
                p->val = __VERIFIER_nondet_int();
                if (p->val < 0 || p->val > 9) return 0;
                p->next = l;
                l = p;
            }
            for (struct node *i = l; i; i = i->next)
                if (i->val == 9) reach_error();
        }",
    );
}

/// Programs with an error that is far away: they may stay open, and must not be proved.
#[test]
fn what_fails_late_is_never_proved() {
    let sources = [
        "int main(void) { int i = 0; while (i < 1000) i++; if (i == 1000) reach_error(); }",
        "int main(void) {
            struct node *l = NULL; int n = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *p = malloc(sizeof *p);
                p->val = n++; p->next = l; l = p;
            }
            for (struct node *i = l; i; i = i->next) if (i->val == 40) reach_error();
        }",
        "int main(void) {
            struct node a, b; struct node *p = &a;
            a.val = 0; b.val = 0;
            for (int i = 0; i < 30; i++) { p->val++; p = p == &a ? &b : &a; }
            if (a.val == 15 && b.val == 15) reach_error();
        }",
        "int main(void) {
            unsigned char c = 0; int rounds = 0;
            do { c++; rounds++; } while (c != 0);
            if (rounds == 256) reach_error();
        }",
        "int main(void) {
            int x = 0, y = 0;
            while (x < 20) { x++; int i = 0; while (i < x) { i++; y++; } }
            if (y == 210) reach_error();
        }",
    ];
    for source in sources {
        let finding = find(&task(source, Property::UnreachCall), settings());
        assert!(!matches!(finding, Finding::Proved(_)), "{source}");
    }
}

#[test]
fn guards_loop_paths_and_products_can_be_left_out() {
    let all = only(&["shape", "intervals", "equalities"]);
    assert!(is_proved(RUNNING_EXAMPLE, all.clone()));
    for settings in [
        Settings { guards: false, ..all.clone() },
        Settings { products: false, ..all.clone() },
        Settings { loop_paths: false, ..all.clone() },
    ] {
        // Whatever is left out, what is claimed must hold.
        let task = task(RUNNING_EXAMPLE, Property::UnreachCall);
        if let Finding::Proved(proof) = find(&task, settings) {
            proof.check(&task, &Deadline::never()).expect("a proof that holds");
        }
    }
}

#[test]
fn what_is_freed_or_known_at_the_end_was_never_lost() {
    let holds = |source| {
        let task = task(source, Property::ValidMemsafety);
        match find(&task, settings()) {
            Finding::Proved(proof) => proof.check(&task, &Deadline::never()).expect("a proof"),
            Finding::Refuted(inputs) => panic!("refuted with {inputs:?}"),
            Finding::Open(reasons) => panic!("open: {reasons:?}"),
        }
    };
    holds(
        "int main(void) {
            struct node *list = NULL;
            for (int i = 0; i < 3; i++) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->next = list; list = fresh;
            }
            while (list) { struct node *next = list->next; free(list); list = next; }
        }",
    );
    holds(
        "static struct node *kept; int main(void) { kept = malloc(sizeof *kept); kept->val = 1; }",
    );
}

#[test]
fn what_one_number_loses_another_one_gets() {
    proved(
        "int main(void) {
            unsigned n = __VERIFIER_nondet_int(), x = n, y = 0;
            while (x > 0) { x--; y++; }
            if (y != n) reach_error();
        }",
        only(&["sums"]),
    );
}
