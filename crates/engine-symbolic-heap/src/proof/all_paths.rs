//! A proof by following every path to its end.

use heapwright_engine::{Deadline, Evidence, Proof, Reason, Run, Task};

use crate::analysis::path_log::PathLog;
use crate::analysis::paths::{Explored, explore};
use crate::settings::Settings;
use crate::statistics::Statistics;

/// Every path was explored.
#[derive(Debug)]
pub(crate) struct AllPaths {
    pub(crate) settings: Settings,
    pub(crate) statistics: Statistics,
    pub(crate) paths: PathLog,
}

impl Proof for AllPaths {
    /// Explores once more, from nothing: the paths must be the same.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        match explore(task, &self.settings, None, &Run::alone(deadline)) {
            (Explored::Complete(paths), statistics)
                if statistics.paths == self.statistics.paths
                    && paths.has_same_paths(&self.paths) =>
            {
                Ok(())
            }
            (Explored::Complete(_), _) => Err(Reason::new("another exploration found other paths")),
            (Explored::Violation(_), _) => Err(Reason::new("another exploration found a fault")),
            (Explored::Open(reasons) | Explored::Interrupted(reasons), _) => {
                let reason = reasons.into_iter().next();
                Err(reason.unwrap_or_else(|| Reason::new("another exploration did not finish")))
            }
        }
    }

    fn evidence(&self, _: &Task, _: &Deadline) -> Box<dyn Evidence> {
        Box::new(self.paths.clone())
    }

    fn summary(&self) -> String {
        let Statistics { paths, steps, solver_calls, .. } = &self.statistics;
        format!("all {paths} paths were explored ({steps} steps, {solver_calls} solver calls)")
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
