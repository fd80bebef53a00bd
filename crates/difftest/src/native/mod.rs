//! Compiled programs as the judge of proofs: built with sanitizers and without, and run on many small
//! inputs in one process tree.
//!
//! Only what the question asks counts: memory safety, lost memory, failed assertions. Signed overflow
//! is no violation of it; traps of divisions are not judged, since a quotient that does not fit is none either. The build without sanitizers is there because these
//! change what programs can see: blocks are never put at the address of a freed one.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use crate::process::Scratch;

const HARNESS: &str = include_str!("harness.c");
const SOURCE: &str = "program.c";
const SANITIZED: [&str; 4] =
    ["-fsanitize=address,vla-bound", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g"];
/// Overflow wraps as it does in our programs; what the optimiser concludes from undefined
/// behaviour is not asked about.
const USUAL: [&str; 6] =
    ["-w", "-O0", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-Dmain=heapwright_main"];

/// How the harness says what a run has come to.
const ASSERTION: i32 = 77;
const ERROR_CALL: i32 = 78;
const SANITIZER: i32 = 99;

/// Reports about something that nobody asks about. An allocation that fails is one: answers say that they
/// assume that none does.
const OTHER_REPORTS: [&str; 8] = [
    "stack-overflow",
    "allocation-size-too-big",
    "out-of-memory",
    "requested allocation size",
    "failed to allocate",
    "FPE on",
    "odr-violation",
    "calloc-overflow",
];

/// A compiler with sanitizers, and the harness compiled.
#[derive(Debug)]
pub struct Native {
    scratch: Scratch,
    harnesses: [PathBuf; 2],
    pub seeds: u64,
}

/// What a compiled program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// `heap-use-after-free`, `assertion`, …
    pub what: String,
    pub report: String,
}

/// What came of compiling and running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No run shows a violation.
    Quiet,
    Violation(Shown),
    /// The compiler refuses the program, or it runs on and on.
    Nothing(String),
}

/// What to run with besides seeds.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Numbers that the program compares with.
    pub constants: Vec<i64>,
    /// Whole lists of inputs.
    pub lists: Vec<Vec<i64>>,
}

impl Native {
    /// Compiles the harness; `Err` says why native runs cannot be had.
    pub fn detect(seeds: u64) -> Result<Native, String> {
        let scratch = Scratch::new("native").map_err(|error| error.to_string())?;
        let source = scratch.write("harness.c", HARNESS).map_err(|error| error.to_string())?;
        let objects = ["checked.o", "plain.o"].map(|name| scratch.path(name));
        for (object, flags) in objects.iter().zip([&SANITIZED[..], &[]]) {
            let mut command = Command::new("gcc");
            command.args(["-w", "-O1", "-std=gnu11", "-c"]).args(flags);
            command.arg(&source).arg("-o").arg(object);
            let finished = scratch
                .run(&mut command, Duration::from_secs(60))
                .map_err(|error| format!("gcc cannot be run: {error}"))?;
            if !finished.is_success() {
                return Err(format!("gcc has no sanitizers: {}", finished.stderr));
            }
        }
        Ok(Native { scratch, harnesses: objects, seeds })
    }

    /// Compiles a program both ways and runs it.
    pub fn judge(&self, text: &str, inputs: &Inputs) -> io::Result<Outcome> {
        let source = self.scratch.write(SOURCE, text)?;
        for (harness, flags) in self.harnesses.iter().zip([&SANITIZED[..], &[]]) {
            let executable = self.scratch.path("program");
            let mut command = Command::new("gcc");
            command.args(USUAL).args(flags).arg(&source).arg(harness);
            command.arg("-lm").arg("-o").arg(&executable);
            let compiled = self.scratch.run(&mut command, Duration::from_secs(60))?;
            if !compiled.is_success() {
                let message = compiled.stderr.lines().find(|line| line.contains("error"));
                return Ok(Outcome::Nothing(message.unwrap_or("gcc refuses it").to_owned()));
            }
            let mut command = Command::new(&executable);
            command.args(arguments(self.seeds, inputs));
            let finished = self.scratch.run(&mut command, Duration::from_secs(60))?;
            fs::remove_file(&executable)?;
            match (finished.code(), shown(finished.code(), &finished.stderr)) {
                (_, Some(shown)) => return Ok(Outcome::Violation(shown)),
                (Some(_), None) => {}
                (None, None) => return Ok(Outcome::Nothing("it takes too long".to_owned())),
            }
        }
        Ok(Outcome::Quiet)
    }
}

fn arguments(seeds: u64, inputs: &Inputs) -> Vec<String> {
    let mut arguments = vec![seeds.to_string()];
    arguments.extend(inputs.constants.iter().take(64).map(i64::to_string));
    for list in inputs.lists.iter().take(64) {
        arguments.push("--".to_owned());
        arguments.extend(list.iter().take(1000).map(i64::to_string));
    }
    arguments
}

/// The violation that an ending stands for.
fn shown(code: Option<i32>, stderr: &str) -> Option<Shown> {
    let headline =
        || stderr.lines().find(|line| line.contains("Sanitizer") || line.contains("runtime error"));
    let what = match code? {
        ASSERTION | ERROR_CALL => "assertion".to_owned(),
        SANITIZER => {
            let headline = headline()?;
            if OTHER_REPORTS.iter().any(|other| stderr.contains(other)) {
                return None;
            }
            kind_of(headline)
        }
        _ => return None,
    };
    let mut report = String::new();
    for line in stderr.lines().take(30) {
        let _ = writeln!(report, "{line}");
    }
    Some(Shown { what, report })
}

/// The sanitizer's own word for a fault.
fn kind_of(headline: &str) -> String {
    if headline.contains("detected memory leaks") {
        return "leak".to_owned();
    }
    let words = headline.split_once("Sanitizer: ").map_or(headline, |(_, words)| words);
    words.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}
