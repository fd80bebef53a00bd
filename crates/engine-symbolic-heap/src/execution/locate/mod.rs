//! Allocation questions: which cell of which block has the address that is read or written?
//!
//! A pointer tells by its form, so the engine needs no solver for this. The thesis on SLCPA, a
//! separation-logic analysis in CPAchecker, asks a solver at every access and compares three ways
//! to do so (its algorithms 4 and 5, and 4 with equalities); they are here, one a file, to be
//! compared. Where a block cannot be listed cell by cell, the form decides in every way.

mod candidates;
mod equality;
mod model;
mod separation_logic;

use std::time::Instant;

use heapwright_logic::{Sort, TermId};
use heapwright_solver::{CheckResult, SmtSolver};

use crate::context::Context;
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::settings::Allocation;

/// A cell that an address may be that of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) block: BlockId,
    pub(super) offset: u64,
    pub(super) address: TermId,
}

/// What came of an allocation question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Located {
    /// Nobody was asked: the form of the pointer says it.
    ByForm,
    Cell(BlockId, u64),
    /// No cell is known to have this address.
    Nowhere,
}

impl Located {
    /// Whether this is what the form of the pointer says, or leaves it to that.
    pub(crate) fn agrees_with(self, block: BlockId, offset: u64) -> bool {
        match self {
            Located::ByForm => true,
            Located::Cell(found, at) => (found, at) == (block, offset),
            Located::Nowhere => false,
        }
    }
}

/// An allocation question: an address, and what is known of it.
#[derive(Debug)]
pub(super) struct Question {
    /// A variable that stands for the address, so that no two terms are equal by their form.
    pub(super) accessed: TermId,
    /// The path condition, and what the variable is.
    pub(super) known: Vec<TermId>,
}

impl Context<'_> {
    /// Finds the cell that a pointer points to, in the way that the settings say.
    pub(crate) fn locate(&mut self, state: &State, pointer: TermId, size: u64) -> Located {
        let way = self.settings.allocation;
        if way == Allocation::Syntactic || self.services.failure.is_some() {
            return Located::ByForm;
        }
        let Some(stages) = self.candidates(state, pointer, size) else { return Located::ByForm };
        let question = self.question(state, pointer);
        for candidates in stages {
            let found = match way {
                Allocation::Syntactic => None,
                Allocation::SeparationLogic => self.find_by_separation(&question, &candidates),
                Allocation::Equality => self.find_by_equality(&question, &candidates),
                Allocation::Model => self.find_by_model(state, &question, &candidates),
            };
            if let Some(Candidate { block, offset, .. }) = found {
                return Located::Cell(block, offset);
            }
        }
        Located::Nowhere
    }

    fn question(&mut self, state: &State, pointer: TermId) -> Question {
        let sort = Sort::BitVector(self.names.terms.width(pointer));
        let accessed = self.names.terms.variable("accessed", sort);
        let is_pointer = self.names.terms.equal(accessed, pointer);
        let mut known: Vec<TermId> = state.condition.iter().copied().collect();
        known.push(is_pointer);
        Question { accessed, known }
    }

    /// Asks the oracle's own solver whether formulas hold together.
    pub(super) fn check_allocation(&mut self, formulas: &[TermId]) -> CheckResult {
        let start = Instant::now();
        let deadline = self.question_deadline();
        let result = self.services.oracle.solver.check(&self.names.terms, formulas, &deadline);
        self.note_answer(start, result.failure());
        result
    }

    /// Whether the question's address can only be that of this cell.
    pub(super) fn is_certainly(&mut self, question: &Question, candidate: &Candidate) -> bool {
        let differs = self.names.terms.not_equal(question.accessed, candidate.address);
        let formulas = [question.known.as_slice(), &[differs]].concat();
        self.check_allocation(&formulas).is_unsat()
    }
}
