//! Format 1.0 of witnesses, an automaton in GraphML: still asked for where memory is lost.

use std::fmt::Write;

use heapwright_trace::Sources;

use super::violation::{calls, target};
use super::{
    Constraint, Content, Entry, EntryType, Location, Metadata, SegmentItem, TaskData, Waypoint,
    WaypointItem, WaypointType, specification,
};
use crate::check::{Answer, CheckReport};
use crate::formats::stamp::{Stamp, file_hash};
use crate::formats::xml::text as xml;

/// A witness of a violation in GraphML; `None` for other answers.
#[must_use]
pub fn witness_graphml(report: &CheckReport, stamp: Stamp<'_>) -> Option<String> {
    let Answer::Violated(violation) = &report.answer else { return None };
    let file = report.files.first()?;
    let architecture = if report.data_model == "ILP32" { "32bit" } else { "64bit" };
    let mut text = head();
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", "Heapwright"),
        ("specification", &specification(report, &[violation.part])),
        ("programfile", file),
        ("programhash", &file_hash(file).unwrap_or_default()),
        ("architecture", architecture),
        ("creationtime", &stamp.iso().replace('Z', "+00:00")),
    ] {
        write(&mut text, format_args!("    <data key=\"{key}\">{}</data>\n", xml(value)));
    }
    let drawn: Vec<_> = calls(violation).filter(|input| input.place.is_some()).collect();
    let last = drawn.len() + 1;
    for node in 0..=last {
        let mark = match node {
            0 => "<data key=\"entry\">true</data>",
            node if node == last => "<data key=\"violation\">true</data>",
            _ => "",
        };
        write(&mut text, format_args!("    <node id=\"A{node}\">{mark}</node>\n"));
    }
    for (index, input) in drawn.iter().enumerate() {
        let line = input.place.as_ref().map_or(1, |place| place.line);
        let assumed = [
            ("startline", line.to_string()),
            ("assumption", format!("\\result == {};", input.value)),
            ("assumption.resultfunction", input.name.trim_end_matches("()").to_owned()),
        ];
        edge(&mut text, index, &assumed);
    }
    let line = target(violation, &mut Sources::default()).map_or(1, |at| at.line);
    edge(&mut text, last - 1, &[("startline", line.to_string())]);
    text.push_str("  </graph>\n</graphml>\n");
    Some(text)
}

/// An edge from a node to the next one.
fn edge(text: &mut String, from: usize, data: &[(&str, String)]) {
    let to = from + 1;
    write(text, format_args!("    <edge source=\"A{from}\" target=\"A{to}\">"));
    for (key, value) in data {
        write(text, format_args!("<data key=\"{key}\">{}</data>", xml(value)));
    }
    text.push_str("</edge>\n");
}

/// What the data of graphs, nodes and edges are called.
const KEYS: [(&str, &str, &str, &str); 13] = [
    ("witness-type", "witness-type", "string", "graph"),
    ("sourcecodelang", "sourcecodelang", "string", "graph"),
    ("producer", "producer", "string", "graph"),
    ("specification", "specification", "string", "graph"),
    ("programfile", "programFile", "string", "graph"),
    ("programhash", "programHash", "string", "graph"),
    ("architecture", "architecture", "string", "graph"),
    ("creationtime", "creationTime", "string", "graph"),
    ("entry", "isEntryNode", "boolean", "node"),
    ("violation", "isViolationNode", "boolean", "node"),
    ("startline", "startline", "int", "edge"),
    ("assumption", "assumption", "string", "edge"),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge"),
];

fn head() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (id, name, ty, of) in KEYS {
        let default = if of == "node" { "<default>false</default>" } else { "" };
        write(
            &mut text,
            format_args!(
                "  <key id=\"{id}\" attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\">{default}</key>\n"
            ),
        );
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    text
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}

/// Reads a violation witness: its assumptions about results, along the path to the violation, and the last
/// edge as target. `Err` says what is wrong with it.
pub fn read_graphml(text: &str) -> Result<Entry, String> {
    let document =
        roxmltree::Document::parse(text).map_err(|error| format!("not GraphML: {error}"))?;
    let graph = document.descendants().find(|node| node.has_tag_name("graph"));
    let graph = graph.ok_or("not a witness: there is no graph")?;
    let data = |node: roxmltree::Node<'_, '_>, key: &str| {
        let found = node.children().find(|child| child.attribute("key") == Some(key));
        found.and_then(|child| child.text()).map(|text| text.trim().to_owned())
    };
    if data(graph, "witness-type").as_deref() != Some("violation_witness") {
        return Err("only witnesses of violations are read in GraphML".to_owned());
    }
    let file = data(graph, "programfile").unwrap_or_default();
    let nodes = |key: &'static str| {
        let mut nodes = graph.children().filter(|node| node.has_tag_name("node"));
        let node = nodes.find(move |node| data(*node, key).as_deref() == Some("true"));
        node.and_then(|node| node.attribute("id"))
    };
    let entry = nodes("entry").ok_or("not a witness: no node is the entry")?;
    let violation = nodes("violation").ok_or("not a witness: no node is the violation")?;
    let edges: Vec<_> = graph.children().filter(|node| node.has_tag_name("edge")).collect();
    let mut segments = Vec::new();
    let mut here = entry;
    // Ends because a path that is longer than there are edges is refused.
    while here != violation {
        let edge = edges.iter().find(|edge| edge.attribute("source") == Some(here));
        let edge = edge.filter(|_| segments.len() <= edges.len());
        let edge = edge.ok_or("only witnesses whose path has no branches and loops are read")?;
        here = edge.attribute("target").ok_or("not a witness: an edge leads nowhere")?;
        let line = data(*edge, "startline").and_then(|line| line.parse().ok()).unwrap_or(0);
        let assumed = data(*edge, "assumption");
        let constraint = assumed.map(|text| Constraint {
            value: text.trim_end_matches(';').to_owned(),
            format: Some("c_expression".to_owned()),
        });
        let kind = match (here == violation, &constraint) {
            (true, _) => WaypointType::Target,
            (false, Some(assumed)) if assumed.value.starts_with("\\result") => {
                WaypointType::FunctionReturn
            }
            (false, _) => WaypointType::Assumption,
        };
        let location = Location { file_name: file.clone(), line, column: None, function: None };
        let waypoint = Waypoint { kind, action: "follow".to_owned(), constraint, location };
        segments.push(SegmentItem { segment: vec![WaypointItem { waypoint }] });
    }
    let is_narrow = data(graph, "architecture").as_deref() == Some("32bit");
    let hash = (file.clone(), data(graph, "programhash").unwrap_or_default());
    let task = TaskData {
        input_files: vec![file],
        input_file_hashes: [hash].into(),
        specification: data(graph, "specification").unwrap_or_default(),
        data_model: if is_narrow { "ILP32" } else { "LP64" }.to_owned(),
        language: "C".to_owned(),
    };
    let metadata = Metadata { format_version: "1.0".to_owned(), task, ..Metadata::default() };
    let content = Content::Segments(segments);
    Ok(Entry { entry_type: EntryType::ViolationSequence, metadata, content })
}
