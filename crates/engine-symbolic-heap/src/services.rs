//! Services: who answers questions, until when, and what was counted.

use std::time::Duration;

use heapwright_engine::{Deadline, Observer, Silent, WorkMeter};
use heapwright_solver::{ExternalError, SeparationSolver, Solver};

use crate::settings::Settings;
use crate::statistics::Statistics;

/// Processor time behind the end of a turn in which what is under way is done. Joins that are cut off would forget what they did not get to
/// ask, and a path whose question has no answer would be lost; so a search goes on with them in the next turn.
const GRACE: Duration = Duration::from_millis(100);

/// The solvers, and what they did.
#[derive(Debug)]
pub(crate) struct Services<'t> {
    pub(crate) solver: Solver,
    /// Why the solver is not asked any more.
    pub(crate) failure: Option<ExternalError>,
    pub(crate) oracle: Oracle,
    pub(crate) deadline: Deadline,
    pub(crate) statistics: Statistics,
    /// Who looks on.
    pub(crate) observer: &'t dyn Observer,
    /// How much may be asked, and of whom.
    pub(crate) settings: Settings,
}

impl Services<'_> {
    /// Who counts the work; somebody does from now on.
    pub(crate) fn meter(&mut self) -> WorkMeter {
        let meter = self.deadline.meter().unwrap_or_default();
        self.deadline = self.deadline.at_most_units(&meter, u64::MAX);
        meter
    }

    /// Answers questions until the end of a turn, and a little longer.
    pub(crate) fn begin_turn(&mut self, deadline: &Deadline) {
        self.deadline = deadline.with_grace(GRACE);
    }

    /// Unwatched.
    pub(crate) fn new(settings: &Settings, deadline: Deadline) -> Self {
        Services {
            solver: settings.solver.solver(),
            failure: None,
            oracle: Oracle::new(settings),
            deadline,
            statistics: Statistics::default(),
            observer: &Silent,
            settings: settings.clone(),
        }
    }
}

/// Who answers allocation questions: solvers of their own, which know the addresses of many cells.
#[derive(Debug)]
pub(crate) struct Oracle {
    pub(crate) solver: Solver,
    pub(crate) separation: SeparationSolver,
}

impl Oracle {
    pub(crate) fn new(settings: &Settings) -> Oracle {
        Oracle { solver: settings.solver.solver(), separation: SeparationSolver::new() }
    }
}
