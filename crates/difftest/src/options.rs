//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use crate::campaign::Settings;
use crate::case::Mode;
use heapwright_generators::Family;
use heapwright_generators::program::DataModel;

/// Shown for `--help` and after a wrong option.
pub const USAGE: &str = "\
Differential testing of the Heapwright interpreter against gcc.

usage: heapwright-difftest [options]
  --mode MODE          heap, fault, arithmetic, csmith or all (default: all): interpreter and gcc;
                       engines: engines against each other;
                       mutants: what engines prove of mutants against compiled programs
  --count N            programs of each mode (default: 100)
  --seed S             seed of the first program; the next has S + 1 (default: 1)
  --executable PATH    the heapwright executable
  --validate           no interpreter: check the generators against gcc's sanitizers
  --print              print the one program of MODE and S, and stop
  --jobs N             cases at a time (default: 2)
  --out DIR            save mismatches here, each with a reduced program
  --reduce N           programs tried to shrink one mismatch (default: 600)
  --data-model MODEL   LP64 or ILP32 (default: LP64)

for --mode engines and --mode mutants:
  --families A,B       only these generators; `none` for mutants alone (default: all)
  --originals FOLDER   programs to change into mutants; may be given several times
  --mutants N          in a hundred, how many programs are mutants (default: 20)
  --share MS           milliseconds of work for each engine and program (default: 100)
  --runs N             plain runs of each program (default: 64)
  --native N           inputs that each compiled program is run on (default: 24 for mutants)
";

/// What the command is to do.
#[derive(Clone, Debug)]
pub struct Options {
    pub settings: Settings,
    pub action: Action,
    pub data_model: DataModel,
    pub reduce_attempts: usize,
    pub asking: Asking,
}

/// What engines are asked about.
#[derive(Clone, Debug)]
pub struct Asking {
    pub families: Vec<Family>,
    pub originals: Vec<PathBuf>,
    pub mutants: usize,
    pub share: Duration,
    pub runs: u64,
    /// Whether this is the process that does the work, and not the one that looks after it.
    pub is_worker: bool,
    /// More than 0: what is proved is compiled and run.
    pub native_seeds: u64,
}

/// The things the command can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Compare with the interpreter at this path.
    Compare(PathBuf),
    /// Check the generators only.
    Validate,
    /// Show one program.
    Print,
    /// Ask engines about programs.
    Engines,
    /// Show one program that engines are asked about.
    PrintSubject,
    Help,
}

/// Reads the arguments, without the command's name.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut arguments = arguments;
    let modes = Mode::ALL.to_vec();
    let mut settings = Settings { modes, count: 100, seed: 1, jobs: 2, out: None };
    let mut data_model = DataModel::Lp64;
    let mut reduce_attempts = 600;
    let mut action = None;
    let mut asks_engines = false;
    let mut asking = Asking {
        families: Family::ALL.to_vec(),
        originals: Vec::new(),
        mutants: 20,
        share: Duration::from_millis(100),
        runs: 64,
        native_seeds: 0,
        is_worker: false,
    };
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--mode" => match value()?.as_str() {
                "engines" => asks_engines = true,
                "mutants" => {
                    asks_engines = true;
                    asking.mutants = 100;
                    asking.native_seeds = 24;
                }
                modes => settings.modes = parse_modes(modes)?,
            },
            "--families" => asking.families = parse_families(&value()?)?,
            "--originals" => asking.originals.push(PathBuf::from(value()?)),
            "--mutants" => asking.mutants = parse_number(&name, &value()?)?,
            "--share" => asking.share = Duration::from_millis(parse_number(&name, &value()?)?),
            "--worker" => asking.is_worker = true,
            "--native" => asking.native_seeds = parse_number(&name, &value()?)?,
            "--runs" => asking.runs = parse_number(&name, &value()?)?,
            "--count" => settings.count = parse_number(&name, &value()?)?,
            "--seed" => settings.seed = parse_number(&name, &value()?)?,
            "--jobs" => settings.jobs = parse_number(&name, &value()?)?,
            "--reduce" => reduce_attempts = parse_number(&name, &value()?)?,
            "--out" => settings.out = Some(PathBuf::from(value()?)),
            "--executable" => action = Some(Action::Compare(PathBuf::from(value()?))),
            "--validate" => action = Some(Action::Validate),
            "--print" => action = Some(Action::Print),
            "--help" | "-h" => action = Some(Action::Help),
            "--data-model" => {
                let model = value()?;
                data_model = DataModel::parse(&model).ok_or(format!("no data model {model}"))?;
            }
            _ => return Err(format!("unknown option {name}")),
        }
    }
    if asks_engines {
        action = Some(match action {
            Some(Action::Print) => Action::PrintSubject,
            Some(Action::Help) => Action::Help,
            _ => Action::Engines,
        });
    }
    let action =
        action.ok_or("one of --executable, --validate, --print and --mode engines is needed")?;
    Ok(Options { settings, action, data_model, reduce_attempts, asking })
}

fn parse_modes(name: &str) -> Result<Vec<Mode>, String> {
    if name == "all" {
        return Ok(Mode::ALL.to_vec());
    }
    Mode::parse(name).map(|mode| vec![mode]).ok_or(format!("no mode {name}"))
}

fn parse_families(names: &str) -> Result<Vec<Family>, String> {
    if names == "none" {
        return Ok(Vec::new());
    }
    let family = |name| Family::parse(name).ok_or(format!("no family {name}"));
    names.split(',').map(family).collect()
}

fn parse_number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name} needs a number, not {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Options, String> {
        parse(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_every_option() {
        let text = "--mode fault --count 7 --seed 9 --jobs 3 --out o --data-model ILP32 --validate";
        let options = parse_text(text).unwrap();
        assert_eq!(options.settings.modes, [Mode::Fault]);
        assert_eq!((options.settings.count, options.settings.seed), (7, 9));
        assert_eq!(options.data_model, DataModel::Ilp32);
        assert_eq!(options.action, Action::Validate);
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(
            parse_text("--count x --validate").unwrap_err(),
            "--count needs a number, not x"
        );
        assert_eq!(parse_text("--seed").unwrap_err(), "--seed needs a value");
        assert!(parse_text("").unwrap_err().contains("--executable"));
    }
}
