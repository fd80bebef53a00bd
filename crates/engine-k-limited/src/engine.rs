//! The engine as others see it: explores with growing limits until one proves what is asked.

use heapwright_engine::{Engine, Finding, Reason, Run, Task};
use heapwright_program::analysis::Charts;
use heapwright_property::Part;

use crate::analysis::{Explored, explore};
use crate::proof::GraphProof;
use crate::step::Stepper;

/// Shape analysis by k-limited storage graphs.
#[derive(Clone, Debug)]
pub struct KLimitedEngine {
    /// The limits that are tried, one after the other.
    pub limits: Vec<usize>,
}

impl Default for KLimitedEngine {
    fn default() -> KLimitedEngine {
        KLimitedEngine { limits: vec![1, 2] }
    }
}

impl Engine for KLimitedEngine {
    fn name(&self) -> &'static str {
        "k-limited"
    }

    fn summary(&self) -> &'static str {
        "draws the heap as small graphs, and proves that no pointer is followed that leads nowhere"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        if let Some(reason) = refusal(task) {
            return Finding::Open(vec![reason]);
        }
        let stepper = Stepper { task, charts: &Charts::of(&task.program) };
        let mut reason = Reason::new("no limit was tried");
        for &k in &self.limits {
            reason = match explore(stepper, k, &run.deadline) {
                Explored::Everything(states) => {
                    return Finding::Proved(Box::new(GraphProof::of(task, k, &states)));
                }
                Explored::Alarm(alarm) => alarm.reason(),
                Explored::NoStart => Reason::new("there is no `main`"),
                Explored::TooMuch => Reason::new("too many storage graphs are told apart"),
                Explored::OutOfTime => Reason::new("the time limit was reached"),
            };
        }
        Finding::Open(vec![reason])
    }
}

/// What storage graphs do not answer at all.
fn refusal(task: &Task) -> Option<Reason> {
    let is_beyond = |part: &Part| match part {
        Part::UnreachCall | Part::ValidDeref | Part::ValidFree => false,
        Part::ValidMemtrack | Part::ValidMemcleanup | Part::NoOverflow | Part::Termination => true,
    };
    let part = task.specification.parts.iter().copied().find(is_beyond)?;
    let why = match part {
        Part::ValidMemtrack | Part::ValidMemcleanup => "they forget blocks that nobody leads to",
        Part::NoOverflow | Part::Termination => "they know few numbers",
        Part::UnreachCall | Part::ValidDeref | Part::ValidFree => return None,
    };
    let text = format!(
        "storage graphs say nothing of {part}: {why}; ask another engine, or about other parts"
    );
    Some(Reason::new(text).about(Some(part)))
}
