//! By equality: for each cell, one question whether the address can differ from the cell's.
//! The thesis calls this way SMT.

use super::{Candidate, Question};
use crate::execution::locate::is_certainly;
use crate::reasoning::Reasoner;

pub(super) fn find_by_equality(
    reasoner: &mut Reasoner<'_>,
    question: &Question,
    candidates: &[Candidate],
) -> Option<Candidate> {
    candidates.iter().copied().find(|candidate| is_certainly(reasoner, question, candidate))
}
