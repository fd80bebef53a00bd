//! A meter: how often solvers were asked, and for how long, over everything that shares it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::statistics::Statistics;

/// Counts checks. Clones count into the same numbers, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    counters: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    checks: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Meter {
    pub fn new() -> Self {
        Self::default()
    }

    /// One more check, and how long it took.
    pub fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.counters.checks.fetch_add(1, Ordering::Relaxed);
        self.counters.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// All checks of a solver that is no longer used.
    pub fn add_all(&self, statistics: &Statistics) {
        let nanoseconds = u64::try_from(statistics.time.as_nanos()).unwrap_or(u64::MAX);
        self.counters.checks.fetch_add(statistics.checks, Ordering::Relaxed);
        self.counters.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    pub fn checks(&self) -> u64 {
        self.counters.checks.load(Ordering::Relaxed)
    }

    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.counters.nanoseconds.load(Ordering::Relaxed))
    }
}
