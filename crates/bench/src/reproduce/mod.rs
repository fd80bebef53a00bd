//! `reproduce`: the experiments of the papers, our figures beside the published ones, as one page.
//!
//! Each experiment is a section of the page and runs this executable on programs, as a user would. A
//! section that is not asked for, or whose programs are not there, stays as the page has it. Read
//! `survey`, `templates`, `shapes` and `allocation` for the experiments, `published` for the figures
//! of the papers, `ask` for the runs, `page` for the form.

mod allocation;
mod ask;
mod page;
mod published;
mod shapes;
mod survey;
mod survey_page;
mod templates;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::arguments::{own_executable, parse_time};
use crate::error::BenchError;
use crate::interrupt::{Cancellation, SignalGuard};
use crate::process::Limits;

/// Repeat the experiments of the papers, and write our figures beside the published ones
///
/// Experiments whose programs are not there are named and left out. The exit code tells whether any
/// answer was wrong.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArguments {
    /// The folder with the folders of SV-COMP tasks: heap-data, memsafety-ext3, gdsl, …
    #[arg(long, value_name = "FOLDER")]
    pub tasks: Option<PathBuf>,

    /// The folder with the programs of the survey
    #[arg(long, value_name = "FOLDER", default_value = "examples/survey")]
    pub survey: PathBuf,

    /// Only these experiments
    #[arg(long, value_name = "NAME,…", value_enum, value_delimiter = ',')]
    pub only: Vec<Experiment>,

    /// Time for each run; the paper on allocation questions gets nine times as much, as it had
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10s")]
    pub time: Duration,

    /// Write the page to this file, after each experiment; sections that are not measured stay as they are there
    #[arg(long, short = 'o', value_name = "PAGE.md")]
    pub output: Option<PathBuf>,

    /// Measure this Heapwright executable instead of the one that runs
    #[arg(long, value_name = "FILE")]
    pub executable: Option<PathBuf>,

    /// Runs at the same time [default: the number of cores]
    #[arg(long, short = 'j', value_name = "NUMBER")]
    pub workers: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "\
Examples:
  heapwright reproduce --only survey
  heapwright reproduce --tasks sv-benchmarks/c --output docs/reproduction.md";

/// What is repeated, in the order of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Experiment {
    /// The programs of the survey, by every engine
    Survey,
    /// FMCAD 2018, and the thesis before it: templates of heap shapes
    Templates,
    /// SAS 2010: shape refinement
    Shapes,
    /// The thesis on SLCPA: allocation questions
    Allocation,
}

impl Experiment {
    const ALL: [Experiment; 4] =
        [Experiment::Survey, Experiment::Templates, Experiment::Shapes, Experiment::Allocation];

    fn name(self) -> &'static str {
        match self {
            Experiment::Survey => "survey",
            Experiment::Templates => "templates",
            Experiment::Shapes => "shapes",
            Experiment::Allocation => "allocation",
        }
    }
}

/// What came of the experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reproduced {
    Correct,
    /// Some answer contradicts what is known of its program.
    Wrong,
    Interrupted,
}

/// What all experiments have in common.
struct Laboratory {
    executable: PathBuf,
    tasks: Option<PathBuf>,
    survey: PathBuf,
    time: Duration,
    workers: NonZeroUsize,
    cancellation: Cancellation,
}

impl Laboratory {
    /// Processor time decides. On a busy machine a run may wait for most of its time on the clock, and that must
    /// not change an answer.
    fn limits(&self, time: Duration) -> Limits {
        let wall = time.saturating_mul(20).saturating_add(Duration::from_secs(60));
        Limits { cpu: time, wall, memory: 4_000_000_000 }
    }

    /// Those of the folders that are there, and the names of the others.
    fn folders(&self, names: &[&'static str]) -> (Vec<PathBuf>, Vec<&'static str>) {
        let path = |name: &str| self.tasks.as_ref().map(|tasks| tasks.join(name));
        let is_there = |name: &str| path(name).is_some_and(|path| path.is_dir());
        let (found, missing): (Vec<&str>, Vec<&str>) =
            names.iter().partition(|name| is_there(name));
        (found.into_iter().filter_map(path).collect(), missing)
    }

    /// How busy the machine is, for readers of seconds.
    fn load(&self) -> String {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default();
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        format!("on {cores} cores, with a load of {load} when it began")
    }
}

/// A drawing beside the page.
struct Picture {
    name: &'static str,
    svg: String,
}

/// A section of the page.
enum Section {
    Measured {
        text: String,
        /// What it shows, an SVG whose name the text has.
        picture: Option<Picture>,
        wrong: usize,
    },
    /// Its programs are not there: what is missing.
    Missing(String),
}

/// Runs the experiments; writes the page, or prints it.
pub fn reproduce(
    arguments: ReproduceArguments,
    out: &mut dyn Write,
) -> Result<Reproduced, BenchError> {
    let cancellation = Cancellation::default();
    let _signals = SignalGuard::new(&cancellation).map_err(BenchError::Supervise)?;
    let laboratory = Laboratory {
        executable: arguments.executable.map_or_else(own_executable, Ok)?,
        tasks: arguments.tasks,
        survey: arguments.survey,
        time: arguments.time,
        workers: arguments
            .workers
            .map_or_else(std::thread::available_parallelism, Ok)
            .unwrap_or(NonZeroUsize::MIN),
        cancellation: cancellation.clone(),
    };
    let mut sections = BTreeMap::new();
    let mut pictures = Vec::new();
    let mut wrong = 0;
    for experiment in Experiment::ALL {
        let is_wanted = arguments.only.is_empty() || arguments.only.contains(&experiment);
        if !is_wanted {
            continue;
        }
        let section = run(&laboratory, experiment)?;
        if cancellation.is_cancelled() {
            return Ok(Reproduced::Interrupted);
        }
        match section {
            Section::Measured { text, picture, wrong: of_it } => {
                wrong += of_it;
                pictures.extend(picture);
                sections.insert(experiment.name(), text);
                // Experiments take long: who interrupts a later one keeps this one.
                if let Some(path) = &arguments.output {
                    write_page(&sections, &pictures, path)?;
                }
            }
            Section::Missing(what) => {
                writeln!(out, "{} left out: {what}", experiment.name())
                    .map_err(BenchError::Report)?;
            }
        }
    }
    if arguments.output.is_none() {
        let mut texts = sections.values();
        texts.try_for_each(|text| writeln!(out, "{text}")).map_err(BenchError::Report)?;
    }
    Ok(if wrong > 0 { Reproduced::Wrong } else { Reproduced::Correct })
}

fn run(laboratory: &Laboratory, experiment: Experiment) -> Result<Section, BenchError> {
    match experiment {
        Experiment::Survey => survey_page::section(laboratory),
        Experiment::Templates => templates::section(laboratory),
        Experiment::Shapes => shapes::section(laboratory),
        Experiment::Allocation => allocation::section(laboratory),
    }
}

fn write_page(
    sections: &BTreeMap<&str, String>,
    pictures: &[Picture],
    path: &Path,
) -> Result<(), BenchError> {
    for Picture { name, svg } in pictures {
        let path = path.with_file_name(name);
        std::fs::write(&path, svg).map_err(|source| BenchError::Write { path, source })?;
    }
    let former = std::fs::read_to_string(path).unwrap_or_default();
    let names = Experiment::ALL.map(Experiment::name);
    std::fs::write(path, page::page(&names, sections, &former))
        .map_err(|source| BenchError::Write { path: path.to_owned(), source })
}
