//! Evidence: what a certificate claims of the states of running machines, by the crate `shape-text`.

use std::collections::BTreeMap;

use heapwright_engine::{Choice, CutId, CutPoint, Evidence, Membership, Sample, Task};
use heapwright_interpreter::{Machine, Snapshot};
use heapwright_program::Program;
use heapwright_shape_text::{Claims, Fit};

/// What a proof claims of the states at cut points.
#[derive(Debug)]
pub(crate) struct ShapeEvidence {
    claims: Claims,
    program: Program,
    cut_points: Vec<CutPoint>,
    /// The small states that were asked for, by cut point and size.
    small: BTreeMap<(CutId, u32), Vec<Snapshot>>,
}

impl ShapeEvidence {
    /// `None` when the certificate cannot be read: then nothing is claimed.
    pub(crate) fn of(text: &str, task: &Task) -> Option<ShapeEvidence> {
        let claims = Claims::read(text).ok()?;
        let cut = |place: heapwright_shape_text::ClaimedPlace| CutPoint {
            function: place.function,
            location: place.location,
            name: format!(
                "{} of `{}`",
                place.location, task.program.functions[place.function].name
            ),
            callers: Some(place.calls),
            over: Vec::new(),
        };
        let cut_points = claims.places().into_iter().map(cut).collect();
        let program = task.program.clone();
        Some(ShapeEvidence { claims, program, cut_points, small: BTreeMap::new() })
    }
}

impl Evidence for ShapeEvidence {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cut_points
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        match self.claims.contains(cut, machine) {
            Fit::In => Membership::In,
            Fit::Out => Membership::Out("no structure of the certificate describes it".to_owned()),
            Fit::Unclear => Membership::Unclear("too many ways to send blocks to nodes".to_owned()),
        }
    }

    fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (claims, program) = (&self.claims, &self.program);
        let states = self
            .small
            .entry((cut, choice.size))
            .or_insert_with(|| claims.small_states(cut, choice.size as usize, program));
        match states.get(choice.index as usize) {
            Some(state) => Sample::State(Box::new(state.clone())),
            None => Sample::NoMore,
        }
    }
}
