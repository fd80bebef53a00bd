//! States: what the rows of a proof say of concrete machines at the cut points.

use heapwright_engine::{Choice, CutId, CutPoint, Membership, Passed, Sample};
use heapwright_interpreter::Machine;

/// The cut points of a proof, with what is claimed of them.
#[derive(Debug, Default)]
pub(crate) struct States {
    pub(crate) cut_points: Vec<CutPoint>,
}

impl States {
    pub(crate) fn begin(&mut self) {}

    pub(crate) fn observe(&mut self, machine: &Machine<'_>, passed: Passed) {
        let (_, _) = (machine, passed);
    }

    pub(crate) fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        let (_, _) = (cut, machine);
        Membership::Unclear("rows are not compared with states yet".to_owned())
    }

    pub(crate) fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (_, _) = (cut, choice);
        Sample::NoMore
    }
}
