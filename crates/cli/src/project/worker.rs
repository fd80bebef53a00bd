//! Asks about programs, several at a time, each in a process of its own, and keeps the answers.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::answer::{Answered, Report};
use super::cache::Cache;
use super::progress::Progress;
use crate::child::output_while_wanted;
use crate::interrupt::Interrupt;

/// How long a process may take to end after somebody has asked for it.
const PATIENCE: Duration = Duration::from_millis(500);

/// One question: a program, or a function of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) name: String,
    /// All options of `check`.
    pub(crate) options: Vec<String>,
}

pub(super) struct Worker<'o> {
    pub(super) cache: Cache,
    pub(super) executable: PathBuf,
    pub(super) reads_cache: bool,
    pub(super) interrupt: &'o Interrupt,
    pub(super) progress: &'o Progress,
}

/// What a process has printed.
struct Printed {
    text: String,
    is_read: bool,
}

impl Worker<'_> {
    /// The answers in the order of the questions; after an interrupt, those that there are.
    pub(super) fn all(&self, questions: &[Question], jobs: usize) -> io::Result<Vec<Answered>> {
        let next = AtomicUsize::new(0);
        let answers: Mutex<Vec<(usize, io::Result<Answered>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, questions.len().max(1)) {
                scope.spawn(|| {
                    // Ends because each round takes another program.
                    while !self.interrupt.is_raised() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(question) = questions.get(index) else { return };
                        self.progress.begins(&question.name);
                        let answer = self.one(question).transpose();
                        let verdict = match &answer {
                            Some(Ok(answer)) => Some(answer.report.verdict),
                            Some(Err(_)) | None => None,
                        };
                        self.progress.ends(&question.name, verdict);
                        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                        answers.extend(answer.map(|answer| (index, answer)));
                    }
                });
            }
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_by_key(|(index, _)| *index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Nothing after an interrupt.
    fn one(&self, question: &Question) -> io::Result<Option<Answered>> {
        // The text says all that an answer depends on, headers and macros included.
        let Some(asked) = self.run(question, &["--print-question".to_owned()])? else {
            return Ok(None);
        };
        let text = match asked.is_read {
            true => asked.text,
            // What cannot be read has no question that would tell it from others.
            false => format!("unread {}", question.name),
        };
        let text = format!("{}\n{text}", question.options.join("\n"));
        let kept = self.cache.file(&text, "json");
        let answered = |report: Report, is_cached: bool| Answered {
            name: question.name.clone(),
            report,
            kept: kept.clone(),
            is_cached,
        };
        let known = std::fs::read_to_string(&kept).ok().filter(|_| self.reads_cache);
        let known = known.and_then(|text| serde_json::from_str(&text).ok());
        if let (Some(report), true) = (known, asked.is_read) {
            return Ok(Some(answered(report, true)));
        }
        std::fs::create_dir_all(kept.parent().expect("it is in a folder"))?;
        let file = |ending: &str| kept.with_extension(ending).display().to_string();
        let wanted = [
            "--json".to_owned(),
            format!("--html={}", file("html")),
            format!("--sarif={}", file("sarif")),
            format!("--junit={}", file("xml")),
        ];
        let Some(printed) = self.run(question, &wanted)? else { return Ok(None) };
        let report: Report = serde_json::from_str(&printed.text).map_err(|error| {
            io::Error::other(format!("no answer about {}: {error}", question.name))
        })?;
        if asked.is_read {
            // Complete or not at all, also where somebody ends us.
            let draft = kept.with_extension("draft");
            std::fs::write(&draft, &printed.text)?;
            std::fs::rename(&draft, &kept)?;
        }
        Ok(Some(answered(report, false)))
    }

    /// What `check` prints; nothing after an interrupt.
    fn run(&self, question: &Question, more: &[String]) -> io::Result<Option<Printed>> {
        let mut command = Command::new(&self.executable);
        command.arg("check").args(&question.options).args(more);
        let is_wanted = || !self.interrupt.is_raised();
        let output = output_while_wanted(&mut command, &is_wanted, PATIENCE)?;
        let printed = |(status, text): (ExitStatus, String)| Printed {
            is_read: status.success() && !text.is_empty(),
            text,
        };
        Ok(output.map(printed))
    }
}
