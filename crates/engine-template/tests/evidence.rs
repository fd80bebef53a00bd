//! What proofs hand over to be run: branches that no execution takes, and executions for the others.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Evidence, Finding, Instance, Proof, Run, Task};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_interpreter::DrawnInput;
use heapwright_program::{DataModel, Operation, display_expression};
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { struct node *next; int value; };
";

fn proof(body: &str) -> (Task, Box<dyn Proof>) {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    let task = Task { program, specification, malloc_may_fail: false };
    let engine = TemplateEngine { settings: Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(60));
    match engine.run(&task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => (task, proof),
        other => panic!("not proved: {other:?}"),
    }
}

/// The conditions of dead branches, as they fail or hold.
fn dead(task: &Task, evidence: &dyn Evidence) -> Vec<String> {
    let text = |&(function, edge): &_| {
        let body = task.program.functions[function].body.as_ref().expect("it has branches");
        let Operation::Assume { condition, holds } = body.edges[edge].operation else {
            panic!("no branch is dead");
        };
        let not = if holds { "" } else { "not " };
        format!("{not}{}", display_expression(&task.program, condition))
    };
    evidence.dead_edges().iter().map(text).collect()
}

fn runs(evidence: &mut dyn Evidence) -> Vec<Vec<DrawnInput>> {
    let count = evidence.step_count();
    let run = |step| match evidence.instance(step) {
        Instance::Run { start: None, inputs, .. } => inputs,
        other => panic!("no run from the start: {other:?}"),
    };
    (0..count).map(run).collect()
}

#[test]
fn a_branch_that_excludes_itself_is_dead() {
    let (task, proof) = proof(
        "int main(void) {
            int x = __VERIFIER_nondet_int();
            if (x > 5) { if (x < 3) return 1; return 2; }
            return 0;
        }",
    );
    let evidence = proof.evidence(&task, &Deadline::never());
    assert_eq!(dead(&task, &*evidence), ["x < 3"]);
}

#[test]
fn every_other_branch_has_a_run() {
    let (task, proof) = proof(
        "int main(void) {
            int x = __VERIFIER_nondet_int();
            if (x == 987654321) return 1;
            return 0;
        }",
    );
    let mut evidence = proof.evidence(&task, &Deadline::never());
    let first: Vec<u128> = runs(&mut *evidence).iter().map(|run| run[0].bits).collect();
    assert_eq!(first.len(), 2);
    assert!(first.contains(&987_654_321), "{first:?}");
}

#[test]
fn a_branch_is_dead_by_an_invariant() {
    let (task, proof) = proof(
        "int main(void) {
            int i = 0;
            while (__VERIFIER_nondet_int()) { if (i < 10) i++; if (i > 10) i = 0; }
            if (i > 10) reach_error();
        }",
    );
    let evidence = proof.evidence(&task, &Deadline::never());
    assert_eq!(dead(&task, &*evidence), ["10 < i", "10 < i"]);
}

#[test]
fn functions_that_nobody_calls_have_dead_branches() {
    let (task, proof) = proof(
        "int f(int x) { if (x) return 1; return 0; }
        int main(void) { return 0; }",
    );
    let evidence = proof.evidence(&task, &Deadline::never());
    assert_eq!(dead(&task, &*evidence).len(), 2);
}

#[test]
fn a_proof_that_leaves_out_null_accesses_knows_dead_branches_too() {
    let (task, proof) = proof(
        "int main(void) {
            struct node *p = 0;
            if (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->value = 3; }
            int v = p->value;
            if (v != 3) reach_error();
        }",
    );
    assert_eq!(proof.assumptions().len(), 1);
    assert_eq!(dead(&task, &*proof.evidence(&task, &Deadline::never())), ["v != 3"]);
}
