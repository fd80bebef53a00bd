//! The engine as the others see it.

use heapwright_engine::{Engine, Finding, Run, Task};

use crate::settings::{NAME, Settings};
use crate::strategy::schedule::Attempt;

/// Symbolic execution of all paths.
#[derive(Clone, Debug, Default)]
pub struct SymbolicHeapEngine {
    pub settings: Settings,
}

impl Engine for SymbolicHeapEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "follows all paths with symbolic values on a byte-precise heap, and folds lists and trees"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        Attempt::new(task, &self.settings).go_on(run)
    }

    fn attempt<'t>(&'t self, task: &'t Task) -> heapwright_engine::Attempt<'t> {
        let mut attempt = Attempt::new(task, &self.settings);
        Box::new(move |run| attempt.go_on(run))
    }
}
