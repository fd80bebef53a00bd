//! Front end and interpreter without the command line, behind the interface that
//! `heapwright-difftest` expects: `run_program run [--data-model M] [--step-limit N] FILE.c`.
//! The program's output and exit code pass through; a fault exits with 101, C that is not modelled
//! with 102, a limit with 103 and bad input with 104.
#![allow(clippy::print_stderr, reason = "its output is its purpose")]

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use heapwright_frontend::{Flags, Settings, Source, load};
use heapwright_interpreter::{Environment, Outcome, SeededInputs};
use heapwright_program::{DataModel, Program};

fn main() -> ExitCode {
    let mut model = DataModel::Lp64;
    let mut run_settings = heapwright_interpreter::Settings::default();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1).skip_while(|argument| argument == "run");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data-model" if arguments.next().as_deref() == Some("ILP32") => {
                model = DataModel::Ilp32;
            }
            "--data-model" => model = DataModel::Lp64,
            "--step-limit" => {
                let steps = arguments.next().and_then(|text| text.parse().ok());
                run_settings.limits.steps = steps.unwrap_or(u64::MAX);
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let settings = Settings::new(model);
    let sources: Result<Vec<Source>, _> =
        files.iter().map(|file| Source::read(file, Flags::default(), &settings)).collect();
    let loaded = sources.and_then(|sources| load(&sources, &settings));
    match loaded {
        Ok(loaded) => ExitCode::from(run(&loaded.program, &run_settings)),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(104)
        }
    }
}

fn run(program: &Program, settings: &heapwright_interpreter::Settings) -> u8 {
    let environment = Environment::silent(SeededInputs::new(1))
        .with_output(BufWriter::new(io::stdout()))
        .with_error_output(io::stderr());
    let report = heapwright_interpreter::run(program, settings, environment);
    if let (Outcome::Exited(_), Some(block)) = (&report.outcome, report.leaked.first()) {
        eprintln!("fault: leak at {}", program.describe(block.allocated));
        return 101;
    }
    match report.outcome {
        Outcome::Exited(code) => code as u8,
        Outcome::Aborted => 134,
        Outcome::Returned => panic!("a whole run returns to nobody"),
        Outcome::AssumptionFailed => 105,
        Outcome::Fault(fault) => {
            eprintln!("fault: {} at {}", fault.kind.name(), program.describe(fault.blame));
            101
        }
        Outcome::Unsupported { construct, blame, .. } => {
            eprintln!("not modelled: {construct} at {}", program.describe(blame));
            102
        }
        Outcome::Limit(limit) => {
            eprintln!("limit: {limit:?}");
            103
        }
    }
}
