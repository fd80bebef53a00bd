//! Gaps: where a candidate for an invariant failed, so that people see why nothing was proved.
//!
//! States are texts of the engine that has them. A gap is not a finding: it refutes nothing.

use crate::Reason;

/// Why a candidate was given up, with the states in which it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    pub engine: &'static str,
    pub reason: Reason,
    pub kind: GapKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// A state came to a place where none of the candidate's states describes it.
    NotDescribed { arrived: String, known: Vec<KnownState> },
    /// A way out of one of the candidate's states is not safe, or could not be followed.
    Step {
        /// The candidate's state.
        from: Option<String>,
        /// Where the way ends.
        to: Option<String>,
    },
}

/// A state of a candidate, and why it does not describe another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownState {
    pub text: String,
    /// Where the two differ first.
    pub difference: String,
}
