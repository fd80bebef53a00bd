//! The plug-in point: what an engine gets ([`Task`], [`Run`]) and what it may say ([`Finding`]).
//!
//! An engine never gives a verdict. It claims, with evidence: inputs for a violation, a proof that
//! can be checked again. Whether the claim counts is for the crate `verdict` to say.

mod along;
mod claims;
mod evidence;
mod fact;
mod gap;
mod progress;
mod run;
mod sight;
mod task;
mod violation;
mod world;

use std::fmt;

use heapwright_interpreter::DrawnInput;
use heapwright_program::Place;
use heapwright_property::Part;

pub use crate::along::{Passage, Way, run_along, run_at_random};
pub use crate::claims::{ClaimedStates, Meaning, Steps, Whereabouts, check_claims};
pub use crate::evidence::{
    Choice, CutId, CutPoint, Evidence, Instance, Membership, NoEvidence, Passed, Sample, Signature,
};
pub use crate::fact::{Fact, Link, LinkWay, Linked, Structure};
pub use crate::gap::{Gap, GapKind, KnownState};
pub use crate::progress::{
    Attention, Detail, Event, Observer, Phase, Progress, Settlement, Silent,
};
pub use crate::run::{Board, Published, Run, Sharing};
pub use crate::sight::see_links;
pub use crate::task::Task;
pub use crate::violation::{
    FoundViolation, REPLAY_STEPS, closed_program, listed_inputs, replay_violates, run_settings,
    violation_of,
};
pub use crate::world::{find_violation, looks_at_addresses};
pub use heapwright_deadline::{Deadline, WorkMeter, processor_time};

/// A way to answer tasks.
pub trait Engine: Send + Sync {
    fn name(&self) -> &'static str;
    /// One line for `--help`.
    fn summary(&self) -> &'static str;
    fn run(&self, task: &Task, run: &Run<'_>) -> Finding;
    /// Whether short turns are in vain with programs like this one, as far as a look at the program tells.
    fn is_slow_at(&self, task: &Task) -> bool {
        let _ = task;
        false
    }
    /// An attempt at a task, for those who may give it time again. An engine that learns something in
    /// one turn goes on from there in the next.
    fn attempt<'t>(&'t self, task: &'t Task) -> Attempt<'t> {
        Box::new(move |run| self.run(task, run))
    }
}

/// An engine at work on a task: called again, it goes on. Who looks on does so all the time.
pub type Attempt<'t> = Box<dyn FnMut(&Run<'t>) -> Finding + 't>;

/// What an engine claims.
#[derive(Debug)]
pub enum Finding {
    /// Every part of the specification holds.
    Proved(Box<dyn Proof>),
    /// These inputs lead to a violation.
    Refuted(Vec<DrawnInput>),
    /// Not decided; the reasons, the most telling first.
    Open(Vec<Reason>),
}

/// A proof that can be checked by code that did not find it.
pub trait Proof: fmt::Debug {
    /// Checks the whole proof against the task; says what is wrong with it.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason>;
    /// What the proof claims of concrete executions, for the oracle to run. Called after `check`.
    fn evidence(&self, task: &Task, deadline: &Deadline) -> Box<dyn Evidence> {
        let (_, _) = (task, deadline);
        Box::new(NoEvidence)
    }
    /// What was proved and how, in one line.
    fn summary(&self) -> String;
    /// Under what the proof holds, beyond the task's own settings.
    fn assumptions(&self) -> Vec<String>;
    /// What the proof shows besides, for others to be steered by.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
    /// The invariants that the proof rests on, in words; none for a proof that needs none.
    fn invariants(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub text: String,
    pub place: Option<Place>,
    /// The part of the question that is not shown for this reason; none if no part is.
    pub part: Option<Part>,
    /// It is so for most programs, and says little where there is another reason.
    pub is_background: bool,
}

impl Reason {
    #[must_use]
    pub fn new(text: impl Into<String>) -> Reason {
        Reason { text: text.into(), place: None, part: None, is_background: false }
    }

    #[must_use]
    pub fn at(text: impl Into<String>, place: Place) -> Reason {
        Reason { place: Some(place), ..Reason::new(text) }
    }

    /// The same reason, which is about one part of the question.
    #[must_use]
    pub fn about(self, part: Option<Part>) -> Reason {
        Reason { part, ..self }
    }

    /// The same reason, to be given after all others.
    #[must_use]
    pub fn in_background(self) -> Reason {
        Reason { is_background: true, ..self }
    }
}
