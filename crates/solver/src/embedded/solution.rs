//! From a solution of the SAT solver to a model: read the bits back, and see to it that reads of
//! one array at one index agree.

use heapwright_logic::{ArrayValue, BitVectorValue, Model, Sort, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::EmbeddedSolver;
use super::gates::Literal;

impl EmbeddedSolver {
    /// Looks for reads that disagree in the solution and forbids that; whether it found any.
    pub(super) fn repair_arrays(&mut self) -> bool {
        let mut first_at: FxHashMap<(TermId, u128), usize> = FxHashMap::default();
        let mut disagreeing = Vec::new();
        for (position, read) in self.translation.reads.free().iter().enumerate() {
            let place = (read.array, self.bits(&read.index));
            let first = *first_at.entry(place).or_insert(position);
            let other = &self.translation.reads.free()[first];
            if self.bits(&other.element) != self.bits(&read.element) {
                disagreeing.push((first, position));
            }
        }
        for &(first, second) in &disagreeing {
            self.add_array_lemma(first, second);
        }
        !disagreeing.is_empty()
    }

    /// Equal indices read equal elements.
    fn add_array_lemma(&mut self, first: usize, second: usize) {
        let [a, b] =
            [first, second].map(|position| self.translation.reads.free()[position].clone());
        let gates = &mut self.translation.gates;
        let (is_same_place, is_same_element) =
            (gates.words_equal(&a.index, &b.index), gates.words_equal(&a.element, &b.element));
        let (place, element) = (self.sat_literal(is_same_place), self.sat_literal(is_same_element));
        self.sat.add_clause(&[-place, element]);
        self.statistics.array_lemmas += 1;
    }

    pub(super) fn model(&self, terms: &Terms) -> Model {
        let scalars = self.translation.variables().iter().map(|&variable| {
            let bits = self.bits(self.translation.word(terms, variable));
            let value = match terms.sort(variable) {
                Sort::Boolean => Value::Boolean(bits == 1),
                Sort::BitVector(width) => Value::BitVector(BitVectorValue::new(bits, width)),
                Sort::Array { .. } => panic!("{} has bits", terms.display(variable)),
            };
            (variable, value)
        });
        scalars.chain(self.array_values(terms)).collect()
    }

    fn array_values(&self, terms: &Terms) -> Vec<(TermId, Value)> {
        let mut arrays: std::collections::BTreeMap<TermId, ArrayValue> = Default::default();
        for read in self.translation.reads.free() {
            let (index, element) = terms.array_widths(read.array);
            let new = || ArrayValue::new(index, BitVectorValue::zero(element));
            arrays.entry(read.array).or_insert_with(new).store(
                BitVectorValue::new(self.bits(&read.index), index),
                BitVectorValue::new(self.bits(&read.element), element),
            );
        }
        arrays.into_iter().map(|(variable, array)| (variable, Value::Array(array))).collect()
    }

    /// The number a word stands for in the solution.
    fn bits(&self, word: &[Literal]) -> u128 {
        let bit = |(position, &literal): (usize, &Literal)| {
            u128::from(self.literal_value(literal)) << position
        };
        word.iter().enumerate().map(bit).sum()
    }

    /// An input that no clause mentions may have any value.
    fn literal_value(&self, literal: Literal) -> bool {
        match literal {
            Literal::FALSE | Literal::TRUE => literal == Literal::TRUE,
            _ => self
                .clauses
                .known(literal)
                .map_or(literal.is_negated(), |known| self.sat.value(known)),
        }
    }
}
