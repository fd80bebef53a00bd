//! Results: what fails, what passes, what is open.

use heapwright_trace::Sources;
use serde_json::{Value as Json, json};

use super::flow::code_flow;
use super::place::{artifact_location, physical};
use super::rules::{index_of_code, index_of_part, sentence, taxon_of};
use crate::check::{Answer, CheckReport, ViolationReport};
use crate::fingerprint::{fingerprint, function_of};
use crate::parts::{PartReport, PartVerdict};
use crate::verdict_line::reason_text;

pub(super) fn results(report: &CheckReport, sources: &mut Sources) -> Vec<Json> {
    let mut results = Vec::new();
    if let Answer::Violated(violation) = &report.answer {
        results.push(failed(violation, sources));
    }
    results.extend(report.part_answers.iter().filter_map(|part| told(report, part)));
    results
}

/// What is said of a part beside the violation that is told.
fn told(report: &CheckReport, part: &PartReport) -> Option<Json> {
    let name = part.part.name();
    let quoted = format!("`{name}`");
    let (kind, text) = match part.verdict {
        PartVerdict::Violated if is_told_already(report, part) => return None,
        PartVerdict::Violated => {
            let alone = format!("`--property {name}` shows how");
            ("fail", format!("{quoted} is violated as well; {alone}"))
        }
        PartVerdict::Holds if part.up_to.is_empty() => ("pass", format!("{quoted} holds")),
        // Nothing is claimed of what follows another violation.
        PartVerdict::Holds => {
            let names: Vec<&str> = part.up_to.iter().map(|part| part.name()).collect();
            let until = names.join(" or ");
            ("informational", format!("{quoted} holds up to a violation of {until}"))
        }
        PartVerdict::Unknown => {
            let why = part.obstacle.as_ref().map(reason_text).or_else(|| first_reason(report));
            ("open", format!("{quoted} is not decided: {}", why.unwrap_or_default()))
        }
    };
    let place = report.files.first();
    let place = place
        .map(|file| json!({"physicalLocation": {"artifactLocation": artifact_location(file)}}));
    Some(json!({
        "ruleId": name,
        "ruleIndex": index_of_part(part.part),
        "kind": kind,
        "level": if kind == "fail" { "error" } else { "none" },
        "message": {"text": sentence(&text)},
        "locations": place.into_iter().collect::<Vec<Json>>(),
    }))
}

fn is_told_already(report: &CheckReport, part: &PartReport) -> bool {
    match &report.answer {
        Answer::Violated(violation) => violation.part == part.part,
        Answer::Holds { .. } | Answer::Unknown { .. } | Answer::InputError { .. } => false,
    }
}

fn first_reason(report: &CheckReport) -> Option<String> {
    match &report.answer {
        Answer::Unknown { reasons } => reasons.first().map(reason_text),
        Answer::Holds { .. } | Answer::Violated(_) | Answer::InputError { .. } => None,
    }
}

fn failed(violation: &ViolationReport, sources: &mut Sources) -> Json {
    let fault = &violation.fault;
    let (taxon, _) = taxon_of(&fault.code);
    let mut labels = fault.labels.iter();
    let first = labels.next();
    let text = match first {
        Some(label) => format!("{}: {}", fault.message, label.text),
        None => fault.message.clone(),
    };
    let function = function_of(violation);
    let place = first.map(|label| {
        let functions: Vec<Json> =
            function.iter().map(|name| json!({"name": name, "kind": "function"})).collect();
        json!({
            "physicalLocation": physical(&label.position, label.end_column, sources),
            "logicalLocations": functions,
        })
    });
    let mut related = Vec::new();
    for (id, label) in (1..).zip(labels) {
        let physical = physical(&label.position, label.end_column, sources);
        related.push(json!({
            "id": id,
            "message": {"text": sentence(&label.text)},
            "physicalLocation": physical,
        }));
    }
    let flow = violation.trace.as_ref().map(|trace| code_flow(trace, sources));
    json!({
        "ruleId": fault.code.id,
        "ruleIndex": index_of_code(&fault.code),
        "kind": "fail",
        "level": "error",
        "message": {"text": sentence(&text)},
        "locations": place.into_iter().collect::<Vec<Json>>(),
        "relatedLocations": related,
        "codeFlows": flow.into_iter().collect::<Vec<Json>>(),
        "taxa": [taxon],
        "partialFingerprints": {"heapwright/v1": fingerprint(violation, sources)},
        "properties": {"property": violation.part.name(), "reproduce": violation.reproduce},
    })
}
