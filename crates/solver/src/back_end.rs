//! The choice of a solver: the embedded one, or a command that the user names.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use heapwright_logic::{Sort, TermId, Terms};

use crate::embedded::EmbeddedSolver;
use crate::external::{ExternalCommand, ExternalSolver};
use crate::result::{CheckResult, SmtSolver};
use crate::statistics::Statistics;
use heapwright_deadline::Deadline;

/// Which solver answers. Read from text: `embedded`, the name of a solver whose options we know,
/// or a whole command line, its words separated by blanks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BackEnd {
    #[default]
    Embedded,
    External(ExternalCommand),
}

/// A solver of either kind.
#[derive(Debug)]
pub enum Solver {
    Embedded(Box<EmbeddedSolver>),
    External(Box<ExternalSolver>),
}

/// How long a solver may take for the questions of a [`BackEnd::probe`].
const PROBE_TIME: Duration = Duration::from_secs(10);

impl BackEnd {
    /// A new solver that knows nothing. A command is started by the first check.
    #[must_use]
    pub fn solver(&self) -> Solver {
        match self {
            Self::Embedded => Solver::Embedded(Box::default()),
            Self::External(command) => {
                Solver::External(Box::new(ExternalSolver::new(command.clone())))
            }
        }
    }

    /// Asks questions whose answers are known, so that a solver that is missing, or does not
    /// understand what an engine will ask, is found out before there is work to lose. The error
    /// says what is wrong.
    pub fn probe(&self) -> Result<(), String> {
        let mut solver = self.solver();
        let mut terms = Terms::new();
        let deadline = Deadline::after(PROBE_TIME);
        let [truth, word] = [("truth", Sort::Boolean), ("word", Sort::BitVector(8))]
            .map(|(name, sort)| terms.variable(name, sort));
        let zero = terms.bit_vector(0, 8);
        let is_zero = terms.equal(word, zero);
        let is_not_zero = terms.not(is_zero);
        let satisfiable = solver.check(&terms, &[truth, is_not_zero], &deadline);
        self.expect(&satisfiable, |result| {
            matches!(result, CheckResult::Sat(model)
                if [truth, is_not_zero].iter().all(|&term| model.satisfies(&terms, term)))
        })?;
        let contradiction = solver.scoped(|solver| {
            solver.assert(&terms, is_zero);
            solver.check(&terms, &[truth, is_not_zero], &deadline)
        });
        self.expect(&contradiction, |result| {
            matches!(result, CheckResult::Unsat(core) if core.assumptions.contains(&is_not_zero))
        })?;
        let again = solver.check(&terms, &[is_not_zero], &deadline);
        self.expect(&again, CheckResult::is_sat)
    }

    fn expect(
        &self,
        result: &CheckResult,
        is_right: impl Fn(&CheckResult) -> bool,
    ) -> Result<(), String> {
        match result {
            result if is_right(result) => Ok(()),
            CheckResult::Unknown(limit) => Err(match limit {
                crate::LimitReached::Failed(error) => error.to_string(),
                other => format!("solver `{self}` does not answer a simple question: {other}"),
            }),
            CheckResult::Sat(_) | CheckResult::Unsat(_) => {
                Err(format!("solver `{self}` answers a simple question wrongly"))
            }
        }
    }
}

impl FromStr for BackEnd {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [] => Err("the command of a solver is empty".to_owned()),
            ["embedded"] => Ok(Self::Embedded),
            ["z3"] => Ok(Self::External(ExternalCommand::z3())),
            ["cvc5"] => Ok(Self::External(ExternalCommand::cvc5())),
            ["bitwuzla"] => Ok(Self::External(ExternalCommand::bitwuzla())),
            [program, arguments @ ..] => {
                Ok(Self::External(ExternalCommand::new(program, arguments)))
            }
        }
    }
}

impl fmt::Display for BackEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded => write!(f, "embedded"),
            Self::External(command) => write!(f, "{command}"),
        }
    }
}

impl SmtSolver for Solver {
    fn assert(&mut self, terms: &Terms, formula: TermId) {
        match self {
            Self::Embedded(solver) => solver.assert(terms, formula),
            Self::External(solver) => solver.assert(terms, formula),
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], deadline: &Deadline) -> CheckResult {
        match self {
            Self::Embedded(solver) => solver.check(terms, assumptions, deadline),
            Self::External(solver) => solver.check(terms, assumptions, deadline),
        }
    }

    fn push(&mut self) {
        match self {
            Self::Embedded(solver) => solver.push(),
            Self::External(solver) => solver.push(),
        }
    }

    fn pop(&mut self) {
        match self {
            Self::Embedded(solver) => solver.pop(),
            Self::External(solver) => solver.pop(),
        }
    }

    fn statistics(&self) -> &Statistics {
        match self {
            Self::Embedded(solver) => solver.statistics(),
            Self::External(solver) => solver.statistics(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_commands_that_work() {
        let command = |text: &str| text.parse::<BackEnd>().unwrap().to_string();
        assert_eq!(command("embedded"), "embedded");
        assert_eq!(command("z3"), "z3 -in");
        assert_eq!(command(" z3  -in -T:5 "), "z3 -in -T:5");
        assert!(" ".parse::<BackEnd>().is_err());
    }

    #[test]
    fn the_embedded_solver_passes_the_probe() {
        assert_eq!(BackEnd::Embedded.probe(), Ok(()));
    }

    #[test]
    fn a_command_that_is_no_solver_fails_the_probe() {
        for text in ["no-such-solver", "cat", "false", "echo sat", "echo unknown"] {
            assert!(text.parse::<BackEnd>().unwrap().probe().is_err(), "{text}");
        }
    }
}
