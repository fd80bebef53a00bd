//! JSON for programs. Fields are added, never renamed or taken away, within a schema version.
//!
//! `heapwright check --json` prints one document:
//!
//! ```json
//! {
//!   "schema": "heapwright-check/1",
//!   "version": "0.1.0",              // of Heapwright
//!   "files": ["list.c"],
//!   "properties": ["valid-deref"],   // what was asked
//!   "data_model": "LP64",
//!   "verdict": "holds",              // or "violated", "unknown", "input-error"
//!   "part": null,                    // what is violated: "valid-deref"
//!   "kind": null,                    // the kind of fault: "dangling-dereference"
//!   "code": null,                    // "HW001"; `heapwright --explain HW001` says more
//!   "cwe": null,                     // its number in the Common Weakness Enumeration: 416
//!   "fingerprint": null,             // a name of the finding that survives changes of other lines
//!   "hint": null,                    // what usually helps
//!   "places": [],                    // of a proof: {"place", "file", "line", "cases": [{"sentences"}]}
//!   "place": null,                   // {"file", "line", "column"} of the fault
//!   "message": "…",                  // one line for people
//!   "labels": [],                    // {"file", "line", "column", "text"}: fault, allocation, …
//!   "blocks": [],                    // the memory in question
//!   "stack": [],                     // {"function", "place"}, innermost first
//!   "trace": [],                     // {"place", "text", "result", "number"}: the steps of the story
//!   "inputs": [],                    // {"kind", "name", "value", "place"} in the order of drawing
//!   "reproduce": null,               // a command line
//!   "harness": null,                 // the file that `--repro` names, if it was written
//!   "assumptions": ["malloc does not fail"],
//!   "invariants": [],                // texts, with --show-invariants
//!   "proof_check": null,             // of "holds": {"summary", "whole_runs", "steps", "small_states",
//!                                    //  "contained", "unclear", "cut_points", "not_exercised",
//!                                    //  "is_cut_short", "seconds"}: what was run
//!   "parts": [],                     // {"part", "verdict", "engine", "up_to", "obstacle"}, one each:
//!                                    //  "up_to" names parts that the answer does not look beyond
//!   "searched": [],                  // {"engine", "rounds" or "paths" or "runs", "text"}: how far the
//!                                    //  search for a violation went; no verdict
//!   "failure": null,                 // of an "unknown" with --explain-failure: {"engine", "reason", "states":
//!                                    //  [{"role", "place", "sentences", "difference", "text"}]}
//!   "reasons": [],                   // {"engine", "text", "place"} of an "unknown"
//!   "engine": "concrete",            // that decided; null if none did
//!   "statistics": {"seconds": 0.01, "engines": [{"engine": "concrete", "seconds": 0.01}],  // "work" in units, if counted
//!                  "solver": {"calls": 0, "seconds": 0.0}}
//! }
//! ```
//!
//! `heapwright run --json FILE` writes `schema` `heapwright-run/1`, `version` and the fields of
//! [`RunSummary`]; `ending.kind` tells how the run ended.

use heapwright_trace::Sources;
use serde::Serialize;

use crate::check::{Answer, CheckReport, EngineRun, ProofCheck, ReasonReport, SolverWork};
use crate::failure::FailureReport;
use crate::fault::{BlockReport, FrameReport};
use crate::fingerprint::fingerprint;
use crate::input::InputReport;
use crate::parts::PartReport;
use crate::position::{Label, Position};
use crate::proof::ProofPlace;
use crate::run::RunSummary;
use crate::search::SearchReport;
use crate::story::Step;

#[derive(Default, Serialize)]
struct CheckDocument<'r> {
    schema: &'static str,
    version: &'r str,
    files: &'r [String],
    properties: Vec<&'static str>,
    data_model: &'r str,
    verdict: &'static str,
    part: Option<&'static str>,
    kind: Option<&'static str>,
    code: Option<&'static str>,
    cwe: Option<u32>,
    fingerprint: Option<String>,
    hint: Option<&'r str>,
    places: &'r [ProofPlace],
    place: Option<&'r Position>,
    message: &'r str,
    labels: &'r [Label],
    blocks: &'r [BlockReport],
    stack: &'r [FrameReport],
    trace: &'r [Step],
    inputs: &'r [InputReport],
    reproduce: Option<&'r str>,
    harness: Option<&'r str>,
    assumptions: &'r [String],
    invariants: &'r [String],
    proof_check: Option<&'r ProofCheck>,
    parts: &'r [PartReport],
    searched: &'r [SearchReport],
    failure: Option<&'r FailureReport>,
    reasons: &'r [ReasonReport],
    engine: Option<&'r str>,
    statistics: Statistics<'r>,
}

#[derive(Default, Serialize)]
struct Statistics<'r> {
    seconds: f64,
    engines: &'r [EngineRun],
    solver: SolverWork,
}

/// The document of a check, with a newline at its end.
#[must_use]
pub fn check_json(report: &CheckReport, version: &str) -> String {
    let base = CheckDocument {
        schema: "heapwright-check/1",
        version,
        files: &report.files,
        properties: report.parts.iter().map(|part| part.name()).collect(),
        data_model: &report.data_model,
        parts: &report.part_answers,
        searched: &report.searched,
        failure: report.failure.as_ref(),
        engine: report.engine.as_deref(),
        places: &report.places,
        statistics: Statistics {
            seconds: report.seconds,
            engines: &report.engines,
            solver: report.solver,
        },
        ..CheckDocument::default()
    };
    pretty(&match &report.answer {
        Answer::Holds { summary, assumptions, invariants, proof_check } => CheckDocument {
            verdict: "holds",
            message: summary,
            assumptions,
            invariants,
            proof_check: Some(proof_check),
            ..base
        },
        Answer::Violated(violation) => CheckDocument {
            verdict: "violated",
            part: Some(violation.part.name()),
            kind: Some(violation.fault.kind),
            code: Some(violation.fault.code.id),
            cwe: Some(violation.fault.code.cwe),
            fingerprint: Some(fingerprint(violation, &mut Sources::default())),
            hint: violation.hint.as_deref(),
            place: violation.fault.place.as_ref(),
            message: &violation.fault.message,
            labels: &violation.fault.labels,
            blocks: &violation.fault.blocks,
            stack: &violation.fault.stack,
            trace: &violation.story,
            inputs: &violation.inputs,
            reproduce: Some(&violation.reproduce),
            harness: violation.harness.as_ref().map(|harness| harness.file.as_str()),
            assumptions: &violation.assumptions,
            ..base
        },
        Answer::Unknown { reasons } => {
            let message = reasons.first().map_or("", |reason| reason.text.as_str());
            let place = reasons.first().and_then(|reason| reason.place.as_ref());
            let assumptions = &report.granted;
            CheckDocument { verdict: "unknown", message, place, reasons, assumptions, ..base }
        }
        Answer::InputError { message } => CheckDocument { verdict: "input-error", message, ..base },
    })
}

#[derive(Serialize)]
struct RunDocument<'r> {
    schema: &'static str,
    version: &'r str,
    #[serde(flatten)]
    summary: &'r RunSummary,
}

/// The document of a run, with a newline at its end.
#[must_use]
pub fn run_json(summary: &RunSummary, version: &str) -> String {
    pretty(&RunDocument { schema: "heapwright-run/1", version, summary })
}

fn pretty(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("plain data");
    format!("{text}\n")
}
