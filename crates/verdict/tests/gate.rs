//! What the gate makes of proofs, by how hard they are tried.

use std::time::Duration;

use heapwright_engine::{
    CutId, CutPoint, Deadline, Evidence, Finding, Membership, Proof, Reason, Task,
};
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::Machine;
use heapwright_oracle::Effort;
use heapwright_program::{DataModel, Operation, SignedOverflow};
use heapwright_property::{Property, Specification};
use heapwright_verdict::{Conclusion, Scrutiny, Verdict, scrutinise};

fn task(text: &str) -> Task {
    let settings = Settings::new(DataModel::Lp64);
    let program = load(&[Source::new("test.c", text)], &settings).unwrap().program;
    Task { program, specification: Specification::everyday(), malloc_may_fail: false }
}

/// A proof that allows every state at the last branch of `main`, with what its check says.
#[derive(Debug)]
struct Anything(Result<(), Reason>);

impl Proof for Anything {
    fn check(&self, _task: &Task, _deadline: &Deadline) -> Result<(), Reason> {
        self.0.clone()
    }

    fn evidence(&self, task: &Task, _deadline: &Deadline) -> Box<dyn Evidence> {
        let function = task.program.function_named("main").unwrap();
        let edges = &task.program.functions[function].body.as_ref().unwrap().edges;
        let branch = edges
            .iter()
            .rfind(|edge| matches!(edge.operation, Operation::Assume { .. }))
            .expect("`main` branches");
        let name = "the last branch".to_owned();
        let location = branch.source;
        let cut = CutPoint { function, location, callers: None, over: Vec::new(), name };
        Box::new(Claims(vec![cut]))
    }

    fn summary(&self) -> String {
        String::new()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}

#[derive(Debug)]
struct Claims(Vec<CutPoint>);

impl Evidence for Claims {
    fn cut_points(&self) -> &[CutPoint] {
        &self.0
    }

    fn contains(&mut self, _cut: CutId, _machine: &Machine<'_>) -> Membership {
        Membership::In
    }
}

fn conclusion(task: &Task, effort: Effort) -> Conclusion {
    concluded(task, effort, Ok(()))
}

fn concluded(task: &Task, effort: Effort, check: Result<(), Reason>) -> Conclusion {
    let scrutiny = Scrutiny { effort, proof_time: Duration::ZERO };
    scrutinise(task, Finding::Proved(Box::new(Anything(check))), scrutiny, &Deadline::never())
}

#[test]
fn nothing_is_proved_of_overflow_where_the_program_does_not_tell_of_it() {
    let program = "extern int __VERIFIER_nondet_int(void);\n\
                   int main(void) { if (__VERIFIER_nondet_int()) return 1; return 0; }";
    let mut asked = task(program);
    asked.specification = Specification::of_property(Property::NoOverflow);
    for (signed_overflow, is_told) in [
        (SignedOverflow::Wraps, false),
        (SignedOverflow::Ends, false),
        (SignedOverflow::Fails, true),
    ] {
        asked.program.signed_overflow = signed_overflow;
        let verdict = conclusion(&asked, Effort::Default).verdict;
        assert_eq!(matches!(verdict, Verdict::Holds(_)), is_told, "{signed_overflow:?}");
    }
}

#[test]
fn a_thorough_check_asks_that_some_run_came_to_every_cut_point() {
    // No seed gives the one number that gets there.
    let rare = "int __VERIFIER_nondet_int(void);
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
            if ((a ^ 1437226410) != 305419896) return 0;
            while (b > 0) b--;
            return 0;
        }";
    let verdict = |effort| conclusion(&task(rare), effort).verdict;
    assert!(matches!(verdict(Effort::Default), Verdict::Holds(_)));
    let Verdict::Unknown(reasons) = verdict(Effort::Thorough) else { panic!("it is accepted") };
    assert!(reasons[0].text.contains("came to the last branch"), "{reasons:?}");
    let common = "int main(void) { int i = 0; while (i < 3) i++; return 0; }";
    let conclusion = conclusion(&task(common), Effort::Thorough);
    assert!(matches!(conclusion.verdict, Verdict::Holds(_)));
}

const WRONG: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); return 0; }";

#[test]
fn a_violation_that_refutes_a_proof_is_the_answer() {
    let conclusion = conclusion(&task(WRONG), Effort::Default);
    assert!(matches!(conclusion.verdict, Verdict::Violated(_)));
    assert!(conclusion.refutation.is_some_and(|refutation| refutation.is_violation));
}

#[test]
fn a_proof_that_its_check_refuses_is_run_all_the_same() {
    let refused = |text| concluded(&task(text), Effort::Default, Err(Reason::new("not inductive")));
    let conclusion = refused(WRONG);
    assert!(matches!(conclusion.verdict, Verdict::Violated(_)), "{:?}", conclusion.verdict);
    let right = "int main(void) { int i = 0; while (i < 3) i++; return 0; }";
    let Verdict::Unknown(reasons) = refused(right).verdict else { panic!("it is accepted") };
    assert_eq!(reasons[0].text, "a proof was found but not confirmed: not inductive");
}
