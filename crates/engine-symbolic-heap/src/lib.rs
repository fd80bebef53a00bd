//! The engine `symbolic-heap`: byte-precise symbolic execution with path conditions.
//!
//! The state is that of the separation-logic analysis SLCPA (stack part, heap part, pure part): a
//! call stack, blocks with cells, and a conjunction of terms. Questions about allocation are
//! answered by the form of a pointer first and by the solver last. Every path is followed to its
//! end, so a program whose paths are finite in number and length is decided.
//!
//! Reading order: `state`, `context`, `value`, `memory`, `access`, `condition`, `step`, `call`,
//! `library`, `leaks`, `replay`, `explore`.

mod access;
mod call;
mod condition;
mod context;
mod explore;
mod leaks;
mod library;
mod memory;
mod outcome;
mod replay;
mod settings;
mod state;
mod statistics;
mod step;
mod value;

use heapwright_engine::{
    Deadline, Engine, Finding, Proof, Reason, Run, Task, replay_violates,
};

use crate::context::Context;
use crate::explore::{Exploration, Explored};
pub use crate::settings::Settings;
pub use crate::statistics::Statistics;

/// Symbolic execution of all paths.
#[derive(Clone, Debug, Default)]
pub struct SymbolicHeapEngine {
    pub settings: Settings,
}

impl Engine for SymbolicHeapEngine {
    fn name(&self) -> &'static str {
        "symbolic-heap"
    }

    fn summary(&self) -> &'static str {
        "follows all paths with symbolic values on a byte-precise heap"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        match explore(task, &self.settings, run.deadline) {
            (Explored::Complete, statistics) => Finding::Proved(Box::new(AllPaths {
                settings: self.settings.clone(),
                statistics,
            })),
            (Explored::Violation(inputs), _) => Finding::Refuted(inputs),
            (Explored::Open(reasons), _) => Finding::Open(reasons),
        }
    }
}

fn explore(task: &Task, settings: &Settings, deadline: &Deadline) -> (Explored, Statistics) {
    let deadline = deadline.at_most(settings.time);
    let solver_deadline = match deadline.remaining() {
        Some(time) => heapwright_solver::Deadline::after(time),
        None => heapwright_solver::Deadline::unlimited(),
    };
    let mut context = Context::new(task, settings, solver_deadline);
    let initial = match context.initial() {
        Ok(state) => state,
        Err(reason) => return (Explored::Open(vec![reason]), Statistics::default()),
    };
    let confirm = |inputs: &[heapwright_interpreter::DrawnInput]| replay_violates(task, inputs);
    let explored = Exploration::new(&mut context, &confirm).run(initial, &deadline);
    (explored, context.statistics)
}

/// Every path was explored.
#[derive(Debug)]
struct AllPaths {
    settings: Settings,
    statistics: Statistics,
}

impl Proof for AllPaths {
    /// Explores once more, and runs the program on some inputs.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        match explore(task, &self.settings, deadline) {
            (Explored::Complete, statistics) if statistics.paths == self.statistics.paths => Ok(()),
            (Explored::Complete, _) => Err(Reason::new("another exploration found other paths")),
            (Explored::Violation(_), _) => Err(Reason::new("another exploration found a fault")),
            (Explored::Open(reasons), _) => {
                let reason = reasons.into_iter().next();
                Err(reason.unwrap_or_else(|| Reason::new("another exploration did not finish")))
            }
        }
    }

    fn summary(&self) -> String {
        let Statistics { paths, steps, solver_calls, .. } = &self.statistics;
        format!("all {paths} paths were explored ({steps} steps, {solver_calls} solver calls)")
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
