//! `check`: reads a program and a question, asks the engines, tells the answer.

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use heapwright_engine::{Deadline, Engine, Task};
use heapwright_frontend::{InputError, MAIN_ASIDE, World};
use heapwright_oracle::Refutation;
use heapwright_portfolio::{Extent, Portfolio, Shares};
use heapwright_program::{SignedOverflow, SourceFile, print as program_text};
use heapwright_report::{
    Answer, CheckReport, NativeCommand, ProofPlace, ReasonReport, Reproduction, RunCommand,
    SolverWork, TextStyle, check_json, check_text, control_flow, proof_places, verdict_line,
};
use heapwright_solver::Meter;

use crate::arguments::{CheckArguments, Inference};
use crate::decide::{Bugs, settings_in_words, tell as told};
use crate::early_end::{Stop, explain_early_end};
use crate::entries::{Wishes, check_each};
use crate::exit;
use crate::files::write_harness;
use crate::folder::{ABOUT_MANY, check_programs};
use crate::guard::{Bug, Ended, Guard};
use crate::interrupt::Interrupt;
use crate::live::{Board, LiveLine};
use crate::memory::MemoryLimit;
use crate::predicates::predicates;
use crate::question::{signed_overflow, specification};
use crate::shapes;
use crate::sources::Input;
use crate::terminal::{Color, complain, print};
use crate::trace::Trace;
use crate::unless_overflow::{search_deadline, tell_overflow};
use crate::watch::{SoFar, Watch};
use heapwright_engine_three_valued::ThreeValuedEngine;
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
    if !arguments.sources.names_files() {
        return check_programs(arguments);
    }
    if arguments.project.is_some() {
        complain(ABOUT_MANY);
        return ExitCode::from(exit::USAGE);
    }
    if arguments.print_question {
        return print_question(arguments);
    }
    let one = arguments.sources.surroundings.names();
    let wants_contract = one.len() == 1 && arguments.infer_contracts == Some(Inference::Yes);
    match arguments.sources.entries() {
        Ok(None) if !wants_contract => check_one(arguments, color),
        Ok(_) if arguments.written.is_some() || arguments.repro.is_some() => {
            complain("error: files are written about one function; name it with --entry\n");
            ExitCode::from(exit::USAGE)
        }
        Ok(_) if arguments.verdict_line => {
            complain("error: one line is printed about one function; name it with --entry\n");
            ExitCode::from(exit::USAGE)
        }
        Ok(names) => {
            let names = names.unwrap_or_else(|| one.to_vec());
            let wishes = Wishes {
                has_timeout: arguments.timeout.is_some(),
                infers: arguments.infer_contracts != Some(Inference::No),
                wants_json: arguments.json,
            };
            check_each(&arguments.sources, &names, wishes)
        }
        Err(error) => {
            complain(&format!("{error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn check_one(arguments: CheckArguments, color: Color) -> ExitCode {
    let start = Instant::now();
    let format = match (arguments.verdict_line, arguments.json) {
        (true, _) => Format::VerdictLine,
        (false, true) => Format::Json,
        (false, false) => {
            Format::Text { full_trace: arguments.full_trace, is_quiet: arguments.quiet }
        }
    };
    let (repro, show_work) = (arguments.repro.clone(), arguments.show_work);
    let (explains_failure, bound) = (arguments.explain_failure, arguments.bound);
    let files_wanted = arguments.written.clone();
    let guard = Guard::install();
    let timeout = arguments.timeout;
    let deadline = timeout.map_or_else(Deadline::never, Deadline::after);
    let interrupt = Interrupt::listen(&deadline.flag());
    let fallback =
        CheckReport::blank(given_files(&arguments), Answer::Unknown { reasons: Vec::new() });

    let (worker_guard, worker_deadline) = (guard.clone(), deadline.clone());
    let (so_far, board) = (SoFar::default(), Board::default());
    let worker_notes = (so_far.clone(), board.clone());
    let live = wants_live_line(&arguments).then(|| LiveLine::show(board.clone().into_line()));
    let memory = MemoryLimit::of(arguments.memory_limit);
    let ended = guard.supervise((&deadline, &memory), move || {
        check_program(&arguments, &worker_deadline, &worker_guard, worker_notes)
    });
    drop(live);
    let mut checked = match ended {
        Ended::Done(checked) => checked,
        Ended::GivenUp => {
            let report = so_far.take().unwrap_or(fallback);
            Checked { report, messages: String::new(), bugs: Vec::new() }
        }
        Ended::Failed(bug) => {
            let reasons = vec![ReasonReport::general(bug.summary())];
            let report = CheckReport { answer: Answer::Unknown { reasons }, ..fallback };
            Checked { report, messages: String::new(), bugs: vec![bug] }
        }
    };
    let stop = Stop { interrupt: &interrupt, memory: &memory, timeout, elapsed: start.elapsed() };
    explain_early_end(&mut checked.report.answer, &stop);
    checked.report.seconds = start.elapsed().as_secs_f64();
    if let Some(path) = repro {
        checked.messages += &write_harness(&checked.report.answer, &path);
    }
    checked.messages += &files_wanted.write(&checked.report);
    checked.report.failure = checked.report.failure.filter(|_| explains_failure);
    if show_work {
        print(&format!("solver calls: {}\n", checked.report.solver.calls));
    }
    tell(&checked, format, color);
    ExitCode::from(exit::of_check(&checked.report, bound))
}

/// Prints the question and the program as they are asked: equal texts have equal answers, but for time.
fn print_question(arguments: CheckArguments) -> ExitCode {
    let guard = Guard::install();
    let limits = (&Deadline::never(), &MemoryLimit::none());
    let ended = guard.supervise(limits, move || {
        prepare(&arguments).map(|prepared| {
            let Task { program, specification, malloc_may_fail } = &prepared.task;
            let program = program_text(program);
            format!("{specification:?}\n{malloc_may_fail}\n{program}")
        })
    });
    match ended {
        Ended::Done(Ok(text)) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Ended::Done(Err(_)) | Ended::GivenUp | Ended::Failed(_) => ExitCode::from(exit::BAD_INPUT),
    }
}

/// One line has no room for parts.
fn extent(arguments: &CheckArguments) -> Extent {
    if arguments.verdict_line { Extent::WholeQuestion } else { Extent::EveryPart }
}

/// Those who want one line get no other, not even for a while.
fn wants_live_line(arguments: &CheckArguments) -> bool {
    !arguments.verdict_line && !arguments.quiet
}

/// Whether some output shows how a violation comes about.
fn wants_story(arguments: &CheckArguments) -> bool {
    let has_one_line = arguments.verdict_line || arguments.quiet;
    !has_one_line || arguments.written.tell_stories()
}

/// Whether some output shows where a proof failed; on a page there is room for it.
fn wants_failure(arguments: &CheckArguments) -> bool {
    arguments.explain_failure || arguments.written.html.is_some()
}

const NO_MAIN: &str = "the program has no `main`; give all files of the program, or ask about its \
    functions with --entry all";

fn has_main(task: &Task) -> bool {
    let main = task.program.function_named("main");
    main.is_some_and(|id| task.program.functions[id].body.is_some())
}

fn engine_options(arguments: &CheckArguments, task: &Task) -> Result<EngineOptions, InputError> {
    let meter = Meter::new();
    let library = shapes::classes(arguments.shape_classes.as_deref())?;
    Ok(EngineOptions {
        shapes: ThreeValuedEngine { library, ..ThreeValuedEngine::default() },
        solver: arguments.solver.clone(),
        summaries: !arguments.paths_only,
        predicates: predicates(arguments.predicates.as_deref(), task)?,
        allocation: arguments.allocation.into(),
        template: arguments.templates.engine((&arguments.solver, &meter), arguments.bound),
        meter,
    })
}

/// A question, and all that is needed to work on it.
struct Prepared {
    task: Task,
    options: EngineOptions,
    engines: Vec<Box<dyn Engine>>,
    reproduction: Reproduction,
    trace: Option<RefCell<Trace>>,
    files: Vec<String>,
    /// About callers and missing functions.
    assumptions: Vec<String>,
    /// For standard error.
    messages: String,
}

fn prepare(arguments: &CheckArguments) -> Result<Prepared, InputError> {
    let specification = specification(arguments.property.as_deref())?;
    let overflow = signed_overflow(&specification, arguments.no_signed_overflow)?;
    let sources = arguments.sources.with_overflow(overflow);
    let input = sources.with_assertions(specification.assertions).load(World::Modelled)?;
    let task = Task::new(input.program.clone(), specification, arguments.malloc_may_fail);
    if !has_main(&task) {
        return Err(InputError::new(NO_MAIN));
    }
    if arguments.templates.show_ssa {
        print(&arguments.templates.formula(&task));
    }
    let options = engine_options(arguments, &task)?;
    options.try_solvers().map_err(InputError::new)?;
    let only = arguments.engine.as_deref().or(arguments.bound.map(|_| BOUNDED_ENGINE));
    let engines = wanted_engines(only, &options);
    let reproduction = Reproduction {
        run: run_command(arguments, &task, &input.files),
        native: arguments.repro.as_ref().map(|path| native_command(path, &input)),
    };
    let trace = arguments.trace.as_deref().map(Trace::create).transpose();
    let trace = trace.map_err(|error| InputError::new(format!("--trace: {error}")))?;
    let Input { files, assumptions, messages, .. } = input;
    let trace = trace.map(RefCell::new);
    Ok(Prepared { task, options, engines, reproduction, trace, files, assumptions, messages })
}

/// All of the work, on the supervised thread.
fn check_program(
    arguments: &CheckArguments,
    deadline: &Deadline,
    guard: &Guard,
    (so_far, board): (SoFar, Board),
) -> Checked {
    let prepared = match prepare(arguments) {
        Ok(prepared) => prepared,
        Err(error) => return bad_input(arguments, &error),
    };
    let Prepared { task, options, engines, reproduction, trace, files, .. } = prepared;
    let (assumptions, mut messages) = (prepared.assumptions, prepared.messages);
    let blank = CheckReport {
        parts: task.specification.parts.clone(),
        error_functions: task.specification.error_functions.clone(),
        data_model: task.program.model.name().to_owned(),
        granted: settings_in_words(&task).into_iter().chain(assumptions.clone()).collect(),
        flows: control_flow(&task.program),
        ..CheckReport::blank(files.clone(), Answer::Unknown { reasons: Vec::new() })
    };
    so_far.keep(blank.clone());
    let watch = Watch {
        task: &task,
        reproduction: &reproduction,
        assumptions: &assumptions,
        blank: blank.clone(),
        so_far,
        board,
        trace,
        gap: wants_failure(arguments).then(RefCell::default),
    };
    let bugs = Bugs::new(guard);
    let search = search_deadline(arguments, &task, deadline);
    let portfolio = Portfolio {
        engines: &engines,
        deadline: &search,
        safeguard: &bugs,
        observer: &watch,
        keeper: &watch,
        effort: arguments.proof_check.into(),
        shares: Shares::default(),
        extent: extent(arguments),
        sharing: arguments.together.sharing(),
        cores: arguments.together.cores(),
    };
    let decision = portfolio.decide(&task);
    let mut report = told(&task, &decision, &reproduction, &assumptions).fill(blank);
    tell_overflow(&mut report.answer, arguments, (&task, &engines), (&bugs, deadline));
    if wants_story(arguments) {
        watch.tell_story(&decision, &mut report.answer, deadline);
    }
    if let Some(folder) = &arguments.save_refuted {
        for (number, (engine, refutation)) in decision.refuted.iter().enumerate() {
            messages += &save_refuted(folder, number, engine, refutation, &files);
        }
    }
    report.failure = watch.failure(&report.answer);
    report.places = told_places(&mut report.answer, &task, arguments.show_invariants);
    report.solver =
        SolverWork { calls: options.meter.checks(), seconds: options.meter.time().as_secs_f64() };
    Checked { report, messages, bugs: bugs.into_found() }
}

fn bad_input(arguments: &CheckArguments, error: &InputError) -> Checked {
    let message = error.to_string();
    let messages = format!("{message}\n");
    let report = CheckReport::blank(given_files(arguments), Answer::InputError { message });
    Checked { report, messages, bugs: Vec::new() }
}

/// The files as the user names them.
fn given_files(arguments: &CheckArguments) -> Vec<String> {
    arguments.sources.files.iter().map(|file| file.display().to_string()).collect()
}

/// How a user's compiler builds the program: a harness that calls one function of a file takes the
/// file in, so that it sees its static functions.
fn native_command(path: &Path, input: &Input) -> NativeCommand {
    let (mut files, mut flags) = (input.files.clone(), input.flags.clone());
    let mut prelude = String::new();
    if let Some(harness) = &input.harness {
        files.retain(|file| *file != harness.file);
        flags.push("-I.".to_owned());
        if harness.replaces_main {
            flags.push(format!("-D{MAIN_ASIDE}"));
        }
        prelude = format!("\n#include \"{}\"\n\n{}", harness.file, harness.text);
    }
    NativeCommand { harness: path.display().to_string(), prelude, files, flags }
}

/// The engine of that name, or those that are asked when none is named.
/// The engine that looks at all executions of so many rounds at once.
const BOUNDED_ENGINE: &str = "template";

fn wanted_engines(name: Option<&str>, options: &EngineOptions) -> Vec<Box<dyn Engine>> {
    let Some(name) = name else { return engines(options) };
    let named = |engines: Vec<Box<dyn Engine>>| -> Vec<Box<dyn Engine>> {
        engines.into_iter().filter(|engine| engine.name() == name).collect()
    };
    // One that has a look among others does its whole work when it is asked by name.
    let requested = named(engines_on_request(options));
    if requested.is_empty() { named(engines(options)) } else { requested }
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
    if task.program.signed_overflow == SignedOverflow::Fails {
        options.push("--check-overflow".to_owned());
    }
    let is_modelled = task.program.files.iter().any(SourceFile::is_environment)
        || arguments.sources.surroundings.replaces_functions();
    RunCommand { options, files: files.to_vec(), is_modelled }
}

fn is_usual_error_function(name: &str) -> bool {
    heapwright_interpreter::CompileSettings::default()
        .error_functions
        .iter()
        .any(|usual| usual == name)
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
            let tells_time = io::stdout().is_terminal();
            check_text(report, TextStyle { palette, full_trace, is_quiet, tells_time })
        }
        Format::Json => check_json(report, env!("CARGO_PKG_VERSION")),
        Format::VerdictLine => format!("{}\n", verdict_line(report)),
    });
}
