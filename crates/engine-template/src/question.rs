//! Questions about a formula: can a loop-free execution fail, and do invariants exclude failures?

use heapwright_interpreter::{DrawnInput, InputKind as DrawnKind};
use heapwright_logic::{Evaluator, Model, TermId};
use heapwright_program::{Place, Program, ScalarType};
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver, Solver};

use heapwright_base::DenseId;
use heapwright_engine::Reason;

use crate::ssa::formula::{Formula, InputKind};

/// A formula in a solver.
pub(crate) struct Question {
    pub(crate) formula: Formula,
    pub(crate) solver: Solver,
}

/// What the solver says about failures.
pub(crate) enum Failure {
    Impossible,
    /// The obligation that fails, and how.
    Possible {
        obligation: usize,
        model: Box<Model>,
    },
    Unknown(Reason),
}

impl Question {
    pub(crate) fn new(formula: Formula, back_end: &BackEnd) -> Question {
        let mut solver = back_end.solver();
        for &constraint in &formula.constraints {
            solver.assert(&formula.terms, constraint);
        }
        Question { formula, solver }
    }

    /// Whether an execution from the start violates what was asked, with loops of few rounds.
    pub(crate) fn concrete_failure(&mut self, deadline: &Deadline) -> Failure {
        let is_from_start = self.formula.is_from_start();
        let asked =
            |question: &Question, index: usize| question.formula.obligations[index].part.is_some();
        self.failure(&[is_from_start], asked, deadline)
    }

    /// Whether all executions are from the start, with loops of no more rounds and recursion no deeper
    /// than the formula has, and without summarised functions.
    pub(crate) fn is_complete(&mut self, deadline: &Deadline) -> bool {
        let is_from_start = self.formula.is_from_start();
        let backs = self.formula.loops.iter().map(|cut| cut.back_guard);
        let calls = self.formula.functions.iter().flat_map(|function| &function.calls);
        let backs = backs.chain(calls.map(|call| call.guard));
        let backs: Vec<TermId> = backs.chain(self.formula.cut_runs.iter().copied()).collect();
        let goes_on = self.formula.terms.any(&backs);
        let question = [is_from_start, goes_on];
        matches!(self.solver.check(&self.formula.terms, &question, deadline), CheckResult::Unsat(_))
    }

    /// Whether some obligation may fail in an execution from the start.
    pub(crate) fn any_concrete_failure(&mut self, deadline: &Deadline) -> Failure {
        let is_from_start = self.formula.is_from_start();
        self.failure(&[is_from_start], |_, _| true, deadline)
    }

    /// Whether some obligation may fail if these hold.
    pub(crate) fn any_failure(&mut self, invariants: &[TermId], deadline: &Deadline) -> Failure {
        self.failure(invariants, |_, _| true, deadline)
    }

    /// Whether some obligation that nobody asks about may fail if these hold.
    pub(crate) fn unasked_failure(
        &mut self,
        invariants: &[TermId],
        deadline: &Deadline,
    ) -> Failure {
        let is_unasked =
            |question: &Question, index: usize| question.formula.obligations[index].part.is_none();
        self.failure(invariants, is_unasked, deadline)
    }

    fn failure(
        &mut self,
        assumptions: &[TermId],
        is_wanted: impl Fn(&Question, usize) -> bool,
        deadline: &Deadline,
    ) -> Failure {
        let wanted: Vec<usize> =
            (0..self.formula.obligations.len()).filter(|&index| is_wanted(self, index)).collect();
        let failures: Vec<TermId> = wanted.iter().map(|&index| self.fails(index)).collect();
        let any = self.formula.terms.any(&failures);
        let mut question = assumptions.to_vec();
        question.push(any);
        match self.solver.check(&self.formula.terms, &question, deadline) {
            CheckResult::Unsat(_) => Failure::Impossible,
            CheckResult::Unknown(limit) => Failure::Unknown(Reason::new(limit.to_string())),
            CheckResult::Sat(model) => {
                let mut evaluator = Evaluator::new(&self.formula.terms, &model);
                let failing = failures.iter().position(|&fails| evaluator.boolean(fails));
                let obligation = wanted[failing.expect("the model makes one of them fail")];
                Failure::Possible { obligation, model: Box::new(model) }
            }
        }
    }

    fn fails(&mut self, index: usize) -> TermId {
        let obligation = self.formula.obligations[index].clone();
        let guard = self.formula.must_hold(&obligation);
        let terms = &mut self.formula.terms;
        let is_broken = terms.not(obligation.condition);
        terms.and(guard, is_broken)
    }

    /// What a program draws in a model, in order.
    pub(crate) fn inputs(&self, program: &Program, model: &Model) -> Vec<DrawnInput> {
        let place = Place { file: DenseId::from_index(0), line: 0, column: 0 };
        let mut evaluator = Evaluator::new(&self.formula.terms, model);
        let mut inputs = Vec::new();
        for input in &self.formula.inputs {
            if !evaluator.boolean(input.guard) {
                continue;
            }
            let bits = evaluator.bit_vector(input.value).bits();
            let (kind, ty) = match &input.kind {
                InputKind::Nondeterministic(name) => {
                    (DrawnKind::Nondeterministic(name.as_str().into()), ScalarType::BYTE)
                }
                InputKind::Uninitialised(variable) => {
                    let known = program.variables.get(*variable).map(|_| *variable);
                    (DrawnKind::UninitialisedVariable(known), ScalarType::BYTE)
                }
                // Which block that is, is not known here; the interpreter decides on success.
                InputKind::AllocationFails => continue,
            };
            inputs.push(DrawnInput { kind, ty, bits, place });
        }
        inputs
    }
}
