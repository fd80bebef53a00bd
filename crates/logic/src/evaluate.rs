//! Evaluation: what a term is worth under a model.
//! Arrays are never built for it: a read walks down the stores below it until one matches.

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::model::{ArrayValue, Model, Value};
use crate::term::{Operator, Predicate, Sort, Term, TermId};
use crate::value::BitVectorValue;
use crate::walk::reachable_unless;

/// Evaluates many terms under one model, each shared part once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    known: FxHashMap<TermId, Scalar>,
}

/// A value that is not an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Boolean(bool),
    BitVector(BitVectorValue),
}

impl Scalar {
    fn boolean(self) -> bool {
        match self {
            Self::Boolean(value) => value,
            Self::BitVector(value) => panic!("{value:?} is not a boolean"),
        }
    }

    fn bit_vector(self) -> BitVectorValue {
        match self {
            Self::BitVector(value) => value,
            Self::Boolean(value) => panic!("{value} is not a bit-vector"),
        }
    }
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model) -> Self {
        Self { terms, model, known: FxHashMap::default() }
    }

    pub fn evaluate(&mut self, term: TermId) -> Value {
        self.evaluate_parts(term);
        match self.terms.sort(term) {
            Sort::Array { .. } => Value::Array(self.array(term)),
            Sort::Boolean => Value::Boolean(self.known[&term].boolean()),
            Sort::BitVector(_) => Value::BitVector(self.known[&term].bit_vector()),
        }
    }

    /// The value of a boolean term.
    pub fn boolean(&mut self, term: TermId) -> bool {
        self.evaluate(term).as_boolean()
    }

    /// The value of a bit-vector term.
    pub fn bit_vector(&mut self, term: TermId) -> BitVectorValue {
        self.evaluate(term).as_bit_vector()
    }

    /// Fills `known` for every scalar below `root`, children first.
    fn evaluate_parts(&mut self, root: TermId) {
        let parts = reachable_unless(self.terms, &[root], |term| self.known.contains_key(&term));
        for part in parts {
            if let Some(value) = self.scalar(part) {
                self.known.insert(part, value);
            }
        }
    }

    fn scalar(&self, term: TermId) -> Option<Scalar> {
        let sort = self.terms.sort(term);
        if matches!(sort, Sort::Array { .. }) {
            return None;
        }
        let value = match self.terms.node(term) {
            Term::Variable(_) => self.variable(term, sort),
            Term::Select(array, index) => {
                Scalar::BitVector(self.select(array, self.known[&index].bit_vector()))
            }
            node => apply(self.terms, node, |child| self.known[&child]),
        };
        Some(value)
    }

    fn variable(&self, variable: TermId, sort: Sort) -> Scalar {
        let value = self.model.get(variable).cloned().unwrap_or_else(|| Value::default_of(sort));
        assert_eq!(value.sort(), sort, "value of {}", self.terms.display(variable));
        match value {
            Value::Boolean(value) => Scalar::Boolean(value),
            Value::BitVector(value) => Scalar::BitVector(value),
            Value::Array(_) => panic!("{} is an array", self.terms.display(variable)),
        }
    }

    fn select(&self, array: TermId, index: BitVectorValue) -> BitVectorValue {
        let mut current = array;
        // Ends because each round goes to a child.
        loop {
            match self.terms.node(current) {
                Term::Store(_, at, element) if self.known[&at].bit_vector() == index => {
                    return self.known[&element].bit_vector();
                }
                Term::Store(base, _, _) => current = base,
                Term::IfThenElse(condition, then, otherwise) => {
                    let is_then = self.known[&condition].boolean();
                    current = if is_then { then } else { otherwise };
                }
                Term::ConstantArray { element, .. } => return self.known[&element].bit_vector(),
                Term::Variable(_) => return self.select_variable(current, index),
                node => panic!("{node:?} is no array"),
            }
        }
    }

    fn select_variable(&self, array: TermId, index: BitVectorValue) -> BitVectorValue {
        match self.model.get(array) {
            Some(Value::Array(value)) => value.select(index),
            Some(value) => panic!("{value:?} for array {}", self.terms.display(array)),
            None => BitVectorValue::zero(self.terms.array_widths(array).1),
        }
    }

    fn array_variable(&self, variable: TermId) -> ArrayValue {
        match self.model.get(variable) {
            Some(Value::Array(array)) => array.clone(),
            Some(value) => panic!("{value:?} for array {}", self.terms.display(variable)),
            None => {
                let (index, element) = self.terms.array_widths(variable);
                ArrayValue::new(index, BitVectorValue::zero(element))
            }
        }
    }

    fn array(&self, array: TermId) -> ArrayValue {
        let mut stores = Vec::new();
        let mut current = array;
        // Ends because each round goes to a child.
        let mut value = loop {
            match self.terms.node(current) {
                Term::Store(base, index, element) => {
                    stores.push((index, element));
                    current = base;
                }
                Term::IfThenElse(condition, then, otherwise) => {
                    let is_then = self.known[&condition].boolean();
                    current = if is_then { then } else { otherwise };
                }
                Term::ConstantArray { element, index } => {
                    break ArrayValue::new(index, self.known[&element].bit_vector());
                }
                Term::Variable(_) => break self.array_variable(current),
                node => panic!("{node:?} is no array"),
            }
        };
        for (index, element) in stores.into_iter().rev() {
            value.store(self.known[&index].bit_vector(), self.known[&element].bit_vector());
        }
        value
    }
}

/// The meaning of one scalar node, given the values of its children.
pub(crate) fn apply(terms: &Terms, node: Term, value: impl Fn(TermId) -> Scalar) -> Scalar {
    let boolean = |child| value(child).boolean();
    let bits = |child| value(child).bit_vector();
    match node {
        Term::Boolean(truth) => Scalar::Boolean(truth),
        Term::BitVector(constant) => Scalar::BitVector(terms.constant_value(constant)),
        Term::Not(a) => Scalar::Boolean(!boolean(a)),
        Term::And(a, b) => Scalar::Boolean(boolean(a) && boolean(b)),
        Term::Equal(a, b) => Scalar::Boolean(value(a) == value(b)),
        Term::Relation(predicate, a, b) => {
            Scalar::Boolean(apply_predicate(predicate, bits(a), bits(b)))
        }
        Term::IfThenElse(condition, a, b) => value(if boolean(condition) { a } else { b }),
        Term::Complement(a) => Scalar::BitVector(bits(a).complement()),
        Term::Binary(operator, a, b) => {
            Scalar::BitVector(apply_operator(operator, bits(a), bits(b)))
        }
        Term::Concat(high, low) => Scalar::BitVector(bits(high).concat(bits(low))),
        Term::Extract { term, high, low } => Scalar::BitVector(bits(term).extract(high, low)),
        Term::ZeroExtend { term, width } => Scalar::BitVector(bits(term).zero_extend(width)),
        Term::SignExtend { term, width } => Scalar::BitVector(bits(term).sign_extend(width)),
        Term::Variable(_) | Term::Select(..) | Term::Store(..) | Term::ConstantArray { .. } => {
            panic!("{node:?} has no value of its own")
        }
    }
}

fn apply_predicate(predicate: Predicate, a: BitVectorValue, b: BitVectorValue) -> bool {
    match predicate {
        Predicate::UnsignedLess => a.bits() < b.bits(),
        Predicate::SignedLess => a.to_signed() < b.to_signed(),
        Predicate::UnsignedMultiplyOverflows => a.unsigned_multiply_overflows(b),
        Predicate::SignedMultiplyOverflows => a.signed_multiply_overflows(b),
    }
}

fn apply_operator(operator: Operator, a: BitVectorValue, b: BitVectorValue) -> BitVectorValue {
    match operator {
        Operator::Add => a.add(b),
        Operator::Subtract => a.subtract(b),
        Operator::Multiply => a.multiply(b),
        Operator::UnsignedDivide => a.unsigned_divide(b),
        Operator::UnsignedRemainder => a.unsigned_remainder(b),
        Operator::SignedDivide => a.signed_divide(b),
        Operator::SignedRemainder => a.signed_remainder(b),
        Operator::And => a.and(b),
        Operator::Or => a.or(b),
        Operator::Xor => a.xor(b),
        Operator::ShiftLeft => a.shift_left(b),
        Operator::LogicalShiftRight => a.logical_shift_right(b),
        Operator::ArithmeticShiftRight => a.arithmetic_shift_right(b),
    }
}
