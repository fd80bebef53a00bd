//! The iteration: ask for an execution of a loop's body after which some row does not hold, let all
//! rows cover it, and repeat until there is none. The rows are then inductive.
//!
//! The formula is given to the solver once. What rows say, and that one of them fails, are
//! assumptions of each question, so that the solver keeps what it learned.

use heapwright_engine::Reason;
use heapwright_solver::{CheckResult, Deadline, SmtSolver, Solver};

use crate::domain::Point;
use crate::ssa::formula::Formula;
use crate::synthesis::Statistics;
use crate::synthesis::search::Search;
use crate::synthesis::template::{RowIndex, Template};

/// How far a synthesis goes.
#[derive(Clone, Debug)]
pub struct Limits {
    pub deadline: Deadline,
    /// Models that may raise a number's bound before the greatest value is searched for.
    pub enumerated: u32,
    /// Searches for one row, after which it is given up.
    pub searched: u32,
}

impl Limits {
    pub fn until(deadline: Deadline) -> Limits {
        Limits { deadline, enumerated: 3, searched: 4 }
    }
}

/// There is no fixpoint, because of a limit.
#[derive(Clone, Debug)]
pub struct Stopped(pub Reason);

/// Raises the rows of the template until they are inductive. The solver has the formula's
/// constraints already.
pub fn synthesise(
    formula: &mut Formula,
    solver: &mut Solver,
    template: &mut Template,
    limits: &Limits,
    statistics: &mut Statistics,
) -> Result<(), Stopped> {
    statistics.rows = template.row_count() as u64;
    let mut given_up = Vec::new();
    iterate(formula, solver, template, limits, statistics, &mut given_up)?;
    if !given_up.is_empty() {
        let given_up = &mut given_up;
        Search { formula, solver, template, limits, statistics, given_up }.lower()?;
        iterate(formula, solver, template, limits, statistics, given_up)?;
    }
    statistics.tops = template.top_count() as u64;
    Ok(())
}

fn iterate(
    formula: &mut Formula,
    solver: &mut Solver,
    template: &mut Template,
    limits: &Limits,
    statistics: &mut Statistics,
    given_up: &mut Vec<(RowIndex, Point)>,
) -> Result<(), Stopped> {
    // Ends because every round raises a row, each row only finitely often before it is given up.
    loop {
        let mut question = template.assumptions(&mut formula.terms);
        question.push(template.violation(&mut formula.terms));
        statistics.solver_calls += 1;
        let model = match solver.check(&formula.terms, &question, &limits.deadline) {
            CheckResult::Unsat(_) => return Ok(()),
            CheckResult::Sat(model) => model,
            CheckResult::Unknown(limit) => return Err(Stopped(Reason::new(limit.to_string()))),
        };
        statistics.iterations += 1;
        let grown = template.join(&formula.terms, &model);
        assert!(!grown.is_empty(), "a violated row covers the model that violates it");
        Search { formula, solver, template, limits, statistics, given_up }.raise(&grown)?;
    }
}
