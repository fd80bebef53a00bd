//! One exploration at one precision: everything, or the first alarm with the path that leads to it.

use heapwright_engine::Deadline;
use heapwright_exploration::{Budgets, Control, End, Explorer, Limit, Order};
use heapwright_program::{EdgeId, FunctionId};

use crate::alarm::Alarm;
use crate::analysis::{Raised, Reached, ShapeAnalysis, in_order};
use crate::costs::Costs;
use crate::model::Model;
use crate::state::Slot;
use crate::transfer::{AskedNumbers, initial};

/// The edges of an execution, from the start of the program on.
pub(crate) type Path = Vec<(FunctionId, EdgeId)>;

/// A path that may be an execution that goes wrong.
#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) alarm: Alarm,
    pub(crate) path: Path,
    /// Unknown pointers whose value was asked for behind its last cut point.
    pub(crate) asked: Vec<Slot>,
    /// Numbers that were.
    pub(crate) numbers: AskedNumbers,
}

#[derive(Debug)]
pub(crate) enum Explored {
    /// Every state that an execution can be in at a cut point is described.
    Everything(Reached),
    Alarm(Suspect),
    /// So much work was done without an end.
    TooMuch,
    OutOfTime,
}

/// Explores until everything is seen, an alarm is raised, or `most` steps are made; adds what it costs.
pub(crate) fn explore(
    model: &Model<'_>,
    most: u64,
    deadline: &Deadline,
    costs: &mut Costs,
) -> Explored {
    let mut analysis = ShapeAnalysis::new(model);
    let mut explorer = Explorer::new(Order::BreadthFirst);
    let state = match initial(model) {
        Ok(state) => state,
        Err(alarm) => {
            let (asked, numbers) = (Vec::new(), AskedNumbers::default());
            let suspect = Suspect { alarm, path: Path::new(), asked, numbers };
            return Explored::Alarm(suspect);
        }
    };
    let (state, meeting) = analysis.begin(state);
    explorer.start(&analysis, state, (), meeting);
    let is_over = || deadline.is_over();
    let budgets = Budgets { work: most, ..Budgets::UNLIMITED };
    let end = explorer.run(&mut analysis, &mut Control::new(budgets, &is_over));
    costs.structures += analysis.structures;
    costs.last_structures = analysis.structures;
    costs.steps += analysis.steps;
    match end {
        End::Complete => {
            let reached = in_order(explorer.into_graph().into_reached());
            costs.kept = reached.len() as u64;
            Explored::Everything(reached)
        }
        End::Decided => {
            let found = explorer.take_findings().pop().expect("the analysis has decided");
            let graph = explorer.graph();
            let labels = graph.path(found.node).into_iter().filter_map(|node| graph.label(node));
            let mut path: Path = labels.flatten().copied().collect();
            let Raised { alarm, trail, asked, numbers } = found.finding;
            path.extend(trail);
            Explored::Alarm(Suspect { alarm, path, asked, numbers })
        }
        End::Limited(Limit::Interrupted) => Explored::OutOfTime,
        End::Limited(Limit::Work | Limit::Nodes | Limit::Waiting | Limit::AtOnePlace) => {
            Explored::TooMuch
        }
    }
}
