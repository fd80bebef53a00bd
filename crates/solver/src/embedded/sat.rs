//! The SAT solver: CaDiCaL, with our deadline as its terminator.

use std::fmt;

use crate::result::LimitReached;
use heapwright_deadline::Deadline;

/// A variable of the SAT solver (positive) or its negation (negative).
pub(crate) type SatLiteral = i32;

/// CaDiCaL and the counts that it does not keep for us.
pub(crate) struct SatSolver {
    solver: cadical::Solver<Interrupt>,
    variables: SatLiteral,
    pub(crate) clauses: u64,
}

pub(crate) enum SatResult {
    Sat,
    Unsat,
    Stopped(LimitReached),
}

struct Interrupt {
    deadline: Deadline,
}

impl cadical::Callbacks for Interrupt {
    /// CaDiCaL asks after so many steps of its own, which is as good a measure of work as any.
    fn terminate(&mut self) -> bool {
        self.deadline.spend(1);
        self.deadline.is_over()
    }
}

impl SatSolver {
    pub(crate) fn new() -> Self {
        Self { solver: cadical::Solver::new(), variables: 0, clauses: 0 }
    }

    pub(crate) fn variables(&self) -> u64 {
        self.variables.unsigned_abs().into()
    }

    pub(crate) fn new_variable(&mut self) -> SatLiteral {
        self.variables = self.variables.checked_add(1).expect("too many variables");
        self.variables
    }

    pub(crate) fn add_clause(&mut self, clause: &[SatLiteral]) {
        self.clauses += 1;
        self.solver.add_clause(clause.iter().copied());
    }

    pub(crate) fn solve(&mut self, assumptions: &[SatLiteral], deadline: &Deadline) -> SatResult {
        // CaDiCaL may finish a small problem without ever asking.
        if let Err(limit) = LimitReached::before(deadline) {
            return SatResult::Stopped(limit);
        }
        if let Some(conflicts) = deadline.conflicts() {
            let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
            self.solver.set_limit("conflicts", limit).expect("CaDiCaL has this limit");
        }
        self.solver.set_callbacks(Some(Interrupt { deadline: deadline.clone() }));
        match self.solver.solve_with(assumptions.iter().copied()) {
            Some(true) => SatResult::Sat,
            Some(false) => SatResult::Unsat,
            None => SatResult::Stopped(
                LimitReached::before(deadline).err().unwrap_or(LimitReached::Conflicts),
            ),
        }
    }

    /// The value in the last solution. A variable that does not matter is false.
    pub(crate) fn value(&self, literal: SatLiteral) -> bool {
        let is_true = self.solver.value(literal.abs()).unwrap_or(false);
        is_true == (literal > 0)
    }

    /// Whether the last contradiction used this assumption.
    pub(crate) fn is_failed(&self, assumption: SatLiteral) -> bool {
        self.solver.failed(assumption)
    }
}

impl fmt::Debug for SatSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SatSolver")
            .field("variables", &self.variables)
            .field("clauses", &self.clauses)
            .finish_non_exhaustive()
    }
}
