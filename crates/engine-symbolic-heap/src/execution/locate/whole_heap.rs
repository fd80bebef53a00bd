//! By the whole heap: one question whether `cell ↦ _ * … * accessed ↦ _` can be, over all cells. If it
//! cannot, the address is allocated. This is algorithm 3 of the thesis, its check for allocation; which
//! cell it is remains open.
//!
//! Cells and gaps come first, bytes inside of them in a second question: most accesses are at the
//! start of a cell, and a question over every byte is several times as long.

use std::time::Instant;

use heapwright_logic::TermId;
use heapwright_solver::SeparationResult;

use super::{Candidate, Question};
use crate::reasoning::Reasoner;

pub(super) fn is_allocated(
    reasoner: &mut Reasoner<'_>,
    question: &Question,
    stages: &[Vec<Candidate>],
) -> bool {
    let mut cells: Vec<TermId> = vec![question.accessed];
    stages.iter().any(|candidates| {
        cells.extend(candidates.iter().map(|candidate| candidate.address));
        !candidates.is_empty() && overlaps(reasoner, question, &cells)
    })
}

/// Whether the cells cannot all lie apart.
fn overlaps(reasoner: &mut Reasoner<'_>, question: &Question, cells: &[TermId]) -> bool {
    let start = Instant::now();
    let deadline = reasoner.question_deadline();
    let separation = &mut reasoner.services.oracle.separation;
    let result = separation.check(&reasoner.names.terms, &question.known, cells, &deadline);
    reasoner.note_answer(start, result.failure());
    result == SeparationResult::Unsat
}
