//! The question to the solver: can any of the ways in which the certificate may be wrong come true?

use std::time::Duration;

use heapwright_logic::{Evaluator, TermId};
use heapwright_program::{Place, Program};
use heapwright_property::{Part, Specification};
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver};

use crate::claims::{Certificate, Method};
use crate::walk::{Checker, Failure, Question};

/// What the check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All that the certificate must show follows from what it may assume.
    Confirmed,
    /// Something does not, and nothing was left out that could be why.
    Refused { reason: String, place: Option<Place> },
    /// It does not follow, or not in time; but the check does not know all of the program.
    Unclear { reason: String },
}

/// How far the check goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Edges that are walked.
    pub steps: usize,
    /// Of the solver, for each of its two questions.
    pub conflicts: u32,
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000, conflicts: 200_000, time: None }
    }
}

/// Checks a certificate.
#[must_use]
pub fn check(
    program: &Program,
    specification: &Specification,
    malloc_may_fail: bool,
    certificate: &Certificate,
    limits: Limits,
) -> Answer {
    if let Some(reason) = not_asked(program, specification, certificate) {
        return Answer::Unclear { reason };
    }
    let question = Question { program, specification, malloc_may_fail, certificate };
    let mut checker = Checker::new(question, limits.steps);
    checker.run();
    if let Some(reason) = checker.trouble.take() {
        return Answer::Unclear { reason };
    }
    ask(checker, limits)
}

/// Parts of the specification that the check says nothing about.
fn not_asked(
    program: &Program,
    specification: &Specification,
    certificate: &Certificate,
) -> Option<String> {
    if let Some(part) = specification.excused.first() {
        return Some(format!("executions that end at a violation of {part}"));
    }
    for &part in &specification.parts {
        match part {
            Part::UnreachCall
            | Part::ValidDeref
            | Part::ValidFree
            | Part::ValidMemcleanup
            | Part::NoOverflow => {}
            Part::ValidMemtrack => {
                if certificate.method == Method::Inductive && allocates(program) {
                    return Some("lost blocks in a program that may not end".to_owned());
                }
            }
            Part::Termination => {
                return Some(format!("{part} is not checked"));
            }
        }
    }
    None
}

fn allocates(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut edges = bodies.flat_map(|body| &body.edges);
    edges.any(|edge| matches!(edge.operation, heapwright_program::Operation::Allocate { .. }))
}

fn ask(mut checker: Checker<'_>, limits: Limits) -> Answer {
    let terms: Vec<TermId> = checker.failures.iter().map(|failure| failure.term).collect();
    let any = checker.terms.any(&terms);
    if any == TermId::FALSE {
        return Answer::Confirmed;
    }
    let deadline = match limits.time {
        Some(time) => Deadline::after(time),
        None => Deadline::never(),
    };
    let deadline = deadline.with_conflicts(limits.conflicts);
    let mut solver = BackEnd::Embedded.solver();
    for &constraint in &checker.constraints {
        solver.assert(&checker.terms, constraint);
    }
    let model = match solver.check(&checker.terms, &[any], &deadline) {
        CheckResult::Unsat(_) => return Answer::Confirmed,
        CheckResult::Unknown(limit) => return Answer::Unclear { reason: limit.to_string() },
        CheckResult::Sat(model) => model,
    };
    let doubts: Vec<TermId> = checker.doubts.keys().map(|&(doubt, _)| doubt).collect();
    let is_doubtful = checker.terms.any(&doubts);
    let is_clear = checker.terms.not(is_doubtful);
    if let CheckResult::Sat(model) = solver.check(&checker.terms, &[any, is_clear], &deadline) {
        let mut evaluator = Evaluator::new(&checker.terms, &model);
        let failing = failing(&checker.failures, &mut evaluator);
        let reason = format!("it is not shown that never {}", failing.text);
        return Answer::Refused { reason, place: failing.place };
    }
    let mut evaluator = Evaluator::new(&checker.terms, &model);
    let text = failing(&checker.failures, &mut evaluator).text.clone();
    let why = checker.doubts.keys().find(|&&(doubt, _)| evaluator.boolean(doubt));
    let why = why.map_or("a limit was reached", |&(_, why)| why);
    Answer::Unclear { reason: format!("{why} ({text})") }
}

fn failing<'f>(failures: &'f [Failure], evaluator: &mut Evaluator<'_>) -> &'f Failure {
    let fails = |failure: &&Failure| evaluator.boolean(failure.term);
    failures.iter().find(fails).expect("the model makes one of them true")
}
