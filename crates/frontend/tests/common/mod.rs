//! What the tests of the front end share: the corpus, the long mode, and how files are read.
#![allow(dead_code, reason = "each test file uses some of these")]
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

use std::path::{Path, PathBuf};

use heapwright_frontend::{Flags, InputError, Loaded, Settings, Source, load};
use heapwright_program::DataModel;

/// Set, a test goes through everything instead of a sample.
pub(crate) const LONG_MODE: &str = "HEAPWRIGHT_LONG_TESTS";

pub(crate) fn is_long_mode() -> bool {
    std::env::var_os(LONG_MODE).is_some()
}

/// The root of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("a crate lies two folders deep").to_owned()
}

/// The folder of verification tasks beside the workspace; says so where it is missing.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = workspace().join("../shared/corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

/// All C files of the corpus, sorted by their path.
pub(crate) fn corpus_files(corpus: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![corpus.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("a readable folder");
        for path in entries.map(|entry| entry.expect("a readable entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "c" || ending == "i") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The data model that a task's definition names; those without one are of 64 bits.
pub(crate) fn data_model(file: &Path) -> DataModel {
    let definition = std::fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
    if definition.contains("ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// Reads a file, with the headers in a folder `support` above it where there is one.
pub(crate) fn read(file: &Path, settings: &Settings) -> Result<Source, InputError> {
    let support = file.ancestors().map(|folder| folder.join("support"));
    let include_folders = support.filter(|folder| folder.is_dir()).collect();
    Source::read(file, Flags { include_folders, ..Flags::default() }, settings)
}

/// Loads one file with the built-in preprocessor.
pub(crate) fn load_file(file: &Path, model: DataModel) -> Result<Loaded, InputError> {
    let settings = Settings::new(model);
    load(&[read(file, &settings)?], &settings)
}
