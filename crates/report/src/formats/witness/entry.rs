//! Format 2.0 of witnesses as data: entries of segments with waypoints, or of invariants.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub entry_type: EntryType,
    pub metadata: Metadata,
    pub content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    ViolationSequence,
    InvariantSet,
}

impl EntryType {
    pub(super) fn name(self) -> &'static str {
        match self {
            EntryType::ViolationSequence => "violation_sequence",
            EntryType::InvariantSet => "invariant_set",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    pub format_version: String,
    pub uuid: String,
    pub creation_time: String,
    pub producer: Producer,
    pub task: TaskData,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    pub name: String,
    pub version: String,
}

/// The program and the question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskData {
    pub input_files: Vec<String>,
    pub input_file_hashes: BTreeMap<String, String>,
    pub specification: String,
    pub data_model: String,
    pub language: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    Segments(Vec<SegmentItem>),
    Invariants(Vec<InvariantItem>),
}

/// Waypoints up to one that is followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentItem {
    pub segment: Vec<WaypointItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaypointItem {
    pub waypoint: Waypoint,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waypoint {
    #[serde(rename = "type")]
    pub kind: WaypointType,
    /// `follow` or `avoid`.
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    pub location: Location,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaypointType {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    #[serde(deserialize_with = "scalar")]
    pub value: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub file_name: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantItem {
    pub invariant: Invariant,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant` or `location_invariant`.
    #[serde(rename = "type")]
    pub kind: String,
    pub location: Location,
    #[serde(deserialize_with = "scalar")]
    pub value: String,
    pub format: String,
}

/// A text, or what some producers write without quotes: `true`, `1`.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Scalar {
        Text(String),
        Truth(bool),
        Number(i64),
    }
    Ok(match Scalar::deserialize(deserializer)? {
        Scalar::Text(text) => text,
        Scalar::Truth(truth) => truth.to_string(),
        Scalar::Number(number) => number.to_string(),
    })
}

/// Reads a witness in YAML. `Err` says what is wrong with it.
pub fn read_yaml(text: &str) -> Result<Vec<Entry>, String> {
    serde_norway::from_str(text).map_err(|error| format!("not a witness of format 2: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_lack_quotes() {
        let constraint: Constraint = serde_norway::from_str("value: true").unwrap();
        assert_eq!(constraint.value, "true");
        let constraint: Constraint = serde_norway::from_str("value: \"\\\\result == 1\"").unwrap();
        assert_eq!(constraint.value, "\\result == 1");
    }

    #[test]
    fn what_is_no_witness_is_refused_with_a_reason() {
        assert!(
            read_yaml("- entry_type: precondition_invariant").unwrap_err().contains("format 2")
        );
        assert!(read_yaml("x: [").is_err());
    }
}
