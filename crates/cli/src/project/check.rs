//! Checks every program of a folder: `project`, and `check` without files.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use heapwright_frontend::InputError;

use super::FOLDER;
use super::answer::{Answered, Verdict};
use super::cache::Cache;
use super::find::{Functions, Target, find};
use super::progress::Progress;
use super::record::{Record, Row, difference};
use super::settings::Settings;
use super::split::{sources, supervised};
use super::worker::{Question, Worker};
use super::written::{write_junit, write_pages, write_sarif};
use crate::exit;
use crate::interrupt::Interrupt;
use crate::live::LiveLine;
use crate::terminal::{complain, print};

/// Each function has this long unless somebody says otherwise.
const FUNCTION_TIMEOUT: &str = "--timeout=10s";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ProjectArguments {
    #[command(flatten)]
    options: ProjectOptions,

    /// Write a page for each program into this folder, and an index
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// Options of `check` for every program
    #[arg(last = true, value_name = "OPTIONS")]
    check_options: Vec<String>,
}

const HELP: &str = "\
Exit codes:
  those of `check`, of the worst answer: 10 violated, 30 bad input, 20 unknown, 0 all hold

Examples:
  heapwright capture -- make
  heapwright project --html report -- --timeout 60 --property valid-memsafety";

/// How a folder of programs is gone through.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ProjectOptions {
    /// Programs at a time [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER", help_heading = "Projects")]
    jobs: Option<usize>,

    /// Ask again what was answered before
    #[arg(long, help_heading = "Projects")]
    no_cache: bool,

    /// Write the answers of this run to a file, for --baseline and --diff
    #[arg(long, value_name = "RUN.json", help_heading = "Projects")]
    save: Option<PathBuf>,

    /// Tell, and count for the exit code, only what is not in an earlier run that --save has written
    #[arg(long, value_name = "RUN.json", help_heading = "Projects")]
    baseline: Option<PathBuf>,

    /// Check nothing; tell two runs apart that --save has written; 10 if a violation is new
    #[arg(long, num_args = 2, value_names = ["OLD.json", "NEW.json"], help_heading = "Projects")]
    diff: Vec<PathBuf>,
}

impl ProjectOptions {
    /// Options with a value of their own, and those without.
    pub(crate) const WITH_VALUES: [&str; 3] = ["--jobs", "--save", "--baseline"];
    pub(crate) const FLAGS: [&str; 1] = ["--no-cache"];

    /// Whether anything is said here.
    pub(crate) fn is_some(&self) -> bool {
        let ProjectOptions { jobs, no_cache, save, baseline, diff } = self;
        jobs.is_some() || *no_cache || save.is_some() || baseline.is_some() || !diff.is_empty()
    }
}

/// All that is asked about a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectQuestion {
    pub(crate) options: ProjectOptions,
    /// Options of `check` for every program.
    pub(crate) check_options: Vec<String>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) sarif: Option<PathBuf>,
    pub(crate) junit: Option<PathBuf>,
    /// The run as JSON instead of a table.
    pub(crate) wants_json: bool,
    pub(crate) is_quiet: bool,
}

pub(crate) fn check_project(arguments: ProjectArguments) -> ExitCode {
    let ProjectArguments { options, html, check_options } = arguments;
    check_folder(&ProjectQuestion { options, html, check_options, ..ProjectQuestion::default() })
}

pub(crate) fn check_folder(question: &ProjectQuestion) -> ExitCode {
    match answer(question) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("{error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn answer(question: &ProjectQuestion) -> Result<u8, InputError> {
    if let [old, new] = question.options.diff.as_slice() {
        let (text, code) = difference(&Record::read(old)?, &Record::read(new)?);
        print(&text);
        return Ok(code);
    }
    let settings = Settings::of_folder(Path::new(""))?;
    let baseline = question.options.baseline.as_ref().or(settings.baseline.as_ref());
    // Read before the first run: a typing mistake should not come to light after an hour.
    let baseline = baseline.map(|path| Record::read(path)).transpose()?;
    let common = [settings.options.clone(), question.check_options.clone()].concat();
    let found = find(&settings, &common)?;
    complain(&found.messages);
    let questions = questions(&found.targets, &common)?;
    let (answers, is_interrupted) = ask(question, &settings, &questions).map_err(failed)?;
    if !is_interrupted {
        write_files(question, &settings, &answers).map_err(failed)?;
    }
    let record = Record::of(&answers);
    if question.wants_json {
        print(&record.text());
    } else {
        print(&told(&answers, baseline.as_ref(), question.is_quiet));
    }
    if is_interrupted {
        complain(&format!(
            "interrupted: {} of {} answered; answers are kept, and the same command goes on from here\n",
            answers.len(),
            questions.len()
        ));
        return Ok(exit::INTERRUPTED);
    }
    if let Some(path) = &question.options.save {
        std::fs::write(path, record.text()).map_err(failed)?;
    }
    let counted = record.programs.iter().filter(|row| !is_known(baseline.as_ref(), row));
    let worst = counted.map(|row| row.verdict).max().unwrap_or(Verdict::Holds);
    Ok(worst.exit_code())
}

fn failed(error: io::Error) -> InputError {
    InputError::new(error.to_string())
}

/// Asks about all; says whether somebody has interrupted.
fn ask(
    question: &ProjectQuestion,
    settings: &Settings,
    questions: &[Question],
) -> io::Result<(Vec<Answered>, bool)> {
    let processors = || std::thread::available_parallelism().map_or(1, Into::into);
    let jobs = question.options.jobs.or(settings.jobs).unwrap_or_else(processors);
    let executable = std::env::current_exe()?;
    let interrupt = Interrupt::listen(&Arc::new(AtomicBool::new(false)));
    let progress = Progress::of(questions.len());
    let shown = progress.clone();
    let live = (!question.is_quiet).then(|| LiveLine::show(move |elapsed| shown.table(elapsed)));
    let worker = Worker {
        cache: Cache::of(&Path::new(FOLDER).join("cache"), &executable),
        executable,
        reads_cache: !question.options.no_cache,
        interrupt: &interrupt,
        progress: &progress,
    };
    let answers = worker.all(questions, jobs)?;
    drop(live);
    Ok((answers, interrupt.is_raised()))
}

/// One question for each program, and for each function of a library.
pub(super) fn questions(
    targets: &[Target],
    common: &[String],
) -> Result<Vec<Question>, InputError> {
    let mut questions = Vec::new();
    for target in targets {
        let options = [target.options.as_slice(), common].concat();
        let names = match &target.functions {
            Functions::Main => {
                // Wrong options are told once, here.
                sources(options.clone())?;
                questions.push(Question { name: target.name.clone(), options });
                continue;
            }
            Functions::Named(names) => names.clone(),
            Functions::All => {
                let all = [options.as_slice(), &["--entry=all".to_owned()]].concat();
                let sources = sources(all)?;
                supervised(move || sources.entries())??.unwrap_or_default()
            }
        };
        let has_timeout = common.iter().any(|option| option.starts_with("--timeout"));
        for function in names {
            let mut options = options.clone();
            options.push(format!("--entry={function}"));
            options.extend((!has_timeout).then(|| FUNCTION_TIMEOUT.to_owned()));
            questions.push(Question { name: format!("{}:{function}", target.name), options });
        }
    }
    Ok(questions)
}

fn write_files(
    question: &ProjectQuestion,
    settings: &Settings,
    answers: &[Answered],
) -> io::Result<()> {
    if let Some(folder) = question.html.as_ref().or(settings.html.as_ref()) {
        write_pages(folder, answers)?;
    }
    if let Some(path) = question.sarif.as_ref().or(settings.sarif.as_ref()) {
        write_sarif(path, answers)?;
    }
    if let Some(path) = question.junit.as_ref().or(settings.junit.as_ref()) {
        write_junit(path, answers)?;
    }
    Ok(())
}

fn is_known(baseline: Option<&Record>, row: &Row) -> bool {
    baseline.is_some_and(|baseline| baseline.knows(row))
}

/// A table and a line of counts; what the baseline knows is only counted.
fn told(answers: &[Answered], baseline: Option<&Record>, is_quiet: bool) -> String {
    let is_new = |answer: &&Answered| !is_known(baseline, &Row::of(answer));
    let new: Vec<&Answered> = answers.iter().filter(is_new).collect();
    let width = new.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
    let lines = new.iter().filter(|_| !is_quiet).map(|answer| line(answer, width));
    let mut text: String = lines.collect();
    let count = |verdict: Verdict| new.iter().filter(|it| it.report.verdict == verdict).count();
    let counts = Verdict::ALL.into_iter().map(|verdict| (count(verdict), verdict.word()));
    let counts = counts.filter(|(count, _)| *count > 0);
    let mut counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    if baseline.is_some() {
        counts.push(format!("{} as in the baseline", answers.len() - new.len()));
    }
    let cached = answers.iter().filter(|answer| answer.is_cached).count();
    text += &format!("{}; {cached} of {} unchanged\n", counts.join(", "), answers.len());
    text
}

fn line(answer: &Answered, width: usize) -> String {
    let Answered { name, report, is_cached, .. } = answer;
    let seconds = match is_cached {
        true => "cached".to_owned(),
        false => format!("{:.1} s", report.statistics.seconds),
    };
    let (sign, word) = (report.verdict.sign(), report.verdict.word());
    let about = Row::of(answer).about();
    let line = format!("  {sign} {name:width$}  {word:11} {seconds:>8}  {about}");
    format!("{}\n", line.trim_end())
}
