//! What came of running a proof.

use std::fmt;
use std::time::Duration;

use heapwright_engine::CutId;
use heapwright_interpreter::{DrawnInput, Snapshot};

/// What was run, and what did not agree with the proof.
#[derive(Clone, Debug, Default)]
pub struct Examination {
    /// Whole runs, from the start of the program.
    pub runs: u64,
    /// Of these, the ones in which the implementation decides otherwise than it does plainly.
    pub runs_in_other_worlds: u64,
    /// Instances of the proof's own steps.
    pub steps: u64,
    /// Runs from states that the proof allows.
    pub small_states: u64,
    /// Runs from states of whole runs that were changed in one place.
    pub perturbed_states: u64,
    /// Arrivals at cut points in a state that the proof allows.
    pub contained: u64,
    /// Questions that the evidence could not answer, and states that could not be made.
    pub unclear: u64,
    /// One of the unclear ones, for people.
    pub doubt: Option<String>,
    /// Of all cut points, how many a run was at.
    pub cut_points: usize,
    pub cut_points_exercised: usize,
    /// The names of the others.
    pub not_exercised: Vec<String>,
    /// The budget ended before the work did.
    pub is_cut_short: bool,
    /// Work done, in edges.
    pub work: u64,
    /// What it took, the making of the evidence included.
    pub time: Duration,
    pub refutation: Option<Box<Refutation>>,
}

impl Examination {
    /// What was run: "64 whole runs, 216 steps and 1940 small states".
    #[must_use]
    pub fn summary(&self) -> String {
        let states = self.small_states + self.perturbed_states;
        let parts = [
            (self.runs, "whole run", "whole runs"),
            (self.steps, "step", "steps"),
            (states, "small state", "small states"),
        ];
        let counted = |&(count, one, many): &(u64, &str, &str)| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let mut parts: Vec<String> = parts.iter().filter_map(counted).collect();
        if self.runs_in_other_worlds > 0 {
            let count = self.runs_in_other_worlds;
            parts[0] += &format!(" ({count} of them where the implementation chooses otherwise)");
        }
        match parts.as_slice() {
            [] => "nothing".to_owned(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }
}

/// Where a refutation came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueName {
    WholeRuns,
    Steps,
    SmallStates,
    PerturbedStates,
}

impl fmt::Display for QueueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            QueueName::WholeRuns => "a whole run",
            QueueName::Steps => "a step of the proof",
            QueueName::SmallStates => "a small state",
            QueueName::PerturbedStates => "a changed state of a run",
        })
    }
}

/// What a run did that the proof says cannot happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The run violates the specification: the part, and where.
    Violation(String),
    /// An edge was taken that no execution takes.
    DeadEdge(String),
    /// The branches of the run are those of no path of the proof.
    NoSuchPath,
    /// The run arrived in a state that is not allowed there: the cut point, and why.
    NotContained { cut: String, why: String },
    /// A step does not take the branches that the proof says it takes.
    OtherBranches,
    /// A state that the evidence gave is not one that it allows: the cut point, and why.
    NotItsOwn { cut: String, why: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Violation(what) => write!(f, "it violates {what}"),
            Problem::DeadEdge(place) => write!(f, "it goes where the proof says none can: {place}"),
            Problem::NoSuchPath => f.write_str("its path is not among the paths of the proof"),
            Problem::NotContained { cut, why } => {
                write!(f, "it is in a state that the proof does not allow at {cut}: {why}")
            }
            Problem::OtherBranches => f.write_str("it does not take the branches of its step"),
            Problem::NotItsOwn { cut, why } => {
                write!(f, "the proof gives a state that it does not allow at {cut}: {why}")
            }
        }
    }
}

/// A disagreement between a proof and a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    pub queue: QueueName,
    pub problem: Problem,
    /// Where the run began; `None` for the start of the program.
    pub start: Option<Start>,
    /// The state in which it showed, as text.
    pub state: String,
    /// The inputs that the run drew.
    pub inputs: Vec<DrawnInput>,
    /// The run is one of the program and violates the specification.
    pub is_violation: bool,
}

/// Where a run began that did not begin where the program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    pub cut_id: CutId,
    /// The name of the cut point.
    pub cut: String,
    pub state: Box<Snapshot>,
    pub text: String,
}

impl fmt::Display for Refutation {
    /// In one line; [`Refutation::report`] tells all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} refutes the proof", self.queue)?;
        if let Some(start) = &self.start {
            write!(f, ", from {} on", start.cut)?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl Refutation {
    /// Everything that is known, for those who look for the error.
    #[must_use]
    pub fn report(&self) -> String {
        let mut text = format!("{self}\n");
        if let Some(start) = &self.start {
            text += &format!("\nthe state at {}:\n{}", start.cut, start.text);
        }
        if !self.inputs.is_empty() {
            text += "\ninputs:\n";
        }
        for input in &self.inputs {
            text += &format!("  {:?} = {:#x}\n", input.kind, input.bits);
        }
        if !self.state.is_empty() {
            text += &format!("\nthe state in which it shows:\n{}", self.state);
        }
        text
    }
}
