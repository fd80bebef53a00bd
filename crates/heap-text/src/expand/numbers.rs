//! Values for the numbers of a draft: the solver's, or one number at an edge.
//!
//! Addresses are numbers too where something is said of them as such; blocks then get the addresses
//! that the values were found with.

use std::collections::BTreeSet;

use heapwright_logic::{BitVectorValue, Model, Sort, TermId, Value};
use heapwright_program::{EdgeId, FunctionId};
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver};

use crate::expand::Expansion;
use crate::expand::draft::{Builder, DraftId};

/// Numbers that are put to their edges.
const NUMBERS: usize = 8;

/// Conflicts of the solver in one question.
const CONFLICTS: u32 = 2000;

/// Where blocks lie for numbers that depend on it.
const FIRST_ADDRESS: u64 = 0x3000_0000;
const APART: u64 = 0x1_0000;

impl Builder<'_> {
    /// The address that a block has if one must be known.
    pub(super) fn address_of(draft: DraftId) -> u64 {
        FIRST_ADDRESS + draft as u64 * APART
    }

    pub(super) fn finish(mut self, variant: u32, callers: &[(FunctionId, EdgeId)]) -> Expansion {
        let mut formulas = self.conditions.clone();
        if let Some(edge) = variant.checked_sub(1) {
            let Some(formula) = self.edge_formulas().into_iter().nth(edge as usize) else {
                return Expansion::NoMore;
            };
            formulas.push(formula);
        }
        self.place_addresses(&mut formulas);
        let deadline = Deadline::never().with_conflicts(CONFLICTS);
        let mut model = match BackEnd::Embedded.solver().check(&self.terms, &formulas, &deadline) {
            CheckResult::Sat(model) => model,
            CheckResult::Unsat(_) => return Expansion::Empty,
            CheckResult::Unknown(limit) => {
                return Expansion::Unclear(format!("the solver says: {limit}"));
            }
        };
        for (&address, &draft) in &self.owners {
            let base = u128::from(Self::address_of(draft));
            model.set(address, Value::BitVector(BitVectorValue::new(base, self.pointer_bits)));
        }
        match self.write(&model, callers) {
            Ok(snapshot) => Expansion::State(Box::new(snapshot)),
            Err(why) => Expansion::Unclear(why),
        }
    }

    /// Where blocks lie, for those formulas that speak of it.
    fn place_addresses(&mut self, formulas: &mut Vec<TermId>) {
        for variable in self.terms.free_variables(formulas) {
            if let Some(&draft) = self.owners.get(&variable) {
                let base = u128::from(Self::address_of(draft));
                let base = self.terms.bit_vector(base, self.pointer_bits);
                let formula = self.terms.equal(variable, base);
                formulas.push(formula);
            }
        }
    }

    /// For each number in turn: it is at an edge of its type, or near a constant of the conditions.
    fn edge_formulas(&mut self) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for number in self.numbers() {
            match self.terms.sort(number) {
                Sort::Boolean => {
                    let negated = self.terms.not(number);
                    formulas.extend([number, negated]);
                }
                Sort::BitVector(width) => {
                    for value in self.edges(width) {
                        let constant = self.terms.constant(value);
                        let formula = self.terms.equal(number, constant);
                        formulas.push(formula);
                    }
                }
                Sort::Array { .. } => {}
            }
        }
        formulas
    }

    /// The numbers that the state shows.
    fn numbers(&self) -> Vec<TermId> {
        let cells = self.drafts.iter().flat_map(|draft| draft.cells.iter().map(|cell| cell.2));
        let variables = self.variables.iter().map(|variable| variable.2);
        let shown: Vec<TermId> = cells.chain(variables).collect();
        let is_number = |variable: &TermId| {
            !self.owners.contains_key(variable) && !self.functions.contains_key(variable)
        };
        self.terms.free_variables(&shown).into_iter().filter(is_number).take(NUMBERS).collect()
    }

    fn edges(&self, width: u32) -> Vec<BitVectorValue> {
        let mut edges = vec![
            BitVectorValue::zero(width),
            BitVectorValue::one(width),
            BitVectorValue::ones(width),
            BitVectorValue::signed_minimum(width),
            BitVectorValue::signed_maximum(width),
        ];
        let one = BitVectorValue::one(width);
        let constants = self.terms.reachable(&self.conditions);
        let constants = constants.into_iter().filter_map(|term| self.terms.as_constant(term));
        let near: BTreeSet<BitVectorValue> = constants
            .filter(|value| value.width() == width)
            .flat_map(|value| [value.subtract(one), value, value.add(one)])
            .collect();
        edges.extend(near);
        let mut seen = BTreeSet::new();
        edges.retain(|&value| seen.insert(value));
        edges
    }

    /// What a term is worth.
    pub(super) fn bits(&self, model: &Model, term: TermId) -> u128 {
        match model.evaluate(&self.terms, term) {
            Value::Boolean(truth) => u128::from(truth),
            Value::BitVector(value) => value.bits(),
            Value::Array(_) => 0,
        }
    }
}
