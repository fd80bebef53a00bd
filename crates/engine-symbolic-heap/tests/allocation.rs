//! The ways to find the cell of an access give the same answers; only the work differs.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_symbolic_heap::{Allocation, SymbolicHeapEngine};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_solver::SeparationSolver;
use heapwright_verdict::{Verdict, conclude};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
";

/// Aliases, fields, bytes of a cell, an index that is not known, a folded list; then faults.
const PROGRAMS: [(&str, &str); 9] = [
    (
        "holds",
        "int main(void) { struct node a, b; a.next = &b; b.next = &a; a.value = 1;
        struct node *p = a.next->next; p->value = 2; if (a.value != 2) reach_error(); return 0; }",
    ),
    (
        "holds",
        "int main(void) { int x = 0x01020304; char *byte = (char *)&x;
        if (byte[1] != 3) reach_error(); byte[2] = 7; if (x != 0x01070304) reach_error();
        return 0; }",
    ),
    (
        "holds",
        "int main(void) { int a[4] = {0, 1, 2, 3}; int i = __VERIFIER_nondet_int();
        if (i < 0 || i > 3) return 0; if (a[i] != i) reach_error(); return 0; }",
    ),
    (
        "holds",
        "int main(void) { struct node *head = 0;
        while (__VERIFIER_nondet_int()) { struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head; head = fresh; }
        while (head) { struct node *next = head->next; free(head); head = next; } return 0; }",
    ),
    (
        "valid-deref",
        "int main(void) { int *p = malloc(8); free(p); int *q = malloc(8); *q = 1; *p = 2;
        free(q); return 0; }",
    ),
    ("valid-deref", "int main(void) { int *p = malloc(8); int x = p[2]; free(p); return x; }"),
    (
        "valid-deref",
        "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) *p = 1;
        p = &x; } return 0; }",
    ),
    (
        "valid-deref",
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int();
        if (i < 0 || i > 4) return 0; a[i] = 1; return 0; }",
    ),
    (
        "valid-deref",
        "int main(void) { struct node a, *p = &a; p->next = 0; p->next->value = 1; return 0; }",
    ),
];

fn answer(body: &str, allocation: Allocation) -> (String, u64) {
    let settings = Settings::new(DataModel::Lp64);
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &settings).expect("the test program is correct C").program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let deadline = Deadline::after(Duration::from_secs(100));
    let mut engine = SymbolicHeapEngine::default();
    engine.settings.allocation = allocation;
    // Generous, for loaded machines.
    engine.settings.time = Duration::from_secs(90);
    let finding = engine.run(&task, &Run::alone(&deadline));
    let answer = match conclude(&task, finding, &deadline) {
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::Violated(violation) => violation.part().name().to_owned(),
        Verdict::Unknown(reasons) => format!("unknown: {reasons:?}"),
    };
    (answer, engine.settings.meter.checks())
}

fn check_way(allocation: Allocation) {
    for (expected, body) in PROGRAMS {
        let (answer, calls) = answer(body, allocation);
        assert_eq!(answer, expected, "{allocation:?}: {body}");
        assert!(calls > 0 || allocation == Allocation::Syntactic, "nobody was asked: {body}");
    }
}

#[test]
fn by_form_needs_no_solver_where_addresses_are_plain() {
    check_way(Allocation::Syntactic);
    assert_eq!(answer(PROGRAMS[0].1, Allocation::Syntactic).1, 0);
}

#[test]
fn equality_of_each_cell_gives_the_same_answers() {
    check_way(Allocation::Equality);
}

#[test]
fn a_model_gives_the_same_answers() {
    check_way(Allocation::Model);
}

#[test]
fn separation_logic_gives_the_same_answers() {
    if let Err(problem) = SeparationSolver::new().probe() {
        eprintln!("SKIPPED: separation logic needs cvc5: {problem}");
        return;
    }
    check_way(Allocation::SeparationLogic);
    check_way(Allocation::WholeHeap);
}

#[test]
fn the_whole_heap_is_one_question_an_access() {
    if let Err(problem) = SeparationSolver::new().probe() {
        eprintln!("SKIPPED: separation logic needs cvc5: {problem}");
        return;
    }
    let calls = |way| PROGRAMS.map(|(_, body)| answer(body, way).1).iter().sum::<u64>();
    assert!(calls(Allocation::WholeHeap) < calls(Allocation::SeparationLogic));
}
