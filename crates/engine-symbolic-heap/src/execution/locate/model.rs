//! By a model: one question whether the address can be that of some cell. The model names one, and
//! one more question says whether it can only be that. The thesis calls this way SMT_ModelSAT, and
//! takes the cell that the model names without asking again.

use heapwright_solver::CheckResult;

use super::{Candidate, Question};
use crate::context::Context;
use crate::heap::block::BlockId;
use crate::heap::state::State;

impl Context<'_> {
    pub(super) fn find_by_model(
        &mut self,
        state: &State,
        question: &Question,
        candidates: &[Candidate],
    ) -> Option<Candidate> {
        let equalities: Vec<_> = candidates
            .iter()
            .map(|candidate| self.names.terms.equal(question.accessed, candidate.address))
            .collect();
        let is_one_of_them = self.names.terms.any(&equalities);
        // Without these the model could give two blocks the same address.
        let mut blocks: Vec<BlockId> = candidates.iter().map(|candidate| candidate.block).collect();
        blocks.dedup();
        let facts = self.facts_of(state, &blocks);
        let formulas = [question.known.as_slice(), &facts, &[is_one_of_them]].concat();
        let CheckResult::Sat(model) = self.check_allocation(&formulas) else { return None };
        let named =
            equalities.iter().position(|&equal| model.satisfies(&self.names.terms, equal))?;
        let candidate = candidates[named];
        self.is_certainly(question, &candidate).then_some(candidate)
    }
}
