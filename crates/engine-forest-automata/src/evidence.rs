//! Evidence: what a certificate claims of the states of running machines.

use std::collections::BTreeMap;

use heapwright_engine::{Choice, CutId, CutPoint, Evidence, Membership, Sample, Task};
use heapwright_forest_text::{Forest, Spot, describes, small_states, state_of};
use heapwright_interpreter::{Machine, Snapshot};
use heapwright_program::Program;

#[derive(Debug)]
pub(crate) struct ForestEvidence {
    /// The claims of each cut point.
    claims: Vec<Vec<Forest>>,
    cut_points: Vec<CutPoint>,
    program: Program,
    /// The small states that were asked for, by cut point and size.
    small: BTreeMap<(CutId, u32), Vec<Snapshot>>,
}

/// Blocks that are looked at.
const MOST_BLOCKS: usize = 60;

impl ForestEvidence {
    pub(crate) fn of(claims: Vec<Forest>, task: &Task) -> ForestEvidence {
        let mut by_spot: BTreeMap<Spot, Vec<Forest>> = BTreeMap::new();
        for state in claims {
            by_spot.entry(state.spot.clone()).or_default().push(state);
        }
        let cut = |spot: &Spot| CutPoint {
            function: spot.function,
            location: spot.location,
            name: format!("{} of `{}`", spot.location, task.program.functions[spot.function].name),
            callers: Some(spot.calls.clone()),
            over: Vec::new(),
        };
        let cut_points = by_spot.keys().map(cut).collect();
        let claims = by_spot.into_values().collect();
        ForestEvidence { claims, cut_points, program: task.program.clone(), small: BTreeMap::new() }
    }
}

impl Evidence for ForestEvidence {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cut_points
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        if machine.memory().live_heap_blocks() > MOST_BLOCKS {
            return Membership::Unclear("too many blocks to lay trees over".to_owned());
        }
        let mut is_unclear = false;
        for claim in &self.claims[cut] {
            match describes(claim, &state_of(machine, claim)) {
                Some(true) => return Membership::In,
                Some(false) => {}
                None => is_unclear = true,
            }
        }
        match is_unclear {
            true => Membership::Unclear("too many ways to lay trees over blocks".to_owned()),
            false => Membership::Out("no forest of the certificate stands for it".to_owned()),
        }
    }

    fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (claims, program) = (&self.claims[cut], &self.program);
        let states = self.small.entry((cut, choice.size));
        let states = states.or_insert_with(|| small_states(claims, choice.size as usize, program));
        match states.get(choice.index as usize) {
            Some(state) => Sample::State(Box::new(state.clone())),
            None => Sample::NoMore,
        }
    }
}
