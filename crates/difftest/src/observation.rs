//! What one execution showed, in the same words for compiled and for interpreted programs.

use heapwright_generators::program::FaultKind;

/// Standard output and how the execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub stdout: Vec<u8>,
    pub ending: Ending,
    /// Standard error as it was, for the reader of a saved mismatch.
    pub stderr: String,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program ended by itself.
    Exit(i32),
    /// A fault was reported; the line is where the program's own code committed it.
    Fault {
        kind: FaultKind,
        line: Option<usize>,
    },
    /// The interpreter does not model something the program uses.
    Unsupported,
    StepLimit,
    TimedOut,
    /// Anything else: a signal, a panic, a report we cannot read.
    Crashed(String),
}
