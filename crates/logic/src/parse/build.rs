//! Terms from the trees of texts: widths go up from names and down to numbers.

use crate::arena::Terms;
use crate::syntax::{Infix, Syntax};
use crate::term::{Predicate, Sort, Term, TermId};
use crate::value::MAXIMUM_WIDTH;

type Built = Result<TermId, String>;

/// The term of a tree; `around` is what the text around says of its sort.
pub(super) fn build(terms: &mut Terms, tree: &Syntax, around: Option<Sort>) -> Built {
    let term = match tree {
        Syntax::Truth(value) => terms.boolean(*value),
        Syntax::Number { bits, width } => {
            let width = match (width, around) {
                (Some(width), _) => *width,
                (None, Some(Sort::BitVector(width))) => width,
                (None, Some(_)) => return Err("a number stands where none can".to_owned()),
                (None, None) => {
                    return Err("a number has no width; write it as in `5u32`".to_owned());
                }
            };
            terms.bit_vector(*bits, width)
        }
        Syntax::Name(variable) => *variable,
        Syntax::Not(of) => {
            let of = build(terms, of, Some(Sort::Boolean))?;
            terms.known_or_built(Term::Not(of))
        }
        Syntax::Negate(of) => {
            let of = bit_vector(terms, of, around)?;
            let zero = terms.bit_vector(0, terms.width(of));
            let subtract = crate::term::Operator::Subtract;
            terms.known_or_built(Term::Binary(subtract, zero, of))
        }
        Syntax::Complement(of) => {
            let of = bit_vector(terms, of, around)?;
            terms.known_or_built(Term::Complement(of))
        }
        Syntax::Infix(infix, left, right) => build_infix(terms, *infix, (left, right), around)?,
        Syntax::Choice(condition, then, otherwise) => {
            let condition = build(terms, condition, Some(Sort::Boolean))?;
            let (then, otherwise) = build_pair(terms, (then, otherwise), around)?;
            terms.known_or_built(Term::IfThenElse(condition, then, otherwise))
        }
        Syntax::Extract { of, high, low } => {
            let (high, low) = (*high, *low);
            let of = bit_vector(terms, of, None)?;
            if low > high || high >= terms.width(of) {
                return Err(format!("there are no bits {high} to {low}"));
            }
            terms.known_or_built(Term::Extract { term: of, high, low })
        }
        Syntax::Extend { of, is_signed, width } => {
            let (of, width) = (bit_vector(terms, of, None)?, *width);
            if width < terms.width(of) || width > MAXIMUM_WIDTH {
                return Err(format!("nothing of {} bits has {width}", terms.width(of)));
            }
            terms.known_or_built(match is_signed {
                true => Term::SignExtend { term: of, width },
                false => Term::ZeroExtend { term: of, width },
            })
        }
        Syntax::ProductOverflows { is_signed, left, right } => {
            let (left, right) = build_pair(terms, (left, right), None)?;
            let predicate = match is_signed {
                true => Predicate::SignedMultiplyOverflows,
                false => Predicate::UnsignedMultiplyOverflows,
            };
            relation(terms, predicate, left, right)?
        }
        Syntax::Select(..) | Syntax::Store(..) | Syntax::Everywhere { .. } => {
            build_array(terms, tree)?
        }
    };
    match around {
        Some(sort) if terms.sort(term) != sort => {
            Err(format!("{} is {:?}, not {sort:?}", terms.display(term), terms.sort(term)))
        }
        _ => Ok(term),
    }
}

fn build_infix(
    terms: &mut Terms,
    infix: Infix,
    (left, right): (&Syntax, &Syntax),
    around: Option<Sort>,
) -> Built {
    match infix {
        Infix::And | Infix::Or => {
            let left = build(terms, left, Some(Sort::Boolean))?;
            let right = build(terms, right, Some(Sort::Boolean))?;
            if infix == Infix::And {
                return Ok(terms.known_or_built(Term::And(left, right)));
            }
            let (left, right) = (negated(terms, left), negated(terms, right));
            let neither = terms.known_or_built(Term::And(left, right));
            Ok(negated(terms, neither))
        }
        Infix::Equal | Infix::NotEqual => {
            let (left, right) = build_pair(terms, (left, right), None)?;
            if matches!(terms.sort(left), Sort::Array { .. }) {
                return Err("arrays are not compared".to_owned());
            }
            let equal = terms.known_or_built(Term::Equal(left, right));
            Ok(if infix == Infix::Equal { equal } else { negated(terms, equal) })
        }
        Infix::Less { is_signed } | Infix::LessEqual { is_signed } => {
            let predicate = if is_signed { Predicate::SignedLess } else { Predicate::UnsignedLess };
            let (left, right) = build_pair(terms, (left, right), None)?;
            if matches!(infix, Infix::Less { .. }) {
                return relation(terms, predicate, left, right);
            }
            let greater = relation(terms, predicate, right, left)?;
            Ok(negated(terms, greater))
        }
        Infix::Concat => {
            let (high, low) = (bit_vector(terms, left, None)?, bit_vector(terms, right, None)?);
            if terms.width(high) + terms.width(low) > MAXIMUM_WIDTH {
                return Err(format!("no term has more than {MAXIMUM_WIDTH} bits"));
            }
            Ok(terms.known_or_built(Term::Concat(high, low)))
        }
        Infix::Binary(operator) => {
            let (left, right) = build_pair(terms, (left, right), around)?;
            expect_bit_vector(terms, left)?;
            Ok(terms.known_or_built(Term::Binary(operator, left, right)))
        }
    }
}

fn build_array(terms: &mut Terms, tree: &Syntax) -> Built {
    let array = |terms: &mut Terms, of: &Syntax| -> Result<(TermId, Sort, Sort), String> {
        let of = build(terms, of, None)?;
        match terms.sort(of) {
            Sort::Array { index, element } => {
                Ok((of, Sort::BitVector(index), Sort::BitVector(element)))
            }
            _ => Err(format!("{} is no array", terms.display(of))),
        }
    };
    match tree {
        Syntax::Select(of, index) => {
            let (of, index_sort, _) = array(terms, of)?;
            let index = build(terms, index, Some(index_sort))?;
            Ok(terms.known_or_built(Term::Select(of, index)))
        }
        Syntax::Store(of, index, element) => {
            let (of, index_sort, element_sort) = array(terms, of)?;
            let index = build(terms, index, Some(index_sort))?;
            let element = build(terms, element, Some(element_sort))?;
            Ok(terms.known_or_built(Term::Store(of, index, element)))
        }
        Syntax::Everywhere { element, index } => {
            let element = bit_vector(terms, element, None)?;
            if !(1..=MAXIMUM_WIDTH).contains(index) {
                return Err(format!("no index has {index} bits"));
            }
            Ok(terms.known_or_built(Term::ConstantArray { element, index: *index }))
        }
        _ => unreachable!("only called for what is about arrays"),
    }
}

/// Two terms of one sort: each tells the sort of the other.
fn build_pair(
    terms: &mut Terms,
    (left, right): (&Syntax, &Syntax),
    around: Option<Sort>,
) -> Result<(TermId, TermId), String> {
    let sort = around.or_else(|| sort_of(terms, left)).or_else(|| sort_of(terms, right));
    let left = build(terms, left, sort)?;
    let right = build(terms, right, Some(terms.sort(left)))?;
    Ok((left, right))
}

/// What a text tells of its own sort.
fn sort_of(terms: &Terms, tree: &Syntax) -> Option<Sort> {
    match tree {
        Syntax::Number { width, .. } => width.map(Sort::BitVector),
        Syntax::Name(variable) => Some(terms.sort(*variable)),
        Syntax::Negate(of) | Syntax::Complement(of) => sort_of(terms, of),
        Syntax::Infix(Infix::Binary(_), left, right) | Syntax::Choice(_, left, right) => {
            sort_of(terms, left).or_else(|| sort_of(terms, right))
        }
        Syntax::Infix(Infix::Concat, high, low) => {
            match (sort_of(terms, high)?, sort_of(terms, low)?) {
                (Sort::BitVector(high), Sort::BitVector(low)) => Some(Sort::BitVector(high + low)),
                _ => None,
            }
        }
        Syntax::Extract { high, low, .. } => {
            Some(Sort::BitVector(high.checked_sub(*low)?.checked_add(1)?))
        }
        Syntax::Extend { width, .. } => Some(Sort::BitVector(*width)),
        Syntax::Select(array, _) => match sort_of(terms, array)? {
            Sort::Array { element, .. } => Some(Sort::BitVector(element)),
            _ => None,
        },
        Syntax::Store(array, ..) => sort_of(terms, array),
        Syntax::Everywhere { element, index } => match sort_of(terms, element)? {
            Sort::BitVector(element) => Some(Sort::Array { index: *index, element }),
            _ => None,
        },
        Syntax::Truth(_) | Syntax::Not(_) | Syntax::Infix(..) | Syntax::ProductOverflows { .. } => {
            Some(Sort::Boolean)
        }
    }
}

fn bit_vector(terms: &mut Terms, tree: &Syntax, around: Option<Sort>) -> Built {
    let term = build(terms, tree, around)?;
    expect_bit_vector(terms, term)?;
    Ok(term)
}

fn expect_bit_vector(terms: &Terms, term: TermId) -> Result<(), String> {
    match terms.sort(term) {
        Sort::BitVector(_) => Ok(()),
        _ => Err(format!("{} is no number", terms.display(term))),
    }
}

fn relation(terms: &mut Terms, predicate: Predicate, left: TermId, right: TermId) -> Built {
    expect_bit_vector(terms, left)?;
    Ok(terms.known_or_built(Term::Relation(predicate, left, right)))
}

fn negated(terms: &mut Terms, term: TermId) -> TermId {
    match terms.node(term) {
        Term::Not(inner) => inner,
        _ => terms.known_or_built(Term::Not(term)),
    }
}
