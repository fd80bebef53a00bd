//! What formulas look like, and what they say without any invariant.

use heapwright_engine::Task;
use heapwright_engine_template::analysis::inlined::Calls;
use heapwright_engine_template::ssa::formula::{Formula, Obligation};
use heapwright_engine_template::ssa::{BuildSettings, Preparation, text};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Part, Property, Specification};
use heapwright_solver::{Deadline, EmbeddedSolver, SmtSolver};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
";

/// A list whose values stay between 10 and 20: the shape of FMCAD'18's running example.
const RUNNING: &str = "
int main(void) {
    struct node *list = malloc(sizeof *list), *tail = list, *p; int unused = 0;
    list->next = 0; list->value = 10;
    while (__VERIFIER_nondet_int()) {
        int x = __VERIFIER_nondet_int(); unused += x;
        if (x < 10 || x > 20) continue;
        p = malloc(sizeof *p);
        p->next = 0; p->value = x; tail->next = p; tail = p;
    }
    while (1)
        for (p = list; p; p = p->next) {
            if (p->value < 10 || p->value > 20) reach_error();
            if (p->value < 20) p->value++; else p->value /= 2;
        }
}";

fn task(property: Property, body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let settings = Settings::new(DataModel::Lp64);
    let program = load(&[source], &settings).expect("the program is correct").program;
    Task { program, specification: Specification::of_property(property), malloc_may_fail: false }
}

fn formula(property: Property, body: &str, copies: u32) -> Formula {
    let task = task(property, body);
    let settings = BuildSettings { copies, ..BuildSettings::default() };
    Preparation::of(&task, Calls::Inlined { depth: 1 })
        .expect("the program can be inlined")
        .formula(&task, settings)
}

/// Whether an obligation of this part can fail from some state at the loops' heads.
fn can_fail(part: Part, body: &str) -> bool {
    let property = match part {
        Part::UnreachCall => Property::UnreachCall,
        _ => Property::ValidMemsafety,
    };
    let mut formula = formula(property, body, 1);
    let mut solver = EmbeddedSolver::new();
    for &constraint in &formula.constraints {
        solver.assert(&formula.terms, constraint);
    }
    let obligations: Vec<Obligation> = formula.obligations.clone();
    let mut asked = obligations.iter().filter(|it| it.part == Some(part));
    asked.any(|obligation| {
        let fails = formula.terms.not(obligation.condition);
        let question = [obligation.guard, fails];
        solver.check(&formula.terms, &question, &Deadline::never()).is_sat()
    })
}

#[test]
fn the_running_example_has_one_object_for_each_site() {
    let task = task(Property::UnreachCall, RUNNING);
    let formula = formula(Property::UnreachCall, RUNNING, 1);
    let text = text::display(&formula, &task.program);
    let objects: Vec<&str> = text.lines().filter(|line| line.starts_with("object")).collect();
    assert_eq!(
        objects,
        [
            "object0 dynamic_object$0: one block {value@0:i32, next@8:ptr}",
            "object1 dynamic_object$1: all blocks {value@0:i32, next@8:ptr}",
        ]
    );
    assert!(text.contains("unreach-call at test.c"), "{text}");
}

#[test]
fn loops_list_what_they_change_and_something_depends_on() {
    let formula = formula(Property::UnreachCall, RUNNING, 1);
    let changed: Vec<Vec<&str>> = formula
        .loops
        .iter()
        .map(|cut| cut.variables.iter().map(|variable| variable.name.as_str()).collect())
        .collect();
    let (value, next) = ("dynamic_object$0.value@0:i32", "dynamic_object$0.next@8:ptr");
    let (values, nexts) = ("dynamic_object$1.value@0:i32", "dynamic_object$1.next@8:ptr");
    assert_eq!(
        changed,
        [vec!["tail", value, next, values, nexts], vec![value, values], vec!["p", value, values],]
    );
    assert_eq!(formula.loops.iter().filter(|cut| cut.parent.is_some()).count(), 1);
}

#[test]
fn an_unwound_loop_has_its_rounds_between_head_and_back_edge() {
    let body = "int main(void) { int i = 0; while (i < 3) i++; if (i != 3) reach_error(); }";
    let formula = formula(Property::UnreachCall, body, 4);
    let [cut] = &formula.loops.iter().collect::<Vec<_>>()[..] else { panic!("one loop") };
    assert_eq!((cut.copies, cut.between_guards.len()), (4, 3));
    assert!(cut.variables.iter().all(|variable| variable.between.len() == 3));
}

#[test]
fn rounds_of_a_constant_loop_fold_away_from_the_start() {
    let body = "int main(void) { int i = 0; while (i < 3) i++; if (i != 3) reach_error(); }";
    let task = task(Property::UnreachCall, body);
    let preparation =
        Preparation::of(&task, Calls::Inlined { depth: 1 }).expect("the program can be inlined");
    let settings = BuildSettings { copies: 9, ..BuildSettings::default() };
    let formula = preparation.formula_from_start(&task, settings);
    assert!(formula.obligations.is_empty(), "{:?}", formula.obligations);
}

const BUILD: &str = "
static struct node *build(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head; fresh->value = 7; head = fresh;
    }
    return head;
}
";

#[test]
fn a_write_changes_one_block_of_a_summary() {
    let walk = |condition: &str| {
        format!(
            "{BUILD} int main(void) {{
                struct node *p = build(); if (!p) return 0;
                struct node *q = p->next; if (!q || {condition}) return 0;
                int old = q->value; p->value = old + 1;
                if (q->value != old) reach_error();
            }}"
        )
    };
    assert!(!can_fail(Part::UnreachCall, &walk("p == q")));
    // Without an invariant the list may be a circle of one.
    assert!(can_fail(Part::UnreachCall, &walk("0")));
}

#[test]
fn what_is_written_through_a_pointer_is_read_through_it() {
    let read = |value: &str| {
        format!(
            "{BUILD} int main(void) {{
                struct node *p = build(); if (!p) return 0;
                p->value = 5; if (p->value != {value}) reach_error();
            }}"
        )
    };
    assert!(!can_fail(Part::UnreachCall, &read("5")));
    assert!(can_fail(Part::UnreachCall, &read("6")));
}

#[test]
fn a_new_block_is_none_that_a_pointer_knows_of() {
    let body = "int main(void) {
        struct node *head = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            if (head) {
                head->value = 1; fresh->value = 2;
                if (head->value != 1) reach_error();
            }
            fresh->next = head; head = fresh;
        }
    }";
    assert!(!can_fail(Part::UnreachCall, body));
}

#[test]
fn what_an_unknown_number_of_rounds_leaves_is_unknown() {
    let body = format!(
        "{BUILD} int main(void) {{ struct node *p = build(); if (p && p->value != 7) reach_error(); }}"
    );
    assert!(can_fail(Part::UnreachCall, &body), "nothing says so without an invariant");
}

#[test]
fn faults_are_obligations() {
    let fails = |body: &str| can_fail(Part::ValidDeref, body);
    assert!(fails("int main(void) { int *p = __VERIFIER_nondet_int() ? malloc(4) : 0; *p = 1; }"));
    assert!(fails(
        "int main(void) { int a[3]; int i = __VERIFIER_nondet_int(); if (i > 3 || i < 0) return 0; a[i] = 1; }"
    ));
    assert!(!fails(
        "int main(void) { int a[3]; int i = __VERIFIER_nondet_int(); if (i > 2 || i < 0) return 0; a[i] = 1; }"
    ));
    assert!(fails(
        "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); *p = 1; }"
    ));
    assert!(fails(
        "int main(void) { int *p = 0; { int x = 1; p = &x; if (__VERIFIER_nondet_int()) p = 0; } return p ? *p : 0; }"
    ));
    assert!(can_fail(
        Part::ValidFree,
        "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); free(p); }"
    ));
}

#[test]
fn a_pointer_to_an_earlier_round_s_block_dangles() {
    let body = "int main(void) {
        int *old = 0;
        for (int i = 0; i < 2; i++) { int x = i; if (old) *old = 1; old = &x; }
    }";
    assert!(can_fail(Part::ValidDeref, body));
}

#[test]
fn recursion_that_is_inlined_is_cut_at_some_depth() {
    let body = "static int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }";
    let task = task(Property::UnreachCall, body);
    let is_cut = |depth| {
        let preparation =
            Preparation::of(&task, Calls::Inlined { depth }).expect("a small program");
        assert!(preparation.is_cut());
        let formula = preparation.formula_from_start(&task, BuildSettings::default());
        formula.cut_runs.iter().any(|&guard| guard != heapwright_logic::TermId::FALSE)
    };
    assert!(is_cut(3));
    assert!(!is_cut(4), "the formula holds the whole recursion");
}
