//! Whole runs: from the start of the program to its end, with the inputs of one seed after another.
//!
//! A run that can tell what the implementation decides is repeated in other worlds.

use std::collections::VecDeque;

use heapwright_interpreter::Machine;

use crate::examination::{QueueName, Refutation};
use crate::examiner::{Examiner, Followed};
use crate::inputs::{Adversary, PURE};
use crate::queues::{Source, Turn};
use crate::walk::Plan;
use crate::world::World;

/// Edges of the first run, and of each other one.
const FIRST: u64 = 50_000;
const OTHERS: u64 = 2_000;
/// The first seed, whose run is repeated in every world.
const FIRST_SEED: u64 = 0;

pub(crate) struct WholeRuns {
    next: u64,
    last: u64,
    /// Runs that are repeated, each in another world.
    repeated: VecDeque<Repeated>,
    turns: u64,
}

#[derive(Clone, Copy)]
struct Repeated {
    seed: u64,
    world: World,
    /// The run in the plain world can tell what is chosen.
    can_tell: bool,
}

impl WholeRuns {
    pub(crate) fn new(count: u64) -> WholeRuns {
        WholeRuns { next: 0, last: count, repeated: VecDeque::new(), turns: 0 }
    }

    fn has_seeds(&self) -> bool {
        self.next < self.last
    }

    /// The plainest runs come at once, in other worlds too: a violation that they show is an answer.
    fn is_urgent(&self) -> bool {
        let is_plain = self.repeated.front().is_some_and(|run| run.seed < PURE);
        is_plain || self.next < PURE.min(self.last)
    }

    /// The next run to repeat, if it is its turn: new seeds and repetitions take turns behind the
    /// plainest runs.
    fn repetition(&mut self) -> Option<Repeated> {
        let first = self.repeated.front()?;
        self.turns += 1;
        let waits = self.has_seeds() && self.turns.is_multiple_of(2);
        if first.seed >= PURE && waits {
            return None;
        }
        self.repeated.pop_front()
    }

    fn repeat(&mut self, seed: u64, worlds: &[World], can_tell: bool) {
        let runs = worlds.iter().map(|&world| Repeated { seed, world, can_tell });
        self.repeated.extend(runs);
    }
}

impl Source for WholeRuns {
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        loop {
            if !self.has_seeds() && self.repeated.is_empty() {
                examiner.has_seen_all = true;
                return Turn::Dry;
            }
            let refutation = match self.repetition() {
                Some(run) => self.run_again(run, examiner),
                None => self.run(examiner),
            };
            if let Some(refutation) = refutation {
                return Turn::Refuted(refutation);
            }
            if !self.is_urgent() || examiner.meter.is_spent() {
                return Turn::Worked;
            }
        }
    }
}

impl WholeRuns {
    /// A run in the plain world.
    fn run(&mut self, examiner: &mut Examiner<'_>) -> Option<Box<Refutation>> {
        let seed = self.next;
        self.next += 1;
        let edges = if seed == FIRST_SEED { FIRST } else { OTHERS };
        let (followed, mut machine) = run(examiner, seed, World::Plain, edges);
        if let Some(report) = &followed.report
            && report.inputs_drawn.is_empty()
        {
            // Nothing that seeds decide: every run is this one, but for choices.
            self.last = 0;
        }
        let can_tell = examiner.can_tell_choices(&machine);
        if seed == FIRST_SEED {
            // Also where nothing was noticed, since noticing may be what is wrong.
            self.repeat(seed, &World::OTHERS[..1], can_tell);
        } else if can_tell {
            let count = if seed < PURE { 2 } else { 1 };
            let start = seed as usize * count;
            let worlds: Vec<World> = (start..start + count)
                .map(|index| World::OTHERS[index % World::OTHERS.len()])
                .collect();
            self.repeat(seed, &worlds, true);
        }
        examiner.refutation(QueueName::WholeRuns, followed, &mut machine, None)
    }

    /// A run in another world.
    fn run_again(
        &mut self,
        again: Repeated,
        examiner: &mut Examiner<'_>,
    ) -> Option<Box<Refutation>> {
        let Repeated { seed, world, can_tell } = again;
        let edges = if seed == FIRST_SEED && can_tell { FIRST } else { OTHERS };
        let (followed, mut machine) = run(examiner, seed, world, edges);
        let can_tell = can_tell || examiner.can_tell_choices(&machine);
        let refutation = examiner.refutation(QueueName::WholeRuns, followed, &mut machine, None);
        let is_first = seed == FIRST_SEED && world == World::OTHERS[0];
        if is_first && can_tell {
            self.repeat(seed, &World::OTHERS[1..], true);
        }
        refutation
    }
}

fn run<'a>(
    examiner: &mut Examiner<'a>,
    seed: u64,
    world: World,
    edges: u64,
) -> (Followed, Machine<'a>) {
    let adversary = Adversary::new(seed, &examiner.dictionary).within(world);
    let mut machine = examiner.start(adversary);
    let followed = examiner.follow(&mut machine, &Plan::whole(edges));
    let examination = &mut examiner.examination;
    // Where there is nothing to choose, it is the plain run once more.
    examination.runs += u64::from(world == World::Plain || machine.choices_made() > 0);
    examination.runs_in_other_worlds += u64::from(machine.choices_made() > 0);
    (followed, machine)
}
