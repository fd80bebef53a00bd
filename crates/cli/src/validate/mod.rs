//! `validate`: is a witness of SV-COMP right about a program?
//!
//! A violation is replayed in the interpreter with the results that the witness gives (`violation`). The
//! invariants of a proof are written into the program (`instrument`) and proved with it (`correctness`).

mod correctness;
mod instrument;
mod question;
mod violation;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use heapwright_engine::{Deadline, Sharing, Silent, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::InputError;
use heapwright_oracle::Effort;
use heapwright_portfolio::{Cores, Decision, Extent, Forgetful, Portfolio, Shares, Unguarded};
use heapwright_report::{Content, Entry, EntryType, read_graphml, read_yaml};

use crate::arguments::parse_time;
use crate::exit;
use crate::guard::{Ended, Guard};
use crate::interrupt::Interrupt;
use crate::memory::MemoryLimit;
use crate::sources::SourceArguments;
use crate::terminal::{complain, print};

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ValidateArguments {
    /// The witness: format 2 in YAML, or 1.0 if the name ends in .graphml
    #[arg(value_name = "WITNESS")]
    witness: PathBuf,

    #[command(flatten)]
    sources: SourceArguments,

    /// Let `malloc` and its kin give a null pointer; otherwise they are assumed to succeed
    #[arg(long)]
    malloc_may_fail: bool,

    /// Give up after this time: seconds, or with a unit (90s, 15min)
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "90s")]
    timeout: Duration,
}

const HELP: &str = "\
Exit codes:
  0 confirmed, 10 rejected, 20 not confirmed, 30 the witness or the program cannot be read, 2 wrong usage

Examples:
  heapwright check --witness witness.yml list.c
  heapwright validate witness.yml list.c";

/// What became of a witness.
enum Outcome {
    Confirmed(String),
    Rejected(String),
    Unknown(String),
}

impl ValidateArguments {
    pub(crate) fn sources(&self) -> &SourceArguments {
        &self.sources
    }
}

pub(crate) fn validate(arguments: ValidateArguments) -> ExitCode {
    let guard = Guard::install();
    let deadline = Deadline::after(arguments.timeout);
    let interrupt = Interrupt::listen(&deadline.flag());
    let memory = MemoryLimit::of(None);
    let worker_deadline = deadline.clone();
    let ended =
        guard.supervise((&deadline, &memory), move || outcome(&arguments, &worker_deadline));
    let outcome = match ended {
        Ended::Done(Ok(outcome)) => outcome,
        Ended::Done(Err(error)) => {
            complain(&format!("{error}\n"));
            return ExitCode::from(exit::BAD_INPUT);
        }
        Ended::GivenUp if interrupt.is_raised() => Outcome::Unknown("interrupted".to_owned()),
        Ended::GivenUp => Outcome::Unknown("the time limit was reached".to_owned()),
        Ended::Failed(bug) => {
            complain(&bug.notice());
            Outcome::Unknown(bug.summary())
        }
    };
    let (word, text, code) = match outcome {
        Outcome::Confirmed(text) => ("confirmed", text, exit::CONFIRMED),
        Outcome::Rejected(text) => ("rejected", text, exit::REJECTED),
        Outcome::Unknown(text) => ("not confirmed", text, exit::NOT_CONFIRMED),
    };
    print(&format!("{word}: {text}\n"));
    ExitCode::from(code)
}

fn outcome(arguments: &ValidateArguments, deadline: &Deadline) -> Result<Outcome, InputError> {
    let entries = read(&arguments.witness)?;
    let [entry] = entries.as_slice() else {
        return Err(InputError::new(format!(
            "{}: a witness of one entry is needed, this one has {}",
            arguments.witness.display(),
            entries.len()
        )));
    };
    match &entry.content {
        // An empty list looks the same in both.
        Content::Segments(none)
            if none.is_empty() && entry.entry_type == EntryType::InvariantSet =>
        {
            correctness::check(arguments, entry, &[], deadline)
        }
        Content::Segments(segments) => violation::check(arguments, entry, segments, deadline),
        Content::Invariants(invariants) => {
            correctness::check(arguments, entry, invariants, deadline)
        }
    }
}

fn read(path: &Path) -> Result<Vec<Entry>, InputError> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::new(format!("cannot read {file}: {error}")))?;
    let entries = match path.extension().is_some_and(|ending| ending == "graphml") {
        true => read_graphml(&text).map(|entry| vec![entry]),
        false => read_yaml(&text),
    };
    entries.map_err(|problem| InputError::new(format!("{file}: {problem}")))
}

/// Asks all engines.
fn decide(task: &Task, deadline: &Deadline) -> Decision {
    let engines = engines(&EngineOptions::default());
    let portfolio = Portfolio {
        engines: &engines,
        deadline,
        safeguard: &Unguarded,
        observer: &Silent,
        keeper: &Forgetful,
        effort: Effort::Default,
        shares: Shares::default(),
        extent: Extent::WholeQuestion,
        sharing: Sharing::Shared,
        cores: Cores::Idle,
    };
    portfolio.decide(task)
}

/// Why engines have not decided.
fn first_reason(decision: &Decision) -> String {
    let reason = decision.reasons.first();
    reason.map_or("no engine decides it".to_owned(), |given| given.reason.text.clone())
}
