//! The arguments of all commands; their help is the manual.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use heapwright_bench::{AllocationArguments, BenchArguments, ReproduceArguments};
use heapwright_oracle::Effort;
use heapwright_solver::BackEnd;

use crate::ablation::AblationArguments;
use crate::allocation::AllocationWay;
use crate::files::FilesWanted;
use crate::generate::GenerateArguments;
use crate::lsp::LspArguments;
use crate::project::{CaptureArguments, ProjectArguments, ProjectOptions};
use crate::run::RunArguments;
use crate::shapes::ShapeRefinementArguments;
use crate::sources::SourceArguments;
use crate::templates::TemplateArguments;
use crate::terminal::Color;
use crate::together::TogetherArguments;
use crate::validate::ValidateArguments;
use heapwright_engines::{EngineOptions, engines, engines_on_request};

/// Proves C programs that build and change linked structures on the heap, or shows how they fail
#[derive(Debug, Parser)]
#[command(name = "heapwright", version, propagate_version = false, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Say what a code of a fault means: --explain HW001
    #[arg(long, value_name = "CODE", exclusive = true)]
    pub(crate) explain: Option<String>,

    /// Print the shape classes of the engine `three-valued` and which refine which, those of a file too
    #[arg(long, value_name = "FILE", num_args = 0..=1, exclusive = true)]
    pub(crate) show_shape_classes: Option<Option<PathBuf>>,

    /// When to use colours; NO_COLOR in the environment means never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
}

const EXAMPLES: &str = "\
Examples:
  heapwright check list.c                      memory safety and assertions
  heapwright check --property leak.prp list.i  what a property file of SV-COMP asks
  heapwright run list.c                        run it, stop at the first fault
  heapwright show --functions main list.c      what the verifier sees of it";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove that a program is correct, or show how it fails
    Check(Box<CheckArguments>),
    /// Run a program in the interpreter, which stops at the first fault
    Run(RunArguments),
    /// Run a build and find the programs that it links
    Capture(CaptureArguments),
    /// Check every program that `capture` has found; what did not change is not checked again
    Project(ProjectArguments),
    /// Check a witness of SV-COMP: replay its execution, or prove its invariants
    Validate(ValidateArguments),
    /// Show what the verifier sees: program text, graphs, statistics, layouts
    Show(ShowArguments),
    /// Answer in an editor, by the Language Server Protocol on standard input and output
    Lsp(LspArguments),
    Bench(BenchArguments),
    CompareAllocation(AllocationArguments),
    Reproduce(ReproduceArguments),
    /// Leave out parts of the engine `template`, one after the other, and count what is still solved
    Ablation(AblationArguments),
    /// Write completions for shells, or pages for `man`
    #[command(hide = true)]
    Generate(GenerateArguments),
    /// Find the shape classes that programs need, in three ways, and print what each costs
    ShapeRefinement(ShapeRefinementArguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inference {
    Yes,
    No,
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) sources: SourceArguments,

    /// What to ask: a property file of SV-COMP, or a name (valid-memsafety, unreach-call,
    /// valid-memcleanup, no-overflow, valid-deref, …) [default: memory safety and assertions]
    #[arg(long, value_name = "FILE.prp|NAME", help_heading = "Question")]
    pub(crate) property: Option<String>,

    /// Let `malloc` and its kin give a null pointer; otherwise they are assumed to succeed
    #[arg(long, help_heading = "Question")]
    pub(crate) malloc_may_fail: bool,

    /// Take it for granted that signed arithmetic does not overflow: executions in which it does are not looked
    /// at beyond that; otherwise it wraps
    #[arg(long, help_heading = "Question")]
    pub(crate) no_signed_overflow: bool,

    /// With --entry: look for what callers have to promise where a function does not hold, and print it as a
    /// contract [default: yes for several functions, no for one]
    #[arg(
        long,
        value_enum,
        value_name = "yes|no",
        requires = "entry",
        help_heading = "Callers and missing functions"
    )]
    pub(crate) infer_contracts: Option<Inference>,

    /// With a proof, say what holds of the heap at every loop head
    #[arg(long, help_heading = "Output")]
    pub(crate) show_invariants: bool,

    /// Ask only this engine; otherwise all, one after the other, until one decides
    #[arg(long, value_name = "NAME", value_parser = engine_names(), help_heading = "Question")]
    pub(crate) engine: Option<String>,

    /// Do not look for a proof: ask whether something is violated in executions of up to so many rounds of
    /// each loop, and calls as deep
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(1..=1000),
        conflicts_with = "engine", help_heading = "Question")]
    pub(crate) bound: Option<u32>,

    /// Further shape classes for the engine `three-valued`, in a file of the form of those that are built in
    #[arg(long, value_name = "FILE", help_heading = "Question")]
    pub(crate) shape_classes: Option<PathBuf>,

    /// Inductive predicates for the engine `symbolic-heap`, which folds what they describe: a file of definitions
    #[arg(long, value_name = "FILE", help_heading = "Question")]
    pub(crate) predicates: Option<PathBuf>,

    /// Who decides formulas: embedded, z3, cvc5, bitwuzla, or a command that reads SMT-LIB 2 from
    /// its standard input, such as "z3 -in"; the checks of proofs always use the embedded solver
    #[arg(long, value_name = "SOLVER", default_value_t, help_heading = "Question")]
    pub(crate) solver: BackEnd,

    /// Follow paths to their ends only; lists of any length are not folded then, and not proved
    #[arg(long, help_heading = "Question")]
    pub(crate) paths_only: bool,

    #[command(flatten)]
    pub(crate) together: TogetherArguments,

    /// How the symbolic heap finds the cell of an access; the answers are the same, the work is not
    #[arg(
        long,
        value_enum,
        value_name = "WAY",
        default_value_t = AllocationWay::Syntactic,
        help_heading = "Question"
    )]
    pub(crate) allocation: AllocationWay,

    /// Give up after this time: seconds, or with a unit (90s, 15min) [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Question")]
    pub(crate) timeout: Option<Duration>,

    /// Give up before more memory is used than this: bytes, or with a unit (500MB, 4GB)
    /// [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Question")]
    pub(crate) memory_limit: Option<u64>,

    /// How hard a proof is run before it is believed
    #[arg(
        long,
        value_enum,
        value_name = "EFFORT",
        default_value_t = ProofEffort::Default,
        help_heading = "Question"
    )]
    pub(crate) proof_check: ProofEffort,

    /// If a run disagrees with a proof, which is an error of Heapwright, write all about it into
    /// this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) save_refuted: Option<PathBuf>,

    /// With a violation, write C that shows it again: compiled with the program by your own
    /// compiler it fails under AddressSanitizer; its first lines say how
    #[arg(long, value_name = "OUT.c", help_heading = "Output")]
    pub(crate) repro: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) templates: TemplateArguments,

    #[command(flatten)]
    pub(crate) written: FilesWanted,

    #[command(flatten)]
    pub(crate) project: ProjectOptions,

    /// With a violation, show every step of the execution instead of the few that matter
    #[arg(long, help_heading = "Output")]
    pub(crate) full_trace: bool,

    /// Print the verdict and its place on one line
    #[arg(long, short, conflicts_with_all = ["json", "full_trace"], help_heading = "Output")]
    pub(crate) quiet: bool,

    /// If nothing is decided, show why the last candidate for an invariant was given up: the states in
    /// which it fails, and where they differ
    #[arg(long, conflicts_with_all = ["quiet", "verdict_line"], help_heading = "Output")]
    pub(crate) explain_failure: bool,

    /// Write what the engines do to this file, one line an event: turns, phases, obstacles, facts, states
    /// that are explored, folded, joined or kept apart
    #[arg(long, value_name = "FILE", env = "HEAPWRIGHT_TRACE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Print how often engines have asked a solver, before the answer
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) show_work: bool,

    /// Print the answer as one line, TRUE, FALSE(part) or UNKNOWN(reason), and nothing else
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) verdict_line: bool,

    /// Print the answer as JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Print all that an answer depends on, and answer nothing: for caches
    #[arg(long, hide = true)]
    pub(crate) print_question: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProofEffort {
    /// A few whole runs and the smallest states
    Fast,
    /// A quarter of the time of the proof, and up to 20 ms in any case
    Default,
    /// Four times as long as the proof took, and up to 5 s in any case
    Thorough,
}

impl From<ProofEffort> for Effort {
    fn from(effort: ProofEffort) -> Effort {
        match effort {
            ProofEffort::Fast => Effort::Fast,
            ProofEffort::Default => Effort::Default,
            ProofEffort::Thorough => Effort::Thorough,
        }
    }
}

const CHECK_HELP: &str = "\
Exit codes:
  0 holds, 10 violated, 20 unknown, 21 no violation within --bound, 30 the input cannot be read or compiled, 2 wrong usage

Without FILES, every program of the folder is checked: those of heapwright.toml, of `heapwright capture`,
or of compile_commands.json; then --html names a folder.

Examples:
  heapwright check list.c
  heapwright check --html report --save run.json
  heapwright check --data-model ILP32 --property valid-memsafety.prp --verdict-line list.i
  heapwright check -I include -D DEBUG=1 main.c list.c
  heapwright check --compile-commands build/compile_commands.json src/main.c src/list.c";

fn engine_names() -> PossibleValuesParser {
    let options = EngineOptions::default();
    let mut values: Vec<(&str, &str)> = Vec::new();
    for engine in engines(&options).iter().chain(&engines_on_request(&options)) {
        // One that is asked twice has one name.
        if values.iter().all(|(name, _)| *name != engine.name()) {
            values.push((engine.name(), engine.summary()));
        }
    }
    let value = |(name, summary)| clap::builder::PossibleValue::new(name).help(summary);
    PossibleValuesParser::new(values.into_iter().map(value).collect::<Vec<_>>())
}

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(crate) sources: SourceArguments,

    /// Only these functions
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) functions: Vec<String>,

    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ShowFormat::Text)]
    pub(crate) format: ShowFormat,

    /// With a proof, what holds of variables and heap at every loop head: as text, or with
    /// `--format svg` and `--format dot` as pictures
    #[arg(long)]
    pub(crate) invariants: bool,

    /// Print `layouts` and `stats` as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const SHOW_HELP: &str = "\
Examples:
  heapwright show --functions main,push list.c
  heapwright show --functions push --format svg --output push.svg list.c
  heapwright show --format stats src/*.c
  heapwright show --format layouts --data-model ILP32 list.c
  heapwright show --invariants list.c
  heapwright show --invariants --format svg --output proof.svg list.c";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// The program, or the chosen functions, as text
    Text,
    /// Graphviz: the call graph, or the automata of the chosen functions
    Dot,
    /// The same as a picture
    Svg,
    /// A table: functions, edges and what is not modelled, each file on its own
    Stats,
    /// Sizes and offsets of every struct and union
    Layouts,
    /// With a proof, what holds of variables and heap at every loop head
    Invariants,
    /// With proofs by four engines, one invariant of the heap as each has it, side by side (SVG)
    Families,
}

pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 4] = [("", 1), ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30)];
    let end = text.find(|character: char| character.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.to_uppercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let bytes = number.trim().parse::<u64>().ok().zip(factor);
    bytes
        .and_then(|(value, factor)| value.checked_mul(factor))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "not a size: give bytes, or a number with a unit (KB, MB, GB)".to_owned())
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 5] =
        [("", 1.0), ("s", 1.0), ("ms", 0.001), ("min", 60.0), ("h", 3600.0)];
    let end = text.find(|character: char| character.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    let seconds =
        number.trim().parse::<f64>().ok().zip(factor).map(|(value, factor)| value * factor);
    seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "not a time: give seconds, or a number with a unit (s, min, h)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("60"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_time("1.5min"), Ok(Duration::from_secs(90)));
        assert!(parse_time("-3s").is_err());
        assert!(parse_time("3 parsecs").is_err());
    }
}
