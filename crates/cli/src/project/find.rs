//! Which programs a folder has: those that `heapwright.toml` lists, that `capture` has seen, or that a
//! compilation database has files for.

use std::path::{Path, PathBuf};

use heapwright_frontend::InputError;

use super::FOLDER;
use super::settings::Settings;
use super::split::programs_of_database;

/// Something to ask about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) name: String,
    /// How `check` is told to read it.
    pub(super) options: Vec<String>,
    pub(super) functions: Functions,
}

/// Where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Functions {
    Main,
    Named(Vec<String>),
    All,
}

/// Where builds leave a compilation database.
const DATABASES: [&str; 2] = ["compile_commands.json", "build/compile_commands.json"];

const NOTHING: &str = "nothing is known of programs here: name FILES, list programs in heapwright.toml, \
    let the build write compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or let \
    `heapwright capture -- make` find them";

/// What was found, and what the user has to know besides.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) targets: Vec<Target>,
    pub(super) messages: String,
}

/// The programs of the current folder; `options` say how every file is read.
pub(super) fn find(settings: &Settings, options: &[String]) -> Result<Found, InputError> {
    if !settings.targets.is_empty() {
        return Ok(Found { targets: settings.targets.clone(), messages: String::new() });
    }
    if let Some(database) = &settings.compile_commands {
        return programs_of_database(database, options);
    }
    let captured = captured(&Path::new(FOLDER).join("programs"))?;
    if !captured.is_empty() {
        return Ok(Found { targets: captured, messages: String::new() });
    }
    match DATABASES.into_iter().map(Path::new).find(|path| path.exists()) {
        Some(database) => programs_of_database(database, options),
        None => Err(InputError::new(NOTHING)),
    }
}

/// The programs that a build was seen to link, by name.
fn captured(folder: &Path) -> Result<Vec<Target>, InputError> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()
        .map_err(|error| InputError::new(format!("cannot read {}: {error}", folder.display())))?;
    files.sort();
    let target = |file: &PathBuf| Target {
        name: file.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned()),
        options: vec![format!("--compile-commands={}", file.display())],
        functions: Functions::Main,
    };
    Ok(files.iter().map(target).collect())
}
