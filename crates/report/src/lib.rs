//! Answers and runs, as people read them on a terminal and as programs read them in JSON.
//!
//! Read in this order: `position` and `fault` put a fault into words and places, `story` picks the
//! few steps that lead to it, `input` names what was drawn on the way; `reproduce` and `harness` show
//! it again. [`CheckReport`] and
//! [`RunSummary`] hold all of that as plain data, from which `check_text`, `run_text`,
//! `verdict_line` and `json` make their texts: two outputs of one run never disagree.

mod check;
mod check_text;
mod condition;
mod fault;
mod harness;
mod input;
mod json;
mod palette;
mod position;
mod reproduce;
mod run;
mod run_text;
mod snippet;
mod story;
mod verdict_line;

pub use crate::check::{
    Answer, CheckReport, EngineRun, Harness, ProofCheck, ReasonReport, SolverWork, ViolationReport,
};
pub use crate::check_text::check_text;
pub use crate::fault::{BlockReport, FaultReport, FrameReport, fault_report, leak_report};
pub use crate::harness::{NativeCommand, harness};
pub use crate::input::InputReport;
pub use crate::json::{check_json, run_json};
pub use crate::palette::Palette;
pub use crate::position::{Label, Position};
pub use crate::reproduce::{Reproduction, RunCommand};
pub use crate::run::{Ending, RunSummary};
pub use crate::run_text::run_text;
pub use crate::snippet::Sources;
pub use crate::story::Step;
pub use crate::verdict_line::verdict_line;
