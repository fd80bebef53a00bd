//! Projects: what a build compiles and links, checked program by program.
//!
//! `capture` watches a build by standing in for its compilers (`shim`) and finds the programs that it links
//! (`targets`). `settings` reads `heapwright.toml` (`located` has its values); `find` says which programs a folder has, `split` finds
//! them in a compilation database. `check` asks about each of them by a `worker`, which keeps answers
//! (`cache`) and shows how far it is (`progress`); `record` compares runs, `written` makes files of them.
//! `of_file` is for those who look at one file at a time.

mod answer;
mod cache;
mod capture;
mod check;
mod find;
mod located;
mod of_file;
mod progress;
mod record;
mod settings;
mod shim;
mod split;
mod targets;
mod worker;
mod written;

pub(crate) use self::capture::{CaptureArguments, capture};
pub(crate) use self::check::{
    ProjectArguments, ProjectOptions, ProjectQuestion, check_folder, check_project,
};
pub(crate) use self::of_file::{functions_without_main, questions_about};
pub(crate) use self::shim::stand_in;
pub(crate) use self::worker::Question;

/// Where a project keeps what is known of it.
pub(crate) const FOLDER: &str = ".heapwright";
