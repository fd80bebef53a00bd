//! Runs side by side: workers take runs from a common list, and the caller gets each result as
//! soon as it is there.

use crate::answer::answer_of;
use crate::error::BenchError;
use crate::interrupt::Cancellation;
use crate::plan::Run;
use crate::process::{Limits, run_limited};
use crate::record::RunRecord;
use crate::tool::Tool;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What all runs have in common.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) tool: &'a Tool,
    pub(crate) limits: &'a Limits,
    pub(crate) workers: NonZeroUsize,
    pub(crate) cancellation: &'a Cancellation,
}

impl Runner<'_> {
    /// Runs everything, or until cancelled. The first error cancels the rest.
    pub(crate) fn run_all(
        &self,
        runs: &[Run],
        on_finished: &mut dyn FnMut(RunRecord) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.get().min(runs.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(runs, next, &sender));
            }
            // The channel closes when the last worker is done.
            drop(sender);
            let mut outcome = Ok(());
            for result in receiver {
                if outcome.is_ok() {
                    outcome = result.and_then(&mut *on_finished);
                }
                if outcome.is_err() {
                    self.cancellation.cancel();
                }
            }
            outcome
        })
    }

    fn work(
        &self,
        runs: &[Run],
        next: &AtomicUsize,
        results: &mpsc::Sender<Result<RunRecord, BenchError>>,
    ) {
        // Ends because each round takes the next run from the list.
        while !self.cancellation.is_cancelled() {
            let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let Some(result) = self.run_one(run).transpose() else { return };
            if results.send(result).is_err() {
                return;
            }
        }
    }

    /// `None` when the run was cancelled.
    fn run_one(&self, run: &Run) -> Result<Option<RunRecord>, BenchError> {
        let line = self.tool.command_line(run);
        let finished = run_limited(&line, self.limits, self.cancellation).map_err(|source| {
            match source.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                    let program = line.program.to_string_lossy().into_owned();
                    BenchError::ToolStart { program, source }
                }
                _ => BenchError::Supervise(source),
            }
        })?;
        let answer = answer_of(&finished);
        let record = answer.map(|answer| RunRecord::new(run, &answer, &finished.measured));
        let solver_calls = solver_calls(&finished.output);
        Ok(record.map(|record| RunRecord { solver_calls, ..record }))
    }
}

/// What `check --show-work` prints before its answer.
fn solver_calls(output: &str) -> Option<u64> {
    output.lines().find_map(|line| line.strip_prefix("solver calls: ")?.trim().parse().ok())
}
