//! `capture`: runs a build, sees what it compiles and links, and writes that down.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use serde::Serialize;

use super::FOLDER;
use super::shim::{Call, LOG, REAL_PATH, TOOLS};
use super::targets::{Program, programs};
use crate::exit;
use crate::terminal::complain;

#[derive(Debug, Args)]
pub(crate) struct CaptureArguments {
    /// The build: `make`, `ninja`, `./build.sh`; from scratch, so that everything is compiled
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// An entry of a compilation database.
#[derive(Serialize)]
struct DatabaseEntry<'p> {
    directory: &'p Path,
    file: &'p Path,
    arguments: &'p [String],
}

pub(crate) fn capture(arguments: &CaptureArguments) -> ExitCode {
    match watch(&arguments.command) {
        Ok(code) => code,
        Err(error) => {
            complain(&format!("heapwright capture: {error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn watch(command: &[String]) -> io::Result<ExitCode> {
    let folder = std::env::current_dir()?.join(FOLDER);
    let shims = folder.join("shims");
    std::fs::create_dir_all(&shims)?;
    let ourselves = std::env::current_exe()?;
    for tool in TOOLS {
        let link = shims.join(tool);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&ourselves, link)?;
    }
    let log = folder.join("commands.jsonl");
    let _ = std::fs::remove_file(&log);
    let real = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(shims).chain(std::env::split_paths(&real)));
    let path = path.map_err(io::Error::other)?;
    let [tool, rest @ ..] = command else { unreachable!("a command is required") };
    let status = Command::new(tool)
        .args(rest)
        .env("PATH", path)
        .env(REAL_PATH, &real)
        .env(LOG, &log)
        .status()
        .map_err(|error| io::Error::new(error.kind(), format!("cannot run {tool}: {error}")))?;
    if !status.success() {
        complain("heapwright capture: the build failed; nothing is written down\n");
        return Ok(ExitCode::from(status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1)));
    }
    let programs = programs(&calls(&log)?);
    write_databases(&folder, &programs)?;
    let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    match names.as_slice() {
        [] => complain(
            "heapwright capture: no program was linked by a compiler that is called by its name; build \
             from scratch, and let the build use cc, gcc or clang from the path\n",
        ),
        names => complain(&format!(
            "heapwright capture: {} of {}; `heapwright check` checks them\n",
            count(names.len()),
            names.join(", ")
        )),
    }
    Ok(ExitCode::SUCCESS)
}

fn count(programs: usize) -> String {
    if programs == 1 { "the program".to_owned() } else { format!("{programs} programs") }
}

fn calls(log: &Path) -> io::Result<Vec<Call>> {
    let text = match std::fs::read_to_string(log) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::other)).collect()
}

/// A compilation database for each program, in place of those of an earlier build.
fn write_databases(folder: &Path, programs: &[Program]) -> io::Result<()> {
    let databases: PathBuf = folder.join("programs");
    if databases.exists() {
        std::fs::remove_dir_all(&databases)?;
    }
    std::fs::create_dir_all(&databases)?;
    for program in programs {
        let entries: Vec<DatabaseEntry<'_>> = program
            .units
            .iter()
            .map(|unit| DatabaseEntry {
                directory: &unit.directory,
                file: &unit.file,
                arguments: &unit.arguments,
            })
            .collect();
        let text = serde_json::to_string_pretty(&entries).expect("plain data");
        std::fs::write(databases.join(format!("{}.json", program.name)), text + "\n")?;
    }
    Ok(())
}
