//! Where work comes from: each queue knows what to run next, and what must hold of it.

mod perturbed;
mod runs;
mod small;
mod steps;

use crate::budget::Budget;
use crate::examination::Refutation;
use crate::examiner::Examiner;
use crate::queues::perturbed::Perturbed;
use crate::queues::runs::WholeRuns;
use crate::queues::small::SmallStates;
use crate::queues::steps::Steps;

/// What a queue says after a turn.
pub(crate) enum Turn {
    Worked,
    /// Others have to work first.
    Waiting,
    /// There is nothing left to do.
    Dry,
    Refuted(Box<Refutation>),
}

/// A source of runs: each turn is one of them.
pub(crate) trait Source {
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn;
}

/// A queue and what it has had of its share.
pub(crate) struct Queue<'e> {
    source: Box<dyn Source + 'e>,
    pub(crate) spent: u64,
    pub(crate) share: u64,
    pub(crate) is_dry: bool,
}

impl Queue<'_> {
    pub(crate) fn take_turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        self.source.turn(examiner)
    }
}

/// All queues; whole runs first, since a violation that they show is an answer.
pub(crate) fn all<'e>(budget: &Budget) -> Vec<Queue<'e>> {
    let queue =
        |source: Box<dyn Source + 'e>, share| Queue { source, spent: 0, share, is_dry: false };
    vec![
        queue(Box::new(WholeRuns::new(budget.runs)), 25),
        queue(Box::<Steps>::default(), 30),
        queue(Box::new(SmallStates::new(budget)), 30),
        queue(Box::<Perturbed>::default(), 15),
    ]
}
