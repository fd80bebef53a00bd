//! Asking about a file beside the talk with the editor: in processes of our own, ended when the file changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::question::questions;
use super::server::Event;
use super::told::Report;
use crate::child::output_while_wanted;
use crate::project::Question;

/// A question under way; dropping it ends the process.
#[derive(Debug)]
pub(super) struct Run {
    is_wanted: Arc<AtomicBool>,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.is_wanted.store(false, Ordering::SeqCst);
    }
}

/// Where and how long.
#[derive(Clone, Debug)]
pub(super) struct Circumstances {
    pub(super) executable: PathBuf,
    /// For pages with pictures.
    pub(super) pages: PathBuf,
    pub(super) seconds: u64,
}

impl Run {
    /// Asks about a file and sends what comes out, under this number.
    pub(super) fn start(
        file: &Path,
        number: u64,
        circumstances: &Circumstances,
        to: Sender<Event>,
    ) -> Run {
        let is_wanted = Arc::new(AtomicBool::new(true));
        let (flag, file, circumstances) =
            (Arc::clone(&is_wanted), file.to_owned(), circumstances.clone());
        std::thread::spawn(move || {
            let mut reports = Vec::new();
            for question in questions(&file, circumstances.seconds) {
                match ask(&question, &circumstances, &flag) {
                    Ok(Some(report)) => reports.push(report),
                    Ok(None) => return,
                    Err(problem) => {
                        // Nobody listens any more once the editor has gone.
                        let _ = to.send(Event::Problem(problem));
                    }
                }
            }
            let _ = to.send(Event::Finished { file, number, reports });
        });
        Run { is_wanted }
    }
}

fn ask(
    question: &Question,
    circumstances: &Circumstances,
    flag: &AtomicBool,
) -> Result<Option<Report>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", question.name);
    let name = heapwright_report::sha256_text(question.options.join("\n").as_bytes());
    let page = circumstances.pages.join(format!("{}.html", &name[..16]));
    let mut command = Command::new(&circumstances.executable);
    command.arg("check").args(&question.options);
    command.arg("--json").arg(format!("--html={}", page.display()));
    let is_wanted = || flag.load(Ordering::SeqCst);
    let output = output_while_wanted(&mut command, &is_wanted, Duration::ZERO);
    let Some((_, text)) = output.map_err(|error| told(&error))? else { return Ok(None) };
    let report: Report = serde_json::from_str(&text).map_err(|error| told(&error))?;
    let mut functions =
        question.options.iter().filter_map(|option| option.strip_prefix("--entry="));
    Ok(Some(Report {
        page: page.exists().then_some(page),
        options: question.options.clone(),
        function: functions.next_back().map(str::to_owned),
        ..report
    }))
}
