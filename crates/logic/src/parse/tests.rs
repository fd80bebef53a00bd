//! What is printed is read back: the same term among the same terms, the same meaning among others.

use std::collections::BTreeMap;

use crate::arena::Terms;
use crate::model::{ArrayValue, Model, Value};
use crate::term::{Operator, Predicate, Sort, Term, TermId};
use crate::value::BitVectorValue;

/// Numbers that look random: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

const SORTS: [Sort; 6] = [
    Sort::Boolean,
    Sort::BitVector(1),
    Sort::BitVector(8),
    Sort::BitVector(32),
    Sort::BitVector(64),
    Sort::Array { index: 8, element: 32 },
];

fn variable(terms: &mut Terms, sort: Sort, number: usize) -> TermId {
    let name = match sort {
        Sort::Boolean => format!("p.{number}"),
        Sort::BitVector(width) => format!("x{width}.{number}"),
        Sort::Array { .. } => format!("a.{number}"),
    };
    terms.variable(&name, sort)
}

/// A random term of a sort, of at most this depth.
fn term(terms: &mut Terms, random: &mut Random, sort: Sort, depth: usize) -> TermId {
    if depth == 0 || random.below(8) == 0 {
        let number = random.below(3);
        return match sort {
            Sort::BitVector(width) if random.below(2) == 0 => {
                let bits = [0, 1, 5, u128::MAX, u128::MAX - 5000, 200][random.below(6)];
                terms.bit_vector(bits, width)
            }
            _ => variable(terms, sort, number),
        };
    }
    let depth = depth - 1;
    let scalar = SORTS[1 + random.below(4)];
    let node = match sort {
        Sort::Boolean => match random.below(6) {
            0 => Term::Not(term(terms, random, sort, depth)),
            1 | 2 => Term::And(term(terms, random, sort, depth), term(terms, random, sort, depth)),
            3 => {
                let sort = SORTS[random.below(5)];
                Term::Equal(term(terms, random, sort, depth), term(terms, random, sort, depth))
            }
            _ => {
                let predicate = Predicate::ALL[random.below(4)];
                let left = term(terms, random, scalar, depth);
                Term::Relation(predicate, left, term(terms, random, scalar, depth))
            }
        },
        Sort::BitVector(width) => match random.below(7) {
            0 => Term::Complement(term(terms, random, sort, depth)),
            1 => {
                let condition = term(terms, random, Sort::Boolean, depth);
                let then = term(terms, random, sort, depth);
                Term::IfThenElse(condition, then, term(terms, random, sort, depth))
            }
            2 if width > 1 => {
                let high = 1 + random.below(width as usize - 1) as u32;
                let part = term(terms, random, Sort::BitVector(high), depth);
                let low = term(terms, random, Sort::BitVector(width - high), depth);
                Term::Concat(part, low)
            }
            3 if width < 64 => {
                let wide = term(terms, random, Sort::BitVector(64), depth);
                let low = random.below(64 - width as usize) as u32;
                Term::Extract { term: wide, high: low + width - 1, low }
            }
            4 if width > 8 => {
                let narrow = term(terms, random, Sort::BitVector(8), depth);
                if random.below(2) == 0 {
                    Term::ZeroExtend { term: narrow, width }
                } else {
                    Term::SignExtend { term: narrow, width }
                }
            }
            5 if width == 32 => {
                let array = term(terms, random, SORTS[5], depth);
                Term::Select(array, term(terms, random, Sort::BitVector(8), depth))
            }
            _ => {
                let operator = Operator::ALL[random.below(13)];
                let left = term(terms, random, sort, depth);
                Term::Binary(operator, left, term(terms, random, sort, depth))
            }
        },
        Sort::Array { index, element } => {
            let value = term(terms, random, Sort::BitVector(element), depth);
            if random.below(3) == 0 {
                Term::ConstantArray { element: value, index }
            } else {
                let array = term(terms, random, sort, depth);
                Term::Store(array, term(terms, random, Sort::BitVector(index), depth), value)
            }
        }
    };
    terms.build(node)
}

/// The variables of this file, by their names.
fn known(terms: &mut Terms, name: &str) -> Option<TermId> {
    let (letters, number) = name.split_once('.')?;
    let sort = match letters {
        "p" => SORTS[0],
        "a" => SORTS[5],
        _ => Sort::BitVector(letters.strip_prefix('x')?.parse().ok()?),
    };
    Some(variable(terms, sort, number.parse().ok()?))
}

fn full(terms: &Terms, term: TermId) -> String {
    terms.display_in_full(term, &BTreeMap::new()).to_string()
}

#[test]
fn a_random_term_is_read_back_as_it_was() {
    let mut random = Random(7);
    let mut terms = Terms::new();
    for round in 0..4000 {
        let sort = SORTS[round % SORTS.len()];
        let depth = 1 + random.below(5);
        let term = term(&mut terms, &mut random, sort, depth);
        let text = full(&terms, term);
        let read = terms.parse(&text, sort, &mut known);
        assert_eq!(read, Ok(term), "{text}");
    }
}

#[test]
fn a_random_term_is_understood_elsewhere() {
    let mut random = Random(11);
    for round in 0..4000 {
        let mut terms = Terms::new();
        let sort = SORTS[round % SORTS.len()];
        let depth = 1 + random.below(4);
        let term = term(&mut terms, &mut random, sort, depth);
        let text = full(&terms, term);
        // Other terms, that may order operands otherwise: the meaning is the same.
        let mut others = Terms::new();
        let read = others.parse(&text, sort, &mut known).expect(&text);
        for values in 0..8 {
            let [here, there] = [(&terms, term), (&others, read)].map(|(terms, term)| {
                let mut model = Model::new();
                for variable in terms.free_variables(&[term]) {
                    let name = terms.as_variable(variable).expect("a variable");
                    let mix = name.bytes().fold(values, |mix, byte| mix * 31 + u64::from(byte));
                    let bits = u128::from(Random(mix).below(1 << 62) as u64);
                    model.set(
                        variable,
                        match terms.sort(variable) {
                            Sort::Boolean => Value::Boolean(bits % 2 == 1),
                            Sort::BitVector(width) => {
                                Value::BitVector(BitVectorValue::new(bits, width))
                            }
                            Sort::Array { index, element } => Value::Array(ArrayValue::new(
                                index,
                                BitVectorValue::new(bits, element),
                            )),
                        },
                    );
                }
                model.evaluate(terms, term)
            });
            assert_eq!(here, there, "{text}");
        }
    }
}

#[test]
fn faults_of_a_text_are_told() {
    let mut terms = Terms::new();
    let mut message =
        |text: &str, sort: Sort| terms.parse(text, sort, &mut known).expect_err(text).to_string();
    assert_eq!(
        message("x32.0 + ", Sort::BitVector(32)),
        "column 9: a number, a name or `(` is missing"
    );
    assert_eq!(message("x32.0 + y", Sort::BitVector(32)), "column 9: `y` is not known");
    assert_eq!(
        message("5 <s 7", Sort::Boolean),
        "column 7: a number has no width; write it as in `5u32`"
    );
    assert_eq!(message("x32.0 x32.1", Sort::BitVector(32)), "column 7: the term ends before this");
    assert_eq!(
        message("zext(x32.0)", Sort::BitVector(64)),
        "column 5: there is no function `zext` of so many arguments"
    );
    for text in
        ["x8.0 + x32.0", "x8.0[9:0]", "zext4(x8.0)", "p.0 + p.1", "x8.0[x8.1]", "a.0 == a.1", "#12"]
    {
        message(text, Sort::BitVector(32));
    }
}
