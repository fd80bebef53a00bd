//! How far a project is, for the live table: what was found so far, and who is at work for how long.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::answer::Verdict;

/// Rows below the first; what does not fit is counted.
const MOST_ROWS: usize = 8;

/// Shared by those who work and the one who shows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    now: Arc<Mutex<Now>>,
}

#[derive(Debug, Default)]
struct Now {
    all: usize,
    answered: Vec<(String, Verdict)>,
    at_work: Vec<(String, Instant)>,
}

impl Progress {
    pub(super) fn of(all: usize) -> Progress {
        Progress { now: Arc::new(Mutex::new(Now { all, ..Now::default() })) }
    }

    pub(super) fn begins(&self, name: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.at_work.push((name.to_owned(), Instant::now()));
    }

    /// Without a verdict it was given up.
    pub(super) fn ends(&self, name: &str, verdict: Option<Verdict>) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.at_work.retain(|(it, _)| it != name);
        now.answered.extend(verdict.map(|verdict| (name.to_owned(), verdict)));
    }

    pub(super) fn table(&self, elapsed: Duration) -> String {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).table(elapsed, Instant::now())
    }
}

impl Now {
    fn table(&self, elapsed: Duration, at: Instant) -> String {
        let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
            let count = self.answered.iter().filter(|(_, it)| *it == verdict).count();
            (count > 0).then(|| format!("{count} {}", verdict.word()))
        });
        let counts: Vec<String> = counts.collect();
        let counts =
            if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let mut rows = vec![format!(
            "{} s  {} of {} answered{counts}  (Ctrl-C shows what is known)",
            elapsed.as_secs(),
            self.answered.len(),
            self.all,
        )];
        let violated = self.answered.iter().filter(|(_, it)| *it == Verdict::Violated);
        let violated = violated.map(|(name, it)| (name, it.word().to_owned()));
        let working = self.at_work.iter();
        let working = working.map(|(name, since)| {
            (name, format!("at work, {} s", at.saturating_duration_since(*since).as_secs()))
        });
        let told: Vec<(&String, String)> = violated.chain(working).collect();
        let width = told.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        rows.extend(told.iter().take(MOST_ROWS).map(|(name, it)| format!("  {name:width$}  {it}")));
        if told.len() > MOST_ROWS {
            rows.push(format!("  … and {} more", told.len() - MOST_ROWS));
        }
        rows.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_was_found_and_who_is_at_work() {
        let progress = Progress::of(5);
        for name in ["a", "list", "c", "d"] {
            progress.begins(name);
        }
        progress.ends("a", Some(Verdict::Holds));
        progress.ends("c", Some(Verdict::Violated));
        progress.ends("d", None);
        let expected = "2 s  2 of 5 answered: 1 holds, 1 violated  (Ctrl-C shows what is known)\n  \
                        c     violated\n  list  at work, 0 s";
        assert_eq!(progress.table(Duration::from_secs(2)), expected);
    }

    #[test]
    fn the_table_does_not_fill_the_screen() {
        let progress = Progress::of(100);
        (0..50).for_each(|number| progress.begins(&number.to_string()));
        let table = progress.table(Duration::from_secs(2));
        assert_eq!(table.lines().count(), MOST_ROWS + 2);
        assert!(table.ends_with("… and 42 more"), "{table}");
    }
}
