//! Projects: what a build compiles and links, checked program by program.
//!
//! `capture` watches a build by standing in for its compilers (`shim`) and finds the programs that it links
//! (`targets`). `check` asks about each of them, several at a time, and keeps answers (`cache`).

mod cache;
mod capture;
mod check;
mod shim;
mod targets;

pub(crate) use self::capture::{CaptureArguments, capture};
pub(crate) use self::check::{ProjectArguments, check_project};
pub(crate) use self::shim::stand_in;

/// Where a project keeps what is known of it.
pub(crate) const FOLDER: &str = ".heapwright";
