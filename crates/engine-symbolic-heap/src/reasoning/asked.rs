//! What was asked before. A question touches the part of a path condition that shares variables with it, directly or by
//! others; the rest can hold whatever the answer is, where a model of all of it is at hand. Parts are small, and come again on
//! other paths and in other states.

use std::sync::Arc;

use heapwright_logic::{Model, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// More answers than this are not kept.
const MOST_ANSWERS: usize = 1 << 16;

/// What the solver said of a set of formulas.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// They cannot hold together.
    No,
    /// They can; the model speaks of their variables alone.
    Yes(Arc<Model>),
}

#[derive(Debug, Default)]
pub(crate) struct Asked {
    variables: FxHashMap<TermId, Arc<[TermId]>>,
    answers: FxHashMap<Box<[TermId]>, Answer>,
}

impl Asked {
    /// The variables of a formula.
    pub(crate) fn variables(&mut self, terms: &Terms, formula: TermId) -> Arc<[TermId]> {
        let known = self.variables.entry(formula);
        Arc::clone(known.or_insert_with(|| terms.free_variables(&[formula]).into()))
    }

    /// The conjuncts that a question touches, in their order, and all variables of both.
    pub(crate) fn touched(
        &mut self,
        terms: &Terms,
        condition: impl Iterator<Item = TermId>,
        question: &[TermId],
    ) -> Vec<TermId> {
        let mut reached: FxHashSet<TermId> = FxHashSet::default();
        for &formula in question {
            reached.extend(self.variables(terms, formula).iter());
        }
        let mut waiting: Vec<(usize, TermId, Arc<[TermId]>)> = condition
            .enumerate()
            .map(|(place, conjunct)| (place, conjunct, self.variables(terms, conjunct)))
            .collect();
        let mut touched: Vec<(usize, TermId)> = Vec::new();
        loop {
            let before = touched.len();
            waiting.retain(|(place, conjunct, variables)| {
                // One without variables may be false.
                let is_touched =
                    variables.is_empty() || variables.iter().any(|name| reached.contains(name));
                if is_touched {
                    reached.extend(variables.iter());
                    touched.push((*place, *conjunct));
                }
                !is_touched
            });
            if touched.len() == before {
                break;
            }
        }
        touched.sort_unstable();
        touched.into_iter().map(|(_, conjunct)| conjunct).collect()
    }

    /// What was said of these formulas.
    pub(crate) fn answer(&self, formulas: &[TermId]) -> Option<&Answer> {
        self.answers.get(key(formulas).as_ref())
    }

    /// Keeps what was said of them.
    pub(crate) fn keep(&mut self, formulas: &[TermId], answer: Answer) {
        if self.answers.len() == MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key(formulas), answer);
    }

    /// What a model says of the variables of formulas.
    pub(crate) fn narrowed(&mut self, terms: &Terms, model: &Model, formulas: &[TermId]) -> Model {
        let mut narrowed = Model::new();
        for &formula in formulas {
            for &name in self.variables(terms, formula).iter() {
                let default = || Value::default_of(terms.sort(name));
                narrowed.set(name, model.get(name).cloned().unwrap_or_else(default));
            }
        }
        narrowed
    }
}

/// The order in which formulas are asked about does not matter, nor how often.
fn key(formulas: &[TermId]) -> Box<[TermId]> {
    let mut key = formulas.to_vec();
    key.sort_unstable();
    key.dedup();
    key.into()
}

/// A model with the values of another one, where that has any.
pub(crate) fn overlaid(model: &Model, other: &Model) -> Model {
    let mut overlaid = model.clone();
    for (name, value) in other.iter() {
        overlaid.set(name, value.clone());
    }
    overlaid
}

#[cfg(test)]
mod tests {
    use heapwright_logic::Sort;

    use super::*;

    #[test]
    fn a_question_touches_what_shares_variables_with_it_also_by_others() {
        let mut terms = Terms::new();
        let [a, b, c, d, e] =
            ["a", "b", "c", "d", "e"].map(|name| terms.variable(name, Sort::BitVector(32)));
        let one = terms.unsigned_less(a, b);
        let two = terms.unsigned_less(c, d);
        let three = terms.unsigned_less(b, c);
        let zero = terms.bit_vector(0, 32);
        let apart = terms.equal(e, zero);
        let condition = [two, apart, one, three];
        let question = terms.equal(a, zero);
        let mut asked = Asked::default();
        let touched = asked.touched(&terms, condition.into_iter(), &[question]);
        assert_eq!(touched, [two, one, three]);
        let touched = asked.touched(&terms, condition.into_iter(), &[apart]);
        assert_eq!(touched, [apart]);
    }

    #[test]
    fn a_contradiction_without_variables_is_touched_by_all() {
        let mut terms = Terms::new();
        let never = terms.boolean(false);
        let a = terms.variable("a", Sort::Boolean);
        let touched = Asked::default().touched(&terms, [never].into_iter(), &[a]);
        assert_eq!(touched, [never]);
    }

    #[test]
    fn an_answer_is_known_whatever_the_order_and_speaks_of_its_variables_alone() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, Sort::Boolean));
        let mut asked = Asked::default();
        let solved: Model = [a, c].map(|name| (name, Value::Boolean(true))).into_iter().collect();
        let part = asked.narrowed(&terms, &solved, &[a, b]);
        asked.keep(&[a, b], Answer::Yes(Arc::new(part)));
        let Some(Answer::Yes(part)) = asked.answer(&[b, a, b]) else { panic!("it is known") };
        assert_eq!(part.get(c), None);
        let before: Model = [b, c].map(|name| (name, Value::Boolean(true))).into_iter().collect();
        let model = overlaid(&before, part);
        let value = |name| model.get(name).map(Value::as_boolean);
        assert_eq!([a, b, c].map(value), [Some(true), Some(false), Some(true)]);
        assert!(asked.answer(&[a]).is_none());
    }
}
