//! Every operator at every kind of width, against direct evaluation.

mod common;

use common::Random;
use heapwright_logic::{
    BitVectorValue, Model, Operator, Predicate, Sort, Term, TermId, Terms, Value,
};
use heapwright_solver::{Deadline, EmbeddedSolver, SmtSolver};

const WIDTHS: [u32; 9] = [1, 2, 7, 8, 16, 32, 33, 64, 128];

fn edge_values(width: u32) -> Vec<BitVectorValue> {
    let minimum = BitVectorValue::signed_minimum(width);
    let bits = [0, 1, 2, 3, 7, u128::from(width), u128::from(width) - 1, u128::MAX];
    let mut values: Vec<_> = bits.map(|bits| BitVectorValue::new(bits, width)).into();
    values.extend([minimum, minimum.complement(), minimum.add(BitVectorValue::one(width))]);
    values.sort_unstable();
    values.dedup();
    values
}

fn sample_pairs(width: u32, random: &mut Random) -> Vec<(BitVectorValue, BitVectorValue)> {
    let edges = edge_values(width);
    let mut pairs: Vec<_> = (0..25).map(|_| (random.pick(&edges), random.pick(&edges))).collect();
    for _ in 0..10 {
        let (a, b) = (random.bits(), random.bits() >> random.below(128));
        pairs.push((BitVectorValue::new(a, width), BitVectorValue::new(b, width)));
    }
    pairs
}

/// Fixing the inputs must leave exactly the evaluated output.
fn check_term(terms: &mut Terms, term: TermId, inputs: [TermId; 2], random: &mut Random) {
    let width = terms.width(inputs[0]);
    let mut solver = EmbeddedSolver::new();
    for (a, b) in sample_pairs(width, random) {
        let model: Model = inputs.into_iter().zip([a, b].map(Value::BitVector)).collect();
        let output = match model.evaluate(terms, term) {
            Value::Boolean(value) => terms.boolean(value),
            Value::BitVector(value) => terms.constant(value),
            Value::Array(array) => panic!("{array}"),
        };
        let [a, b] = [a, b].map(|value| terms.constant(value));
        let (is_a, is_b) = (terms.equal(inputs[0], a), terms.equal(inputs[1], b));
        let is_output = terms.equal(term, output);
        let is_not_output = terms.not(is_output);
        let unlimited = Deadline::never();
        let can = solver.check(terms, &[is_a, is_b, is_output], &unlimited);
        let cannot = solver.check(terms, &[is_a, is_b, is_not_output], &unlimited);
        assert!(
            can.is_sat() && cannot.is_unsat(),
            "{} at {} and {}",
            terms.display(term),
            terms.display(a),
            terms.display(b)
        );
    }
}

fn inputs(terms: &mut Terms, width: u32) -> [TermId; 2] {
    ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(width)))
}

fn check_nodes(width: u32, nodes: impl Fn(TermId, TermId) -> Vec<Term>) {
    let mut random = Random(u64::from(width) + 17);
    let mut terms = Terms::new();
    let [x, y] = inputs(&mut terms, width);
    for node in nodes(x, y) {
        let term = terms.build(node);
        check_term(&mut terms, term, [x, y], &mut random);
    }
}

fn is_division(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::UnsignedDivide
            | Operator::UnsignedRemainder
            | Operator::SignedDivide
            | Operator::SignedRemainder
    )
}

#[test]
fn operators_agree_with_evaluation() {
    for width in WIDTHS {
        check_nodes(width, |x, y| {
            let operators = Operator::ALL.into_iter().filter(|&operator| !is_division(operator));
            operators.map(|operator| Term::Binary(operator, x, y)).collect()
        });
    }
}

#[test]
fn divisions_agree_with_evaluation() {
    for width in WIDTHS {
        check_nodes(width, |x, y| {
            let operators = Operator::ALL.into_iter().filter(|&operator| is_division(operator));
            operators.map(|operator| Term::Binary(operator, x, y)).collect()
        });
    }
}

#[test]
fn relations_agree_with_evaluation() {
    for width in WIDTHS {
        check_nodes(width, |x, y| {
            let mut nodes: Vec<_> =
                Predicate::ALL.map(|predicate| Term::Relation(predicate, x, y)).into();
            nodes.push(Term::Equal(x, y));
            nodes
        });
    }
}

#[test]
fn slices_agree_with_evaluation() {
    for width in WIDTHS {
        check_nodes(width, |x, y| {
            let mut nodes = vec![Term::Complement(x)];
            let middle = width / 2;
            nodes.push(Term::Extract { term: x, high: width - 1, low: middle });
            nodes.push(Term::Extract { term: y, high: middle, low: middle });
            if width < 128 {
                nodes.push(Term::ZeroExtend { term: x, width: width + 1 });
                nodes.push(Term::SignExtend { term: x, width: 128 });
            }
            if width <= 64 {
                nodes.push(Term::Concat(x, y));
            }
            nodes
        });
    }
}

#[test]
fn operations_with_constants_agree_with_evaluation() {
    for width in [1, 2, 7, 8, 32, 64] {
        let mut random = Random(u64::from(width) + 99);
        let mut terms = Terms::new();
        let [x, y] = inputs(&mut terms, width);
        for value in edge_values(width) {
            let constant = terms.constant(value);
            for operator in Operator::ALL {
                let term = terms.binary(operator, x, constant);
                check_term(&mut terms, term, [x, y], &mut random);
            }
        }
    }
}

#[test]
fn overflow_predicates_agree_with_evaluation() {
    for width in [1, 8, 33] {
        let mut random = Random(5);
        let mut terms = Terms::new();
        let [x, y] = inputs(&mut terms, width);
        let predicates = [
            terms.signed_add_overflows(x, y),
            terms.signed_subtract_overflows(x, y),
            terms.unsigned_add_overflows(x, y),
            terms.signed_divide_overflows(x, y),
        ];
        for predicate in predicates {
            check_term(&mut terms, predicate, [x, y], &mut random);
        }
    }
}
