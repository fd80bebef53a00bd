//! `compare-allocation`: what the ways to find the cell of an access cost, task by task.
//!
//! This is the experiment of the thesis on SLCPA, chapter 6: the same tasks with each way, solver
//! calls, times and memory. Read `measure` for the runs, `plot` and `figures` for pictures.

pub(crate) mod figures;
pub(crate) mod measure;
mod plot;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use heapwright_property::Property;

use crate::arguments::{own_executable, parse_memory, parse_time};
use crate::error::BenchError;
use crate::interrupt::{Cancellation, SignalGuard};
use crate::plan::{TaskFilter, plan};
use crate::process::Limits;
use crate::settings::default_wall_limit;
use crate::table::Table;
use crate::task::DataModel;
use measure::{Measurement, Setup, WAYS, measure};

/// Compare the ways to find the cell of an access: solver calls, time and memory of each
///
/// Each task is checked once with each value of `check --allocation`, one after the other, by the
/// engine symbolic-heap with --paths-only. The exit code tells whether any answer was wrong.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct AllocationArguments {
    /// Where the tasks are: folders (searched with all below), task definitions (.yml), task
    /// sets (.set)
    #[arg(value_name = "TASKS", required = true)]
    pub tasks: Vec<PathBuf>,

    /// Ask about this property only
    #[arg(long, value_name = "NAME", value_enum, default_value = "valid-memsafety")]
    pub property: Property,

    /// Run only tasks whose name contains this text; may be given several times
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub name: Vec<String>,

    /// Data model of tasks that name none (task definitions of format 1.0)
    #[arg(long, value_name = "MODEL", value_enum, default_value = "ILP32")]
    pub default_data_model: DataModel,

    /// Who decides formulas, as for `check`; separation logic is always cvc5's
    #[arg(long, value_name = "SOLVER", default_value = "embedded")]
    pub solver: String,

    /// CPU time for each run, summed over its processes: seconds, or with a unit (90s, 15min)
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "90s")]
    pub cpu_limit: Duration,

    /// Memory for each run, summed over its processes: megabytes, or with a unit (500MB, 15GB)
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "4GB")]
    pub memory_limit: u64,

    /// Measure this Heapwright executable instead of the one that runs
    #[arg(long, value_name = "FILE")]
    pub executable: Option<PathBuf>,

    /// Draw the results into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  heapwright compare-allocation sv-benchmarks/c/memsafety-ext3
  heapwright compare-allocation --solver cvc5 --svg plot.svg sv-benchmarks/c/memsafety-ext3";

/// Whether the answers of a comparison may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    Correct,
    /// Some answer contradicts what is known of its task.
    Wrong,
    Interrupted,
}

/// Measures all ways on all tasks; writes a table, and a plot if wanted.
pub fn compare_allocation(
    arguments: AllocationArguments,
    out: &mut dyn Write,
) -> Result<Compared, BenchError> {
    let filter = TaskFilter {
        properties: vec![arguments.property],
        names: arguments.name,
        ..TaskFilter::default()
    };
    let plan = plan(&arguments.tasks, &filter, arguments.default_data_model)?;
    let cancellation = Cancellation::default();
    let _signals = SignalGuard::new(&cancellation).map_err(BenchError::Supervise)?;
    let cpu = arguments.cpu_limit;
    let wall = default_wall_limit(cpu);
    let setup = Setup {
        executable: arguments.executable.map_or_else(own_executable, Ok)?,
        solver: arguments.solver,
        limits: Limits { cpu, wall, memory: arguments.memory_limit },
        cancellation: cancellation.clone(),
    };
    let measurements = measure(&setup, &plan.runs)?;
    write_report(&measurements, out).map_err(BenchError::Report)?;
    if let Some(path) = arguments.svg {
        std::fs::write(&path, plot::draw(&measurements))
            .map_err(|source| BenchError::Write { path, source })?;
    }
    Ok(if cancellation.is_cancelled() {
        Compared::Interrupted
    } else if measurements.iter().any(Measurement::is_wrong) {
        Compared::Wrong
    } else {
        Compared::Correct
    })
}

fn write_report(measurements: &[Measurement], out: &mut dyn Write) -> std::io::Result<()> {
    let heading = ["task", "way", "answer", "solver calls", "solver s", "CPU s", "wall s", "MB"];
    let mut table = Table::new(3, heading.map(str::to_owned).to_vec());
    for one in measurements {
        let [calls, solver, cpu, wall, memory] = one.numbers();
        let answer =
            if one.is_wrong() { format!("WRONG {}", one.answer) } else { one.answer.clone() };
        let way = one.way.to_owned();
        table.add(vec![one.task.clone(), way, answer, calls, solver, cpu, wall, memory]);
    }
    table.write(out)?;
    writeln!(out)?;
    write_totals(measurements, out)?;
    for problem in problems(measurements) {
        writeln!(out, "\n{problem}")?;
    }
    Ok(())
}

/// Sums over the tasks that every way has decided, so that they can be compared.
fn write_totals(measurements: &[Measurement], out: &mut dyn Write) -> std::io::Result<()> {
    let is_decided = |task: &str| {
        let mut of_task = measurements.iter().filter(|one| one.task == task);
        of_task.clone().count() == WAYS.len() && of_task.all(Measurement::is_decided)
    };
    let heading = ["way", "decided", "in common", "solver calls", "solver s", "CPU s", "most MB"];
    let mut table = Table::new(1, heading.map(str::to_owned).to_vec());
    for way in WAYS {
        let of_way: Vec<_> = measurements.iter().filter(|one| one.way == way).collect();
        let decided = of_way.iter().filter(|one| one.is_decided()).count();
        let common: Vec<_> = of_way.iter().filter(|one| is_decided(&one.task)).collect();
        let sum =
            |number: fn(&Measurement) -> f64| common.iter().map(|one| number(one)).sum::<f64>();
        let most = common.iter().map(|one| one.memory).max().unwrap_or_default();
        table.add(vec![
            way.to_owned(),
            decided.to_string(),
            common.len().to_string(),
            format!("{}", sum(|one| one.calls.unwrap_or(0) as f64)),
            format!("{:.3}", sum(|one| one.solver_seconds.unwrap_or(0.0))),
            format!("{:.2}", sum(|one| one.cpu.as_secs_f64())),
            format!("{:.0}", most as f64 / 1e6),
        ]);
    }
    table.write(out)
}

/// What was said instead of answers, each once.
fn problems(measurements: &[Measurement]) -> Vec<&str> {
    let mut problems: Vec<&str> =
        measurements.iter().filter_map(|one| one.problem.as_deref()).collect();
    problems.sort_unstable();
    problems.dedup();
    problems
}
