//! Witnesses of SV-COMP, with which other tools check an answer, and ours check theirs.
//!
//! `entry` is format 2.0 in YAML as data, which is written and read. `violation` tells a failing
//! execution by the values of its inputs, the branches that its story names, and the statement at fault.
//! `invariants` says what C can say of a proof: which pointers are null, which numbers are known at a
//! loop head; shapes of heaps are given as remarks. `graphml` is the older format, for violations.

mod entry;
mod graphml;
mod invariants;
mod violation;

pub use self::entry::{
    Constraint, Content, Entry, EntryType, Invariant, InvariantItem, Location, Metadata, Producer,
    SegmentItem, TaskData, Waypoint, WaypointItem, WaypointType, read_yaml,
};
pub use self::graphml::{read_graphml, witness_graphml};

use heapwright_property::Part;
use heapwright_trace::{Sources, printable};

use super::stamp::{Stamp, file_hash};
use crate::check::{Answer, CheckReport};

/// A witness in YAML; `None` where there is nothing to witness.
#[must_use]
pub fn witness_yaml(report: &CheckReport, stamp: Stamp<'_>) -> Option<String> {
    let mut sources = Sources::default();
    let (entry_type, parts, content) = match &report.answer {
        Answer::Violated(violation) => {
            let segments = violation::segments(violation, &mut sources);
            (EntryType::ViolationSequence, vec![violation.part], Content::Segments(segments))
        }
        Answer::Holds { .. } => {
            let invariants = invariants::invariants(&report.places, &mut sources);
            (EntryType::InvariantSet, report.parts.clone(), Content::Invariants(invariants))
        }
        Answer::Unknown { .. } | Answer::InputError { .. } => return None,
    };
    let specification = specification(report, &parts);
    let metadata = metadata(report, stamp, entry_type, specification);
    let entries = [Entry { entry_type, metadata, content }];
    let text = serde_norway::to_string(&entries).expect("plain data");
    // Some readers take a bare time for a date of their own.
    let time = format!("creation_time: {}", stamp.iso());
    let text = text.replacen(&time, &format!("creation_time: '{}'", stamp.iso()), 1);
    Some(format!("{}{text}", remarks(report)))
}

/// What no witness can say, for people: the shapes of a proof, and inputs that no call draws.
fn remarks(report: &CheckReport) -> String {
    let mut lines: Vec<String> = Vec::new();
    for place in &report.places {
        for case in &place.cases {
            lines.push(format!("{}: {}", place.place, case.sentences.join("; ")));
        }
    }
    if let Answer::Violated(violation) = &report.answer {
        let other = violation.inputs.iter().filter(|input| !input.is_call() && input.value != "0");
        lines.extend(other.map(|input| format!("{} = {}", input.name, input.value)));
    }
    lines.iter().map(|line| format!("# {}\n", printable(line))).collect()
}

/// `CHECK( init(main()), LTL(G valid-deref) )`, a line a part.
fn specification(report: &CheckReport, parts: &[Part]) -> String {
    let line = |part: &Part| {
        let what = match part {
            Part::UnreachCall => {
                let function = report.error_functions.first();
                format!("! call({}())", function.map_or("reach_error", String::as_str))
            }
            Part::NoOverflow => "! overflow".to_owned(),
            Part::Termination => return "CHECK( init(main()), LTL(F end) )".to_owned(),
            Part::ValidDeref | Part::ValidFree | Part::ValidMemtrack | Part::ValidMemcleanup => {
                part.name().to_owned()
            }
        };
        format!("CHECK( init(main()), LTL(G {what}) )")
    };
    parts.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn metadata(
    report: &CheckReport,
    stamp: Stamp<'_>,
    entry_type: EntryType,
    specification: String,
) -> Metadata {
    let hash = |file: &String| (file.clone(), file_hash(file).unwrap_or_default());
    let hashes: std::collections::BTreeMap<String, String> =
        report.files.iter().map(hash).collect();
    let mut words: Vec<&str> = hashes.values().map(String::as_str).collect();
    words.extend([specification.as_str(), entry_type.name()]);
    Metadata {
        format_version: "2.0".to_owned(),
        uuid: stamp.uuid(&words),
        creation_time: stamp.iso(),
        producer: Producer { name: "Heapwright".to_owned(), version: stamp.version.to_owned() },
        task: TaskData {
            input_files: report.files.clone(),
            input_file_hashes: hashes,
            specification,
            data_model: report.data_model.clone(),
            language: "C".to_owned(),
        },
    }
}
