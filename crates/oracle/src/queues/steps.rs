//! Steps: the proof's own steps, each with the concrete instance that the engine gives for it.
//!
//! What an instance does not fix is filled in twice, with zeros and with what a seed gives.

use heapwright_engine::{CutId, Instance, Signature};
use heapwright_interpreter::{DrawnInput, Snapshot};

use crate::budget::cost;
use crate::examination::QueueName;
use crate::examiner::Examiner;
use crate::inputs::Adversary;
use crate::queues::{Source, Turn};
use crate::walk::Plan;

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
                run(examiner, start.as_ref(), &inputs, signature)
            }
        }
    }
}

fn run(
    examiner: &mut Examiner<'_>,
    start: Option<&(CutId, Snapshot)>,
    inputs: &[DrawnInput],
    signature: Option<Signature>,
) -> Turn {
    for seed in FILLINGS {
        let adversary = Adversary::new(seed, &examiner.dictionary).after(inputs);
        let (machine, plan) = match start {
            None => (Some(examiner.start(adversary)), Plan::whole(STEP)),
            Some((_, snapshot)) => {
                (examiner.start_at(snapshot, adversary), Plan::from(examiner, snapshot, STEP))
            }
        };
        let Some(mut machine) = machine else { return Turn::Worked };
        let followed = examiner.follow(&mut machine, &Plan { signature, ..plan });
        let is_settled = followed
            .report
            .as_ref()
            .is_some_and(|report| report.inputs_drawn.len() <= inputs.len());
        let start = start.cloned();
        if let Some(refutation) =
            examiner.refutation(QueueName::Steps, followed, &mut machine, start)
        {
            return Turn::Refuted(refutation);
        }
        if is_settled {
            break;
        }
    }
    examiner.examination.steps += 1;
    Turn::Worked
}
