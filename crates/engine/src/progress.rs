//! Progress: what an engine tells while it works, and who hears it.
//!
//! Events are typed values, so that a live line, a trace and a test read the same thing. An engine that
//! is given up because it does not notice its end has said by then what it knew.

use std::fmt;
use std::time::Duration;

use heapwright_property::Part;

use crate::{Fact, Gap, Reason};

/// Who hears of the work on a task. Engines say nothing of their own accord to anybody else.
pub trait Observer: fmt::Debug {
    fn notice(&self, event: &Event<'_>);

    /// How closely anybody looks. What nobody looks at need not be put into words.
    fn attention(&self) -> Attention {
        Attention::Outline
    }
}

/// How much is told; each tells what the ones before it tell too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attention {
    Outline,
    /// Where candidates for invariants fail.
    Gaps,
    /// Every state and what is done with it.
    Everything,
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&self, _: &Event<'_>) {}
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'e> {
    /// An engine gets a turn with a question about these parts.
    TurnBegins { engine: &'static str, parts: &'e [Part] },
    /// Its turn is over.
    TurnEnds { engine: &'static str, elapsed: Duration },
    /// An engine is at work.
    Progress(Progress),
    /// Something that an engine will give as a reason unless it decides.
    Obstacle { engine: &'static str, reason: &'e Reason },
    /// Something became known that others may use.
    Learnt { engine: &'static str, fact: &'e Fact },
    /// A part has its answer.
    Settled { engine: &'static str, part: Part, answer: Settlement },
    /// A candidate for an invariant failed; told from [`Attention::Gaps`] on.
    Failed(&'e Gap),
    /// What became of a state; told with [`Attention::Everything`] only.
    Detail { engine: &'static str, detail: Detail, text: String },
}

/// What an engine that explores does with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A search begins; the text is its precision.
    Precision,
    /// Its successors are looked for.
    Explored,
    /// Blocks became one that stands for many.
    Folded,
    /// Blocks stay apart that were candidates for folding.
    Refused,
    /// A known state describes it.
    Covered,
    /// A state that describes it and a known one took the place of the known one.
    Joined,
    /// It has another shape than a known one.
    Apart,
}

impl Detail {
    /// The word by which a trace is filtered.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Detail::Precision => "precision",
            Detail::Explored => "explored",
            Detail::Folded => "folded",
            Detail::Refused => "refused",
            Detail::Covered => "covered",
            Detail::Joined => "joined",
            Detail::Apart => "apart",
        }
    }
}

/// How far an engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub engine: &'static str,
    pub phase: Phase,
    /// States, paths or formulas so far in this phase.
    pub states: u64,
    /// Rounds of loops, or decisions on a path.
    pub depth: u64,
}

/// What an engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The program is run.
    Running,
    /// Paths are followed one by one.
    FollowingPaths,
    /// Invariants are looked for.
    FindingInvariants,
    /// A fault that was not excluded is looked at on paths.
    FollowingAlarm,
    /// Executions with few rounds are looked at.
    Unrolling,
    /// What was found is checked.
    Checking,
}

impl Phase {
    /// A few words for a live line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Running => "running",
            Phase::FollowingPaths => "following paths",
            Phase::FindingInvariants => "finding invariants",
            Phase::FollowingAlarm => "following an alarm",
            Phase::Unrolling => "unrolling loops",
            Phase::Checking => "checking a proof",
        }
    }
}

/// What a part's answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    Holds,
    Violated,
}
