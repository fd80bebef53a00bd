//! How far an exploration may go, who may end it, and who hears of its progress.

use crate::analysis::IsOver;
use crate::graph::NodeId;
use crate::statistics::Statistics;

/// What an exploration may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Work as the analysis counts it, in all.
    pub work: u64,
    /// Nodes of the graph.
    pub nodes: usize,
    /// States that wait at a time.
    pub waiting: usize,
    /// States that are kept apart at one meeting place.
    pub at_one_place: usize,
}

impl Budgets {
    /// No limits.
    pub const UNLIMITED: Budgets = Budgets {
        work: u64::MAX,
        nodes: usize::MAX,
        waiting: usize::MAX,
        at_one_place: usize::MAX,
    };

    pub(crate) fn exceeded(&self, statistics: &Statistics) -> Option<Limit> {
        if statistics.work >= self.work {
            Some(Limit::Work)
        } else if statistics.nodes >= self.nodes {
            Some(Limit::Nodes)
        } else if statistics.waiting > self.waiting {
            Some(Limit::Waiting)
        } else if statistics.most_at_one_place > self.at_one_place {
            Some(Limit::AtOnePlace)
        } else {
            None
        }
    }
}

/// What ended an exploration before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time was over, or somebody asked to stop.
    Interrupted,
    Work,
    Nodes,
    Waiting,
    AtOnePlace,
}

/// Something that happened in an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The transfer of a node begins.
    Expands(NodeId),
    /// A node is new and waits.
    Added(NodeId),
    /// A node is covered: on arrival, or by a state that was joined later.
    Covered { node: NodeId, by: NodeId },
    /// A known node gives way to one that describes it and a new state.
    Joined { known: NodeId, into: NodeId },
}

/// Is called for everything that happens.
pub type Observer<'a> = dyn FnMut(Event, &Statistics) + 'a;

/// The outside of an exploration.
pub struct Control<'a> {
    pub budgets: Budgets,
    pub(crate) is_over: IsOver<'a>,
    pub(crate) observe: Option<&'a mut Observer<'a>>,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("budgets", &self.budgets).finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// `is_over` is asked before every transfer: a deadline, a flag.
    #[must_use]
    pub fn new(budgets: Budgets, is_over: &'a dyn Fn() -> bool) -> Control<'a> {
        Control { budgets, is_over: IsOver(is_over), observe: None }
    }

    #[must_use]
    pub fn observed_by(self, observe: &'a mut Observer<'a>) -> Control<'a> {
        Control { observe: Some(observe), ..self }
    }

    pub(crate) fn say(&mut self, event: Event, statistics: &Statistics) {
        if let Some(observe) = &mut self.observe {
            observe(event, statistics);
        }
    }
}
