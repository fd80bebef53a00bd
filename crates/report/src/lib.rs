//! Answers and runs, as people read them on a terminal and as programs read them in JSON.
//!
//! Read in this order: `position`, `codes` and `fault` put a fault into words and places, `story` tells
//! the steps that lead to it, `hint` what to do; `input` names what was drawn on the way; `reproduce`
//! and `harness` show it again; `proof` puts a proof into words, `flow` says which line leads to which. [`CheckReport`] and
//! [`RunSummary`] hold all of that as plain data, from which `check_text`, `run_text`,
//! `verdict_line`, `json`, `html` and `formats` make their texts: two outputs of one run never disagree.

mod check;
mod check_text;
mod codes;
mod columns;
mod digest;
mod failure;
mod fault;
mod fingerprint;
mod flow;
mod formats;
mod harness;
mod hint;
mod html;
mod input;
mod json;
mod long_lines;
mod palette;
mod parts;
mod picture;
mod position;
mod proof;
mod reproduce;
mod run;
mod run_text;
mod search;
mod snippet;
mod story;
mod story_text;
mod verdict_line;
mod wrap;

pub use crate::check::{
    Answer, CheckReport, EngineRun, Harness, ProofCheck, ReasonReport, SolverWork, ViolationReport,
};
pub use crate::check_text::{TextStyle, check_text};
pub use crate::codes::{CODES, Code, explain_text, find_code};
pub use crate::digest::sha256_text;
pub use crate::failure::{FailedRole, FailedState, FailureReport};
pub use crate::fault::{BlockReport, FaultReport, FrameReport, fault_report, leak_report};
pub use crate::flow::{FlowReport, control_flow};
pub use crate::formats::{
    Constraint, Content, Entry, EntryType, Invariant, InvariantItem, Location, Metadata, Producer,
    SegmentItem, Stamp, TaskData, TestSuiteFile, Waypoint, WaypointItem, WaypointType, check_junit,
    check_sarif, read_graphml, read_yaml, test_suite, witness_graphml, witness_yaml,
};
pub use crate::harness::{NativeCommand, harness};
pub use crate::html::{IndexRow, check_html, index_html};
pub use crate::input::InputReport;
pub use crate::json::{check_json, run_json};
pub use crate::palette::Palette;
pub use crate::parts::{PartReport, PartVerdict};
pub use crate::picture::check_picture;
pub use crate::position::{Label, Position};
pub use crate::proof::{ProofCase, ProofPlace, proof_places};
pub use crate::reproduce::{Reproduction, RunCommand};
pub use crate::run::{Ending, RunSummary};
pub use crate::run_text::run_text;
pub use crate::search::{SearchReport, search_reports};
pub use crate::story::Step;
pub use crate::verdict_line::verdict_line;
