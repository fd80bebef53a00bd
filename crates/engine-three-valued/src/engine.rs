//! The engine as others see it, and its loop: explore, and refine what is not precise enough.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Reason, Run, Task};
use heapwright_property::Part;
use heapwright_three_valued::class::Library;

use crate::alarm::{Alarm, AlarmKind};
use crate::analysis::Reached;
use crate::certificate;
use crate::concretise;
use crate::diary::Diary;
use crate::explore::{Explored, Path, Work, explore};
use crate::model::{Atlas, Model};
use crate::precision::Precision;
use crate::proof::ShapeProof;
use crate::refine::Refiner;

/// Shape analysis with refinement.
#[derive(Clone, Debug)]
pub struct ThreeValuedEngine {
    /// The classes that there are.
    pub library: Library,
}

impl Default for ThreeValuedEngine {
    fn default() -> ThreeValuedEngine {
        ThreeValuedEngine { library: Library::built_in() }
    }
}

impl Engine for ThreeValuedEngine {
    fn name(&self) -> &'static str {
        "three-valued"
    }

    fn summary(&self) -> &'static str {
        "names the linked structure, and proves with three-valued logic what stays true of it"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        match decide(task, &self.library, run.deadline) {
            Ok(proof) => Finding::Proved(Box::new(proof)),
            Err(other) => other,
        }
    }
}

/// Refinements before it gives up.
const MOST_ROUNDS: usize = 100;
/// Steps of an exploration that could still be made finer.
const FIRST_STEPS: u64 = 20_000;
/// Steps of one that could not.
const MOST_STEPS: u64 = 20_000_000;
/// Time for runs at random, before the first refinement and when nothing else helps.
const FIRST_HUNT: Duration = Duration::from_millis(30);
const LAST_HUNT: Duration = Duration::from_millis(1_500);

/// What ends the loop: a proof, or what else is found.
type Decided = Result<ShapeProof, Finding>;

pub(crate) fn decide(task: &Task, library: &Library, deadline: &Deadline) -> Decided {
    let is_beyond = |part: &&Part| matches!(part, Part::NoOverflow | Part::Termination);
    if let Some(part) = task.specification.parts.iter().find(is_beyond) {
        return Err(open(Reason::new(format!("shape classes say nothing of {part}"))));
    }
    let atlas = Atlas::of(task);
    let mut search = Search {
        task,
        refiner: Refiner::new(&atlas, library),
        precision: Precision::coarsest(),
        diary: Diary::default(),
        work: Work::default(),
        is_finest: false,
        has_hunted: false,
    };
    for _ in 0..MOST_ROUNDS {
        if let Some(decided) = search.round(deadline) {
            return decided;
        }
    }
    Err(open(Reason::new("shape refinement does not come to an end")))
}

/// The loop at work.
struct Search<'t> {
    task: &'t Task,
    refiner: Refiner<'t>,
    precision: Precision,
    diary: Diary,
    work: Work,
    /// Whether the precision is the finest that there is.
    is_finest: bool,
    /// Whether runs at random were tried.
    has_hunted: bool,
}

impl Search<'_> {
    /// Explores once; what was found, if that was the last time.
    fn round(&mut self, deadline: &Deadline) -> Option<Decided> {
        let (atlas, library) = (self.refiner.atlas, self.refiner.library);
        let model = Model::of(atlas, self.precision.clone(), library)
            .expect("only selections that fit are chosen");
        let most = if self.is_finest { MOST_STEPS } else { FIRST_STEPS };
        let (explored, work) = explore(&model, most, deadline);
        self.work.structures += work.structures;
        self.work.steps += work.steps;
        self.work.kept = work.kept;
        match explored {
            Explored::Everything(reached) => Some(Ok(self.proved(&model, &reached))),
            Explored::Alarm(alarm, path) => self.alarm(&model, alarm, &path, deadline).map(Err),
            Explored::OutOfTime => Some(Err(open(Reason::new("the time limit was reached")))),
            Explored::TooMuch if self.is_finest => {
                Some(Err(open(Reason::new("too many structures are told apart"))))
            }
            Explored::TooMuch => {
                self.is_finest = true;
                let finest = self.refiner.finest(&self.precision, &mut self.diary, deadline);
                self.precision = finest.unwrap_or_else(|| self.precision.clone());
                None
            }
        }
    }

    fn proved(&self, model: &Model<'_>, reached: &Reached) -> ShapeProof {
        let malloc = match self.task.malloc_may_fail {
            true => "malloc may fail",
            false => "malloc does not fail",
        };
        ShapeProof {
            certificate: certificate::write(model, self.refiner.library, reached),
            diary: self.diary.clone(),
            structures: reached.values().map(Vec::len).sum(),
            title: self.refiner.words(&self.precision),
            assumptions: vec![malloc.to_owned()],
        }
    }

    fn alarm(
        &mut self,
        model: &Model<'_>,
        alarm: Alarm,
        path: &Path,
        deadline: &Deadline,
    ) -> Option<Finding> {
        match &alarm.kind {
            AlarmKind::NewSize(size) => {
                self.precision.sizes.insert(*size);
                return None;
            }
            AlarmKind::NewField(field) => {
                self.precision.fields.insert(*field);
                return None;
            }
            AlarmKind::Unsupported(_) | AlarmKind::UnknownStored | AlarmKind::Violation(_) => {}
        }
        let inputs = concretise::follow(self.task, path, deadline).or_else(|| {
            let is_first = !std::mem::replace(&mut self.has_hunted, true);
            is_first.then(|| concretise::hunt(self.task, FIRST_HUNT, deadline)).flatten()
        });
        if let Some(inputs) = inputs {
            return Some(Finding::Refuted(inputs));
        }
        let is_final = matches!(alarm.kind, AlarmKind::Unsupported(_));
        let finer = match is_final {
            true => None,
            false => self.refiner.refine(model, path, &mut self.diary, deadline),
        };
        match finer {
            Some(finer) => {
                self.precision = finer;
                None
            }
            None => Some(match concretise::hunt(self.task, LAST_HUNT, deadline) {
                Some(inputs) => Finding::Refuted(inputs),
                None => open(Reason::at(alarm.kind.words(), alarm.place)),
            }),
        }
    }
}

fn open(reason: Reason) -> Finding {
    Finding::Open(vec![reason])
}
