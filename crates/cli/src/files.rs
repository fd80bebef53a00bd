//! Files that an answer is written to besides the terminal: one option a format.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use heapwright_report::{
    CheckReport, Stamp, check_html, check_junit, check_sarif, test_suite, witness_graphml,
    witness_yaml,
};

/// The version that files name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which files are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FilesWanted {
    /// Write the answer as a page for a browser: source, execution step by step, pictures of the heap
    #[arg(long, value_name = "OUT.html", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Write the answer as SARIF 2.1.0, which code scanning and editors read
    #[arg(long, value_name = "OUT.sarif", help_heading = "Output")]
    sarif: Option<PathBuf>,

    /// Write a witness of SV-COMP: format 2.0 in YAML, or 1.0 if the name ends in .graphml
    #[arg(long, value_name = "OUT.yml|OUT.graphml", help_heading = "Output")]
    witness: Option<PathBuf>,

    /// Write the answer as JUnit's XML, one test a part of the question
    #[arg(long, value_name = "OUT.xml", help_heading = "Output")]
    junit: Option<PathBuf>,

    /// With a violation, write a test suite of Test-Comp into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    test_suite: Option<PathBuf>,
}

impl FilesWanted {
    /// Whether any is wanted.
    pub(crate) fn is_some(&self) -> bool {
        self.tell_stories() || self.test_suite.is_some()
    }

    /// Whether one of them shows how a violation comes about.
    pub(crate) fn tell_stories(&self) -> bool {
        let FilesWanted { html, sarif, witness, junit, test_suite: _ } = self;
        [html, sarif, witness, junit].into_iter().any(Option::is_some)
    }

    /// Writes them; gives what the user has to know besides.
    pub(crate) fn write(&self, report: &CheckReport) -> String {
        let mut messages = String::new();
        if let Some(path) = &self.html {
            messages += &written(path, &check_html(report, VERSION));
        }
        if let Some(path) = &self.sarif {
            messages += &written(path, &check_sarif(report, VERSION));
        }
        if let Some(path) = &self.junit {
            messages += &written(path, &check_junit(report));
        }
        if let Some(path) = &self.witness {
            messages += &write_witness(path, report);
        }
        if let Some(folder) = &self.test_suite {
            messages += &write_suite(folder, report);
        }
        messages
    }
}

fn write_witness(path: &Path, report: &CheckReport) -> String {
    let is_graph = path.extension().is_some_and(|ending| ending == "graphml");
    let text = match is_graph {
        true => witness_graphml(report, stamp()),
        false => witness_yaml(report, stamp()),
    };
    let file = path.display();
    match text {
        Some(text) => written(path, &text),
        None if is_graph => format!("{file} was not written: GraphML is for violations here\n"),
        None => format!("{file} was not written: there is no answer to witness\n"),
    }
}

fn write_suite(folder: &Path, report: &CheckReport) -> String {
    let files = test_suite(report, stamp());
    if files.is_empty() {
        return format!("{} was not written: there is no violation to show\n", folder.display());
    }
    if let Err(error) = std::fs::create_dir_all(folder) {
        return format!("cannot write {}: {error}\n", folder.display());
    }
    files.iter().map(|file| written(&folder.join(file.name), &file.text)).collect()
}

/// Who writes, and when: a build that wants the same file each time sets `SOURCE_DATE_EPOCH`.
fn stamp() -> Stamp<'static> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|time| time.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Stamp { version: VERSION, time: given.unwrap_or_else(now) }
}

/// What there is to say about the attempt: nothing if it went well.
fn written(path: &Path, text: &str) -> String {
    match std::fs::write(path, text) {
        Ok(()) => String::new(),
        Err(error) => format!("cannot write {}: {error}\n", path.display()),
    }
}
