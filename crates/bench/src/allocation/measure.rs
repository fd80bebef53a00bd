//! The runs of a comparison, one at a time: runs side by side would disturb each other.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::error::BenchError;
use crate::interrupt::Cancellation;
use crate::plan::Run;
use crate::process::{Finished, Limits, Stop, run_limited};
use crate::tool::CommandLine;

/// The values of `check --allocation`.
pub(crate) const WAYS: [&str; 5] =
    ["syntactic", "separation-logic", "whole-heap", "equality", "model"];

/// What all runs have in common.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) executable: PathBuf,
    pub(crate) solver: String,
    pub(crate) limits: Limits,
    pub(crate) cancellation: Cancellation,
}

/// One task, checked in one way.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) task: String,
    pub(crate) way: &'static str,
    pub(crate) expected: bool,
    /// `holds`, `violated`, `unknown`, or how else it ended.
    pub(crate) answer: String,
    /// Why there is no answer, where the tool says so.
    pub(crate) problem: Option<String>,
    pub(crate) calls: Option<u64>,
    pub(crate) solver_seconds: Option<f64>,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    pub(crate) memory: u64,
}

impl Measurement {
    pub(crate) fn is_decided(&self) -> bool {
        self.answer == "holds" || self.answer == "violated"
    }

    pub(crate) fn is_wrong(&self) -> bool {
        self.is_decided() && (self.answer == "holds") != self.expected
    }

    /// Solver calls, solver time, CPU time, wall time, memory, as a table shows them.
    pub(crate) fn numbers(&self) -> [String; 5] {
        let known = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        [
            known(self.calls.map(|calls| calls.to_string())),
            known(self.solver_seconds.map(|seconds| format!("{seconds:.3}"))),
            format!("{:.2}", self.cpu.as_secs_f64()),
            format!("{:.2}", self.wall.as_secs_f64()),
            format!("{:.0}", self.memory as f64 / 1e6),
        ]
    }
}

/// Checks every task in every way, until it is cancelled.
pub(crate) fn measure(setup: &Setup, runs: &[Run]) -> Result<Vec<Measurement>, BenchError> {
    let mut measurements = Vec::new();
    for run in runs {
        for way in WAYS {
            let line = setup.command_line(run, way);
            let finished =
                run_limited(&line, &setup.limits, &setup.cancellation).map_err(|source| {
                    let program = line.program.to_string_lossy().into_owned();
                    BenchError::ToolStart { program, source }
                })?;
            if setup.cancellation.is_cancelled() {
                return Ok(measurements);
            }
            measurements.push(measurement(run, way, &finished));
        }
    }
    Ok(measurements)
}

impl Setup {
    fn command_line(&self, run: &Run, way: &str) -> CommandLine {
        let options = ["check", "--json", "--engine", "symbolic-heap", "--paths-only"];
        let mut arguments: Vec<OsString> = options.map(OsString::from).to_vec();
        let pairs: [(&str, OsString); 4] = [
            ("--allocation", way.into()),
            ("--solver", self.solver.clone().into()),
            ("--data-model", run.data_model.name().into()),
            ("--property", run.property_file.clone().into()),
        ];
        arguments.extend(pairs.into_iter().flat_map(|(name, value)| [name.into(), value]));
        arguments.extend(run.files.iter().map(OsString::from));
        CommandLine { program: self.executable.clone().into(), arguments }
    }
}

fn measurement(run: &Run, way: &'static str, finished: &Finished) -> Measurement {
    // A run that was stopped has printed nothing, or half of it.
    let document: Option<Value> = serde_json::from_str(&finished.output).ok();
    let text = |name: &str| document.as_ref().and_then(|value| value[name].as_str());
    let solver = document.as_ref().map(|value| &value["statistics"]["solver"]);
    let answer = match (&finished.stop, text("verdict")) {
        (Some(Stop::CpuTime | Stop::WallTime), _) => "timeout".to_owned(),
        (Some(Stop::Memory), _) => "out of memory".to_owned(),
        (Some(Stop::Output), _) => "too much output".to_owned(),
        (Some(Stop::Cancelled), _) => "cancelled".to_owned(),
        (None, Some(verdict)) if finished.status.code().is_some() => verdict.to_owned(),
        (None, _) => "crash".to_owned(),
    };
    let has_problem = text("verdict") == Some("input-error");
    Measurement {
        task: run.task.clone(),
        way,
        expected: run.expected,
        answer,
        problem: text("message").filter(|_| has_problem).map(str::to_owned),
        calls: solver.and_then(|solver| solver["calls"].as_u64()),
        solver_seconds: solver.and_then(|solver| solver["seconds"].as_f64()),
        cpu: finished.measured.cpu,
        wall: finished.measured.wall,
        memory: finished.measured.peak_memory,
    }
}
