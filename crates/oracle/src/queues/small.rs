//! Small states: of every cut point, the states that the proof allows there, smallest first, each
//! run on to the next cut points.

use heapwright_engine::{Choice, CutId, Membership, Sample};
use heapwright_interpreter::{Machine, Snapshot};

use crate::budget::{Budget, cost};
use crate::examination::{Problem, QueueName};
use crate::examiner::{Examiner, Followed};
use crate::inputs::Adversary;
use crate::queues::{Source, Turn};
use crate::walk::Plan;
use crate::world::World;

/// Edges from a state on.
const EDGES: u64 = 2_000;

pub(crate) struct SmallStates {
    size: u32,
    sizes: u32,
    most: u32,
    /// The cut points with states of this size, and the next of each; `None` before the first turn.
    waiting: Option<Vec<(CutId, u32)>>,
    /// Whose turn it is.
    turn: usize,
    count: u64,
}

impl SmallStates {
    pub(crate) fn new(budget: &Budget) -> SmallStates {
        let (sizes, most) = (budget.sizes, budget.states);
        SmallStates { size: 0, sizes, most, waiting: None, turn: 0, count: 0 }
    }

    /// The next choice, if there is one.
    fn choose(&mut self, cuts: usize) -> Option<(CutId, Choice)> {
        let waiting = self.waiting.get_or_insert_with(|| (0..cuts).map(|cut| (cut, 0)).collect());
        if waiting.is_empty() {
            if self.size >= self.sizes || cuts == 0 {
                return None;
            }
            self.size += 1;
            waiting.extend((0..cuts).map(|cut| (cut, 0)));
        }
        self.turn %= waiting.len();
        let (cut, index) = &mut waiting[self.turn];
        let chosen = (*cut, Choice { size: self.size, index: *index });
        *index += 1;
        if *index >= self.most {
            waiting.remove(self.turn);
        } else {
            self.turn += 1;
        }
        Some(chosen)
    }

    fn strike(&mut self, cut: CutId) {
        if let Some(waiting) = &mut self.waiting {
            waiting.retain(|&(waiting, _)| waiting != cut);
        }
    }
}

impl Source for SmallStates {
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        let Some((cut, choice)) = self.choose(examiner.cut_points.len()) else { return Turn::Dry };
        examiner.meter.spend(cost::SAMPLE);
        match examiner.evidence.sample(cut, choice) {
            Sample::State(snapshot) => {
                self.count += 1;
                // What a state leaves open is zero in every second one.
                let seed = if self.count.is_multiple_of(2) { 0 } else { self.count };
                run(examiner, cut, &snapshot, seed)
            }
            Sample::Empty => Turn::Worked,
            Sample::NoMore => {
                self.strike(cut);
                Turn::Worked
            }
            Sample::Unclear(why) => {
                examiner.doubt(why);
                Turn::Worked
            }
        }
    }
}

/// Runs from a state on, and again in another world if the run can tell.
fn run(examiner: &mut Examiner<'_>, cut: CutId, snapshot: &Snapshot, seed: u64) -> Turn {
    for world in [World::Plain, examiner.another_world()] {
        let adversary = Adversary::new(seed, &examiner.dictionary).within(world);
        let Some(mut machine) = examiner.start_at(snapshot, adversary) else { break };
        let followed = follow(examiner, cut, snapshot, &mut machine);
        let start = Some((cut, snapshot.clone()));
        if let Some(refutation) =
            examiner.refutation(QueueName::SmallStates, followed, &mut machine, start)
        {
            return Turn::Refuted(refutation);
        }
        if !examiner.can_tell_choices(&machine) {
            break;
        }
    }
    Turn::Worked
}

fn follow<'a>(
    examiner: &mut Examiner<'a>,
    cut: CutId,
    snapshot: &Snapshot,
    machine: &mut Machine<'a>,
) -> Followed {
    match examiner.membership(cut, machine) {
        Membership::Unclear(_) => Followed { report: None, problem: None },
        Membership::Out(why) => {
            let cut = examiner.cut_points[cut].name.clone();
            let problem = Some((Problem::NotItsOwn { cut, why }, String::new()));
            Followed { report: None, problem }
        }
        Membership::In => {
            let plan = Plan::from(examiner, snapshot, EDGES);
            examiner.examination.small_states += 1;
            examiner.follow(machine, &plan)
        }
    }
}
