//! Limits: a solver stops when it is told to, and is usable afterwards.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use heapwright_logic::{Sort, TermId, Terms};
use heapwright_solver::{
    CheckResult, Deadline, EmbeddedSolver, ExternalCommand, ExternalError, ExternalSolver,
    LimitReached, SmtSolver,
};

/// That multiplication distributes over addition is far too hard for bit-blasting at 32 bits.
fn hard_formula(terms: &mut Terms) -> TermId {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, Sort::BitVector(32)));
    let sum = terms.add(y, z);
    let product = terms.multiply(x, sum);
    let (left, right) = (terms.multiply(x, y), terms.multiply(x, z));
    let expanded = terms.add(left, right);
    terms.not_equal(product, expanded)
}

/// Factors of the product of two primes of 61 and 62 bits: other solvers rewrite the law above.
fn harder_formula(terms: &mut Terms) -> TermId {
    let factors = ["f", "g"].map(|name| terms.variable(name, Sort::BitVector(64)));
    let [f, g] = factors.map(|factor| terms.zero_extend(factor, 128));
    let product = terms.multiply(f, g);
    let primes = ((1u128 << 61) - 1) * ((1u128 << 62) - 57);
    let primes = terms.bit_vector(primes, 128);
    let one = terms.bit_vector(1, 64);
    let [is_proper, is_also_proper] = factors.map(|factor| terms.unsigned_less(one, factor));
    let is_product = terms.equal(product, primes);
    terms.all(&[is_product, is_proper, is_also_proper])
}

/// Generous, for loaded machines; the point is that the answer would take hours.
const SOON: Duration = Duration::from_secs(5);

fn check_stops(result: &CheckResult, expected: LimitReached, start: Instant) {
    assert_eq!(*result, CheckResult::Unknown(expected));
    assert!(start.elapsed() < SOON, "took {:?}", start.elapsed());
}

fn check_usable(solver: &mut impl SmtSolver, terms: &mut Terms) {
    let p = terms.variable("p", Sort::Boolean);
    let not_p = terms.not(p);
    assert!(solver.check(terms, &[p], &Deadline::never()).is_sat());
    assert!(solver.check(terms, &[p, not_p], &Deadline::never()).is_unsat());
}

#[test]
fn the_embedded_solver_stops_at_its_time_limit() {
    let mut terms = Terms::new();
    let hard = hard_formula(&mut terms);
    let mut solver = EmbeddedSolver::new();
    let start = Instant::now();
    let deadline = Deadline::after(Duration::from_millis(300));
    check_stops(&solver.check(&terms, &[hard], &deadline), LimitReached::Time, start);
    check_usable(&mut solver, &mut terms);
}

#[test]
fn the_embedded_solver_stops_after_its_conflicts() {
    let mut terms = Terms::new();
    let hard = hard_formula(&mut terms);
    let mut solver = EmbeddedSolver::new();
    let start = Instant::now();
    let deadline = Deadline::never().with_conflicts(200);
    check_stops(&solver.check(&terms, &[hard], &deadline), LimitReached::Conflicts, start);
    check_usable(&mut solver, &mut terms);
}

#[test]
fn the_embedded_solver_stops_when_another_thread_cancels() {
    let mut terms = Terms::new();
    let hard = hard_formula(&mut terms);
    let mut solver = EmbeddedSolver::new();
    let deadline = Deadline::never();
    let cancellation = deadline.clone();
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        cancellation.cancel();
        Instant::now()
    });
    let result = solver.check(&terms, &[hard], &deadline);
    let end = Instant::now();
    let cancelled_at = canceller.join().unwrap();
    assert_eq!(result, CheckResult::Unknown(LimitReached::Cancelled));
    assert!(end - cancelled_at < Duration::from_secs(2), "took {:?}", end - cancelled_at);
    check_usable(&mut solver, &mut terms);
}

#[test]
fn a_past_deadline_stops_even_an_easy_check() {
    let mut terms = Terms::new();
    let p = terms.variable("p", Sort::Boolean);
    let result = EmbeddedSolver::new().check(&terms, &[p], &Deadline::after(Duration::ZERO));
    assert_eq!(result, CheckResult::Unknown(LimitReached::Time));
}

#[test]
fn external_solvers_are_ended_at_the_time_limit_and_started_again() {
    for (_, mut solver) in common::external_solvers() {
        let mut terms = Terms::new();
        let hard = harder_formula(&mut terms);
        let start = Instant::now();
        let deadline = Deadline::after(Duration::from_millis(300));
        solver.scoped(|solver| {
            solver.assert(&terms, hard);
            check_stops(&solver.check(&terms, &[], &deadline), LimitReached::Time, start);
        });
        check_usable(&mut solver, &mut terms);
    }
}

#[test]
fn a_missing_command_is_an_error_value() {
    let error = ExternalSolver::start(ExternalCommand::new("no-such-solver", &[])).unwrap_err();
    assert!(matches!(error, ExternalError::CannotStart { .. }), "{error}");
    assert!(error.to_string().contains("no-such-solver"));
}

#[test]
fn a_command_that_answers_rubbish_is_an_error_value() {
    let mut terms = Terms::new();
    let p = terms.variable("p", Sort::Boolean);
    // One repeats the commands, one ends at once, one says what no solver says.
    let commands = [("cat", &[][..]), ("false", &[]), ("echo", &["perhaps"]), ("echo", &["sat"])];
    for (program, arguments) in commands {
        let command = ExternalCommand::new(program, arguments);
        let Ok(mut solver) = ExternalSolver::start(command) else { continue };
        for _ in 0..2 {
            let result = solver.check(&terms, &[p], &Deadline::after(Duration::from_secs(10)));
            let is_failure = matches!(result, CheckResult::Unknown(LimitReached::Failed(_)));
            assert!(is_failure, "{program}: {result:?}");
        }
    }
}
