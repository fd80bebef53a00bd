//! When to stop: a time, or a flag that another thread raises.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shared by everything that works on one task.
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// No time limit; only cancellation.
    #[must_use]
    pub fn never() -> Deadline {
        Deadline { end: None, cancelled: Arc::new(AtomicBool::new(false)) }
    }

    /// After this much time from now on.
    #[must_use]
    pub fn after(time: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(time), ..Deadline::never() }
    }

    /// Ends after `time` from now on, or when this one ends.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Deadline {
        let end = Instant::now().checked_add(time);
        let end = match (self.end, end) {
            (Some(mine), Some(new)) => Some(mine.min(new)),
            (one, other) => one.or(other),
        };
        Deadline { end, cancelled: Arc::clone(&self.cancelled) }
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The flag that cancels, for those who only look at a flag.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// The time that is left.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}
