//! Steps: what a run did, one line of the source at a time.

use serde::Serialize;

use crate::state::State;

/// A failing execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// The run is longer than what is kept: these are its last steps.
    pub is_cut: bool,
    /// What the fault is about, in the last step's state.
    pub mark: Option<Mark>,
    /// Indices of the steps that tell the story, in order, with its words.
    pub story: Vec<crate::story::StoryStep>,
}

/// A part of one line of the user's source. Columns count bytes from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The first column behind it; at least `column`.
    pub end: u32,
}

/// What one line did, and the state behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub place: Span,
    pub function: String,
    /// Calls of the user's functions under way, this one included.
    pub depth: usize,
    pub events: Vec<Event>,
    /// What the line does, as it is written.
    pub text: String,
    /// What is then so: `head` is node #3.
    pub result: String,
    pub state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A branch: the condition as it is written.
    Decision {
        written: String,
        truth: bool,
        place: Span,
    },
    /// A variable of the user's got a value.
    Assign {
        variable: String,
    },
    Allocate {
        block: u64,
    },
    Free {
        block: u64,
    },
    /// Of a function of the user's.
    Call {
        function: String,
        arguments: Vec<String>,
    },
    Return {
        function: String,
    },
    Input {
        name: String,
        value: String,
    },
    /// The last pointer to a block went.
    Lose {
        block: u64,
    },
    Fault,
}

/// The part of the memory that a fault is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    pub block: u64,
    pub offset: i64,
    /// Bytes; 0 where the fault is about the whole block.
    pub size: u64,
}

impl Trace {
    /// Every step, told as those of the story are.
    #[must_use]
    pub fn full_story(&self) -> Vec<crate::story::StoryStep> {
        let told = |(step, item): (usize, &Step)| crate::story::StoryStep {
            step,
            text: item.text.clone(),
            result: item.result.clone(),
        };
        self.steps.iter().enumerate().map(told).collect()
    }
}
