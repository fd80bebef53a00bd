//! `generate`: what packages install beside the executable, made from the definition of the arguments.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit;
use crate::terminal::complain;

#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    what: Generated,
    /// The folder to write to
    folder: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Generated {
    /// For bash, zsh, fish, elvish and PowerShell
    Completions,
    /// Pages for `man`, one a command
    Man,
}

pub(crate) fn generate(arguments: &GenerateArguments) -> ExitCode {
    let GenerateArguments { what, folder } = arguments;
    let written = std::fs::create_dir_all(folder).and_then(|()| match what {
        Generated::Completions => completions(folder),
        Generated::Man => clap_mangen::generate_to(shown(), folder),
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("cannot write to {}: {error}\n", folder.display()));
            ExitCode::from(exit::OUTPUT_FAILED)
        }
    }
}

fn completions(folder: &Path) -> io::Result<()> {
    let mut command = Arguments::command();
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "heapwright", folder)?;
    }
    Ok(())
}

/// The command without what is only for those who make packages.
fn shown() -> Command {
    Arguments::command().disable_help_subcommand(true)
}
