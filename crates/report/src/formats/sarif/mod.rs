//! SARIF 2.1.0: what code scanning of GitHub and others, and editors, read.
//!
//! A violation is a result of kind `fail` with its story as a code flow (`flow`); a part that is proved is
//! one of kind `pass`, and one that is not decided of kind `open` (`result`). `rules` has the codes of
//! faults with their numbers in the Common Weakness Enumeration, `place` how files and lines are named.

mod flow;
mod place;
mod result;
mod rules;

use heapwright_trace::Sources;
use serde_json::{Value as Json, json};

use super::stamp::file_hash;
use crate::check::{Answer, CheckReport};
use crate::verdict_line::reason_text;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of a check, with a newline at its end.
#[must_use]
pub fn check_sarif(report: &CheckReport, version: &str) -> String {
    let mut sources = Sources::default();
    let artifacts: Vec<Json> = report.files.iter().map(|file| artifact(file)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": rules::driver(version)},
            "taxonomies": [rules::taxonomy()],
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {
                "SRCROOT": {"description": {"text": "The folder in which heapwright was called."}}
            },
            "artifacts": artifacts,
            "invocations": [invocation(&report.answer)],
            "results": result::results(report, &mut sources),
        }]
    });
    format!("{}\n", serde_json::to_string_pretty(&log).expect("plain data"))
}

fn artifact(file: &str) -> Json {
    let mut artifact = json!({"location": place::artifact_location(file), "sourceLanguage": "c"});
    if let Some(hash) = file_hash(file) {
        artifact["hashes"] = json!({"sha-256": hash});
    }
    artifact
}

/// How the check went: why something is not known, and what could not be read.
fn invocation(answer: &Answer) -> Json {
    let note = |level: &str, text: &str| json!({"level": level, "message": {"text": text}});
    let notes: Vec<Json> = match answer {
        Answer::Holds { .. } | Answer::Violated(_) => Vec::new(),
        Answer::Unknown { reasons } => {
            reasons.iter().map(|reason| note("warning", &reason_text(reason))).collect()
        }
        Answer::InputError { message } => vec![note("error", message)],
    };
    let is_successful = !matches!(answer, Answer::InputError { .. });
    json!({"executionSuccessful": is_successful, "toolExecutionNotifications": notes})
}
