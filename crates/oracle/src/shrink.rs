//! Smaller refutations: the same disagreement, with simpler inputs and simpler values in the state that
//! the run begins with. What people look at should hold nothing that does not matter.

use std::mem::discriminant;

use heapwright_engine::{CutId, Membership};
use heapwright_interpreter::{DrawnInput, Snapshot, ValueState};
use heapwright_program::Program;

use crate::examination::{Problem, Refutation};
use crate::examiner::Examiner;
use crate::inputs::Adversary;
use crate::state_values::value_number;
use crate::walk::Plan;

/// Runs that are spent on it, and edges of each.
const RUNS: usize = 200;
const EDGES: u64 = 50_000;

/// The same refutation, as simple as it gets with the runs that there are and the budget that is left.
pub(crate) fn shrink(examiner: &mut Examiner<'_>, found: Box<Refutation>) -> Box<Refutation> {
    let mut smallest = found;
    let is_repeatable = match smallest.problem {
        Problem::Violation(_) | Problem::DeadEdge(_) | Problem::NotContained { .. } => true,
        Problem::NoSuchPath => true,
        // What the step should do, and that it gives such a state, is not in the refutation.
        Problem::OtherBranches | Problem::NotItsOwn { .. } => false,
    };
    let mut runs = if is_repeatable { RUNS } else { 0 };
    let mut is_changed = true;
    // Ends because every change makes one number smaller, and runs are counted.
    while is_changed && runs > 0 {
        is_changed = false;
        let mut number = 0;
        while let Some(attempts) = simpler(&examiner.task.program, &smallest, number) {
            for attempt in attempts {
                if runs == 0 || examiner.meter.is_spent() {
                    return smallest;
                }
                runs -= 1;
                if let Some(refutation) = attempt.run(examiner, &smallest) {
                    smallest = refutation;
                    is_changed = true;
                    break;
                }
            }
            number += 1;
        }
    }
    smallest
}

/// What a run begins with.
struct Attempt {
    start: Option<(CutId, Snapshot)>,
    inputs: Vec<DrawnInput>,
}

/// The ways to make the input or value of this number simpler; `None` if there is none of this number.
fn simpler(program: &Program, refutation: &Refutation, number: usize) -> Option<Vec<Attempt>> {
    let start = refutation.start.as_ref().map(|start| (start.cut_id, (*start.state).clone()));
    let inputs = &refutation.inputs;
    if let Some(input) = inputs.get(number) {
        let with = |bits: u128| {
            let mut inputs = inputs.clone();
            inputs[number].bits = bits;
            Attempt { start: start.clone(), inputs }
        };
        return Some(smaller(input.bits).map(with).collect());
    }
    let (cut, mut state) = start?;
    let value = value_number(program, &mut state, number - inputs.len())?.clone();
    let ValueState::Bits(bits) = value else { return Some(Vec::new()) };
    let with = |bits: u128| {
        let mut state = state.clone();
        *value_number(program, &mut state, number - inputs.len()).expect("it is there") =
            ValueState::Bits(bits);
        Attempt { start: Some((cut, state)), inputs: inputs.clone() }
    };
    Some(smaller(bits).map(with).collect())
}

fn smaller(bits: u128) -> impl Iterator<Item = u128> {
    [0, 1, bits >> 1].into_iter().filter(move |&smaller| smaller < bits)
}

impl Attempt {
    /// The refutation that the run is, if it disagrees with the proof as the given one does.
    fn run(self, examiner: &mut Examiner<'_>, like: &Refutation) -> Option<Box<Refutation>> {
        let adversary = Adversary::new(0, &examiner.dictionary).after(&self.inputs);
        let (mut machine, plan) = match &self.start {
            None => (examiner.start(adversary), Plan::whole(EDGES)),
            Some((cut, state)) => {
                let machine = examiner.start_at(state, adversary)?;
                match examiner.evidence.contains(*cut, &machine) {
                    Membership::In => {}
                    Membership::Out(_) | Membership::Unclear(_) => return None,
                }
                (machine, Plan::from(examiner, state, EDGES))
            }
        };
        let followed = examiner.follow(&mut machine, &plan);
        let refutation = examiner.refutation(like.queue, followed, &mut machine, self.start)?;
        let is_same = discriminant(&refutation.problem) == discriminant(&like.problem)
            && refutation.is_violation == like.is_violation;
        is_same.then_some(refutation)
    }
}
