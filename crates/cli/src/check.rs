//! `check`: reads a program and a question, asks the engines, tells the answer.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use heapwright_engine::{Deadline, Engine, Task};
use heapwright_frontend::{InputError, World};
use heapwright_oracle::Refutation;
use heapwright_program::SourceFile;
use heapwright_report::{
    Answer, CheckReport, NativeCommand, ProofPlace, ReasonReport, Reproduction, RunCommand,
    SolverWork, TextStyle, check_json, check_text, proof_places, verdict_line,
};
use heapwright_solver::Meter;

use crate::arguments::CheckArguments;
use crate::decide::{Decision, decide};
use crate::exit;
use crate::files::FilesWanted;
use crate::guard::{Bug, Ended, Guard};
use crate::interrupt::Interrupt;
use crate::question::specification;
use crate::terminal::{Color, complain, print};
use heapwright_engines::{EngineOptions, engines, engines_on_request};

#[derive(Clone, Copy)]
enum Format {
    Text { full_trace: bool, is_quiet: bool },
    Json,
    VerdictLine,
}

/// An answer, and what goes to standard error besides.
struct Checked {
    report: CheckReport,
    messages: String,
    bugs: Vec<Bug>,
}

pub(crate) fn check(arguments: CheckArguments, color: Color) -> ExitCode {
    let start = Instant::now();
    let format = match (arguments.verdict_line, arguments.json) {
        (true, _) => Format::VerdictLine,
        (false, true) => Format::Json,
        (false, false) => {
            Format::Text { full_trace: arguments.full_trace, is_quiet: arguments.quiet }
        }
    };
    let (repro, show_work) = (arguments.repro.clone(), arguments.show_work);
    let files_wanted = FilesWanted { html: arguments.html.clone() };
    let guard = Guard::install();
    let timeout = arguments.timeout;
    let deadline = timeout.map_or_else(Deadline::never, Deadline::after);
    let interrupt = Interrupt::listen(&deadline.flag());
    let files = arguments.sources.files.iter().map(|file| file.display().to_string()).collect();
    let fallback = blank_report(files, Answer::Unknown { reasons: Vec::new() });

    let (worker_guard, worker_deadline) = (guard.clone(), deadline.clone());
    let ended = guard
        .supervise(&deadline, move || check_program(&arguments, &worker_deadline, &worker_guard));
    let mut checked = match ended {
        Ended::Done(checked) => checked,
        Ended::GivenUp => Checked { report: fallback, messages: String::new(), bugs: Vec::new() },
        Ended::Failed(bug) => {
            let reasons = vec![ReasonReport::general(bug.summary())];
            let report = CheckReport { answer: Answer::Unknown { reasons }, ..fallback };
            Checked { report, messages: String::new(), bugs: vec![bug] }
        }
    };
    explain_early_end(&mut checked.report.answer, &interrupt, timeout, start.elapsed());
    checked.report.seconds = start.elapsed().as_secs_f64();
    if let Some(path) = repro {
        checked.messages += &write_harness(&checked.report.answer, &path);
    }
    checked.messages += &files_wanted.write(&checked.report);
    if show_work {
        print(&format!("solver calls: {}\n", checked.report.solver.calls));
    }
    tell(&checked, format, color);
    ExitCode::from(exit_code(&checked.report.answer))
}

/// All of the work, on the supervised thread.
fn check_program(arguments: &CheckArguments, deadline: &Deadline, guard: &Guard) -> Checked {
    let files: Vec<String> =
        arguments.sources.files.iter().map(|file| file.display().to_string()).collect();
    let bad_input = |error: &InputError| {
        let message = error.to_string();
        let messages = format!("{message}\n");
        let report = blank_report(files.clone(), Answer::InputError { message });
        Checked { report, messages, bugs: Vec::new() }
    };
    let specification = match specification(arguments.property.as_deref()) {
        Ok(specification) => specification,
        Err(error) => return bad_input(&error),
    };
    let input = match arguments.sources.load(World::Modelled) {
        Ok(input) => input,
        Err(error) => return bad_input(&error),
    };
    let task =
        Task { program: input.program, specification, malloc_may_fail: arguments.malloc_may_fail };
    if task
        .program
        .function_named("main")
        .is_none_or(|id| task.program.functions[id].body.is_none())
    {
        return bad_input(&InputError::new(
            "the program has no `main`; give all files of the program",
        ));
    }
    if arguments.templates.show_ssa {
        print(&arguments.templates.formula(&task));
    }
    let meter = Meter::new();
    let options = EngineOptions {
        solver: arguments.solver.clone(),
        summaries: !arguments.paths_only,
        allocation: arguments.allocation.into(),
        template: arguments.templates.engine(&arguments.solver, &meter),
        meter,
    };
    if let Err(problem) = options.try_solvers() {
        return bad_input(&InputError::new(problem));
    }
    let engines = wanted_engines(arguments.engine.as_deref(), &options);
    let reproduction = Reproduction {
        run: run_command(arguments, &task, &input.files),
        native: arguments.repro.as_ref().map(|path| NativeCommand {
            harness: path.display().to_string(),
            files: input.files.clone(),
            flags: input.flags,
        }),
    };
    let effort = arguments.proof_check.into();
    let Decision { mut answer, engine, engines, bugs, refuted } =
        decide(&task, &engines, deadline, guard, &reproduction, effort);
    let mut messages = input.messages;
    if let Some(folder) = &arguments.save_refuted {
        for (number, (engine, refutation)) in refuted.iter().enumerate() {
            messages += &save_refuted(folder, number, engine, refutation, &files);
        }
    }
    let places = told_places(&mut answer, &task, arguments.show_invariants);
    let report = CheckReport {
        parts: task.specification.parts.clone(),
        data_model: task.program.model.name().to_owned(),
        engine,
        engines,
        places,
        solver: SolverWork {
            calls: options.meter.checks(),
            seconds: options.meter.time().as_secs_f64(),
        },
        ..blank_report(input.files, answer)
    };
    Checked { report, messages, bugs }
}

/// The engine of that name, or those that are asked when none is named.
fn wanted_engines(name: Option<&str>, options: &EngineOptions) -> Vec<Box<dyn Engine>> {
    let Some(name) = name else { return engines(options) };
    let all = engines(options).into_iter().chain(engines_on_request());
    all.filter(|engine| engine.name() == name).collect()
}

/// What a proof says at its places. Its texts stay only if somebody wants them.
fn told_places(answer: &mut Answer, task: &Task, keeps_texts: bool) -> Vec<ProofPlace> {
    let Answer::Holds { invariants, .. } = answer else { return Vec::new() };
    let places = proof_places(&task.program, invariants);
    if !keeps_texts {
        invariants.clear();
    }
    places
}

/// Writes down why a proof was not believed; gives what the user has to know besides.
fn save_refuted(
    folder: &Path,
    number: usize,
    engine: &str,
    refutation: &Refutation,
    files: &[String],
) -> String {
    let stem = files.first().map(Path::new).and_then(Path::file_stem);
    let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let path = folder.join(format!("{stem}-{engine}-{number}.txt"));
    let text = format!("{}\nengine {engine}\n{}", files.join(" "), refutation.report());
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => format!("a proof was refuted; see {}\n", path.display()),
        Err(error) => format!("cannot write {}: {error}\n", path.display()),
    }
}

fn blank_report(files: Vec<String>, answer: Answer) -> CheckReport {
    CheckReport {
        files,
        parts: Vec::new(),
        data_model: String::new(),
        answer,
        places: Vec::new(),
        engine: None,
        engines: Vec::new(),
        solver: SolverWork::default(),
        seconds: 0.0,
    }
}

/// How `run` is told to do what the verifier did.
fn run_command(arguments: &CheckArguments, task: &Task, files: &[String]) -> RunCommand {
    let mut options = arguments.sources.options(task.program.model);
    let specification = &task.specification;
    if specification.error_functions.iter().any(|name| !is_usual_error_function(name)) {
        let names = specification.error_functions.iter();
        options.extend(names.flat_map(|name| ["--error-function".to_owned(), name.clone()]));
    }
    if specification.asks(heapwright_property::Part::ValidMemcleanup) {
        options.push("--verbose".to_owned());
    }
    let is_modelled = task.program.files.iter().any(SourceFile::is_environment);
    RunCommand { options, files: files.to_vec(), is_modelled }
}

fn is_usual_error_function(name: &str) -> bool {
    heapwright_interpreter::CompileSettings::default()
        .error_functions
        .iter()
        .any(|usual| usual == name)
}

/// Puts the reason first that made all other reasons.
fn explain_early_end(
    answer: &mut Answer,
    interrupt: &Interrupt,
    timeout: Option<Duration>,
    elapsed: Duration,
) {
    let Answer::Unknown { reasons } = answer else { return };
    if interrupt.is_raised() {
        reasons.insert(0, ReasonReport::general("interrupted"));
    } else if let Some(timeout) = timeout
        && elapsed >= timeout
    {
        let text = format!("timeout after {} s", timeout.as_secs_f64());
        reasons.insert(0, ReasonReport::general(text));
    }
}

fn tell(checked: &Checked, format: Format, color: Color) {
    complain(&checked.messages);
    for bug in &checked.bugs {
        complain(&bug.notice());
    }
    let report = &checked.report;
    if let (Format::VerdictLine, Answer::Holds { assumptions, .. }) = (format, &report.answer) {
        complain(&format!("assumed: {}\n", assumptions.join("; ")));
    }
    print(&match format {
        Format::Text { full_trace, is_quiet } => {
            let palette = color.palette(&io::stdout());
            check_text(report, TextStyle { palette, full_trace, is_quiet })
        }
        Format::Json => check_json(report, env!("CARGO_PKG_VERSION")),
        Format::VerdictLine => format!("{}\n", verdict_line(report)),
    });
}

/// Writes the harness where there is one; gives what the user has to know besides.
fn write_harness(answer: &Answer, path: &Path) -> String {
    let file = path.display();
    match answer {
        Answer::Violated(violation) => {
            let harness = violation.harness.as_ref().expect("it was asked for");
            match std::fs::write(path, &harness.text) {
                Ok(()) => String::new(),
                Err(error) => format!("cannot write {file}: {error}\n"),
            }
        }
        Answer::Holds { .. } | Answer::Unknown { .. } => {
            format!("{file} was not written: there is no violation to show\n")
        }
        Answer::InputError { .. } => String::new(),
    }
}

fn exit_code(answer: &Answer) -> u8 {
    match answer {
        Answer::Holds { .. } => exit::HOLDS,
        Answer::Violated(_) => exit::VIOLATED,
        Answer::Unknown { .. } => exit::UNKNOWN,
        Answer::InputError { .. } => exit::BAD_INPUT,
    }
}
