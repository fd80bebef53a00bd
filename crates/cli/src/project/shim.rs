//! Standing in for a compiler: the command is written down, then the real one runs.
//!
//! `capture` puts links to our executable first on the path, named like compilers. A build that calls one
//! of them calls us; its output and exit code are those of the real tool.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};

use crate::terminal::complain;

/// The names that builds call compilers and archivers by.
pub(super) const TOOLS: [&str; 9] =
    ["cc", "gcc", "clang", "c99", "c11", "tcc", "ar", "gcc-ar", "llvm-ar"];
/// Where commands are written down; set while a build is watched.
pub(super) const LOG: &str = "HEAPWRIGHT_CAPTURE_LOG";
/// The path on which the real tools are.
pub(super) const REAL_PATH: &str = "HEAPWRIGHT_CAPTURE_PATH";

/// A command of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) directory: PathBuf,
    /// With the tool's name first.
    pub(super) arguments: Vec<String>,
}

/// Runs as the tool that we were called as; `None` if we were called as ourselves.
pub(crate) fn stand_in() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let called = PathBuf::from(arguments.next()?);
    let tool = called.file_name()?.to_str().filter(|name| TOOLS.contains(name))?;
    let (log, path) = (std::env::var_os(LOG)?, std::env::var_os(REAL_PATH)?);
    let arguments: Vec<OsString> = arguments.collect();
    // A build must not fail because of us.
    if let Err(error) = write_down(Path::new(&log), tool, &arguments) {
        complain(&format!("heapwright capture: cannot write {}: {error}\n", log.display()));
    }
    Some(run(tool, &arguments, path))
}

fn write_down(log: &Path, tool: &str, arguments: &[OsString]) -> std::io::Result<()> {
    let words = arguments.iter().map(|word| word.to_string_lossy().into_owned());
    let arguments = std::iter::once(tool.to_owned()).chain(words).collect();
    let call = Call { directory: std::env::current_dir()?, arguments };
    let line = serde_json::to_string(&call)? + "\n";
    // One write at the end of the file: commands that run at once do not mix.
    std::fs::OpenOptions::new().append(true).create(true).open(log)?.write_all(line.as_bytes())
}

fn run(tool: &str, arguments: &[OsString], path: OsString) -> ExitCode {
    let found =
        std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|it| it.is_file());
    let Some(real) = found else {
        complain(&format!("{tool}: command not found\n"));
        return ExitCode::from(127);
    };
    // What the tool calls itself is its own business.
    let status = Command::new(real).args(arguments).env("PATH", path).env_remove(LOG).status();
    match status {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1))
        }
        Err(error) => {
            complain(&format!("{tool}: {error}\n"));
            ExitCode::from(126)
        }
    }
}
