//! Questions to one engine about one program, side by side, and what came back part by part.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::error::BenchError;
use crate::process::{Finished, run_limited};
use crate::reproduce::Laboratory;
use crate::tool::CommandLine;

/// The parts of the question, with their letters in tables.
pub(super) const PARTS: [(&str, char); 4] =
    [("unreach-call", 'a'), ("valid-deref", 'd'), ("valid-free", 'f'), ("valid-memtrack", 'm')];

/// A program, and who is asked about it.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) file: PathBuf,
    pub(super) engine: &'static str,
}

/// What an engine says about memory safety and assertions.
#[derive(Debug, Clone, Default)]
pub(super) struct Reply {
    pub(super) verdict: Verdict,
    /// Parts of the question that hold, also where others are open.
    pub(super) held: Vec<String>,
    pub(super) cpu_s: f64,
    pub(super) solver_calls: Option<u64>,
    /// Units of work, of engines that count them.
    pub(super) work: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Violated,
    #[default]
    Open,
}

impl Laboratory {
    /// The replies in the order of the questions; fewer when cancelled.
    pub(super) fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>, BenchError> {
        let next = AtomicUsize::new(0);
        let replies = Mutex::new(vec![None; questions.len()]);
        let work = || -> Result<(), BenchError> {
            // Ends because each round takes the next question.
            while !self.cancellation.is_cancelled() {
                let position = next.fetch_add(1, Ordering::Relaxed);
                let Some(question) = questions.get(position) else { break };
                let reply = self.ask_one(question)?;
                replies.lock().expect("no worker panics")[position] = Some(reply);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.workers.get()).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        Ok(replies.into_inner().expect("no worker panics").into_iter().flatten().collect())
    }

    /// The whole question first; where it stays open, its parts, each by itself.
    fn ask_one(&self, question: &Question) -> Result<Reply, BenchError> {
        let mut reply = self.ask_about(question, None)?;
        for (part, _) in PARTS {
            let is_known = reply.held.iter().any(|held| held == part);
            if reply.verdict != Verdict::Open || is_known {
                continue;
            }
            let of_part = self.ask_about(question, Some(part))?;
            reply.cpu_s += of_part.cpu_s;
            match of_part.verdict {
                Verdict::Holds => reply.held.push(part.to_owned()),
                Verdict::Violated => reply.verdict = Verdict::Violated,
                Verdict::Open => {}
            }
        }
        Ok(reply)
    }

    fn ask_about(&self, question: &Question, part: Option<&str>) -> Result<Reply, BenchError> {
        // Processor time decides, so that a busy machine changes no answer; the clock is for what only waits.
        let seconds = (self.time * 20).as_secs_f64().to_string();
        let words = ["check", "--json", "--engine", question.engine, "--timeout", &seconds];
        let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
        arguments.extend(part.iter().flat_map(|part| ["--property".into(), part.into()]));
        arguments.push(question.file.clone().into());
        let line = CommandLine { program: self.executable.clone().into(), arguments };
        let limits = self.limits(self.time);
        run_limited(&line, &limits, &self.cancellation).map(|finished| reply(&finished)).map_err(
            |source| {
                let program = line.program.to_string_lossy().into_owned();
                BenchError::ToolStart { program, source }
            },
        )
    }
}

fn reply(finished: &Finished) -> Reply {
    // The document is cut where a violation has a long execution; the exit code says enough then.
    let document: Value = serde_json::from_str(&finished.output).unwrap_or_default();
    let verdict = match finished.status.code() {
        Some(0) => Verdict::Holds,
        Some(10) => Verdict::Violated,
        Some(_) | None => Verdict::Open,
    };
    let parts = document["parts"].as_array().cloned().unwrap_or_default();
    let holds = parts.iter().filter(|part| part["verdict"] == "holds");
    let statistics = &document["statistics"];
    let engines = statistics["engines"].as_array().cloned().unwrap_or_default();
    let work: Vec<u64> = engines.iter().filter_map(|engine| engine["work"].as_u64()).collect();
    Reply {
        verdict,
        held: holds.filter_map(|part| part["part"].as_str().map(str::to_owned)).collect(),
        cpu_s: finished.measured.cpu.as_secs_f64(),
        solver_calls: statistics["solver"]["calls"].as_u64(),
        work: (!work.is_empty()).then(|| work.iter().sum()),
    }
}
