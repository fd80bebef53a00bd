//! Random formulas: the embedded solver against exhaustive evaluation, and against other solvers.

mod common;

use common::{Random, World, check_answer, external_solvers};
use heapwright_logic::{ArrayValue, BitVectorValue, Model, Sort, TermId, Terms, Value, script};
use heapwright_solver::{CheckResult, Deadline, EmbeddedSolver, SmtSolver};

/// All values of a sort, arrays included.
fn values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Boolean => [false, true].map(Value::Boolean).into(),
        Sort::BitVector(width) => {
            (0..1 << width).map(|bits| Value::BitVector(BitVectorValue::new(bits, width))).collect()
        }
        Sort::Array { index, element } => {
            let places = 1 << index;
            (0..1u128 << (places * element))
                .map(|bits| {
                    let mut array = ArrayValue::new(index, BitVectorValue::zero(element));
                    for place in 0..places {
                        let value = BitVectorValue::new(bits >> (place * element), element);
                        array.store(BitVectorValue::new(place.into(), index), value);
                    }
                    Value::Array(array)
                })
                .collect()
        }
    }
}

fn all_models(terms: &Terms, variables: &[TermId]) -> Vec<Model> {
    variables.iter().fold(vec![Model::new()], |models, &variable| {
        let extend = |model: Model| {
            values(terms.sort(variable)).into_iter().map(move |value| {
                let mut model = model.clone();
                model.set(variable, value);
                model
            })
        };
        models.into_iter().flat_map(extend).collect()
    })
}

fn is_satisfiable(terms: &Terms, models: &[Model], formulas: &[TermId]) -> bool {
    models.iter().any(|model| {
        let mut evaluator = heapwright_logic::Evaluator::new(terms, model);
        formulas.iter().all(|&formula| evaluator.boolean(formula))
    })
}

fn check_against_enumeration(width: u32, has_arrays: bool, rounds: u64) {
    let mut answers = [0; 2];
    for seed in 1..=rounds {
        let mut random = Random(seed * 7919);
        let mut world = World::new(width, has_arrays);
        let models = all_models(&world.terms, &world.variables);
        let mut solver = EmbeddedSolver::new();
        for _ in 0..3 {
            let candidates = world.grow(&mut random, 20);
            let asserted = vec![random.pick(&candidates)];
            let assumptions: Vec<_> = (0..3).map(|_| random.pick(&candidates)).collect();
            let result = solver.scoped(|solver| {
                asserted.iter().for_each(|&formula| solver.assert(&world.terms, formula));
                check_answer(solver, &world.terms, &asserted, &assumptions)
            });
            let expected = is_satisfiable(&world.terms, &models, &[asserted, assumptions].concat());
            assert_eq!(result.is_sat(), expected, "width {width}, seed {seed}");
            answers[usize::from(expected)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 0), "one-sided: {answers:?}");
}

#[test]
fn agrees_with_enumeration_on_words() {
    for width in [1, 2, 3] {
        check_against_enumeration(width, false, 150);
    }
}

#[test]
fn agrees_with_enumeration_on_arrays() {
    check_against_enumeration(1, true, 200);
    check_against_enumeration(2, true, 15);
}

#[test]
fn agrees_with_external_solvers() {
    for (command, mut external) in external_solvers() {
        for seed in 1..=25 {
            let mut random = Random(seed * 104_729);
            let width = random.pick(&[3, 8, 13]);
            let mut world = World::new(width, seed % 2 == 0);
            let mut embedded = EmbeddedSolver::new();
            // Terms are not those of the last round, so neither is the process.
            let mut fresh = heapwright_solver::ExternalSolver::start(command.clone()).unwrap();
            std::mem::swap(&mut external, &mut fresh);
            for _ in 0..3 {
                let candidates = world.grow(&mut random, 12);
                let asserted = vec![random.pick(&candidates)];
                let assumptions: Vec<_> = (0..3).map(|_| random.pick(&candidates)).collect();
                let text = script(&world.terms, &[asserted.as_slice(), &assumptions].concat());
                let answers = [
                    ask_in_scope(&mut embedded, &world.terms, &asserted, &assumptions),
                    ask_in_scope(&mut external, &world.terms, &asserted, &assumptions),
                ];
                assert_eq!(answers[0].is_sat(), answers[1].is_sat(), "{command}\n{text}");
            }
        }
    }
}

fn ask_in_scope(
    solver: &mut impl SmtSolver,
    terms: &Terms,
    asserted: &[TermId],
    assumptions: &[TermId],
) -> CheckResult {
    solver.scoped(|solver| {
        asserted.iter().for_each(|&formula| solver.assert(terms, formula));
        check_answer(solver, terms, asserted, assumptions)
    })
}

#[test]
fn a_popped_assertion_no_longer_counts() {
    let mut terms = Terms::new();
    let p = terms.variable("p", Sort::Boolean);
    let not_p = terms.not(p);
    let mut solver = EmbeddedSolver::new();
    let unlimited = Deadline::never();
    solver.assert(&terms, p);
    solver.scoped(|solver| {
        solver.assert(&terms, not_p);
        assert!(solver.check(&terms, &[], &unlimited).is_unsat());
        solver.scoped(|solver| assert!(solver.check(&terms, &[], &unlimited).is_unsat()));
    });
    assert!(solver.check(&terms, &[], &unlimited).is_sat());
    assert!(solver.check(&terms, &[not_p], &unlimited).is_unsat());
}

#[test]
fn the_same_questions_give_the_same_models() {
    let ask = || {
        let mut world = World::new(16, true);
        let candidates = world.grow(&mut Random(3), 60);
        let mut solver = EmbeddedSolver::new();
        let answers: Vec<_> = candidates
            .iter()
            .map(|&formula| solver.check(&world.terms, &[formula], &Deadline::never()))
            .collect();
        (answers, solver.statistics().clauses)
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_constantly_false_assumption_is_its_own_core() {
    let mut terms = Terms::new();
    let p = terms.variable("p", Sort::Boolean);
    let mut solver = EmbeddedSolver::new();
    let result = solver.check(&terms, &[p, TermId::FALSE], &Deadline::never());
    let CheckResult::Unsat(core) = result else { panic!("{result:?}") };
    assert_eq!(core.assumptions, [TermId::FALSE]);
}

#[test]
fn long_chains_of_writes_and_choices_need_no_deep_stack() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let mut array = terms.variable("memory", sort);
    let mut sum = terms.variable("sum", Sort::BitVector(8));
    let mut path = TermId::TRUE;
    for step in 0..20_000 {
        let index = terms.bit_vector(step, 32);
        array = terms.store(array, index, sum);
        let byte = terms.variable(&format!("byte{}", step % 7), Sort::BitVector(8));
        sum = terms.bit_xor(sum, byte);
        let is_small = terms.unsigned_less(sum, byte);
        path = terms.and(path, is_small);
    }
    let address = terms.variable("address", Sort::BitVector(32));
    let is_low = {
        let bound = terms.bit_vector(100, 32);
        terms.unsigned_less(address, bound)
    };
    let read = terms.select(array, address);
    let zero = terms.bit_vector(0, 8);
    let is_zero = terms.equal(read, zero);
    let text = script(&terms, &[path, is_zero]);
    assert!(text.len() > 20_000);
    let mut solver = EmbeddedSolver::new();
    solver.assert(&terms, is_low);
    let result = solver.check(&terms, &[is_zero], &Deadline::never());
    let CheckResult::Sat(model) = result else { panic!("{result:?}") };
    common::check_model(&terms, &model, &[is_low, is_zero]);
}
