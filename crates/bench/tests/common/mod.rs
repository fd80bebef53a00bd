//! A folder of tasks whose "programs" are shell scripts: the tool is `sh`, so each task decides
//! for itself how the tool behaves on it.

// Each test file is compiled with its own copy and uses only a part of it.
#![allow(dead_code)]

use heapwright_bench::{
    BenchError, BenchOutcome, BenchSettings, Judged, Limits, RunRecord, Tool, run_bench,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

pub(crate) struct TaskFolder(TempDir);

impl TaskFolder {
    pub(crate) fn new() -> TaskFolder {
        let folder = TaskFolder(tempfile::tempdir().unwrap());
        let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
        let parts = ["G valid-free", "G valid-deref", "G valid-memtrack"];
        folder.write("properties/memory.prp", &parts.map(check).concat());
        folder.write("properties/reach.prp", &check("G ! call(reach_error())"));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Adds a task: `expected` is `true`, `false`, or the violated part of memory safety.
    pub(crate) fn add(&self, name: &str, expected: &str, script: &str) {
        let (property, verdict) = match expected {
            "true" => ("memory", "expected_verdict: true".to_owned()),
            "false" => ("reach", "expected_verdict: false".to_owned()),
            part => ("memory", format!("expected_verdict: false\n    subproperty: {part}")),
        };
        let task = Path::new(name).file_name().unwrap().to_str().unwrap();
        self.write(
            &format!("{name}.yml"),
            &format!(
                "format_version: '2.0'\ninput_files: '{task}.sh'\nproperties:\n  \
                 - property_file: ../properties/{property}.prp\n    {verdict}\n\
                 options:\n  language: C\n  data_model: LP64\n"
            ),
        );
        self.write(&format!("{name}.sh"), script);
    }

    pub(crate) fn settings(&self) -> BenchSettings {
        let tool = Tool::Other { template: "sh {files}".to_owned() };
        BenchSettings {
            limits: Limits {
                cpu: Duration::from_secs(20),
                wall: Duration::from_secs(60),
                memory: 2_000_000_000,
            },
            workers: NonZeroUsize::new(2).unwrap(),
            ..BenchSettings::new(vec![self.0.path().to_owned()], tool)
        }
    }
}

/// Runs a bench and returns its report too.
pub(crate) fn bench(settings: &BenchSettings) -> Result<(BenchOutcome, String), BenchError> {
    let mut report = Vec::new();
    let outcome = run_bench(settings, &mut report)?;
    Ok((outcome, String::from_utf8(report).unwrap()))
}

/// The result of the only run.
pub(crate) fn only_run(settings: &BenchSettings) -> RunRecord {
    let (mut outcome, _) = bench(settings).unwrap();
    assert_eq!(outcome.runs.len(), 1);
    outcome.runs.remove(0)
}

pub(crate) fn judgements(outcome: &BenchOutcome) -> Vec<(&str, Judged)> {
    outcome.runs.iter().map(|run| (run.task.as_str(), run.judged)).collect()
}
