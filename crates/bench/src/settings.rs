//! All that decides what a bench does.

use crate::interrupt::Cancellation;
use crate::plan::TaskFilter;
use crate::process::Limits;
use crate::shard::Shard;
use crate::task::DataModel;
use crate::tool::Tool;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of a bench.
#[derive(Debug, Clone)]
pub struct BenchSettings {
    /// Where the tasks are: folders (with all below), `.yml` task definitions, `.set` files.
    pub sources: Vec<PathBuf>,
    /// Which of them to run.
    pub filter: TaskFilter,
    /// The data model of tasks that name none, as in format 1.0.
    pub default_data_model: DataModel,
    /// What is measured.
    pub tool: Tool,
    /// What each run may use.
    pub limits: Limits,
    /// How many runs go on at the same time.
    pub workers: NonZeroUsize,
    /// Results file to write, one row for each run.
    pub csv: Option<PathBuf>,
    /// Whether rows that the results file has already are kept, and their runs left out.
    pub resume: bool,
    /// Run only this share of the plan.
    pub shard: Option<Shard>,
    /// Run nothing; put these results files together.
    pub merge: Vec<PathBuf>,
    /// Where the outcome goes as JSON.
    pub json: Option<JsonTarget>,
    /// Results file of a former bench to compare with.
    pub against: Option<PathBuf>,
    /// Results of other tools to compare with.
    pub peers: Option<PathBuf>,
    /// Whether to show a progress bar when the standard error is a terminal.
    pub progress: bool,
    /// Whether Ctrl-C (and SIGTERM and SIGHUP) stop the bench in good order. Afterwards these
    /// signals stay without effect in this process, so set it only when the process ends soon.
    pub catch_signals: bool,
    /// Stops the bench when cancelled. The bench itself cancels it when it fails.
    pub cancellation: Cancellation,
}

/// Where JSON is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonTarget {
    /// To the report's writer, instead of the text.
    Report,
    /// To a file, besides the text.
    File(PathBuf),
}

impl BenchSettings {
    /// Settings for some sources and a tool: 60 s, 4 GB, all cores, no files written.
    pub fn new(sources: Vec<PathBuf>, tool: Tool) -> BenchSettings {
        let cpu = Duration::from_secs(60);
        BenchSettings {
            sources,
            filter: TaskFilter::default(),
            default_data_model: DataModel::Ilp32,
            tool,
            limits: Limits { cpu, wall: default_wall_limit(cpu), memory: 4_000_000_000 },
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            csv: None,
            resume: false,
            shard: None,
            merge: Vec::new(),
            json: None,
            against: None,
            peers: None,
            progress: false,
            catch_signals: false,
            cancellation: Cancellation::default(),
        }
    }
}

/// A wall limit that only a run which waits or starves can reach.
pub(crate) fn default_wall_limit(cpu: Duration) -> Duration {
    cpu.saturating_mul(2).saturating_add(Duration::from_secs(10))
}
