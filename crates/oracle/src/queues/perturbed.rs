//! Changed states: states that whole runs were in, with one value changed to an end of its range or
//! to another block, run on if the proof allows the changed state too.

use heapwright_engine::{CutId, Membership};
use heapwright_interpreter::{BlockIdentity, Snapshot, ValueState};
use heapwright_memory::Life;
use heapwright_program::Program;

use crate::budget::cost;
use crate::examination::QueueName;
use crate::examiner::Examiner;
use crate::inputs::Adversary;
use crate::queues::{Source, Turn};
use crate::state_values::value_number;
use crate::walk::Plan;
use crate::world::World;

/// Edges from a changed state on.
const EDGES: u64 = 2_000;
/// Changes of one state that are tried.
const CHANGES: usize = 400;

#[derive(Default)]
pub(crate) struct Perturbed {
    /// The state that is being changed, and the number of the next change.
    state: usize,
    change: usize,
}

impl Source for Perturbed {
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        let Some((cut, snapshot)) = examiner.seen.get(self.state) else {
            return if examiner.has_seen_all { Turn::Dry } else { Turn::Waiting };
        };
        let (cut, changed) = (*cut, change(&examiner.task.program, snapshot, self.change));
        self.change += 1;
        let Some(changed) = changed.filter(|_| self.change <= CHANGES) else {
            self.state += 1;
            self.change = 0;
            return Turn::Worked;
        };
        match changed {
            Change::None => Turn::Worked,
            Change::To(snapshot) => run(examiner, cut, &snapshot),
        }
    }
}

/// Runs from a state on, and again in another world if the run can tell.
fn run(examiner: &mut Examiner<'_>, cut: CutId, snapshot: &Snapshot) -> Turn {
    for world in [World::Plain, examiner.another_world()] {
        let adversary = Adversary::new(0, &examiner.dictionary).within(world);
        let Some(mut machine) = examiner.start_at(snapshot, adversary) else { break };
        examiner.meter.spend(cost::CONTAINS);
        match examiner.evidence.contains(cut, &machine) {
            Membership::In => {}
            Membership::Out(_) | Membership::Unclear(_) => break,
        }
        let plan = Plan::from(examiner, snapshot, EDGES);
        let followed = examiner.follow(&mut machine, &plan);
        examiner.examination.perturbed_states += 1;
        let start = Some((cut, snapshot.clone()));
        if let Some(refutation) =
            examiner.refutation(QueueName::PerturbedStates, followed, &mut machine, start)
        {
            return Turn::Refuted(refutation);
        }
        if !examiner.can_tell_choices(&machine) {
            break;
        }
    }
    Turn::Worked
}

enum Change {
    /// The value is what it would be changed to.
    None,
    To(Box<Snapshot>),
}

/// The change with this number; `None` when there are no more.
fn change(program: &Program, snapshot: &Snapshot, number: usize) -> Option<Change> {
    let targets = targets(snapshot);
    let each = NUMBERS.len() + targets.len();
    let mut changed = Box::new(snapshot.clone());
    let value = value_number(program, &mut changed, number / each)?;
    let new = match number % each {
        index if index < NUMBERS.len() => ValueState::Bits(NUMBERS[index]),
        index => targets[index - NUMBERS.len()].clone(),
    };
    if *value == new {
        return Some(Change::None);
    }
    *value = new;
    Some(Change::To(changed))
}

/// What numbers and pointers are changed to; bits beyond a type's width are dropped.
const NUMBERS: [u128; 6] = [0, 1, u128::MAX, 0x8000_0000, 0x7fff_ffff, 0x8000_0000_0000_0000];

/// Blocks that a pointer may point to instead: some live ones and a dead one.
fn targets(snapshot: &Snapshot) -> Vec<ValueState> {
    let is_heap = |&index: &usize| snapshot.blocks[index].identity == BlockIdentity::Heap;
    let heap: Vec<usize> = (0..snapshot.blocks.len()).filter(is_heap).collect();
    let is_alive = |index: &&usize| snapshot.blocks[**index].life == Life::Alive;
    let alive = heap.iter().filter(is_alive).take(4);
    let dead = heap.iter().find(|index| !is_alive(index));
    alive.chain(dead).map(|&block| ValueState::Pointer { block, offset: 0 }).collect()
}
