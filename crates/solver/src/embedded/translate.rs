//! From terms to gates: each term once, children before parents.

use heapwright_logic::{BitVectorValue, Operator, Predicate, Sort, Term, TermId, Terms};

use super::arrays::ArrayReads;
use super::gates::{Gates, Literal};
use super::words::{Word, sign_of};

/// The circuit of all terms translated so far.
#[derive(Debug)]
pub(crate) struct Translation {
    pub(crate) gates: Gates,
    pub(crate) reads: ArrayReads,
    /// By term: where its literals start in `literals`. Its sort says how many there are.
    starts: Vec<Option<u32>>,
    literals: Vec<Literal>,
    /// Bit-vector and boolean variables, in the order they were met.
    variables: Vec<TermId>,
    pub(crate) hits: u64,
}

impl Translation {
    pub(crate) fn new() -> Self {
        Self {
            gates: Gates::new(),
            reads: ArrayReads::new(),
            starts: Vec::new(),
            literals: Vec::new(),
            variables: Vec::new(),
            hits: 0,
        }
    }

    /// The literal of a boolean term.
    pub(crate) fn formula(&mut self, terms: &Terms, formula: TermId) -> Literal {
        assert_eq!(terms.sort(formula), Sort::Boolean, "{}", terms.display(formula));
        if self.is_translated(formula) {
            self.hits += 1;
            return self.boolean(formula);
        }
        self.starts.resize(terms.len(), None);
        for part in terms.reachable_unless(&[formula], |term| self.is_translated(term)) {
            let bits = self.translate(terms, part);
            let start = u32::try_from(self.literals.len()).expect("too many literals");
            self.starts[part.index()] = Some(start);
            self.literals.extend(bits);
        }
        self.boolean(formula)
    }

    pub(crate) fn variables(&self) -> &[TermId] {
        &self.variables
    }

    /// The literals of a translated term; none for an array.
    pub(crate) fn word(&self, terms: &Terms, term: TermId) -> &[Literal] {
        let width = match terms.sort(term) {
            Sort::Boolean => 1,
            Sort::BitVector(width) => width as usize,
            Sort::Array { .. } => 0,
        };
        let start = self.starts[term.index()].expect("children come before parents") as usize;
        &self.literals[start..start + width]
    }

    fn is_translated(&self, term: TermId) -> bool {
        self.starts.get(term.index()).is_some_and(Option::is_some)
    }

    pub(crate) fn boolean(&self, term: TermId) -> Literal {
        self.literals[self.starts[term.index()].expect("children come before parents") as usize]
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Word {
        let copy = |this: &Self, child| this.word(terms, child).to_vec();
        match terms.node(term) {
            Term::Boolean(value) => vec![Literal::constant(value)],
            Term::BitVector(constant) => constant_word(terms.constant_value(constant)),
            Term::Variable(_) => self.variable(terms, term),
            Term::Not(a) => vec![!self.boolean(a)],
            Term::And(a, b) => vec![self.gates.and(self.boolean(a), self.boolean(b))],
            Term::Equal(a, b) => {
                let (a, b) = (copy(self, a), copy(self, b));
                vec![self.gates.words_equal(&a, &b)]
            }
            Term::Relation(predicate, a, b) => {
                let (a, b) = (copy(self, a), copy(self, b));
                vec![self.relation(predicate, &a, &b)]
            }
            Term::IfThenElse(condition, a, b) => {
                let (a, b) = (copy(self, a), copy(self, b));
                self.gates.word_choice(self.boolean(condition), &a, &b)
            }
            Term::Complement(a) => copy(self, a).into_iter().map(|bit| !bit).collect(),
            Term::Binary(operator, a, b) => {
                let (a, b) = (copy(self, a), copy(self, b));
                self.operation(operator, &a, &b)
            }
            Term::Concat(high, low) => [copy(self, low), copy(self, high)].concat(),
            Term::Extract { term, high, low } => {
                self.word(terms, term)[low as usize..=high as usize].to_vec()
            }
            Term::ZeroExtend { term, width } => {
                let mut word = copy(self, term);
                word.resize(width as usize, Literal::FALSE);
                word
            }
            Term::SignExtend { term, width } => {
                let mut word = copy(self, term);
                word.resize(width as usize, sign_of(self.word(terms, term)));
                word
            }
            Term::Select(array, index) => {
                let index = copy(self, index);
                self.select(terms, array, index)
            }
            // Arrays have no literals: reads look at them as terms.
            Term::Store(..) | Term::ConstantArray { .. } => Vec::new(),
        }
    }

    fn variable(&mut self, terms: &Terms, variable: TermId) -> Word {
        let width = match terms.sort(variable) {
            Sort::Boolean => 1,
            Sort::BitVector(width) => width,
            Sort::Array { .. } => return Vec::new(),
        };
        self.variables.push(variable);
        (0..width).map(|_| self.gates.input()).collect()
    }

    fn relation(&mut self, predicate: Predicate, a: &[Literal], b: &[Literal]) -> Literal {
        match predicate {
            Predicate::UnsignedLess => self.gates.unsigned_less(a, b),
            Predicate::SignedLess => self.gates.signed_less(a, b),
            Predicate::UnsignedMultiplyOverflows => self.gates.unsigned_multiply_overflows(a, b),
            Predicate::SignedMultiplyOverflows => self.gates.signed_multiply_overflows(a, b),
        }
    }

    fn operation(&mut self, operator: Operator, a: &[Literal], b: &[Literal]) -> Word {
        let gates = &mut self.gates;
        match operator {
            Operator::Add => gates.add(a, b, Literal::FALSE).0,
            Operator::Subtract => gates.subtract(a, b).0,
            Operator::Multiply => gates.multiply(a, b, a.len()),
            Operator::UnsignedDivide => gates.divide(a, b).0,
            Operator::UnsignedRemainder => gates.divide(a, b).1,
            Operator::SignedDivide => gates.signed_divide(a, b).0,
            Operator::SignedRemainder => gates.signed_divide(a, b).1,
            Operator::And => gates.map_pairs(a, b, Gates::and),
            Operator::Or => gates.map_pairs(a, b, Gates::or),
            Operator::Xor => gates.map_pairs(a, b, Gates::xor),
            Operator::ShiftLeft => gates.shift_left(a, b),
            Operator::LogicalShiftRight => gates.shift_right(a, b, Literal::FALSE),
            Operator::ArithmeticShiftRight => gates.shift_right(a, b, sign_of(a)),
        }
    }
}

fn constant_word(value: BitVectorValue) -> Word {
    (0..value.width()).map(|position| Literal::constant(value.bit(position))).collect()
}
