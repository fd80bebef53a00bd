//! The command line of Heapwright: reads the arguments, runs one command, ends with its exit code.

mod ablation;
mod arguments;
mod bench;
mod check;
mod decide;
mod exit;
mod guard;
mod inputs;
mod interrupt;
mod question;
mod run;
mod show;
mod sources;
mod templates;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let color = arguments.color;
    match arguments.command {
        Command::Check(arguments) => check::check(arguments, color),
        Command::Run(arguments) => run::run(arguments, color),
        Command::Show(arguments) => show::show(arguments, color),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::CompareAllocation(arguments) => bench::compare_allocation(arguments),
        Command::Ablation(arguments) => ablation::ablation(&arguments),
    }
}
