//! The command: runs a campaign and prints its table; exits with 1 on a mismatch, 2 on trouble.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;

use heapwright_difftest::campaign;
use heapwright_difftest::case::{Mode, Tools};
use heapwright_difftest::csmith::Csmith;
use heapwright_difftest::engines::{self, Pool};
use heapwright_difftest::gcc::Gcc;
use heapwright_difftest::interpreter::Interpreter;
use heapwright_difftest::options::{self, Action, Options, USAGE};
use heapwright_difftest::process::Scratch;

/// Virtual memory for the stack: programs may be nested deeply, and engines with them.
const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    let ended = worker
        .map_err(|error| error.to_string())
        .and_then(|worker| worker.join().unwrap_or_else(|_| Err("internal error".to_owned())));
    match ended {
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
    match options.action {
        Action::Engines if options.asking.is_worker => return ask_engines(&options),
        Action::Engines => return supervise_engines(&options),
        Action::PrintSubject => {
            return print(&pool(&options)?.subject(options.settings.seed).text);
        }
        Action::Compare(_) | Action::Validate | Action::Print | Action::Help => {}
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

fn pool(options: &Options) -> Result<Pool, String> {
    let asking = &options.asking;
    let pool = Pool::new(&asking.families, &asking.originals, asking.mutants)
        .map_err(|error| error.to_string())?;
    match asking.native_seeds {
        0 => Ok(pool),
        // The supervisor always names a folder; with it, `--print` shows what a campaign asked about.
        _ => match &options.settings.out {
            Some(out) => {
                std::fs::create_dir_all(out).map_err(|error| error.to_string())?;
                let pool = pool.usual().of_proved(asking.share, &out.join("proved.txt"));
                pool.map_err(|error| error.to_string())
            }
            None => Ok(pool.usual()),
        },
    }
}

/// The longest that a case may take, shrinking included.
const PATIENCE: Duration = Duration::from_secs(20);

/// Cases that end their process are given up, and another process goes on with the next.
const MOST_RESTARTS: usize = 10_000;

fn supervise_engines(options: &Options) -> Result<ExitCode, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command.args(std::env::args().skip(1)).arg("--worker");
    // Without a folder of its own, a campaign keeps its journal as long as it lasts.
    let scratch = Scratch::new("journal").map_err(|error| error.to_string())?;
    if options.settings.out.is_none() {
        command.arg("--out").arg(scratch.path("out"));
    }
    let status =
        engines::supervise(&mut command, MOST_RESTARTS).map_err(|error| error.to_string())?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

fn ask_engines(options: &Options) -> Result<ExitCode, String> {
    let asking = &options.asking;
    let pool = pool(options)?;
    let settings = engines::Settings {
        count: options.settings.count,
        seed: options.settings.seed,
        jobs: options.settings.jobs,
        share: asking.share,
        runs: asking.runs,
        native_seeds: asking.native_seeds,
        reduce_attempts: options.reduce_attempts,
        patience: Some(PATIENCE),
        out: options.settings.out.clone(),
        ..engines::Settings::default()
    };
    // Panics are caught and counted; their stories would bury the table.
    std::panic::set_hook(Box::new(|_| {}));
    let total = settings.count;
    let show = |done: usize, disagreements: usize| {
        if io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{done}/{total}, {disagreements} disagreements   ");
        }
    };
    let table = engines::run(&pool, &settings, &show).map_err(|error| error.to_string())?;
    print(&table.text())?;
    Ok(if table.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
        Action::Validate
        | Action::Print
        | Action::Engines
        | Action::PrintSubject
        | Action::Help => None,
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
