//! The engine as others see it: explores with growing heights until one proves what is asked. What is under way when a turn is
//! over goes on in the next.

use std::collections::VecDeque;
use std::time::Duration;

use heapwright_engine::{
    Engine, Fact, Finding, Proof, Reason, Run, Task, run_along, run_at_random,
};
use heapwright_property::Part;

use crate::abstraction::{Likeness, Ways};
use crate::analysis::{Exploration, Explored};
use crate::fold::{Circles, Precision, SecondLinks, Strangers};
use crate::proof::ForestProof;
use crate::step::Stepper;

/// Its name.
pub(crate) const NAME: &str = "forest-automata";

/// Work of the runs that are tried when all precisions leave an alarm whose path no execution was found to take.
const HUNT: Duration = Duration::from_millis(300);

/// How long the engine itself looks whether a proof is accepted.
const SOON: Duration = Duration::from_millis(500);

/// Shape analysis by forest automata.
#[derive(Clone, Debug)]
pub struct ForestEngine {
    /// The heights to which blocks are told apart, one after the other.
    heights: Vec<usize>,
    effort: Effort,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// As far as it can.
    Whole,
    /// A look for a proof among other engines, where links were seen; these look for failing runs.
    Glance,
}

impl Default for ForestEngine {
    fn default() -> ForestEngine {
        ForestEngine { heights: vec![1, 2], effort: Effort::Whole }
    }
}

impl ForestEngine {
    /// The same, for a look among other engines.
    #[must_use]
    pub fn glance() -> ForestEngine {
        ForestEngine { heights: vec![1], effort: Effort::Glance }
    }

    /// What is tried, one after the other.
    fn precisions(&self) -> Vec<Precision> {
        let first = Precision {
            likeness: Likeness { height: 1, period: 1, ways: Ways::Same },
            circles: Circles::Named,
            second_links: SecondLinks::Certain,
            strangers: Strangers::Named,
        };
        let mut precisions = Vec::new();
        for &height in &self.heights {
            let likeness = Likeness { height, ..first.likeness };
            for second_links in [SecondLinks::Certain, SecondLinks::Possible] {
                for circles in [Circles::Named, Circles::Held] {
                    precisions.push(Precision { likeness, circles, second_links, ..first });
                }
            }
            let likeness = Likeness { ways: Ways::Different, ..likeness };
            precisions.push(Precision { likeness, strangers: Strangers::Forgotten, ..first });
        }
        if self.effort == Effort::Whole {
            let likeness = Likeness { period: 2, ..first.likeness };
            precisions.push(Precision { likeness, ..first });
        }
        precisions
    }
}

impl Engine for ForestEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "cuts the heap into trees, and proves that pointers are right and that no memory is lost"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        Attempt::new(self, task).go_on(run)
    }

    fn attempt<'t>(&'t self, task: &'t Task) -> heapwright_engine::Attempt<'t> {
        let mut attempt = Attempt::new(self, task);
        Box::new(move |run| attempt.go_on(run))
    }
}

/// Whether runs have shown blocks that lead to others.
fn are_links_seen(run: &Run<'_>) -> bool {
    run.facts().iter().any(|published| matches!(published.fact, Fact::Linked(_)))
}

/// A search for a proof, from turn to turn.
struct Attempt<'t> {
    task: &'t Task,
    effort: Effort,
    /// What is still to be tried.
    precisions: VecDeque<Precision>,
    stepper: Option<Stepper<'t>>,
    /// What the last turn has left.
    under_way: Option<(Precision, Exploration<'t>)>,
    /// Why what was tried last is no proof.
    reason: Reason,
}

impl<'t> Attempt<'t> {
    fn new(engine: &ForestEngine, task: &'t Task) -> Attempt<'t> {
        Attempt {
            task,
            effort: engine.effort,
            precisions: engine.precisions().into(),
            stepper: None,
            under_way: None,
            reason: Reason::new("no height was tried"),
        }
    }

    fn go_on(&mut self, run: &Run<'t>) -> Finding {
        match self.effort {
            Effort::Whole => self.decide(run),
            Effort::Glance if !are_links_seen(run) => Finding::Open(Vec::new()),
            // That a glance saw nothing is no news beside what others say.
            Effort::Glance => match self.decide(run) {
                Finding::Open(_) => Finding::Open(Vec::new()),
                decided @ (Finding::Proved(_) | Finding::Refuted(_)) => decided,
            },
        }
    }

    fn decide(&mut self, run: &Run<'t>) -> Finding {
        let task = self.task;
        if let Some(reason) = refusal(task) {
            return Finding::Open(vec![reason]);
        }
        while let Some((precision, explored)) = self.explore(run) {
            self.reason = match explored {
                Explored::Everything(forests) => {
                    let proof = ForestProof::of(task, precision.likeness, &forests);
                    match refuted_at_once(&proof, task, run) {
                        Some(reason) => reason,
                        None => return Finding::Proved(Box::new(proof)),
                    }
                }
                Explored::Alarm(alarm, path) => {
                    if self.effort == Effort::Whole
                        && let Some(inputs) = run_along(task, &path, &run.deadline)
                    {
                        return Finding::Refuted(inputs);
                    }
                    alarm.reason()
                }
                Explored::NoStart => Reason::new("there is no `main`"),
                Explored::TooMuch => Reason::new("too many forests are told apart"),
                Explored::OutOfTime => {
                    return Finding::Open(vec![Reason::new("the time limit was reached")]);
                }
            };
        }
        let hunt = || run_at_random(task, HUNT, &run.deadline);
        match (self.effort == Effort::Whole).then(hunt).flatten() {
            Some(inputs) => Finding::Refuted(inputs),
            None => Finding::Open(vec![self.reason.clone()]),
        }
    }

    /// Goes on with what the last turn has left, or with the next precision; none if all were tried.
    fn explore(&mut self, run: &Run<'t>) -> Option<(Precision, Explored)> {
        let task = self.task;
        let (precision, mut exploration) = match self.under_way.take() {
            Some(under_way) => under_way,
            None => {
                let precision = self.precisions.pop_front()?;
                let stepper = self.stepper.get_or_insert_with(|| Stepper::of(task)).clone();
                match Exploration::begin(stepper, precision, run.observer) {
                    Ok(exploration) => (precision, exploration),
                    Err(explored) => return Some((precision, explored)),
                }
            }
        };
        let explored = exploration.go_on(&run.deadline);
        if matches!(explored, Explored::OutOfTime) {
            self.under_way = Some((precision, exploration));
        }
        Some((precision, explored))
    }
}

/// Why the proof's own check does not accept it, if that is soon found out. The search may come to forests that the check
/// cannot lay over each other; another precision often has others.
fn refuted_at_once(proof: &ForestProof, task: &Task, run: &Run<'_>) -> Option<Reason> {
    let soon = run.deadline.at_most(SOON);
    proof.check(task, &soon).err().filter(|_| !soon.is_over())
}

/// What forests do not answer at all.
fn refusal(task: &Task) -> Option<Reason> {
    let is_beyond = |part: &Part| match part {
        Part::UnreachCall | Part::ValidDeref | Part::ValidFree => false,
        Part::ValidMemtrack | Part::ValidMemcleanup | Part::NoOverflow => false,
        Part::Termination => true,
    };
    let part = task.specification.parts.iter().copied().find(is_beyond)?;
    let text = format!(
        "forest automata say nothing of {part}: they know few numbers; ask another engine, or about other parts"
    );
    Some(Reason::new(text).about(Some(part)))
}
