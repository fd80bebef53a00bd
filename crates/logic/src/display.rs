//! Terms as text for people: infix, with the operators that normalisation took away put back.
//! A shared part is printed where it occurs, so a term can be far larger as text than as a graph;
//! after a while, parts are shown by their number only.

use std::cell::Cell;
use std::fmt;

use crate::arena::Terms;
use crate::term::{Operator, Predicate, Term, TermId};
use crate::value::BitVectorValue;

/// How many nodes are written out before the rest is abbreviated.
const NODES_SHOWN: usize = 400;

/// Displays one term; made by `Terms::display`.
#[derive(Debug)]
pub struct TermDisplay<'a> {
    terms: &'a Terms,
    term: TermId,
    nodes_left: Cell<usize>,
}

impl Terms {
    pub fn display(&self, term: TermId) -> TermDisplay<'_> {
        TermDisplay { terms: self, term, nodes_left: Cell::new(NODES_SHOWN) }
    }
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.nodes_left.set(NODES_SHOWN);
        self.write(f, self.term)
    }
}

impl TermDisplay<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, term: TermId) -> fmt::Result {
        if self.nodes_left.get() == 0 {
            return write!(f, "#{}", term.index());
        }
        self.nodes_left.set(self.nodes_left.get() - 1);
        match self.terms.node(term) {
            Term::Boolean(value) => write!(f, "{value}"),
            Term::BitVector(constant) => write_constant(f, self.terms.constant_value(constant)),
            Term::Variable(symbol) => write!(f, "{}", self.terms.name(symbol)),
            Term::Not(inner) => self.write_negation(f, inner),
            Term::And(a, b) => self.write_conjunction(f, a, b),
            Term::Equal(a, b) => self.infix(f, a, "==", b),
            Term::Relation(predicate, a, b) => self.write_relation(f, predicate, a, b),
            Term::IfThenElse(condition, a, b) => {
                self.infix(f, condition, "?", a)?;
                write!(f, " : ")?;
                self.operand(f, b)
            }
            Term::Complement(a) => self.prefix(f, "~", a),
            Term::Binary(operator, a, b) => self.write_binary(f, operator, a, b),
            Term::Concat(high, low) => self.infix(f, high, "::", low),
            Term::Extract { term, high, low } => {
                self.operand(f, term)?;
                write!(f, "[{high}:{low}]")
            }
            Term::ZeroExtend { term, width } => self.call(f, &format!("zext{width}"), &[term]),
            Term::SignExtend { term, width } => self.call(f, &format!("sext{width}"), &[term]),
            Term::Select(array, index) => {
                self.operand(f, array)?;
                write!(f, "[")?;
                self.write(f, index)?;
                write!(f, "]")
            }
            Term::Store(array, index, element) => self.call(f, "store", &[array, index, element]),
            Term::ConstantArray { element, .. } => self.call(f, "everywhere", &[element]),
        }
    }

    fn write_negation(&self, f: &mut fmt::Formatter<'_>, inner: TermId) -> fmt::Result {
        match self.terms.node(inner) {
            Term::Equal(a, b) => self.infix(f, a, "!=", b),
            Term::Relation(Predicate::UnsignedLess, a, b) => self.infix(f, b, "<=u", a),
            Term::Relation(Predicate::SignedLess, a, b) => self.infix(f, b, "<=s", a),
            Term::And(a, b) => {
                self.negated_operand(f, a)?;
                write!(f, " || ")?;
                self.negated_operand(f, b)
            }
            _ => self.prefix(f, "!", inner),
        }
    }

    fn negated_operand(&self, f: &mut fmt::Formatter<'_>, term: TermId) -> fmt::Result {
        match self.terms.node(term) {
            Term::Not(inner) => self.operand(f, inner),
            Term::Equal(..) | Term::Relation(..) | Term::And(..) => {
                write!(f, "(")?;
                self.write_negation(f, term)?;
                write!(f, ")")
            }
            _ => self.prefix(f, "!", term),
        }
    }

    /// A chain of conjunctions needs no parentheses.
    fn write_conjunction(&self, f: &mut fmt::Formatter<'_>, a: TermId, b: TermId) -> fmt::Result {
        let is_chain = |term| matches!(self.terms.node(term), Term::And(..));
        for (separator, operand) in [("", a), (" && ", b)] {
            write!(f, "{separator}")?;
            if is_chain(operand) {
                self.write(f, operand)?;
            } else {
                self.operand(f, operand)?;
            }
        }
        Ok(())
    }

    fn write_relation(
        &self,
        f: &mut fmt::Formatter<'_>,
        predicate: Predicate,
        a: TermId,
        b: TermId,
    ) -> fmt::Result {
        match predicate {
            Predicate::UnsignedLess => self.infix(f, a, "<u", b),
            Predicate::SignedLess => self.infix(f, a, "<s", b),
            Predicate::UnsignedMultiplyOverflows => self.call(f, "overflows_u*", &[a, b]),
            Predicate::SignedMultiplyOverflows => self.call(f, "overflows_s*", &[a, b]),
        }
    }

    fn write_binary(
        &self,
        f: &mut fmt::Formatter<'_>,
        operator: Operator,
        a: TermId,
        b: TermId,
    ) -> fmt::Result {
        let is_zero = self.terms.as_constant(a).is_some_and(BitVectorValue::is_zero);
        if operator == Operator::Subtract && is_zero {
            return self.prefix(f, "-", b);
        }
        self.infix(f, a, sign(operator), b)
    }

    fn infix(
        &self,
        f: &mut fmt::Formatter<'_>,
        a: TermId,
        operator: &str,
        b: TermId,
    ) -> fmt::Result {
        self.operand(f, a)?;
        write!(f, " {operator} ")?;
        self.operand(f, b)
    }

    fn prefix(&self, f: &mut fmt::Formatter<'_>, operator: &str, a: TermId) -> fmt::Result {
        write!(f, "{operator}")?;
        self.operand(f, a)
    }

    fn call(
        &self,
        f: &mut fmt::Formatter<'_>,
        function: &str,
        arguments: &[TermId],
    ) -> fmt::Result {
        write!(f, "{function}(")?;
        for (position, &argument) in arguments.iter().enumerate() {
            write!(f, "{}", if position == 0 { "" } else { ", " })?;
            self.write(f, argument)?;
        }
        write!(f, ")")
    }

    fn operand(&self, f: &mut fmt::Formatter<'_>, term: TermId) -> fmt::Result {
        let is_atomic = matches!(
            self.terms.node(term),
            Term::Boolean(_)
                | Term::BitVector(_)
                | Term::Variable(_)
                | Term::Extract { .. }
                | Term::ZeroExtend { .. }
                | Term::SignExtend { .. }
                | Term::Select(..)
                | Term::Store(..)
                | Term::ConstantArray { .. }
        );
        if is_atomic || self.nodes_left.get() == 0 {
            return self.write(f, term);
        }
        write!(f, "(")?;
        self.write(f, term)?;
        write!(f, ")")
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::UnsignedDivide => "/u",
        Operator::UnsignedRemainder => "%u",
        Operator::SignedDivide => "/s",
        Operator::SignedRemainder => "%s",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
        Operator::ShiftLeft => "<<",
        Operator::LogicalShiftRight => ">>u",
        Operator::ArithmeticShiftRight => ">>s",
    }
}

/// Small negative numbers as such: `x + -1` is what the program said, not `x + 4294967295`.
fn write_constant(f: &mut fmt::Formatter<'_>, value: BitVectorValue) -> fmt::Result {
    let signed = value.to_signed();
    if value.width() >= 16 && (-4096..0).contains(&signed) {
        return write!(f, "{signed}");
    }
    write!(f, "{value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn normalised_operators_read_as_they_were_written() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(32)));
        let one = terms.bit_vector(1, 32);
        let before = terms.subtract(x, one);
        let negated = terms.negate(y);
        let first = terms.signed_less_equal(before, negated);
        let second = terms.not_equal(x, y);
        let either = terms.or(first, second);
        assert_eq!(terms.display(first).to_string(), "(x + -1) <=s (-y)");
        assert_eq!(terms.display(either).to_string(), "((x + -1) <=s (-y)) || (x != y)");
    }

    #[test]
    fn a_term_with_much_sharing_is_abbreviated() {
        let mut terms = Terms::new();
        let mut term = terms.variable("x", Sort::BitVector(32));
        for _ in 0..100 {
            term = terms.multiply(term, term);
        }
        assert!(terms.display(term).to_string().len() < 10_000);
    }
}
