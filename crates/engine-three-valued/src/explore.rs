//! One exploration at one precision: everything, or the first alarm with the path that leads to it.

use heapwright_engine::Deadline;
use heapwright_exploration::{Budgets, Control, End, Explorer, Limit, Order};
use heapwright_program::{EdgeId, FunctionId};

use crate::alarm::Alarm;
use crate::analysis::{Reached, ShapeAnalysis};
use crate::model::Model;
use crate::transfer::initial;

/// The edges of an execution, from the start of the program on.
pub(crate) type Path = Vec<(FunctionId, EdgeId)>;

#[derive(Debug)]
pub(crate) enum Explored {
    /// Every state that an execution can be in at a cut point is described.
    Everything(Reached),
    Alarm(Alarm, Path),
    /// So much work was done without an end.
    TooMuch,
    OutOfTime,
}

/// What an exploration cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Structures that were made, after focus.
    pub(crate) structures: u64,
    /// Edges that were passed by a structure.
    pub(crate) steps: u64,
    /// Structures that are kept at cut points.
    pub(crate) kept: u64,
}

/// Explores until everything is seen, an alarm is raised, or `most` steps are made.
pub(crate) fn explore(model: &Model<'_>, most: u64, deadline: &Deadline) -> (Explored, Work) {
    let mut analysis = ShapeAnalysis::new(model);
    let mut explorer = Explorer::new(Order::BreadthFirst);
    let state = match initial(model) {
        Ok(state) => state,
        Err(alarm) => return (Explored::Alarm(alarm, Path::new()), Work::default()),
    };
    explorer.start(&analysis, state, (), None);
    let is_over = || deadline.is_over();
    let budgets = Budgets { work: most, ..Budgets::UNLIMITED };
    let end = explorer.run(&mut analysis, &mut Control::new(budgets, &is_over));
    let mut work =
        Work { structures: analysis.structures, steps: analysis.steps, ..Work::default() };
    let explored = match end {
        End::Complete => {
            let reached = explorer.into_graph().into_reached();
            work.kept = reached.values().map(|states| states.len() as u64).sum();
            Explored::Everything(reached)
        }
        End::Decided => {
            let found = explorer.take_findings().pop().expect("the analysis has decided");
            let graph = explorer.graph();
            let labels = graph.path(found.node).into_iter().filter_map(|node| graph.label(node));
            let mut path: Path = labels.flatten().copied().collect();
            path.extend(found.finding.trail);
            Explored::Alarm(found.finding.alarm, path)
        }
        End::Limited(Limit::Interrupted) => Explored::OutOfTime,
        End::Limited(Limit::Work | Limit::Nodes | Limit::Waiting | Limit::AtOnePlace) => {
            Explored::TooMuch
        }
    };
    (explored, work)
}
