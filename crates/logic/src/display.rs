//! Terms as text for people: infix, with the operators that normalisation took away put back.
//! A shared part is printed where it occurs, so a term can be far larger as text than as a graph;
//! after a while, parts are shown by their number only, unless the full text is asked for. The full
//! text can be read back ([`crate::parse`]): a constant has its width at it where nothing around
//! tells it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use crate::arena::Terms;
use crate::term::{Operator, Predicate, Term, TermId};
use crate::value::BitVectorValue;

/// How many nodes are written out before the rest is abbreviated.
const NODES_SHOWN: usize = 400;

/// How deep operands are looked into for their width. A width that is not found is written.
const DEPTH_OF_LOOK: u32 = 6;

/// Displays one term; made by `Terms::display`.
#[derive(Debug)]
pub struct TermDisplay<'a> {
    terms: &'a Terms,
    term: TermId,
    /// Other names for some variables.
    names: Option<&'a BTreeMap<TermId, String>>,
    nodes: usize,
    nodes_left: Cell<usize>,
}

impl Terms {
    pub fn display(&self, term: TermId) -> TermDisplay<'_> {
        let nodes = NODES_SHOWN;
        TermDisplay { terms: self, term, names: None, nodes, nodes_left: Cell::new(nodes) }
    }

    /// The whole text of a term, with other names for some variables.
    pub fn display_in_full<'a>(
        &'a self,
        term: TermId,
        names: &'a BTreeMap<TermId, String>,
    ) -> TermDisplay<'a> {
        let nodes = usize::MAX;
        TermDisplay { terms: self, term, names: Some(names), nodes, nodes_left: Cell::new(nodes) }
    }
}

/// Whether what stands around a term tells its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    Told,
    Open,
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.nodes_left.set(self.nodes);
        self.write(f, self.term, Width::Told)
    }
}

impl TermDisplay<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, term: TermId, width: Width) -> fmt::Result {
        if self.nodes_left.get() == 0 {
            return write!(f, "#{}", term.index());
        }
        self.nodes_left.set(self.nodes_left.get() - 1);
        match self.terms.node(term) {
            Term::Boolean(value) => write!(f, "{value}"),
            Term::BitVector(constant) => {
                write_constant(f, self.terms.constant_value(constant), width)
            }
            Term::Variable(symbol) => match self.names.and_then(|names| names.get(&term)) {
                Some(name) => write!(f, "{name}"),
                None => write!(f, "{}", self.terms.name(symbol)),
            },
            Term::Not(inner) => self.write_negation(f, inner),
            Term::And(a, b) => self.write_conjunction(f, a, b),
            Term::Equal(a, b) => self.infix(f, (a, "==", b), Width::Open),
            Term::Relation(predicate, a, b) => self.write_relation(f, predicate, a, b),
            Term::IfThenElse(condition, a, b) => {
                let width = self.width_of_operands(a, b, width);
                self.operand(f, condition, Width::Told)?;
                write!(f, " ? ")?;
                self.operand(f, a, width)?;
                write!(f, " : ")?;
                self.operand(f, b, width)
            }
            Term::Complement(a) => self.prefix(f, "~", a, width),
            Term::Binary(operator, a, b) => self.write_binary(f, operator, (a, b), width),
            Term::Concat(high, low) => {
                self.operand(f, high, Width::Open)?;
                write!(f, " :: ")?;
                self.operand(f, low, Width::Open)
            }
            Term::Extract { term, high, low } => {
                self.operand(f, term, Width::Open)?;
                write!(f, "[{high}:{low}]")
            }
            Term::ZeroExtend { term, width } => self.call(f, &format!("zext{width}"), &[term]),
            Term::SignExtend { term, width } => self.call(f, &format!("sext{width}"), &[term]),
            Term::Select(array, index) => {
                self.operand(f, array, Width::Open)?;
                write!(f, "[")?;
                self.write(f, index, Width::Told)?;
                write!(f, "]")
            }
            Term::Store(array, index, element) => self.call(f, "store", &[array, index, element]),
            Term::ConstantArray { element, index } => {
                self.call(f, &format!("everywhere{index}"), &[element])
            }
        }
    }

    fn write_negation(&self, f: &mut fmt::Formatter<'_>, inner: TermId) -> fmt::Result {
        match self.terms.node(inner) {
            Term::Equal(a, b) => self.infix(f, (a, "!=", b), Width::Open),
            Term::Relation(Predicate::UnsignedLess, a, b) => {
                self.infix(f, (b, "<=u", a), Width::Open)
            }
            Term::Relation(Predicate::SignedLess, a, b) => {
                self.infix(f, (b, "<=s", a), Width::Open)
            }
            Term::And(a, b) => {
                self.negated_operand(f, a)?;
                write!(f, " || ")?;
                self.negated_operand(f, b)
            }
            _ => self.prefix(f, "!", inner, Width::Told),
        }
    }

    fn negated_operand(&self, f: &mut fmt::Formatter<'_>, term: TermId) -> fmt::Result {
        match self.terms.node(term) {
            Term::Not(inner) => self.operand(f, inner, Width::Told),
            Term::Equal(..) | Term::Relation(..) | Term::And(..) => {
                write!(f, "(")?;
                self.write_negation(f, term)?;
                write!(f, ")")
            }
            _ => self.prefix(f, "!", term, Width::Told),
        }
    }

    /// A chain of conjunctions needs no parentheses if it was made from the left.
    fn write_conjunction(&self, f: &mut fmt::Formatter<'_>, a: TermId, b: TermId) -> fmt::Result {
        if matches!(self.terms.node(a), Term::And(..)) {
            self.write(f, a, Width::Told)?;
        } else {
            self.operand(f, a, Width::Told)?;
        }
        write!(f, " && ")?;
        self.operand(f, b, Width::Told)
    }

    fn write_relation(
        &self,
        f: &mut fmt::Formatter<'_>,
        predicate: Predicate,
        a: TermId,
        b: TermId,
    ) -> fmt::Result {
        match predicate {
            Predicate::UnsignedLess => self.infix(f, (a, "<u", b), Width::Open),
            Predicate::SignedLess => self.infix(f, (a, "<s", b), Width::Open),
            Predicate::UnsignedMultiplyOverflows => self.call(f, "overflows_u*", &[a, b]),
            Predicate::SignedMultiplyOverflows => self.call(f, "overflows_s*", &[a, b]),
        }
    }

    fn write_binary(
        &self,
        f: &mut fmt::Formatter<'_>,
        operator: Operator,
        (a, b): (TermId, TermId),
        width: Width,
    ) -> fmt::Result {
        let is_zero = self.terms.as_constant(a).is_some_and(BitVectorValue::is_zero);
        if operator == Operator::Subtract && is_zero {
            return self.prefix(f, "-", b, width);
        }
        self.infix(f, (a, sign(operator), b), width)
    }

    fn infix(
        &self,
        f: &mut fmt::Formatter<'_>,
        (a, operator, b): (TermId, &str, TermId),
        width: Width,
    ) -> fmt::Result {
        let width = self.width_of_operands(a, b, width);
        self.operand(f, a, width)?;
        write!(f, " {operator} ")?;
        self.operand(f, b, width)
    }

    fn prefix(
        &self,
        f: &mut fmt::Formatter<'_>,
        operator: &str,
        a: TermId,
        width: Width,
    ) -> fmt::Result {
        write!(f, "{operator}")?;
        self.operand(f, a, width)
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
            self.write(f, argument, Width::Open)?;
        }
        write!(f, ")")
    }

    fn operand(&self, f: &mut fmt::Formatter<'_>, term: TermId, width: Width) -> fmt::Result {
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
            return self.write(f, term, width);
        }
        write!(f, "(")?;
        self.write(f, term, width)?;
        write!(f, ")")
    }

    /// Two operands of one sort: each tells the width of the other.
    fn width_of_operands(&self, a: TermId, b: TermId, around: Width) -> Width {
        let is_told = around == Width::Told
            || self.tells_width(a, DEPTH_OF_LOOK)
            || self.tells_width(b, DEPTH_OF_LOOK);
        if is_told { Width::Told } else { Width::Open }
    }

    /// Whether the text of a term tells its width without any at the constants.
    fn tells_width(&self, term: TermId, depth: u32) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return false };
        match self.terms.node(term) {
            Term::BitVector(_) => false,
            Term::Binary(Operator::Subtract, a, b)
                if self.terms.as_constant(a).is_some_and(BitVectorValue::is_zero) =>
            {
                self.tells_width(b, deeper)
            }
            Term::Binary(_, a, b) | Term::IfThenElse(_, a, b) => {
                self.tells_width(a, deeper) || self.tells_width(b, deeper)
            }
            Term::Complement(a) => self.tells_width(a, deeper),
            _ => true,
        }
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
fn write_constant(f: &mut fmt::Formatter<'_>, value: BitVectorValue, width: Width) -> fmt::Result {
    let signed = value.to_signed();
    if value.width() >= 16 && (-4096..0).contains(&signed) {
        write!(f, "{signed}")?;
    } else {
        write!(f, "{value}")?;
    }
    match width {
        Width::Told => Ok(()),
        Width::Open => write!(f, "u{}", value.width()),
    }
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
