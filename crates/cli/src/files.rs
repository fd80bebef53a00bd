//! Files that an answer is written to besides the terminal: one option a format.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use heapwright_report::{
    Answer, CheckReport, Stamp, check_html, check_junit, check_picture, check_sarif, test_suite,
    witness_graphml, witness_yaml,
};

/// The version that files name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which files are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FilesWanted {
    /// Write the answer as a page for a browser: source, execution step by step, pictures of the heap
    #[arg(long, value_name = "OUT.html", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Draw the heap: at the fault of a violation, or at every place of a proof
    #[arg(long, value_name = "OUT.svg", help_heading = "Output")]
    pub(crate) picture: Option<PathBuf>,

    /// Write the answer as SARIF 2.1.0, which code scanning and editors read
    #[arg(long, value_name = "OUT.sarif", help_heading = "Output")]
    pub(crate) sarif: Option<PathBuf>,

    /// Write a witness of SV-COMP: format 2.0 in YAML, or 1.0 if the name ends in .graphml
    #[arg(long, value_name = "OUT.yml|OUT.graphml", help_heading = "Output")]
    pub(crate) witness: Option<PathBuf>,

    /// Write the answer as JUnit's XML, one test a part of the question
    #[arg(long, value_name = "OUT.xml", help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,

    /// With a violation, write a test suite of Test-Comp into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) test_suite: Option<PathBuf>,
}

impl FilesWanted {
    /// Whether any is wanted.
    pub(crate) fn is_some(&self) -> bool {
        self.tell_stories() || self.test_suite.is_some()
    }

    /// Whether one of them shows how a violation comes about.
    pub(crate) fn tell_stories(&self) -> bool {
        let FilesWanted { html, picture, sarif, witness, junit, test_suite: _ } = self;
        [html, picture, sarif, witness, junit].into_iter().any(Option::is_some)
    }

    /// Writes them; gives what the user has to know besides.
    pub(crate) fn write(&self, report: &CheckReport) -> String {
        let mut messages = String::new();
        if let Some(path) = &self.html {
            messages += &written(path, &check_html(report, VERSION));
        }
        if let Some(path) = &self.picture {
            messages += &match check_picture(report) {
                Some(text) => written(path, &text),
                None => format!("{} was not written: no heap is known\n", path.display()),
            };
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

/// Writes the harness where there is one; gives what the user has to know besides.
pub(crate) fn write_harness(answer: &Answer, path: &Path) -> String {
    let file = path.display();
    match answer {
        Answer::Violated(violation) => {
            let harness = violation.harness.as_ref().expect("it was asked for");
            match std::fs::write(path, &harness.text) {
                Ok(()) => String::new(),
                Err(error) => format!("cannot write {file}: {error}\n"),
            }
        }
        Answer::Holds { .. } | Answer::Unknown { .. } => {
            format!("{file} was not written: there is no violation to show\n")
        }
        Answer::InputError { .. } => String::new(),
    }
}
