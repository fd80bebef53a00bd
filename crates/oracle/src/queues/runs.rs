//! Whole runs: from the start of the program to its end, with the inputs of one seed after another.

use crate::examination::{QueueName, Refutation};
use crate::examiner::Examiner;
use crate::inputs::{Adversary, PURE};
use crate::queues::{Source, Turn};
use crate::walk::Plan;

/// Edges of the first run, and of each other one.
const FIRST: u64 = 50_000;
const OTHERS: u64 = 2_000;

pub(crate) struct WholeRuns {
    next: u64,
    last: u64,
}

impl WholeRuns {
    pub(crate) fn new(count: u64) -> WholeRuns {
        WholeRuns { next: 0, last: count }
    }
}

impl Source for WholeRuns {
    /// The plainest runs come at once: a violation that they show is an answer.
    fn turn(&mut self, examiner: &mut Examiner<'_>) -> Turn {
        if self.next >= self.last {
            examiner.has_seen_all = true;
            return Turn::Dry;
        }
        loop {
            if let Some(refutation) = self.run(examiner) {
                return Turn::Refuted(refutation);
            }
            if self.next >= PURE.min(self.last) || examiner.meter.is_spent() {
                return Turn::Worked;
            }
        }
    }
}

impl WholeRuns {
    fn run(&mut self, examiner: &mut Examiner<'_>) -> Option<Box<Refutation>> {
        let seed = self.next;
        self.next += 1;
        let mut machine = examiner.start(Adversary::new(seed, &examiner.dictionary));
        let edges = if seed == 0 { FIRST } else { OTHERS };
        let followed = examiner.follow(&mut machine, &Plan::whole(edges));
        examiner.examination.runs += 1;
        if let Some(report) = &followed.report
            && report.inputs_drawn.is_empty()
        {
            // Nothing that seeds decide: every run is this one.
            self.last = 0;
        }
        examiner.refutation(QueueName::WholeRuns, followed, &mut machine, None)
    }
}
