//! By a model: one question whether the address can be that of some cell. The model names one, and
//! one more question says whether it can only be that. The thesis calls this way SMT_ModelSAT, and
//! takes the cell that the model names without asking again.

use heapwright_solver::CheckResult;

use super::{Candidate, Question};
use crate::execution::locate::{check_allocation, is_certainly};
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::facts_of;

pub(super) fn find_by_model(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    question: &Question,
    candidates: &[Candidate],
) -> Option<Candidate> {
    let equalities: Vec<_> = candidates
        .iter()
        .map(|candidate| reasoner.names.terms.equal(question.accessed, candidate.address))
        .collect();
    let is_one_of_them = reasoner.names.terms.any(&equalities);
    // Without these the model could give two blocks the same address.
    let mut blocks: Vec<BlockId> = candidates.iter().map(|candidate| candidate.block).collect();
    blocks.dedup();
    let facts = facts_of(&mut reasoner.names, state, &blocks);
    let formulas = [question.known.as_slice(), &facts, &[is_one_of_them]].concat();
    let CheckResult::Sat(model) = check_allocation(reasoner, &formulas) else { return None };
    let named =
        equalities.iter().position(|&equal| model.satisfies(&reasoner.names.terms, equal))?;
    let candidate = candidates[named];
    is_certainly(reasoner, question, &candidate).then_some(candidate)
}
