//! Steps: the proof's own steps, each with the concrete instance that the engine gives for it.
//!
//! What an instance does not fix is filled in twice, with zeros and with what a seed gives.

use heapwright_engine::{CutId, Instance, Signature};
use heapwright_interpreter::{DrawnInput, Snapshot};

use crate::budget::cost;
use crate::examination::{QueueName, Refutation};
use crate::examiner::Examiner;
use crate::inputs::Adversary;
use crate::queues::{Source, Turn};
use crate::walk::Plan;
use crate::world::World;

/// Seeds for what an instance leaves open.
const FILLINGS: [u64; 2] = [0, 4];
/// Edges of a step, and of a step that begins where the program does and goes on to its end.
const STEP: u64 = 4_000;

#[derive(Default)]
pub(crate) struct Steps {
    next: usize,
}

impl Source for Steps {
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        if self.next >= examiner.evidence.step_count() {
            return Turn::Dry;
        }
        examiner.meter.spend(cost::SAMPLE);
        let instance = examiner.evidence.instance(self.next);
        self.next += 1;
        match instance {
            Instance::Vacuous => Turn::Worked,
            Instance::Unclear(why) => {
                examiner.doubt(why);
                Turn::Worked
            }
            Instance::Run { start, inputs, signature } => {
                let start = start.map(|(cut, snapshot)| (cut, *snapshot));
                run(examiner, &Fixed { start: start.as_ref(), inputs: &inputs }, signature)
            }
        }
    }
}

/// What a step's instance fixes.
struct Fixed<'s> {
    start: Option<&'s (CutId, Snapshot)>,
    inputs: &'s [DrawnInput],
}

/// What came of a run of an instance.
enum Ran {
    Refuted(Box<Refutation>),
    /// It agrees: whether the instance fixed all inputs, and whether the run can tell what the
    /// implementation decides.
    Agrees {
        is_settled: bool,
        can_tell: bool,
    },
    NoStart,
}

fn run(examiner: &mut Examiner<'_>, fixed: &Fixed<'_>, signature: Option<Signature>) -> Turn {
    let mut tells = false;
    for seed in FILLINGS {
        match fixed.run(examiner, seed, World::Plain, signature) {
            Ran::Refuted(refutation) => return Turn::Refuted(refutation),
            Ran::NoStart => return Turn::Worked,
            Ran::Agrees { is_settled, can_tell } => {
                tells |= can_tell;
                if is_settled {
                    break;
                }
            }
        }
    }
    if tells {
        // There, the step may take other branches.
        let world = examiner.another_world();
        if let Ran::Refuted(refutation) = fixed.run(examiner, FILLINGS[0], world, None) {
            return Turn::Refuted(refutation);
        }
    }
    examiner.examination.steps += 1;
    Turn::Worked
}

impl Fixed<'_> {
    fn run(
        &self,
        examiner: &mut Examiner<'_>,
        seed: u64,
        world: World,
        signature: Option<Signature>,
    ) -> Ran {
        let adversary = Adversary::new(seed, &examiner.dictionary).after(self.inputs).within(world);
        let (machine, plan) = match self.start {
            None => (Some(examiner.start(adversary)), Plan::whole(STEP)),
            Some((_, snapshot)) => {
                (examiner.start_at(snapshot, adversary), Plan::from(examiner, snapshot, STEP))
            }
        };
        let Some(mut machine) = machine else { return Ran::NoStart };
        let followed = examiner.follow(&mut machine, &Plan { signature, ..plan });
        let report = followed.report.as_ref();
        let is_settled =
            report.is_some_and(|report| report.inputs_drawn.len() <= self.inputs.len());
        let can_tell = examiner.can_tell_choices(&machine);
        let start = self.start.cloned();
        match examiner.refutation(QueueName::Steps, followed, &mut machine, start) {
            Some(refutation) => Ran::Refuted(refutation),
            None => Ran::Agrees { is_settled, can_tell },
        }
    }
}
