//! The oracle: runs a proof before it is believed.
//!
//! A proof hands over what it claims of concrete executions ([`Evidence`]). The oracle runs the
//! program in the interpreter, whole and from states that the proof allows, and looks whether any
//! run does what the proof says cannot happen: a violation, an edge that is called dead, a path that
//! is not among all paths, an arrival in a state that is not allowed. It knows no engine and no
//! encoding, so that it cannot make their mistakes.
//!
//! Work comes from queues (`queues/`), which take turns by what they have spent. Their order and
//! their seeds are fixed: a limit of time only cuts the tail off.

mod budget;
mod constants;
mod examination;
mod examiner;
mod inputs;
mod queues;
mod shrink;
mod state_text;
mod state_values;
mod walk;
mod world;

use heapwright_engine::{Deadline, Evidence, Task};
use heapwright_interpreter::Executable;

pub use crate::budget::{Budget, Effort};
pub use crate::examination::{Examination, Problem, QueueName, Refutation, Start};
use crate::examiner::{Examiner, machine_settings};
use crate::queues::{Queue, Turn};
use crate::shrink::shrink;

/// What waiting for another queue costs, so that the others get their turns.
const WAIT: u64 = 5_000;

/// Runs what a proof claims, until the queues are dry, the budget is spent or something does not
/// agree with the proof.
#[must_use]
pub fn examine(
    task: &Task,
    evidence: &mut dyn Evidence,
    budget: &Budget,
    deadline: &Deadline,
) -> Examination {
    let settings = machine_settings(task);
    let executable = Executable::compile(&task.program, &settings.compile);
    let deadline = deadline.at_most_work(budget.time);
    let mut examiner = Examiner::new(task, &executable, &settings, evidence, budget, &deadline);
    let mut queues = queues::all(budget);
    while let Some(queue) = next_queue(&mut queues) {
        if examiner.meter.is_spent() {
            examiner.examination.is_cut_short = true;
            break;
        }
        let before = examiner.meter.spent();
        match queue.take_turn(&mut examiner) {
            Turn::Worked => {}
            Turn::Waiting => queue.spent += WAIT,
            Turn::Dry => queue.is_dry = true,
            Turn::Refuted(refutation) => {
                examiner.examination.refutation = Some(shrink(&mut examiner, refutation));
                break;
            }
        }
        queue.spent += examiner.meter.spent() - before;
    }
    examiner.finish()
}

/// The queue that has spent the least of its share; of equals, the first.
fn next_queue<'q, 'e>(queues: &'q mut [Queue<'e>]) -> Option<&'q mut Queue<'e>> {
    let waiting = queues.iter_mut().filter(|queue| !queue.is_dry);
    waiting.min_by_key(|queue| queue.spent / queue.share)
}
