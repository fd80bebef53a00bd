//! Evidence: what a proof of this engine claims of concrete executions, so that it can be run.
//!
//! `states` is about single states: cut points, membership, samples. `edges` is about branches: those
//! that no execution takes if the proof is right, and for each of the others an execution that does.
//! `calls` is about summarised functions, whose proofs have no claims about states.

mod calls;
mod edges;
mod states;

use heapwright_engine::{Choice, CutId, CutPoint, Evidence, Instance, Membership, Passed, Sample};
use heapwright_interpreter::{Machine, Outcome};
use heapwright_memory::FaultKind;
use heapwright_program::{EdgeId, FunctionId};

pub(crate) use calls::WatchedCalls;
pub(crate) use edges::Edges;
pub(crate) use states::States;

/// What a proof hands over to be run.
#[derive(Debug, Default)]
pub(crate) struct TemplateEvidence {
    pub(crate) states: States,
    pub(crate) edges: Edges,
    pub(crate) calls: WatchedCalls,
    /// Whether runs with faults that nobody asks about are left out.
    pub(crate) is_lenient: bool,
}

impl Evidence for TemplateEvidence {
    fn cut_points(&self) -> &[CutPoint] {
        if self.is_by_calls() { &self.calls.cut_points } else { &self.states.cut_points }
    }

    fn begin(&mut self) {
        self.states.begin();
        self.calls.begin();
    }

    fn observe(&mut self, machine: &Machine<'_>, passed: Passed) {
        self.states.observe(machine, passed);
        if self.is_by_calls() {
            self.calls.observe(machine, passed);
        }
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        if self.is_by_calls() {
            self.calls.contains(cut)
        } else {
            self.states.contains(cut, machine)
        }
    }

    fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        self.states.sample(cut, choice)
    }

    fn step_count(&self) -> usize {
        self.edges.step_count()
    }

    fn instance(&mut self, step: usize) -> Instance {
        self.edges.instance(step)
    }

    fn dead_edges(&self) -> &[(FunctionId, EdgeId)] {
        self.edges.dead()
    }

    fn excuses(&self, outcome: &Outcome) -> bool {
        self.is_lenient && is_left_out(outcome)
    }
}

impl TemplateEvidence {
    /// The cut points are calls, not loops.
    fn is_by_calls(&self) -> bool {
        !self.calls.cut_points.is_empty()
    }
}

/// Whether a run ends with a fault that a lenient proof leaves out.
fn is_left_out(outcome: &Outcome) -> bool {
    let Outcome::Fault(fault) = outcome else { return false };
    use FaultKind::{DanglingDereference, DoubleFree, NullDereference};
    matches!(fault.kind, NullDereference | DanglingDereference | DoubleFree)
}
