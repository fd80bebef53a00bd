//! Allocation questions: which cell of which block has the address that is read or written?
//!
//! A pointer tells by its form, so the engine needs no solver for this. The thesis on SLCPA, a
//! separation-logic analysis in CPAchecker, asks a solver at every access and compares three ways
//! to do so (its algorithms 4 and 5, and 4 with equalities), besides its algorithm 3, which only says
//! whether an address is allocated; they are here, one a file, to be compared. Where a block cannot be listed cell by cell, the form decides in every way.

mod candidates;
mod equality;
mod model;
mod separation_logic;
mod whole_heap;

use std::time::Instant;

use heapwright_logic::{Sort, TermId};
use heapwright_solver::{CheckResult, SmtSolver};

use crate::execution::locate::candidates::candidates;
use crate::execution::locate::equality::find_by_equality;
use crate::execution::locate::model::find_by_model;
use crate::execution::locate::separation_logic::find_by_separation;
use crate::execution::locate::whole_heap::is_allocated;
use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
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

/// Finds the cell that a pointer points to, in the way that the settings say.
pub(crate) fn locate(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    pointer: TermId,
    size: u64,
) -> Located {
    let way = reasoner.services.settings.allocation;
    if way == Allocation::Syntactic || reasoner.services.failure.is_some() {
        return Located::ByForm;
    }
    let Some(stages) = candidates(&mut reasoner.names, state, pointer, size) else {
        return Located::ByForm;
    };
    let question = question(&mut reasoner.names, state, pointer);
    if way == Allocation::WholeHeap {
        // That it is allocated does not say where: the form does.
        let allocated = is_allocated(reasoner, &question, &stages);
        return if allocated { Located::ByForm } else { Located::Nowhere };
    }
    for candidates in stages {
        let found = match way {
            Allocation::Syntactic | Allocation::WholeHeap => None,
            Allocation::SeparationLogic => find_by_separation(reasoner, &question, &candidates),
            Allocation::Equality => find_by_equality(reasoner, &question, &candidates),
            Allocation::Model => find_by_model(reasoner, state, &question, &candidates),
        };
        if let Some(Candidate { block, offset, .. }) = found {
            return Located::Cell(block, offset);
        }
    }
    Located::Nowhere
}

fn question(names: &mut Names<'_>, state: &State, pointer: TermId) -> Question {
    let sort = Sort::BitVector(names.terms.width(pointer));
    let accessed = names.terms.variable("accessed", sort);
    let is_pointer = names.terms.equal(accessed, pointer);
    let mut known: Vec<TermId> = state.condition.iter().copied().collect();
    known.push(is_pointer);
    Question { accessed, known }
}

/// Asks the oracle's own solver whether formulas hold together.
pub(super) fn check_allocation(reasoner: &mut Reasoner<'_>, formulas: &[TermId]) -> CheckResult {
    let start = Instant::now();
    let deadline = reasoner.question_deadline();
    let result = reasoner.services.oracle.solver.check(&reasoner.names.terms, formulas, &deadline);
    reasoner.note_answer(start, result.failure());
    result
}

/// Whether the question's address can only be that of this cell.
pub(super) fn is_certainly(
    reasoner: &mut Reasoner<'_>,
    question: &Question,
    candidate: &Candidate,
) -> bool {
    let differs = reasoner.names.terms.not_equal(question.accessed, candidate.address);
    let formulas = [question.known.as_slice(), &[differs]].concat();
    check_allocation(reasoner, &formulas).is_unsat()
}
