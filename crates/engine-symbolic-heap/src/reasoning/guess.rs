//! Guesses: a model that satisfies a path condition mostly satisfies one more formula with another value of one variable. Values
//! near the constants that are spoken of are tried before a solver is asked.

use std::collections::BTreeSet;

use heapwright_logic::{BitVectorValue, Evaluator, Model, Sort, Term, TermId, Terms, Value};

use crate::reasoning::asked::Asked;

/// With more variables than this in a question, guesses are rarely right.
const MOST_VARIABLES: usize = 4;

/// Values that are tried for one variable.
const MOST_VALUES: usize = 24;

impl Asked {
    /// A model of all formulas, of which the first ones, as many as `satisfied`, hold in `model`, with one value changed.
    pub(crate) fn guess(
        &mut self,
        terms: &Terms,
        model: &Model,
        (formulas, satisfied): (&[TermId], usize),
    ) -> Option<Model> {
        let question = formulas.last()?;
        let names = self.variables(terms, *question);
        if names.len() > MOST_VARIABLES {
            return None;
        }
        names.iter().find_map(|&name| {
            let mut concerned: Vec<TermId> = formulas[satisfied..].to_vec();
            let speaks = |formula: &&TermId| self.variables(terms, **formula).contains(&name);
            concerned.extend(formulas[..satisfied].iter().filter(speaks));
            let mut guess = model.clone();
            values(terms, model, name, &concerned).into_iter().find_map(|value| {
                guess.set(name, value);
                let mut evaluator = Evaluator::new(terms, &guess);
                let holds = concerned.iter().all(|&formula| evaluator.boolean(formula));
                holds.then(|| guess.clone())
            })
        })
    }
}

/// Values that a variable may well have, if these formulas are to hold.
fn values(terms: &Terms, model: &Model, name: TermId, formulas: &[TermId]) -> Vec<Value> {
    match terms.sort(name) {
        Sort::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
        Sort::BitVector(width) => {
            let near = numbers_near(terms, model, width, formulas);
            near.into_iter()
                .map(|bits| Value::BitVector(BitVectorValue::new(bits, width)))
                .collect()
        }
        Sort::Array { .. } => Vec::new(),
    }
}

/// The constants of formulas, what variables are worth, the ends of the range, and what is next to them.
fn numbers_near(terms: &Terms, model: &Model, width: u32, formulas: &[TermId]) -> BTreeSet<u128> {
    let mask = BitVectorValue::ones(width).bits();
    let ends = [0, BitVectorValue::signed_minimum(width).bits()];
    let spoken = terms.reachable(formulas).into_iter().filter_map(|term| match terms.node(term) {
        Term::BitVector(constant) => Some(terms.constant_value(constant).bits()),
        Term::Variable(_) => match model.get(term) {
            Some(Value::BitVector(value)) => Some(value.bits()),
            Some(Value::Boolean(_) | Value::Array(_)) | None => None,
        },
        _ => None,
    });
    let near =
        |bits: u128| [bits, bits.wrapping_add(1), bits.wrapping_sub(1)].map(|near| near & mask);
    ends.into_iter().chain(spoken).flat_map(near).take(MOST_VALUES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guess for the last formula, where the others hold in a model in which all is zero.
    fn guess(terms: &Terms, names: &[TermId], formulas: &[TermId]) -> Option<Model> {
        let zero = |&name: &TermId| (name, Value::default_of(terms.sort(name)));
        let model: Model = names.iter().map(zero).collect();
        let satisfied = formulas.len() - 1;
        assert!(formulas[..satisfied].iter().all(|&known| model.satisfies(terms, known)));
        Asked::default().guess(terms, &model, (formulas, satisfied))
    }

    #[test]
    fn a_value_is_found_next_to_a_constant_within_what_is_known() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVector(32));
        let [seven, nine] = [7, 9].map(|bits| terms.bit_vector(bits, 32));
        let below = terms.unsigned_less(x, nine);
        let above = terms.unsigned_less(seven, x);
        let model = guess(&terms, &[x], &[below, above]).expect("eight is between them");
        assert!(model.satisfies(&terms, below) && model.satisfies(&terms, above));
    }

    #[test]
    fn what_cannot_be_is_not_guessed() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(8)));
        let [seven, eight] = [7, 8].map(|bits| terms.bit_vector(bits, 8));
        let below = terms.unsigned_less(x, seven);
        let is_eight = terms.equal(x, eight);
        assert!(guess(&terms, &[x], &[below, is_eight]).is_none());
        // Nor is another conjunct forgotten that speaks of the variable that gets another value.
        let same = terms.equal(x, y);
        let differs = terms.not(same);
        assert!(guess(&terms, &[x, y], &[same, differs]).is_none());
    }

    #[test]
    fn a_value_of_another_width_is_cut() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVector(8));
        let wide = terms.zero_extend(x, 32);
        let constant = terms.bit_vector(200, 32);
        let is_it = terms.equal(wide, constant);
        let model = guess(&terms, &[x], &[is_it]).expect("it fits");
        assert!(model.satisfies(&terms, is_it));
    }
}
