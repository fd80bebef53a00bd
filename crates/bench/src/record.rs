//! The result of one run, which is also one row of the results file (CSV).
//! Rows are written when their run ends, so that nothing is lost when the bench is killed; at the
//! end the file is replaced by a sorted one.

use crate::error::BenchError;
use crate::judge::{Judged, judge};
use crate::plan::Run;
use crate::process::Measured;
use crate::verdict::Answer;
use heapwright_property::Property;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// One finished run. The fields are the columns of the results file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Short name of the task's folder.
    pub folder: String,
    /// Name of the task.
    pub task: String,
    /// The property asked about.
    pub property: Property,
    /// Whether the property holds.
    pub expected: bool,
    /// The part that is violated, when the task says so.
    pub expected_subproperty: Option<String>,
    /// `TRUE`, `FALSE(part)`, `UNKNOWN`, `TIMEOUT`, `OUT-OF-MEMORY` or `CRASH`.
    pub verdict: String,
    /// What the verdict is worth.
    pub judged: Judged,
    /// Why there is no answer; empty when there is one.
    pub reason: String,
    /// Processor seconds of the tool and all its processes.
    pub cpu_s: f64,
    /// Seconds on the wall clock.
    pub wall_s: f64,
    /// Greatest resident memory, in millions of bytes.
    pub memory_mb: f64,
    /// How often a solver was asked, where the tool says so; not part of the results file.
    #[serde(skip)]
    pub solver_calls: Option<u64>,
}

/// What makes two rows speak of the same question.
pub(crate) type Key = (String, String, String);

impl RunRecord {
    /// Judges an answer and puts the row together.
    pub(crate) fn new(run: &Run, answer: &Answer, measured: &Measured) -> RunRecord {
        RunRecord {
            folder: run.folder.clone(),
            task: run.task.clone(),
            property: run.property,
            expected: run.expected,
            expected_subproperty: run.expected_subproperty.clone(),
            verdict: answer.to_string(),
            judged: judge(run, answer),
            reason: answer.reason().to_owned(),
            // Rounded here, so that CSV, JSON and tables never disagree.
            cpu_s: rounded(measured.cpu.as_secs_f64(), 1000.0),
            wall_s: rounded(measured.wall.as_secs_f64(), 1000.0),
            memory_mb: rounded(measured.peak_memory as f64 / 1e6, 10.0),
            solver_calls: None,
        }
    }

    /// Whether it is the result of this run.
    pub(crate) fn is_of(&self, run: &Run) -> bool {
        (self.folder.as_str(), self.task.as_str(), self.property) == run.order()
    }

    pub(crate) fn key(&self) -> Key {
        (self.folder.clone(), self.task.clone(), self.property.name().to_owned())
    }

    /// `folder/task property`, as the lists of the report name a run.
    pub(crate) fn label(&self) -> String {
        format!("{}/{} {}", self.folder, self.task, self.property)
    }

    /// What was expected, written like a verdict.
    pub(crate) fn expected_verdict(&self) -> String {
        match (&self.expected_subproperty, self.expected) {
            (_, true) => "TRUE".to_owned(),
            (Some(part), false) => format!("FALSE({part})"),
            (None, false) => "FALSE".to_owned(),
        }
    }
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

/// Sorts rows into the order of every output.
pub(crate) fn sort(records: &mut [RunRecord]) {
    records.sort_by(|left, right| {
        (&left.folder, &left.task, left.property).cmp(&(&right.folder, &right.task, right.property))
    });
}

/// Reads a results file that a former bench has written.
pub fn read_results(path: &Path) -> Result<Vec<RunRecord>, BenchError> {
    read_rows(path, "--against needs a file that `heapwright bench --csv` has written")
}

/// Reads the rows of any CSV file with a header; `hint` says what the file should be.
pub(crate) fn read_rows<Row>(path: &Path, hint: &str) -> Result<Vec<Row>, BenchError>
where
    Row: for<'de> Deserialize<'de>,
{
    let file =
        File::open(path).map_err(|source| BenchError::Read { path: path.to_owned(), source })?;
    let rows: Result<Vec<Row>, csv::Error> = csv::Reader::from_reader(file).deserialize().collect();
    rows.map_err(|error| BenchError::Results {
        path: path.to_owned(),
        problem: format!("{error}; {hint}"),
    })
}

/// A results file that grows row by row.
#[derive(Debug)]
pub(crate) struct ResultsFile {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl ResultsFile {
    pub(crate) fn create(path: &Path) -> Result<ResultsFile, BenchError> {
        let file = File::create(path)
            .map_err(|source| BenchError::Write { path: path.to_owned(), source })?;
        Ok(ResultsFile { path: path.to_owned(), writer: csv::Writer::from_writer(file) })
    }

    /// Adds a row and hands it to the operating system at once.
    pub(crate) fn add(&mut self, record: &RunRecord) -> Result<(), BenchError> {
        let written = self.writer.serialize(record).map_err(io::Error::from);
        written
            .and_then(|()| self.writer.flush())
            .map_err(|source| BenchError::Write { path: self.path.clone(), source })
    }

    /// Replaces the file by one with the sorted rows, in one step.
    pub(crate) fn finish(self, sorted: &[RunRecord]) -> Result<(), BenchError> {
        let path = self.path;
        replace(&path, sorted).map_err(|source| BenchError::Write { path, source })
    }
}

fn replace(path: &Path, sorted: &[RunRecord]) -> io::Result<()> {
    // A link (or `/dev/stdout`) cannot be renamed over without losing what it stands for.
    if !path.symlink_metadata()?.is_file() {
        return Ok(());
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let mut writer = csv::Writer::from_path(&partial)?;
    for record in sorted {
        writer.serialize(record)?;
    }
    writer.flush()?;
    drop(writer);
    std::fs::rename(&partial, path)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row for tests: `folder/task`, expected TRUE when the judgement has to do with it.
    pub(crate) fn row(name: &str, judged: Judged, cpu_s: f64) -> RunRecord {
        let (folder, task) = name.split_once('/').unwrap();
        let verdict = match judged {
            Judged::CorrectTrue | Judged::WrongTrue => "TRUE",
            Judged::CorrectFalse | Judged::WrongFalse => "FALSE(valid-deref)",
            Judged::WrongSubproperty => "FALSE(valid-free)",
            Judged::Unknown => "UNKNOWN",
            Judged::Timeout => "TIMEOUT",
            Judged::OutOfMemory => "OUT-OF-MEMORY",
            Judged::Crash => "CRASH",
        };
        let is_violated =
            matches!(judged, Judged::CorrectFalse | Judged::WrongTrue | Judged::WrongSubproperty);
        RunRecord {
            folder: folder.to_owned(),
            task: task.to_owned(),
            property: Property::ValidMemsafety,
            expected: !is_violated,
            expected_subproperty: is_violated.then(|| "valid-deref".to_owned()),
            verdict: verdict.to_owned(),
            judged,
            reason: String::new(),
            cpu_s,
            wall_s: cpu_s,
            memory_mb: 10.0,
            solver_calls: None,
        }
    }

    #[test]
    fn rows_survive_writing_and_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        let mut second = row("b/y", Judged::Unknown, 0.5);
        second.reason = "loop, \"inner\"".to_owned();
        let rows = vec![row("a/x", Judged::CorrectFalse, 1.25), second];
        let mut file = ResultsFile::create(&path).unwrap();
        file.add(&rows[1]).unwrap();
        assert_eq!(read_results(&path).unwrap(), rows[1..]);
        file.add(&rows[0]).unwrap();
        file.finish(&rows).unwrap();
        assert_eq!(read_results(&path).unwrap(), rows);
        let header = "folder,task,property,expected,expected_subproperty,verdict,judged,reason,\
                      cpu_s,wall_s,memory_mb\n";
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(header));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_of_another_kind_is_refused_with_a_hint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        let error = read_results(&path).unwrap_err().to_string();
        assert!(error.contains("missing field") && error.contains("--csv"), "{error}");
    }
}
