//! How far the bench is, shown on the standard error when that is a terminal.

use crate::record::RunRecord;
use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{bar:30} {pos}/{len} runs, {eta} left  {msg}";

/// A bar with the number of answers so far.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    correct: usize,
    wrong: usize,
}

impl Progress {
    pub(crate) fn new(runs: usize, is_shown: bool) -> Progress {
        // Where the standard error is no terminal, the bar hides by itself.
        let bar = if is_shown { ProgressBar::new(runs as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Progress { bar, correct: 0, wrong: 0 }
    }

    pub(crate) fn add(&mut self, record: &RunRecord) {
        self.correct += usize::from(record.judged.is_correct());
        self.wrong += usize::from(record.judged.is_wrong());
        if record.judged.is_wrong() {
            let expected = record.expected_verdict();
            let line = format!("WRONG: {} is {expected}, not {}", record.label(), record.verdict);
            self.bar.println(line);
        }
        self.bar.set_message(format!("{} correct, {} wrong", self.correct, self.wrong));
        self.bar.inc(1);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
