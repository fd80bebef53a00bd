//! The engine as others see it.

use heapwright_engine::{Engine, Finding, Run, Task};

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

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        let deadline = run.deadline.at_most(self.settings.time);
        kiki::decide(task, &self.settings, &run.until(&deadline))
    }
}
