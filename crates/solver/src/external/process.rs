//! The process behind an external solver: commands in, expressions out, killed when it is late.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::expression::{Expression, Parsed, parse};
use crate::result::LimitReached;
use heapwright_deadline::Deadline;

/// How often a waiting solver looks at its deadline.
const PATIENCE: Duration = Duration::from_millis(10);

/// How to start an SMT-LIB 2 solver that reads commands from its standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalCommand {
    pub program: String,
    pub arguments: Vec<String>,
}

impl ExternalCommand {
    pub fn new(program: &str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { program: program.to_owned(), arguments }
    }

    pub fn z3() -> Self {
        Self::new("z3", &["-in"])
    }

    pub fn cvc5() -> Self {
        Self::new("cvc5", &["--incremental", "--lang", "smt2"])
    }

    pub fn bitwuzla() -> Self {
        Self::new("bitwuzla", &["--lang", "smt2"])
    }
}

impl fmt::Display for ExternalCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// What can go wrong outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExternalError {
    /// The command could not be started.
    CannotStart { command: String, reason: String },
    /// The process went away.
    Ended { command: String },
    /// An answer that is not one.
    Rubbish { command: String, answer: String },
}

impl fmt::Display for ExternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotStart { command, reason } => {
                write!(f, "cannot start solver `{command}`: {reason}")
            }
            Self::Ended { command } => write!(f, "solver `{command}` ended unexpectedly"),
            Self::Rubbish { command, answer } => {
                write!(f, "solver `{command}` answered: {answer}")
            }
        }
    }
}

impl std::error::Error for ExternalError {}

/// A running solver. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct Process {
    command: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// What was received and not yet read.
    text: String,
}

impl Process {
    pub(crate) fn start(command: &ExternalCommand) -> Result<Self, ExternalError> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| ExternalError::CannotStart {
                command: command.to_string(),
                reason: error.to_string(),
            })?;
        let input = child.stdin.take().expect("piped");
        let output = receive_lines(child.stdout.take().expect("piped"));
        Ok(Self { command: command.to_string(), child, input, output, text: String::new() })
    }

    pub(crate) fn send(&mut self, commands: &str) -> Result<(), ExternalError> {
        let sent = self.input.write_all(commands.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())
    }

    /// The next answer, or why there is none in time.
    pub(crate) fn receive(&mut self, deadline: &Deadline) -> Result<Expression, LimitReached> {
        // Ends because the deadline passes, the process ends, or an answer is complete.
        loop {
            match parse(&self.text) {
                Parsed::Complete(expression) => {
                    self.text.clear();
                    return Ok(expression);
                }
                Parsed::Malformed => return Err(LimitReached::Failed(self.rubbish(&self.text))),
                Parsed::Incomplete => {}
            }
            LimitReached::before(deadline)?;
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => self.text += &line,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(LimitReached::Failed(self.ended()));
                }
            }
        }
    }

    pub(crate) fn rubbish(&self, answer: &str) -> ExternalError {
        let answer = answer.chars().take(200).collect();
        ExternalError::Rubbish { command: self.command.clone(), answer }
    }

    fn ended(&self) -> ExternalError {
        ExternalError::Ended { command: self.command.clone() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to do about it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A thread of its own reads, so that waiting for an answer can be given up.
fn receive_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        // Ends with the process's output, or when nobody listens any more.
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
            line.clear();
        }
    });
    receiver
}
