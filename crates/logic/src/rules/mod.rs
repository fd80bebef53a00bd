//! Simplification on construction: each public constructor of `Terms` applies its rules first.
//! A rule either answers with a smaller or more regular term, or leaves the node as it is; every
//! rule is checked against evaluation by `exhaustive.rs`.

mod arithmetic;
mod array;
mod bits;
mod boolean;
mod choice;
mod compare;
mod divide;
mod equality;
#[cfg(test)]
mod exhaustive;
mod overflow;
mod slice;

use crate::arena::Terms;
use crate::evaluate::{Scalar, apply};
use crate::term::{Operator, Predicate, Term, TermId};

impl Terms {
    /// The simplified term with the meaning of `node`.
    pub fn build(&mut self, node: Term) -> TermId {
        match node {
            Term::Boolean(_) | Term::BitVector(_) | Term::Variable(_) => self.existing(node),
            Term::Not(a) => self.not(a),
            Term::And(a, b) => self.and(a, b),
            Term::Equal(a, b) => self.equal(a, b),
            Term::Relation(predicate, a, b) => self.relation(predicate, a, b),
            Term::IfThenElse(condition, a, b) => self.if_then_else(condition, a, b),
            Term::Complement(a) => self.complement(a),
            Term::Binary(operator, a, b) => self.binary(operator, a, b),
            Term::Concat(high, low) => self.concat(high, low),
            Term::Extract { term, high, low } => self.extract(term, high, low),
            Term::ZeroExtend { term, width } => self.zero_extend(term, width),
            Term::SignExtend { term, width } => self.sign_extend(term, width),
            Term::Select(array, index) => self.select(array, index),
            Term::Store(array, index, element) => self.store(array, index, element),
            Term::ConstantArray { element, index } => self.constant_array(element, index),
        }
    }

    pub fn binary(&mut self, operator: Operator, a: TermId, b: TermId) -> TermId {
        match operator {
            Operator::Add => self.add(a, b),
            Operator::Subtract => self.subtract(a, b),
            Operator::Multiply => self.multiply(a, b),
            Operator::UnsignedDivide => self.unsigned_divide(a, b),
            Operator::UnsignedRemainder => self.unsigned_remainder(a, b),
            Operator::SignedDivide => self.signed_divide(a, b),
            Operator::SignedRemainder => self.signed_remainder(a, b),
            Operator::And => self.bit_and(a, b),
            Operator::Or => self.bit_or(a, b),
            Operator::Xor => self.bit_xor(a, b),
            Operator::ShiftLeft => self.shift_left(a, b),
            Operator::LogicalShiftRight => self.logical_shift_right(a, b),
            Operator::ArithmeticShiftRight => self.arithmetic_shift_right(a, b),
        }
    }

    pub fn relation(&mut self, predicate: Predicate, a: TermId, b: TermId) -> TermId {
        match predicate {
            Predicate::UnsignedLess => self.unsigned_less(a, b),
            Predicate::SignedLess => self.signed_less(a, b),
            Predicate::UnsignedMultiplyOverflows => self.unsigned_multiply_overflows(a, b),
            Predicate::SignedMultiplyOverflows => self.signed_multiply_overflows(a, b),
        }
    }

    /// The constant that `node` is, or the choice between two constants, if its children are
    /// constants except for one choice between constants. C makes many of these: the `int` of a
    /// comparison is `c ? 1 : 0`, compared with zero again by the branch.
    fn fold(&mut self, node: Term) -> Option<TermId> {
        let mut choice = None;
        for child in node.children() {
            if self.is_constant(child) || choice == Some(child) {
                continue;
            }
            if choice.is_some() || !self.is_choice_of_constants(child) {
                return None;
            }
            choice = Some(child);
        }
        let Some(choice) = choice else { return Some(self.fold_constants(node)) };
        let Term::IfThenElse(condition, then, otherwise) = self.node(choice) else {
            panic!("{} is no choice", self.display(choice))
        };
        let place = |arm| move |child| if child == choice { arm } else { child };
        let then = self.fold_constants(node.map_children(place(then)));
        let otherwise = self.fold_constants(node.map_children(place(otherwise)));
        Some(self.if_then_else(condition, then, otherwise))
    }

    fn is_choice_of_constants(&self, term: TermId) -> bool {
        match self.node(term) {
            Term::IfThenElse(_, a, b) => self.is_constant(a) && self.is_constant(b),
            _ => false,
        }
    }

    fn fold_constants(&mut self, node: Term) -> TermId {
        let result = apply(self, node, |child| match self.node(child) {
            Term::Boolean(value) => Scalar::Boolean(value),
            Term::BitVector(constant) => Scalar::BitVector(self.constant_value(constant)),
            other => panic!("{other:?} is no constant"),
        });
        match result {
            Scalar::Boolean(value) => self.boolean(value),
            Scalar::BitVector(value) => self.constant(value),
        }
    }

    fn make_binary(&mut self, operator: Operator, a: TermId, b: TermId) -> TermId {
        self.make(Term::Binary(operator, a, b))
    }

    /// The operands of a commutative operation: a constant last, else by id.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let is_swapped = match (self.is_constant(a), self.is_constant(b)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => b < a,
        };
        if is_swapped { (b, a) } else { (a, b) }
    }

    /// The operands of `term`, if it is this operation.
    fn operands(&self, operator: Operator, term: TermId) -> Option<(TermId, TermId)> {
        match self.node(term) {
            Term::Binary(found, a, b) if found == operator => Some((a, b)),
            _ => None,
        }
    }
}
