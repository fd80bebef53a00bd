//! `project`: every program that `capture` has seen, several at a time, each by a process of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use heapwright_report::{IndexRow, index_html};
use serde::Deserialize;

use super::FOLDER;
use super::cache::Cache;
use crate::exit;
use crate::terminal::{complain, print};

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ProjectArguments {
    /// Programs at a time [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,

    /// Write a page for each program into this folder, and an index
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// Ask again what was answered before
    #[arg(long)]
    no_cache: bool,

    /// Options of `check` for every program
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

const HELP: &str = "\
Exit codes:
  those of `check`, of the worst answer: 10 violated, 30 bad input, 20 unknown, 0 all hold

Examples:
  heapwright capture -- make
  heapwright project --html report -- --timeout 60 --property valid-memsafety";

/// What is told of one program.
#[derive(Clone, Debug)]
struct Answered {
    name: String,
    report: Report,
    page: Option<PathBuf>,
    is_cached: bool,
}

/// What of the JSON of `check` is needed here.
#[derive(Clone, Debug, Deserialize)]
struct Report {
    verdict: String,
    message: String,
    code: Option<String>,
    place: Option<Place>,
    statistics: Statistics,
}

#[derive(Clone, Debug, Deserialize)]
struct Place {
    file: String,
    line: u32,
}

#[derive(Clone, Debug, Deserialize)]
struct Statistics {
    seconds: f64,
}

pub(crate) fn check_project(arguments: &ProjectArguments) -> ExitCode {
    match check_all(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("heapwright project: {error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn check_all(arguments: &ProjectArguments) -> io::Result<u8> {
    let folder = Path::new(FOLDER);
    let databases = databases(&folder.join("programs"))?;
    let executable = std::env::current_exe()?;
    let worker = Worker {
        cache: Cache::of(&folder.join("cache"), &arguments.options, &executable),
        executable,
        options: &arguments.options,
        reads_cache: !arguments.no_cache,
    };
    let jobs = arguments.jobs.or_else(|| std::thread::available_parallelism().ok().map(Into::into));
    let answers = worker.all(&databases, jobs.unwrap_or(1))?;
    let width = answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
    for answer in &answers {
        print(&line(answer, width));
    }
    print(&summary(&answers));
    if let Some(folder) = &arguments.html {
        write_pages(folder, &answers)?;
    }
    Ok(answers.iter().map(exit_code).max_by_key(|code| worst(*code)).unwrap_or(exit::HOLDS))
}

/// The compilation databases of all programs, by name.
fn databases(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let nothing = || {
        io::Error::other(
            "nothing is known of programs here; `heapwright capture -- make` finds them",
        )
    };
    let entries = std::fs::read_dir(folder).map_err(|_| nothing())?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.sort();
    if files.is_empty() { Err(nothing()) } else { Ok(files) }
}

struct Worker<'o> {
    cache: Cache,
    executable: PathBuf,
    options: &'o [String],
    reads_cache: bool,
}

impl Worker<'_> {
    /// The answers in the order of the databases.
    fn all(&self, databases: &[PathBuf], jobs: usize) -> io::Result<Vec<Answered>> {
        let next = AtomicUsize::new(0);
        let answers: Mutex<Vec<(usize, io::Result<Answered>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, databases.len()) {
                scope.spawn(|| {
                    // Ends because each round takes another program.
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(database) = databases.get(index) else { return };
                        let answer = self.one(database);
                        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                        answers.push((index, answer));
                    }
                });
            }
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_by_key(|(index, _)| *index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    fn one(&self, database: &Path) -> io::Result<Answered> {
        let stem = database.file_stem().map(|name| name.to_string_lossy().into_owned());
        let name = stem.unwrap_or_default();
        // The question says all that an answer depends on, headers and macros included.
        let (question, is_read) = self.run(database, &["--print-question"])?;
        let (kept, page) = (self.cache.file(&question, "json"), self.cache.file(&question, "html"));
        let known = std::fs::read_to_string(&kept).ok().filter(|_| self.reads_cache && is_read);
        let known = known.and_then(|text| serde_json::from_str(&text).ok());
        let page_if_there = |page: &Path| page.exists().then(|| page.to_owned());
        if let Some(report) = known {
            return Ok(Answered { name, report, page: page_if_there(&page), is_cached: true });
        }
        let folder = kept.parent().expect("it is in a folder");
        std::fs::create_dir_all(folder)?;
        let page_name = page.display().to_string();
        let (text, _) = self.run(database, &["--json", "--html", &page_name])?;
        let report: Report = serde_json::from_str(&text).map_err(io::Error::other)?;
        // What cannot be read has no question that would tell it from others.
        if is_read {
            // Complete or not at all, also where somebody ends us.
            let draft = kept.with_extension("draft");
            std::fs::write(&draft, &text)?;
            std::fs::rename(&draft, &kept)?;
        }
        Ok(Answered { name, report, page: page_if_there(&page), is_cached: false })
    }

    /// What `check` prints about a program with the options of all, and whether it could be read.
    fn run(&self, database: &Path, more: &[&str]) -> io::Result<(String, bool)> {
        let mut process = Command::new(&self.executable);
        process.arg("check").arg("--compile-commands").arg(database).args(more).args(self.options);
        let output = process.output()?;
        let is_read = output.status.success() && !output.stdout.is_empty();
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), is_read))
    }
}

fn line(answer: &Answered, width: usize) -> String {
    let Answered { name, report, is_cached, .. } = answer;
    let sign = match exit_code(answer) {
        exit::HOLDS => "✓",
        exit::VIOLATED => "✗",
        _ => "?",
    };
    let seconds = match is_cached {
        true => "cached".to_owned(),
        false => format!("{:.1} s", report.statistics.seconds),
    };
    let line =
        format!("  {sign} {name:width$}  {:11} {seconds:>8}  {}", report.verdict, about(report));
    format!("{}\n", line.trim_end())
}

/// Where and what, if it is not all right.
fn about(report: &Report) -> String {
    if report.verdict == "holds" {
        return String::new();
    }
    let place = report.place.as_ref().map(|place| format!("{}:{}: ", place.file, place.line));
    let code = report.code.as_ref().map(|code| format!(" [{code}]"));
    let message = report.message.lines().next().unwrap_or_default();
    format!("{}{message}{}", place.unwrap_or_default(), code.unwrap_or_default())
}

fn summary(answers: &[Answered]) -> String {
    let count = |word: &str| answers.iter().filter(|it| it.report.verdict == word).count();
    let words = ["holds", "violated", "unknown", "input-error"];
    let counts = words.into_iter().map(|word| (count(word), word)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    let cached = answers.iter().filter(|answer| answer.is_cached).count();
    format!("{}; {cached} of {} unchanged\n", counts.join(", "), answers.len())
}

fn exit_code(answer: &Answered) -> u8 {
    match answer.report.verdict.as_str() {
        "holds" => exit::HOLDS,
        "violated" => exit::VIOLATED,
        "unknown" => exit::UNKNOWN,
        _ => exit::BAD_INPUT,
    }
}

fn worst(code: u8) -> u8 {
    match code {
        exit::VIOLATED => 3,
        exit::BAD_INPUT => 2,
        exit::UNKNOWN => 1,
        _ => 0,
    }
}

/// The pages of all programs, and one that leads to them, the worst first.
fn write_pages(folder: &Path, answers: &[Answered]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut rows = Vec::new();
    for answer in answers {
        let page = format!("{}.html", answer.name);
        let has_page = match &answer.page {
            Some(kept) => std::fs::copy(kept, folder.join(&page)).map(|_| true)?,
            None => false,
        };
        rows.push((
            worst(exit_code(answer)),
            IndexRow {
                name: answer.name.clone(),
                verdict: answer.report.verdict.clone(),
                about: about(&answer.report),
                page: has_page.then_some(page),
            },
        ));
    }
    rows.sort_by_key(|(worst, _)| std::cmp::Reverse(*worst));
    let rows: Vec<IndexRow> = rows.into_iter().map(|(_, row)| row).collect();
    std::fs::write(folder.join("index.html"), index_html(&rows, env!("CARGO_PKG_VERSION")))
}
