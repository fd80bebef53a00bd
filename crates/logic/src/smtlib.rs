//! Terms as SMT-LIB 2: each compound term once, as a `define-fun`, so sharing is kept.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::arena::Terms;
use crate::term::{Operator, Predicate, Sort, Term, TermId};

/// A complete script that asks whether `assertions` hold together.
pub fn script(terms: &Terms, assertions: &[TermId]) -> String {
    let mut writer = SmtLibWriter::new();
    let mut text = String::from("(set-logic QF_ABV)\n");
    for &assertion in assertions {
        writer.define(terms, assertion, &mut text);
        text += &format!("(assert {})\n", writer.name(terms, assertion));
    }
    text + "(check-sat)\n"
}

/// Writes declarations and definitions, each once. The definitions must outlive `pop`, so
/// incremental users set `:global-declarations`.
#[derive(Clone, Debug, Default)]
pub struct SmtLibWriter {
    defined: FxHashSet<TermId>,
}

impl SmtLibWriter {
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends what `root` needs to be named.
    pub fn define(&mut self, terms: &Terms, root: TermId, text: &mut String) {
        for part in terms.reachable_unless(&[root], |term| self.defined.contains(&term)) {
            self.defined.insert(part);
            let (name, sort) = (self.name(terms, part), sort_text(terms.sort(part)));
            match terms.node(part) {
                Term::Boolean(_) | Term::BitVector(_) => {}
                Term::Variable(_) => *text += &format!("(declare-fun {name} () {sort})\n"),
                node => {
                    let body = self.body(terms, node, terms.sort(part));
                    *text += &format!("(define-fun {name} () {sort} {body})\n");
                }
            }
        }
    }

    /// How a script refers to `term`.
    pub fn name(&self, terms: &Terms, term: TermId) -> String {
        match terms.node(term) {
            Term::Boolean(value) => value.to_string(),
            Term::BitVector(constant) => {
                let value = terms.constant_value(constant);
                format!("(_ bv{} {})", value.bits(), value.width())
            }
            Term::Variable(symbol) => symbol_text(terms.name(symbol), term),
            _ => format!("${}", term.index()),
        }
    }

    fn body(&self, terms: &Terms, node: Term, sort: Sort) -> String {
        let function = match node {
            Term::Not(_) => "not".into(),
            Term::And(..) => "and".into(),
            Term::Equal(..) => "=".into(),
            Term::Relation(Predicate::UnsignedLess, ..) => "bvult".into(),
            Term::Relation(Predicate::SignedLess, ..) => "bvslt".into(),
            Term::Relation(Predicate::UnsignedMultiplyOverflows, a, b) => {
                return self.multiply_overflows(terms, "zero_extend", a, b);
            }
            Term::Relation(Predicate::SignedMultiplyOverflows, a, b) => {
                return self.multiply_overflows(terms, "sign_extend", a, b);
            }
            Term::IfThenElse(..) => "ite".into(),
            Term::Complement(_) => "bvnot".into(),
            Term::Binary(operator, ..) => operator_text(operator).into(),
            Term::Concat(..) => "concat".into(),
            Term::Extract { high, low, .. } => format!("(_ extract {high} {low})"),
            Term::ZeroExtend { term, width } => {
                format!("(_ zero_extend {})", width - terms.width(term))
            }
            Term::SignExtend { term, width } => {
                format!("(_ sign_extend {})", width - terms.width(term))
            }
            Term::Select(..) => "select".into(),
            Term::Store(..) => "store".into(),
            Term::ConstantArray { .. } => format!("(as const {})", sort_text(sort)),
            Term::Boolean(_) | Term::BitVector(_) | Term::Variable(_) => {
                panic!("{node:?} has no body")
            }
        };
        let mut text = format!("({function}");
        for child in node.children() {
            write!(text, " {}", self.name(terms, child)).expect("strings take all text");
        }
        text + ")"
    }

    /// In twice the width, where the product is exact. The predicates of SMT-LIB 2.7 are too new
    /// for the solvers that distributions carry.
    fn multiply_overflows(&self, terms: &Terms, extend: &str, a: TermId, b: TermId) -> String {
        let width = terms.width(a);
        let last = width - 1;
        let wide = |term| format!("((_ {extend} {width}) {})", self.name(terms, term));
        format!(
            "(let ((product (bvmul {} {}))) \
             (not (= product ((_ {extend} {width}) ((_ extract {last} 0) product)))))",
            wide(a),
            wide(b)
        )
    }
}

/// The id makes it unique, and unlike any word of SMT-LIB.
fn symbol_text(name: &str, term: TermId) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_!.".contains(c));
    if is_plain {
        return format!("{name}!{}", term.index());
    }
    let is_printable = |c: char| (c == ' ' || c.is_ascii_graphic()) && !"|\\".contains(c);
    let inner: String = name.chars().map(|c| if is_printable(c) { c } else { '_' }).collect();
    format!("|{inner}!{}|", term.index())
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "Bool".into(),
        Sort::BitVector(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) (_ BitVec {element}))")
        }
    }
}

fn operator_text(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "bvadd",
        Operator::Subtract => "bvsub",
        Operator::Multiply => "bvmul",
        Operator::UnsignedDivide => "bvudiv",
        Operator::UnsignedRemainder => "bvurem",
        Operator::SignedDivide => "bvsdiv",
        Operator::SignedRemainder => "bvsrem",
        Operator::And => "bvand",
        Operator::Or => "bvor",
        Operator::Xor => "bvxor",
        Operator::ShiftLeft => "bvshl",
        Operator::LogicalShiftRight => "bvlshr",
        Operator::ArithmeticShiftRight => "bvashr",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_term_is_defined_once() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVector(8));
        let y = terms.variable("a b|c", Sort::BitVector(8));
        let sum = terms.add(x, y);
        let square = terms.multiply(sum, sum);
        let zero = terms.bit_vector(0, 8);
        let is_zero = terms.equal(square, zero);
        let text = script(&terms, &[is_zero]);
        assert_eq!(
            text,
            "(set-logic QF_ABV)\n\
             (declare-fun x!2 () (_ BitVec 8))\n\
             (declare-fun |a b_c!3| () (_ BitVec 8))\n\
             (define-fun $4 () (_ BitVec 8) (bvadd x!2 |a b_c!3|))\n\
             (define-fun $5 () (_ BitVec 8) (bvmul $4 $4))\n\
             (define-fun $7 () Bool (= $5 (_ bv0 8)))\n\
             (assert $7)\n\
             (check-sat)\n"
        );
    }
}
