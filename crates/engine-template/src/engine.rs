//! The engine as others see it.

use heapwright_engine::{Engine, Finding, Run, Task};
use heapwright_program::{Operation, Program, Storage};

use crate::kiki;
use crate::settings::Settings;

pub(crate) const NAME: &str = "template";

/// Template-based synthesis of invariants.
#[derive(Clone, Debug, Default)]
pub struct TemplateEngine {
    pub settings: Settings,
}

impl Engine for TemplateEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "finds invariants of loops, over numbers and pointers together, by template synthesis"
    }

    fn is_slow_at(&self, task: &Task) -> bool {
        has_heap(&task.program)
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        let deadline = run.deadline.at_most(self.settings.time);
        kiki::decide(task, &self.settings, &run.until(&deadline))
    }
}

/// Whether the program allocates what somebody has to free: then its shapes are most of the work.
fn has_heap(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut edges = bodies.flat_map(|body| body.edges.iter());
    edges.any(|edge| matches!(edge.operation, Operation::Allocate { storage: Storage::Heap, .. }))
}
