//! What is told of one program of a project, and how bad it is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::exit;

/// An answer, new or kept.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) name: String,
    pub(super) report: Report,
    /// The JSON; beside it are the page, SARIF and JUnit, with endings of their own.
    pub(super) kept: PathBuf,
    pub(super) is_cached: bool,
}

/// What of the JSON of `check` is needed here.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Report {
    pub(super) verdict: Verdict,
    pub(super) message: String,
    pub(super) code: Option<String>,
    #[serde(default)]
    pub(super) fingerprint: Option<String>,
    pub(super) place: Option<Place>,
    pub(super) statistics: Statistics,
}

/// The worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    Holds,
    Unknown,
    InputError,
    Violated,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Statistics {
    pub(super) seconds: f64,
}

impl Verdict {
    pub(super) const ALL: [Verdict; 4] =
        [Verdict::Holds, Verdict::Violated, Verdict::Unknown, Verdict::InputError];

    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Unknown => "unknown",
            Verdict::InputError => "input-error",
            Verdict::Violated => "violated",
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Verdict::Holds => "✓",
            Verdict::Violated => "✗",
            Verdict::Unknown | Verdict::InputError => "?",
        }
    }

    pub(super) fn exit_code(self) -> u8 {
        match self {
            Verdict::Holds => exit::HOLDS,
            Verdict::Unknown => exit::UNKNOWN,
            Verdict::InputError => exit::BAD_INPUT,
            Verdict::Violated => exit::VIOLATED,
        }
    }
}

/// Where and what, if it is not all right.
pub(super) fn about(
    verdict: Verdict,
    place: Option<&Place>,
    message: &str,
    code: Option<&str>,
) -> String {
    if verdict == Verdict::Holds {
        return String::new();
    }
    let place = place.map(|place| format!("{}:{}: ", place.file, place.line));
    let code = code.map(|code| format!(" [{code}]"));
    let message = message.lines().next().unwrap_or_default();
    format!("{}{message}{}", place.unwrap_or_default(), code.unwrap_or_default())
}
