//! The command line of Heapwright: reads the arguments, runs one command, ends with its exit code.

mod ablation;
mod allocation;
mod arguments;
mod bench;
mod check;
mod child;
mod decide;
mod early_end;
mod entries;
mod exit;
mod explain;
mod files;
mod folder;
mod generate;
mod guard;
mod infer;
mod inputs;
mod interrupt;
mod live;
mod lsp;
mod memory;
mod pass_on;
mod predicates;
mod project;
mod question;
mod run;
mod shapes;
mod show;
mod sources;
mod surroundings;
mod templates;
mod terminal;
mod together;
mod trace;
mod trial;
mod unless_overflow;
mod validate;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::terminal::complain;

/// States are trees of small shared nodes, made and dropped all the time: a quarter of the work on long proofs was
/// the allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    if lacks_files(&command) {
        complain("error: no FILES are given, and no --compile-commands\n");
        return ExitCode::from(exit::USAGE);
    }
    match command {
        Command::Check(arguments) => check::check(*arguments, color),
        Command::Run(arguments) => run::run(arguments, color),
        Command::Validate(arguments) => validate::validate(arguments),
        Command::Capture(arguments) => project::capture(&arguments),
        Command::Project(arguments) => project::check_project(arguments),
        Command::Show(arguments) => show::show(arguments, color),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::CompareAllocation(arguments) => bench::compare_allocation(arguments),
        Command::Reproduce(arguments) => bench::reproduce(arguments),
        Command::Lsp(arguments) => lsp::lsp(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Ablation(arguments) => ablation::ablation(&arguments),
        Command::ShapeRefinement(arguments) => shapes::shape_refinement(&arguments),
    }
}

/// Whether it reads C and nobody says which; `check` then takes the programs of the folder.
fn lacks_files(command: &Command) -> bool {
    match command {
        Command::Run(arguments) => !arguments.sources.names_files(),
        Command::Show(arguments) => !arguments.sources.names_files(),
        Command::Validate(arguments) => !arguments.sources().names_files(),
        Command::Check(_)
        | Command::Capture(_)
        | Command::Project(_)
        | Command::Lsp(_)
        | Command::Bench(_)
        | Command::CompareAllocation(_)
        | Command::Reproduce(_)
        | Command::Ablation(_)
        | Command::Generate(_)
        | Command::ShapeRefinement(_) => false,
    }
}
