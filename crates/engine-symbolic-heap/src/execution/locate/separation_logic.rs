//! By separation logic: for each cell, one question whether `cell ↦ _ * accessed ↦ _` can be. If it
//! cannot, the two are one. The thesis calls this way SL.

use std::time::Instant;

use heapwright_solver::SeparationResult;

use super::{Candidate, Question};
use crate::reasoning::Reasoner;

pub(super) fn find_by_separation(
    reasoner: &mut Reasoner<'_>,
    question: &Question,
    candidates: &[Candidate],
) -> Option<Candidate> {
    candidates.iter().copied().find(|candidate| {
        let start = Instant::now();
        let deadline = reasoner.question_deadline();
        let cells = [candidate.address, question.accessed];
        let separation = &mut reasoner.services.oracle.separation;
        let result = separation.check(&reasoner.names.terms, &question.known, &cells, &deadline);
        reasoner.note_answer(start, result.failure());
        result == SeparationResult::Unsat
    })
}
