//! What a solver promises: a model exists only after `Sat`, a core only after `Unsat`.

use std::fmt;

use heapwright_deadline::{Deadline, Over};
use heapwright_logic::{Model, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::external::ExternalError;
use crate::statistics::Statistics;

/// An incremental decision procedure for bit-vectors, booleans and arrays.
/// Laws: an answer is about the assertions of all open scopes and the assumptions together; the
/// model of `Sat` makes all of them true; the core of `Unsat` is a subset of the assumptions that
/// contradicts the assertions; every call gets the same `Terms`.
pub trait SmtSolver {
    /// Adds `formula` to the innermost open scope.
    fn assert(&mut self, terms: &Terms, formula: TermId);

    /// Whether the assertions hold together under `assumptions`.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId], deadline: &Deadline) -> CheckResult;

    /// Opens a scope.
    fn push(&mut self);

    /// Forgets the assertions of the innermost open scope.
    fn pop(&mut self);

    fn statistics(&self) -> &Statistics;

    /// Runs `body` between `push` and `pop`; callers use this, not the pair.
    fn scoped<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R
    where
        Self: Sized,
    {
        self.push();
        let result = body(self);
        self.pop();
        result
    }
}

/// The answer to one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    Sat(Model),
    Unsat(Core),
    Unknown(LimitReached),
}

impl CheckResult {
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat(_))
    }

    /// What went wrong outside, if that is why there is no answer.
    pub fn failure(&self) -> Option<&ExternalError> {
        match self {
            Self::Unknown(LimitReached::Failed(error)) => Some(error),
            Self::Sat(_) | Self::Unsat(_) | Self::Unknown(_) => None,
        }
    }
}

/// The assumptions that contradict the assertions, in the order they were given. Not always the
/// fewest possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    pub assumptions: Vec<TermId>,
}

impl Core {
    pub(crate) fn new(failed: impl IntoIterator<Item = TermId>) -> Self {
        let mut seen = FxHashSet::default();
        Self { assumptions: failed.into_iter().filter(|&term| seen.insert(term)).collect() }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LimitReached {
    Time,
    Conflicts,
    Cancelled,
    /// The external solver answered "unknown".
    GaveUp,
    /// The external solver failed.
    Failed(ExternalError),
}

impl LimitReached {
    /// `Err` means: stop now.
    pub(crate) fn before(deadline: &Deadline) -> Result<(), LimitReached> {
        match deadline.over() {
            None => Ok(()),
            Some(Over::Time) => Err(LimitReached::Time),
            Some(Over::Cancelled) => Err(LimitReached::Cancelled),
        }
    }
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "the time limit was reached"),
            Self::Conflicts => write!(f, "the conflict limit was reached"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::GaveUp => write!(f, "the solver gave up"),
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}
