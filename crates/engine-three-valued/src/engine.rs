//! The engine as others see it, and its loop: explore, and refine what is not precise enough. What was learnt in one turn is known in
//! the next.

use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Finding, Proof, Reason, Run, Task, run_along, run_at_random,
};
use heapwright_interpreter::DrawnInput;
use heapwright_property::Part;

use crate::alarm::AlarmKind;
use crate::analysis::Reached;
use crate::certificate;
use crate::classes::Classes;
use crate::costs::{Costs, timed};
use crate::diary::Diary;
use crate::explore::{Explored, Path, Suspect, explore};
use crate::model::{Atlas, Model};
use crate::precision::Precision;
use crate::proof::ShapeProof;
use crate::refine::{Lessons, Refiner};

/// Shape analysis with refinement.
#[derive(Clone, Debug)]
pub struct ThreeValuedEngine {
    /// The classes that there are.
    pub library: Classes,
    pub choice: Choice,
    pub effort: Effort,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As far as it can.
    Whole,
    /// A look for a proof among other engines, which find violations: no run is tried, and not many structures are made.
    Glance,
}

/// Who chooses the class and its families.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Samples of the heap choose the class, spurious paths the families.
    Samples,
    /// The class and the offsets of its fields are given; spurious paths choose the families.
    Given { class: String, offsets: Vec<u64> },
    /// Samples choose the class, and all of its families are used.
    Largest,
    /// Samples choose the class, and this number which of the selections of families that rule out all
    /// spurious paths is taken: a proof must be right with any of them.
    Shuffled(u64),
}

impl Default for ThreeValuedEngine {
    fn default() -> ThreeValuedEngine {
        let (library, choice) = (Classes::default(), Choice::Samples);
        ThreeValuedEngine { library, choice, effort: Effort::Whole }
    }
}

impl ThreeValuedEngine {
    /// The same, for a look among other engines.
    #[must_use]
    pub fn glance(self) -> ThreeValuedEngine {
        ThreeValuedEngine { effort: Effort::Glance, ..self }
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
        self.go_on((task, &Atlas::of(task)), &mut Known::default(), run)
    }

    fn attempt<'t>(&'t self, task: &'t Task) -> heapwright_engine::Attempt<'t> {
        let (atlas, mut known) = (Atlas::of(task), Known::default());
        Box::new(move |run| self.go_on((task, &atlas), &mut known, run))
    }
}

impl ThreeValuedEngine {
    /// One turn, with what is known from those before.
    fn go_on(&self, question: (&Task, &Atlas<'_>), known: &mut Known, run: &Run<'_>) -> Finding {
        match (decide(question, self, known, run), self.effort) {
            (Ok(proof), _) => Finding::Proved(Box::new(proof)),
            // That a glance saw nothing is no news beside what others say.
            (Err(Finding::Open(_)), Effort::Glance) => Finding::Open(Vec::new()),
            (Err(other), _) => other,
        }
    }
}

/// Refinements before it gives up.
const MOST_ROUNDS: usize = 100;
/// Steps of an exploration that could still be made finer.
const FIRST_STEPS: u64 = 20_000;
/// Steps of one that could not.
const MOST_STEPS: u64 = 20_000_000;
/// Structures that a glance makes.
const STRUCTURES_OF_A_GLANCE: u64 = 300_000;
/// Time for runs at random, before the first refinement and when nothing else helps.
const FIRST_HUNT: Duration = Duration::from_millis(15);
const LAST_HUNT: Duration = Duration::from_millis(1_500);

/// What ends the loop: a proof, or what else is found.
type Decided = Result<ShapeProof, Finding>;

pub(crate) fn decide(
    (task, atlas): (&Task, &Atlas<'_>),
    engine: &ThreeValuedEngine,
    known: &mut Known,
    run: &Run<'_>,
) -> Decided {
    let mut search = Search::from(known.clone(), task, atlas, engine);
    search.precision.expect_links(&run.facts());
    search.run_from(known, &run.deadline)
}

/// What a search knows from one turn to the next.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    precision: Precision,
    diary: Diary,
    lessons: Lessons,
    is_finest: bool,
    has_hunted: bool,
}

impl Default for Known {
    fn default() -> Known {
        Known {
            precision: Precision::coarsest(),
            diary: Diary::default(),
            lessons: Lessons::default(),
            is_finest: false,
            has_hunted: false,
        }
    }
}

/// What a search for a proof came to, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refined {
    pub outcome: Outcome,
    /// The class that was used last, if any.
    pub class: Option<ClassInUse>,
    pub diary: Diary,
    pub costs: Costs,
    /// The text of the proof, if there is one.
    pub certificate: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With whether the check of the certificate accepts it.
    Proved {
        is_checked: bool,
    },
    /// By a run of the program.
    Refuted,
    Open(String),
}

/// A class with what plays its roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInUse {
    pub name: String,
    pub title: String,
    pub offsets: Vec<u64>,
    /// Names of the families that are used.
    pub families: Vec<String>,
    /// How many the class has.
    pub most_families: usize,
}

/// Searches for a proof, and tells how.
#[must_use]
pub fn refine_shapes(task: &Task, engine: &ThreeValuedEngine, deadline: &Deadline) -> Refined {
    let atlas = Atlas::of(task);
    let mut search = Search::new(task, &atlas, engine);
    let mut certificate = None;
    let outcome = match search.run(deadline) {
        Ok(proof) => {
            let checking = &mut search.refiner.lessons.costs.checking;
            let is_checked = timed(checking, || proof.check(task, deadline).is_ok());
            certificate = Some(proof.certificate);
            Outcome::Proved { is_checked }
        }
        Err(Finding::Refuted(_)) => Outcome::Refuted,
        Err(Finding::Open(reasons)) => {
            Outcome::Open(reasons.first().map_or_else(String::new, |it| it.text.clone()))
        }
        Err(_) => Outcome::Open(String::new()),
    };
    let class = search.precision.cast.as_ref().map(|cast| {
        let class = &engine.library.classes[cast.class];
        let families = class.families.iter().zip(&cast.families).filter(|it| *it.1);
        ClassInUse {
            name: class.name.clone(),
            title: class.title.clone(),
            offsets: cast.roles.iter().map(|field| field.offset).collect(),
            families: families.map(|it| it.0.name.clone()).collect(),
            most_families: class.families.len(),
        }
    });
    Refined {
        outcome,
        class,
        costs: search.refiner.lessons.costs,
        diary: search.diary,
        certificate,
    }
}

/// The precision at which a program is proved, if it is.
pub(crate) fn proving_precision(
    task: &Task,
    atlas: &Atlas<'_>,
    engine: &ThreeValuedEngine,
    deadline: &Deadline,
) -> Option<Precision> {
    let mut search = Search::new(task, atlas, engine);
    search.run(deadline).ok().map(|_| search.precision)
}

/// The loop at work.
struct Search<'t> {
    task: &'t Task,
    refiner: Refiner<'t>,
    precision: Precision,
    diary: Diary,
    /// Whether the precision is the finest that there is.
    is_finest: bool,
    /// Whether runs at random were tried.
    has_hunted: bool,
    effort: Effort,
}

impl<'t> Search<'t> {
    fn new(task: &'t Task, atlas: &'t Atlas<'t>, engine: &'t ThreeValuedEngine) -> Search<'t> {
        Search::from(Known::default(), task, atlas, engine)
    }

    fn from(
        known: Known,
        task: &'t Task,
        atlas: &'t Atlas<'t>,
        engine: &'t ThreeValuedEngine,
    ) -> Search<'t> {
        let Known { precision, diary, lessons, is_finest, has_hunted } = known;
        let refiner = Refiner::new(lessons, atlas, (&engine.library, &engine.choice));
        let effort = engine.effort;
        Search { task, refiner, precision, diary, is_finest, has_hunted, effort }
    }

    fn known(&self) -> Known {
        Known {
            precision: self.precision.clone(),
            diary: self.diary.clone(),
            lessons: self.refiner.lessons.clone(),
            is_finest: self.is_finest,
            has_hunted: self.has_hunted,
        }
    }

    fn run(&mut self, deadline: &Deadline) -> Decided {
        self.run_from(&mut Known::default(), deadline)
    }

    /// Runs, and keeps what was known before the last round: that one may have been cut, and what it learnt with it.
    fn run_from(&mut self, known: &mut Known, deadline: &Deadline) -> Decided {
        let is_beyond = |part: &&Part| matches!(part, Part::Termination);
        if let Some(part) = self.task.specification.parts.iter().find(is_beyond) {
            return Err(open(Reason::new(format!("shape classes say nothing of {part}"))));
        }
        for _ in 0..MOST_ROUNDS {
            if self.is_glance() && self.refiner.lessons.costs.structures > STRUCTURES_OF_A_GLANCE {
                let text = "shape refinement needs more structures than a glance makes";
                return Err(open(Reason::new(text)));
            }
            *known = self.known();
            if let Some(decided) = self.round(deadline) {
                return decided;
            }
        }
        Err(open(Reason::new("shape refinement does not come to an end")))
    }

    /// Explores once; what was found, if that was the last time.
    fn round(&mut self, deadline: &Deadline) -> Option<Decided> {
        let (atlas, library) = (self.refiner.atlas, self.refiner.library);
        let model = Model::of(atlas, self.precision.clone(), library)
            .expect("only selections that fit are chosen");
        let most = if self.is_finest && !self.is_glance() { MOST_STEPS } else { FIRST_STEPS };
        let costs = &mut self.refiner.lessons.costs;
        let mut time = costs.exploring;
        let explored = timed(&mut time, || explore(&model, most, deadline, costs));
        costs.exploring = time;
        match explored {
            Explored::Everything(reached) => Some(Ok(self.proved(&model, &reached))),
            Explored::Alarm(suspect) => self.alarm(&model, suspect, deadline).map(Err),
            Explored::OutOfTime => Some(Err(open(Reason::new("the time limit was reached")))),
            Explored::TooMuch if self.is_finest => {
                Some(Err(open(Reason::new("too many structures are told apart"))))
            }
            Explored::TooMuch => {
                match self.refiner.larger(&self.precision, &mut self.diary, deadline) {
                    Some(larger) => self.precision = larger,
                    None => self.is_finest = true,
                }
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
            structures: reached.len(),
            title: self.refiner.words(&self.precision),
            assumptions: self.file().into_iter().chain([malloc.to_owned()]).collect(),
        }
    }

    /// The user's file that the class is from, if it is.
    fn file(&self) -> Option<String> {
        let cast = self.precision.cast.as_ref()?;
        let file = self.refiner.library.classes[cast.class].file.as_ref()?;
        Some(format!("the rules in `{file}` are true of every heap; they were tried on small ones"))
    }

    fn alarm(
        &mut self,
        model: &Model<'_>,
        suspect: Suspect,
        deadline: &Deadline,
    ) -> Option<Finding> {
        let Suspect { alarm, path, .. } = &suspect;
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
        if let Some(inputs) = self.run_along(path, deadline) {
            return Some(Finding::Refuted(inputs));
        }
        let is_final = matches!(alarm.kind, AlarmKind::Unsupported(_));
        let finer = match is_final {
            true => None,
            false => self.refiner.refine(model, &suspect, &mut self.diary, deadline),
        };
        match finer {
            Some(finer) => {
                // What tells more apart may still be made larger.
                self.is_finest &= finer.cast == self.precision.cast;
                self.precision = finer;
                None
            }
            None => {
                let hunt = || run_at_random(self.task, LAST_HUNT, deadline);
                Some(match (!self.is_glance()).then(hunt).flatten() {
                    Some(inputs) => Finding::Refuted(inputs),
                    None => open(Reason::at(alarm.kind.words(), alarm.place)),
                })
            }
        }
    }

    /// Inputs with which the program goes along a path and fails, or fails otherwise.
    fn run_along(&mut self, path: &Path, deadline: &Deadline) -> Option<Vec<DrawnInput>> {
        if self.is_glance() {
            return None;
        }
        let (task, has_hunted) = (self.task, &mut self.has_hunted);
        timed(&mut self.refiner.lessons.costs.running, || {
            run_along(task, path, deadline).or_else(|| {
                let is_first = !std::mem::replace(has_hunted, true);
                is_first.then(|| run_at_random(task, FIRST_HUNT, deadline)).flatten()
            })
        })
    }

    fn is_glance(&self) -> bool {
        self.effort == Effort::Glance
    }
}

fn open(reason: Reason) -> Finding {
    Finding::Open(vec![reason])
}
