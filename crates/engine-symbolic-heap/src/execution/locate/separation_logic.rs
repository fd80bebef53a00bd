//! By separation logic: for each cell, one question whether `cell ↦ _ * accessed ↦ _` can be. If it
//! cannot, the two are one. The thesis calls this way SL.

use std::time::Instant;

use heapwright_solver::SeparationResult;

use super::{Candidate, Question};
use crate::context::Context;

impl Context<'_> {
    pub(super) fn find_by_separation(
        &mut self,
        question: &Question,
        candidates: &[Candidate],
    ) -> Option<Candidate> {
        candidates.iter().copied().find(|candidate| {
            let start = Instant::now();
            let deadline = self.question_deadline();
            let cells = [candidate.address, question.accessed];
            let separation = &mut self.services.oracle.separation;
            let result = separation.check(&self.names.terms, &question.known, &cells, &deadline);
            self.note_answer(start, result.failure());
            result == SeparationResult::Unsat
        })
    }
}
