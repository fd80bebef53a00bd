//! Who found it, which rules there are, and what they are called elsewhere.

use heapwright_property::Part;
use serde_json::{Value as Json, json};

use crate::codes::{CODES, Code};

const PROJECT: &str = env!("CARGO_PKG_REPOSITORY");

/// Parts of questions are rules as well: what holds and what is open is said of them.
pub(super) const PARTS: [(Part, &str); 7] = [
    (Part::UnreachCall, "No assertion fails and no error function is called."),
    (Part::ValidDeref, "Every access is to memory that is there."),
    (Part::ValidFree, "Only what was allocated is freed, and only once."),
    (Part::ValidMemtrack, "No memory is lost."),
    (Part::ValidMemcleanup, "All memory is freed when the program ends."),
    (Part::NoOverflow, "No signed integer overflows."),
    (Part::Termination, "Every execution ends."),
];

pub(super) fn driver(version: &str) -> Json {
    let codes = CODES.iter().map(code_rule);
    let parts = PARTS.iter().map(|(part, text)| part_rule(*part, text));
    json!({
        "name": "Heapwright",
        "version": version,
        "semanticVersion": version,
        "informationUri": PROJECT,
        "supportedTaxonomies": [{"name": "CWE", "index": 0}],
        "rules": codes.chain(parts).collect::<Vec<Json>>(),
    })
}

/// The place of a code among the rules.
pub(super) fn index_of_code(code: &Code) -> usize {
    CODES.iter().position(|known| known.id == code.id).expect("every code is listed")
}

/// The place of a part among the rules.
pub(super) fn index_of_part(part: Part) -> usize {
    let index = PARTS.iter().position(|(known, _)| *known == part);
    CODES.len() + index.expect("every part is listed")
}

fn code_rule(code: &Code) -> Json {
    let (taxon, _) = taxon_of(code);
    json!({
        "id": code.id,
        "name": code.name,
        "shortDescription": {"text": sentence(code.summary)},
        "fullDescription": {"text": sentence(code.summary)},
        "help": {"text": code.explanation},
        "defaultConfiguration": {"level": "error"},
        "properties": {
            "tags": ["security", "memory-safety", format!("external/cwe/cwe-{}", code.cwe)],
            "precision": "very-high",
            "problem.severity": "error",
            "security-severity": code.severity,
        },
        "relationships": [{"target": taxon, "kinds": ["superset"]}],
    })
}

fn part_rule(part: Part, text: &str) -> Json {
    json!({
        "id": part.name(),
        "name": part.name(),
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "none"},
    })
}

/// A reference to the weakness that a code is about, and its place in the taxonomy.
pub(super) fn taxon_of(code: &Code) -> (Json, usize) {
    let index = weaknesses().iter().position(|(number, _)| *number == code.cwe);
    let index = index.expect("every code has its weakness");
    let component = json!({"name": "CWE", "index": 0});
    (json!({"id": code.cwe.to_string(), "index": index, "toolComponent": component}), index)
}

fn weaknesses() -> Vec<(u32, &'static str)> {
    let mut numbers: Vec<(u32, &str)> =
        CODES.iter().map(|code| (code.cwe, code.cwe_title)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

pub(super) fn taxonomy() -> Json {
    let taxon = |(number, title): (u32, &str)| {
        json!({
            "id": number.to_string(),
            "name": title,
            "shortDescription": {"text": sentence(title)},
            "helpUri": format!("https://cwe.mitre.org/data/definitions/{number}.html"),
        })
    };
    json!({
        "name": "CWE",
        "organization": "MITRE",
        "shortDescription": {"text": "The MITRE Common Weakness Enumeration."},
        "isComprehensive": false,
        "taxa": weaknesses().into_iter().map(taxon).collect::<Vec<Json>>(),
    })
}

/// With a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", characters.as_str().trim_end_matches('.'))
}
