//! The command line of Heapwright: reads the arguments, runs one command, ends with its exit code.

mod ablation;
mod arguments;
mod bench;
mod check;
mod decide;
mod entries;
mod exit;
mod explain;
mod files;
mod generate;
mod guard;
mod inputs;
mod interrupt;
mod live;
mod memory;
mod project;
mod question;
mod run;
mod shapes;
mod show;
mod sources;
mod surroundings;
mod templates;
mod terminal;
mod trace;
mod validate;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::terminal::complain;

fn main() -> ExitCode {
    if let Some(code) = project::stand_in() {
        return code;
    }
    let arguments = Arguments::parse();
    let color = arguments.color;
    if let Some(code) = &arguments.explain {
        return explain::explain(code);
    }
    if let Some(file) = &arguments.show_shape_classes {
        return shapes::show_classes(file.as_deref());
    }
    let Some(command) = arguments.command else {
        complain("no command is given; `heapwright --help` lists them\n");
        return ExitCode::from(exit::USAGE);
    };
    match command {
        Command::Check(arguments) => check::check(*arguments, color),
        Command::Run(arguments) => run::run(arguments, color),
        Command::Validate(arguments) => validate::validate(arguments),
        Command::Capture(arguments) => project::capture(&arguments),
        Command::Project(arguments) => project::check_project(&arguments),
        Command::Show(arguments) => show::show(arguments, color),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::CompareAllocation(arguments) => bench::compare_allocation(arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Ablation(arguments) => ablation::ablation(&arguments),
        Command::ShapeRefinement(arguments) => shapes::shape_refinement(&arguments),
    }
}
