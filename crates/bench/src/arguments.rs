//! The command line of `heapwright bench`; its help is the manual.

use crate::error::BenchError;
use crate::interrupt::Cancellation;
use crate::plan::TaskFilter;
use crate::process::Limits;
use crate::settings::{BenchSettings, JsonTarget, default_wall_limit};
use crate::shard::Shard;
use crate::task::DataModel;
use crate::tool::Tool;
use heapwright_property::Property;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Run the verifier on SV-COMP tasks, each run under limits, and judge its answers
///
/// Each task of the given folders, files and sets is run once for each of its properties that has
/// an expected verdict. The exit code tells whether any answer was wrong.
// A command that flattens this shows the text above as its own description.
#[derive(Debug, Clone, clap::Args)]
pub struct BenchArguments {
    /// Where the tasks are: folders (searched with all below), task definitions (.yml), task
    /// sets (.set)
    #[arg(value_name = "TASKS", required_unless_present = "merge", conflicts_with = "merge")]
    pub tasks: Vec<PathBuf>,

    /// Run only this property; may be given several times
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        value_delimiter = ',',
        help_heading = "Selection"
    )]
    pub property: Vec<Property>,

    /// Run only tasks in the folder of this name; may be given several times
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Selection")]
    pub folder: Vec<String>,

    /// Run only tasks whose name contains this text; may be given several times
    #[arg(long, value_name = "TEXT", value_delimiter = ',', help_heading = "Selection")]
    pub name: Vec<String>,

    /// Data model of tasks that name none (task definitions of format 1.0)
    #[arg(
        long,
        value_name = "MODEL",
        value_enum,
        default_value = "ILP32",
        help_heading = "Selection"
    )]
    pub default_data_model: DataModel,

    /// Measure this Heapwright executable instead of the one that runs
    #[arg(long, value_name = "FILE", help_heading = "Tool")]
    pub executable: Option<PathBuf>,

    /// Check with this engine only
    #[arg(long, value_name = "NAME", help_heading = "Tool")]
    pub engine: Option<String>,

    /// Measure another tool: a command with {files} and, where wanted, {property} (the property
    /// file), {property_name} and {data_model}. The last line it prints must be TRUE,
    /// FALSE(part) or UNKNOWN
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with_all = ["executable", "engine", "extra_arguments"],
        help_heading = "Tool"
    )]
    pub tool: Option<String>,

    /// Further arguments for `heapwright check`
    #[arg(last = true, value_name = "CHECK ARGUMENTS", help_heading = "Tool")]
    pub extra_arguments: Vec<String>,

    /// CPU time for each run, summed over its processes: seconds, or with a unit (90s, 15min)
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s", help_heading = "Limits")]
    pub cpu_limit: Duration,

    /// Wall time for each run [default: twice the CPU time and 10 s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    pub wall_limit: Option<Duration>,

    /// Memory for each run, summed over its processes: megabytes, or with a unit (500MB, 15GB)
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "4GB", help_heading = "Limits")]
    pub memory_limit: u64,

    /// Runs at the same time [default: the number of cores]
    #[arg(long, short = 'j', value_name = "NUMBER", help_heading = "Limits")]
    pub workers: Option<NonZeroUsize>,

    /// Write one row for each run to this file, while the bench goes on; sorted at its end
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub csv: Option<PathBuf>,

    /// Go on with a bench that was cut off: keep the rows that --csv has already, and run the others
    #[arg(long, requires = "csv", help_heading = "Results")]
    pub resume: bool,

    /// Run only a share of the runs, as one of several machines: 2/8 is the second of eight
    #[arg(long, value_name = "I/N", help_heading = "Selection")]
    pub shard: Option<Shard>,

    /// Run nothing; report on results files of several machines together, written with --csv
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["shard", "resume"], help_heading = "Results")]
    pub merge: Vec<PathBuf>,

    /// Write everything as JSON to this file; `-` writes it to the standard output instead of
    /// the tables
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub json: Option<PathBuf>,

    /// Compare with a former results file (written with --csv): gained, lost, faster, slower
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub against: Option<PathBuf>,

    /// Compare with other tools: a CSV file with the columns
    /// tool,folder,task,property,expected,verdict,judged,wall_s,cpu_s
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub peers: Option<PathBuf>,

    /// Show no progress bar, even on a terminal
    #[arg(long, help_heading = "Results")]
    pub no_progress: bool,
}

impl TryFrom<BenchArguments> for BenchSettings {
    type Error = BenchError;

    fn try_from(arguments: BenchArguments) -> Result<BenchSettings, BenchError> {
        let cpu = arguments.cpu_limit;
        let limits = Limits {
            cpu,
            wall: arguments.wall_limit.unwrap_or_else(|| default_wall_limit(cpu)),
            memory: arguments.memory_limit,
        };
        let filter = TaskFilter {
            properties: arguments.property,
            folders: arguments.folder,
            names: arguments.name,
        };
        let json = arguments.json.map(|path| {
            if path.as_os_str() == "-" { JsonTarget::Report } else { JsonTarget::File(path) }
        });
        let tool = match arguments.tool {
            Some(template) => Tool::Other { template },
            None => Tool::Heapwright {
                executable: arguments.executable.map_or_else(own_executable, Ok)?,
                engine: arguments.engine,
                extra_arguments: arguments.extra_arguments,
            },
        };
        let defaults = BenchSettings::new(arguments.tasks, tool);
        Ok(BenchSettings {
            filter,
            default_data_model: arguments.default_data_model,
            limits,
            workers: arguments.workers.unwrap_or(defaults.workers),
            csv: arguments.csv,
            resume: arguments.resume,
            shard: arguments.shard,
            merge: arguments.merge,
            json,
            against: arguments.against,
            peers: arguments.peers,
            progress: !arguments.no_progress,
            catch_signals: true,
            cancellation: Cancellation::default(),
            ..defaults
        })
    }
}

pub(crate) fn own_executable() -> Result<PathBuf, BenchError> {
    std::env::current_exe().map_err(|error| {
        let problem = format!("cannot find the running executable: {error}; give --executable");
        BenchError::Settings(problem)
    })
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("", 1.0), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    let seconds = parse_quantity(text, &units)?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    let units = [("", 1e6), ("MB", 1e6), ("GB", 1e9)];
    parse_quantity(text, &units).map(|bytes| bytes as u64)
}

/// A positive number with one of the units.
fn parse_quantity(text: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let end = text.find(|character: char| character.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let known: Vec<&str> = units.iter().map(|(name, _)| *name).filter(|n| !n.is_empty()).collect();
    let factor = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
    let Some((_, factor)) = factor else {
        return Err(format!("unit {unit} is unknown; use one of {}", known.join(", ")));
    };
    match number.trim().parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value * factor),
        _ => Err(format!("`{text}` is no positive number with a unit ({})", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        bench: BenchArguments,
    }

    fn settings(words: &[&str]) -> BenchSettings {
        let words = std::iter::once("bench").chain(words.iter().copied());
        let command = Command::try_parse_from(words).unwrap();
        BenchSettings::try_from(command.bench).unwrap()
    }

    #[test]
    fn the_definition_is_consistent() {
        Command::command().debug_assert();
    }

    #[test]
    fn defaults_measure_ourselves() {
        let settings = settings(&["tasks"]);
        assert_eq!(settings.limits.cpu, Duration::from_secs(60));
        assert_eq!(settings.limits.wall, Duration::from_secs(130));
        assert_eq!(settings.limits.memory, 4_000_000_000);
        assert!(matches!(settings.tool, Tool::Heapwright { engine: None, .. }));
        assert!(settings.catch_signals && settings.progress);
    }

    #[test]
    fn everything_can_be_set() {
        let settings = settings(&[
            "a",
            "b.set",
            "--property",
            "valid-memsafety,termination",
            "--folder=lists",
            "--name=x",
            "--default-data-model=LP64",
            "--executable=hw",
            "--engine=shape",
            "--cpu-limit=15min",
            "--wall-limit=1000",
            "--memory-limit=500",
            "-j3",
            "--csv=o.csv",
            "--json=-",
            "--against=old.csv",
            "--peers=p.csv",
            "--no-progress",
            "--",
            "--seed=1",
        ]);
        assert_eq!(settings.sources.len(), 2);
        assert_eq!(settings.filter.properties, [Property::ValidMemsafety, Property::Termination]);
        assert_eq!(settings.default_data_model, DataModel::Lp64);
        assert_eq!(settings.limits.cpu, Duration::from_secs(900));
        assert_eq!(settings.limits.memory, 500_000_000);
        assert_eq!(settings.workers.get(), 3);
        assert_eq!(settings.json, Some(JsonTarget::Report));
        let tool = Tool::Heapwright {
            executable: "hw".into(),
            engine: Some("shape".to_owned()),
            extra_arguments: vec!["--seed=1".to_owned()],
        };
        assert_eq!(settings.tool, tool);
    }

    #[test]
    fn another_tool_excludes_our_own_options() {
        let tool = settings(&["tasks", "--tool", "cbmc {files}"]).tool;
        assert_eq!(tool, Tool::Other { template: "cbmc {files}".to_owned() });
        let words = ["bench", "tasks", "--tool", "cbmc {files}", "--engine", "shape"];
        assert!(Command::try_parse_from(words).is_err());
    }

    #[test]
    fn bad_quantities_are_explained() {
        assert!(parse_time("10 parsecs").unwrap_err().contains("unit parsecs is unknown"));
        assert!(parse_time("0").unwrap_err().contains("positive"));
        assert!(parse_memory("-3GB").unwrap_err().contains("positive"));
        assert_eq!(parse_memory("1.5gb"), Ok(1_500_000_000));
    }
}
