//! The options of the engine `template`.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use heapwright_engine::{Deadline, Task};
use heapwright_engine_template::ssa::{BuildSettings, text};
use heapwright_engine_template::{CallStyle, Settings, TemplateEngine};
use heapwright_solver::{BackEnd, Meter};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engine `template`")]
pub(crate) struct TemplateArguments {
    /// Look for invariants of these domains only [default: growing sets of them]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = domain_names())]
    pub(crate) domains: Option<Vec<String>>,

    /// Let invariants speak of objects that are not allocated too
    #[arg(long)]
    pub(crate) no_guards: bool,

    /// Do not tell apart which loops were run before
    #[arg(long)]
    pub(crate) no_loop_paths: bool,

    /// Look for the invariants of each domain by itself
    #[arg(long)]
    pub(crate) no_products: bool,

    /// What becomes of calls where invariants are looked for
    #[arg(long, value_enum, value_name = "WAY", default_value_t = CallWay::Mixed)]
    pub(crate) calls: CallWay,

    /// The same as --calls inline
    #[arg(long, conflicts_with = "calls")]
    pub(crate) inline: bool,

    /// Print the formula that invariants are looked for in
    #[arg(long)]
    pub(crate) show_ssa: bool,

    /// Rounds of each loop that are looked at together, at most
    #[arg(long, value_name = "NUMBER")]
    pub(crate) rounds: Option<u32>,
}

/// [`CallStyle`] as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CallWay {
    /// Recursive functions are summarised, all others inlined while the program stays small enough
    Mixed,
    /// Every call is inlined; recursion is decided only where it has a bound
    Inline,
    /// Every function is analysed once, and its calls do what its summary says
    Summaries,
}

impl From<CallWay> for CallStyle {
    fn from(way: CallWay) -> CallStyle {
        match way {
            CallWay::Mixed => CallStyle::Mixed,
            CallWay::Inline => CallStyle::Inline,
            CallWay::Summaries => CallStyle::Summaries,
        }
    }
}

impl TemplateArguments {
    /// The formula of a task, or why there is none.
    pub(crate) fn formula(&self, task: &Task) -> String {
        match self.call_style().preparation(task, &Deadline::never()) {
            Ok(preparation) => {
                let formula = preparation.formula(task, BuildSettings::default());
                text::display(&formula, &task.program)
            }
            Err(reason) => format!("no formula: {}\n", reason.text),
        }
    }

    fn call_style(&self) -> CallStyle {
        if self.inline { CallStyle::Inline } else { self.calls.into() }
    }

    pub(crate) fn engine(
        &self,
        (solver, meter): (&BackEnd, &Meter),
        bound: Option<u32>,
    ) -> TemplateEngine {
        let defaults = Settings::default();
        let settings = Settings {
            domains: self.domains.clone(),
            guards: !self.no_guards,
            loop_paths: !self.no_loop_paths,
            products: !self.no_products,
            calls: self.call_style(),
            solver: solver.clone(),
            meter: meter.clone(),
            most_copies: self.rounds.unwrap_or(defaults.most_copies),
            bound,
            ..defaults
        };
        TemplateEngine { settings }
    }
}

fn domain_names() -> PossibleValuesParser {
    let domains = Settings::all_domains().into_iter();
    let values = domains.map(|(name, summary)| PossibleValue::new(name).help(summary));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
}
