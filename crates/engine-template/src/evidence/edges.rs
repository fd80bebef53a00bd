//! Branches: which of them no execution takes, and executions that take the others.
//!
//! One model often takes many branches. So the solver is asked for a model that takes some branch that
//! no model has taken yet, until there is none: what is left then is dead. If time runs out before,
//! nothing is said to be dead but what the walk over the program never met.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use heapwright_engine::{Deadline, Instance, Task};
use heapwright_interpreter::DrawnInput;
use heapwright_logic::{Evaluator, Model, TermId};
use heapwright_program::{EdgeId, FunctionId, Operation, Program};
use heapwright_solver::{CheckResult, SmtSolver};

use crate::question::Question;

/// An edge of the program whose operation is `Assume`.
type BranchEdge = (FunctionId, EdgeId);

/// More models than this are not asked for.
const MOST_MODELS: usize = 256;

/// The part of the time that is left for the proof's evidence.
const SHARE: u32 = 4;

/// Branches are not worth more time than this.
const LONGEST: Duration = Duration::from_secs(4);

/// What a proof says of the program's branches.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    dead: Vec<BranchEdge>,
    /// The inputs of executions from the start of the program.
    runs: Vec<Vec<DrawnInput>>,
}

impl Edges {
    /// The branches that no execution takes if these invariants hold (`None`: all executions are in the
    /// formula from their start), and executions that take the others.
    pub(crate) fn of(
        question: &mut Question,
        invariants: Option<&[TermId]>,
        task: &Task,
        deadline: &Deadline,
    ) -> Edges {
        let mut search = Search { question, deadline: share(deadline) };
        let all = branches(&task.program);
        let mut open = search.guards();
        open.retain(|edge, _| all.contains(edge));
        let met: BTreeSet<BranchEdge> = open.keys().copied().collect();
        let mut runs = Vec::new();
        // Executions first: what they take is not dead, and needs no further question.
        let mut covered = search.runs(&mut open, task, &mut runs);
        if let Some(invariants) = invariants {
            covered = search.cover(&mut open, invariants, &mut |_, _| {});
        }
        let never = all.difference(&met).copied();
        let dead: BTreeSet<BranchEdge> = match covered {
            Covered::All => never.chain(open.into_keys()).collect(),
            Covered::Some => never.collect(),
        };
        Edges { dead: dead.into_iter().collect(), runs }
    }

    pub(crate) fn dead(&self) -> &[BranchEdge] {
        &self.dead
    }

    pub(crate) fn step_count(&self) -> usize {
        self.runs.len()
    }

    pub(crate) fn instance(&self, step: usize) -> Instance {
        match self.runs.get(step) {
            Some(inputs) => Instance::Run { start: None, inputs: inputs.clone(), signature: None },
            None => Instance::Unclear("the proof has no such step".to_owned()),
        }
    }
}

/// Whether what was not taken cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covered {
    All,
    /// The time, or the number of models, is at its end.
    Some,
}

struct Search<'a> {
    question: &'a mut Question,
    deadline: Deadline,
}

impl Search<'_> {
    /// When each branch is taken, in any of its copies.
    fn guards(&mut self) -> BTreeMap<BranchEdge, TermId> {
        let formula = &mut self.question.formula;
        let mut guards: BTreeMap<BranchEdge, Vec<TermId>> = BTreeMap::new();
        for branch in &formula.branches {
            guards.entry(branch.edge).or_default().push(branch.guard);
        }
        let terms = &mut formula.terms;
        guards.into_iter().map(|(edge, copies)| (edge, terms.any(&copies))).collect()
    }

    /// Removes the branches that executions from the start take, and keeps the inputs of these. What
    /// summarised functions do is not in the formula, so there are none then.
    fn runs(
        &mut self,
        open: &mut BTreeMap<BranchEdge, TermId>,
        task: &Task,
        runs: &mut Vec<Vec<DrawnInput>>,
    ) -> Covered {
        if !self.question.formula.functions.is_empty() {
            return Covered::Some;
        }
        let is_from_start = self.question.formula.is_from_start();
        self.cover(open, &[is_from_start], &mut |question, model| {
            runs.push(question.inputs(&task.program, model));
        })
    }

    /// Removes the branches that some model of the assumptions takes.
    fn cover(
        &mut self,
        open: &mut BTreeMap<BranchEdge, TermId>,
        assumptions: &[TermId],
        found: &mut dyn FnMut(&Question, &Model),
    ) -> Covered {
        for _ in 0..MOST_MODELS {
            let guards: Vec<TermId> = open.values().copied().collect();
            let some = self.question.formula.terms.any(&guards);
            let asked = [assumptions, &[some]].concat();
            let Question { formula, solver } = &mut *self.question;
            match solver.check(&formula.terms, &asked, &self.deadline) {
                CheckResult::Unsat(_) => return Covered::All,
                CheckResult::Unknown(_) => return Covered::Some,
                CheckResult::Sat(model) => {
                    let mut evaluator = Evaluator::new(&formula.terms, &model);
                    open.retain(|_, guard| !evaluator.boolean(*guard));
                    found(self.question, &model);
                }
            }
        }
        Covered::Some
    }
}

/// All branches of a program.
fn branches(program: &Program) -> BTreeSet<BranchEdge> {
    let mut branches = BTreeSet::new();
    for (function, item) in program.functions.enumerated() {
        let edges = item.body.iter().flat_map(|body| body.edges.enumerated());
        let is_branch = |operation: &Operation| matches!(operation, Operation::Assume { .. });
        let taken = edges.filter(|(_, edge)| is_branch(&edge.operation));
        branches.extend(taken.map(|(id, _)| (function, id)));
    }
    branches
}

fn share(deadline: &Deadline) -> Deadline {
    let left = deadline.remaining().map_or(LONGEST, |left| left / SHARE);
    deadline.at_most(left.min(LONGEST))
}
