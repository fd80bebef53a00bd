//! How far a project is, for the live line.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Shared by those who work and the one who shows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    now: Arc<Mutex<Now>>,
}

#[derive(Debug, Default)]
struct Now {
    all: usize,
    answered: usize,
    at_work: Vec<String>,
}

impl Progress {
    pub(super) fn of(all: usize) -> Progress {
        Progress { now: Arc::new(Mutex::new(Now { all, ..Now::default() })) }
    }

    pub(super) fn begins(&self, name: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.at_work.push(name.to_owned());
    }

    pub(super) fn ends(&self, name: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.at_work.retain(|it| it != name);
        now.answered += 1;
    }

    pub(super) fn line(&self, elapsed: Duration) -> String {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "{} s  {} of {} answered; at work: {}  (Ctrl-C shows what is known)",
            elapsed.as_secs(),
            now.answered,
            now.all,
            now.at_work.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_who_is_at_work() {
        let progress = Progress::of(3);
        progress.begins("a");
        progress.begins("b");
        progress.ends("a");
        let expected = "2 s  1 of 3 answered; at work: b  (Ctrl-C shows what is known)";
        assert_eq!(progress.line(Duration::from_secs(2)), expected);
    }
}
