//! By equality: for each cell, one question whether the address can differ from the cell's.
//! The thesis calls this way SMT.

use super::{Candidate, Question};
use crate::context::Context;

impl Context<'_> {
    pub(super) fn find_by_equality(
        &mut self,
        question: &Question,
        candidates: &[Candidate],
    ) -> Option<Candidate> {
        candidates.iter().copied().find(|candidate| self.is_certainly(question, candidate))
    }
}
