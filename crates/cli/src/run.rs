//! `run`: the program as it would run, in the interpreter, until it ends or does something wrong.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use heapwright_engine::Deadline;
use heapwright_frontend::World;
use heapwright_interpreter::{
    EndCheck, Environment, Executable, Inputs, LineInputs, Loss, Machine, Outcome, RunReport,
    Settings, locate_loss,
};
use heapwright_program::SignedOverflow;
use heapwright_report::{Ending, RunSummary, run_json, run_text};

use crate::exit;
use crate::guard::{Ended, Guard};
use crate::inputs::{ListInputs, SeedInputs};
use crate::interrupt::Interrupt;
use crate::memory::MemoryLimit;
use crate::sources::{Input, SourceArguments};
use crate::terminal::{Color, complain, complain_in_colour, print};

const RUN_HELP: &str = "\
Exit codes:
  the program's own; 101 a fault of the program (lost memory included), 102 it got to C that is
  not modelled, 103 a limit, 104 the input cannot be read or compiled, 105 an assumption of the
  task failed, 134 the program aborted, 2 wrong usage

Examples:
  heapwright run list.c
  heapwright run --inputs 5,7 list.c
  heapwright run main.c list.c -- an argument of the program < its-input";

/// To find where a block was lost, the run is repeated some thirty times.
const MOST_STEPS_TO_REPEAT: u64 = 20_000_000;

#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) sources: SourceArguments,

    /// Where the values of __VERIFIER_nondet_…() and of uninitialised memory come from; with 0
    /// uninitialised memory is zero
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = "Inputs")]
    pub(crate) seed: u64,

    /// The values of __VERIFIER_nondet_…() in order: 5,-1,0x1f,'a',0.5; also variable:5 for an
    /// uninitialised variable, byte:3+8=255 for byte 8 of block 3, fail:4 for the allocation of
    /// block 4, address:4=1 for block 4 at the address that became free last, literals:1 for equal
    /// string literals that are one
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with_all = ["seed", "inputs_from_stdin"],
        help_heading = "Inputs"
    )]
    pub(crate) inputs: Option<Vec<String>>,

    /// Read the values from standard input, one a line
    #[arg(long, conflicts_with = "seed", help_heading = "Inputs")]
    pub(crate) inputs_from_stdin: bool,

    /// Let allocations fail, as the inputs say
    #[arg(long, help_heading = "Inputs")]
    pub(crate) malloc_may_fail: bool,

    /// Take streams, files, clocks and arguments from the inputs, as `check` does, instead of a
    /// library: nothing is printed or read
    #[arg(long, help_heading = "Inputs")]
    pub(crate) modelled: bool,

    /// Stop after this many steps
    #[arg(long, value_name = "NUMBER", help_heading = "Checks")]
    pub(crate) step_limit: Option<u64>,

    /// Calling this function is a fault; may be given several times
    /// [default: reach_error, __VERIFIER_error]
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    pub(crate) error_function: Vec<String>,

    /// Signed arithmetic that overflows is a fault; otherwise it wraps
    #[arg(long, help_heading = "Checks")]
    pub(crate) check_overflow: bool,

    /// Do not look for lost memory at the end
    #[arg(long, help_heading = "Checks")]
    pub(crate) no_leaks: bool,

    /// Also tell about memory that is not freed but still pointed to, about overflows and inputs
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,

    /// Write a report of the run to this file, or to standard output if it is `-`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,

    /// Arguments of the program
    #[arg(last = true, value_name = "PROGRAM ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

pub(crate) fn run(arguments: RunArguments, color: Color) -> ExitCode {
    let list = arguments.inputs.as_deref().map(ListInputs::parse).transpose();
    let list = match list {
        Ok(list) => list,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return ExitCode::from(2);
        }
    };
    let guard = Guard::install();
    let cancelled = Arc::new(AtomicBool::new(false));
    let _interrupt = Interrupt::listen(&cancelled);
    // A run has no time limit, and ends itself when it is interrupted.
    let ended = guard.supervise((&Deadline::never(), &MemoryLimit::none()), move || {
        run_program(&arguments, list, cancelled, color)
    });
    match ended {
        Ended::Done(code) => ExitCode::from(code),
        Ended::GivenUp => ExitCode::from(exit::INTERRUPTED),
        Ended::Failed(bug) => {
            complain(&bug.notice());
            ExitCode::from(exit::INTERNAL_ERROR)
        }
    }
}

/// Who plays the world: the interpreter's library, or the models that `check` uses.
fn world(arguments: &RunArguments) -> World {
    if arguments.modelled { World::Modelled } else { World::Real }
}

fn run_program(
    arguments: &RunArguments,
    list: Option<ListInputs>,
    cancelled: Arc<AtomicBool>,
    color: Color,
) -> u8 {
    let overflow = match arguments.check_overflow {
        true => SignedOverflow::Fails,
        false => SignedOverflow::Wraps,
    };
    let input = match arguments.sources.with_overflow(overflow).load(world(arguments)) {
        Ok(input) => input,
        Err(error) => {
            complain(&format!("{error}\n"));
            return exit::RUN_BAD_INPUT;
        }
    };
    complain(&input.messages);
    let program = &input.program;
    if program.function_named("main").is_none_or(|id| program.functions[id].body.is_none()) {
        complain("error: the program has no `main`; give all files of the program\n");
        return exit::RUN_BAD_INPUT;
    }
    let has_failures = list.as_ref().is_some_and(ListInputs::has_failures);
    let settings = settings(arguments, &input, has_failures, cancelled);
    let executable = Executable::compile(program, &settings.compile);
    let report = {
        let environment = Environment {
            inputs: inputs(arguments, list),
            output: standard_output(),
            error_output: Box::new(io::stderr()),
        };
        // Dropping the machine writes what is left of the program's output.
        Machine::new(&executable, &settings, environment).run()
    };
    let loss = loss(&executable, &settings, &report);
    let summary = RunSummary::of(program, input.files, &report, loss.as_ref());
    complain_in_colour(&run_text(&summary, arguments.verbose, color.palette(&io::stderr())));
    if let Some(path) = &arguments.json {
        let text = run_json(&summary, env!("CARGO_PKG_VERSION"));
        if path == Path::new("-") {
            print(&text);
        } else if let Err(error) = std::fs::write(path, text) {
            complain(&format!("error: cannot write {}: {error}\n", path.display()));
        }
    }
    exit_code(&summary.ending)
}

fn settings(
    arguments: &RunArguments,
    input: &Input,
    has_failures: bool,
    cancelled: Arc<AtomicBool>,
) -> Settings {
    let mut settings = Settings { cancelled: Some(cancelled), ..Settings::default() };
    if !arguments.error_function.is_empty() {
        settings.compile.error_functions.clone_from(&arguments.error_function);
    }
    if let Some(steps) = arguments.step_limit {
        settings.limits.steps = steps;
    }
    settings.end_check =
        EndCheck { memtrack: !arguments.no_leaks, memcleanup: true, periodic: None };
    settings.malloc_may_fail = arguments.malloc_may_fail || has_failures;
    settings.arguments = std::iter::once(program_name(&input.files))
        .chain(arguments.arguments.iter().cloned())
        .collect();
    settings
}

/// What the program finds in `argv[0]`: its first file without the ending.
fn program_name(files: &[String]) -> String {
    let stem = files.first().and_then(|file| Path::new(file).file_stem());
    stem.map_or("program".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn inputs(arguments: &RunArguments, list: Option<ListInputs>) -> Box<dyn Inputs> {
    match list {
        Some(list) => Box::new(list),
        None if arguments.inputs_from_stdin => Box::new(LineInputs::new(io::stdin().lock())),
        None => Box::new(SeedInputs::new(arguments.seed)),
    }
}

/// Somebody at a terminal wants to see a prompt before answering it; files and pipes can wait.
fn standard_output() -> Box<dyn Write> {
    let stdout = io::stdout();
    if stdout.is_terminal() { Box::new(stdout) } else { Box::new(BufWriter::new(stdout)) }
}

/// Where the first lost block was lost.
fn loss(executable: &Executable<'_>, settings: &Settings, report: &RunReport) -> Option<Loss> {
    let is_over = matches!(report.outcome, Outcome::Exited(_) | Outcome::Aborted);
    let block = report.leaked.first()?;
    if !is_over || report.steps > MOST_STEPS_TO_REPEAT {
        return None;
    }
    locate_loss(executable, settings, &report.inputs_drawn, block.serial)
}

fn exit_code(ending: &Ending) -> u8 {
    match ending {
        // A shell, too, sees the lowest eight bits only.
        Ending::Exited { code } => *code as u8,
        Ending::Aborted => exit::ABORTED,
        Ending::AssumptionFailed => exit::ASSUMPTION_FAILED,
        Ending::Fault(_) => exit::FAULT,
        Ending::Unsupported { .. } => exit::UNSUPPORTED,
        Ending::Limit { .. } => exit::LIMIT,
        Ending::Cancelled => exit::INTERRUPTED,
    }
}
