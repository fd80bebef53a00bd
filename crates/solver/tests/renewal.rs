//! The embedded solver forgets circuits that nobody asks about, and nothing else.

use heapwright_logic::{Operator, Sort, TermId, Terms};
use heapwright_solver::{CheckResult, Deadline, EmbeddedSolver, SmtSolver};

/// A formula of some thousand gates that has not been seen before.
fn large_formula(terms: &mut Terms) -> TermId {
    let [a, b] = ["a", "b"].map(|name| terms.fresh_variable(name, Sort::BitVector(32)));
    let product = terms.binary(Operator::Multiply, a, b);
    let constant = terms.bit_vector(12, 32);
    terms.equal(product, constant)
}

#[test]
fn assertions_of_open_scopes_outlive_the_circuit() {
    let mut terms = Terms::new();
    let mut solver = EmbeddedSolver::new();
    let [p, q, array] = [
        ("p", Sort::Boolean),
        ("q", Sort::Boolean),
        ("array", Sort::Array { index: 8, element: 8 }),
    ]
    .map(|(name, sort)| terms.variable(name, sort));
    let [i, j] = ["i", "j"].map(|name| terms.variable(name, Sort::BitVector(8)));
    let [at_i, at_j] = [i, j].map(|index| terms.select(array, index));
    let [is_same_index, is_other_element] = [terms.equal(i, j), terms.not_equal(at_i, at_j)];
    let (not_p, not_q) = (terms.not(p), terms.not(q));
    let deadline = Deadline::never();
    solver.assert(&terms, p);
    solver.push();
    solver.assert(&terms, q);
    for _ in 0..6 {
        let large = large_formula(&mut terms);
        assert!(solver.check(&terms, &[large], &deadline).is_sat());
        assert!(solver.check(&terms, &[not_p], &deadline).is_unsat());
        assert!(solver.check(&terms, &[not_q], &deadline).is_unsat());
        let reads = [is_same_index, is_other_element];
        assert!(solver.check(&terms, &reads, &deadline).is_unsat());
        let CheckResult::Sat(model) = solver.check(&terms, &[is_other_element], &deadline) else {
            panic!("the elements may differ")
        };
        assert!([p, q, is_other_element].iter().all(|&term| model.satisfies(&terms, term)));
        // A scope that opens before the circuit is renewed and closes after that.
        solver.scoped(|solver| {
            solver.assert(&terms, is_same_index);
            let large = large_formula(&mut terms);
            assert!(solver.check(&terms, &[large], &deadline).is_sat());
            assert!(solver.check(&terms, &[is_other_element], &deadline).is_unsat());
        });
        assert!(solver.check(&terms, &[is_other_element], &deadline).is_sat());
    }
    assert!(solver.statistics().renewals > 1, "{:?}", solver.statistics());
    solver.pop();
    assert!(solver.check(&terms, &[not_q], &deadline).is_sat());
    assert!(solver.check(&terms, &[not_p], &deadline).is_unsat());
}
