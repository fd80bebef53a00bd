//! Numbers about a solver's work, for tables and for finding regressions.

use std::fmt;
use std::time::Duration;

use crate::result::CheckResult;

/// What a solver has done so far. An external solver fills only the first group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub checks: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Time in `check`, and in turning terms into clauses.
    pub time: Duration,

    /// How often the circuit was built anew; the numbers below are those of the present one.
    pub renewals: u64,
    /// Gates built, counting each shared one once.
    pub gates: u64,
    /// Gates asked for that were there already.
    pub gate_hits: u64,
    /// Terms asked for that had been translated already.
    pub term_hits: u64,
    pub variables: u64,
    pub clauses: u64,
    /// Pairs of array reads that had to be told to agree.
    pub array_lemmas: u64,
}

impl Statistics {
    pub(crate) fn count(&mut self, result: &CheckResult) {
        self.checks += 1;
        match result {
            CheckResult::Sat(_) => self.sat += 1,
            CheckResult::Unsat(_) => self.unsat += 1,
            CheckResult::Unknown(_) => self.unknown += 1,
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { checks, sat, unsat, unknown, time, gates, variables, clauses, .. } = self;
        write!(
            f,
            "{checks} checks ({sat} sat, {unsat} unsat, {unknown} unknown) in {:.3} s, \
             {gates} gates, {variables} variables, {clauses} clauses",
            time.as_secs_f64()
        )
    }
}
