//! The command: runs a campaign and prints its table; exits with 1 on a mismatch, 2 on trouble.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use heapwright_difftest::campaign;
use heapwright_difftest::case::{Mode, Tools};
use heapwright_difftest::csmith::Csmith;
use heapwright_difftest::gcc::Gcc;
use heapwright_difftest::interpreter::Interpreter;
use heapwright_difftest::options::{self, Action, Options, USAGE};
use heapwright_difftest::process::Scratch;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(io::stderr(), "heapwright-difftest: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let options = options::parse(std::env::args().skip(1))
        .map_err(|message| format!("{message}\n\n{USAGE}"))?;
    if options.action == Action::Help {
        return print(USAGE);
    }
    let scratch = Scratch::new("main").map_err(|error| error.to_string())?;
    let (mode, seed) = (options.settings.modes[0], options.settings.seed);
    if options.action == Action::Print
        && let Some(program) = mode.generate(seed, options.data_model)
    {
        return print(&program.source);
    }
    let tools = find_tools(&options, &scratch)?;
    if options.action == Action::Print {
        return print(&tools.generate(mode, seed, &scratch)?.source);
    }
    let total = options.settings.count;
    let show = |mode: Mode, done: usize, mismatches: usize| {
        if io::stderr().is_terminal() {
            // Progress is a courtesy; a closed standard error must not stop the campaign.
            let _ = write!(io::stderr(), "\r{mode} {done}/{total}, {mismatches} mismatches   ");
        }
    };
    let summary = campaign::run(&tools, &options.settings, &show).map_err(|e| e.to_string())?;
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
    print(&summary.table())?;
    Ok(if summary.has_mismatch() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn find_tools(options: &Options, scratch: &Scratch) -> Result<Tools, String> {
    let data_model = options.data_model;
    let gcc = Gcc::detect(data_model, scratch)?;
    let interpreter = match &options.action {
        Action::Compare(executable) => {
            let interpreter = Interpreter::new(executable.clone(), data_model);
            interpreter.probe(scratch)?;
            Some(interpreter)
        }
        Action::Validate | Action::Print | Action::Help => None,
    };
    let csmith = Csmith::detect(scratch).ok();
    let reduce_attempts = options.reduce_attempts;
    Ok(Tools { gcc, data_model, interpreter, csmith, reduce_attempts })
}

fn print(text: &str) -> Result<ExitCode, String> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}
