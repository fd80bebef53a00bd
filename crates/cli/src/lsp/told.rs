//! What is known of a file: the reports of its programs, as `check --json` prints them.

use std::path::PathBuf;

use serde::Deserialize;

/// What of a report an editor shows.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Report {
    pub(super) verdict: Verdict,
    pub(super) message: String,
    pub(super) code: Option<String>,
    pub(super) hint: Option<String>,
    pub(super) labels: Vec<Label>,
    pub(super) reasons: Vec<Reason>,
    pub(super) places: Vec<ProofPlace>,
    /// The page with pictures, if one was written.
    #[serde(skip)]
    pub(super) page: Option<PathBuf>,
    /// How the question was asked: the options of `check`.
    #[serde(skip)]
    pub(super) options: Vec<String>,
    /// The function that was asked about in place of `main`.
    #[serde(skip)]
    pub(super) function: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    Holds,
    Violated,
    Unknown,
    InputError,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Label {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    #[serde(default)]
    pub(super) end_column: u32,
    pub(super) text: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reason {
    pub(super) text: String,
    pub(super) place: Option<Place>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// Where a proof says something.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ProofPlace {
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) cases: Vec<Case>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Case {
    pub(super) sentences: Vec<String>,
}
