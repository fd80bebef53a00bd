//! The interface of `heapwright run`, written down in this one place.
//!
//! ```text
//! heapwright run [--data-model LP64|ILP32] [--step-limit N] FILE.c
//! ```
//!
//! The program's standard output and exit code pass through. A fault prints a line
//! `fault: KIND at FILE:LINE` to standard error and exits with 101; an unsupported construct exits
//! with 102, the step limit with 103. Generated programs therefore never return 101, 102 or 103.
//! A panic of the interpreter also exits with 101, but without a fault line.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::observation::{Ending, Observation};
use crate::process::{Finished, Scratch};
use heapwright_generators::program::{DataModel, FaultKind};

const FAULT_CODE: i32 = 101;
const UNSUPPORTED_CODE: i32 = 102;
const STEP_LIMIT_CODE: i32 = 103;
const FAULT_PREFIX: &str = "fault: ";

/// The environment variable that names the executable for tests.
pub const EXECUTABLE_VARIABLE: &str = "HEAPWRIGHT_EXECUTABLE";

/// The interpreter as a command.
#[derive(Clone, Debug)]
pub struct Interpreter {
    pub executable: PathBuf,
    pub data_model: DataModel,
    pub step_limit: u64,
    pub time_limit: Duration,
}

impl Interpreter {
    /// The interpreter at `executable` with limits that no generated program comes near.
    pub fn new(executable: PathBuf, data_model: DataModel) -> Interpreter {
        let time_limit = Duration::from_secs(20);
        Interpreter { executable, data_model, step_limit: 50_000_000, time_limit }
    }

    /// Finds the executable for a test: by the environment variable, else in the build folder that
    /// the test itself runs from (`target/debug/deps/test` → `target/{debug,release}/heapwright`).
    pub fn locate() -> Option<PathBuf> {
        if let Some(named) = std::env::var_os(EXECUTABLE_VARIABLE) {
            return Some(PathBuf::from(named));
        }
        let own = std::env::current_exe().ok()?;
        let target = own.ancestors().nth(3)?;
        let candidates = ["debug", "release"].map(|build| target.join(build).join("heapwright"));
        candidates.into_iter().find(|path| path.is_file())
    }

    /// Runs a program that returns seven; `Err` says why the executable cannot be used.
    pub fn probe(&self, scratch: &Scratch) -> Result<(), String> {
        let source = scratch
            .write("probe.c", "int main(void) { return 7; }\n")
            .map_err(|error| error.to_string())?;
        match self.run(&source, scratch) {
            Ok(observation) if observation.ending == Ending::Exit(7) => Ok(()),
            Ok(observation) => Err(format!(
                "{} does not run programs: {:?} instead of exit code 7",
                self.executable.display(),
                observation.ending
            )),
            Err(error) => Err(format!("{}: {error}", self.executable.display())),
        }
    }

    /// Runs the program in `source`.
    pub fn run(&self, source: &Path, scratch: &Scratch) -> io::Result<Observation> {
        let mut command = Command::new(&self.executable);
        command
            .arg("run")
            .args(["--data-model", self.data_model.name()])
            .args(["--step-limit", &self.step_limit.to_string()])
            .arg(source);
        let finished = scratch.run(&mut command, self.time_limit)?;
        let ending = ending_of(&finished);
        Ok(Observation { stdout: finished.stdout, ending, stderr: finished.stderr })
    }
}

fn ending_of(finished: &Finished) -> Ending {
    if finished.status.is_none() {
        return Ending::TimedOut;
    }
    match finished.code() {
        Some(FAULT_CODE) => fault_in(&finished.stderr)
            .unwrap_or_else(|| Ending::Crashed("exit code 101 without a fault line".to_owned())),
        Some(UNSUPPORTED_CODE) => Ending::Unsupported,
        Some(STEP_LIMIT_CODE) => Ending::StepLimit,
        Some(code) => Ending::Exit(code),
        None => Ending::Crashed("ended by a signal".to_owned()),
    }
}

/// Reads `fault: KIND at FILE:LINE`, with or without a column behind.
fn fault_in(stderr: &str) -> Option<Ending> {
    let line = stderr.lines().find_map(|line| line.strip_prefix(FAULT_PREFIX))?;
    let (name, place) = line.split_once(" at ").unwrap_or((line, ""));
    let Some(kind) = FaultKind::parse(name.trim()) else {
        return Some(Ending::Crashed(format!("unknown fault kind: {name}")));
    };
    // The file may contain colons; the line is the first number behind one.
    let line = place.split(':').skip(1).find_map(|part| part.trim().parse().ok());
    Some(Ending::Fault { kind, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_kind_and_line_of_a_fault() {
        let expected = Ending::Fault { kind: FaultKind::DoubleFree, line: Some(12) };
        assert_eq!(fault_in("note\nfault: double-free at a/b.c:12\n"), Some(expected.clone()));
        assert_eq!(fault_in("fault: double-free at a/b.c:12:5"), Some(expected));
    }

    #[test]
    fn a_kind_outside_the_interface_is_a_crash() {
        assert!(matches!(fault_in("fault: gremlins at x.c:1"), Some(Ending::Crashed(_))));
        assert_eq!(fault_in("thread main panicked"), None);
    }
}
