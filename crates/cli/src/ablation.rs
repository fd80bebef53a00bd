//! `ablation`: the engine `template` with parts of it left out, or all engines without facts of each other, on the same
//! tasks, as one table.

use std::fmt::Write;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use heapwright_bench::{
    BenchError, BenchOutcome, BenchSettings, Property, TaskFilter, Tool, run_bench,
};
use heapwright_engine_template::Settings;

use crate::arguments::parse_time;
use crate::exit;
use crate::terminal::{complain, print};

#[derive(Debug, Args)]
pub(crate) struct AblationArguments {
    /// Where the tasks are: folders, task definitions (.yml), task sets (.set)
    #[arg(value_name = "TASKS", required = true)]
    pub(crate) tasks: Vec<PathBuf>,

    /// The property that is asked about
    #[arg(long, value_name = "NAME", value_enum, default_value = "unreach-call")]
    pub(crate) property: Property,

    /// CPU time for each run
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10s")]
    pub(crate) cpu_limit: Duration,

    /// Only these configurations: `all`, `no-guards`, or the name of a domain
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// All engines, with and without facts that they share, in place of the engine `template`
    #[arg(long)]
    pub(crate) sharing: bool,

    /// Runs at the same time [default: the number of cores]
    #[arg(long, short = 'j', value_name = "NUMBER")]
    pub(crate) workers: Option<NonZeroUsize>,
}

/// A way to run the engine.
struct Configuration {
    name: String,
    arguments: Vec<String>,
}

pub(crate) fn ablation(arguments: &AblationArguments) -> ExitCode {
    match table(arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(exit::BENCH_FAILED),
        Err(error) => {
            complain(&format!("error: {error}\n"));
            ExitCode::from(exit::BENCH_FAILED)
        }
    }
}

/// Prints the table in Markdown, row by row; gives how many answers were wrong.
fn table(arguments: &AblationArguments) -> Result<usize, BenchError> {
    let mut is_first = true;
    let mut wrong = 0;
    for configuration in configurations(arguments.sharing) {
        let is_wanted = arguments.only.is_empty() || arguments.only.contains(&configuration.name);
        if !is_wanted {
            continue;
        }
        let outcome = run(arguments, &configuration)?;
        let mut text = if is_first { head(&outcome) } else { String::new() };
        is_first = false;
        wrong += outcome.runs.iter().filter(|run| run.judged.is_wrong()).count();
        row(&mut text, &configuration.name, &outcome);
        print(&text);
        if outcome.interrupted {
            break;
        }
    }
    Ok(wrong)
}

/// Everything; everything but one idea; calls treated in one way; each domain by itself. About sharing: with facts and
/// without.
fn configurations(is_about_sharing: bool) -> Vec<Configuration> {
    let configuration = |name: &str, arguments: &[&str]| Configuration {
        name: name.to_owned(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
    };
    if is_about_sharing {
        return vec![configuration("shared", &[]), configuration("hidden", &["--no-shared-facts"])];
    }
    let mut all = vec![
        configuration("all", &[]),
        configuration("no-guards", &["--no-guards"]),
        configuration("no-loop-paths", &["--no-loop-paths"]),
        configuration("no-products", &["--no-products"]),
        configuration("one-round", &["--rounds", "1"]),
        configuration("inline", &["--calls", "inline"]),
        configuration("summaries", &["--calls", "summaries"]),
    ];
    let domains = Settings::all_domains().into_iter();
    all.extend(domains.map(|(name, _)| configuration(name, &["--rounds", "1", "--domains", name])));
    all
}

fn run(
    arguments: &AblationArguments,
    configuration: &Configuration,
) -> Result<BenchOutcome, BenchError> {
    let executable = std::env::current_exe().map_err(BenchError::Report)?;
    let tool = Tool::Heapwright {
        executable,
        engine: (!arguments.sharing).then(|| "template".to_owned()),
        extra_arguments: [&["--show-work".to_owned()], &configuration.arguments[..]].concat(),
    };
    let mut settings = BenchSettings::new(arguments.tasks.clone(), tool);
    settings.filter = TaskFilter { properties: vec![arguments.property], ..settings.filter };
    settings.limits.cpu = arguments.cpu_limit;
    settings.limits.wall = arguments.cpu_limit * 10;
    settings.workers = arguments.workers.unwrap_or(settings.workers);
    settings.progress = true;
    run_bench(&settings, &mut io::sink())
}

fn head(outcome: &BenchOutcome) -> String {
    let folders: Vec<&str> = outcome.summary.by_folder.keys().map(String::as_str).collect();
    let mut text =
        format!("| configuration | {} | wrong | solver calls | CPU s |\n", folders.join(" | "));
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(folders.len() + 3));
    text
}

fn row(text: &mut String, name: &str, outcome: &BenchOutcome) {
    let _ = write!(text, "| {name} |");
    for tally in outcome.summary.by_folder.values() {
        let correct = tally.correct_true + tally.correct_false;
        let _ = write!(text, " {correct} of {} |", tally.runs);
    }
    let total = &outcome.summary.total;
    let wrong = outcome.runs.iter().filter(|run| run.judged.is_wrong()).count();
    let calls: u64 = outcome.runs.iter().filter_map(|run| run.solver_calls).sum();
    let _ = writeln!(text, " {wrong} | {calls} | {:.0} |", total.cpu_s);
}
