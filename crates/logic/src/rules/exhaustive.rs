//! The proof of the rules: every node over small terms is built, and the result must have the
//! value of the unsimplified node under every assignment.

use crate::arena::Terms;
use crate::evaluate::{Scalar, apply};
use crate::term::{Operator, Predicate, Sort, Term, TermId};
use crate::value::BitVectorValue;

/// The terms under test with their value under each assignment of the variables.
struct Tables {
    terms: Terms,
    variables: Vec<TermId>,
    assignments: usize,
    /// By term: the value under each assignment.
    values: Vec<Vec<Scalar>>,
}

impl Tables {
    /// Two bit-vectors of `width` bits and two booleans.
    fn new(width: u32) -> Self {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(width)));
        let [p, q] = ["p", "q"].map(|name| terms.variable(name, Sort::Boolean));
        let assignments = 1 << (2 * width + 2);
        Self { terms, variables: vec![x, y, p, q], assignments, values: Vec::new() }
    }

    fn variable_value(&self, variable: TermId, assignment: usize) -> Scalar {
        let Sort::BitVector(width) = self.terms.sort(self.variables[0]) else { panic!("x") };
        let position = self.variables.iter().position(|&v| v == variable).expect("a variable");
        let bits = (assignment >> [2, 2 + width as usize, 0, 1][position]) as u128;
        match self.terms.sort(variable) {
            Sort::Boolean => Scalar::Boolean(bits & 1 == 1),
            _ => Scalar::BitVector(BitVectorValue::new(bits, width)),
        }
    }

    fn node_value(&self, node: Term, assignment: usize) -> Scalar {
        apply(&self.terms, node, |child| self.values[child.index()][assignment])
    }

    /// Tabulates the terms that do not have values yet.
    fn tabulate(&mut self) {
        for index in self.values.len()..self.terms.len() {
            let term = TermId(u32::try_from(index).expect("small"));
            let row = (0..self.assignments)
                .map(|assignment| match self.terms.node(term) {
                    Term::Variable(_) => self.variable_value(term, assignment),
                    node => self.node_value(node, assignment),
                })
                .collect();
            self.values.push(row);
        }
    }

    fn check(&mut self, node: Term) -> TermId {
        let result = self.terms.build(node);
        self.tabulate();
        for assignment in 0..self.assignments {
            assert_eq!(
                self.values[result.index()][assignment],
                self.node_value(node, assignment),
                "{node:?} over {:?} became {}",
                node.children()
                    .into_iter()
                    .map(|c| self.terms.display(c).to_string())
                    .collect::<Vec<_>>(),
                self.terms.display(result),
            );
        }
        assert_eq!(self.terms.build(node), result, "{node:?} built twice");
        result
    }

    fn leaves(&mut self, width: u32) -> Vec<TermId> {
        let mut leaves = self.variables.clone();
        leaves.extend([TermId::FALSE, TermId::TRUE]);
        leaves.extend((0..1 << width).map(|bits| self.terms.bit_vector(bits, width)));
        self.tabulate();
        leaves
    }

    /// Checks every node whose children are an old and a new term, a new and an old one, or one
    /// new term alone; gives the results.
    fn grow(&mut self, old: &[TermId], new: &[TermId]) -> Vec<TermId> {
        let mut results = Vec::new();
        for &a in new {
            for node in unary_nodes(&self.terms, a) {
                results.push(self.check(node));
            }
            for &b in old {
                for node in binary_nodes(&self.terms, a, b) {
                    results.push(self.check(node));
                }
                for node in binary_nodes(&self.terms, b, a) {
                    results.push(self.check(node));
                }
            }
        }
        results.sort_unstable();
        results.dedup();
        results
    }
}

fn unary_nodes(terms: &Terms, a: TermId) -> Vec<Term> {
    let Sort::BitVector(width) = terms.sort(a) else { return vec![Term::Not(a)] };
    let mut nodes = vec![
        Term::Complement(a),
        Term::ZeroExtend { term: a, width: width + 2 },
        Term::SignExtend { term: a, width: width + 2 },
    ];
    for low in 0..width {
        nodes.extend((low..width).map(|high| Term::Extract { term: a, high, low }));
    }
    nodes
}

fn binary_nodes(terms: &Terms, a: TermId, b: TermId) -> Vec<Term> {
    match (terms.sort(a), terms.sort(b)) {
        (Sort::Boolean, Sort::Boolean) => vec![Term::And(a, b), Term::Equal(a, b)],
        (Sort::BitVector(left), Sort::BitVector(right)) => {
            let mut nodes = Vec::new();
            if left + right <= 6 {
                nodes.push(Term::Concat(a, b));
            }
            if left == right {
                nodes.push(Term::Equal(a, b));
                nodes.extend(Operator::ALL.map(|operator| Term::Binary(operator, a, b)));
                nodes.extend(Predicate::ALL.map(|predicate| Term::Relation(predicate, a, b)));
            }
            nodes
        }
        _ => Vec::new(),
    }
}

/// A small deterministic generator (xorshift): samples where full enumeration is too much.
struct Random(u64);

impl Random {
    fn pick(&mut self, from: &[TermId]) -> TermId {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from[usize::try_from(self.0 >> 33).expect("31 bits") % from.len()]
    }
}

#[test]
fn every_node_of_depth_two_keeps_its_meaning_at_two_bits() {
    let mut tables = Tables::new(2);
    let leaves = tables.leaves(2);
    let depth_one = tables.grow(&leaves, &leaves);
    tables.grow(&leaves, &depth_one);
}

#[test]
fn every_node_of_depth_one_keeps_its_meaning_at_one_three_and_four_bits() {
    for width in [1, 3, 4] {
        let mut tables = Tables::new(width);
        let leaves = tables.leaves(width);
        tables.grow(&leaves, &leaves);
    }
}

#[test]
fn sampled_nodes_of_depth_two_and_three_keep_their_meaning() {
    for (width, samples) in [(1, 20_000), (3, 16_000), (4, 2_000)] {
        let mut tables = Tables::new(width);
        let leaves = tables.leaves(width);
        let mut pool = tables.grow(&leaves, &leaves);
        pool.extend(leaves);
        let mut random = Random(u64::from(width) + 1);
        let mut deeper = pool.clone();
        for round in 0..samples {
            let source = if round % 2 == 0 { &pool } else { &deeper };
            let (a, b) = (random.pick(source), random.pick(source));
            for node in
                binary_nodes(&tables.terms, a, b).into_iter().chain(unary_nodes(&tables.terms, a))
            {
                let result = tables.check(node);
                if deeper.len() < 5_000 {
                    deeper.push(result);
                }
            }
        }
    }
}

#[test]
fn sampled_choices_keep_their_meaning() {
    for width in [1, 2, 3] {
        let mut tables = Tables::new(width);
        let leaves = tables.leaves(width);
        let mut pool = tables.grow(&leaves, &leaves);
        pool.extend(leaves);
        let mut random = Random(7);
        let is_boolean = |tables: &Tables, term| tables.terms.sort(term) == Sort::Boolean;
        let mut conditions: Vec<_> =
            pool.iter().copied().filter(|&term| is_boolean(&tables, term)).collect();
        for _ in 0..30_000 {
            let (c, a, b) = (random.pick(&conditions), random.pick(&pool), random.pick(&pool));
            if tables.terms.sort(a) != tables.terms.sort(b) || tables.terms.len() > 40_000 {
                continue;
            }
            let choice = tables.check(Term::IfThenElse(c, a, b));
            pool.push(choice);
            let other = random.pick(&pool);
            for node in binary_nodes(&tables.terms, choice, other) {
                let result = tables.check(node);
                if is_boolean(&tables, result) {
                    conditions.push(result);
                }
            }
        }
    }
}

#[test]
fn overflow_predicates_agree_with_exact_arithmetic() {
    for width in [1, 3, 4] {
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            check_overflows(BitVectorValue::new(a, width), BitVectorValue::new(b, width));
        }
    }
}

fn check_overflows(a: BitVectorValue, b: BitVectorValue) {
    let mut terms = Terms::new();
    let width = a.width();
    let (x, y) = (terms.constant(a), terms.constant(b));
    let leaves_signed =
        |exact: i128| BitVectorValue::from_signed(exact, width).to_signed() != exact;
    let leaves_unsigned = |exact: i128| !(0..1 << width).contains(&exact);
    let (s, t) = (a.to_signed(), b.to_signed());
    let (u, v) = (a.bits().cast_signed(), b.bits().cast_signed());
    let results = [
        (terms.signed_add_overflows(x, y), leaves_signed(s + t)),
        (terms.signed_subtract_overflows(x, y), leaves_signed(s - t)),
        (terms.signed_multiply_overflows(x, y), leaves_signed(s * t)),
        (terms.signed_divide_overflows(x, y), t != 0 && leaves_signed(s / t.max(-t) * t.signum())),
        (terms.negate_overflows(x), leaves_signed(-s)),
        (terms.unsigned_add_overflows(x, y), leaves_unsigned(u + v)),
        (terms.unsigned_subtract_overflows(x, y), leaves_unsigned(u - v)),
        (terms.unsigned_multiply_overflows(x, y), leaves_unsigned(u * v)),
    ];
    for (position, (result, expected)) in results.into_iter().enumerate() {
        assert_eq!(result, terms.boolean(expected), "predicate {position} of {a:?} and {b:?}");
    }
}
