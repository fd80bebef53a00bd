//! Everything that can stop a bench, said so that the reader knows what to do next.
//! A run that goes wrong is no error here: it is a result, judged as crash, timeout and so on.

use std::io;
use std::path::PathBuf;

/// Why a bench could not be run, or could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file or folder that was named cannot be read.
    #[error("cannot read {}: {source}; check that the path is right and readable", path.display())]
    Read { path: PathBuf, source: io::Error },

    /// A file that was asked for cannot be written.
    #[error("cannot write {}: {source}; name a file in a folder that exists and is writable", path.display())]
    Write { path: PathBuf, source: io::Error },

    /// The report cannot be written to the given writer.
    #[error("cannot write the report: {0}")]
    Report(#[source] io::Error),

    /// A task definition is broken or uses something unknown.
    #[error("task definition {}: {problem}", path.display())]
    Task { path: PathBuf, problem: String },

    /// A `.set` file is broken.
    #[error("task set {}, line {line}: {problem}", path.display())]
    Set { path: PathBuf, line: usize, problem: String },

    /// The selection is empty.
    #[error("nothing to run: {0}")]
    NothingToRun(String),

    /// The settings contradict themselves or make no sense.
    #[error("{0}")]
    Settings(String),

    /// The tool cannot be started at all.
    #[error(
        "cannot start `{program}`: {source}; give the path of the executable, or put it on PATH"
    )]
    ToolStart { program: String, source: io::Error },

    /// A results file (ours or the peers') does not have the expected form.
    #[error("results file {}: {problem}", path.display())]
    Results { path: PathBuf, problem: String },

    /// The operating system refused something that supervising a run needs.
    #[error("cannot supervise the runs: {0}")]
    Supervise(#[source] io::Error),
}
