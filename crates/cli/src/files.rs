//! Files that an answer is written to besides the terminal: one option a format.

use std::path::{Path, PathBuf};

use heapwright_report::{CheckReport, check_html};

use crate::arguments::CheckArguments;

/// The version that files name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which files are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilesWanted {
    pub(crate) html: Option<PathBuf>,
}

impl FilesWanted {
    pub(crate) fn of(arguments: &CheckArguments) -> FilesWanted {
        FilesWanted { html: arguments.html.clone() }
    }

    /// Whether one of them shows how a violation comes about.
    pub(crate) fn tell_stories(&self) -> bool {
        self.html.is_some()
    }

    /// Writes them; gives what the user has to know besides.
    pub(crate) fn write(&self, report: &CheckReport) -> String {
        let mut messages = String::new();
        if let Some(path) = &self.html {
            messages += &written(path, &check_html(report, VERSION));
        }
        messages
    }
}

/// What there is to say about the attempt: nothing if it went well.
fn written(path: &Path, text: &str) -> String {
    match std::fs::write(path, text) {
        Ok(()) => String::new(),
        Err(error) => format!("cannot write {}: {error}\n", path.display()),
    }
}
