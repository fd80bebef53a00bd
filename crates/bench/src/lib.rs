//! Measuring Heapwright on SV-COMP tasks: plan, run under limits, judge, report, compare.
//!
//! Read in this order: `task` and `collect` read task definitions, `plan` makes runs of them,
//! `tool` knows the command line, `process` runs it under limits (`sample` watches), `runner` does
//! so in parallel, `answer` and `verdict` read what came out, `judge` compares it with what is
//! expected, `record` keeps it, `shard` divides the work among machines, `summary`, `compare` and `peers` count, `report` shows.
//! [`run_bench`] is all of it in one call. `allocation` is an experiment of its own, `reproduce` repeats
//! those of the papers.

mod allocation;
mod answer;
mod arguments;
mod collect;
mod compare;
mod error;
mod interrupt;
mod judge;
mod peers;
mod plan;
mod process;
mod progress;

mod record;
mod report;
mod reproduce;
mod runner;
mod sample;
mod settings;
mod shard;
mod summary;
mod table;
mod task;
mod tool;
mod verdict;

pub use allocation::{AllocationArguments, Compared, compare_allocation};
pub use arguments::BenchArguments;
pub use compare::{Change, Comparison, SpeedChange};
pub use error::BenchError;
pub use heapwright_property::Property;
pub use interrupt::Cancellation;
pub use judge::{Judged, judge, maximum_score};
pub use peers::{Missed, PeerComparison, PeerRecord, PeerRow, Standing, read_peers};
pub use plan::{Plan, Run, TaskFilter, plan};
pub use process::Limits;
pub use record::{RunRecord, read_results};
pub use report::BenchOutcome;
pub use reproduce::{Experiment, ReproduceArguments, Reproduced, reproduce};
pub use settings::{BenchSettings, JsonTarget};
pub use shard::Shard;
pub use summary::{ReasonCount, Summary, Tally};
pub use task::{DataModel, TaskDefinition, TaskFile, TaskProperty, read_task};
pub use tool::Tool;
pub use verdict::{Answer, TimeLimit};

use interrupt::SignalGuard;
use progress::Progress;
use record::ResultsFile;
use runner::Runner;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Runs a bench and writes its report.
///
/// Wrong answers are no error: ask [`BenchOutcome::has_wrong_answer`]. An interrupted bench is no
/// error either: its outcome holds what was finished.
pub fn run_bench(
    settings: &BenchSettings,
    out: &mut dyn Write,
) -> Result<BenchOutcome, BenchError> {
    // Read before the first run: a typing mistake should not come to light after an hour, and
    // `--csv` may name the same file as `--against`.
    let former = settings.against.as_deref().map(read_results).transpose()?;
    let peers = settings.peers.as_deref().map(read_peers).transpose()?;
    if !settings.merge.is_empty() {
        let runs = merge(settings)?;
        let plan = Plan::default();
        return conclude(settings, plan, runs, (former, peers), out);
    }
    settings.tool.check()?;
    let mut plan = plan(&settings.sources, &settings.filter, settings.default_data_model)?;
    if let Some(shard) = settings.shard {
        shard.keep(&mut plan);
    }

    let runs = run_plan(settings, &plan)?;
    conclude(settings, plan, runs, (former, peers), out)
}

/// Puts results files together, and writes the whole where `--csv` says.
fn merge(settings: &BenchSettings) -> Result<Vec<RunRecord>, BenchError> {
    let rows = shard::merged(&settings.merge)?;
    if let Some(path) = &settings.csv {
        let mut file = ResultsFile::create(path)?;
        rows.iter().try_for_each(|row| file.add(row))?;
    }
    Ok(rows)
}

type Others = (Option<Vec<RunRecord>>, Option<Vec<PeerRecord>>);

/// Counts, compares and reports.
fn conclude(
    settings: &BenchSettings,
    plan: Plan,
    runs: Vec<RunRecord>,
    (former, peers): Others,
    out: &mut dyn Write,
) -> Result<BenchOutcome, BenchError> {
    let planned = plan.runs.len().max(if settings.merge.is_empty() { 0 } else { runs.len() });
    let outcome = BenchOutcome {
        planned,
        interrupted: runs.len() < planned,
        left_out: plan.left_out,
        summary: Summary::new(&runs),
        comparison: former.map(|former| Comparison::new(&former, &runs)),
        peers: peers.map(|peers| PeerComparison::new(&runs, &peers)),
        runs,
    };
    write_outcome(settings, &outcome, out)?;
    Ok(outcome)
}

/// Runs everything, streaming the rows to the results file; returns them sorted.
fn run_plan(settings: &BenchSettings, plan: &Plan) -> Result<Vec<RunRecord>, BenchError> {
    let so_far = match &settings.csv {
        Some(path) if settings.resume => shard::rows_so_far(path)?,
        Some(_) | None => Vec::new(),
    };
    // Rows of other runs than those that are planned are no longer wanted.
    let (known, open): (Vec<Run>, Vec<Run>) =
        plan.runs.iter().cloned().partition(|run| so_far.iter().any(|row| row.is_of(run)));
    let mut file = settings.csv.as_deref().map(ResultsFile::create).transpose()?;
    let mut records: Vec<RunRecord> =
        so_far.into_iter().filter(|row| known.iter().any(|run| row.is_of(run))).collect();
    if let Some(file) = &mut file {
        records.iter().try_for_each(|row| file.add(row))?;
    }
    let _signals = match settings.catch_signals {
        true => Some(SignalGuard::new(&settings.cancellation).map_err(BenchError::Supervise)?),
        false => None,
    };
    let runner = Runner {
        tool: &settings.tool,
        limits: &settings.limits,
        workers: settings.workers,
        cancellation: &settings.cancellation,
    };
    let mut progress = Progress::new(open.len(), settings.progress);
    let finished = runner.run_all(&open, &mut |record| {
        progress.add(&record);
        file.as_mut().map_or(Ok(()), |file| file.add(&record))?;
        records.push(record);
        Ok(())
    });
    progress.finish();
    finished?;
    record::sort(&mut records);
    if let Some(file) = file {
        file.finish(&records)?;
    }
    Ok(records)
}

fn write_outcome(
    settings: &BenchSettings,
    outcome: &BenchOutcome,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    match &settings.json {
        Some(JsonTarget::Report) => {
            return outcome.write_json(out).map_err(BenchError::Report);
        }
        Some(JsonTarget::File(path)) => write_json_file(path, outcome)?,
        None => {}
    }
    outcome.write_text(out).map_err(BenchError::Report)?;
    if outcome.interrupted {
        let kept = settings
            .csv
            .as_deref()
            .map_or(String::new(), |path| format!("; they are kept in {}", path.display()));
        let (finished, planned) = (outcome.runs.len(), outcome.planned);
        writeln!(out, "INTERRUPTED: only {finished} of {planned} runs were finished{kept}")
            .map_err(BenchError::Report)?;
    }
    Ok(())
}

fn write_json_file(path: &Path, outcome: &BenchOutcome) -> Result<(), BenchError> {
    let failed = |source| BenchError::Write { path: path.to_owned(), source };
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    outcome.write_json(&mut file).and_then(|()| file.flush()).map_err(failed)
}
